"""The outcomes of offers, and the reasons for an operator: before the others, and now."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class OfferOutcome(StrEnum):
    """The end of an offer; `assigned` was given without one."""

    ACCEPTED = "accepted"
    DECLINED = "declined"
    MISSED = "missed"
    TAKEN = "taken"
    WITHDRAWN = "withdrawn"
    ASSIGNED = "assigned"


class Reason(StrEnum):
    """Why this operator before the others (the first five), and why now (the others)."""

    LAST_OPERATOR = "last_operator"
    LANGUAGE = "language"
    FEWEST_OPEN = "fewest_open"
    LONGEST_IDLE = "longest_idle"
    ONLY_ONE = "only_one"
    PASSED = "passed"
    OWNER_AWAY = "owner_away"
    OWNER_SILENT = "owner_silent"
    OVERFLOW = "overflow"


def shown_why(why: Mapping[str, Any]) -> dict[str, Any]:
    """The reasons of an offer as operators and the API are told them, without the chat's owner then."""
    return {name: value for name, value in why.items() if name != "owner_id"}
