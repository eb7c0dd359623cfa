"""States and what leads from one to the next: wishes, cycles, probations (docs/guides/learning.md)."""

from enum import StrEnum


class WishStatus(StrEnum):
    """A wish's status."""

    SUBMITTED = "submitted"
    ON_PROBATION = "on_probation"
    KEPT = "kept"
    REJECTED = "rejected"
    REVERTED = "reverted"


class WishAction(StrEnum):
    """The steps of a wish, by a person or by itself."""

    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVERTED = "reverted"
    KEPT = "kept"
    ROLLED_BACK = "rolled_back"


class Draft(StrEnum):
    """Whether a model has drafted a wish's patch."""

    NONE = "none"
    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


# What people may do with a wish, by its status.
MAY = {
    WishStatus.SUBMITTED: {WishAction.APPROVED, WishAction.REJECTED},
    WishStatus.ON_PROBATION: {WishAction.REVERTED},
    WishStatus.KEPT: {WishAction.REVERTED},
    WishStatus.REJECTED: set(),
    WishStatus.REVERTED: set(),
}


def may(status: str, action: WishAction) -> bool:
    """Whether a wish of that status can be approved, rejected or reverted."""
    return action in MAY[WishStatus(status)]


class CycleState(StrEnum):
    """A cycle's state."""

    QUEUED = "queued"
    RUNNING = "running"
    APPLIED = "applied"
    NO_CHANGE = "no_change"
    REFUSED = "refused"
    FAILED = "failed"


ACTIVE = (CycleState.QUEUED, CycleState.RUNNING)


class CycleTrigger(StrEnum):
    """The origin of a cycle."""

    MANUAL = "manual"
    SCHEDULE = "schedule"


class CycleReason(StrEnum):
    """Why a cycle applied nothing; a guard rail's name, or `loses_cases`, where it is
    `refused`."""

    TOO_LITTLE_EVIDENCE = "too_little_evidence"
    NOTHING_PROPOSED = "nothing_proposed"
    NOT_BETTER = "not_better"
    PROVIDER_FAILURE = "provider_failure"
    INVALID_PROPOSAL = "invalid_proposal"
    GATE_CLOSED = "gate_closed"
    PERSONA_CHANGED = "persona_changed"
    BUDGET_EXHAUSTED = "budget_exhausted"
    CRASHED = "crashed"
    LOSES_CASES = "loses_cases"


class ProbationState(StrEnum):
    """How a probation stands."""

    RUNNING = "running"
    KEPT = "kept"
    ROLLED_BACK = "rolled_back"
    CANCELLED = "cancelled"


class ProbationKind(StrEnum):
    """The cause of a text on probation."""

    WISH = "wish"
    CYCLE = "cycle"


class DemandCategory(StrEnum):
    """The kinds of unmet demand."""

    KNOWLEDGE_GAP = "knowledge_gap"
    ESCALATION = "escalation"
    DISSATISFACTION = "dissatisfaction"
    MISSED_CONTACT = "missed_contact"
