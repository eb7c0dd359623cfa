"""Where the bytes of files are: Django's default storage (a local folder, or S3), under random names.

Owns no knowledge of what a file is, whose it is or who may read it: that is in the rows which keep the names.

A storage and a database can't commit together. So the name of an object is recorded as an orphan's before its bytes
are stored, and the record removed in the transaction that stores the row (docs/adr/0014). What stays recorded has no
row, and is swept a day later; the storage itself is never listed.
"""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cache
from typing import IO
from urllib.parse import urlsplit

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models.functions import Now
from django.utils.http import content_disposition_header

from apps.core import disk
from apps.core.database import fetch_all
from apps.core.models import OrphanedObject

logger = logging.getLogger(__name__)

DIRECT_SECONDS = 300
SWEEP_BATCH = 100
# How long an object is left alone that could not be deleted, and after how many of them a sweep gives up.
SWEEP_AGAIN = timedelta(hours=1)
MAX_FAILURES = 3

_DUE = """
SELECT key, sweep_at FROM core_orphanedobject
WHERE sweep_at <= statement_timestamp() AND (sweep_at, key) > (%(sweep_at)s, %(key)s)
ORDER BY sweep_at, key LIMIT %(limit)s"""


class StorageFailed(Exception):
    """The storage could not be reached, or does not do what it is asked for."""


@contextmanager
def stored(content: IO[bytes]) -> Iterator[str]:
    """Stores the bytes under a random name, then runs the block with that name, in a transaction.

    The block stores the row that has the name. Should it fail, or the process end before the commit, the bytes are
    swept a day later. (Inside another transaction it is that one's commit which counts.) Raises StorageFailed;
    TRY_AGAIN (503) where the disk is full.
    """
    name = secrets.token_hex(16)
    key = f"{name[:2]}/{name[2:]}"
    OrphanedObject.objects.create(key=key)
    with disk.room_needed():
        key = _save(key, content)
    with transaction.atomic():
        was_recorded, _ = OrphanedObject.objects.filter(key=key).delete()
        if not was_recorded:  # it took longer than a day, and the bytes may be swept
            raise StorageFailed
        yield key


def _save(key: str, content: IO[bytes]) -> str:
    """Hands the bytes to the storage. What a full disk has taken of them is deleted at once: it takes room."""
    try:
        return default_storage.save(key, File(content))
    except Exception as error:
        # Any: an S3 client raises exceptions of its own, a local one OSError.
        if disk.is_full(error):
            with suppress(Exception):  # else it is swept, as after every other failure
                default_storage.delete(key)
                OrphanedObject.objects.filter(key=key).delete()
            raise
        logger.exception("the storage failed to keep a file")
        raise StorageFailed from error


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
        default_storage.delete(key)
    except Exception:
        logger.exception("the storage failed to delete an object")
        orphan.sweep_at = Now() + SWEEP_AGAIN
        orphan.save(update_fields=["sweep_at"])
        return False
    orphan.delete()
    return True


def open_stored(key: str) -> IO[bytes]:
    """The bytes of that name, to be read and closed. Raises StorageFailed."""
    try:
        return default_storage.open(key, "rb")
    except Exception as error:
        logger.exception("the storage failed to open a file")
        raise StorageFailed from error


def direct_address(key: str, *, disposition: str, content_type: str) -> str | None:
    """A signed address at the storage itself, valid for 5 minutes; None where files are served by this service."""
    if not settings.STORAGE_IS_REMOTE:
        return None
    said = {"ResponseContentDisposition": disposition, "ResponseContentType": content_type}
    return default_storage.url(key, parameters=said, expire=DIRECT_SECONDS)  # type: ignore[call-arg]


def origins() -> list[str]:
    """Where the addresses of files lead, as the policy of a page that shows them names it."""
    return [settings.PUBLIC_URL, *filter(None, [direct_origin()])]


@cache
def direct_origin() -> str | None:
    """Where `direct_address` leads to, as a page's policy names it; None where files are served by this service."""
    address = direct_address("any", disposition="inline", content_type="image/png")
    return address and "{0.scheme}://{0.netloc}".format(urlsplit(address))


def disposition(name: str, *, inline: bool) -> str:
    """The Content-Disposition of a file of that name."""
    return content_disposition_header(not inline, name) or "attachment"
