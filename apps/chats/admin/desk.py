"""The cabinet's page of how a widget's operators work."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from apps.accounts.cabinet import AccessLevel
from apps.accounts.widget_pages import WidgetPageAdmin
from apps.chats.actions.desk import change_desk_settings
from apps.chats.models import DeskSettings
from apps.chats.rules.attribute_kinds import DeclaredAttribute, declarations_refusal, read, written
from apps.chats.rules.desk import DraftsMode, SummariesMode, TranslationMode, away_refusal

if TYPE_CHECKING:
    from django.forms import ModelForm

_NAMES = ("drafts", "past_answers", "summaries", "translation", "away_minutes", "attribute_kinds")


class DeskSettingsForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """When AI helps operators, and when an absent owner's chats ring for all."""

    drafts = forms.ChoiceField(
        label=capfirst(_("drafts of answers")),
        choices=[
            (DraftsMode.OFF.value, _("never")),
            (DraftsMode.ASKED.value, _("when an operator asks")),
            (DraftsMode.WAITING.value, _("also when a chat is opened whose visitor waits")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    summaries = forms.ChoiceField(
        label=capfirst(_("summaries")),
        choices=[
            (SummariesMode.OFF.value, _("never")),
            (SummariesMode.HANDOVER.value, _("when a chat changes hands")),
            (SummariesMode.AUTO.value, _("also when a long chat is opened")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    translation = forms.ChoiceField(
        label=capfirst(_("translation")),
        choices=[
            (TranslationMode.OFF.value, _("never")),
            (TranslationMode.OFFER.value, _("when an operator switches it on")),
            (TranslationMode.AUTO.value, _("wherever it would be offered")),
        ],
        widget=UnfoldAdminSelectWidget,
    )

    attribute_kinds = forms.CharField(
        label=_("Attributes of contacts"),
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 5}),
        help_text=_(
            "One a line: its name and kind, of a choice its values: <code>plan: choice: free, pro</code>. Kinds are "
            "<code>text</code>, <code>number</code>, <code>boolean</code> (yes or no), <code>date</code>, "
            "<code>link</code> and <code>choice</code>."
        ),
    )

    class Meta:
        model = DeskSettings
        fields = ["widget", *_NAMES]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["attribute_kinds"] = written(self.instance.attribute_kinds)

    def clean_attribute_kinds(self) -> list[DeclaredAttribute]:
        declared = read(self.cleaned_data["attribute_kinds"])
        if refusal := declarations_refusal(declared):
            raise ValidationError(refusal)
        return declared

    def clean_away_minutes(self) -> int:
        minutes: int = self.cleaned_data["away_minutes"]
        if away_refusal(minutes):
            raise ValidationError(_("0 is never; otherwise from 5 to 720 minutes."))
        return minutes


@admin.register(DeskSettings)
class DeskSettingsAdmin(WidgetPageAdmin):
    account_path = "widget__account_id"
    may_add = may_change = AccessLevel.ACCOUNT
    titles = (_("settings of the console"), _("settings of the console"))
    labels = {
        "drafts": _("drafts of answers"),
        "summaries": _("summaries"),
        "translation": _("translation"),
        "widget": _("widget"),
        "past_answers": _("drafts may use earlier answers of people"),
        "attribute_kinds": _("attributes of contacts"),
        "away_minutes": _("minutes until an absent owner's chats ring for all"),
    }
    form = DeskSettingsForm
    list_display = ("widget", "away_minutes")
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")
    fields = ("widget", *_NAMES)

    def get_readonly_fields(self, request: HttpRequest, obj: DeskSettings | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def write(self, request: HttpRequest, obj: DeskSettings, form: "ModelForm[Any]", change: bool) -> None:
        change_desk_settings(widget_id=obj.widget_id, changes={name: form.cleaned_data[name] for name in _NAMES})
