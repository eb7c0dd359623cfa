"""A contact's copy of their data, and their erasure, in every app (`personal_data.py`)."""

from collections.abc import Iterator
from typing import Any

import orjson

from apps.accounts.actions.exports import MOST_BYTES
from apps.accounts.audit.records import record_of_contact
from apps.accounts.models import User
from apps.chats.actions import personal_data
from apps.chats.actions.people import group_of
from apps.chats.models import Contact
from apps.core.files import storage
from apps.core.files.zipped import safe_name, zipped

_KEY = "storage_key"


def copy_of_contact(*, widget_id: int, guid: str, by: User | None = None) -> Iterator[bytes]:
    """A zip of all that is held of a contact, in pieces: JSON lines by kind, and their files' bytes.

    Contacts that are joined to it come along, each in a folder. Notes that operators wrote for each other are not in
    it. It is on record that it was made, without the data.

    Raises NOT_FOUND (404).
    """
    contact, *joined = group_of(widget_id, guid)
    for each in (contact, *joined):
        record_of_contact(each.widget, each.pk, "copied", by=by)
    return zipped(_files_of_all(widget_id, contact, joined))


def _files_of_all(widget_id: int, contact: Contact, joined: list[Contact]) -> Iterator[tuple[str, Iterator[bytes]]]:
    yield from _files(widget_id, contact.pk)
    for each in joined:
        yield from ((f"joined/{each.guid}/{name}", content) for name, content in _files(widget_id, each.pk))


def _files(widget_id: int, contact_id: int) -> Iterator[tuple[str, Iterator[bytes]]]:
    files: list[dict[str, Any]] = []
    for held in personal_data.held_of_contact(widget_id, contact_id):
        if held.fields:
            yield f"{held.name}.jsonl", _lines(held, files)
    for file in files:
        try:
            content = storage.chunks_of(file[_KEY], most=MOST_BYTES)
        except storage.StorageFailed:
            continue  # its bytes are lost: the row says what it was
        yield f"files/{file['id']}-{safe_name(file['name'])}", content


def _lines(held: personal_data.PersonalRows, files: list[dict[str, Any]]) -> Iterator[bytes]:
    """The rows; those of files are noted with where their bytes are, which the copy does not say."""
    for row in personal_data.rows_of(held):
        if key := row.pop(_KEY, ""):
            files.append({"id": row["id"], "name": row["name"], _KEY: key})
        yield orjson.dumps(row, default=str) + b"\n"


def erase_contact(*, widget_id: int, guid: str, by: User | None = None) -> None:
    """Deletes a contact with all that any app holds of them, the highest app first, a batch a transaction; and the
    contacts that are joined to it, before it.

    The contact's sessions go first, so that no new message arrives; an interrupted deletion is finished by another
    call. It is on record that it was done, without the data. Mails and webhooks that were sent before are not recalled.

    Raises NOT_FOUND (404).
    """
    for contact in reversed(group_of(widget_id, guid)):
        for held in reversed(personal_data.held_of_contact(widget_id, contact.pk)):
            personal_data.erase(held)
        record_of_contact(contact.widget, contact.pk, "erased", by=by)
