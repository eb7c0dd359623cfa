"""Attempts of a delivery: when one is repeated, and when it is given up."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.core.destinations import Failure
from apps.webhooks.rules.catalogue import CATALOGUE

# --- Attempts ---------------------------------------------------------------------------------------------------------

MAX_ATTEMPTS = 4


MAX_WAIT_S = 60


# A crash eats no attempt, but a delivery that takes its worker down with it must not do so for ever.
MAX_CLAIMS = 20


class DeliveryStatus(StrEnum):
    """The status of a delivery; all but PENDING are final."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    SKIPPED = "skipped"


def wait_after(attempt: int) -> int:
    """Seconds between attempt number `attempt` (from 1) and the next: min(60, 2^attempt * 5)."""
    return int(min(MAX_WAIT_S, 2**attempt * 5))


@dataclass(frozen=True, slots=True)
class AttemptVerdict:
    """The outcome of a claimed delivery, and the new state of its row."""

    status: DeliveryStatus
    made_attempt: bool
    gives_back: bool = False
    wait_s: int = 0
    response_status: int | None = None
    error: str = ""
    reason: "Failure | None" = None


# Why a call got no answer, in the words of `egress`, where an outcome tells it apart.
_TOLD_APART: "Mapping[str, Failure]" = {"timeout": "timeout", "tls": "tls_failed"}


def call_failure(egress_reason: str) -> "Failure":
    """The failure of a call that `egress` refused, or that got no answer."""
    return _TOLD_APART.get(egress_reason, "unreachable")


def after_answer(status: int, *, attempts_before: int, of: int = MAX_ATTEMPTS) -> AttemptVerdict:
    """The verdict on an answer: 2xx is delivered; anything else, a redirect too, has used up one attempt of `of`."""
    if 200 <= status < 300:
        return AttemptVerdict(DeliveryStatus.DELIVERED, made_attempt=True, response_status=status)
    return _after_failure(f"The receiver answered {status}.", "bad_status", status, attempts_before, of)


def after_no_answer(error: str, failure: "Failure", *, attempts_before: int, of: int = MAX_ATTEMPTS) -> AttemptVerdict:
    """The verdict on a transport error or a timeout: one attempt of `of` is used up."""
    return _after_failure(error, failure, None, attempts_before, of)


def failed_for_good(error: str, failure: "Failure") -> AttemptVerdict:
    """The verdict on a delivery that can't be made at all: no attempt helps."""
    return AttemptVerdict(DeliveryStatus.FAILED, made_attempt=False, error=error, reason=failure)


# Its destination is gone or inactive, or the event type is switched off.
SKIPPED = AttemptVerdict(DeliveryStatus.SKIPPED, made_attempt=False)


# Not tried after all: as if it had not been claimed.
GIVEN_BACK = AttemptVerdict(DeliveryStatus.PENDING, made_attempt=False, gives_back=True)


def _after_failure(
    error: str, failure: "Failure", response_status: int | None, attempts_before: int, of: int
) -> AttemptVerdict:
    attempt = attempts_before + 1
    is_last = attempt >= of
    return AttemptVerdict(
        DeliveryStatus.FAILED if is_last else DeliveryStatus.PENDING,
        made_attempt=True,
        wait_s=0 if is_last else wait_after(attempt),
        response_status=response_status,
        error=error,
        reason=failure,
    )


class Irredeliverable(StrEnum):
    """Why a delivery is not sent again."""

    UNDER_WAY = "under_way"
    NO_RECEIVER = "no_receiver"
    INACTIVE = "inactive"
    SENT_AS_LEGACY = "sent_as_legacy"
    NO_LEGACY_NAME = "no_legacy_name"
    SWITCHED_OFF = "switched_off"


# Deliveries that one call sends again.
MOST_AGAIN = 1000


def redelivery_refusal(
    *,
    status: str,
    event_type: str,
    is_legacy: bool,
    is_active: bool | None,
    is_legacy_compat: bool | None,
    enabled: Collection[str],
) -> Irredeliverable | None:
    """Why a delivery can't be sent again; None when it can (specification, "Retry and redelivery", 5 and 6).

    `is_legacy`: it was sent in the legacy envelope. `is_active` and `is_legacy_compat` are its subscription's now, None
    where that is gone; `enabled` are the native names of the event types that are enabled platform-wide.

    If the specification is silent, a delivery that would only be dropped again is refused: its subscription is not
    active, or its event type is switched off; a delivery under way is sent anyhow.
    """
    if is_active is None:
        return Irredeliverable.NO_RECEIVER
    if status == DeliveryStatus.PENDING:
        return Irredeliverable.UNDER_WAY
    if is_legacy:
        return Irredeliverable.SENT_AS_LEGACY
    if not is_active:
        return Irredeliverable.INACTIVE
    if is_legacy_compat and CATALOGUE[event_type].legacy_name is None:
        return Irredeliverable.NO_LEGACY_NAME
    if event_type not in enabled:
        return Irredeliverable.SWITCHED_OFF
    return None
