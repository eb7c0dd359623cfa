"""The cabinet's page of custom channels: they are registered over the API, and switched, deleted and given another
secret here."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import OwnRowsAdmin, Who
from apps.messengers import actions
from apps.messengers.models import Channel


@admin.register(Channel)
class ChannelAdmin(OwnRowsAdmin):
    """A channel's secret is shown on the page that replaces it, and nowhere else."""

    account_path = "widget__account_id"
    may_change = Who.ACCOUNT
    may_delete = Who.ACCOUNT
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
    actions_detail = ("replace_secret",)
    fields = ("name", "channel_code", "widget", "outbound_url", "is_active", "created_at")
    readonly_fields = ("name", "channel_code", "widget", "outbound_url", "created_at")

    @admin.display(description=_("code"), ordering="id")
    def channel_code(self, channel: Channel) -> str:
        return channel.code

    def write(self, request: HttpRequest, obj: Channel, form: "ModelForm[Any]", change: bool) -> None:
        actions.set_channel_active(channel=obj, is_active=obj.is_active)

    def remove(self, request: HttpRequest, obj: Channel) -> None:
        actions.delete_channel(channel=obj)

    @unfold_action(description=_("Replace the secret…"), url_path="secret")  # type: ignore[untyped-decorator]
    def replace_secret(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; replaces at a POST, and shows the new secret in this answer alone."""
        channel: Channel = self.get_object(request, object_id)
        if not self.has_change_permission(request, channel):
            raise PermissionDenied
        is_meant = request.method == "POST"
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("The secret is replaced") if is_meant else gettext("Replace the secret?"),
            "owner": channel,
            "page": reverse("admin:messengers_channel_change", args=[channel.pk]),
            "consequence": gettext(
                "The old one is refused from then on, and no longer signs what is sent to the channel."
            ),
            "plain_text": actions.replace_secret(channel=channel) if is_meant else None,
        }
        return TemplateResponse(request, "admin/replaced_secret.html", context)
