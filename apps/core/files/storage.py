"""The storage of files' bytes: Django's default storage (a local folder, or S3), under random names.

Owns no knowledge of what a file is, whose it is or who may read it: that is in the rows which keep the names.

A call to a bucket within a request waits in a slot of the bulkhead (`egress/bulkhead.py`), which all
widgets share alike, and ends in time (`remote`). Files of this machine wait for nobody.

A storage and a database can't commit together. So the name of an object is recorded as an orphan's before its bytes are
stored, and the record removed in the transaction that stores the row (docs/adr/0014). A name that stays recorded has no
row, and is swept a day later; the storage itself is never listed.
"""

import logging
import posixpath
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache, lru_cache
from io import BytesIO
from typing import IO, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models.functions import Now
from django.utils.http import content_disposition_header

from apps.core import disk
from apps.core.database import fetch_all
from apps.core.errors import TRY_AGAIN
from apps.core.files import remote
from apps.core.models import OrphanedObject
from apps.core.observability import metrics
from apps.core.problems import Problem
from apps.egress.bulkhead import RETRY_AFTER_S as BUSY_RETRY_AFTER_S
from apps.egress.bulkhead import BulkheadFull, outbound_waits

logger = logging.getLogger(__name__)

DIRECT_SECONDS = 300
RETRY_AFTER_S = 5
# A file that is read whole into memory has at most so many bytes, and of a bucket so many objects are kept there.
MAX_WHOLE_BYTES, KEPT_WHOLE = 2 * 1024 * 1024, 64
CHUNK_BYTES = 64 * 1024
SWEEP_BATCH = 100
# How long an object is left alone that could not be deleted, and after how many of them a sweep gives up.
SWEEP_AGAIN = timedelta(hours=1)
MAX_FAILURES = 3

_DUE = """
SELECT key, sweep_at FROM core_orphanedobject
WHERE sweep_at <= statement_timestamp() AND (sweep_at, key) > (%(sweep_at)s, %(key)s)
ORDER BY sweep_at, key LIMIT %(limit)s"""


class StorageFailed(Exception):
    """The storage fails in a way that an administrator has to repair."""


class Gone(StorageFailed):
    """The storage has no such object (any more)."""


@contextmanager
def stored(content: IO[bytes]) -> Iterator[str]:
    """Stores the bytes under a random name, then runs the block with that name, in a transaction.

    The block stores the row that has the name. Should it fail, or the process end before the commit, the bytes are
    swept a day later. (Inside another transaction it is that one's commit which counts.) Raises StorageFailed;
    TRY_AGAIN (503) where the disk is full, or the bucket does not answer or is waited for by too many.
    """
    with stored_together([content]) as keys:
        yield keys[0]


@contextmanager
def stored_together(contents: Sequence[IO[bytes]]) -> Iterator[list[str]]:
    """The same for what one row has several of: all of their bytes are stored before the transaction begins."""
    keys = [_kept(content) for content in contents]
    with transaction.atomic():
        were_recorded, _ = OrphanedObject.objects.filter(key__in=keys).delete()
        if were_recorded != len(keys):  # it took longer than a day, and the bytes may be swept
            raise StorageFailed
        yield keys


def _kept(content: IO[bytes]) -> str:
    name = secrets.token_hex(16)
    key = f"{name[:2]}/{name[2:]}"
    with _place(), disk.room_needed():
        OrphanedObject.objects.create(key=key)
        return _save(key, content)


def _save(key: str, content: IO[bytes]) -> str:
    """Hands the bytes to the storage. If the disk is full, the written part is deleted at once: it takes room."""
    try:
        return _asked(lambda: default_storage.save(key, File(content)))
    except Exception as error:
        # Any: an S3 client raises exceptions of its own, a local one OSError.
        if disk.is_full(error):
            with suppress(Exception):  # else it is swept, as after every other failure
                default_storage.delete(key)
                OrphanedObject.objects.filter(key=key).delete()
            raise
        raise _failure("keep a file", error) from error


@contextmanager
def _place() -> Iterator[None]:
    """A place in which a request waits for a bucket; TRY_AGAIN (503) without one: that it is slow is not the caller's
    doing.
    """
    if not settings.STORAGE_IS_REMOTE:
        yield
        return
    try:
        with outbound_waits.slot(None):
            yield
    except BulkheadFull:
        headers = {"Retry-After": str(BUSY_RETRY_AFTER_S)}
        raise TRY_AGAIN("Too many calls wait for the storage of files now.", headers=headers) from None


def _asked(work: Callable[[], remote.Result]) -> remote.Result:
    return remote.in_time(work) if settings.STORAGE_IS_REMOTE else work()


def _failure(what: str, error: Exception) -> Exception:
    """Turns a storage's failure into TRY_AGAIN (503) if it heals by itself, else into StorageFailed."""
    metrics.STORAGE_ERRORS.inc()
    if settings.STORAGE_IS_REMOTE and remote.is_away(error):
        logger.error("the storage failed to %s: %s", what, error)
        return TRY_AGAIN("The storage of files does not answer now.", headers={"Retry-After": str(RETRY_AFTER_S)})
    logger.error("the storage failed to %s", what, exc_info=error)
    is_gone = remote.is_missing(error) if settings.STORAGE_IS_REMOTE else isinstance(error, FileNotFoundError)
    return Gone() if is_gone else StorageFailed()


def discard(*keys: str) -> None:
    """Gives up the bytes of those names, in the transaction of the rows that named them, to the next sweep."""
    given_up = [OrphanedObject(key=key, sweep_at=Now()) for key in keys]
    # A trigger may have recorded them already, for a day later.
    OrphanedObject.objects.bulk_create(
        given_up, update_conflicts=True, unique_fields=["key"], update_fields=["sweep_at"]
    )


def sweep() -> int:
    """Deletes the bytes that have had no row for a day; returns how many objects. Harmless when run twice at once.

    Each object is a transaction: a sweep that is stopped goes on where it was. An object that the storage does not
    delete is tried again in an hour.
    """
    swept = failed = 0
    last = {"sweep_at": "-infinity", "key": ""}
    while due := fetch_all(_DUE, {**last, "limit": SWEEP_BATCH}):
        for key, _ in due:
            is_swept = _sweep_object(key)
            swept += is_swept is True
            failed += is_swept is False
            if failed == MAX_FAILURES:
                return swept
        last = dict(zip(("key", "sweep_at"), due[-1], strict=True))
    return swept


@transaction.atomic
def _sweep_object(key: str) -> bool | None:
    """Whether the object could be deleted; None when another sweep has it."""
    orphan = OrphanedObject.objects.select_for_update(skip_locked=True).filter(key=key, sweep_at__lte=Now()).first()
    if orphan is None:
        return None
    try:
        _delete(key)
    except Exception as error:
        _failure("delete an object", error)
        orphan.sweep_at = Now() + SWEEP_AGAIN
        orphan.save(update_fields=["sweep_at"])
        return False
    orphan.delete()
    return True


def _delete(key: str) -> None:
    if settings.STORAGE_IS_REMOTE:
        # Not the storage's own, to which a bucket that is not there has deleted everything.
        remote.in_time(lambda: _client().delete_object(**_named(key)))
    else:
        default_storage.delete(key)


def open_stored(key: str) -> IO[bytes]:
    """The bytes of that name, to be read and closed. Raises Gone, StorageFailed, TRY_AGAIN (503).

    A bucket's are read whole, MAX_WHOLE_BYTES at most: files are read at its own addresses (`direct_address`), which
    leaves pictures of operators.
    """
    try:
        return BytesIO(_read_remote(key)) if settings.STORAGE_IS_REMOTE else default_storage.open(key, "rb")
    except Problem:
        raise
    except Exception as error:
        raise _failure("open a file", error) from error


@lru_cache(KEPT_WHOLE)
def _read_remote(key: str) -> bytes:
    """The bytes of that name, which are kept: a name has the same for ever, and who may read them was asked before."""

    with _place():
        return remote.in_time(lambda: _fetch(key, MAX_WHOLE_BYTES))


def _fetch(key: str, most: int) -> bytes:
    answer = _client().get_object(**_named(key))
    with answer["Body"] as body:
        if answer["ContentLength"] > most:
            raise ValueError("the object is longer than what was stored")
        content: bytes = body.read()  # with a number of bytes it would not notice that some are missing
    return content


def read_stored(key: str, *, most: int) -> bytes:
    """All bytes of that name, for a worker: nothing is kept. Raises Gone, StorageFailed, TRY_AGAIN (503)."""
    try:
        if settings.STORAGE_IS_REMOTE:
            return remote.in_time(lambda: _fetch(key, most))
        with default_storage.open(key, "rb") as opened:
            content: bytes = opened.read(most)
            return content
    except Exception as error:
        raise _failure("read a file", error) from error


def chunks_of(key: str, *, most: int) -> Iterator[bytes]:
    """The bytes of that name, in pieces, for copies and exports; of a bucket as one piece.

    It is opened before this returns. Raises Gone, StorageFailed, TRY_AGAIN (503).
    """
    if settings.STORAGE_IS_REMOTE:
        return iter([read_stored(key, most=most)])
    return _chunks(open_stored(key))


def _chunks(opened: IO[bytes]) -> Iterator[bytes]:
    with opened:
        while chunk := opened.read(CHUNK_BYTES):
            yield chunk


def direct_address(key: str, *, disposition: str, content_type: str, method: str = "GET") -> str | None:
    """A signed address at the storage itself, valid for 5 minutes; None where files are served by this service.

    It is for one method alone, GET or HEAD. Nothing is asked of the storage. Raises StorageFailed without credentials.
    """
    if not settings.STORAGE_IS_REMOTE:
        return None
    said = {**_named(key), "ResponseContentDisposition": disposition, "ResponseContentType": content_type}
    try:
        address: str = _client().generate_presigned_url(
            "get_object", Params=said, ExpiresIn=DIRECT_SECONDS, HttpMethod=method
        )
    except Exception as error:
        raise _failure("sign an address", error) from error
    return address


def _client() -> Any:
    """The bucket's client, one for all threads: the storage's own `url` makes one for each, of 10 MB."""
    return default_storage.bucket.meta.client  # type: ignore[attr-defined]


def _named(key: str) -> dict[str, str]:
    """The object of that name, as the client wants it named."""
    kept: Any = default_storage
    return {"Bucket": kept.bucket_name, "Key": posixpath.join(kept.location, key)}


def origins() -> list[str]:
    """The origins of files' addresses, for the policy of a page that shows them."""
    found = [settings.PUBLIC_URL]
    with suppress(StorageFailed):  # the page needs no files
        found += filter(None, [direct_origin()])
    return found


@cache
def direct_origin() -> str | None:
    """The origin of `direct_address`, for a page's policy; None where files are served by this service."""
    address = direct_address("any", disposition="inline", content_type="image/png")
    return address and "{0.scheme}://{0.netloc}".format(urlsplit(address))


def refusal_of_a_trial() -> str | None:
    """Why a bucket does not keep, give and delete an object, in a line; None where it does, or there is none."""
    if not settings.STORAGE_IS_REMOTE:
        return None
    key = f".parley-check-{secrets.token_hex(8)}"
    try:
        _asked(lambda: default_storage.save(key, File(BytesIO(b"parley"))))
        _read_remote.__wrapped__(key)
        _delete(key)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def disposition(name: str, *, inline: bool) -> str:
    """The Content-Disposition of a file of that name."""
    return content_disposition_header(not inline, name) or "attachment"
