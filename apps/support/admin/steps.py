"""The cabinet's page of what agents did, also what they were refused: 180 days of it, without a text."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.paginator import InfinitePaginator

from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import MenuPlace
from apps.chats.cabinet.conversations import MAX_ID
from apps.support.cabinet import DESK, DoneFilter
from apps.support.models import SupportAction, Ticket


@admin.register(SupportAction)
class SupportActionAdmin(LogAdmin):
    menu = MenuPlace(DESK, 40, _("Steps"))
    purpose = _("Every step of agents' programs, also what was refused.")
    paginator = InfinitePaginator
    show_full_result_count = False
    titles = (_("step of an agent"), _("steps of agents"))
    labels = {
        "widget": _("widget"),
        "token": _("API token"),
        "kind": _("what"),
        "status": _("outcome"),
        "http_status": _("HTTP status"),
        "agent": _("agent"),
        "chat_id": _("chat"),
        "ticket": _("ticket"),
        "message_id": _("message"),
        "text_length": _("characters of the answer"),
        "text_sha256": _("SHA-256 of the answer"),
        "note_length": _("characters of the note"),
        "created_at": _("when"),
        "finished_at": _("finished"),
    }
    list_display = ("created_at", "agent_name", "what", "outcome", "chat_id", "ticket", "token", "widget")
    list_filter = ("widget", "kind", "status", "token", DoneFilter)
    list_select_related = ("widget", "token")
    search_fields = ("=agent",)  # see `get_search_results`
    search_help_text = _("An agent's name, or the number of a chat or a ticket.")
    fields = (
        *("created_at", "finished_at", "agent_name", "token", "widget", "what", "outcome", "http_status"),
        *("chat_link", "ticket_link", "effect", "message_id", "text_length", "text_sha256", "note_length"),
    )

    def get_search_results(self, request: HttpRequest, rows: QuerySet[Any], term: str) -> tuple[QuerySet[Any], bool]:
        term = term.strip()
        number = term.lstrip("#")
        if number.isascii() and number.isdecimal() and len(number) < 20 and int(number) <= MAX_ID:
            return rows.filter(Q(chat_id=int(number)) | Q(ticket=int(number))), False
        return (rows.filter(agent=term) if term else rows), False

    @admin.display(description=_("agent"), ordering="agent")
    def agent_name(self, action: SupportAction) -> str:
        return action.agent or "-"

    @admin.display(description=_("what"), ordering="kind")
    def what(self, action: SupportAction) -> str:
        return display_value(action.kind)

    @admin.display(description=_("outcome"), ordering="status")
    def outcome(self, action: SupportAction) -> str:
        """The outcome of the action; the problem's code if it was refused."""
        return f"{display_value(action.status)}: {action.code}" if action.code else display_value(action.status)

    @admin.display(description=_("what it did to the ticket"))
    def effect(self, action: SupportAction) -> str:
        return display_value(action.ticket_effect) or "-"

    @admin.display(description=_("chat"))
    def chat_link(self, action: SupportAction) -> str:
        return linked("chats_chat", action.chat_id)

    @admin.display(description=_("ticket"))
    def ticket_link(self, action: SupportAction) -> str:
        """A refused step may name a number that no ticket of the widget has."""
        is_there = action.ticket and Ticket.objects.for_widget(action.widget_id).filter(pk=action.ticket).exists()
        return linked("support_ticket", action.ticket) if is_there else str(action.ticket or "-")


def linked(page: str, number: int | None) -> str:
    """A number that leads to its page."""
    if number is None:
        return "-"
    return format_html('<a class="underline" href="{}">#{}</a>', reverse(f"admin:{page}_change", args=[number]), number)
