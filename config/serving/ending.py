"""The end of a process of the web server: connected clients are answered, health checks are told beforehand."""

import asyncio
import signal
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from typing import Any

# What the parent sends before SIGTERM when no other process goes on serving.
ALL_END = signal.SIGUSR1
# For so long `/readyz` says 503 while everybody is still answered, if anybody has asked it lately.
TOLD_S, ASKED_WITHIN_S = 3.0, 60.0
# So long a connection may take to send one more request when the process takes no new ones any more.
KEPT_S = 3.0


class Ending:
    """The end of a process. Once it `has_begun`, every answer closes its connection."""

    def __init__(self) -> None:
        self.has_begun = False
        self._is_of_all = parent_process() is None
        self._asked_at = float("-inf")

    @property
    def leaves_nobody(self) -> bool:
        """Whether it has begun, and no other process will serve the port: who looks for one should look elsewhere."""
        return self.has_begun and self._is_of_all

    def asked(self) -> None:
        """Notes a question whether the process is ready; called on the loop."""
        self._asked_at = asyncio.get_running_loop().time()

    def on_signals(self) -> None:
        """Stands before the server's own handling of SIGTERM; called on the loop of a process' main thread."""
        if threading.current_thread() is threading.main_thread():
            loop, end = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
            loop.add_signal_handler(ALL_END, self._of_all)
            if callable(end):
                loop.add_signal_handler(signal.SIGTERM, self._begin, loop, end)

    def _of_all(self) -> None:
        self._is_of_all = True

    def _begin(self, loop: asyncio.AbstractEventLoop, end: Callable[[int, Any], Any]) -> None:
        if self.has_begun:
            return
        self.has_begun = True
        is_watched = loop.time() - self._asked_at < ASKED_WITHIN_S
        loop.call_later(TOLD_S if self.leaves_nobody and is_watched else 0.0, end, signal.SIGTERM, None)
