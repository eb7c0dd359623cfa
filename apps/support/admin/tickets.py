"""The cabinet's pages of tickets: the queue, and one of them with what was said, done and noted."""

import json
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.paginator import InfinitePaginator

from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuPlace
from apps.cabinet.tenant_admin import AccessLevel, user_of
from apps.chats.cabinet.conversations import MAX_ID, NamedContactsAdmin, conversation, person
from apps.core.problems import Problem
from apps.support.actions.closing import close_by_staff, reopen_by_staff
from apps.support.actions.desk import agent_notes
from apps.support.cabinet import DESK, ReasonFilter, StateFilter, UpdatedFilter, chosen_state
from apps.support.forms import CloseForm
from apps.support.models import SupportAction, Ticket
from apps.support.querysets import TICKET_ORDERS
from apps.support.rules.tickets import REOPEN_WINDOW, TicketPriority, TicketState, may_reopen

STEPS_SHOWN = 50


@admin.register(Ticket)
class TicketAdmin(NamedContactsAdmin):
    menu = MenuPlace(DESK, 10, _("Tickets"))
    purpose = _("Requests of visitors that need work. Agents' programs and people close them.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    paginator = InfinitePaginator
    show_full_result_count = False
    titles = (_("ticket"), _("tickets"))
    labels = {
        "widget": _("widget"),
        "number": _("number"),
        "subject": _("subject"),
        "priority": _("priority"),
        "queued_at": _("waits since"),
        "held_for_owner": _("held for you"),
    }
    list_display = (
        *("number", "who", "why", "how_urgent", "held_for_owner"),
        *("subject", "state_name", "widget", "queued_at"),
    )
    list_filter = ("widget", StateFilter, "priority", ReasonFilter, "held_for_owner", UpdatedFilter)
    list_select_related = ("widget", "chat__contact")
    search_fields = ("=number",)  # see `get_search_results`
    search_help_text = _("A ticket's number, or words of its subject.")

    def lines_of(self, row: Any) -> list[str]:
        """A ticket's row changes with each answer: who closed and reopened it is told of its widget, by number."""
        return [f"accounts.widget:{row.widget_id}:ticket=#{row.number}"]

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return TICKET_ORDERS[chosen_state(request.GET.get(StateFilter.parameter_name))]

    def get_search_results(self, request: HttpRequest, rows: QuerySet[Any], term: str) -> tuple[QuerySet[Any], bool]:
        term = term.strip()
        number = term.lstrip("#")
        if number.isascii() and number.isdecimal() and len(number) < 20 and int(number) <= MAX_ID:
            return rows.filter(pk=int(number)), False
        return (rows.filter(subject__icontains=term) if term else rows), False

    @admin.display(description=_("customer"))
    def who(self, ticket: Ticket) -> str:
        return person(ticket.chat.contact, ticket)

    @admin.display(description=_("reason"), ordering="reason")
    def why(self, ticket: Ticket) -> str:
        return display_value(ticket.reason)

    @admin.display(description=_("priority"), ordering="priority")
    def how_urgent(self, ticket: Ticket) -> str:
        return display_value(TicketPriority(ticket.priority).word)

    @admin.display(description=_("state"), ordering="state")
    def state_name(self, ticket: Ticket) -> str:
        return display_value(ticket.close_reason or ticket.state)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The ticket, the conversation, what agents did and noted; closed and opened again at a POST."""
        ticket: Ticket = self.get_object(request, object_id)
        may_decide = self.has_change_permission(request, ticket)
        form = CloseForm(request.POST if "close" in request.POST else None)
        if request.method == "POST":
            if not may_decide:
                raise PermissionDenied
            if self._decided(request, ticket, form):
                return HttpResponseRedirect(request.path)
        is_open = ticket.state == TicketState.OPEN
        context = {
            **self.admin_site.each_context(request),
            **conversation(ticket.chat, request.GET.get("before", "")),
            "title": gettext("Ticket %(number)s") % {"number": f"#{ticket.pk}"},
            "opts": self.opts,
            "ticket": ticket,
            "who": person(ticket.chat.contact),
            "facts": facts_of(ticket),
            "steps": steps_of(ticket),
            "notes": agent_notes(ticket),
            "previous": Ticket.objects.for_widget(ticket.widget_id).in_chat(ticket.chat_id).filter(pk__lt=ticket.pk),
            "told": told_by_application(ticket),
            "form": form if may_decide and is_open else None,
            "may_reopen": may_decide and not is_open and may_reopen(ticket.closed_at, timezone.now()),
        }
        return TemplateResponse(request, "admin/support/ticket.html", context)

    def _decided(self, request: HttpRequest, ticket: Ticket, form: CloseForm) -> bool:
        """Whether it was closed or opened again, or a refusal told; False where the form says what is wrong."""
        both: dict[str, Any] = {"widget_id": ticket.widget_id, "number": ticket.pk, "user": user_of(request)}
        try:
            if "reopen" in request.POST:
                reopen_by_staff(**both)
            elif not form.is_valid():
                return False
            else:
                close_by_staff(**both, **form.cleaned_data)
        except Problem as refused:
            reasons = [text for texts in refused.errors.values() for text in texts]
            messages.error(request, " ".join(reasons) or gettext(refused.type.title))
        return True


def facts_of(ticket: Ticket) -> list[tuple[Any, Any]]:
    """The facts of a ticket, by name; empty ones are left out."""
    by = (ticket.closed_by or {}).get("name")
    facts = [
        (_("State"), display_value(ticket.state)),
        (_("Held for you"), ticket.held_for_owner and gettext("an agent has answered, and left the rest to you")),
        (_("Reason"), display_value(ticket.reason)),
        (_("Priority"), display_value(TicketPriority(ticket.priority).word)),
        (_("Category"), display_value(ticket.category)),
        (_("Subject"), ticket.subject),
        (_("From"), display_value(ticket.source)),
        (_("Channel"), ticket.chat.channel),
        (_("Opened"), ticket.opened_at),
        (_("In the queue since"), ticket.state == TicketState.OPEN and ticket.queued_at),
        (_("Closed"), ticket.closed_at),
        (_("Closed because"), display_value(ticket.close_reason)),
        (_("Closed by"), by),
        (_("Can be opened again until"), ticket.closed_at and ticket.closed_at + REOPEN_WINDOW),
        (_("Duplicate of"), ticket.duplicate_of_id and f"#{ticket.duplicate_of_id}"),
    ]
    return [(title, value) for title, value in facts if value]


def told_by_application(ticket: Ticket) -> list[tuple[Any, str]]:
    """The application's data of a ticket, as JSON, by name."""
    told = (
        (_("Refund"), ticket.refund),
        (_("Device"), ticket.client),
        (_("What the application adds"), ticket.context),
    )
    return [(title, json.dumps(sent, indent=2, ensure_ascii=False, default=str)) for title, sent in told if sent]


def steps_of(ticket: Ticket) -> list[tuple[SupportAction, str, str]]:
    """The agents' actions in the ticket's chat since it was opened, the newest first: each with its display names."""
    rows = SupportAction.objects.for_widget(ticket.widget_id).filter(
        chat_id=ticket.chat_id, created_at__gte=ticket.opened_at
    )
    return [(step, display_value(step.kind), display_value(step.status)) for step in rows.order_by("-id")[:STEPS_SHOWN]]
