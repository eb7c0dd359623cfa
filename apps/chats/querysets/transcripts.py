"""The reads of a transcript, in portions: no cursor, transaction or lock outlives a statement."""

from collections.abc import Iterator
from typing import NamedTuple

import orjson

from apps.chats.rules import MAX_BODY_LENGTH
from apps.chats.rules.transcripts import SENDERS, TYPES, TranscriptEntry
from apps.core.database import fetch_all, fetch_one
from apps.core.errors import NOT_FOUND

# The first portion is small, so that the first byte is out soon; a portion of the longest bodies takes some 25 MB.
FIRST_PORTION, PORTION = 20, 100

_HEAD = """
SELECT c.internal, contact.name,
       coalesce((SELECT max(m.id) FROM chats_message m WHERE m.chat_id = c.id), 0)
FROM chats_chat c
JOIN chats_contact contact ON contact.id = c.contact_id
WHERE c.id = %(chat_id)s AND c.widget_id = %(widget_id)s"""

# Index: chats_message_in_chat.
_PORTION = """
SELECT m.id, m.created_at, m.sender_kind,
       CASE WHEN m.sender_name = '' AND m.sender_kind = 'client' THEN %(contact_name)s ELSE m.sender_name END,
       m.type, left(m.body, %(max_body)s), m.details::text
FROM chats_message m
WHERE m.chat_id = %(chat_id)s AND m.id > %(after_id)s AND m.id <= %(last_id)s
  AND NOT m.is_internal AND m.sender_kind = ANY(%(senders)s) AND m.type = ANY(%(types)s)
  AND NOT (m.body = '' AND m.details ? 'deleted_at')
ORDER BY m.id LIMIT %(limit)s
/* unscoped: read with its widget before */"""


class TranscriptHead(NamedTuple):
    """The head of a transcript.

    `last_message_id` is where it ends, even if messages are written later. `last_message_id` is where the transcript
    ends, whatever is written since.

    Ids are in the order of commits, so every message up to it is there.
    """

    is_internal: bool
    contact_name: str
    last_message_id: int


def transcript_head(*, widget_id: int, chat_id: int) -> TranscriptHead:
    """Raises NOT_FOUND (404) for a chat that is not the widget's."""
    row = fetch_one(_HEAD, {"widget_id": widget_id, "chat_id": chat_id})
    if row is None:
        raise NOT_FOUND()
    return TranscriptHead(*row)


def transcript_portions(chat_id: int, head: TranscriptHead) -> Iterator[list[TranscriptEntry]]:
    """The chat's messages that go into a transcript, oldest first, in portions; each is one statement."""
    after_id, limit = 0, FIRST_PORTION
    while True:
        rows = fetch_all(
            _PORTION,
            {
                "chat_id": chat_id,
                "after_id": after_id,
                "last_id": head.last_message_id,
                "contact_name": head.contact_name,
                "max_body": MAX_BODY_LENGTH,
                "senders": list(SENDERS),
                "types": list(TYPES),
                "limit": limit,
            },
        )
        yield [
            TranscriptEntry(at, sender_kind, sender_name, type_, body, details and orjson.loads(details))
            for _, at, sender_kind, sender_name, type_, body, details in rows
        ]
        if len(rows) < limit:
            return
        after_id, limit = rows[-1][0], PORTION
