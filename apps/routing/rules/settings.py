"""The settings of routing and answer times, as they hold for a widget or one of its departments."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self

MIN_ACCEPT_SECONDS, MAX_ACCEPT_SECONDS = 10, 600
MAX_SILENT_MINUTES = 1440
MAX_OVERFLOW_MINUTES = 1440
MAX_CAPACITY, DEFAULT_CAPACITY = 100, 5
MAX_MISSES = 10
MIN_WARN_PERCENT, MAX_WARN_PERCENT = 50, 95
MAX_ANSWER_TIMES, MAX_ANSWER_MINUTES = 5, 43_200
METRICS = ("first_reply", "next_reply", "resolution")
PRIORITIES = ("low", "normal", "high", "urgent")
# The members that a department cannot have, and those that a widget cannot.
WIDGET_ALONE = ("capacity", "misses", "show_place", "show_expected")
DEPARTMENT_ALONE = ("overflow_department_id", "overflow_minutes")


class RoutingMode(StrEnum):
    """Whether waiting chats ring for all, or are offered to one operator after the other."""

    MANUAL = "manual"
    ROUTED = "routed"


class LanguageRule(StrEnum):
    """Whether operators who read the visitor's language are ignored, preferred, or the only ones."""

    IGNORE = "ignore"
    PREFER = "prefer"
    ONLY = "only"


class Clock(StrEnum):
    """Whether answer times run in open time alone, or round the clock."""

    OPEN = "open"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTime:
    """The minutes in which chats of a priority are answered and ended; without a priority: all other chats."""

    priority: str | None
    first_reply: int | None = None
    next_reply: int | None = None
    resolution: int | None = None

    def shown(self) -> dict[str, Any]:
        """As it is stored and as the API shows it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """The settings that hold: a department's own, then the widget's, then the defaults."""

    mode: RoutingMode = RoutingMode.MANUAL
    accept_seconds: int = 40
    silent_minutes: int = 0
    prefer_last: bool = True
    languages: LanguageRule = LanguageRule.PREFER
    overflow_department_id: int | None = None
    overflow_minutes: int | None = None
    answer_times: tuple[AnswerTime, ...] = ()
    warn_percent: int = 80
    clock: Clock = Clock.OPEN
    capacity: int = DEFAULT_CAPACITY
    misses: int = 3
    show_place: bool = True
    show_expected: bool = True

    @property
    def is_routed(self) -> bool:
        return self.mode is RoutingMode.ROUTED

    @property
    def overflows(self) -> bool:
        """Whether another department helps out with its chats."""
        return self.is_routed and self.overflow_department_id is not None and self.overflow_minutes is not None

    @classmethod
    def of(cls, *rows: Mapping[str, Any]) -> Self:
        """The settings that these rows give, the weakest first; a null of a row says nothing."""
        given = {name: value for row in rows for name, value in row.items() if value is not None}
        if "answer_times" in given:
            given["answer_times"] = tuple(AnswerTime(**each) for each in given["answer_times"])
        kinds: dict[str, Callable[[str], Any]] = {"mode": RoutingMode, "languages": LanguageRule, "clock": Clock}
        return cls(**{name: kinds[name](value) if name in kinds else value for name, value in given.items()})

    def answer_time(self, priority: str) -> AnswerTime | None:
        """The row of a priority, else that of all others."""
        by_priority = {each.priority: each for each in self.answer_times}
        return by_priority.get(priority, by_priority.get(None))


def answer_times_refusals(rows: Any) -> dict[str, str]:
    """Why these rows cannot be answer times, by path."""
    if not isinstance(rows, list):
        return {"": "A list of answer times is expected."}
    found = {} if len(rows) <= MAX_ANSWER_TIMES else {"": f"At most {MAX_ANSWER_TIMES} rows are allowed."}
    seen: set[str | None] = set()
    for place, row in enumerate(rows[:MAX_ANSWER_TIMES]):
        found |= {f"{place}{path and '.'}{path}": refusal for path, refusal in _row_refusals(row, seen).items()}
    return found


def _row_refusals(row: Any, seen: set[str | None]) -> dict[str, str]:
    if not isinstance(row, dict):
        return {"": "An object is expected."}
    if unknown := sorted(row.keys() - {"priority", *METRICS}):
        return {unknown[0]: "There is no such member."}
    found: dict[str, str] = {}
    priority = row.get("priority")
    if priority is not None and (not isinstance(priority, str) or priority not in PRIORITIES):
        found["priority"] = "Must be low, normal, high, urgent, or null for all others."
    elif priority in seen:
        found["priority"] = "Each priority has one row."
    else:
        seen.add(priority)
    return found | {name: refusal for name in METRICS if (refusal := _minutes_refusal(row.get(name)))}


def _minutes_refusal(minutes: Any) -> str | None:
    is_number = isinstance(minutes, int) and not isinstance(minutes, bool)
    if minutes is None or (is_number and 1 <= minutes <= MAX_ANSWER_MINUTES):
        return None
    return f"Must be from 1 to {MAX_ANSWER_MINUTES} minutes, or null."


def read_answer_times(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows with all their members, as they are stored."""
    return [AnswerTime(**{"priority": None, **row}).shown() for row in rows]


def named_again(ids: Iterable[int]) -> list[int]:
    """The places at which an id is named that was named before."""
    seen: set[int] = set()
    again = []
    for place, each in enumerate(ids):
        if each in seen:
            again.append(place)
        seen.add(each)
    return again
