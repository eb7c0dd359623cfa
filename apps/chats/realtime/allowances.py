"""How much sockets may send, and how many an address may hold open: counted in the process, without a look-up."""

import time
from collections import Counter

from apps.core.errors import RATE_LIMITED

# An address may send what so many sockets of the same kind may: a household, an office, a proxy.
SOCKETS_WORTH = 20
# A frame counts once, and once more for each so many bytes.
FRAME_UNIT = 4 * 1024
# From how many addresses on those are forgotten that have sent nothing for a minute.
_REMEMBERED = 1024


class FrameLimit:
    """How many frames may be sent: `limit` at once, then one each 60/limit seconds (GCRA, as over HTTP)."""

    __slots__ = ("_full_at", "_interval", "_window")

    def __init__(self, limit: int) -> None:
        self._interval, self._window = 60.0 / limit, 60.0
        self._full_at = 0.0

    @property
    def is_unspent(self) -> bool:
        """Whether it is as if it were new."""
        return self._full_at <= time.monotonic()

    def spend(self, frames: int = 1) -> None:
        """Takes as many frames. Raises RATE_LIMITED, with `retry_after` in seconds."""
        now = time.monotonic()
        full_at = max(self._full_at, now) + frames * self._interval
        if (wait := full_at - now - self._window) > 0:
            raise RATE_LIMITED(retry_after=round(wait, 1))
        self._full_at = full_at


class Addresses:
    """The allowances of each address in this process: its open sockets, and the frames that all of them may send.

    A reconnect begins no new allowance: an address is remembered for as long as it has spent any of it.
    """

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._limits: dict[tuple[str, int], FrameLimit] = {}
        self._forget_from = _REMEMBERED

    def enter(self, address: str, *, at_most: int) -> bool:
        """Counts one more open socket, unless there are `at_most`; whether it was counted."""
        if self._open[address] >= at_most:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One socket that was counted is closed."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def spend(self, address: str, *, limit: int, size: int = 0) -> None:
        """Takes a frame of `size` bytes, where each socket of the address may send `limit` a minute.

        Raises RATE_LIMITED when the address has sent what SOCKETS_WORTH sockets may.
        """
        key = (address, limit)
        if key not in self._limits:
            self._forget_unspent()
            self._limits[key] = FrameLimit(limit * SOCKETS_WORTH)
        self._limits[key].spend(1 + size // FRAME_UNIT)

    def _forget_unspent(self) -> None:
        if len(self._limits) >= self._forget_from:
            self._limits = {key: spent for key, spent in self._limits.items() if not spent.is_unspent}
            self._forget_from = max(_REMEMBERED, 2 * len(self._limits))


callers = Addresses()
"""Those of this process."""
