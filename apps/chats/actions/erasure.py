"""A contact's copy of their data, and their erasure, in every app (`core.personal`)."""

import re
import zipfile
from collections.abc import Iterator
from typing import Any

import orjson

from apps.accounts.audit.records import record_of_contact
from apps.accounts.models import User
from apps.chats.models import Contact
from apps.core import personal
from apps.core.files import storage

_CHUNK = 64 * 1024
_KEY = "storage_key"


def copy_of_contact(*, widget_id: int, guid: str, by: User | None = None) -> Iterator[bytes]:
    """A zip of all that is held of a contact, in pieces: JSON lines by kind, and their files' bytes.

    Notes that operators wrote for each other are not in it. It is on record that it was made, without the data.

    Raises NOT_FOUND (404).
    """
    contact = Contact.objects.of(widget_id).select_related("widget").one(guid=guid)
    record_of_contact(contact.widget, contact.pk, "copied", by=by)
    return _zipped(widget_id, contact.pk)


def _zipped(widget_id: int, contact_id: int) -> Iterator[bytes]:
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        files: list[dict[str, Any]] = []
        for held in personal.held_of_contact(widget_id, contact_id):
            if not held.fields:
                continue
            with archive.open(f"{held.name}.jsonl", "w") as member:
                for row in personal.rows_of(held):
                    if _KEY in row:
                        files.append({"id": row["id"], "name": row["name"], _KEY: row.pop(_KEY)})
                    member.write(orjson.dumps(row, default=str) + b"\n")
                    yield from pipe.taken()
        for file in files:
            try:
                content = storage.open_stored(file[_KEY])
            except storage.StorageFailed:
                continue  # its bytes are lost: the row says what it was
            with content, archive.open(f"files/{file['id']}-{safe_name(file['name'])}", "w") as member:
                while chunk := content.read(_CHUNK):
                    member.write(chunk)
                    yield from pipe.taken()
    yield from pipe.taken()


def erase_contact(*, widget_id: int, guid: str, by: User | None = None) -> None:
    """Deletes a contact with all that any app holds of them, the highest app first, a batch a transaction.

    Their sessions go first, so that nothing new is said meanwhile; interrupted, it is finished by another call. It is
    on record that it was done, without the data. What they were sent by mail, and what others were told, stays there.

    Raises NOT_FOUND (404).
    """
    contact = Contact.objects.of(widget_id).select_related("widget").one(guid=guid)
    for held in reversed(personal.held_of_contact(widget_id, contact.pk)):
        personal.erase(held)
    record_of_contact(contact.widget, contact.pk, "erased", by=by)


def safe_name(name: str) -> str:
    """A file's name as an archive may hold it: it leads nowhere."""
    return re.sub(r"[^\w.\- ]", "_", name).lstrip(".")[:120] or "file"


class _Pipe:
    """What a zip is written to, and taken from again meanwhile."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """What was written is still to be taken."""

    def taken(self) -> Iterator[bytes]:
        if self._parts:
            parts, self._parts = self._parts, []
            yield b"".join(parts)
