"""Both sides see that an AI operator types, from the first call on, until the answer is there."""

import threading
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
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """From now on, if not already. Returns immediately."""
        if self._is_shown and self._thread is None:
            self._tell(State.START)
            self._thread = threading.Thread(target=self._repeat, name="typing", daemon=True)
            self._thread.start()

    def _repeat(self) -> None:
        while not self._ends.wait(EVERY_S):
            self._tell(State.START)

    def _tell(self, state: State) -> None:
        broadcasts.send(OperatorTyping(chat_id=self._chat_id, state=state, name=self._name, is_machine=True))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        if self._thread is not None:
            self._tell(State.STOP)
