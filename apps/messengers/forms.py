"""Forms of the cabinet's pages of messengers. They refuse the same as the API."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.widgets import (
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from apps.cabinet.forms import WidgetChoiceForm
from apps.cabinet.refusals import why_not_called
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.parsing.names import name_refusal
from apps.egress import BulkheadFull, EgressRefused, vet
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.vk.communities import read_community
from apps.messengers.rules import MAX_NAME
from apps.messengers.rules import providers as rules
from apps.messengers.rules.providers import Updates


def secret(label: Any, help_text: Any, **options: Any) -> forms.CharField:
    """A field whose value no page shows again."""
    widget = UnfoldAdminPasswordWidget(attrs={"autocomplete": "new-password"}, render_value=False)
    return forms.CharField(label=label, help_text=help_text, widget=widget, **options)


def line(label: Any, help_text: Any = "", **options: Any) -> forms.CharField:
    """A field of one line."""
    return forms.CharField(label=label, help_text=help_text, widget=UnfoldAdminTextInputWidget, **options)


class ConnectForm(WidgetChoiceForm):
    """The whole credential of a provider, in place of the one that may be there."""

    def __init__(self, *args: Any, provider: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.provider = provider
        self.adapter = ADAPTERS[provider]
        about, is_needed = self.adapter.about, self.adapter.has_own_address
        self.fields["token"] = secret(_("token"), about.key_hint, max_length=rules.MAX_TOKEN)
        if "sid" in self.adapter.fields:
            self.fields["sid"] = line(about.sid_label, max_length=rules.MAX_SID)
        if "app_secret" in self.adapter.optional:
            text = _("Of an app of your own: it proves what the app delivers. Blank: the one that is kept.")
            self.fields["app_secret"] = secret(_("app secret"), text, required=False, max_length=rules.MAX_TOKEN)
        self.fields["url"] = line(about.url_label, about.url_hint, required=is_needed, max_length=rules.MAX_URL)

    def clean_token(self) -> str:
        return self._checked(self.adapter.token_refusal, "token")

    def clean_app_secret(self) -> str:
        value: str = self.cleaned_data["app_secret"]
        return self._checked(rules.token_refusal, "app_secret") if value else value

    def clean_sid(self) -> str:
        return self._checked(self.adapter.sid_refusal, "sid")

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        if not url:
            return url
        if not self.adapter.has_own_address:
            return self._checked(self.adapter.url_refusal, "url")
        try:
            self.target = vet(url).url
        except EgressRefused as error:
            raise forms.ValidationError(str(error)) from None
        return url

    def _checked(self, refusal_of: Any, name: str) -> str:
        value: str = self.cleaned_data[name]
        if refusal := refusal_of(value):
            raise forms.ValidationError(refusal)
        return value

    @property
    def credential(self) -> dict[str, Any]:
        """The stored fields."""
        found: dict[str, Any] = {
            name: self.cleaned_data[name] for name in ("token", "sid", "url") if name in self.cleaned_data
        }
        if secret_ := self.cleaned_data.get("app_secret"):
            found["app_secret"] = secret_
        return {**found, **({"target": self.target} if self.adapter.has_own_address else {})}


class CommunityForm(WidgetChoiceForm):
    """A community of VK with its key."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["community"] = line(_("community"), _("Its address at vk.com, its name or its number."))
        text = _("A key of the community, with the right to its messages.")
        self.fields["token"] = secret(_("key"), text, max_length=rules.MAX_TOKEN)

    def clean_community(self) -> str:
        community = read_community(self.cleaned_data["community"])
        if community is None:
            raise forms.ValidationError(_("This is no community of VK."))
        return community

    def clean_token(self) -> str:
        token: str = self.cleaned_data["token"]
        if refusal := rules.token_refusal(token):
            raise forms.ValidationError(refusal)
        return token


class VendorForm(forms.Form):
    """How a vendor is called. A secret that is left blank keeps its stored value."""

    def __init__(self, *args: Any, provider: str, **options: Any) -> None:
        super().__init__(*args, **options)
        own, asked = ADAPTERS[provider].base, ADAPTERS[provider].vendor_fields
        self.fields["base"] = line(
            _("address of the API"), _("Blank: %(own)s") % {"own": own}, required=False, max_length=2048
        )
        if "updates" in asked:
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
        if "app_secret" in asked:
            text = _("It proves what Meta delivers: without it nothing comes in.")
            self.fields["app_secret"] = secret(_("app secret"), text, required=False)
        if "client_id" in asked:
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


class RegisterChannelForm(WidgetChoiceForm):
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
