"""Forms of the cabinet's pages of the support desk. They refuse the same as the actions."""

from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from apps.accounts.models import ApiToken
from apps.ai.drivers import DRIVERS
from apps.ai.models import Assistant
from apps.cabinet.coded_values import display_value
from apps.support.rules.tickets import CloseReason


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
