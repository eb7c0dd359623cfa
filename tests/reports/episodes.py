"""Made episodes, and a slow plain count of them: what each figure of a report says, in Python."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.reports.models import EpisodeRow
from apps.reports.rules.filters import escaped

DAY = timedelta(days=1)
PAGES = ("shop.example/", "shop.example/tulips", "shop.example/roses,red", "blog.example/a*", None)


@dataclass(frozen=True)
class Cast:
    """Whom episodes are made of."""

    widget: Widget
    chats: Sequence[Chat]
    departments: Sequence[int]
    agents: Sequence[int]
    assistants: Sequence[int]


def made_episodes(cast: Cast, *, start: datetime, end: datetime, count: int, seed: int) -> list[EpisodeRow]:
    """Episodes of every kind that were opened between two moments; the same for the same seed."""
    chance = random.Random(seed)
    span = int((end - start).total_seconds())
    rows = [
        _episode(cast, chance, start + timedelta(seconds=chance.randrange(span)), number) for number in range(count)
    ]
    return EpisodeRow.objects.bulk_create(rows, batch_size=500)


def _episode(cast: Cast, chance: random.Random, opened_at: datetime, number: int) -> EpisodeRow:
    chat = chance.choice(cast.chats)
    ended_by = chance.choice(("operator", "api", "silence", "nobody"))
    ended_at = opened_at + timedelta(seconds=chance.randrange(60, 4 * 86_400))
    outcome = "unanswered" if ended_by == "nobody" else chance.choice(("person", "ai", "dismissed", "person"))
    replied, person = chance.random() < 0.7, chance.random() < 0.6
    reply_at = opened_at + timedelta(seconds=chance.randrange(3_600))
    person_from = opened_at + timedelta(seconds=chance.randrange(600))
    person_at = person_from + timedelta(seconds=chance.randrange(7_200))
    waits = [(opened_at, reply_at)] if replied else []
    handed_over = chance.random() < 0.3
    rated = chance.random() < 0.4
    is_ai = chance.random() < 0.5
    kind = chance.choice(("person", "ai", None)) if rated else None
    agents = sorted(chance.sample(list(cast.agents), chance.randrange(0, len(cast.agents))))
    return EpisodeRow(
        id=1_000_000 + number,
        widget=cast.widget,
        chat_id=chat.pk,
        contact_id=chat.contact_id,
        person_id=chat.contact_id,
        channel=chance.choice(("widget", "tg__1", "mail__2")),
        department_id=chance.choice((*cast.departments, None)),
        open_department_id=chance.choice((*cast.departments, None)),
        language=chance.choice(("en", "ru", None)),
        page=chance.choice(PAGES),
        opened_at=opened_at,
        opened_by=chance.choice(("visitor", "operator")),
        first_reply_at=reply_at if replied else None,
        first_reply_seconds=int((reply_at - opened_at).total_seconds()) if replied else None,
        first_reply_kind=chance.choice(("person", "ai")) if replied else None,
        first_reply_agent_id=chance.choice((*agents, None)) if replied else None,
        person_reply_from=person_from if person else None,
        person_reply_at=person_at if person else None,
        person_reply_seconds=int((person_at - person_from).total_seconds()) if person else None,
        person_reply_agent_id=chance.choice((*agents, None)) if person else None,
        wait_starts=[since for since, _ in waits],
        wait_ends=[until for _, until in waits],
        waits_since=opened_at + timedelta(minutes=5) if chance.random() < 0.3 else None,
        longest_wait_seconds=int((reply_at - opened_at).total_seconds()) if replied else None,
        handed_over_at=opened_at + timedelta(minutes=2) if handed_over else None,
        handed_over_reason=chance.choice(("asked", "no, thanks", "none", None)) if handed_over else None,
        ai_involved=is_ai or handed_over,
        ended_at=ended_at,
        ended_by=ended_by,
        ended_by_agent_id=chance.choice((*cast.agents, None)) if ended_by == "operator" else None,
        ended_from=ended_at + (DAY + timedelta(microseconds=1) if ended_by == "silence" else timedelta()),
        outcome=outcome,
        reopened_at=ended_at + timedelta(hours=5) if chance.random() < 0.2 else None,
        asked_at=opened_at + timedelta(hours=1) if chance.random() < 0.5 else None,
        rating_value=chance.randrange(1, 6) if rated else None,
        rated_at=opened_at + timedelta(hours=2) if rated else None,
        rating_kind=kind,
        rating_agent_id=chance.choice((*agents, None)) if kind else None,
        agents=agents,
        assistants=sorted(chance.sample(list(cast.assistants), chance.randrange(0, 1 + len(cast.assistants)))),
        messages_visitor=chance.randrange(1, 9),
        messages_person=chance.randrange(9),
        messages_ai=chance.randrange(9),
    )


@dataclass(frozen=True)
class Seen:
    """An episode as a question sees it at a moment: the plain words of the design, one attribute each."""

    row: EpisodeRow
    as_of: datetime
    theirs: Callable[[int | None], bool] = lambda agent_id: True
    seconds_between: Callable[[int | None, datetime, datetime], int] | None = None

    @property
    def is_ended(self) -> bool:
        return self.as_of >= self.row.ended_from

    @property
    def outcome(self) -> str:
        return self.row.outcome if self.is_ended else "open"

    @property
    def ended_by(self) -> str | None:
        return self.row.ended_by if self.is_ended else None

    @property
    def department_id(self) -> int | None:
        return self.row.department_id if self.is_ended else self.row.open_department_id

    @property
    def is_settled(self) -> bool:
        return self.outcome in ("person", "ai") and self.is_old

    @property
    def is_old(self) -> bool:
        return self.is_ended and self.row.ended_at + 7 * DAY <= self.as_of

    @property
    def is_reopened(self) -> bool:
        return self.row.reopened_at is not None

    @property
    def rating(self) -> int | None:
        return self.row.rating_value if self.theirs(self.row.rating_agent_id) else None

    @property
    def rating_kind(self) -> str | None:
        return self.row.rating_kind if self.rating is not None else None

    def _seconds(self, since: datetime, until: datetime) -> int:
        if self.seconds_between is not None:
            return self.seconds_between(self.department_id, since, until)
        return int((until - since).total_seconds())

    @property
    def first_reply(self) -> int | None:
        row = self.row
        if row.first_reply_at is None or not self.theirs(row.first_reply_agent_id):
            return None
        return self._seconds(row.opened_at, row.first_reply_at)

    @property
    def person_reply(self) -> int | None:
        row = self.row
        if row.person_reply_at is None or row.person_reply_from is None or not self.theirs(row.person_reply_agent_id):
            return None
        return self._seconds(row.person_reply_from, row.person_reply_at)

    @property
    def longest_wait(self) -> int | None:
        row = self.row
        waits = list(zip(row.wait_starts, row.wait_ends, strict=True))
        if row.waits_since is not None and self.is_ended:
            waits.append((row.waits_since, row.ended_at))
        return max((max(0, self._seconds(*wait)) for wait in waits), default=None)

    @property
    def duration(self) -> int | None:
        if self.outcome not in ("person", "ai"):
            return None
        return int((self.row.ended_at - self.row.opened_at).total_seconds())


COUNTED: dict[str, Callable[[Seen], bool]] = {
    "episodes": lambda e: True,
    "open": lambda e: e.outcome == "open",
    "by_person": lambda e: e.outcome == "person",
    "by_ai": lambda e: e.outcome == "ai",
    "dismissed": lambda e: e.outcome == "dismissed",
    "unanswered": lambda e: e.outcome == "unanswered",
    "answered": lambda e: e.first_reply is not None,
    "ai_involved": lambda e: e.row.ai_involved,
    "handed_over": lambda e: e.row.handed_over_at is not None,
    "settled": lambda e: e.is_settled,
    "reopened": lambda e: e.is_settled and e.is_reopened,
    "durable": lambda e: e.is_settled and not e.is_reopened,
    "ai_settled": lambda e: e.row.ai_involved and e.is_old,
    "ai_resolved": lambda e: (
        e.is_settled and not e.is_reopened and e.outcome == "ai" and e.row.ai_involved and e.row.handed_over_at is None
    ),
    "asked": lambda e: e.row.asked_at is not None,
    "responded": lambda e: e.row.asked_at is not None and e.rating is not None,
    "rated": lambda e: e.rating is not None,
    "rated_person": lambda e: e.rating_kind == "person",
    "rated_ai": lambda e: e.rating_kind == "ai",
    "good": lambda e: (e.rating or 0) >= 4,
    "good_person": lambda e: (e.rating or 0) >= 4 and e.rating_kind == "person",
    "good_ai": lambda e: (e.rating or 0) >= 4 and e.rating_kind == "ai",
    "low": lambda e: e.rating is not None and e.rating <= 2,
}
OUT_OF = {
    **dict.fromkeys(COUNTED, "episodes"),
    "episodes": None,
    "people": None,
    "handed_over": "ai_involved",
    "reopened": "settled",
    "durable": "settled",
    "ai_settled": "ai_involved",
    "ai_resolved": "ai_settled",
    "responded": "asked",
    "good": "rated",
    "good_person": "rated_person",
    "good_ai": "rated_ai",
    "low": "rated",
}
TIMED: dict[str, Callable[[Seen], int | None]] = {
    "first_reply": lambda e: e.first_reply,
    "person_reply": lambda e: e.person_reply,
    "longest_wait": lambda e: e.longest_wait,
    "duration": lambda e: e.duration,
}


def counted(episodes: Sequence[Seen]) -> dict[str, Any]:
    """Every figure: `(value, of, rate)`, of times `(n, p50, p90)`."""
    values = {name: sum(map(holds, episodes)) for name, holds in COUNTED.items()}
    values["people"] = len({each.row.person_id for each in episodes})
    found: dict[str, Any] = {}
    for name, value in values.items():
        base = OUT_OF[name]
        of = None if base is None else values[base]
        found[name] = (value, of, round(value / of, 4) if of else None)
    for name, time_of in TIMED.items():
        times = sorted(seconds for each in episodes if (seconds := time_of(each)) is not None)
        found[name] = (len(times), *(times[ceil(len(times) * p / 100) - 1] if times else None for p in (50, 90)))
    return found


def of_agents(episodes: Sequence[Seen], wanted: Sequence[int | None]) -> list[Seen]:
    """The episodes in which one of these wrote an answer (None: nobody did), as far as it is theirs."""
    return [
        replace(each, theirs=lambda agent_id: agent_id in wanted)
        for each in episodes
        if set(each.row.agents) & set(wanted) or (None in wanted and not each.row.agents)
    ]


def keys_of(group: str, zone: ZoneInfo, tags: dict[int, list[str]]) -> Callable[[Seen], list[str]]:
    """The keys that an episode has in a group."""

    def keys(each: Seen) -> list[str]:
        row, face = each.row, each.row.opened_at.astimezone(zone)
        one: dict[str, Callable[[], Any]] = {
            "day": lambda: face.date(),
            "week": lambda: face.date() - face.weekday() * DAY,
            "month": lambda: face.strftime("%Y-%m"),
            "weekday_hour": lambda: f"{face.isoweekday()}-{face.hour:02}",
            "channel": lambda: row.channel,
            "department": lambda: each.department_id,
            "language": lambda: row.language,
            "page": lambda: row.page,
            "handover": lambda: row.handed_over_reason,
            "outcome": lambda: each.outcome,
            "ended_by": lambda: each.ended_by,
            "rating": lambda: each.rating,
        }
        several: dict[str, Callable[[], list[Any]]] = {
            "agent": lambda: row.agents,
            "assistant": lambda: row.assistants,
            "tag": lambda: tags.get(row.person_id, []),
        }
        found = (several[group]() or [None]) if group in several else [one[group]()]
        return ["none" if key is None else escaped(str(key)) for key in found]

    return keys


def moment(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
