"""Time windows in query strings: `from` (inclusive) and `to` (exclusive).

They accept any parseable date-time, read in Europe/Moscow; an explicit UTC offset is honoured; a bare date is its
midnight (specification, Endpoints, "Conventions").
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

from dateutil import parser
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.endpoints.serializers import Choice, Query
from apps.core.errors import INVALID_INPUT
from apps.core.parsing.periods import MOSCOW, Period, StartsAfterEnd, Window, window_of

# Midnight of 1 January 1970, by which some mean the beginning of everything, is earlier in Moscow.
EARLIEST, LATEST = datetime(1969, 12, 31, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
# Looking for a comment takes time that grows with the square of the length.
MAX_LENGTH_AS_SENT = 200
# "+03:00" arrives as " 03:00" from clients that do not escape the plus sign of a query string; "2026" is a year.
_UNESCAPED_PLUS = re.compile(r"(T\d{2}|\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?|GMT|UTC) (\d{2}:\d{2}|(?!19|20)\d{4})$")
# Of two days or two times of day, neither is what is meant; an offset is none.
_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_TIME_OF_DAY = re.compile(r"(?<![+-])\b\d{1,2}:\d{2}")
# 05.06.2026 and 05-06-2026 are in June, where dates are written so; 05/06/2026 is in May.
_DAY_FIRST = re.compile(r"\b\d{1,2}([.-])\d{1,2}\1\d{4}\b")
# 05.06.26 is one day or another; nobody can say in which century.
_SHORT_YEAR = re.compile(r"\b\d{1,2}([./-])\d{1,2}\1\d{2}\b")
# A date with an offset is its midnight there. Python would take the sign for what divides it from a time.
_DATE_WITH_OFFSET = re.compile(r"^(\d{4}-\d{2}-\d{2})(?=[+-]\d{2}:?\d{2}$)")
_ISO = re.compile(r"[\dW-]+(?:[Tt ]|$)")
# The end of a browser's date, "(Moscow Standard Time)": it says the offset again, in the browser's language.
_COMMENT = re.compile(r"(?<!\s)\s*+\([^()]*+\)$")
# "GMT+0300", as JavaScript writes it, is three hours ahead; dateutil takes it the other way round.
_ZONE_BEFORE_OFFSET = re.compile(r"\b(?:GMT|UTC)\s*(?=[+-]\d)")
# A text that leaves out the year, month or day reads differently against these two days.
_DEFAULTS = datetime(2000, 1, 1), datetime(2023, 12, 28)  # noqa: DTZ001 - given their zone below


@extend_schema_field({"type": "string", "examples": ["2026-11-21T13:45:00+03:00", "2026-11-21"]})
class Moment(serializers.Field[datetime, Any, str, Any]):
    """A date-time in a query string or a body, as an aware datetime in UTC."""

    default_error_messages = {
        "invalid": "This is no date-time. Example: 2026-11-21T13:45:00+03:00, or 2026-11-21 for its midnight in Moscow."
    }

    def to_internal_value(self, data: Any) -> datetime:
        moment = parse_moment(data) if isinstance(data, str) else None
        if moment is None:
            self.fail("invalid")
        return moment

    def to_representation(self, value: datetime) -> str:
        return value.isoformat()


def parse_moment(text: str, zone: tzinfo = MOSCOW) -> datetime | None:
    """The moment that `text` names, in UTC; None when it names none (or leaves out the year, month or day)."""
    if len(text) > MAX_LENGTH_AS_SENT:
        return None
    text = _UNESCAPED_PLUS.sub(r"\1+\2", _COMMENT.sub("", text.strip()))
    if not text or len(text) > 64 or not text.isascii():
        return None
    text = _DATE_WITH_OFFSET.sub(r"\1T00:00", text)
    moment = _parse_iso(text) or _parse_freely(text)
    if moment is None:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    try:
        moment = moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return moment if EARLIEST <= moment <= LATEST else None


def _parse_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if _ISO.match(text) else None
    except ValueError:
        return None


def _parse_freely(text: str) -> datetime | None:
    text = _ZONE_BEFORE_OFFSET.sub("", text)
    if len(_TIME_OF_DAY.findall(text)) > 1 or len(_DAY.findall(text)) > 1 or _SHORT_YEAR.search(text):
        return None
    day_first = _DAY_FIRST.search(text) is not None
    try:
        first, second = (
            parser.parse(text, default=default, dayfirst=day_first, tzinfos=_zone) for default in _DEFAULTS
        )
    except (ValueError, OverflowError, TypeError, AttributeError):
        return None
    return first if first == second else None


def _zone(name: str | None, offset: int | None) -> tzinfo | None:
    """The zone of a date-time. Raises ValueError for a name without an offset but Moscow's own: EST is several."""
    if name == "MSK":
        return MOSCOW
    if offset is None:
        if name is not None:
            raise ValueError(name)
        return None
    return timezone(timedelta(seconds=offset))


class PeriodQuery(Query):
    """The window that statistics are counted in: a period of the calendar, or `from` and `to`, not both."""

    period = Choice(
        required=False,
        choices=list(Period),
        help_text="In Europe/Moscow: the day, the week from Monday or the month from the 1st until now; or yesterday.",
    )
    vars()["from"] = Moment(
        required=False,
        help_text="Inclusive. Read in Europe/Moscow unless it has an offset. Default: 30 days before `to`.",
    )
    to = Moment(required=False, help_text="Exclusive. A bare date is its midnight. Default: now.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "period" in attrs and ("from" in attrs or "to" in attrs):
            raise serializers.ValidationError({"period": ["Send a `period`, or `from` and `to`, not both."]})
        refuse_backwards(attrs.get("from"), attrs.get("to"))
        return attrs


def refuse_backwards(start: datetime | None, end: datetime | None) -> None:
    """Raises a ValidationError on `to` of a window that ends before it starts."""
    if start and end and start > end:
        raise serializers.ValidationError({"to": ["`to` must not be before `from`."]})


def window_asked_for(query: dict[str, Any], *, now: datetime) -> Window:
    """The window that a validated `PeriodQuery` means. Raises INVALID_INPUT (422) for a lone `from` still to come."""
    period = query.get("period")
    try:
        return window_of(now=now, start=query.get("from"), end=query.get("to"), period=period and Period(period))
    except StartsAfterEnd:
        raise INVALID_INPUT(
            errors={"from": ["`from` is still to come, and without `to` the window ends now."]}
        ) from None
