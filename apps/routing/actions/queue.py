"""The queue of each department: a chat enters it when its visitor waits for a place, and leaves it with the wait."""

from datetime import datetime, timedelta
from functools import partial

from apps.agents.models import Agent
from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.chats.actions.changes import record_change
from apps.chats.actions.timers import drop_timers, set_timer
from apps.chats.models import Chat, Message
from apps.chats.questions import visitor_language
from apps.chats.rules import SenderKind
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.core.bus import DomainEvent
from apps.routing.actions.offers import end_offer, standing_offer
from apps.routing.actions.overflow import wait_for_help
from apps.routing.actions.settings import routing_of
from apps.routing.actions.wakening import ask_router
from apps.routing.events import ChatQueued
from apps.routing.models import Assignment, QueueRow
from apps.routing.querysets.operators import staffed_among
from apps.routing.querysets.queue import queued
from apps.routing.rules.reasons import OfferOutcome
from apps.routing.rules.settings import Routing
from apps.routing.rules.standing import (
    ChatNow,
    ChatStanding,
    DepartmentState,
    Offer,
    OfferedOperator,
    Owner,
    absent_in,
    departments_now,
    outcome_of,
    standing_of,
)

_OF_WAIT = (TimerKind.OFFER, TimerKind.OVERFLOW, TimerKind.OWNER_SILENT)


def follow(chat: Chat, since: datetime | None, as_of: datetime) -> float | None:
    """Brings the chat's place in the queue, and its offer, up to its wait, `since` when it waits (None: it does not).

    The chat is locked. Returns in how many seconds it is to be looked at again, if it is.
    """
    routing = routing_of(chat.widget_id, chat.department_id)
    department = _department_of(chat, routing, as_of)
    standing = _standing(chat, since, department)
    if since is not None and routing.is_routed:
        language = (visitor_language(chat) or "")[:16]
        QueueRow.objects.for_widget(chat.widget_id).filter(chat_id=chat.pk).update(language=language)
    again = None
    if chat.offered_to_id is not None:
        again = _follow_offer(chat, since, standing, as_of)
        standing = _standing(chat, since, department)
    if standing is ChatStanding.QUEUE:
        _enter(chat, since, routing, as_of)
    elif chat.queued_at is not None:
        record_change(chat, queued_at=None)
    _follow_timers(chat, since, routing, department, standing, as_of)
    if (
        standing is not ChatStanding.QUEUE
        and routing.is_routed
        and queued(chat.widget_id).filter(offered_to=None).exists()
    ):
        ask_router(chat.widget_id)  # it may have been its owner's, and left a place
    return again


def _standing(chat: Chat, since: datetime | None, department: DepartmentState) -> ChatStanding:
    return standing_of(since, owner_of(chat, since), department, is_missed=chat.answer_missed_at is not None)


def owner_of(chat: Chat, since: datetime | None) -> Owner | None:
    """The owner of a chat, if they are an operator still."""
    agent = chat.agent
    if agent is None or agent.status == Agent.Status.BANNED:
        return None
    is_here = agent.online_since is not None and agent.status == Agent.Status.ACTIVE
    away_since = None if is_here else agent.away_since or agent.created_at
    passes_on = agent.status == Agent.Status.RELAXATION and agent.break_passes_on
    passes_on = passes_on or _reopened_since(chat, away_since, since)
    return Owner(is_here, away_since, passes_on, chat.owner_silent_at, chat.owner_away_at)


def _reopened_since(chat: Chat, away_since: datetime | None, since: datetime | None) -> bool:
    """Whether a chat was closed, and reopened while its owner was away, and no person has had a word in it since."""
    closed_at = chat.expired_at
    if closed_at is None or away_since is None or since is None or away_since > since:
        return False
    spoken = Message.objects.for_widget(chat.widget_id).filter(chat_id=chat.pk, sender_kind=SenderKind.AGENT)
    return not spoken.filter(created_at__gt=closed_at).exists()


def _department_of(chat: Chat, routing: Routing, as_of: datetime) -> DepartmentState:
    widget_id, department_id = chat.widget_id, chat.department_id
    hours = None
    if routing.is_routed:
        hours = hours_of_department(widget_id, department_id) if department_id else hours_of_widget(widget_id).hours
    staffed = partial(staffed_among, widget_id, routing)
    return departments_now({None: routing}, {department_id: hours}, staffed, as_of)[department_id]


def _enter(chat: Chat, since: datetime | None, routing: Routing, as_of: datetime) -> None:
    row, _ = QueueRow.objects.get_or_create(widget_id=chat.widget_id, chat_id=chat.pk, defaults={"due_at": None})
    told: list[DomainEvent] = []
    if row.told_since != since:
        told.append(ChatQueued.of(chat, department_id=chat.department_id, priority=chat.priority))
    QueueRow.objects.for_widget(chat.widget_id).filter(pk=row.pk).update(told_since=since)
    if chat.queued_at != since or told:
        record_change(chat, *told, queued_at=since)
    if chat.offered_to_id is None:
        ask_router(chat.widget_id)


def _follow_timers(
    chat: Chat,
    since: datetime | None,
    routing: Routing,
    department: DepartmentState,
    standing: ChatStanding,
    as_of: datetime,
) -> None:
    """The timers of patience with its owner, and with its department; in the queue the router keeps the latter."""
    if standing is ChatStanding.NOBODY or since is None:
        drop_timers(chat_id=chat.pk, kinds=_OF_WAIT)
        return
    if standing is ChatStanding.OWNER and routing.is_routed and routing.silent_minutes:
        due_at = since + timedelta(minutes=routing.silent_minutes)
        _set(chat, TimerKind.OWNER_SILENT, due_at, since)
    else:
        drop_timers(chat_id=chat.pk, kinds=(TimerKind.OWNER_SILENT,))
    if not routing.overflows or standing is ChatStanding.OWNER or chat.offered_to_id is not None:
        drop_timers(chat_id=chat.pk, kinds=(TimerKind.OVERFLOW,))
    elif standing is ChatStanding.ALL and not department.is_staffed:
        wait_for_help(chat, since, routing, as_of)


def _set(chat: Chat, kind: TimerKind, due_at: datetime, since: datetime) -> None:
    set_timer(widget_id=chat.widget_id, chat_id=chat.pk, kind=kind, due_at=due_at, anchor=moment_anchor(since))


def _follow_offer(chat: Chat, since: datetime | None, standing: ChatStanding, as_of: datetime) -> float | None:
    """Ends the offer that its chat or its operator has ended; else returns when they would count as absent."""
    assignment = standing_offer(chat)
    if assignment is None:
        record_change(chat, offered_to_id=None, offered_at=None, offered_until=None)
        return None
    operator = _offered_to(assignment)
    outcome = outcome_of(_offer_of(assignment), _chat_now(chat, assignment, since), operator, standing, as_of)
    if outcome is not None:
        end_offer(chat, assignment, outcome, as_of)
        return None
    left = absent_in(operator, as_of) if operator else None
    return None if left is None else max(0.0, left.total_seconds())


def _offered_to(assignment: Assignment) -> OfferedOperator | None:
    agents = Agent.objects.for_widget(assignment.widget_id).filter(pk=assignment.agent_id or 0)
    for status, online_since, away_since in agents.values_list("status", "online_since", "away_since"):
        return OfferedOperator(status == Agent.Status.ACTIVE, online_since is not None, away_since)
    return None


def _offer_of(assignment: Assignment) -> Offer:
    return Offer(
        assignment.agent_id or 0, assignment.department_id, assignment.why.get("owner_id"), assignment.waits_since
    )


def _chat_now(chat: Chat, assignment: Assignment, since: datetime | None) -> ChatNow:
    message = chat.last_message
    spoke_id = None
    if message is not None and message.sender_kind == SenderKind.AGENT and message.created_at >= assignment.given_at:
        spoke_id = message.agent_id
    return ChatNow(chat.agent_id, chat.department_id, since, spoke_id)


def offer_is_over(chat: Chat, assignment: Assignment, since: datetime | None, as_of: datetime) -> OfferOutcome:
    """The outcome of an offer whose time is over: `missed`, if nothing else has ended it before."""
    standing = ChatStanding.QUEUE if since is not None else ChatStanding.NOBODY
    ended = outcome_of(
        _offer_of(assignment), _chat_now(chat, assignment, since), _offered_to(assignment), standing, as_of
    )
    return ended or OfferOutcome.MISSED
