"""Forms of the cabinet's pages of the support desk. They refuse the same as the actions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.accounts.coded_values import display_value
from apps.accounts.models import ApiToken
from apps.agents.models import Agent
from apps.ai.drivers import DRIVERS
from apps.ai.models import Assistant
from apps.support.actions.settings import refusals_of, settings_of, valid_tokens
from apps.support.labels import CHANNEL_NAMES, HELP, LABELS
from apps.support.models import SupportDesk, SupportSettings
from apps.support.rules.settings import CHANNELS, KINDS, bad_entries
from apps.support.rules.tickets import CloseReason

MOST_BAD_ENTRIES = 5  # named at once


class TextLinesField(forms.CharField):
    """A list of texts, one a line."""

    widget = UnfoldAdminTextareaWidget

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line for line in map(str.strip, (super().to_python(value) or "").splitlines()) if line]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.to_python(data) != (initial or []))


def operators_of(widget_id: int) -> list[tuple[Any, Any]]:
    """The people of a widget, to choose one from."""
    people = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.HUMAN).order_by("pk")
    return [("", _("nobody")), *((person.pk, person.full_name) for person in people)]


def tokens_of(settings: SupportSettings) -> list[tuple[int, str]]:
    """The tokens that can be listed, and those that are, whatever has become of them."""
    found = {token.pk: token.name for token in valid_tokens(settings.widget_id).order_by("pk")}
    listed = ApiToken.objects.for_widget(settings.widget_id).filter(pk__in=settings.token_ids)
    gone = {token.pk: gettext("%(name)s (revoked)") % {"name": token.name} for token in listed if token.pk not in found}
    return [*found.items(), *gone.items()]


def form_field(name: str, settings: SupportSettings) -> forms.Field:
    """The field of a setting, by what its column holds."""
    about: dict[str, Any] = {"label": LABELS[name], "help_text": HELP[name], "required": False}
    about["initial"] = getattr(settings, name)
    if name == "operator_id":
        choices = operators_of(settings.widget_id)
        return forms.TypedChoiceField(
            choices=choices, coerce=int, empty_value=None, widget=UnfoldAdminSelectWidget, **about
        )
    if name == "token_ids":
        return forms.TypedMultipleChoiceField(
            choices=tokens_of(settings), coerce=int, widget=forms.CheckboxSelectMultiple, **about
        )
    if name == "channels":
        channels = [(channel, CHANNEL_NAMES[channel]) for channel in CHANNELS]
        return forms.MultipleChoiceField(choices=channels, widget=forms.CheckboxSelectMultiple, **about)
    column = SupportSettings._meta.get_field(name)
    if isinstance(column, models.BooleanField):
        return forms.BooleanField(widget=UnfoldBooleanSwitchWidget, **about)
    if isinstance(column, ArrayField):
        return TextLinesField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), **about)
    if isinstance(column, models.IntegerField):
        return forms.IntegerField(widget=UnfoldAdminIntegerFieldWidget, **about)
    return forms.CharField(widget=UnfoldAdminTextInputWidget, **about)


class SupportDeskForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Every setting of the desk. Only what differs is changed; what the command refuses stands at its field."""

    class Meta:
        model = SupportDesk
        fields: list[str] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.settings = settings_of(self.instance.pk)
        self.changes: Mapping[str, Any] = {}
        for name in KINDS:
            self.fields[name] = form_field(name, self.settings)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self.changes = {name: cleaned[name] for name in self.changed_data if name in cleaned}
        for name, text in refusals_of(self.settings, self.changes).items():
            wrong = bad_entries(name, self.changes.get(name))[:MOST_BAD_ENTRIES]
            self.add_error(name, gettext(text))
            if wrong:
                self.add_error(name, gettext("Look at: %s") % ", ".join(wrong))
        return cleaned


class BindForm(forms.Form):
    """The form of a binding: the token that signs an application's calls, and the provider that answers."""

    token = forms.ModelChoiceField(
        queryset=ApiToken.objects.none(),
        label=capfirst(_("API token")),
        help_text=_("The only one that may sign. It needs the scope ai:write."),
        widget=UnfoldAdminSelectWidget,
    )
    provider = forms.ChoiceField(
        choices=[(code, code) for code in DRIVERS],
        label=_("Provider"),
        help_text=_("Whose models answer; a credential of theirs must be there."),
        widget=UnfoldAdminSelectWidget,
    )
    assistant = forms.ModelChoiceField(
        queryset=Assistant.objects.none(),
        required=False,
        label=_("Assistant"),
        help_text=_("Its persona, prompt and credential are used. It may be left blank."),
        widget=UnfoldAdminSelectWidget,
    )

    def __init__(self, *args: Any, tokens: Any, assistants: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["token"].queryset = tokens  # type: ignore[attr-defined]
        self.fields["assistant"].queryset = assistants  # type: ignore[attr-defined]


class CloseForm(forms.Form):
    """Why a ticket is closed without an answer."""

    reason = forms.ChoiceField(label=_("Why"), widget=UnfoldAdminSelectWidget)
    duplicate_of = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=2**63 - 1,
        label=_("The other ticket"),
        help_text=_("Of a duplicate alone: the number of the ticket that stays."),
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        reasons = [reason.value for reason in CloseReason if reason is not CloseReason.ANSWERED]
        self.fields["reason"].choices = [(reason, display_value(reason)) for reason in reasons]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("duplicate_of") is not None and cleaned.get("reason") != CloseReason.DUPLICATE:
            self.add_error("duplicate_of", gettext("Only a duplicate has one."))
        return cleaned
