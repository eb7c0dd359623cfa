"""The kept past of chats, for trials: their words, steps and answer times, the chats that spoke last first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Count, Q

from apps.agents.rules.departments import DAYS
from apps.automations.querysets.facts import AskedFacts
from apps.automations.rules.history import PastChat, PastMark, PastMoment, PastStep, PastWord
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.questions import automatic_messages
from apps.chats.rules import SenderKind, Status
from apps.chats.rules.episodes import SILENCE
from apps.chats.rules.messages import ANSWERING
from apps.routing.models import SlaClock
from apps.routing.querysets.clocks import WORD_COLUMNS, word_of
from apps.routing.rules.clocks import OpenTime

# So many chats are read at once.
CHATS_AT_ONCE = 500
# As long before the window words are read: an episode may have begun there.
BEFORE = 2 * SILENCE

_BY_HOURS = ("is_open", "weekday", "time")
_CHAT_COLUMNS = ("id", "channel", "department_id", "status", "contact_id", "created_at", "last_message_at")


class PastBatch(NamedTuple):
    """Chats with their past. No other chat has spoken since `reached`."""

    chats: Sequence[PastChat]
    reached: datetime


def past_batches(widget_id: int, since: datetime, *, asked: set[str], marks: bool) -> Iterator[PastBatch]:
    """The chats of a widget with a word or a step since then. `asked` are the fields that a condition asks."""
    rows = Chat.objects.for_widget(widget_id).filter(internal=False, last_message_at__gte=since)
    rows = rows.order_by("-last_message_at", "-pk")
    after: tuple[datetime, int] | None = None
    while True:
        page = rows
        if after is not None:
            at, pk = after
            page = rows.filter(Q(last_message_at__lt=at) | Q(last_message_at=at, pk__lt=pk))
        found = list(page.values_list(*_CHAT_COLUMNS)[:CHATS_AT_ONCE])
        if not found:
            return
        after = (found[-1][6], found[-1][0])
        reached = found[-1][6] if len(found) == CHATS_AT_ONCE else since
        yield PastBatch(_past_chats(widget_id, found, since - BEFORE, asked, marks=marks), reached)


def _past_chats(
    widget_id: int, rows: Sequence[tuple[Any, ...]], read_from: datetime, asked: set[str], *, marks: bool
) -> list[PastChat]:
    ids = [row[0] for row in rows]
    words, steps = _words(widget_id, ids, read_from), _steps(widget_id, ids)
    told = _marks(widget_id, ids) if marks else {}
    again = _returning(widget_id, {row[4] for row in rows}) if "is_returning" in asked else frozenset()
    return [
        PastChat(
            id=pk,
            channel=channel,
            department_id=department_id,
            is_spam=status == Status.SPAM,
            is_returning=contact_id in again,
            is_whole=created_at >= read_from,
            words=words.get(pk, ()),
            steps=steps.get(pk, ()),
            marks=told.get(pk, ()),
        )
        for pk, channel, department_id, status, contact_id, created_at, _ in rows
    ]


def _words(widget_id: int, ids: Sequence[int], since: datetime) -> Mapping[int, list[PastWord]]:
    found: dict[int, list[PastWord]] = defaultdict(list)
    messages = Message.objects.for_widget(widget_id).filter(chat__in=ids, is_internal=False, created_at__gte=since)
    messages = messages.filter(sender_kind__in=[SenderKind.CLIENT, *ANSWERING]).order_by("chat_id", "pk")
    for chat_id, *row in messages.values_list("chat_id", *WORD_COLUMNS):
        spoken = word_of(*row)
        if spoken is not None:
            found[chat_id].append(PastWord(spoken, row[4], row[6]))
    return found


def _steps(widget_id: int, ids: Sequence[int]) -> Mapping[int, list[PastStep]]:
    found: dict[int, list[PastStep]] = defaultdict(list)
    steps = ChatActivity.objects.for_widget(widget_id).filter(chat__in=ids).order_by("chat_id", "pk")
    columns = ("after_message_id", "at", "kind", "agent_id", "to_agent_id", "department_id", "comment")
    for chat_id, *row in steps.values_list("chat_id", *columns):
        found[chat_id].append(PastStep(*row))
    return found


def _marks(widget_id: int, ids: Sequence[int]) -> Mapping[int, list[PastMark]]:
    found: dict[int, list[PastMark]] = defaultdict(list)
    clocks = SlaClock.objects.for_widget(widget_id).with_target().filter(chat__in=ids).order_by("pk")
    for chat_id, warned_at, breached_at in clocks.values_list("chat_id", "warned_at", "breached_at"):
        told = ((warned_at, "sla.warning"), (breached_at, "sla.breached"))
        found[chat_id] += [PastMark(at, event) for at, event in told if at is not None]
    return found


def _returning(widget_id: int, contacts: set[int]) -> frozenset[int]:
    """The contacts who have written in more than one chat."""
    chats = Chat.objects.for_widget(widget_id).filter(contact__in=contacts, has_client_messages=True)
    counted = chats.order_by().values("contact").annotate(chats=Count("pk")).filter(chats__gt=1)
    return frozenset(counted.values_list("contact", flat=True))


class PastFacts(Mapping[str, Any]):
    """The facts of a moment: those of then; the hours of then; all others as the chat is now."""

    def __init__(self, moment: PastMoment, now: Callable[[], AskedFacts], time: OpenTime) -> None:
        self.moment, self.then, self.now, self.time = moment, moment.facts, now, time

    def __getitem__(self, field: str) -> Any:
        if field in self.then:
            return self.then[field]
        if field.startswith("previous."):
            return None
        if field in _BY_HOURS:
            return self._by_hours()[field]
        if field == "is_automatic":
            asked = [self.moment.message_id] if self.moment.message_id else []
            return bool(asked and automatic_messages(self.now().chat.widget_id, asked))
        return self.now()[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self.then)

    def __len__(self) -> int:
        return len(self.then)

    def _by_hours(self) -> dict[str, Any]:
        hours = self.time.hours
        if hours is None:
            return dict.fromkeys(_BY_HOURS)
        told = hours.now(self.moment.at)
        here = self.moment.at.astimezone(ZoneInfo(told.time_zone))
        return {"is_open": told.is_open, "weekday": DAYS[here.weekday()], "time": here.time()}


def chat_now(widget_id: int, chat_id: int, as_of: datetime) -> AskedFacts:
    """A chat's facts as they are now."""
    chat = Chat.objects.for_widget(widget_id).select_related("widget", "contact", "last_message").get(pk=chat_id)
    return AskedFacts(chat, {}, as_of)
