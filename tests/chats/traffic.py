"""Made-up traffic of a widget, and statistics of it worked out the plain way: what the real ones are compared with."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from statistics import fmean
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.chats.models import Chat, Rating
from tests.factories import ChatFactory, DepartmentFactory, MessageFactory

MOSCOW = ZoneInfo("Europe/Moscow")
# Around Moscow's change of clocks on 26 October 2014: most windows below have it inside.
MIDDLE = datetime(2014, 10, 26, tzinfo=UTC)
ANSWERS = ("agent", "ai", "external_operator")


@dataclass(frozen=True, slots=True)
class Written:
    """A message: when, by whom, for whom."""

    at: datetime
    sender_kind: str
    is_internal: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """A chat, with its messages in the order of the talk."""

    opened_at: datetime
    channel: str
    handling: str
    accepted_type: str | None
    handled_type: str | None
    accepted_at: datetime | None
    is_of_internal_department: bool
    rating: int
    rated_at: datetime | None
    messages: list[Written] = field(default_factory=list)


# How handling, who accepted and who handles go together.
_ATTRIBUTIONS = (
    ("missed", None, None),
    ("human", "human", "human"),
    ("ai", "ai", "ai"),
    ("ai_to_human", "ai", "human"),
    ("human_to_ai", "human", "ai"),
)

# Often exactly at a boundary of a day, a week or a month in Moscow (three hours ahead, four before the change).
_moments = st.builds(
    lambda hours, microseconds: MIDDLE + timedelta(hours=hours, microseconds=microseconds),
    st.integers(-24 * 40, 24 * 40),
    st.sampled_from([0, 0, -1, 1, 1_234_567_890]),
)


@st.composite
def _talks(draw: st.DrawFn) -> Talk:
    opened_at = draw(_moments)
    handling, accepted_type, handled_type = draw(st.sampled_from(_ATTRIBUTIONS))
    after = st.timedeltas(timedelta(), timedelta(days=20))
    return Talk(
        opened_at=opened_at,
        channel=draw(st.sampled_from(["widget", "tg", "ch7"])),
        handling=handling,
        accepted_type=accepted_type,
        handled_type=handled_type,
        accepted_at=opened_at + draw(after) if accepted_type and draw(st.integers(0, 4)) else None,
        is_of_internal_department=draw(st.integers(0, 4)) == 0,
        rating=draw(st.integers(1, 5)),
        rated_at=draw(st.none() | after.map(lambda passed: opened_at + passed)),
        messages=sorted(
            draw(
                st.lists(
                    st.builds(
                        Written,
                        at=after.map(lambda passed: opened_at + passed),
                        sender_kind=st.sampled_from(["client", "client", *ANSWERS, "system"]),
                        is_internal=st.integers(0, 5).map(lambda number: number == 0),
                    ),
                    max_size=6,
                )
            ),
            key=lambda written: written.at,
        ),
    )


traffic = st.lists(_talks(), max_size=12)
windows = st.lists(_moments, min_size=2, max_size=2, unique=True).map(sorted).map(tuple)


def happen(talks: Iterable[Talk], widget: Widget) -> None:
    """Makes the rows."""
    department = DepartmentFactory.create(widget=widget)
    internal = DepartmentFactory.create(widget=widget, internal=True)
    for number, talk in enumerate(talks):
        chat = _chat(talk, widget, internal if talk.is_of_internal_department else (None, department)[number % 2])
        if talk.rated_at:
            Rating.objects.create(widget=widget, chat=chat, value=talk.rating, rated_at=talk.rated_at)
        for message in talk.messages:
            MessageFactory.create(
                chat=chat, created_at=message.at, sender_kind=message.sender_kind, is_internal=message.is_internal
            )


def _chat(talk: Talk, widget: Widget, department: Department | None) -> Chat:
    return ChatFactory.create(
        contact__widget=widget,
        department=department,
        created_at=talk.opened_at,
        channel=talk.channel,
        handling=talk.handling,
        accepted_type=talk.accepted_type,
        accepted_at=talk.accepted_at,
        handled_type=talk.handled_type,
        handled_at=talk.accepted_at,
    )


def metrics(talks: Iterable[Talk], start: datetime, end: datetime) -> dict[str, Any]:
    """Every metric of the window."""
    talks = list(talks)
    opened = [talk for talk in talks if start <= talk.opened_at < end]
    written = [message for talk in talks for message in talk.messages if start <= message.at < end]

    def count(of: Callable[[Talk], bool]) -> int:
        return len([talk for talk in opened if of(talk)])

    waits = [(talk.accepted_at - talk.opened_at).total_seconds() for talk in opened if talk.accepted_at]
    ratings = [talk.rating for talk in talks if talk.rated_at and start <= talk.rated_at < end]
    first_waits = [wait for talk in opened if (wait := first_response(talk)) is not None]
    return {
        "chats_total": len(opened),
        "chats_missed": count(lambda talk: talk.handling == "missed"),
        "chats_accepted": count(lambda talk: talk.handling != "missed"),
        "chats_accepted_ai": count(lambda talk: talk.accepted_type == "ai"),
        "chats_accepted_human": count(lambda talk: talk.accepted_type == "human"),
        "chats_handled_ai": count(lambda talk: talk.handled_type == "ai"),
        "chats_handled_human": count(lambda talk: talk.handled_type == "human"),
        "chats_ai_to_human": count(lambda talk: talk.handling == "ai_to_human"),
        "chats_human_to_ai": count(lambda talk: talk.handling == "human_to_ai"),
        "messages_total": len([m for m in written if m.sender_kind != "system" and not m.is_internal]),
        "avg_response_time_seconds": fmean(waits) if waits else None,
        "rating_average": fmean(ratings) if ratings else None,
        "avg_first_response_seconds": fmean(first_waits) if first_waits else None,
    }


def first_response(talk: Talk) -> float | None:
    """From the visitor's first message to the first answer after it, in seconds."""
    asked: datetime | None = None
    for message in talk.messages:
        if message.is_internal:
            continue
        if asked is None and message.sender_kind == "client":
            asked = message.at
        elif asked is not None and message.sender_kind in ANSWERS:
            return (message.at - asked).total_seconds()
    return None


def channels(talks: Iterable[Talk], start: datetime, end: datetime) -> list[dict[str, Any]]:
    """What is told of each channel."""
    external = [talk for talk in talks if not talk.is_of_internal_department]
    rows = []
    for channel in sorted({talk.channel for talk in external if start <= talk.opened_at < end}):
        counted = metrics([talk for talk in external if talk.channel == channel], start, end)
        names = ("chats_accepted", "chats_accepted_ai", "chats_accepted_human", "chats_missed")
        rows.append({"channel": channel, **{name: counted[name] for name in names}})
    return rows


SERIES = (
    "chats_total",
    "chats_missed",
    "chats_accepted",
    "chats_accepted_ai",
    "chats_accepted_human",
    "messages_total",
)


def series(talks: Iterable[Talk], start: datetime, end: datetime, interval: str) -> list[dict[str, Any]]:
    """What is told of each bucket: hour by hour through the window, a new bucket where Moscow's calendar turns."""
    talks = list(talks)
    edges = [start, *_turns(start, end, interval), end]
    shown = []
    for first, last in itertools.pairwise(edges):
        counted = metrics(talks, first, last)
        shown.append({"from": moscow(first), "to": moscow(last), **{name: counted[name] for name in SERIES}})
    return shown


def _turns(start: datetime, end: datetime, interval: str) -> Iterator[datetime]:
    """Moscow's offset is a number of hours, so its calendar turns at whole hours of UTC."""
    hour = start.replace(minute=0, second=0, microsecond=0)
    while (hour := hour + timedelta(hours=1)) < end:
        before, now = ((hour - timedelta(seconds=s)).astimezone(MOSCOW).date() for s in (1, 0))
        if _name(before, interval) != _name(now, interval):
            yield hour


def _name(day: date, interval: str) -> str:
    return day.strftime({"day": "%Y-%m-%d", "week": "%G-%V", "month": "%Y-%m"}[interval])


def moscow(moment: datetime) -> str:
    """As it stands in an answer."""
    return moment.astimezone(MOSCOW).isoformat()


def told(widget: Widget) -> list[Talk]:
    """The traffic that the rows tell of."""
    return [
        Talk(
            opened_at=chat.created_at,
            channel=chat.channel,
            handling=chat.handling,
            accepted_type=chat.accepted_type,
            handled_type=chat.handled_type,
            accepted_at=chat.accepted_at,
            is_of_internal_department=chat.internal,
            rating=rating.value if rating else 0,
            rated_at=rating.rated_at if rating else None,
            messages=[
                Written(message.created_at, message.sender_kind, message.is_internal)
                for message in chat.messages.order_by("id")
            ],
        )
        for chat in Chat.objects.filter(widget=widget).select_related("department")
        for rating in [chat.ratings.first()]
    ]
