"""The cabinet's form of an external operator."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
)

from apps.ai.models import ExternalOperator
from apps.ai.rules import lifecycle
from apps.cabinet.refusals import why_not_called
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.parsing.names import control_refusal, name_refusal
from apps.egress import BulkheadFull, EgressRefused, vet


def look_up_operator(url: str, operator: ExternalOperator | None, widget_id: str) -> str | Exception | None:
    """An address that was sent for an operator, as it is called; or why it can't be; None for the old one."""
    if not url or (operator is not None and operator.url == url):
        return None
    try:
        outbound = ExternalCall(operator.widget_id if operator else int(widget_id))
        return vet(url, place=outbound.slot()).url
    except (EgressRefused, BulkheadFull, ValueError) as refusal:
        return refusal


class ExternalOperatorForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """An external operator; its address is looked up before the page's transaction begins (`looked_up`)."""

    looked_up: Any = None

    name = forms.CharField(
        label=capfirst(pgettext_lazy("of a thing", "name")),
        max_length=lifecycle.MAX_NAME,
        widget=UnfoldAdminTextInputWidget,
    )
    url = forms.CharField(
        label=capfirst(_("address")),
        max_length=lifecycle.MAX_URL,
        strip=True,
        widget=UnfoldAdminURLInputWidget,
        help_text=_(
            "https, on a public address: where your program waits for turns. Another one is to be proved anew."
        ),
    )
    bearer = forms.CharField(
        label=_("Bearer credential"),
        max_length=lifecycle.MAX_BEARER,
        required=False,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}),
        help_text=_(
            "Sent to your program with each event, once its address is proved. Left empty, what is stored stays; "
            "at another server it is forgotten."
        ),
    )
    reply_timeout_sec = forms.IntegerField(
        label=_("Seconds for a reply"),
        min_value=lifecycle.MIN_REPLY_TIMEOUT_S,
        max_value=lifecycle.MAX_REPLY_TIMEOUT_S,
        initial=lifecycle.DEFAULT_REPLY_TIMEOUT_S,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    class Meta:
        model = ExternalOperator
        fields = [
            *("widget", "name", "url", "bearer", "reply_timeout_sec", "fallback", "requires_signed_replies"),
            "answers_by_person",
        ]
        help_texts = {
            "answers_by_person": _("Otherwise visitors are told that an AI speaks, as the law of the EU demands.")
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial.pop("bearer", None)
        if self.instance.pk:
            self.initial["name"] = self.instance.agent.name

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_refusal(name):
            raise ValidationError(_("Control characters are not allowed."))
        return name

    def clean_bearer(self) -> str:
        bearer: str = self.cleaned_data["bearer"]
        if control_refusal(bearer) or not bearer.isascii():
            raise ValidationError(_("Visible ASCII characters only."))
        return bearer

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "url" in self.changed_data and cleaned.get("url") and not isinstance(self.looked_up, str):
            self.add_error("url", why_not_called(cleaned["url"], self.looked_up))
        return cleaned
