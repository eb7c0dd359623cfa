"""The limits of one piece of work outside: how many operations, and until when."""

import time


class SpentError(Exception):
    """The piece of work may make no further operation. `what` is `operations` or `seconds`."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class CallBudget:
    """Counts the HTTP requests of one piece of work, and holds its deadline; every call of it takes the meter along.

    operations: how many requests it may make. seconds: how long it may take, from now on. each_seconds: the longest
    that one request may take.
    """

    def __init__(self, *, operations: int, seconds: float, each_seconds: float = 20.0) -> None:
        self._operations = operations
        self._until = time.monotonic() + seconds
        self._each_seconds = each_seconds
        self.spent = 0

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    @property
    def left(self) -> int:
        """How many requests it may still make."""
        return max(0, self._operations - self.spent)

    def spend(self, each_seconds: float | None = None) -> float:
        """Counts one request before it goes out, and gives the seconds it may take. Raises SpentError.

        each_seconds: the longest that this one may take, where it has a limit of its own.
        """
        if self.spent >= self._operations:
            raise SpentError("operations")
        seconds = min(self.seconds_left, self._each_seconds if each_seconds is None else each_seconds)
        if seconds <= 0:
            raise SpentError("seconds")
        self.spent += 1
        return seconds

    def part(self, seconds: float) -> "CallBudget":
        """A meter for so many seconds of this one, which counts what the part spends."""
        return _Part(self, seconds)


class _Part(CallBudget):
    def __init__(self, whole: CallBudget, seconds: float) -> None:
        super().__init__(operations=whole._operations, seconds=min(seconds, whole.seconds_left))
        self._whole = whole

    def spend(self, each_seconds: float | None = None) -> float:
        return min(super().spend(each_seconds), self._whole.spend(each_seconds))
