"""The cabinet's page of bots: where a widget's bot is told what happens in its chats."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantSecretsAdmin, changes_of
from apps.compat import actions
from apps.compat.forms import BotForm, look_up
from apps.compat.models import LegacyBot


@admin.register(LegacyBot)
class LegacyBotAdmin(TenantSecretsAdmin):
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

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Looks up an address that is sent before the page's transaction begins."""
        if request.method == "POST":
            bot = self.get_object(request, object_id) if object_id else None
            url = request.POST.get("url", "").strip()
            request.looked_up = look_up(url, bot, request.POST.get("widget", ""))  # type: ignore[attr-defined]
        return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(self, request: HttpRequest, obj: LegacyBot | None = None, change: bool = False, **options: Any) -> Any:
        form = super().get_form(request, obj, change, **options)
        form.looked_up = getattr(request, "looked_up", None)
        return form

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
