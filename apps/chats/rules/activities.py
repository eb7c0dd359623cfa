"""The steps of a chat that are told between its messages. The sweep's closing is not: its time tells of it. Pure."""

from enum import StrEnum

MAX_COMMENT = 1_000

# The comment of a chat's return whose owner was suspended or removed.
OWNER_GONE = "owner_gone"


class StepKind(StrEnum):
    ACCEPTED = "accepted"
    ASSIGNED = "assigned"
    TRANSFERRED = "transferred"
    RETURNED = "returned"  # it was a person's, and is nobody's again
    CLOSED = "closed"
    REOPENED = "reopened"
    RATED = "rated"
    WAITS = "waits"  # for a person: it was handed over
    TRANSLATED = "translated"  # its translation was switched on
    UNTRANSLATED = "untranslated"
    ROUTED = "routed"  # it was offered or given to an operator by the router
    PRIORITY = "priority"  # its priority is another
    AUTOMATION = "automation"  # an automation or a macro acted: the comment is its name
    DEALT_WITH = "dealt_with"  # an operator said that the visitor needs no answer
    CARD = "card"  # an operator pressed a button of a card from the shop's own system


# What visitors are told, in these words: that a person came, closed the chat, or opened it again.
FOR_VISITORS = {
    StepKind.ACCEPTED: "joined",
    StepKind.ASSIGNED: "joined",
    StepKind.TRANSFERRED: "joined",
    StepKind.CLOSED: "closed",
    StepKind.REOPENED: "reopened",
}
