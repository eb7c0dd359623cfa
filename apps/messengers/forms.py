"""Forms of the cabinet's pages of messengers. They refuse the same as the API."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.widgets import (
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from apps.accounts.models import Widget
from apps.accounts.refusals import why_not_called
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.parsing.names import name_refusal
from apps.egress import BulkheadFull, EgressRefused, vet
from apps.messengers.adapters import ADAPTERS
from apps.messengers.rules import MAX_NAME
from apps.messengers.rules import providers as rules
from apps.messengers.rules.providers import Updates

# Where each provider's token comes from, and what its link is.
TOKENS = {
    "tg": _("The token that @BotFather gives for a bot."),
    "wa": _("A permanent token of the WhatsApp Cloud API."),
    "vb": _("The token of the bot, of the Viber admin panel."),
    "fb": _("The page's token of the Messenger Platform."),
    "ok": _("The key of the group's bot API."),
    "mx": _("The token of the bot, of the MAX platform for partners."),
    "cian": _("The API key of the account."),
    "ali": _("The API token of the shop."),
    "apple": _("The API secret of the messaging service provider, in base64."),
}
_SIDS = {"wa": _("phone number id"), "apple": _("service provider id")}


def secret(label: Any, help_text: Any, **options: Any) -> forms.CharField:
    """A field whose value no page shows again."""
    widget = UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False)
    return forms.CharField(label=label, help_text=help_text, widget=widget, **options)


def line(label: Any, help_text: Any = "", **options: Any) -> forms.CharField:
    """A field of one line."""
    return forms.CharField(label=label, help_text=help_text, widget=UnfoldAdminTextInputWidget, **options)


class MessengerWidgetForm(forms.Form):
    """A form that asks which widget it is for; the only one is chosen."""

    widget = forms.ModelChoiceField(
        queryset=Widget.objects.none(), label=capfirst(_("widget")), widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, widgets: QuerySet[Widget], **options: Any) -> None:
        super().__init__(*args, **options)
        field: Any = self.fields["widget"]
        field.queryset = widgets
        few = list(widgets[:2])
        field.initial = few[0] if len(few) == 1 else None


class ConnectForm(MessengerWidgetForm):
    """The whole credential of a provider, in place of the one that may be there."""

    def __init__(self, *args: Any, provider: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.provider = provider
        declared = ADAPTERS[provider].fields
        self.fields["token"] = secret(_("token"), TOKENS[provider], max_length=rules.MAX_TOKEN)
        if "sid" in declared:
            self.fields["sid"] = line(_SIDS[provider], max_length=rules.MAX_SID)
        if provider == "apple":
            self.fields["url"] = line(
                _("gateway"), _("The address of the provider's gateway."), max_length=rules.MAX_URL
            )
        else:
            text = _("Where visitors go; the widget shows it. It may be left blank.")
            self.fields["url"] = line(_("public link"), text, required=False, max_length=rules.MAX_URL)

    def clean_token(self) -> str:
        return self._checked(rules.token_refusal, "token")

    def clean_sid(self) -> str:
        return self._checked(rules.sid_refusal, "sid")

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if not url:
            return url
        if self.provider != "apple":
            return self._checked(rules.url_refusal, "url")
        try:
            self.target = vet(url).url
        except EgressRefused as error:
            raise forms.ValidationError(str(error)) from None
        return url

    def _checked(self, refusal_of: Any, name: str) -> str:
        value: str = self.cleaned_data[name]
        if refusal := refusal_of(self.provider, value):
            raise forms.ValidationError(refusal)
        return value

    @property
    def credential(self) -> dict[str, Any]:
        """The stored fields."""
        found: dict[str, Any] = {
            name: self.cleaned_data[name] for name in ("token", "sid", "url") if name in self.cleaned_data
        }
        return {**found, **({"target": self.target} if self.provider == "apple" else {})}


class CommunityForm(MessengerWidgetForm):
    """A community of VK with its key."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["community"] = line(_("community"), _("Its address at vk.com, its name or its number."))
        text = _("A key of the community, with the right to its messages.")
        self.fields["token"] = secret(_("key"), text, max_length=rules.MAX_TOKEN)

    def clean_community(self) -> str:
        community = rules.read_community(self.cleaned_data["community"])
        if community is None:
            raise forms.ValidationError(_("This is no community of VK."))
        return community

    def clean_token(self) -> str:
        token: str = self.cleaned_data["token"]
        if refusal := rules.token_refusal("vk", token):
            raise forms.ValidationError(refusal)
        return token


class VendorForm(forms.Form):
    """How a vendor is called. A secret that is left blank keeps its stored value."""

    def __init__(self, *args: Any, provider: str, **options: Any) -> None:
        super().__init__(*args, **options)
        own = ADAPTERS[provider].base
        self.fields["base"] = line(
            _("address of the API"), _("Blank: %(own)s") % {"own": own}, required=False, max_length=2048
        )
        if provider == "tg":
            self.fields["updates"] = forms.ChoiceField(
                label=capfirst(_("how updates come")),
                choices=[
                    (Updates.AUTO.value, _("as the public address allows")),
                    (Updates.WEBHOOK.value, _("the messenger calls us")),
                    (Updates.LONG_POLL.value, _("we ask the messenger")),
                ],
                widget=UnfoldAdminSelectWidget,
                help_text=_("It is looked at when a bot is connected."),
            )
        kept = _("Blank: the one that is kept.")
        if provider in ("wa", "fb"):
            text = _("It proves what Meta delivers: without it nothing comes in.")
            self.fields["app_secret"] = secret(_("app secret"), text, required=False)
        if provider == rules.AVITO:
            self.fields["client_id"] = line(_("client id"), required=False, max_length=255)
            self.fields["client_secret"] = secret(_("client secret"), kept, required=False)

    def clean_base(self) -> str:
        base: str = self.cleaned_data["base"]
        if base:
            try:
                vet(base)
            except EgressRefused as error:
                raise forms.ValidationError(str(error)) from None
        return base

    @property
    def changes(self) -> dict[str, str]:
        """The stored fields."""
        kept = ("app_secret", "client_secret")
        return {name: value for name, value in self.cleaned_data.items() if value or name not in kept}


class RegisterChannelForm(MessengerWidgetForm):
    """A custom channel of a program."""

    target = ""  # the address as it is called

    name = line(capfirst(pgettext_lazy("of a thing", "name")), _("What operators read."), max_length=MAX_NAME)
    url = line(
        capfirst(_("address")), _("Operators' messages are sent there: https, on a public address."), max_length=2048
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_refusal(name):
            raise ValidationError(_("Write a text of one line."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.target = vet(cleaned["url"], place=ExternalCall(cleaned["widget"].pk).slot()).url
            except (BulkheadFull, EgressRefused, ValueError) as refusal:
                self.add_error("url", why_not_called(cleaned["url"], refusal))
        return cleaned
