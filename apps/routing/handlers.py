"""Routing looks at a chat after each change of its wait; the router decides when operators come, go or change."""

from collections.abc import Sequence
from typing import Any

from apps.accounts.events import WidgetChanged
from apps.agents.events import AgentChanged, AgentWentOffline, AgentWentOnline, DepartmentChanged
from apps.chats.events import ChatUpdated, MessagePosted, TimerDue
from apps.chats.rules.timers import TimerKind
from apps.core.bus import Cte, adds_cte, handles, handles_after_commit
from apps.core.observability import metrics
from apps.routing.actions import clocks
from apps.routing.actions.due import HANDLED
from apps.routing.actions.looks import looking_cte, updating_cte
from apps.routing.actions.wakening import follow_operator, follow_settings
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned, EstimateEnded, OfferEnded, RoutingChanged


@adds_cte(MessagePosted, ChatUpdated)
def look_at_chats(events: Sequence[Any]) -> Cte | None:
    """A chat is looked at after a message, and after it was closed, put aside, dealt with, given or sent elsewhere.

    The statement that stores a message puts the row, where routing or answer times are on; elsewhere it costs nothing.
    """
    posted = [event for event in events if isinstance(event, MessagePosted)]
    if not posted:
        return updating_cte([event.chat_id for event in events])
    return looking_cte(posted[-1].widget_id) if posted[-1].read_for.get("routing") else None


@handles(TimerDue)
def end_offer_or_patience(event: TimerDue) -> None:
    """The timers of this app."""
    for kind, handle in HANDLED.items():
        if event.kind == kind:
            handle(event)


@handles(AgentWentOnline)
def route_to_arrival(event: AgentWentOnline) -> None:
    """An operator who comes is served the queue, and has their own chats again."""
    follow_operator(widget_id=event.widget_id, agent_id=event.agent_id)


@handles(AgentWentOffline)
def withdraw_from_absent(event: AgentWentOffline) -> None:
    """The offers of an operator who goes are the next operators' after ten seconds."""
    follow_operator(widget_id=event.widget_id, agent_id=event.agent_id)


@handles(AgentChanged)
def follow_break(event: AgentChanged) -> None:
    """A break begins or ends, an operator is suspended or back: their offers, their chats, the offers they missed."""
    if {"status", "break_passes_on"} & set(event.changed_fields):
        follow_operator(
            widget_id=event.widget_id, agent_id=event.agent_id, counts_anew="status" in event.changed_fields
        )


@handles(DepartmentChanged)
def follow_department(event: DepartmentChanged) -> None:
    """Hours or members of a department are others."""
    follow_settings(event.widget_id)


@handles(RoutingChanged)
def follow_routing(event: RoutingChanged) -> None:
    """Settings or places are others: every chat that waits is looked at again."""
    follow_settings(event.widget_id)


@handles_after_commit(OfferEnded)
def count_offers(events: Sequence[OfferEnded]) -> None:
    """The offers that have ended, by outcome."""
    for event in events:
        metrics.OFFERS.labels(event.outcome).inc()


@handles_after_commit(EstimateEnded)
def count_estimates(events: Sequence[EstimateEnded]) -> None:
    """The told times of waits that people have ended, by whether they were kept."""
    for event in events:
        metrics.ESTIMATES.labels("yes" if event.is_kept else "no").inc()


@handles(TimerDue)
def tell_of_answer_times(event: TimerDue) -> None:
    """An answer time warns, or is missed."""
    if event.kind in (TimerKind.SLA_WARNING, TimerKind.SLA_BREACH):
        clocks.look_when_due(widget_id=event.widget_id, chat_id=event.chat_id, as_of=event.as_of)


@handles_after_commit(AnswerTimeWarned, AnswerTimeMissed)
def count_answer_times(events: Sequence[AnswerTimeWarned | AnswerTimeMissed]) -> None:
    """The answer times that were warned of, and those that were missed."""
    for event in events:
        outcome = "missed" if isinstance(event, AnswerTimeMissed) else "warned"
        metrics.SLA.labels(event.metric, outcome).inc()


@handles(RoutingChanged)
def stop_answer_times(event: RoutingChanged) -> None:
    """No answer is due any more where no department has answer times."""
    clocks.stop_without_answer_times(widget_id=event.widget_id)


@handles(DepartmentChanged)
def count_by_new_hours(event: DepartmentChanged) -> None:
    """Running clocks are due anew once hours are others."""
    clocks.look_again(widget_id=event.widget_id)


@handles(WidgetChanged)
def follow_zone(event: WidgetChanged) -> None:
    """A widget in another time zone opens and closes at other moments."""
    follow_settings(event.widget_id)
    clocks.look_again(widget_id=event.widget_id)
