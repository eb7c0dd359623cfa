"""Filters of the cabinet's lists of tickets and of steps."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuGroup
from apps.support.rules.tickets import CloseReason, TicketReason, TicketState

DESK = MenuGroup(70, _("Support desk"), "support_agent")

ALL = "all"


class StateFilter(admin.SimpleListFilter):
    """Open tickets, in the order of the queue, unless others are asked for."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            (TicketState.OPEN.value, pgettext_lazy("tickets", "Open")),
            (TicketState.CLOSED.value, pgettext_lazy("tickets", "Closed")),
            (ALL, pgettext_lazy("tickets", "All")),
        ]

    def choices(self, changelist: Any) -> Iterator[Any]:
        chosen = chosen_state(self.value())
        for value, title in self.lookup_choices:
            query_string = changelist.get_query_string({self.parameter_name: value})
            yield {"selected": value == chosen, "query_string": query_string, "display": title}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        state = chosen_state(self.value())
        return queryset if state == ALL else queryset.filter(state=state)


def chosen_state(value: str | None) -> str:
    """The state of the tickets that an address asks for."""
    return value if value in (TicketState.CLOSED, ALL) else TicketState.OPEN.value


class ReasonFilter(admin.SimpleListFilter):
    """Why a ticket was opened, or closed."""

    title = _("reason")
    parameter_name = "why"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(reason.value, display_value(reason.value)) for reason in (*TicketReason, *CloseReason)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        reason = self.value()
        return queryset if reason is None else queryset.filter(Q(reason=reason) | Q(close_reason=reason))


class SinceFilter(admin.SimpleListFilter):
    """Rows of the last days."""

    days: tuple[int, ...] = (1, 7, 30)
    column = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(str(days), _("Last %(days)d days") % {"days": days}) for days in self.days]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = {str(days): days for days in self.days}.get(self.value() or "")
        if chosen is None:
            return queryset
        since = timezone.now() - timedelta(days=chosen)
        return queryset.filter(**{f"{self.column}__gte": since})


class UpdatedFilter(SinceFilter):
    title = _("changed")
    parameter_name = "updated"
    column = "updated_at"


class DoneFilter(SinceFilter):
    title = _("when")
    parameter_name = "done"
    column = "created_at"
