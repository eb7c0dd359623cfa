"""The forms of the page that sets AI up, a step each."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.widgets import (
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from apps.ai.rules import configuration as rules
from apps.cabinet.refusals import why_not_called

# Vendors that speak as OpenAI does, and their addresses, as their own documentation names them:
# https://yandex.cloud/en/docs/ai-studio/concepts/openai-compatibility, https://api-docs.deepseek.com,
# https://openrouter.ai/docs/quickstart
ADDRESSES = {
    "yandex": "https://ai.api.cloud.yandex.net/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
}
COMPATIBLE = "openai_compatible"
VENDORS = [
    ("openai", "OpenAI"),
    ("anthropic", "Anthropic"),
    ("gemini", "Google Gemini"),
    ("yandex", "YandexGPT (Yandex AI Studio)"),
    ("deepseek", "DeepSeek"),
    ("openrouter", "OpenRouter"),
    (COMPATIBLE, _("Another server that speaks as OpenAI does")),
]
# A tone is the first text of the assistant, which its owner goes on writing.
TONES = {
    "friendly": _("Friendly: short, warm sentences, as a good shop assistant speaks."),
    "businesslike": _("Businesslike: polite and to the point, without jokes and exclamation marks."),
    "plain": _("Plain: as few and as simple words as possible, steps in order."),
}
TEMPLATE = "template:"


def vendor_of(provider: str, base_url: str) -> str:
    """The name of the vendor that a credential is of."""
    known = next((vendor for vendor, address in ADDRESSES.items() if address == base_url.rstrip("/")), provider)
    return str(dict(VENDORS).get(known, ""))


class KeyForm(forms.Form):
    """The vendor and its key. A vendor of ADDRESSES becomes `openai_compatible` with its address."""

    provider = forms.ChoiceField(label=_("Vendor"), choices=VENDORS, widget=UnfoldAdminSelectWidget)
    api_key = forms.CharField(
        label=_("Key"),
        max_length=rules.MAX_KEY,
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}),
        help_text=_("The vendor shows it in your account there. It is stored encrypted, and never shown again."),
    )
    base_url = forms.CharField(
        label=_("Address"),
        required=False,
        max_length=rules.MAX_BASE_URL,
        widget=UnfoldAdminTextInputWidget(attrs={"inputmode": "url"}),
        help_text=_(
            "For another server, or a gateway; mostly it ends with /v1. GigaChat (https://api.giga.chat/v1) takes keys "
            "that last 30 minutes: run its own gateway gpt2giga beside this service, and enter the gateway's address."
        ),
    )

    def __init__(self, *args: Any, looked_up: str | Exception | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.looked_up = looked_up

    @staticmethod
    def address_of(sent: Mapping[str, Any]) -> str:
        """The address that is called: the one that was entered, else the vendor's own."""
        return str(sent.get("base_url", "")).strip() or ADDRESSES.get(str(sent.get("provider", "")), "")

    def clean_api_key(self) -> str:
        key: str = self.cleaned_data["api_key"]
        if not all("!" <= character <= "~" for character in key):
            raise ValidationError(_("Only visible ASCII characters."))
        return key

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["base_url"] = self.address_of(cleaned)
        if cleaned.get("provider") in ADDRESSES:
            cleaned["provider"] = COMPATIBLE
        if cleaned.get("base_url"):
            if not isinstance(self.looked_up, str):
                self.add_error("base_url", why_not_called(cleaned["base_url"], self.looked_up))
        elif cleaned.get("provider") == COMPATIBLE:
            self.add_error("base_url", _("This provider needs a base URL."))
        return cleaned


class ModelForm(forms.Form):
    """One of the models that the vendor has for the key."""

    model = forms.ChoiceField(label=_("Model"), widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, models: list[str], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["model"].choices = [(name, name) for name in models]  # type: ignore[attr-defined]


class CharacterForm(forms.Form):
    """The name of the assistant, and how it speaks: a tone, or a template of the marketplace."""

    name = forms.CharField(
        label=pgettext_lazy("of an assistant", "Name"),
        max_length=rules.MAX_NAME,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("Visitors see it beside the answers."),
    )
    character = forms.ChoiceField(label=_("Tone, or a template"), widget=UnfoldAdminSelectWidget)

    def __init__(self, *args: Any, templates: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        tones = [*TONES.items()]
        named = [(f"{TEMPLATE}{slug}", name) for slug, name in templates]
        groups: Any = [(_("Tones"), tones), *([(_("Templates"), named)] if named else [])]
        self.fields["character"].choices = groups  # type: ignore[attr-defined]


class SiteForm(forms.Form):
    """The website that becomes knowledge."""

    url = forms.CharField(
        label=_("Address of your website"),
        max_length=2000,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "https://", "inputmode": "url"}),
        help_text=_("Up to 50 of its pages are read now; more, and how often, is set under Knowledge."),
    )

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"].strip()
        return url if "://" in url else f"https://{url}"
