"""Routing over REST: settings, operators' places, and where a chat stands."""

from typing import Any

from rest_framework import serializers

from apps.agents.models import Agent
from apps.agents.rules.absence import BreakReason
from apps.chats.rules.priorities import Priority
from apps.core.endpoints.row_serializers import RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, Items, PatchBody, Text
from apps.routing.rules import settings as rules
from apps.routing.rules.clocks import ClockState, EndedBy, SlaMetric
from apps.routing.rules.reasons import OfferOutcome, Reason
from apps.routing.rules.settings import Clock, LanguageRule, RoutingMode


def check_accept_seconds(seconds: int) -> None:
    """Refuses the seconds for which an offer cannot stand."""
    if seconds != 0 and seconds < rules.MIN_ACCEPT_SECONDS:
        reason = f"Must be 0, or from {rules.MIN_ACCEPT_SECONDS} to {rules.MAX_ACCEPT_SECONDS}."
        raise serializers.ValidationError(reason)


def _id() -> Integer:
    return Integer(min_value=1, max_value=2**63 - 1)


def _mode(**options: Any) -> Choice:
    return Choice(
        choices=list(RoutingMode), help_text="`manual`: a chat rings for all; `routed`: it is offered.", **options
    )


def _accept_seconds(**options: Any) -> Integer:
    return Integer(
        min_value=0,
        max_value=rules.MAX_ACCEPT_SECONDS,
        validators=[check_accept_seconds],
        help_text="An offer stands for so long, then the next operator has it; 0: a chat is theirs at once.",
        **options,
    )


def _silent_minutes(**options: Any) -> Integer:
    return Integer(
        min_value=0,
        max_value=rules.MAX_SILENT_MINUTES,
        help_text="After so many minutes of a visitor's wait for an owner who is here others are asked; 0: never.",
        **options,
    )


def _prefer_last(**options: Any) -> Boolean:
    return Boolean(help_text="A chat that comes back is its last operator's, if they are here.", **options)


def _languages(**options: Any) -> Choice:
    return Choice(
        choices=list(LanguageRule), help_text="How operators count who read the visitor's language.", **options
    )


def _warn_percent(**options: Any) -> Integer:
    return Integer(
        min_value=rules.MIN_WARN_PERCENT,
        max_value=rules.MAX_WARN_PERCENT,
        help_text="An answer time is warned of after so much of it.",
        **options,
    )


def _clock(**options: Any) -> Choice:
    return Choice(choices=list(Clock), help_text="Whether answer times run in open time alone.", **options)


def _minutes(**options: Any) -> Integer:
    return Integer(min_value=1, max_value=rules.MAX_ANSWER_MINUTES, required=False, allow_null=True, **options)


class AnswerTimeBody(Body):
    """The minutes in which chats of a priority are answered and ended."""

    priority = Choice(
        choices=list(Priority), required=False, allow_null=True, help_text="Null: all that have no row of their own."
    )
    first_reply = _minutes(help_text="Until the first answer.")
    next_reply = _minutes(help_text="Until each later answer.")
    resolution = _minutes(help_text="Until the chat is closed, without the time in which nobody waits.")


class AnswerTimes(Items):
    """Rows of answer times, of each priority one at most."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=AnswerTimeBody(), max_length=rules.MAX_ANSWER_TIMES, **options)

    def run_child_validation(self, data: Any) -> list[Any]:
        value = super().run_child_validation(data)
        if refusals := rules.answer_times_refusals(value):
            raise serializers.ValidationError({path or "": [reason] for path, reason in refusals.items()})
        return value

    def to_representation(self, value: Any) -> Any:
        return value


class OverflowBody(Body):
    """The department that helps out, and after how many minutes."""

    department_id = _id()
    minutes = Integer(min_value=1, max_value=rules.MAX_OVERFLOW_MINUTES)


class RoutingBody(PatchBody):
    """The changes of a widget's routing."""

    mode = _mode(required=False)
    accept_seconds = _accept_seconds(required=False)
    silent_minutes = _silent_minutes(required=False)
    prefer_last = _prefer_last(required=False)
    languages = _languages(required=False)
    answer_times = AnswerTimes(required=False)
    warn_percent = _warn_percent(required=False)
    clock = _clock(required=False)
    capacity = Integer(
        min_value=0,
        max_value=rules.MAX_CAPACITY,
        required=False,
        help_text="Operators without their own have this one.",
    )
    misses = Integer(
        min_value=0,
        max_value=rules.MAX_MISSES,
        required=False,
        help_text="After so many missed offers in a row an operator is on a break; 0: never.",
    )
    show_place = Boolean(required=False, help_text="Visitors see their place in the queue.")
    show_expected = Boolean(required=False, help_text="Visitors see how long it usually takes.")


class DepartmentRoutingBody(PatchBody):
    """The changes of a department's routing; null: as the widget has it."""

    mode = _mode(required=False, allow_null=True)
    accept_seconds = _accept_seconds(required=False, allow_null=True)
    silent_minutes = _silent_minutes(required=False, allow_null=True)
    prefer_last = _prefer_last(required=False, allow_null=True)
    languages = _languages(required=False, allow_null=True)
    overflow = OverflowBody(required=False, allow_null=True)
    answer_times = AnswerTimes(required=False, allow_null=True)
    warn_percent = _warn_percent(required=False, allow_null=True)
    clock = _clock(required=False, allow_null=True)


class AnswerTimeSerializer(RowSerializer):
    """The minutes in which chats of a priority are answered and ended."""

    priority = Choice(choices=list(Priority), allow_null=True)
    first_reply = Integer(allow_null=True)
    next_reply = Integer(allow_null=True)
    resolution = Integer(allow_null=True)


class OverflowSerializer(RowSerializer):
    """The department that helps out, and after how many minutes."""

    department_id = Integer()
    minutes = Integer()


class RoutingSerializer(RowSerializer):
    """The routing of a widget."""

    mode = _mode()
    accept_seconds = Integer()
    silent_minutes = Integer()
    prefer_last = Boolean()
    languages = _languages()
    answer_times = AnswerTimeSerializer(many=True)
    warn_percent = Integer()
    clock = _clock()
    capacity = Integer()
    misses = Integer()
    show_place = Boolean()
    show_expected = Boolean()


class EffectiveRoutingSerializer(RowSerializer):
    """The settings that hold for a department."""

    mode = _mode()
    accept_seconds = Integer()
    silent_minutes = Integer()
    prefer_last = Boolean()
    languages = _languages()
    overflow = OverflowSerializer(allow_null=True)
    answer_times = AnswerTimeSerializer(many=True)
    warn_percent = Integer()
    clock = _clock()


class DepartmentRoutingSerializer(RowSerializer):
    """The routing of a department; null: as the widget has it."""

    mode = _mode(allow_null=True)
    accept_seconds = Integer(allow_null=True)
    silent_minutes = Integer(allow_null=True)
    prefer_last = Boolean(allow_null=True)
    languages = _languages(allow_null=True)
    overflow = OverflowSerializer(allow_null=True)
    answer_times = AnswerTimeSerializer(many=True, allow_null=True)
    warn_percent = Integer(allow_null=True)
    clock = _clock(allow_null=True)
    effective = EffectiveRoutingSerializer()


class WhySerializer(RowSerializer):
    """Why an operator was chosen: before the others, and now."""

    reasons = TextList(help_text=", ".join(f"`{each}`" for each in Reason))
    load = Integer()
    capacity = Integer()
    department_load = Integer(allow_null=True)
    department_capacity = Integer(allow_null=True)
    waited_seconds = Integer()
    among = Integer(help_text="How many could have had it.")


class OfferSerializer(RowSerializer):
    """An offer that stands."""

    agent_id = Integer()
    since = Time()
    until = Time(allow_null=True)
    why = WhySerializer()


class AssignmentSerializer(RowSerializer):
    """An offer and its outcome."""

    agent_id = Integer(allow_null=True)
    given_at = Time()
    until = Time(allow_null=True)
    outcome = Choice(choices=list(OfferOutcome), allow_null=True, help_text="Null: it stands.")
    ended_at = Time(allow_null=True)
    why = WhySerializer()


class PlaceSerializer(RowSerializer):
    """A place in a queue."""

    place = Integer()
    of = Integer()


class ChatAnswerTimeSerializer(RowSerializer):
    """One answer time of a chat, in open time."""

    metric = Choice(choices=list(SlaMetric))
    state = Choice(choices=list(ClockState))
    since = Time(help_text="When it began.")
    target_minutes = Integer()
    used_seconds = Integer()
    due_at = Time(allow_null=True, help_text="A clock has it while it runs, unless it never opens within 400 days.")
    warned_at = Time(allow_null=True)
    breached_at = Time(allow_null=True, help_text="When the answer was due, if it did not come by then.")
    ended_at = Time(allow_null=True)
    ended_by = Choice(choices=list(EndedBy), allow_null=True)


class ChatRoutingSerializer(RowSerializer):
    """The standing of a chat, and the operators to whom it was offered, newest first."""

    priority = Choice(choices=list(Priority))
    department_id = Integer(allow_null=True)
    agent_id = Integer(allow_null=True)
    rings_for = Text(help_text="`nobody`, `owner`, `offered`, `queue` or `all`.")
    waits_since = Time(allow_null=True)
    queue = PlaceSerializer(allow_null=True)
    offer = OfferSerializer(allow_null=True)
    assignments = AssignmentSerializer(many=True)
    sla = ChatAnswerTimeSerializer(many=True, help_text="The last 20 answer times, newest first.")


class RouteBody(Body):
    """The department that a chat goes to."""

    department_id = _id()


class OperatorsBreakSerializer(RowSerializer):
    """The break of an operator."""

    reason = Choice(choices=list(BreakReason))
    since = Time(allow_null=True)
    note = Text(allow_blank=True)
    pass_on = Boolean()


class EstimatesSerializer(RowSerializer):
    """The times that visitors were told, in the waits of the last 30 days that a person ended."""

    count = Integer(help_text="Waits whose visitors were told how long it usually takes.")
    kept = Integer(help_text="The waits that took no longer than the upper number of minutes that was told first.")


class QueueDepartmentSerializer(RowSerializer):
    """A department; with an id of null the chats without one."""

    department_id = Integer(allow_null=True)
    name = TextOrNull()
    is_open = Boolean()
    opens_at = Time(allow_null=True)
    waiting = Integer(help_text="The chats whose visitors wait for an answer.")
    longest_since = Time(allow_null=True)
    due_soon = Integer(help_text="The waiting chats whose answer time was warned of, and is not missed.")
    breached = Integer(help_text="The waiting chats whose answer time is missed.")
    online = Integer(help_text="Its operators who are online and at work.")
    on_break = Integer()
    places = Integer(help_text="The free places of those who are at work.")
    estimates = EstimatesSerializer()


class QueueOperatorSerializer(RowSerializer):
    """An operator with their chats and places."""

    agent_id = Integer()
    status = Choice(choices=[Agent.Status.ACTIVE.value, Agent.Status.RELAXATION.value])
    load = Integer(help_text="Their open chats that are not snoozed, and offers.")
    capacity = Integer()
    offered = Integer()
    locals()["break"] = OperatorsBreakSerializer(allow_null=True)


class QueuedChatSerializer(RowSerializer):
    """A chat that waits for a place, or is offered."""

    chat_id = Integer()
    place = Integer(allow_null=True, help_text="In the queue of its department, from 1.")
    department_id = Integer(allow_null=True)
    priority = Choice(choices=list(Priority))
    waits_since = Time()
    offered_to = Integer(allow_null=True)


class AnsweredSerializer(RowSerializer):
    """The waits that people have ended in the last hour."""

    count = Integer()
    p50_seconds = Integer(allow_null=True)
    p90_seconds = Integer(allow_null=True)


class QueueSerializer(RowSerializer):
    """The queue now."""

    at = Time()
    departments = QueueDepartmentSerializer(many=True)
    operators = QueueOperatorSerializer(many=True)
    chats = QueuedChatSerializer(many=True, help_text="At most 100, in the queue's order.")
    answered = AnsweredSerializer()
