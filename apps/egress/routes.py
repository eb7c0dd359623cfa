"""The limits of one exchange: its vetted addresses, its deadline, its bytes."""

import time
from dataclasses import dataclass

from apps.egress.allowlist import AllowList
from apps.egress.errors import EgressRefused
from apps.egress.targets import Target

MAX_HEAD_BYTES = 128 * 1024


class Deadline:
    """The moment by which a whole exchange has ended."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, more than zero. Raises EgressRefused."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise EgressRefused("timeout")
        return left


@dataclass(slots=True)
class Route:
    """The address of one exchange, its deadline, and how many bytes it may read before it is asked again.

    First those are the head's; then each chunk of body has its own. `connected_to`: the address that it goes to.
    """

    target: Target
    addresses: tuple[str, ...]
    allow: AllowList
    deadline: Deadline
    bytes_left: int = MAX_HEAD_BYTES
    connected_to: str = ""
    has_received: bool = False

    def count(self, received: int) -> None:
        self.bytes_left -= received
        self.has_received = self.has_received or received > 0
        if self.bytes_left < 0:
            raise EgressRefused("too_large")
