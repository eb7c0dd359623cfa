"""How a web process starts under uvicorn's parent: however slow, it is not taken for one that hangs.

A module of its own, for the process that is started imports it.
"""

import time

from uvicorn.supervisors.multiprocess import Process

# How long a new process may take to serve, before the old ones are kept instead.
STARTS_WITHIN_S = 120
# How long the parent stands still for each look at a process that is starting.
FIRST_ANSWER_S = 1.0


class Worker(Process):
    """A process that has not answered its parent yet is starting, which takes a busy machine long: it is not hung."""

    started_at: float | None = None
    has_answered = False

    def start(self) -> None:
        self.started_at = time.monotonic()
        super().start()

    def is_alive(self, timeout: float = 5) -> bool:
        if self.has_answered or not self.process.is_alive() or self.started_at is None:
            return super().is_alive(timeout)
        self.has_answered = self.ping(FIRST_ANSWER_S)
        return self.has_answered or time.monotonic() - self.started_at < STARTS_WITHIN_S
