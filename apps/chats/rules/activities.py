"""The steps of a chat that are told between its messages. The sweep's closing is not: its time tells of it. Pure."""

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


# What visitors are told, in these words: that a person came, closed the chat, or opened it again.
FOR_VISITORS = {
    StepKind.ACCEPTED: "joined",
    StepKind.ASSIGNED: "joined",
    StepKind.TRANSFERRED: "joined",
    StepKind.CLOSED: "closed",
    StepKind.REOPENED: "reopened",
}
