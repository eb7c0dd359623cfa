"""An operation that ends: since when it is deprecated, and when it ends, in every answer (docs/deprecation.md)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from email.utils import format_datetime

from django.conf import settings
from django.http.response import HttpResponseBase

CHANGELOG = "/api/docs/guides/api-changelog"
MONTHS_AHEAD = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """Declared at an operation. `instead` says what to call; `ends` is the day of its end, once that is fixed.

    Raises ValueError for an end that is less than 12 months after the beginning.
    """

    since: date
    instead: str
    ends: date | None = None

    def __post_init__(self) -> None:
        if self.ends is not None and self.ends < _months_later(self.since, MONTHS_AHEAD):
            raise ValueError(f"deprecated on {self.since}, ended on {self.ends}: {MONTHS_AHEAD} months are promised")

    @property
    def told(self) -> str:
        """The sentence of the documentation."""
        ends = f" It ends on {self.ends}." if self.ends else ""
        return f"**Deprecated** since {self.since}.{ends} {self.instead}"

    def write_headers(self, response: HttpResponseBase) -> None:
        """Tells it in an answer, a refusal too: `Deprecation` (RFC 9745), `Link`, and `Sunset` (RFC 8594)."""
        response.headers["Deprecation"] = f"@{int(_begin_of(self.since).timestamp())}"
        page = f'<{settings.PUBLIC_URL}{CHANGELOG}>; rel="deprecation"; type="text/html"'
        before = response.headers.get("Link")
        response.headers["Link"] = f"{before}, {page}" if before else page
        if self.ends is not None:
            response.headers["Sunset"] = format_datetime(_begin_of(self.ends), usegmt=True)


def _begin_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _months_later(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, min(day.day, 28))
