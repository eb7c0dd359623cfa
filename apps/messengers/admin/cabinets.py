"""The cabinet's pages of ad cabinets: they are connected at Avito itself, whose owner comes back with a code."""

import secrets
from typing import Any
from urllib.parse import urlsplit

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.accounts.models import Widget
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import CHANNELS, MenuPlace
from apps.cabinet.tenant_admin import AccessLevel, user_of
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.problems import Problem
from apps.messengers.actions.avito import allowing_address, connect_cabinet
from apps.messengers.actions.cabinets import remove_cabinet, set_cabinet_status
from apps.messengers.actions.provider_calls import vendor
from apps.messengers.cabinet import ConnectedAdmin, of_widget, words_of
from apps.messengers.models import AdCabinet
from apps.messengers.rules.providers import AVITO, CabinetStatus

STATE_LIVES_S = 600
_SALT, _KEPT = "messengers.avito", "avito_states"
# How many connections somebody may have begun and not finished.
MOST_BEGUN = 5


@admin.register(AdCabinet)
class AdCabinetAdmin(ConnectedAdmin):
    """Ad cabinets of Avito. As many are enabled as the plan has places."""

    menu = MenuPlace(CHANNELS, 40, _("Ad cabinets"))
    purpose = _("Avito's accounts whose chats come to the console.")
    may_add = AccessLevel.NOBODY
    titles = (_("ad cabinet"), _("ad cabinets"))
    list_display = ("account_line", "widget", "status_line", "problem_mark", "last_inbound_at", "last_outbound_at")
    shown = ("account_line", "channel_line", "status_line")
    actions_list = ("connect",)
    actions_detail = ("verify", "enable", "disable", "remove_it")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(provider=AVITO)

    def get_urls(self) -> list[Any]:
        back = self.admin_site.admin_view(self.come_back)
        return [path("callback/", back, name="messengers_adcabinet_callback"), *super().get_urls()]

    @admin.display(description=_("status"), ordering="status")
    def status_line(self, cabinet: AdCabinet) -> str:
        return display_value(cabinet.status)

    @admin.display(description=_("channel"))
    def channel_line(self, cabinet: AdCabinet) -> str:
        return cabinet.channel

    # --- Connecting -------------------------------------------------------------------------------------------------

    @unfold_action(description=_("Connect Avito…"), url_path="connect")  # type: ignore[untyped-decorator]
    def connect(self, request: HttpRequest) -> HttpResponse:
        """The form at a GET; at a POST the person goes to Avito, to come back with a code."""
        if not self._is_allowed(request, AccessLevel.ACCOUNT, None):
            raise PermissionDenied
        form, widget = of_widget(self, request)
        title = gettext("Connect a cabinet of Avito")
        if not vendor(AVITO).client_id:
            note = gettext(
                "This installation has no client id of Avito. Whoever runs it sets one: vendor settings, av; or "
                "manage.py messenger_vendor av --client-id … --client-secret …"
            )
            return self.page(request, "admin/messengers/connect.html", title, note=note)
        if widget is not None:
            return HttpResponseRedirect(allowing_address(_begun(request, widget)))
        note = gettext("You go to Avito, allow messages there, and come back.")
        shown = self.page(request, "admin/messengers/connect.html", title, note=note, form=form)
        # Browsers hold the answer to a form to the policy of its page, redirects too.
        there = "{0.scheme}://{0.netloc}".format(urlsplit(allowing_address("")))
        csp_replace({"form-action": [SELF, there]})(lambda _request: shown)(request)
        return shown

    def come_back(self, request: HttpRequest) -> HttpResponse:
        """The page to which Avito sends the person back: once, within ten minutes, and only the one who began it."""
        if not self._is_allowed(request, AccessLevel.ACCOUNT, None):
            raise PermissionDenied
        title = gettext("Connect a cabinet of Avito")
        widget = _finished(request, self.own_choices(Widget, request))
        code = request.GET.get("code", "")
        if widget is None or "\0" in code:
            note = gettext("This connection was not begun here, or it took too long. Begin anew.")
            refused = self.page(request, "admin/messengers/connect.html", title, note=note, again=True)
            refused.status_code = 400
            return refused
        if not code:
            messages.error(request, gettext("Avito was not allowed to connect the cabinet."))
            return HttpResponseRedirect(self.back())
        try:
            connect_cabinet(code=code[:4096], outbound=ExternalCall(widget.pk))
        except Problem as refused_by:
            messages.error(request, words_of(refused_by))
        else:
            messages.success(request, gettext("The cabinet is connected."))
        return HttpResponseRedirect(self.back())

    # --- What is done to one ----------------------------------------------------------------------------------------

    @unfold_action(description=_("Enable…"), url_path="enable")  # type: ignore[untyped-decorator]
    def enable(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("It takes one of the plan's places, and its messages come in and go out.")
        done = gettext("The cabinet is enabled.")
        return self._moved(request, object_id, CabinetStatus.ENABLED, gettext("Enable"), question, done)

    @unfold_action(description=_("Disable…"), url_path="disable")  # type: ignore[untyped-decorator]
    def disable(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("What is written there is dropped, and answers fail, until it is enabled again.")
        done = gettext("The cabinet is disabled.")
        return self._moved(request, object_id, CabinetStatus.DISABLED, gettext("Disable"), question, done)

    def _moved(
        self, request: HttpRequest, object_id: str, status: CabinetStatus, button: str, question: Any, done: str
    ) -> HttpResponse:
        return self.asked(
            request,
            object_id,
            lambda row: set_cabinet_status(widget_id=row.widget_id, cabinet_id=row.pk, status=status),
            button=button,
            question=question,
            done=done,
            is_safe=status == CabinetStatus.ENABLED,
        )

    @unfold_action(description=_("Remove…"), variant=ActionVariant.DANGER, url_path="remove")  # type: ignore[untyped-decorator]
    def remove_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.asked(
            request,
            object_id,
            lambda row: remove_cabinet(cabinet=row, outbound=ExternalCall(row.widget_id)),
            button=gettext("Remove"),
            question=_("Its key is forgotten, and nothing comes in or goes out by it. Chats and contacts stay."),
            done=gettext("The cabinet is removed."),
            is_gone=True,
        )


def _begun(request: HttpRequest, widget: Widget) -> str:
    """A state that stands for this person and that widget, once: its nonce is kept in their session until they are
    back."""
    nonce = secrets.token_urlsafe(16)
    request.session[_KEPT] = [*request.session.get(_KEPT, []), nonce][-MOST_BEGUN:]
    state = {"user": user_of(request).pk, "widget": widget.pk, "nonce": nonce}
    return signing.dumps(state, salt=_SALT)


def _finished(request: HttpRequest, widgets: "QuerySet[Any]") -> Widget | None:
    """The widget for which this person has begun; None for a state that is not theirs, is used, or too old."""
    try:
        state = signing.loads(request.GET.get("state", ""), salt=_SALT, max_age=STATE_LIVES_S)
    except signing.BadSignature:
        return None
    begun = request.session.get(_KEPT, [])
    if state["user"] != user_of(request).pk or state["nonce"] not in begun:
        return None
    request.session[_KEPT] = [nonce for nonce in begun if nonce != state["nonce"]]
    found: Widget | None = widgets.filter(pk=state["widget"]).first()
    return found
