"""What of a chat's course is told between its messages. The sweep's closing is not: its time tells of it. Pure."""

from enum import StrEnum

MAX_COMMENT = 1_000


class StepKind(StrEnum):
    ACCEPTED = "accepted"
    ASSIGNED = "assigned"
    TRANSFERRED = "transferred"
    RETURNED = "returned"  # it was a person's, and is nobody's again
    CLOSED = "closed"
    REOPENED = "reopened"
    RATED = "rated"
    WAITS = "waits"  # for a person: it was handed over
