"""Storing files: what came with a request, or is fetched from an address that a user gave.

The bytes go to the storage first, under a random name, and the row with that name follows in one transaction. The bytes
of a file that is refused after that are swept a day later, as they are after a crash.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from urllib.parse import unquote, urlsplit

from django.db import transaction

from apps import egress
from apps.chats.errors import STORAGE_FAILED
from apps.chats.models import File
from apps.chats.rules import MAX_FILE_BYTES, UNSENT_LIVES, file_name
from apps.chats.rules.files import FilePurpose
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile, UploadForm
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.files import storage
from apps.core.parsing.file_types import content_type_of

logger = logging.getLogger(__name__)

FILE_FORM = UploadForm(max_bytes=MAX_FILE_BYTES)
SWEEP_BATCH = 100


def store_file(
    *,
    widget_id: int,
    upload: ReceivedFile,
    token_id: int | None = None,
    contact_id: int | None = None,
    lock: IdempotencyLock | None = None,
) -> File:
    """Stores an uploaded file of the widget. Its type is found in its content.

    Raises IDEMPOTENCY_KEY_REUSED (409), STORAGE_FAILED (500), TRY_AGAIN (503) where there is no room for it or the
    bucket does not answer, and then there is no file.
    """
    with file_being_stored(
        widget_id=widget_id, upload=upload, token_id=token_id, contact_id=contact_id, lock=lock
    ) as file:
        return file


@contextmanager
def file_being_stored(
    *,
    widget_id: int,
    upload: ReceivedFile,
    token_id: int | None = None,
    contact_id: int | None = None,
    lock: IdempotencyLock | None = None,
    purpose: FilePurpose = FilePurpose.ATTACHMENT,
) -> Iterator[File]:
    """`store_file` for what names the file in its own transaction: the block runs in that of the file's row."""
    upload.rewind()
    try:
        with storage.stored(upload.content) as key:
            if lock is not None:
                lock.take()
            file = File.objects.create(
                widget_id=widget_id,
                token_id=token_id,
                contact_id=contact_id,
                name=file_name(upload.name),
                size=upload.size,
                content_type=content_type_of(upload.head),
                storage_key=key,
                sha256=upload.sha256,
                purpose=purpose,
            )
            if lock is not None:
                lock.tell(file.pk)
            yield file
    except storage.StorageFailed:
        raise STORAGE_FAILED() from None


def fetch_file(*, url: str, outbound: ExternalCall, token_id: int | None = None) -> File:
    """Stores what is found at an address: https, one redirect at most, 10 MB, 15 seconds.

    Raises INVALID_INPUT (422) on `url`, with one text for a blocked and an unreachable address; IDEMPOTENCY_KEY_REUSED
    (409); BulkheadFull (429); STORAGE_FAILED (500), TRY_AGAIN (503).
    """
    with ReceivedFile(_name_in(url)) as upload:
        try:
            with outbound.slot():
                _fetch(url, upload)
        except egress.EgressRefused as refused:
            logger.info("a file was not fetched: %s", refused.reason)
            if refused.reason == "too_large":
                raise _url_refusal(FILE_FORM.too_large.errors["file"][0]) from None
            raise _url_refusal(str(refused)) from None
        if upload.size == 0:
            raise _url_refusal("The file is empty.")
        return store_file(widget_id=outbound.widget_id, upload=upload, token_id=token_id, lock=outbound.lock)


def mark_sent(*, widget_id: int, file_id: int | None) -> None:
    """Notes, in the transaction that stores a message, that it carries the file. Raises NOT_FOUND for a swept one."""
    if file_id is not None and not File.objects.for_widget(widget_id).filter(pk=file_id).update(is_sent=True):
        raise NOT_FOUND("There is no such file.")


def sweep_unsent_files(*, as_of: datetime) -> int:
    """Deletes what visitors uploaded a day ago and more and no message carries; returns how many files.

    The next sweep of the storage takes their bytes. A file that is being sent at this moment is left alone. Each batch
    is one transaction; harmless when run twice at once.
    """
    swept = 0
    while found := _sweep_batch(as_of):
        swept += found
    return swept


@transaction.atomic
def _sweep_batch(as_of: datetime) -> int:
    unsent = (
        File.objects.unscoped("every widget's rows").unsent(as_of - UNSENT_LIVES).select_for_update(skip_locked=True)
    )
    keys = dict(unsent.values_list("pk", "storage_key")[:SWEEP_BATCH])
    File.objects.unscoped("read with their widget before").filter(pk__in=keys).delete()
    storage.discard(*keys.values())
    return len(keys)


def _fetch(url: str, upload: ReceivedFile) -> None:
    with egress.open_stream("GET", url, max_bytes=MAX_FILE_BYTES, redirects=1) as stream:
        if stream.status != 200:
            raise egress.EgressRefused("broken_answer")
        for chunk in stream:
            upload.write(chunk)


def _name_in(url: str) -> str:
    """The file's name in an address: the end of its path."""
    try:
        return unquote(urlsplit(url).path.rpartition("/")[2])
    except ValueError:
        return ""


def _url_refusal(text: str) -> Exception:
    return INVALID_INPUT(errors={"url": [text]})
