"""The filters of reports: their values, and how one is written in an address. Pure.

A comma is *or*, several filters are *and*, `none` is null. A comma within a value is written `%2C` (in an address that
is `%252C`), a star at the end of a page `%2A`; a tag of the name `none` is `%6Eone`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

NONE = "none"
MAX_VALUES, MAX_LENGTH = 100, 1_000
MAX_ID = 2**63 - 1

OUTCOMES = ("open", "person", "ai", "dismissed", "unanswered")
ENDED_BY = ("operator", "api", "silence", "nobody")
OPENED_BY = ("visitor", "operator")
RATINGS = tuple(map(str, range(1, 6)))
WEEKDAYS = tuple(map(str, range(1, 8)))
HOURS = tuple(map(str, range(24)))

# A value of a filter; None is *none*.
Value = int | str | None


class BadValue(ValueError):
    """Why a value is none of its filter."""


@dataclass(frozen=True, slots=True)
class ReportFilter:
    """A filter: how a value of it is read, and whether it may be `none`. `named`: its values are ids of such rows."""

    name: str
    read: Callable[[str], Value]
    may_be_none: bool
    help_text: str
    named: str = ""


def escaped(value: str) -> str:
    """A text as a value of a filter, and as the key of a group."""
    value = value.replace(",", "%2C")
    if value.endswith("*"):
        value = value[:-1] + "%2A"
    return "%6Eone" if value == NONE else value


def unescaped(value: str) -> str:
    """The text of a value that was escaped."""
    if value.endswith("%2A"):
        value = value[:-3] + "*"
    return NONE if value == "%6Eone" else value.replace("%2C", ",")


def read_values(report_filter: ReportFilter, text: str) -> tuple[Value, ...]:
    """The values of a parameter, each once. Raises BadValue."""
    if len(text) > MAX_LENGTH * MAX_VALUES:
        raise BadValue("This is too long.")
    found: dict[Value, None] = {}
    for part in text.split(","):
        if not part:
            raise BadValue("An empty value means nothing: leave the parameter out, or send `none` for what has none.")
        found[None if part == NONE and report_filter.may_be_none else report_filter.read(part)] = None
    if len(found) > MAX_VALUES:
        raise BadValue(f"At most {MAX_VALUES} values.")
    return tuple(found)


def _id(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > len(str(MAX_ID)) or int(text) > MAX_ID:
        raise BadValue("A whole number is expected.")
    return int(text)


def _text(text: str) -> str:
    if len(text) > MAX_LENGTH:
        raise BadValue(f"At most {MAX_LENGTH} characters.")
    return text


def _language(text: str) -> str:
    return _text(text).lower()


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise BadValue(f"This is none of {', '.join(choices)}.")
        return text

    return read


def _number_of(choices: tuple[str, ...]) -> Callable[[str], int]:
    return lambda text: int(_one_of(choices)(text))


FILTERS: Mapping[str, ReportFilter] = {
    each.name: each
    for each in (
        ReportFilter("channel", _text, False, "Provider code; `widget` is the on-site widget."),
        ReportFilter("department_id", _id, True, "The department of the episode's end.", named="department"),
        ReportFilter(
            "agent_id",
            _id,
            True,
            "The writer of an answer in it; first replies, people's replies and ratings count where they are theirs.",
            named="operator",
        ),
        ReportFilter("assistant_id", _id, True, "The assistant that wrote an answer in it.", named="assistant"),
        ReportFilter("tag", _text, True, "A tag of the contact."),
        ReportFilter("language", _language, True, "The language of the visitor, such as `en`."),
        ReportFilter("page", _text, True, "Host and path of the page; with `*` at the end, all that begin so."),
        ReportFilter("handover", _text, True, "The reason of the first handover."),
        ReportFilter("outcome", _one_of(OUTCOMES), False, f"One of {', '.join(OUTCOMES)}."),
        ReportFilter("ended_by", _one_of(ENDED_BY), True, f"One of {', '.join(ENDED_BY)}."),
        ReportFilter("opened_by", _one_of(OPENED_BY), False, f"One of {', '.join(OPENED_BY)}."),
        ReportFilter("rating", _number_of(RATINGS), True, "1 to 5."),
        ReportFilter("weekday", _number_of(WEEKDAYS), False, "The day on which it was opened, Monday is 1."),
        ReportFilter("hour", _number_of(HOURS), False, "The hour of the clock in which it was opened, 0 to 23."),
        ReportFilter("chat_id", _id, False, "The chat.", named="chat"),
    )
}


def written(values: tuple[Value, ...]) -> str:
    """Values as a parameter has them."""
    return ",".join(NONE if each is None else str(each) for each in values)
