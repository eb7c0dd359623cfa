"""The clocks of answer times: followed with each look at a chat, and told of once each (rules/clocks.py).

A look comes after each change of a wait (`looks.py`), and when a warning or a miss is due (`chats.TimerDue`). It
writes all that it finds in one transaction with the chat, so that each is told once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from apps.accounts.rules import ANSWER_FIRST
from apps.chats.actions.changes import record_change
from apps.chats.actions.snoozes import AT_HAND
from apps.chats.actions.timers import drop_timers, set_timer
from apps.chats.models import Chat, Timer
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules import Status
from apps.chats.rules.timers import TimerKind
from apps.core import bus
from apps.core.bus import DomainEvent
from apps.leases import on_conflict, wake_workers
from apps.routing.actions.settings import routings_of
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned
from apps.routing.models import RoutingSettings, SlaClock
from apps.routing.querysets.clocks import clock_of, deleted_among, open_time, words_of
from apps.routing.rules.clocks import AnswerClock, AnswerTarget, OpenTime, SlaMetric
from apps.routing.rules.running import ChatClocks, rewound
from apps.routing.rules.settings import Clock, Routing
from apps.routing.rules.waits import Sight, moments

# The clocks of a chat that a look reads, the newest: those that are open, and answers that may have been deleted.
KNOWN = 12
_LOOK_AGAIN = f"""
INSERT INTO routing_queuerow AS t (chat_id, widget_id, due_at, waiting_since)
SELECT DISTINCT chat_id, widget_id, statement_timestamp(), statement_timestamp()
FROM routing_slaclock WHERE widget_id = %(widget_id)s AND running_since IS NOT NULL AND ended_at IS NULL
ORDER BY chat_id
{on_conflict(unique=["chat_id"], longest="0").strip()}"""  # noqa: S608 - of constants
_TIMERS = (TimerKind.SLA_WARNING, TimerKind.SLA_BREACH)


def follow(chat: Chat, since: datetime | None, as_of: datetime) -> None:
    """Brings the chat's clocks up to its wait, `since` when it waits (null: it does not). The chat is locked."""
    rows = list(SlaClock.objects.for_widget(chat.widget_id).filter(chat=chat).order_by("-id")[:KNOWN])[::-1]
    routings = routings_of(chat.widget_id)
    if all(row.ended_at for row in rows) and not any(each.answer_times for each in routings.values()):
        return
    _Look(chat, rows, routings.get(chat.department_id, routings[None]), as_of).follow(since)


def look_when_due(*, widget_id: int, chat_id: int, as_of: datetime) -> None:
    """Looks at the clocks of a chat that is locked, since one of them warns or is missed."""
    chats = Chat.objects.for_widget(widget_id).filter(pk=chat_id).annotate(since=waits_since(as_of))
    since = chats.values_list("since", flat=True).get()
    follow(Chat.objects.for_widget(widget_id).select_related("widget", "contact").get(pk=chat_id), since, as_of)


def stop_without_answer_times(*, widget_id: int) -> None:
    """Drops the running clocks of a widget whose answer times are all switched off: no answer is due there any more."""
    open_ones = SlaClock.objects.for_widget(widget_id).open()
    if any(each.answer_times for each in routings_of(widget_id).values()):
        return
    for chat_id in sorted(set(open_ones.values_list("chat_id", flat=True))):
        for chat in Chat.objects.for_widget(widget_id).filter(pk=chat_id).select_for_update(of=("self",)):
            open_ones.filter(chat=chat).delete()
            drop_timers(chat_id=chat.pk, kinds=_TIMERS)
            record_change(chat, answer_missed_at=None)


def look_again(*, widget_id: int) -> None:
    """Puts each chat with a running clock to be looked at, of a widget: the hours by which it counts are others."""
    with connection.cursor() as cursor:
        cursor.execute(_LOOK_AGAIN, {"widget_id": widget_id})
        if cursor.rowcount:
            wake_workers()


@dataclass
class _Look:
    """One look at the clocks of a locked chat, for the settings that hold now."""

    chat: Chat
    rows: Sequence[SlaClock]
    routing: Routing
    as_of: datetime
    known: dict[int | None, AnswerClock] = field(init=False)
    shown: list[tuple[Any, ...]] = field(init=False)
    times: dict[int | None, OpenTime] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known = {row.pk: clock_of(row) for row in self.rows}
        self.shown = _shown(self.rows)

    def follow(self, since: datetime | None) -> None:
        time = self._time(self.chat.department_id)
        clocks = [
            each if each.ended_at is not None else self._aimed(each, time).judged(self.as_of, time)
            for each in self._moved(since, time)
        ]
        rows = self._save(clocks, time)
        kept = [clock_of(row) for row in rows]
        self._set_timers(kept, time)
        self._tell(kept, is_shown_anew=_shown(rows) != self.shown)

    def _moved(self, since: datetime | None, time: OpenTime) -> list[AnswerClock]:
        """The clocks after all that happened since the last look, by the hours that held for them."""
        answers = [each.ended_after_id for each in self.known.values() if each.ended_after_id is not None]
        known = rewound(list(self.known.values()), deleted_among(self.chat, answers).__contains__)
        departments = {row.department_id for row in self.rows if row.ended_at is None} - {self.chat.department_id}
        clocks = ChatClocks(known, self._target, self._time(departments.pop()) if departments else time)
        clocks.follow(moments(self._sight(clocks, since)))
        return clocks.all

    def _sight(self, clocks: ChatClocks, since: datetime | None) -> Sight:
        chat = self.chat
        marks = [moment for each in clocks.all for moment in (each.since, each.paused_at, each.ended_at) if moment]
        known_at = max(marks, default=None) or self._begins_at()
        replies = [each for each in clocks.all if each.metric is not SlaMetric.RESOLUTION]
        words, steps = words_of(chat, known_at)
        return Sight(
            words=words,
            steps=steps,
            known_at=known_at,
            waiting_from=clocks.reply.since if clocks.reply else None,
            waited_at=max((each.since for each in replies), default=None),
            waits_since=since if since is None or clocks.all else max(since, known_at),
            as_of=self.as_of,
            people_have_it=not {*chat.widget.answerers} & {str(each) for each in ANSWER_FIRST},
            is_owned=chat.agent_id is not None,
            is_spam=chat.status == Status.SPAM,
            is_aside=chat.snoozed_at is not None,
            dealt_with_id=chat.dealt_with_message_id or 0,
            resumed_at=chat.woken_at,
        )

    def _begins_at(self) -> datetime:
        """Since when the widget has answer times: no clock begins before that."""
        settings = RoutingSettings.objects.for_widget(self.chat.widget_id).filter(answer_times_at__isnull=False)
        first = settings.order_by("answer_times_at").values_list("answer_times_at", flat=True).first()
        return first or self.as_of

    def _target(self, metric: SlaMetric) -> AnswerTarget:
        row = self.routing.answer_time(self.chat.priority)
        minutes = None if row is None else getattr(row, metric.value)
        return AnswerTarget(minutes, self.routing.warn_percent, is_always=self.routing.clock is Clock.ALWAYS)

    def _aimed(self, clock: AnswerClock, time: OpenTime) -> AnswerClock:
        """With the target of another department or priority, if the chat has another than when the clock was set."""
        row = next((row for row in self.rows if row.pk == clock.id), None)
        if row is None or (row.department_id, row.priority) == (self.chat.department_id, self.chat.priority):
            return clock
        before = time if row.department_id == self.chat.department_id else self._time(row.department_id)
        return clock.aimed(self._target(clock.metric), self.as_of, before)

    def _time(self, department_id: int | None) -> OpenTime:
        if department_id not in self.times:
            self.times[department_id] = open_time(self.chat.widget_id, department_id)
        return self.times[department_id]

    def _save(self, clocks: Sequence[AnswerClock], time: OpenTime) -> list[SlaClock]:
        """Writes the changes, in the order of the clocks: one ends before the next begins."""
        rows = {row.pk: row for row in self.rows}
        gone = [pk for pk in rows if pk not in {each.id for each in clocks}]
        if gone:
            SlaClock.objects.for_widget(self.chat.widget_id).filter(pk__in=gone).delete()
        kept = []
        for clock in clocks:
            row = rows.get(clock.id or 0) or SlaClock(widget_id=self.chat.widget_id, chat=self.chat)
            if clock.ended_at is None or clock.id is None:
                row.department_id, row.priority = self.chat.department_id, self.chat.priority
            due_at = clock.due_at(time)
            if clock != self.known.get(clock.id) or row.due_at != due_at:
                _write(row, clock, due_at)
                row.save()
            kept.append(row)
        return kept

    def _set_timers(self, clocks: Sequence[AnswerClock], time: OpenTime) -> None:
        """Sets a timer for the warning and the miss of each running clock that has not told of it, and no other."""
        wanted: dict[tuple[str, str], tuple[datetime, str]] = {}
        for clock in clocks:
            if clock.warned_at is None and (moment := clock.warns_at(time)):
                wanted[TimerKind.SLA_WARNING, clock.metric] = moment, str(clock.id)
            if clock.breached_at is None and (moment := clock.due_at(time)):
                wanted[TimerKind.SLA_BREACH, clock.metric] = moment, str(clock.id)
        timers = Timer.objects.for_widget(self.chat.widget_id).filter(chat=self.chat, kind__in=_TIMERS)
        columns = timers.values_list("kind", "key", "due_at", "anchor")
        set_ones = {(kind, key): (due_at, anchor) for kind, key, due_at, anchor in columns}
        for kind, key in set_ones.keys() - wanted.keys():
            drop_timers(chat_id=self.chat.pk, kinds=[TimerKind(kind)], key=key)
        for (kind, key), (due_at, anchor) in wanted.items():
            if set_ones.get((kind, key)) != (due_at, anchor):
                set_timer(
                    widget_id=self.chat.widget_id,
                    chat_id=self.chat.pk,
                    kind=TimerKind(kind),
                    due_at=due_at,
                    anchor=anchor,
                    key=key,
                )

    def _tell(self, clocks: Sequence[AnswerClock], *, is_shown_anew: bool) -> None:
        """Tells of warnings and misses, each once a clock, and marks a chat whose answer time is missed."""
        events: list[DomainEvent] = []
        fields: dict[str, Any] = {}
        for clock in clocks:
            before = self.known.get(clock.id)
            if clock.warned_at and (before is None or before.warned_at is None) and clock.ended_at is None:
                events.append(AnswerTimeWarned.of(self.chat, **self._facts(clock)))
                if clock.metric is SlaMetric.FIRST_REPLY and self.chat.snoozed_at is not None:
                    fields |= {**AT_HAND, "woken_at": self.as_of}  # a first reply waits for no snooze
            if clock.breached_at and (before is None or before.breached_at is None):
                events.append(AnswerTimeMissed.of(self.chat, **self._facts(clock)))
        is_missed = any(each.breached_at and each.ended_at is None for each in clocks)
        if is_missed != (self.chat.answer_missed_at is not None):
            fields["answer_missed_at"] = self.as_of if is_missed else None
        if fields or is_shown_anew:
            record_change(self.chat, *events, **fields)
        elif events:
            bus.publish(*events)

    def _facts(self, clock: AnswerClock) -> dict[str, Any]:
        chat = self.chat
        return {
            "metric": str(clock.metric),
            "due_at": clock.breached_at or clock.due_at(self._time(chat.department_id)),
            "department_id": chat.department_id,
            "agent_id": chat.agent_id,
            "priority": chat.priority,
        }


def _write(row: SlaClock, clock: AnswerClock, due_at: datetime | None) -> None:
    for name in ("metric", "since", "used_seconds", "running_since", "paused_at", "warned_at", "breached_at"):
        setattr(row, name, getattr(clock, name))
    row.ended_at, row.ended_by, row.ended_after_id = clock.ended_at, clock.ended_by, clock.ended_after_id
    row.target_minutes, row.warn_percent = clock.target.minutes, clock.target.warn_percent
    row.is_always, row.due_at = clock.target.is_always, due_at


def _shown(rows: Iterable[SlaClock]) -> list[tuple[Any, ...]]:
    """The part of the clocks that lists show."""
    return [(row.metric, row.due_at, row.warned_at, row.breached_at) for row in rows if row.due_at is not None]
