"""The cabinet's pages of connected messengers and VK's communities: what each is, whether it works, and its repair."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.accounts.models import Widget
from apps.cabinet.menu import CHANNELS, MenuPlace
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem
from apps.messengers.actions.communities import add_community, make_primary, remove_community
from apps.messengers.actions.connections import connect, disconnect
from apps.messengers.adapters import ADAPTERS, is_writable
from apps.messengers.adapters.vk.adapter import Vk
from apps.messengers.cabinet import ConnectedAdmin, say_state, words_of
from apps.messengers.forms import CommunityForm, ConnectForm
from apps.messengers.models import Community, Connection


@admin.register(Connection)
class ConnectionAdmin(ConnectedAdmin):
    """Messengers with one credential a widget: all but VK's communities and ad cabinets."""

    menu = MenuPlace(CHANNELS, 10, _("Messengers"))
    purpose = _("Telegram, WhatsApp and others: what people write there comes to the same console.")
    titles = (_("messenger"), _("messengers"))
    list_display = ("messenger", "widget", "account_line", "problem_mark", "last_inbound_at", "last_outbound_at")
    shown = ("messenger", "account_line", "link_line")
    actions_detail = ("verify", "replace", "disconnect")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(provider__in=[code for code in ADAPTERS if is_writable(code)])

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """First which messenger; then its credential, which replaces the one that the widget may have."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        provider = request.GET.get("provider", "")
        if not provider:
            about = {"choices": choices(), **self.plan_of(request)}
            return self.page(request, "admin/messengers/choose.html", gettext("Connect a messenger"), **about)
        if not is_writable(provider):
            raise Http404
        widgets = self.own_choices(Widget, request)
        initial = {"widget": request.GET["widget"]} if request.GET.get("widget", "").isdigit() else {}
        form = ConnectForm(request.POST or None, provider=provider, widgets=widgets, initial=initial)
        if request.method == "POST" and form.is_valid():
            outbound = ExternalCall(form.cleaned_data["widget"].pk)
            try:
                connection = connect(provider=provider, fields=form.credential, outbound=outbound)
            except Problem as refused:
                form.add_error("token" if "token" in refused.errors else None, words_of(refused))
            else:
                say_state(request, connection)
                return HttpResponseRedirect(self.back(connection))
        return self.page(request, "admin/messengers/connect_key.html", **self.about(request, provider), form=form)

    @unfold_action(description=_("Another key…"), url_path="replace")  # type: ignore[untyped-decorator]
    def replace(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: Connection = self.get_object(request, object_id)
        query = urlencode({"provider": row.provider, "widget": str(row.widget_id)})
        return HttpResponseRedirect(f"{reverse('admin:messengers_connection_add')}?{query}")

    @unfold_action(description=_("Disconnect…"), variant=ActionVariant.DANGER, url_path="disconnect")  # type: ignore[untyped-decorator]
    def disconnect(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.asked(
            request,
            object_id,
            lambda row: disconnect(provider=row.provider, outbound=ExternalCall(row.widget_id)),
            button=gettext("Disconnect"),
            question=_("Its key is forgotten, and nothing comes in or goes out by it. Chats and contacts stay."),
            done=gettext("The messenger is disconnected."),
            is_gone=True,
        )


def choices() -> list[tuple[str, str, str]]:
    """The providers that can be connected, their pictures, and the addresses of their forms."""
    pages = {
        "community": reverse("admin:messengers_community_add"),
        "adcabinet": reverse("admin:messengers_adcabinet_connect"),
    }
    key = reverse("admin:messengers_connection_add")
    offered = sorted(ADAPTERS.values(), key=lambda one: one.about.offered)
    return [
        (gettext(one.name), one.about.picture, pages.get(one.about.page, f"{key}?provider={one.code}"))
        for one in offered
    ]


@admin.register(Community)
class CommunityAdmin(ConnectedAdmin):
    """Communities of VK, each with a key of its own."""

    menu = MenuPlace(CHANNELS, 30, _("VK communities"))
    purpose = _("VK communities whose messages come to the console.")
    titles = (_("VK community"), _("VK communities"))
    list_display = ("account_line", "widget", "is_primary", "problem_mark", "last_inbound_at", "last_outbound_at")
    labels = {**ConnectedAdmin.labels, "is_primary": _("visitors are sent here")}
    shown = ("account_line", "link_line", "is_primary")
    actions_detail = ("verify", "choose", "remove_it")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(provider=Vk.code)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A community and its key; VK is asked first whether they belong together."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = CommunityForm(request.POST or None, widgets=self.own_choices(Widget, request))
        if request.method == "POST" and form.is_valid():
            given = form.cleaned_data
            outbound = ExternalCall(given["widget"].pk)
            try:
                made = add_community(token=given["token"], community=given["community"], outbound=outbound)
            except Problem as refused:
                form.add_error("token" if refused.type.code == "credential_rejected" else None, words_of(refused))
            else:
                say_state(request, made)
                return HttpResponseRedirect(self.back(made))
        return self.page(request, "admin/messengers/connect_key.html", **self.about(request, Vk.code), form=form)

    @unfold_action(description=_("Send visitors here…"), url_path="primary")  # type: ignore[untyped-decorator]
    def choose(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.asked(
            request,
            object_id,
            lambda row: make_primary(widget_id=row.widget_id, community_id=row.pk),
            button=gettext("Send visitors here"),
            question=_("The widget's link to VK leads to this community."),
            done=gettext("Visitors are sent to this community."),
            is_safe=True,
        )

    @unfold_action(description=_("Remove…"), variant=ActionVariant.DANGER, url_path="remove")  # type: ignore[untyped-decorator]
    def remove_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.asked(
            request,
            object_id,
            lambda row: remove_community(community=row, outbound=ExternalCall(row.widget_id)),
            button=gettext("Remove"),
            question=_("Its key is forgotten, and nothing comes in or goes out by it. Chats and contacts stay."),
            done=gettext("The community is removed."),
            is_gone=True,
        )
