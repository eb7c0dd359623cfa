"""The shared parts of the cabinet's pages of connections: how a connection is shown, and asked before it is changed."""

import re
from collections.abc import Callable
from typing import Any

from django.apps import apps as django_apps
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import Script
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.accounts.questions import entitlements_of
from apps.cabinet import refusals
from apps.cabinet.chosen_widget import current_widget
from apps.cabinet.forms import WidgetChoiceForm
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import INVALID_INPUT
from apps.core.problems import Problem
from apps.messengers.actions.accounts import app_callback, ensure_app
from apps.messengers.actions.connections import UNTRIED, verify_one
from apps.messengers.actions.overview import link_of, state_of, unproved_at
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.actions.registration import MANUAL, NOT_SUBSCRIBED
from apps.messengers.adapters import ADAPTERS
from apps.messengers.models import Connection
from apps.messengers.rules.providers import ConnectionState, WebhookStatus

# So many widgets are asked for their plans; of more, one is chosen first.
_LOOKED_AT = 5
# What the stored values are called.
VALUES = (
    *(pgettext_lazy("value", "registered"), pgettext_lazy("value", "long_poll"), pgettext_lazy("value", "manual")),
    *(pgettext_lazy("value", "unconfirmed_provider_api"), pgettext_lazy("value", "suspended_by_billing")),
    *(pgettext_lazy("value", "credential_rejected"), pgettext_lazy("value", "webhook_lost")),
    *(pgettext_lazy("value", "conflict"), pgettext_lazy("value", "subscription_needed")),
    *(pgettext_lazy("value", "enabled"), pgettext_lazy("value", "disabled")),
)
# What the rules refuse (`rules.providers`), which know no translations.
REFUSALS = (gettext_noop("Must be 1 to 4096 visible ASCII characters."),)
STATES = {
    WebhookStatus.REGISTERED: _("The messenger delivers to us."),
    WebhookStatus.LONG_POLL: _("We fetch messages from the messenger."),
    WebhookStatus.FAILED: _("The messenger did not take our address: nothing comes in. Register it again."),
    WebhookStatus.UNCONFIRMED: _(
        "Not confirmed: no document describes this messenger's API. It was told our address; try it with a message."
    ),
    WebhookStatus.MANUAL: _("Enter the callback address in the messenger's own settings."),
    WebhookStatus.PENDING: _("The messenger is being told our address."),
}
# What to say once a key was saved or registered: whether that is good news, and what is left to do.
OUTCOMES: dict[ConnectionState, tuple[int, Any]] = {
    ConnectionState.CONNECTED: (messages.SUCCESS, _("The messenger is connected.")),
    ConnectionState.TOLD: (
        messages.INFO,
        _("The key is saved, and the messenger was told our address; it never confirms it. Write a message to try it."),
    ),
    ConnectionState.TO_PASTE: (
        messages.WARNING,
        _("The key is saved. Nothing comes in yet: enter the address below in the messenger's own settings."),
    ),
    ConnectionState.PENDING: (
        messages.INFO,
        _("The key is saved. The messenger is being told our address; nothing comes in yet."),
    ),
    ConnectionState.SILENT: (
        messages.WARNING,
        _("The key is saved, but nothing comes in: the page says why. Register it again once that is mended."),
    ),
    ConnectionState.REJECTED: (
        messages.ERROR,
        _("The messenger does not take the key: nothing comes in or goes out. Give it another one."),
    ),
    ConnectionState.UNPAID: (
        messages.WARNING,
        _("The key is saved, but the account there has no subscription for its API. Take one, then register it again."),
    ),
}
MARKS = {
    ConnectionState.CONNECTED: _("connected"),
    ConnectionState.TOLD: _("told, never confirmed"),
    ConnectionState.TO_PASTE: _("key saved, address to be pasted"),
    ConnectionState.PENDING: _("being registered"),
    ConnectionState.SILENT: _("key saved, nothing comes in"),
    ConnectionState.REJECTED: _("key is not taken"),
    ConnectionState.UNPAID: _("subscription needed"),
}
PROBLEMS = {
    "credential_rejected": _("The messenger no longer takes the key. Give it another one."),
    "webhook_lost": _("The messenger no longer delivers to us. Register it again."),
    "conflict": _("Somebody else fetches the messages of this bot. Stop that, or register it again."),
    "subscription_needed": _(
        "The account at the messenger has no subscription for its API. Take one there, then register it again."
    ),
}


# Our own sentences about a provider; other details are the provider's own words, in its language.
DETAILS = (
    gettext_noop("The provider could not be reached."),
    gettext_noop("The time for this call is over."),
    gettext_noop("The provider's answer could not be read."),
    gettext_noop("The provider did not confirm the registration."),
    gettext_noop("The messenger did not confirm the subscription."),
    gettext_noop("VK named no callback server."),
    gettext_noop("It did not subscribe the account to the app:"),
)
ANSWERED = gettext_noop("The provider answered %(status)s.")
_ANSWERED = re.compile(r"The provider answered (\d{3})\.")


def detail_in_words(detail: str) -> str:
    """A connection's stored detail in the reader's language, where the words are ours."""
    if found := _ANSWERED.fullmatch(detail):
        return gettext(ANSWERED) % {"status": found[1]}
    ours = next((sentence for sentence in DETAILS if detail.startswith(sentence)), "")
    return f"{gettext(ours)}{detail.removeprefix(ours)}" if ours else detail


def is_pasted(connection: Connection) -> bool:
    """Whether the connection's address is entered by hand at its messenger."""
    by_hand = (WebhookStatus.MANUAL, WebhookStatus.FAILED)
    return connection.webhook_status in by_hand or ensure_app(connection.provider) is not None


def _copied(key: str, text: str) -> Any:
    """A text with the button that copies it."""
    return format_html(
        '<code id="{0}" class="break-all">{1}</code> <button type="button" class="button-plain" data-copies="{0}" '
        'data-copied="{2}" hidden>{3}</button>',
        *(key, text, gettext("Copied"), gettext("Copy")),
    )


def words_of(problem: Problem) -> str:
    """Why something was refused, for people."""
    if problem.type is INVALID_INPUT:
        if UNTRIED in problem.errors.get("token", ()):
            return gettext("The messenger could not be asked about the key now; the one that works stays. Try again.")
        return gettext("VK knows no such community.")
    return refusals.words_of(problem)


def say_state(request: HttpRequest, connection: Connection) -> None:
    """Says what a key that was saved, or registered again, is worth."""
    level, text = OUTCOMES[state_of(connection)]
    messages.add_message(request, level, str(text))


class ConnectedAdmin(TenantAdmin):
    """The base of the pages of connections. Callback addresses are shown to those who may repair alone."""

    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    labels = {
        "widget": _("widget"),
        "last_inbound_at": _("last message in"),
        "last_outbound_at": _("last message out"),
        "created_at": _("connected"),
    }
    list_filter = ("widget",)
    list_select_related = ("widget",)
    ordering = ("-id",)
    shown: tuple[str, ...] = ("messenger", "account_line")

    def get_fields(self, request: HttpRequest, obj: Connection | None = None) -> tuple[str, ...]:
        times = ("last_inbound_at", "last_outbound_at", "created_at")
        may_repair = self._is_allowed(request, AccessLevel.ACCOUNT, obj)
        pastes = ("paste_line",) if may_repair and obj is not None and is_pasted(obj) else ()
        return ("widget", *self.shown, "state_line", "heard_line", "problem_line", *pastes, *times)

    def get_readonly_fields(self, request: HttpRequest, obj: Connection | None = None) -> tuple[str, ...]:
        return self.get_fields(request, obj)

    @admin.display(description=_("messenger"), ordering="provider")
    def messenger(self, connection: Connection) -> str:
        return str(ADAPTERS[connection.provider].name)

    @admin.display(description=_("known there as"))
    def account_line(self, connection: Connection) -> str:
        return connection.account_name or connection.account_id or "-"

    @admin.display(description=_("public link"))
    def link_line(self, connection: Connection) -> str:
        link = link_of(connection)
        return format_html('<a href="{0}" target="_blank" rel="noopener noreferrer">{0}</a>', link) if link else "-"

    @admin.display(description=_("what comes in"), ordering="webhook_status")
    def state_line(self, connection: Connection) -> str:
        text = str(STATES[WebhookStatus(connection.webhook_status)])
        detail = connection.webhook_detail
        is_refused = connection.webhook_status == WebhookStatus.FAILED or NOT_SUBSCRIBED in detail
        return f"{text} ({detail_in_words(detail.removeprefix(MANUAL).strip())})" if is_refused and detail else text

    @admin.display(description=_("does it work"))
    def heard_line(self, connection: Connection) -> str:
        """The time of the last message in, which no registration proves."""
        if unproved := unproved_at(connection):
            at = date_format(localtime(unproved), "SHORT_DATETIME_FORMAT")
            by_app = gettext("An update came at %(at)s that was not proved: give the secret of the app that sends it.")
            other = gettext("An update came at %(at)s that was not proved, and was refused.")
            return (by_app if ADAPTERS[connection.provider].by_app else other) % {"at": at}
        if connection.last_inbound_at is None:
            return gettext("Nothing has come in yet: write a message there to try it.")
        at = date_format(localtime(connection.last_inbound_at), "SHORT_DATETIME_FORMAT")
        return gettext("The last message came in at %(at)s.") % {"at": at}

    @admin.display(description=_("state"), ordering="problem_code")
    def problem_mark(self, connection: Connection) -> str:
        return str(MARKS[state_of(connection)])

    @admin.display(description=_("problem"))
    def problem_line(self, connection: Connection) -> str:
        if not connection.problem_code:
            is_good = state_of(connection) in (ConnectionState.CONNECTED, ConnectionState.TOLD)
            return gettext("none") if is_good else str(STATES[WebhookStatus(connection.webhook_status)])
        detail = f" ({detail_in_words(connection.problem_detail)})" if connection.problem_detail else ""
        return f"{PROBLEMS.get(connection.problem_code, '')}{detail}"

    @admin.display(description=_("to be pasted there"))
    def paste_line(self, connection: Connection) -> str:
        address: str = _copied("callback", callback_address(connection))
        if (app := ensure_app(connection.provider)) is None:
            return address
        if connection.app_secret:
            verify = _copied("verify-token", connection.verify_token or "")
            return format_html("{}<br>{}: {}", address, gettext("verify token"), verify)
        token, own = gettext("verify token"), gettext("only for an override, this connection's own address")
        once = gettext("once for all, in the settings of the app at Meta")
        return format_html(
            "{}: {}<br>{}: {}<br>{}: {}",
            *(once, _copied("app-callback", app_callback(app) or ""), own, address),
            *(token, _copied("verify-token", connection.verify_token)),
        )

    class Media:
        js = (Script("accounts/copy.js", defer=True),)

    def plan_of(self, request: HttpRequest) -> dict[str, Any]:
        """The widget that lacks a plan for messengers, and where plans are shown."""
        has_plans = django_apps.is_installed("apps.billing")
        plans = reverse("admin:billing_plansubscription_changelist") if has_plans else ""
        return {"lacking": widget_without_plan(request, self.own_choices(Widget, request)), "plans": plans}

    def about(self, request: HttpRequest, provider: str) -> dict[str, Any]:
        """The context of a provider's form beside its fields."""
        adapter = ADAPTERS[provider]
        about = {"title": adapter.name, "picture": adapter.about.picture, "steps": adapter.about.steps}
        return about | self.plan_of(request)

    # --- What is done to one ----------------------------------------------------------------------------------------

    def back(self, connection: Connection | None = None) -> str:
        """The row's page, or the list."""
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        return reverse(f"{name}_change", args=[connection.pk]) if connection else reverse(f"{name}_changelist")

    def page(self, request: HttpRequest, template: str, title: str, **more: Any) -> HttpResponse:
        """A page of the cabinet."""
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, "back": self.back()}
        return TemplateResponse(request, template, {**context, **more})

    def asked(
        self,
        request: HttpRequest,
        object_id: str,
        act: Callable[[Connection], None],
        *,
        button: str,
        question: Any,
        done: str | None,
        is_safe: bool = False,
        is_gone: bool = False,
    ) -> HttpResponse:
        """Asks at a GET; acts at a POST, and says what came of it: `done`, or else the connection's state."""
        connection: Connection = self.get_object(request, object_id)
        if not self._is_allowed(request, AccessLevel.ACCOUNT, connection):
            raise PermissionDenied
        back = self.back(connection)
        if request.method != "POST":
            css = "button-primary" if is_safe else "button-danger"
            about = {"question": question, "button": button, "button_class": css, "back": back}
            return self.page(request, "admin/agents/ask.html", str(connection), **about)
        try:
            act(connection)
        except Problem as refused:
            messages.error(request, words_of(refused))
            return HttpResponseRedirect(back)
        if done is None:
            say_state(request, type(connection).objects.for_widget(connection.widget_id).get(pk=connection.pk))
        else:
            messages.success(request, done)
        return HttpResponseRedirect(self.back() if is_gone else back)

    @unfold_action(description=_("Register again…"), url_path="verify")  # type: ignore[untyped-decorator]
    def verify(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.asked(
            request,
            object_id,
            lambda row: verify_one(row, ExternalCall(row.widget_id)),
            button=gettext("Register again"),
            question=_("The messenger is told our address once more."),
            done=None,
            is_safe=True,
        )


def of_widget(page: TenantAdmin, request: HttpRequest) -> tuple[WidgetChoiceForm, Widget | None]:
    """A form that asks for a widget, and the one that was chosen, or named in the address. Raises Http404."""
    widgets = page.own_choices(Widget, request)
    named = request.GET.get("widget", "")
    if named and not (named.isdigit() and len(named) < 19 and widgets.filter(pk=named).exists()):
        raise Http404
    given = {"widget": request.POST.get("widget") or named} if request.method == "POST" else None
    form = WidgetChoiceForm(given, widgets=widgets, initial={"widget": named} if named else {})
    chosen = form.cleaned_data["widget"] if given is not None and form.is_valid() else None
    return form, chosen


def widget_without_plan(request: HttpRequest, widgets: "QuerySet[Widget]") -> Widget | None:
    """The widget that is meant, where it has no plan for messengers: said before anybody looks for a token.

    None where one has, or where there are too many to ask.
    """
    chosen = current_widget(request)
    few = [chosen] if chosen is not None else list(widgets[: _LOOKED_AT + 1])
    if not few or len(few) > _LOOKED_AT:
        return None
    return None if any(entitlements_of(widget.pk).paid for widget in few) else few[0]
