"""Calls of a bucket, which end in time whatever the bucket does, and the meaning of its refusals.

The client's own limits are for one attempt and for silence (`config/storage.py`); a bucket that answers one byte after
the other keeps to them for ever. So each call has a thread of its own, which its caller waits for and leaves behind.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

Result = TypeVar("Result")

TOTAL_SECONDS = 30.0
# How many calls of a process may be under way, those that were left behind among them.
AT_MOST = 32

_free = threading.BoundedSemaphore(AT_MOST)


def in_time(work: Callable[[], Result]) -> Result:
    """Returns or raises as the work does; TimeoutError after TOTAL_SECONDS, and at once while too many calls hang.

    Work that was left behind ends by itself. Its threads keep no process from ending.
    """
    if not _free.acquire(blocking=False):
        raise TimeoutError("as many calls hang as may")
    done: Future[Result] = Future()
    threading.Thread(target=_do, args=(work, done), name="storage", daemon=True).start()
    try:
        return done.result(TOTAL_SECONDS)
    except TimeoutError as error:
        raise TimeoutError(str(error) or f"no answer within {TOTAL_SECONDS:g} s") from error


def _do(work: Callable[[], Result], done: "Future[Result]") -> None:
    try:
        done.set_result(work())
    except BaseException as error:
        done.set_exception(error)
    finally:
        _free.release()


def is_away(error: BaseException) -> bool:
    """Whether it says that the bucket does not answer now, or not in order: it may, by itself, a moment later."""
    from botocore import exceptions  # it is loaded by now, and only S3 needs it
    from botocore.parsers import ResponseParserError
    from urllib3.exceptions import HTTPError

    if isinstance(error, exceptions.ClientError):
        status = int(error.response["ResponseMetadata"].get("HTTPStatusCode", 0))
        return status in (408, 429) or status >= 500 or error.response["Error"].get("Code") == "RequestTimeout"
    return isinstance(
        error,
        (
            TimeoutError,
            exceptions.ConnectionError,
            exceptions.HTTPClientError,
            exceptions.IncompleteReadError,
            ResponseParserError,
            HTTPError,  # of a body that breaks off
        ),
    )


def is_missing(error: BaseException) -> bool:
    """Whether it says that there is no such object (and not that there is no such bucket)."""
    from botocore.exceptions import ClientError

    return isinstance(error, ClientError) and error.response["Error"].get("Code") == "NoSuchKey"
