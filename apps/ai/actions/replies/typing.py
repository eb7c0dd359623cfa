"""Both sides see that an AI operator types, from the first call on, until the answer is there."""

import os
import threading
import time
from typing import Self

from apps.chats.broadcasts import OperatorTyping
from apps.chats.rules.typing import Typing as State
from apps.core.redis import broadcasts

EVERY_S = 4.0


class TypingBeat:
    """Shows typing again every EVERY_S seconds from `start` on, as long as the block runs. Not in shadow mode.

    It goes out as operators' typing does, under the operator's name, and is not counted against their five seconds.
    """

    def __init__(self, *, chat_id: int, name: str, is_shown: bool) -> None:
        self._chat_id, self._name, self._is_shown = chat_id, name, is_shown
        self._is_started = False

    def start(self) -> None:
        """From now on, if not already. Returns immediately."""
        if self._is_shown and not self._is_started:
            self._is_started = True
            self.tell(State.START)
            _repeated.add(self)

    def tell(self, state: State) -> None:
        broadcasts.send(OperatorTyping(chat_id=self._chat_id, state=state, name=self._name, is_machine=True))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_started:
            _repeated.remove(self)
            self.tell(State.STOP)


class _Repeated:
    """The beats under way in a process, and the one thread that repeats them, for as long as there are any."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due_at: dict[TypingBeat, float] = {}
        self._has_thread = False

    def add(self, beat: TypingBeat) -> None:
        with self._changed:
            self._due_at[beat] = time.monotonic() + EVERY_S
            if not self._has_thread:
                self._has_thread = True
                threading.Thread(target=self._repeat, name="typing", daemon=True).start()

    def remove(self, beat: TypingBeat) -> None:
        with self._changed:
            self._due_at.pop(beat, None)

    def _repeat(self) -> None:
        while True:
            with self._changed:
                self._changed.wait(self._next_in())
                now = time.monotonic()
                due = [beat for beat, at in self._due_at.items() if at <= now]
                self._due_at |= dict.fromkeys(due, now + EVERY_S)
                if not self._due_at:
                    self._has_thread = False
                    return
            for beat in due:
                beat.tell(State.START)

    def _next_in(self) -> float:
        return max(0.0, min(self._due_at.values(), default=0.0) - time.monotonic())


_repeated = _Repeated()


def _start_afresh_after_fork() -> None:
    global _repeated
    _repeated = _Repeated()


os.register_at_fork(after_in_child=_start_afresh_after_fork)
