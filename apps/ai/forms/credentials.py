"""The form of a model vendor's key."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from apps.ai.models import Credential
from apps.ai.rules import configuration as rules
from apps.ai.rules.configuration import BASE_URLS
from apps.egress import BulkheadFull, EgressRefused, outbound_waits, vet

PROVIDERS = [("", "—"), *((code, code) for code in BASE_URLS)]


class CredentialForm(forms.ModelForm):  # type: ignore[type-arg]
    """A key to a vendor's models. The key is typed, and never shown again."""

    looked_up: str | Exception | None = None  # made before Django's transaction begins

    api_key = forms.CharField(
        required=False,
        strip=True,
        max_length=rules.MAX_KEY,
        label=_("key"),
        widget=forms.PasswordInput(render_value=False, attrs={"autocomplete": "off"}),
        help_text=_("Never shown again. Leave it empty to keep the one that is stored."),
    )
    provider = forms.ChoiceField(
        choices=PROVIDERS[1:], label=_("provider"), widget=UnfoldAdminSelectWidget(choices=PROVIDERS[1:])
    )

    class Meta:
        model = Credential
        fields = ["widget", "provider", "api_key", "base_url", "model", "is_active", "assistant"]

    def clean_api_key(self) -> str:
        key: str = self.cleaned_data["api_key"]
        if not key and not self.instance.pk:
            raise ValidationError(_("A new credential needs its key."))
        if not all("!" <= character <= "~" for character in key):
            raise ValidationError(_("Only visible ASCII characters."))
        return key

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "base_url" in self.changed_data and cleaned.get("base_url"):
            if isinstance(self.looked_up, BulkheadFull):
                raise ValidationError(_("Too many addresses are looked up now. Try again in a second."))
            if not isinstance(self.looked_up, str):
                self.add_error("base_url", _("An https address of a public host is needed, whose name is known."))
        provider = cleaned.get("provider") or self.instance.provider
        if provider and not cleaned.get("base_url") and BASE_URLS.get(provider) is None:
            self.add_error("base_url", _("This provider needs a base URL."))
        if self.instance.pk and "base_url" in self.changed_data and not cleaned.get("api_key"):
            self.add_error("api_key", _("Another address needs the key to be typed again."))
        return cleaned


def look_up(url: str, credential: Credential | None, widget_id: str) -> str | Exception | None:
    """An address that was sent for a credential, as it is called; or why it can't be; None where it is the old one."""
    if not url or (credential is not None and credential.base_url == url):
        return None
    try:
        return vet(url, place=outbound_waits.slot(credential.widget_id if credential else int(widget_id))).url
    except (EgressRefused, BulkheadFull, ValueError) as refusal:
        return refusal
