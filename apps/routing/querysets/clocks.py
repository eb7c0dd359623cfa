"""The clocks of answer times: of a chat, by when they are due, and counted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.db.models import Aggregate, Count, Exists, IntegerField, Min, OuterRef, Q, Subquery

from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.rules import SenderKind, Via
from apps.chats.rules.activities import StepKind
from apps.chats.rules.courtesies import is_courtesy, is_question
from apps.chats.rules.episodes import LOW_RATING, SILENCE
from apps.chats.rules.histories import WordSide, side_of
from apps.chats.rules.messages import ANSWERING
from apps.core.database.tenants import TenantQuerySet
from apps.core.parsing.periods import Window
from apps.routing.rules.clocks import MET_BY, AnswerClock, AnswerTarget, EndedBy, OpenTime, SlaMetric
from apps.routing.rules.waits import SpokenWord, WaitStep, WaitStepKind

if TYPE_CHECKING:
    from apps.routing.models import SlaClock

# So many words are read at once, the newest first: back to the last look, and one page further.
PAGE = 60
MOST_WORDS = 600
# A longer text is no courtesy, and says at its end whether it asks.
MOST_CHARACTERS = 200


class SlaClockQuerySet(TenantQuerySet["SlaClock"]):
    """The clocks of answer times."""

    def open(self) -> Self:
        """The clocks that run, or may run again."""
        return self.filter(ended_at=None)

    def with_target(self) -> Self:
        """The clocks whose answer is due: those that are shown and counted."""
        return self.filter(target_minutes__isnull=False)

    def running(self) -> Self:
        """The clocks that run, the one that is due first before the others. Index: routing_clock_due."""
        return self.filter(due_at__isnull=False).order_by("due_at", "pk")

    def begun_between(self, since: datetime, until: datetime) -> Self:
        """Index: routing_clock_counted."""
        return self.filter(since__gte=since, since__lt=until)


WORD_COLUMNS = ("id", "created_at", "sender_kind", "via", "type", "details", "body")


class StoredWords(NamedTuple):
    """The words and steps of a chat, oldest first."""

    words: Sequence[SpokenWord]
    steps: Sequence[WaitStep]


def words_of(chat: Chat, since: datetime) -> StoredWords:
    """The words of a chat since a moment, with as many before as tell whether an episode is open."""
    rows: list[Any] = []
    messages = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=False)
    messages = messages.filter(sender_kind__in=[SenderKind.CLIENT, *ANSWERING]).order_by("-id")
    is_enough = False
    while not is_enough and len(rows) < MOST_WORDS:
        page = list(messages.values_list(*WORD_COLUMNS)[len(rows) : len(rows) + PAGE])
        is_enough = len(page) < PAGE or page[0][1] <= since
        rows += page
    return StoredWords([word for row in reversed(rows) if (word := word_of(*row)) is not None], _steps(chat))


def deleted_among(chat: Chat, message_ids: Collection[int]) -> set[int]:
    """The messages among these that their operators have deleted."""
    if not message_ids:
        return set()
    messages = Message.objects.for_widget(chat.widget_id).filter(chat=chat, pk__in=message_ids)
    return set(messages.filter(details__has_key="deleted_at").values_list("pk", flat=True))


def word_of(
    pk: int, at: datetime, sender_kind: str, via: str | None, kind: str, details: dict[str, Any] | None, body: str
) -> SpokenWord | None:
    """A message by WORD_COLUMNS as a word of the talk; None of one that is deleted."""
    details = details or {}
    if sender_kind == SenderKind.CLIENT:
        is_short_text = kind == "text" and len(body) <= MOST_CHARACTERS and via != Via.OFFLINE_FORM
        return SpokenWord(pk, at, WordSide.VISITOR, is_courtesy=is_short_text and is_courtesy(body))
    if "deleted_at" in details:
        return None
    return SpokenWord(pk, at, side_of(sender_kind, via, details), asks=is_question(body[-MOST_CHARACTERS:]))


def _steps(chat: Chat) -> list[WaitStep]:
    kinds = {StepKind.CLOSED: WaitStepKind.CLOSED, StepKind.WAITS: WaitStepKind.HANDED_OVER}
    steps = ChatActivity.objects.for_widget(chat.widget_id).filter(chat=chat, kind__in=kinds)
    steps = steps.exclude(kind=StepKind.WAITS, comment=LOW_RATING).order_by("-id")
    rows = steps.values_list("after_message_id", "at", "kind")[:PAGE]
    return [WaitStep(after_id, at, kinds[StepKind(kind)]) for after_id, at, kind in reversed(rows)]


def clock_of(row: SlaClock) -> AnswerClock:
    """A row as its rules take it."""
    return AnswerClock(
        metric=SlaMetric(row.metric),
        since=row.since,
        target=AnswerTarget(row.target_minutes, row.warn_percent, is_always=row.is_always),
        used_seconds=row.used_seconds,
        running_since=row.running_since,
        paused_at=row.paused_at,
        warned_at=row.warned_at,
        breached_at=row.breached_at,
        ended_at=row.ended_at,
        ended_by=EndedBy(row.ended_by) if row.ended_by else None,
        ended_after_id=row.ended_after_id,
        id=row.pk,
    )


def answer_times_of_chat(chat: Chat, now: datetime, *, limit: int = 20) -> list[dict[str, Any]]:
    """The `sla` items of a chat, the newest first: its clocks that have a target, as they are at a moment."""
    from apps.routing.models import SlaClock

    rows = SlaClock.objects.for_widget(chat.widget_id).with_target().filter(chat=chat).order_by("-id")[:limit]
    times: dict[int | None, OpenTime] = {}
    found = []
    for row in rows:
        if row.running_since is not None and row.department_id not in times:
            times[row.department_id] = open_time(chat.widget_id, row.department_id)
        clock = clock_of(row).settled(now)
        found.append(
            {
                "metric": clock.metric,
                "state": clock.state,
                "since": clock.since,
                "target_minutes": clock.target.minutes,
                "used_seconds": clock.used(times.get(row.department_id, OpenTime()), now),
                "due_at": row.due_at,
                "warned_at": clock.warned_at,
                "breached_at": clock.breached_at,
                "ended_at": clock.ended_at,
                "ended_by": clock.ended_by,
            }
        )
    return found


def open_time(widget_id: int, department_id: int | None) -> OpenTime:
    """The time that counts for the chats of a department; the widget's, if it is gone."""
    hours = None if department_id is None else hours_of_department(widget_id, department_id)
    return OpenTime(hours or hours_of_widget(widget_id).hours)


def due_of_chats(widget_id: int, chat_ids: Collection[int] | None = None) -> dict[int, dict[str, Any]]:
    """The row member `sla` of those chats, or all, that have a running clock: that which is due first."""
    from apps.routing.models import SlaClock

    rows = SlaClock.objects.for_widget(widget_id).running()
    if chat_ids is not None:
        rows = rows.filter(chat__in=chat_ids)
    found: dict[int, dict[str, Any]] = {}
    for chat_id, *values in rows.values_list("chat_id", "metric", "due_at", "warned_at", "breached_at"):
        found.setdefault(chat_id, dict(zip(("metric", "due_at", "warned_at", "breached_at"), values, strict=True)))
    return found


def first_due() -> Subquery:
    """When the first of a chat's running clocks is due; null without one: the order of the view `due`."""
    from apps.routing.models import SlaClock

    clocks = SlaClock.objects.unscoped("of the chat's own").filter(chat=OuterRef("pk"), due_at__isnull=False)
    return Subquery(clocks.order_by().values("chat").annotate(first=Min("due_at")).values("first"))


def is_due() -> Exists:
    """Whether a clock of a chat runs. Index: routing_clock_due."""
    from apps.routing.models import SlaClock

    clocks = SlaClock.objects.unscoped("of the chat's own").filter(due_at__isnull=False)
    return Exists(clocks.filter(widget=OuterRef("widget"), chat=OuterRef("pk")))


def figures(widget_id: int, window: Window, now: datetime, *, department_id: int | None = None) -> list[dict[str, Any]]:
    """The answer times of the clocks that began in a window, by metric and department, as of a moment.

    A miss counts from the moment at which the answer was due. Percentiles are of clocks that ended by the words that
    they waited for, by nearest rank.
    """
    from apps.routing.models import SlaClock

    clocks = SlaClock.objects.for_widget(widget_id).with_target().begun_between(window.start, window.end)
    if department_id is not None:
        clocks = clocks.filter(department_id=department_id)
    is_answered = _is_answered(now)
    is_missed = Q(breached_at__isnull=False) | Q(due_at__lte=now)
    is_over = is_answered | Q(ended_at__isnull=False)
    rows = clocks.values("metric", "department_id").annotate(
        count=Count("pk", filter=is_over | is_missed),
        met=Count("pk", filter=is_answered & ~is_missed),
        missed=Count("pk", filter=is_missed),
        given_up=Count("pk", filter=is_over & ~is_answered & ~is_missed),
        p50_seconds=_NearestRank("used_seconds", share=0.5, filter=is_answered),
        p90_seconds=_NearestRank("used_seconds", share=0.9, filter=is_answered),
    )
    order = [str(each) for each in SlaMetric]
    found: list[dict[str, Any]] = [{**row} for row in rows if row["count"]]
    return sorted(found, key=lambda row: (order.index(row["metric"]), row["department_id"] or 0))


def _is_answered(now: datetime) -> Q:
    """The clocks whose answer came; a resolution, too, whose episode ended by silence."""
    found = Q(metric=SlaMetric.RESOLUTION, running_since=None, ended_at=None, paused_at__lt=now - SILENCE)
    for metric, ends in MET_BY.items():
        found |= Q(metric=metric, ended_by__in=[str(each) for each in ends])
    return found


class _NearestRank(Aggregate):
    """A percentile that is one of the values; null of none."""

    function = "percentile_disc"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = IntegerField(null=True)
