"""Wake-ups: after a commit, a Celery task is asked to look for the rows that the transaction left for it.

The rows are the queue; a wake-up only saves them from waiting for the next periodic look. So it is sent by a thread of
its own, many become one, and one that can't be sent is dropped. The request's thread pays microseconds.
"""

import atexit
import logging
import os
import threading
from functools import partial

from django.conf import settings
from django.utils.module_loading import import_string

from apps.core import database

logger = logging.getLogger(__name__)

# The key in Redis that Celery's default queue stands under.
QUEUE = "celery"
# At most one wake-up a task in this time; the first goes out at once.
PAUSE_S = 0.25
# A wake-up that no worker took by then is stale: the periodic look has come round.
EXPIRES_S = 10
# A short-lived process (a command) has this long to get its last wake-ups out.
FLUSH_WITHIN_S = 1.0


def after_commit(task_name: str) -> None:
    """Wakes a task, by its dotted name, once the transaction under way commits; at once when there is none.

    The task takes no arguments. Never blocks, never fails, costs microseconds.
    """
    database.after_commit(partial(_waker.wake, task_name))


class _Waker:
    """The tasks that one process is to wake, and the thread that does; started at the first, and again after a fork."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Starts from nothing: in a forked child the parent's thread is not there, and its wake-ups are not ours."""
        self._pending: set[str] = set()
        self._changed = threading.Event()
        self._ending = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def wake(self, task_name: str) -> None:
        if task_name in self._pending and self._thread is not None:
            return  # not taken yet, so it will be sent after what this call tells of
        self._pending.add(task_name)
        self._changed.set()
        if self._thread is None:
            self._start()

    def finish(self) -> None:
        """Ends the thread after what is pending, within a second."""
        if self._thread is not None:
            self._ending.set()
            self._changed.set()
            self._thread.join(FLUSH_WITHIN_S)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="wakeups", daemon=True)
                thread.start()
                self._thread = thread

    def _run(self) -> None:
        while True:
            self._changed.wait()
            self._changed.clear()  # before the names are taken: one that is added meanwhile is seen in the next round
            self._send_pending()
            if self._ending.wait(PAUSE_S):
                self._send_pending()
                return

    def _send_pending(self) -> None:
        for task_name in list(self._pending):
            self._pending.discard(task_name)  # before it is sent: woken again meanwhile, it is sent again
            _send(task_name)


def _send(task_name: str) -> None:
    # Named in the settings and loaded here, so that a process without wake-ups does not load Celery.
    celery_app = import_string(settings.CELERY_APPLICATION)
    try:
        # The one retry is for a connection that went stale in the pool.
        celery_app.send_task(
            task_name,
            expires=EXPIRES_S,
            ignore_result=True,
            retry=True,
            retry_policy={"max_retries": 1, "interval_start": 0},
        )
    except Exception as error:  # whatever the broker's client raises: the periodic look finds the rows
        logger.warning("%s was not woken: %s", task_name, error)


_waker = _Waker()
os.register_at_fork(after_in_child=_waker.forget)
atexit.register(_waker.finish)
