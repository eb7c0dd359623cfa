"""How the event loop reaches PostgreSQL: a few threads, each with a Django connection that heals by itself."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import Error as DatabaseError
from django.db import connection

from apps.core.database import is_unavailable

THREADS = 4

Answer = TypeVar("Answer")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="realtime-db")


class DatabaseAway(Exception):
    """PostgreSQL did not answer, or takes no writes; the caller asks again later."""


async def run(job: Callable[[], Answer]) -> Answer:
    """Runs `job` in a thread with a database connection and returns its result.

    The job may run twice, when its connection proves broken, so it must be repeatable. Raises DatabaseAway, and what
    the job raises.
    """
    return await asyncio.get_running_loop().run_in_executor(_threads, _run_twice, job)


def _run_twice(job: Callable[[], Answer]) -> Answer:
    try:
        return job()
    except DatabaseError as error:
        _raise_unless_unavailable(error)
    try:
        return job()
    except DatabaseError as error:
        _raise_unless_unavailable(error)
        raise DatabaseAway from error


def _raise_unless_unavailable(error: DatabaseError) -> None:
    if not is_unavailable(error):
        raise error
    connection.close()
