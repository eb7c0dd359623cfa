"""The cabinet's page of custom channels: they are registered, switched, deleted and given another secret
here, and registered over the API, too."""

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

from apps.accounts.models import Widget
from apps.cabinet.menu import CHANNELS, MenuPlace
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel, TenantSecretsAdmin
from apps.messengers import actions
from apps.messengers.forms import RegisterChannelForm
from apps.messengers.models import Channel


@admin.register(Channel)
class ChannelAdmin(TenantSecretsAdmin):
    menu = MenuPlace(CHANNELS, 50, _("Custom channels"))
    purpose = _("Channels of your own programs, made over the API.")
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
    actions_list = ("register",)
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

    @unfold_action(description=_("Register…"), url_path="register")  # type: ignore[untyped-decorator]
    def register(self, request: HttpRequest) -> HttpResponse:
        """The form at a GET; at a POST the channel is made, and its secret shown once."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        form = RegisterChannelForm(request.POST or None, widgets=self.own_choices(Widget, request))
        context = {**self.admin_site.each_context(request), "opts": self.opts}
        if request.method == "POST" and form.is_valid():
            wanted = form.cleaned_data
            channel = actions.register_channel(
                widget_id=wanted["widget"].pk, name=wanted["name"], url=wanted["url"], target=form.target
            )
            page = reverse("admin:messengers_channel_change", args=[channel.pk])
            title = gettext("The channel is made")
            return show_once(request, title=title, owner=str(channel), page=page, plain_text=channel.secret)
        asked = {
            "title": gettext("A custom channel"),
            "note": gettext(
                "Your program takes operators' messages at the address. It sends people's with the secret."
            ),
            "form": form,
            "button": gettext("Register"),
            "back": reverse("admin:messengers_channel_changelist"),
        }
        return TemplateResponse(request, "admin/simple_form.html", context | asked)

    def write(self, request: HttpRequest, obj: Channel, form: "ModelForm[Any]", change: bool) -> None:
        actions.set_channel_active(channel=obj, is_active=obj.is_active)

    def remove(self, request: HttpRequest, obj: Channel) -> None:
        actions.delete_channel(channel=obj)

    def renew(self, obj: Channel) -> str:
        return actions.replace_secret(channel=obj)
