"""The cabinet's page of bots: where a widget's bot is told what happens in its chats."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import CHANNELS, MenuPlace
from apps.cabinet.outbound_address_admin import OutboundAddressAdmin
from apps.cabinet.tenant_admin import AccessLevel, TenantSecretsAdmin, changes_of
from apps.compat import actions
from apps.compat.forms import BotForm, look_up
from apps.compat.models import LegacyBot


@admin.register(LegacyBot)
class LegacyBotAdmin(OutboundAddressAdmin, TenantSecretsAdmin):
    menu = MenuPlace(CHANNELS, 60, _("Bots of before"))
    purpose = _("Bots that were written for the other platform and go on answering here.")
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    consequence = _("The old one no longer signs what is sent to the bot.")
    titles = (_("bot in the legacy format"), _("bots in the legacy format"))
    labels = {
        "widget": _("widget"),
        "url": _("address"),
        "is_active": _("active"),
        "created_at": _("created"),
    }
    form = BotForm
    list_display = ("url", "widget", "is_active", "created_at")
    list_filter = ("widget", "is_active")
    list_select_related = ("widget",)
    search_fields = ("url",)
    ordering = ("-id",)

    def get_fields(self, request: HttpRequest, obj: LegacyBot | None = None) -> tuple[str, ...]:
        return ("widget", "url", "is_active", "created_at") if obj else ("widget", "url")

    def get_readonly_fields(self, request: HttpRequest, obj: LegacyBot | None = None) -> tuple[str, ...]:
        return ("created_at", "widget") if obj else ()

    def look_up(self, url: str, row: Any, widget_id: str) -> Any:
        return look_up(url, row, widget_id)

    def write(self, request: HttpRequest, obj: LegacyBot, form: "ModelForm[Any]", change: bool) -> None:
        if change:
            changes = changes_of(form)
            if "url" in changes:
                changes["target"] = obj.target
            actions.set_bot(bot=obj, changes=changes)
        else:
            obj.pk = actions.register_bot(widget_id=obj.widget_id, url=obj.url, target=obj.target).pk

    def remove(self, request: HttpRequest, obj: LegacyBot) -> None:
        actions.delete_bot(bot=obj)

    def renew(self, obj: LegacyBot) -> str:
        return actions.replace_secret(bot=obj)
