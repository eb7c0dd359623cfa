"""The cabinet's page of bots: where a widget's bot is told what happens in its chats."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import OwnRowsAdmin, Who
from apps.compat import actions
from apps.compat.forms import BotForm
from apps.compat.models import LegacyBot


@admin.register(LegacyBot)
class LegacyBotAdmin(OwnRowsAdmin):
    """A bot's secret is shown on the page that replaces it, and nowhere else."""

    account_path = "widget__account_id"
    may_add = Who.ACCOUNT
    may_change = Who.ACCOUNT
    may_delete = Who.ACCOUNT
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
    actions_detail = ("replace_secret",)

    def get_fields(self, request: HttpRequest, obj: LegacyBot | None = None) -> tuple[str, ...]:
        return ("widget", "url", "is_active", "created_at") if obj else ("widget", "url")

    def get_readonly_fields(self, request: HttpRequest, obj: LegacyBot | None = None) -> tuple[str, ...]:
        return ("created_at", "widget") if obj else ()

    def write(self, request: HttpRequest, obj: LegacyBot, form: "ModelForm[Any]", change: bool) -> None:
        if change:
            actions.set_bot(bot=obj, url=obj.url, target=obj.target, is_active=obj.is_active)
        else:
            obj.pk = actions.register_bot(widget_id=obj.widget_id, url=obj.url, target=obj.target).pk

    def remove(self, request: HttpRequest, obj: LegacyBot) -> None:
        actions.delete_bot(bot=obj)

    @unfold_action(description=_("Replace the secret…"), url_path="secret")  # type: ignore[untyped-decorator]
    def replace_secret(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; replaces at a POST, and shows the new secret in this answer alone."""
        bot: LegacyBot = self.get_object(request, object_id)
        if not self.has_change_permission(request, bot):
            raise PermissionDenied
        is_meant = request.method == "POST"
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("The secret is replaced") if is_meant else gettext("Replace the secret?"),
            "owner": bot,
            "page": reverse("admin:compat_legacybot_change", args=[bot.pk]),
            "consequence": gettext("The old one no longer signs what is sent to the bot."),
            "plain_text": actions.replace_secret(bot=bot) if is_meant else None,
        }
        return TemplateResponse(request, "admin/replaced_secret.html", context)
