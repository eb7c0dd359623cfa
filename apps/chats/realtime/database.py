"""How the event loop reaches PostgreSQL: a few threads, each with a Django connection that heals by itself."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

logger = logging.getLogger(__name__)

THREADS = 4
# While the server can't be reached, the jobs of a thousand sockets must not queue up behind connection attempts.
ASK_AGAIN_AFTER_S = 0.5

Answer = TypeVar("Answer")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="realtime-db")
_away_until = 0.0


class DatabaseAway(Exception):
    """PostgreSQL did not answer; the caller asks again later."""


async def run(job: Callable[[], Answer]) -> Answer:
    """What `job` returns, run in a thread with a database connection.

    The job may run twice, when its connection proves broken, so it must be repeatable. Raises DatabaseAway, and what
    the job raises.
    """
    return await asyncio.get_running_loop().run_in_executor(_threads, _run_twice, job)


def _run_twice(job: Callable[[], Answer]) -> Answer:
    try:
        return _run_once(job)
    except (OperationalError, InterfaceError):
        connection.close()
    try:
        return _run_once(job)
    except (OperationalError, InterfaceError) as error:
        connection.close()
        raise DatabaseAway from error


def _run_once(job: Callable[[], Answer]) -> Answer:
    global _away_until
    if connection.connection is None:
        if time.monotonic() < _away_until:
            raise DatabaseAway
        try:
            connection.ensure_connection()
        except OperationalError as error:
            _away_until = time.monotonic() + ASK_AGAIN_AFTER_S
            logger.warning("database unavailable: %s", " ".join(str(error).split()))
            raise DatabaseAway from error
    return job()
