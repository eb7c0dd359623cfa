"""The cabinet's form of an owner's tool for texts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.assists.models import OwnTool
from apps.assists.rules.kinds import MAX_INSTRUCTION, MAX_TOOL_NAME

NAMES = {"name_en": "en", "name_ru": "ru"}


class OwnToolForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A tool's name in the languages of the console, and what it makes of a text."""

    name_en = forms.CharField(
        label=_("Name in English"), max_length=MAX_TOOL_NAME, required=False, widget=UnfoldAdminTextInputWidget
    )
    name_ru = forms.CharField(
        label=_("Name in Russian"), max_length=MAX_TOOL_NAME, required=False, widget=UnfoldAdminTextInputWidget
    )
    instruction = forms.CharField(
        label=_("What it makes of a text"),
        max_length=MAX_INSTRUCTION,
        help_text=_("In your own words, as you would ask a colleague: “Say it as a gardener would.”"),
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )

    class Meta:
        model = OwnTool
        fields = ["widget", "instruction"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for field, language in NAMES.items():
            self.fields[field].initial = (self.instance.names or {}).get(language, "")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not any(cleaned.get(field, "").strip() for field in NAMES):
            self.add_error("name_en", _("A name in one language at least is needed."))
        return cleaned

    @property
    def names(self) -> dict[str, str]:
        """The names that were given, by language."""
        given = {language: self.cleaned_data.get(field, "").strip() for field, language in NAMES.items()}
        return {language: name for language, name in given.items() if name}
