"""Statements of several posts: those that come to a process while one is under way are gathered for the next.

A post that finds none under way goes at once. Posts that come meanwhile wait; when the statement ends, the first of
them takes the others of its form with it: at most MOST, no two of one chat, in the order of chats. Each has its own
outcome. If the server refuses a statement of several, each of them is run again alone, so that only the wrong one
fails. A post whose turn does not come in PATIENCE_S, because a statement hangs, goes alone; so do all that come after.
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple

from django.db import Error as DatabaseError
from django.db import OperationalError

from apps.core.database import Row

MOST = 16
PATIENCE_S = 0.1
# No statement takes as long.
LONGEST_S = 120.0


class PostPart(NamedTuple):
    """A post's part in a statement: its chat, and its parameters, which JSON has.

    Parts of one `form` go together; `alone` runs it by itself, and answers the post's row, or None if it did nothing.
    """

    chat_id: int
    form: tuple[Any, ...]
    parameters: Mapping[str, Any]
    alone: Callable[[], Row | None]


# Runs parts of one form in one statement; answers the rows of those that did something, by their chats.
RunTogether = Callable[[Sequence[PostPart]], Mapping[int, Row]]


class WaitingPart:
    """A part that waits, from when it came; `is_taken`: a statement with it is under way, or ended."""

    __slots__ = ("ended", "error", "is_taken", "leads", "part", "row", "woken")

    def __init__(self, part: PostPart) -> None:
        self.part = part
        self.leads = self.is_taken = self.ended = False
        self.row: Row | None = None
        self.error: BaseException | None = None
        self.woken = threading.Lock()
        self.woken.acquire()

    def outcome(self) -> Row | None:
        if self.error is not None:
            raise OperationalError(f"a statement of several posts was broken off: {self.error}") from self.error
        return self.row if self.ended else self.part.alone()


class Gatherer:
    """The parts that wait in a process, of statements of one kind."""

    def __init__(self, together: RunTogether) -> None:
        self._together = together
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[WaitingPart] = []
        self._begun_at: float | None = None  # the statement that is under way

    def run(self, part: PostPart) -> Row | None:
        """Runs a post's part, alone or with others; answers its row, or None if it did nothing.

        Raises what it raises alone; OperationalError if nobody knows whether a statement of several was done.
        """
        waiting = WaitingPart(part)
        with self._lock:
            waiting.leads = self._begun_at is None
            hangs = self._begun_at is not None and monotonic() - self._begun_at > PATIENCE_S
            if waiting.leads:
                self._begun_at = monotonic()
            elif not hangs:
                self._waiting.append(waiting)
        if hangs:
            return part.alone()
        return self._lead(waiting) if waiting.leads else self._wait(waiting)

    def _wait(self, waiting: WaitingPart) -> Row | None:
        is_woken: bool | None = None
        try:
            is_woken = waiting.woken.acquire(timeout=PATIENCE_S)
        finally:
            with self._lock:
                if waiting in self._waiting:
                    self._waiting.remove(waiting)
            if is_woken is None and waiting.leads:  # interrupted
                self._pass_on()
        if waiting.leads:
            return self._lead(waiting)
        if waiting.is_taken and not is_woken and not waiting.woken.acquire(timeout=LONGEST_S):
            waiting.error = TimeoutError("it did not end")
        return waiting.outcome()

    def _lead(self, waiting: WaitingPart) -> Row | None:
        group = [waiting]
        try:
            group = self._take(waiting)
            if len(group) == 1:
                return waiting.part.alone()
            self._run_together(group)
        finally:
            self._pass_on()
            for other in group:
                if other is not waiting:
                    other.woken.release()
        return waiting.outcome()

    def _take(self, waiting: WaitingPart) -> list[WaitingPart]:
        group = {waiting.part.chat_id: waiting}
        with self._lock:
            self._begun_at, waiting.is_taken = monotonic(), True
            for other in self._waiting:
                if other.part.form == waiting.part.form and len(group) < MOST:
                    group.setdefault(other.part.chat_id, other).is_taken = True
            self._waiting = [other for other in self._waiting if not other.is_taken]
        return sorted(group.values(), key=lambda each: each.part.chat_id)

    def _run_together(self, group: Sequence[WaitingPart]) -> None:
        try:
            rows = self._together([each.part for each in group])
        except BaseException as error:
            if _was_refused(error):
                return
            for each in group:
                each.error = error
            raise
        for each in group:
            each.row, each.ended = rows.get(each.part.chat_id), True

    def _pass_on(self) -> None:
        with self._lock:
            self._begun_at = monotonic() if self._waiting else None
            if self._waiting:
                self._waiting[0].leads = True
                self._waiting.pop(0).woken.release()


def _was_refused(error: BaseException) -> bool:
    """Whether nothing was done, for sure: by the server's word, or because it was not asked."""
    if not isinstance(error, DatabaseError):
        return isinstance(error, Exception)
    state = getattr(error.__cause__, "sqlstate", None)
    return state is not None and not state.startswith(("08", "57P"))
