"""The cabinet's page of custom channels: they are registered over the API, and switched, deleted and given another
secret here."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.accounts.cabinet import AccessLevel, TenantSecretsAdmin
from apps.messengers import actions
from apps.messengers.models import Channel


@admin.register(Channel)
class ChannelAdmin(TenantSecretsAdmin):
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    consequence = _("The old one is refused from then on, and no longer signs what is sent to the channel.")
    titles = (_("custom channel"), _("custom channels"))
    labels = {
        "widget": _("widget"),
        "name": pgettext_lazy("of a thing", "name"),
        "outbound_url": _("address"),
        "is_active": _("active"),
        "created_at": _("created"),
    }
    list_display = ("name", "channel_code", "widget", "is_active", "created_at")
    list_filter = ("widget", "is_active")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    fields = ("name", "channel_code", "widget", "outbound_url", "is_active", "created_at")
    readonly_fields = ("name", "channel_code", "widget", "outbound_url", "created_at")

    @admin.display(description=_("code"), ordering="id")
    def channel_code(self, channel: Channel) -> str:
        return channel.code

    def write(self, request: HttpRequest, obj: Channel, form: "ModelForm[Any]", change: bool) -> None:
        actions.set_channel_active(channel=obj, is_active=obj.is_active)

    def remove(self, request: HttpRequest, obj: Channel) -> None:
        actions.delete_channel(channel=obj)

    def renew(self, obj: Channel) -> str:
        return actions.replace_secret(channel=obj)
