"""The form of a model vendor's key."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminSelectWidget

from apps.accounts.models import Widget
from apps.ai.models import Credential
from apps.ai.rules import configuration as rules
from apps.ai.rules.configuration import BASE_URLS
from apps.cabinet.refusals import why_not_called
from apps.egress import BulkheadFull, EgressRefused, outbound_waits, vet

PROVIDERS = [("", "—"), *((code, code) for code in BASE_URLS)]


class CredentialForm(forms.ModelForm):  # type: ignore[type-arg]
    """A key to a vendor's models. The key is typed, and never shown again."""

    looked_up: str | Exception | None = None  # made before Django's transaction begins

    api_key = forms.CharField(
        required=False,
        strip=True,
        max_length=rules.MAX_KEY,
        label=capfirst(_("key")),
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}),
        help_text=_("Never shown again. Leave it empty to keep the one that is stored."),
    )
    provider = forms.ChoiceField(
        choices=PROVIDERS[1:], label=capfirst(_("provider")), widget=UnfoldAdminSelectWidget(choices=PROVIDERS[1:])
    )

    class Meta:
        model = Credential
        fields = [
            *("widget", "provider", "api_key", "base_url", "model", "for_answers", "for_knowledge"),
            *("own_embedding_model", "timeout_s", "context_tokens", "is_active", "assistant", "backup"),
            *("prompt_price", "completion_price", "price_currency"),
        ]
        localized_fields = ("prompt_price", "completion_price")
        help_texts = {
            "model": _("Leave it empty for a new credential: the next page lists the models that its server has."),
            "own_embedding_model": _("The model that reads the knowledge base. Empty: it is found out by itself."),
            "timeout_s": _(
                "The seconds that one call may take, 5 to 300. Visitors see typing meanwhile; an answer may take twice "
                "as long. A model on a computer of your own needs 120 or more."
            ),
            "prompt_price": _(
                "What you pay the vendor, as its price list says: the AI's page then shows money beside tokens. Empty: "
                "not known. The model of the knowledge base has another price, and is not counted."
            ),
            "context_tokens": _("The context of the model, as its server was started with. Empty: not known."),
        }

    def clean_api_key(self) -> str:
        key: str = self.cleaned_data["api_key"]
        if not key and not self.instance.pk:
            raise ValidationError(_("A new credential needs its key."))
        if not all("!" <= character <= "~" for character in key):
            raise ValidationError(_("Only visible ASCII characters."))
        return key

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "timeout_s" in self.fields:
            self.fields["timeout_s"].required = False

    def clean_timeout_s(self) -> int:
        return self._within("timeout_s", rules.MIN_TIMEOUT_S, rules.MAX_TIMEOUT_S) or rules.DEFAULT_TIMEOUT_S

    def clean_context_tokens(self) -> int | None:
        return self._within("context_tokens", rules.MIN_CONTEXT_TOKENS, rules.MAX_CONTEXT_TOKENS)

    def clean_prompt_price(self) -> Decimal | None:
        return self._price("prompt_price")

    def clean_completion_price(self) -> Decimal | None:
        return self._price("completion_price")

    def _price(self, name: str) -> Decimal | None:
        price: Decimal | None = self.cleaned_data[name]
        if price is not None and price < 0:
            raise ValidationError(_("Must be 0 or more."))
        return price

    def _within(self, name: str, least: int, most: int) -> int | None:
        number: int | None = self.cleaned_data[name]
        if number is not None and not least <= number <= most:
            raise ValidationError(_("%(least)d to %(most)d."), params={"least": least, "most": most})
        return number

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "base_url" in self.changed_data and cleaned.get("base_url") and not isinstance(self.looked_up, str):
            self.add_error("base_url", why_not_called(cleaned["base_url"], self.looked_up))
        provider = cleaned.get("provider") or self.instance.provider
        is_missing = not cleaned.get("base_url") and "base_url" not in self.errors
        if provider and is_missing and BASE_URLS.get(provider) is None:
            self.add_error("base_url", _("This provider needs a base URL."))
        self._check_backup(cleaned.get("backup"), cleaned.get("widget"))
        self._check_prices(cleaned)
        if not cleaned.get("for_answers") and not cleaned.get("for_knowledge"):
            cleaned |= {"for_answers": True, "for_knowledge": True}  # as where nothing is told over the API
        is_for_answers = cleaned["for_answers"]
        if self.instance.pk and is_for_answers and provider == "openai_compatible" and not cleaned.get("model"):
            self.add_error("model", _("This provider needs a model: choose one from its list."))
        if self.instance.pk and "base_url" in self.changed_data and not cleaned.get("api_key"):
            self.add_error("api_key", _("Another address needs the key to be typed again."))
        return cleaned

    def _check_prices(self, cleaned: dict[str, Any]) -> None:
        """Both prices and the currency, or none of them."""
        names = ("prompt_price", "completion_price", "price_currency")
        missing = [name for name in names if name in self.fields and cleaned.get(name) in (None, "")]
        if missing and len(missing) < len(names):
            for name in missing:
                if name not in self.errors:
                    self.add_error(name, _("Both prices and the currency are needed, or none of them."))

    def _check_backup(self, backup: Credential | None, widget: Widget | None) -> None:
        """A backup is of the same widget, and no chain of them leads back to where it began."""
        if backup is None:
            return
        widget_id = self.instance.widget_id or (widget.pk if widget else None)
        if backup.widget_id != widget_id:
            self.add_error("backup", _("It is another widget's."))
            return
        backups = dict(Credential.objects.for_widget(widget_id).values_list("pk", "backup_id"))
        if rules.backup_refusal(self.instance.pk, backup.pk, backups):
            self.add_error("backup", _("This key stands in for that one already, or the chain grows too long."))


def look_up(url: str, credential: Credential | None, widget_id: str) -> str | Exception | None:
    """An address that was sent for a credential, as it is called; or why it can't be; None where it is the old one."""
    if not url or (credential is not None and credential.base_url == url):
        return None
    try:
        return vet(url, place=outbound_waits.slot(credential.widget_id if credential else int(widget_id))).url
    except (EgressRefused, BulkheadFull, ValueError) as refusal:
        return refusal
