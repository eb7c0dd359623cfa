"""How many texts go into one call of a model, and how long is waited after one that failed."""

from collections.abc import Sequence

MAX_TEXTS, MAX_CHARACTERS = 64, 60_000
# The seconds after failed calls in a row; then EVERY_S for ever.
WAITS = (10.0, 60.0, 600.0)
EVERY_S = 3_600.0
LONGEST_RETRY_AFTER_S = 600.0

# A refusal that is about what was sent: a smaller call may pass.
_TOO_MUCH = (400, 413)


def fitting(lengths: Sequence[int]) -> int:
    """How many of the texts, from the first on, go into one call; one always does."""
    total = 0
    for number, length in enumerate(lengths):
        total += length
        if number and (number == MAX_TEXTS or total > MAX_CHARACTERS):
            return number
    return len(lengths)


def is_about_what_was_sent(status: int | None) -> bool:
    return status in _TOO_MUCH


def wait_s(retry_after: float | None) -> float | None:
    """The seconds that a provider asks to wait, as far as it is listened to; None: the queue's own wait."""
    return None if retry_after is None else min(max(retry_after, 1.0), LONGEST_RETRY_AFTER_S)
