"""`python -m config.serving`: uvicorn's command line, with a parent that ends as its processes do (`ending`)."""

import os
import signal
import sys
import threading
from typing import Any

import uvicorn.main  # noqa: F401 - the module, which its command hides
from uvicorn.supervisors import Multiprocess, multiprocess

from config.serving.ending import ALL_END
from config.serving.starting import STARTS_WITHIN_S, Worker


class Workers(Multiprocess):
    """uvicorn's parent. At SIGHUP it replaces its processes one after the other, each once the next one serves."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)

    def _end(self, *_: object) -> None:
        """At once, also while processes are replaced. By a thread: the main one may hold the event's lock just now."""
        threading.Thread(target=self.should_exit.set).start()

    def restart_all(self) -> None:
        """uvicorn gives a start no more time than an answer; a busy machine needs more."""
        answers_within, self.config.timeout_worker_healthcheck = (
            self.config.timeout_worker_healthcheck,
            STARTS_WITHIN_S,
        )
        super().restart_all()
        self.config.timeout_worker_healthcheck = answers_within

    def terminate_all(self) -> None:
        """Ends all. It listens as they do, so it has to stop, or later clients would be connected to a dead process."""
        for listener in self.sockets:
            listener.close()
        for process in self.processes:
            if process.exitcode is None and process.pid is not None:
                os.kill(process.pid, ALL_END)
        super().terminate_all()


if __name__ == "__main__":
    command = sys.modules["uvicorn.main"]
    multiprocess.Process = Worker  # type: ignore[misc]
    command.Multiprocess = Workers  # type: ignore[attr-defined] # it takes no other by its options
    command.main()
