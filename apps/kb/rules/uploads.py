"""The states of an uploaded document, and what stands against its deletion."""

from enum import StrEnum

MAX_BYTES = 10 * 1024 * 1024
MAX_NAME, MAX_DETAIL = 255, 255


class UploadState(StrEnum):
    """From `embedding` on its text is found; `ready` says that nothing more is waited for."""

    QUEUED = "queued"
    EXTRACTING = "extracting"
    EMBEDDING = "embedding"
    READY = "ready"
    FAILED = "failed"


# Why there are no rules of a document, beside the codes of the reader (`extraction`), and what people are told.
KB_FULL, CRASHED = "kb_full", "crashed"
DETAILS = {
    KB_FULL: "The knowledge base has no room for this document: delete some rules first.",
    CRASHED: "Reading the file was begun several times and never came to an end.",
}

FINISHED = frozenset({UploadState.READY, UploadState.FAILED})
# So many failures of the embedding provider in a row are waited for before a document counts as ready.
PROVIDER_FAILURES = 3


def upload_ref(upload_id: int) -> str:
    """The source of an uploaded document's rules."""
    return f"upload:{upload_id}"


def may_delete(state: str) -> bool:
    """Not while it is being read."""
    return state != UploadState.EXTRACTING


def is_embedded(*, pending: int, provider_failures: int) -> bool:
    """Whether nothing more is waited for: no text waits for its vector, or the provider fails again and again."""
    return pending == 0 or provider_failures >= PROVIDER_FAILURES
