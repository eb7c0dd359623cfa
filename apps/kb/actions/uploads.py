"""Uploaded documents: stored, read in the cage by a worker, their rules written, waited for until they are embedded.

The order of locks is the knowledge base's row, then the document's. A worker that comes late, to a document deleted or
given to another, finds its lease lost and writes nothing.
"""

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from apps import extraction
from apps.chats.errors import STORAGE_FAILED
from apps.chats.rules import file_name
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.endpoints.uploads import ReceivedFile as Received
from apps.core.endpoints.uploads import UploadForm
from apps.core.errors import INVALID_INPUT
from apps.core.files import storage
from apps.core.problems import Problem
from apps.extraction import ExtractionFailed, UnknownKind
from apps.kb.actions.bases import locked_base
from apps.kb.actions.documents import delete_source, replace_document
from apps.kb.errors import KB_FULL, KB_UPLOAD_BUSY
from apps.kb.models import KnowledgeBase, Rule, Upload
from apps.kb.rules import uploads as rules
from apps.kb.rules.documents import Chunk
from apps.kb.rules.texts import MAX_DOC_ID, MAX_TITLE, EmbeddingStatus, SourceType
from apps.kb.rules.uploads import UploadState, upload_ref
from apps.leases import Lease, LeaseLost, wake_workers

UPLOAD_FORM = UploadForm(max_bytes=rules.MAX_BYTES)
# Between looks whether the vectors are there.
LOOK_S = 2.0


def store_upload(*, widget_id: int, upload: Received, lock: IdempotencyLock | None = None) -> Upload:
    """Keeps a document and has its text taken out. Its type is detected from its content.

    Raises INVALID_INPUT (422) on `file` for what is no document, or declares a bomb; IDEMPOTENCY_KEY_REUSED (409),
    STORAGE_FAILED (500), TRY_AGAIN (503): then nothing is kept.
    """
    upload.rewind()
    name = file_name(upload.name)
    try:
        kind = extraction.kind_of(name, upload.content)
    except UnknownKind as error:
        raise INVALID_INPUT(errors={UPLOAD_FORM.part: [str(error)]}) from None
    upload.rewind()
    try:
        with storage.stored(upload.content) as key:
            if lock is not None:
                lock.take()
            row = Upload.objects.create(
                widget_id=widget_id, name=name, size=upload.size, content_type=kind, storage_key=key
            )
            if lock is not None:
                lock.tell(row.pk)
            wake_workers()
            return row
    except storage.StorageFailed:
        raise STORAGE_FAILED() from None


@dataclass(frozen=True, slots=True)
class Deleted:
    """The deleted document, and the number of its rules."""

    id: int
    deleted_rules: int


@transaction.atomic
def delete_upload(*, widget_id: int, upload_id: int) -> Deleted:
    """Deletes a document, its stored file and its rules. Raises NOT_FOUND (404), KB_UPLOAD_BUSY (409)."""
    locked_base(widget_id)
    row = Upload.objects.for_widget(widget_id).select_for_update().get_or_404(pk=upload_id)
    if not rules.may_delete(row.state):
        raise KB_UPLOAD_BUSY()
    deleted = delete_source(widget_id=widget_id, source_ref=upload_ref(upload_id))
    row.delete()
    storage.discard(row.storage_key)
    return Deleted(upload_id, deleted)


@transaction.atomic
def retry_upload(*, widget_id: int, upload_id: int) -> bool:
    """Has a document read once more that failed; whether it had."""
    failed = Upload.objects.for_widget(widget_id).filter(pk=upload_id, state=UploadState.FAILED)
    queued = failed.update(
        state=UploadState.QUEUED,
        error_code="",
        error_detail="",
        notes=[],
        finished_at=None,
        updated_at=Now(),
        due_at=Now(),
        attempts=0,
        claims=0,
    )
    wake_workers()
    return bool(queued)


def work(lease: Lease[Upload]) -> None:
    if lease.row.state == UploadState.EMBEDDING:
        _go_on(lease)
    else:
        _read(lease)


def _read(lease: Lease[Upload]) -> None:
    row = lease.row
    held = Upload.objects.for_widget(row.widget_id).filter(pk=row.pk, claim_id=lease.claim_id)
    if not held.update(state=UploadState.EXTRACTING, updated_at=Now()):
        raise LeaseLost
    try:
        content = storage.read_stored(row.storage_key, most=rules.MAX_BYTES)
        languages = settings.KB_OCR_LANGUAGES
        found = extraction.extract(content, kind=row.content_type, name=row.name, languages=languages)
    except ExtractionFailed as failed:
        _fail(lease, failed.code, failed.detail[: rules.MAX_DETAIL])
        return
    except (storage.StorageFailed, Problem):  # it may be there a minute later
        lease.failed()
        return
    try:
        _write(lease, found)
    except Problem as problem:
        if problem.type is not KB_FULL:
            raise
        _fail(lease, rules.KB_FULL, rules.DETAILS[rules.KB_FULL])


@transaction.atomic
def _write(lease: Lease[Upload], found: extraction.ExtractedDocument) -> None:
    row = lease.row
    replace_document(
        widget_id=row.widget_id,
        source_ref=upload_ref(row.pk),
        source_type=SourceType.UPLOAD,
        title=(found.title or row.name)[:MAX_TITLE],
        doc_id=row.name[:MAX_DOC_ID],
        url=None,
        chunks=[Chunk(chunk.title, chunk.content) for chunk in found.chunks],
        upload_id=row.pk,
    )
    Upload.objects.for_widget(row.widget_id).filter(pk=row.pk).update(
        characters=found.characters,
        notes=[{"place": note.place, "reason": note.reason, "count": note.count} for note in found.notes],
    )
    _go_on(lease)


@transaction.atomic
def _go_on(lease: Lease[Upload]) -> None:
    """Ends with `ready` if nothing more is waited for, else looks again."""
    row = lease.row
    base = KnowledgeBase.objects.for_widget(row.widget_id).get()
    of_it = Rule.objects.for_widget(row.widget_id).filter(
        source__ref=upload_ref(row.pk), source__widget_id=row.widget_id
    )
    pending = of_it.filter(embedding_status=EmbeddingStatus.PENDING).count()
    if rules.is_embedded(pending=pending, provider_failures=base.attempts):
        _set(lease, UploadState.READY)
        lease.done()
        return
    if row.state != UploadState.EMBEDDING:
        _set(lease, UploadState.EMBEDDING)
    lease.later(LOOK_S)


@transaction.atomic
def _fail(lease: Lease[Upload], code: str, detail: str) -> None:
    _set(lease, UploadState.FAILED, code=code, detail=detail)
    lease.done()


def _set(lease: Lease[Upload], state: UploadState, *, code: str = "", detail: str = "") -> None:
    """The row's state, in the transaction that ends the lease, and is rolled back where that is lost."""
    Upload.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.pk).update(
        state=state,
        error_code=code,
        error_detail=detail,
        updated_at=Now(),
        finished_at=Now() if state in rules.FINISHED else None,
    )


def given_up(lease: Lease[Upload], reason: str) -> None:
    _fail(lease, rules.CRASHED, rules.DETAILS[rules.CRASHED])
