"""The inbox: a widget's chats as operators see them, by view.

    view        chats                                            sorted by, descending  index
    open        active or ready                                  last activity, those   chats_chat_inbox, then sorted
                                                                 without a message last
    unanswered  the visitor waits (chats/querysets/waiting.py)   since when, ascending  chats_chat_inbox and
                                                                                        chats_chat_left, then sorted
    mine        the operator is the owner; open, or closed in    last activity          chats_chat_inbox and
                the last day                                                            chats_chat_closed, then sorted
    department  open, of a department of the operator's          last activity          chats_chat_inbox, then sorted
    queue       waits for a place, or is offered                 the queue's order,     chats_chat_inbox, then sorted
                                                                 ascending
    due         the visitor waits, and an answer time runs       when it is due,        routing_clock_due, then sorted
                                                                 ascending
    snoozed     put aside (chats/querysets/snoozes.py)           last activity          chats_chat_aside, then sorted
    closed      expired                                          when they were closed  chats_chat_closed
    spam        spam                                             when they began        chats_chat_by_status

A chat that is put aside is in no other view; one that is back from there is among the open ones, even if it is expired.
Open chats are sorted when they are read: the sweep closes what is idle, so they are few, and an index with a time in
it would be moved by every message. tests/console/test_plans.py pins this table.
"""

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from django.db.models import BooleanField, Case, Count, F, Q, QuerySet, Value, When
from django.db.models.functions import Left
from django.db.models.lookups import GreaterThan, LessThan
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.chats.models import Chat
from apps.chats.querysets.conditions import CONDITIONS, annotations
from apps.chats.querysets.contacts import search_contacts
from apps.chats.querysets.priorities import queue_rank
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.snoozes import active_at
from apps.chats.questions import ChatHooks
from apps.chats.rules import SenderKind, Status
from apps.chats.serializers.chats import PREVIEW_LENGTH
from apps.console.querysets.routing import due_at, is_due
from apps.console.rules.counts import IN_QUEUE
from apps.console.rules.limits import CLOSED_AT_HAND, PAGE_LENGTH
from apps.console.serializers.responses import InboxRowSerializer
from apps.core import plugins
from apps.core.endpoints.paging import NEWEST_FIRST, Order, Page, RowPage, RowValue, page_of, read_cursor

# How many chats a search shows because of who the visitor is.
OF_VISITORS = 20
# The last activity of a chat in which nothing was said.
NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class View(StrEnum):
    """The views of the inbox."""

    OPEN = "open"
    UNANSWERED = "unanswered"
    MINE = "mine"
    DEPARTMENT = "department"
    CLOSED = "closed"
    QUEUE = "queue"
    DUE = "due"
    SNOOZED = "snoozed"
    SPAM = "spam"


# How long one's own chats stay at hand after they were closed.


def _is(name: str, value: Any = None) -> Q:
    """The chats of a condition of the catalogue (chats/querysets/conditions.py); of a state, at this moment."""
    return CONDITIONS[name].q(timezone.now() if value is None else value)


_VIEWS: dict[View, Callable[[int, int], Q]] = {
    View.OPEN: lambda widget_id, agent_id: _is("at_hand"),
    View.UNANSWERED: lambda widget_id, agent_id: _is("waits"),
    View.MINE: lambda widget_id, agent_id: (_is("at_hand") | _closed_lately()) & _is("agent", agent_id),
    View.DEPARTMENT: lambda widget_id, agent_id: (
        _is("at_hand") & _is("departments", departments_of(widget_id, agent_id))
    ),
    View.QUEUE: lambda widget_id, agent_id: _is("waits") & Q(rings_for__in=IN_QUEUE, queued_at__isnull=False),
    View.DUE: lambda widget_id, agent_id: _is("waits") & Q(is_due()),
    View.CLOSED: lambda widget_id, agent_id: _is("closed"),
    View.SNOOZED: lambda widget_id, agent_id: _is("snoozed"),
    View.SPAM: lambda widget_id, agent_id: _is("status", Status.SPAM),
}
_BY_ACTIVITY, _BY_CLOSING = Order(("active_at", "id")), Order(("expired_at", "id"))
_BY_WAIT = Order(("waits_since", "id"), descending=False)
_BY_PLACE = Order(("queue_rank", "waits_since", "id"), descending=False)
_BY_DUE = Order(("sla_due_at", "id"), descending=False)
_ORDERS = {
    View.UNANSWERED: _BY_WAIT,
    View.QUEUE: _BY_PLACE,
    View.DUE: _BY_DUE,
    View.CLOSED: _BY_CLOSING,
    View.SPAM: NEWEST_FIRST,
}

# What no column holds, but for what the time is part of, which `_chats` adds.
_EXPRESSIONS: dict[str, Any] = {
    "snooze_at": Case(When(is_aside=True, then=F("snoozed_at"))),
    "snooze_until": Case(When(is_aside=True, then=F("snoozed_until"))),
    "snooze_by": Case(When(is_aside=True, then=F("snoozed_by_id"))),
    "offer_agent_id": F("offered_to_id"),
    "offer_since": F("offered_at"),
    "offer_until": F("offered_until"),
    "closed_at": Case(When(status=Status.EXPIRED, then=F("expired_at"))),
    "is_unread": Case(
        When(last_message__sender_kind=SenderKind.CLIENT, last_message__seen_at=None, then=Value(True)),
        default=Value(False),
        output_field=BooleanField(),
    ),
    "last_message__body": Left("last_message__body", PREVIEW_LENGTH),
}


def _closed_lately() -> Q:
    return _is("closed") & _is("closed_after", timezone.now() - CLOSED_AT_HAND)


def departments_of(widget_id: int, agent_id: int) -> QuerySet[Department, int]:
    """The ids of an operator's departments."""
    return Department.objects.for_widget(widget_id).filter(agents=agent_id).values_list("pk", flat=True)


def inbox_page(
    *,
    widget_id: int,
    agent_id: int,
    view: View = View.OPEN,
    status: Status | None = None,
    channel: str | None = None,
    cursor: str | None = None,
    limit: int = PAGE_LENGTH,
) -> Page:
    """One page of a view of the widget's chats, as an operator sees it, optionally of one state and of one channel.

    One statement, whatever the limit, and those of the marks. Raises INVALID_INPUT (422) for a cursor of another view,
    or widget.
    """
    order = _ORDERS.get(view, _BY_ACTIVITY)
    list_name = f"console:inbox:{widget_id}:{view}"
    rows = _chats(widget_id).filter(_VIEWS[view](widget_id, agent_id))
    if status is not None:
        rows = rows.filter(_is("status", status))
    if channel is not None:
        rows = rows.filter(_is("channel", channel))
    if (after := read_cursor(list_name, cursor)) is not None:
        beyond = LessThan if order.descending else GreaterThan
        rows = rows.filter(beyond(RowValue(*order.columns), RowValue(*map(Value, after))))
    columns = [_EXPRESSIONS.get(name, F(name)) for name in order.columns]
    sorting = [column.desc() if order.descending else column.asc() for column in columns]
    found = RowPage(_read(rows.order_by(*sorting)[: limit + 1], order.columns))
    page = page_of(found, InboxRowSerializer, order, list_name, limit)
    return Page(_marked(widget_id, page.data), page.next_cursor)


def inbox_first_page(*, widget_id: int, agent_id: int) -> Page:
    """The first page of the open chats; `GET /console/inbox` goes on from its cursor."""
    return inbox_page(widget_id=widget_id, agent_id=agent_id)


def inbox_rows(widget_id: int, chat_ids: Collection[int]) -> list[dict[str, Any]]:
    """The rows of those chats that are the widget's, in the order of the ids. One statement, and those of the marks."""
    write = InboxRowSerializer.writer()
    rows = {row[0]: write(row) for row in _read(_chats(widget_id).filter(pk__in=chat_ids))}
    return _marked(widget_id, [rows[chat_id] for chat_id in dict.fromkeys(chat_ids) if chat_id in rows])


def _marked(widget_id: int, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, with what other apps have in hand of their chats."""
    marks: dict[int, list[dict[str, Any]]] = {}
    facts: dict[int, dict[str, Any]] = {}
    due = [row["id"] for row in rows if row["sla"] is not None and row["waits_since"] is not None]
    queued = [row["id"] for row in rows if row["rings_for"] in IN_QUEUE]
    if due or queued:
        for read_facts in plugins.hooked(lambda app: app.waiting_facts, ChatHooks):
            for chat_id, of_chat in read_facts(widget_id, due, queued).items():
                facts[chat_id] = facts.get(chat_id, {}) | of_chat
    if rows:
        for read in plugins.hooked(lambda app: app.chat_marks, ChatHooks):
            for chat_id, its_marks in read(widget_id, [row["id"] for row in rows]).items():
                marks.setdefault(chat_id, []).extend(its_marks)
    return [{**_with_facts(row, facts.get(row["id"], {})), "marks": marks.get(row["id"], [])} for row in rows]


def _with_facts(row: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    offer = row["offer"] and {**row["offer"], "why": facts.get("why")}
    return {**row, "offer": offer, "place": facts.get("place"), "sla": facts.get("sla")}


def waiting_elsewhere(agent: Agent) -> list[dict[str, Any]]:
    """The other widgets of an operator's person, and how many wait at each by the rule of the view `unanswered`."""
    others = (
        Agent.objects.unscoped("the person's other operators")
        .people()
        .filter(user=agent.user)
        .exclude(user=None)
        .exclude(pk=agent.pk)
    )
    widgets = list(others.order_by("id").values("widget_id", "widget__guid", "widget__name"))
    waiting = (
        Chat.objects.unscoped("of the person's widgets")
        .unanswered(timezone.now())
        .filter(widget_id__in=[each["widget_id"] for each in widgets])
    )
    counts = dict(waiting.values_list("widget_id").annotate(Count("pk")))
    return [
        {"guid": each["widget__guid"], "name": each["widget__name"], "unanswered": counts.get(each["widget_id"], 0)}
        for each in widgets
    ]


def chats_of_visitors(widget_id: int, term: str) -> list[int]:
    """Chats of the newest contacts with the term in their name, e-mail or phone: the ids of at most OF_VISITORS."""
    contacts = search_contacts(widget_id=widget_id, query=term, after=None, limit=OF_VISITORS).rows
    if not contacts:
        return []
    chats = Chat.objects.for_widget(widget_id).filter(contact_id__in=[row[-1] for row in contacts])
    return list(chats.order_by("-created_at", "-id").values_list("pk", flat=True)[:OF_VISITORS])


def _chats(widget_id: int) -> QuerySet[Chat]:
    now = timezone.now()
    chats = Chat.objects.for_widget(widget_id).annotate(**annotations(now))
    # A chat in which nothing was said stands behind all others.
    last = Case(When(last_message=None, back_since=None, then=Value(NEVER)), default=active_at())
    return chats.annotate(rings_for=rings_for(), active_at=last, queue_rank=-queue_rank(now), sla_due_at=due_at())


def _read(chats: QuerySet[Chat], order_columns: Collection[str] = ()) -> list[tuple[Any, ...]]:
    names = dict.fromkeys([*InboxRowSerializer.columns(), *order_columns])
    return list(chats.values_list(*(_EXPRESSIONS.get(name, name) for name in names)))
