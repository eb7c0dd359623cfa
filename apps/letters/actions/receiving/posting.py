"""A letter's words and files as messages of a chat, in the transaction that notes the letter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext

from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Contact, File
from apps.chats.rules import MessageType, Via, file_refusal
from apps.core.endpoints.uploads import MB, ReceivedFile
from apps.core.parsing.file_types import content_type_of
from apps.letters.models import InLetter
from apps.letters.rules.reading.files import LetterFile
from apps.letters.rules.reading.limits import MAX_FILE_BYTES, MAX_FILES

_MESSAGES = UUID("0b3f1f7e-5b0e-4a52-9b5c-0f6d61696c01")
ORIGIN = "mail"


@dataclass(frozen=True, slots=True)
class Post:
    """A message to post: `sender_name` is of somebody else than the contact."""

    contact: Contact
    channel: str
    text: str
    files: Sequence[LetterFile]
    department_id: int | None = None
    sender_name: str | None = None


def post_letter(row: InLetter, post: Post) -> list[PostedMessage]:
    """Posts the words, then each file; of files that are too many, too large or have no room left, the names."""
    kept, left = _with_room(row.widget_id or 0, post.files)
    text = "\n".join(filter(None, (post.text, *(gettext("[file left out: %s]") % file.name for file in left))))
    contents: list[Mapping[str, Any]] = [{"type": "text", "body": text, "origin": ORIGIN}] if text.strip() else []
    contents += [_file_content(row.widget_id or 0, post.contact, file) for file in kept]
    if not contents:
        contents = [{"type": "text", "body": gettext("[an e-mail without text]"), "origin": ORIGIN}]
    contents[0] = {**contents[0], "details": {"letter": _told(row)}}
    return [
        chats.post_client_message(
            contact=post.contact,
            content=content,
            channel=post.channel,
            client_id=uuid5(_MESSAGES, f"{row.mailbox_id or 0}\n{row.key}\n{part}"),
            department_id=post.department_id,
            via=Via.MAIL,
            sender_name=post.sender_name,
            is_for_people=row.is_for_people,
        )
        for part, content in enumerate(contents)
    ]


def _told(row: InLetter) -> dict[str, Any]:
    """The facts of a letter that operators see at its first message."""
    sender = f"{row.sender_name} <{row.sender}>" if row.sender_name else row.sender
    return {
        "from": sender[:500],
        "subject": row.subject[:500],
        "proof": row.proof or "none",
        "third": row.is_third,
        "cut": row.is_cut,
    }


def _with_room(widget_id: int, files: Sequence[LetterFile]) -> tuple[list[LetterFile], list[LetterFile]]:
    """The files that are kept, and those that are named alone."""
    day = timezone.now() - timedelta(days=1)
    rows = File.objects.for_widget(widget_id).filter(contact__isnull=False, created_at__gt=day)
    room = settings.WIDGET_UPLOADS_MB * MB - (rows.aggregate(used=Sum("size"))["used"] or 0)
    kept: list[LetterFile] = []
    left: list[LetterFile] = []
    for file in files:
        if len(kept) < MAX_FILES and file.size <= min(MAX_FILE_BYTES, room):
            kept.append(file)
            room -= file.size
        else:
            left.append(file)
    return kept, left


def _file_content(widget_id: int, contact: Contact, file: LetterFile) -> Mapping[str, Any]:
    with ReceivedFile(file.name) as upload:
        upload.write(file.content)
        stored = chats.store_file(widget_id=widget_id, upload=upload, contact_id=contact.pk)
    is_image = file_refusal(MessageType.IMAGE, content_type_of(file.content[:8192])) is None
    body = gettext("Invitation: %s") % file.title if file.title else ""
    kind = MessageType.IMAGE if is_image else MessageType.FILE
    return {"type": kind.value, "body": body, "file_id": stored.pk, "origin": ORIGIN}
