"""How many texts go into one call of a model, and how long is waited after one that failed."""

from collections.abc import Sequence

MAX_TEXTS, MAX_CHARACTERS = 64, 60_000
# The seconds after failed calls in a row; then EVERY_S for ever.
WAITS = (10.0, 60.0, 600.0)
EVERY_S = 300.0
LONGEST_RETRY_AFTER_S = 600.0

# Refusals for another reason than the texts; and those that a text may be the reason for, if they come again.
_ABOUT_THE_CALLER = (401, 402, 403, 404, 405, 429, 501)
_OF_A_SERVER_THAT_IS_DOWN = (408, 502, 503, 504, 524, 529)
# A text that any server of embeddings takes, if it takes one.
PROBE = "OK"


def fitting(lengths: Sequence[int]) -> int:
    """How many of the texts, from the first on, go into one call; one always does."""
    total = 0
    for number, length in enumerate(lengths):
        total += length
        if number and (number == MAX_TEXTS or total > MAX_CHARACTERS):
            return number
    return len(lengths)


def may_be_about_a_text(reason: str, status: int | None, *, attempts: int) -> bool:
    """Whether one of the texts may be why a call failed, so that the others are tried without it.

    A server that seems to be down is waited for first; if the texts fail again (`attempts`), they may be the reason.
    """
    if status in _ABOUT_THE_CALLER or reason in ("rejected_key", "rate_limited", "model_not_found"):
        return False
    seems_down = status in _OF_A_SERVER_THAT_IS_DOWN or reason in ("timeout", "unreachable")
    return attempts > 0 or not seems_down


def wait_s(retry_after: float | None) -> float | None:
    """The seconds that a provider asks to wait, as far as it is listened to; None: the queue's own wait."""
    return None if retry_after is None else min(max(retry_after, 1.0), LONGEST_RETRY_AFTER_S)
