"""The form of an assistant that is made of a template."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from apps.accounts.models import Widget
from apps.ai.actions.templates import assistant_templates
from apps.ai.models import Assistant
from apps.ai.rules.actors import Actor
from apps.ai.rules.languages import LANGUAGES
from apps.cabinet.tenant_admin import only_choice


class TemplateForm(forms.Form):
    """The form of a template: its language and the widget."""

    widget = forms.ModelChoiceField(Widget.objects.none(), label=capfirst(_("widget")), widget=UnfoldAdminSelectWidget)
    template = forms.ChoiceField(label=_("Template"), widget=UnfoldAdminSelectWidget)
    language = forms.ChoiceField(
        label=_("Language"), choices=[(code, code) for code in LANGUAGES], widget=UnfoldAdminSelectWidget
    )

    def __init__(self, data: Any, *, widgets: QuerySet[Widget]) -> None:
        super().__init__(data)
        self.templates = assistant_templates()
        spoken = get_language() or "en"
        fields: dict[str, Any] = self.fields
        fields["widget"].queryset = widgets
        fields["widget"].initial = only_choice(widgets)
        fields["template"].choices = self.templates.choices(spoken) if self.templates else []
        fields["language"].initial = spoken if spoken in LANGUAGES else "en"

    def apply(self, actor: Actor) -> Assistant:
        """Makes the assistant that a valid form asks for."""
        wanted = self.cleaned_data
        assert self.templates is not None  # noqa: S101 - without templates there is no choice
        return self.templates.apply(wanted["widget"].pk, wanted["template"], wanted["language"], actor)
