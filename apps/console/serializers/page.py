"""The limits that the console's page is served with: its scripts refuse by them before they ask the server."""

from datetime import timedelta
from typing import Any

from apps.agents.rules.absence import MAX_BREAK_NOTE
from apps.automations.rules.variables import MAX_REPLY
from apps.chats.rules.activities import MAX_COMMENT
from apps.chats.rules.blocks import MAX_REASON
from apps.chats.rules.contacts import (
    MAX_ATTRIBUTE_NAME,
    MAX_ATTRIBUTE_VALUE,
    MAX_EMAIL,
    MAX_NAME,
    MAX_PHONE,
    MAX_QUERY,
    MAX_TAG,
)
from apps.chats.rules.edits import EDITABLE_FOR
from apps.chats.rules.files import MAX_FILE_BYTES
from apps.chats.rules.keyboards import MAX_BUTTONS, MAX_LABEL, MAX_URL
from apps.chats.rules.people import MAX_NOTE
from apps.chats.rules.typing import START_EVERY_MS
from apps.console.rules.canned_replies import MAX_SHORTCUT
from apps.console.rules.limits import CLOSED_AT_HAND, MAX_SEARCH, MAX_TEXT_LENGTH, MAX_WISH, MIN_SEARCH, MIN_WISH
from apps.core.parsing.file_types import INLINE_IMAGES
from apps.reviews.rules.scores import MAX_NOTE as MAX_REVIEW_NOTE
from apps.reviews.rules.scores import MAX_REPLY as MAX_REPLY_TO_REVIEW

_MILLISECOND = timedelta(milliseconds=1)


def page_limits() -> dict[str, Any]:
    """`Limits` of static/console/base/types.d.ts: characters, unless the name says otherwise."""
    return {
        "message": MAX_TEXT_LENGTH,
        "typing_every_ms": START_EVERY_MS,
        "editable_ms": EDITABLE_FOR // _MILLISECOND,
        "file_bytes": MAX_FILE_BYTES,
        "pictures": sorted(INLINE_IMAGES),
        "buttons": MAX_BUTTONS,
        "button_label": MAX_LABEL,
        "button_url": MAX_URL,
        "shortcut": MAX_SHORTCUT,
        "reply": MAX_REPLY,
        "search_min": MIN_SEARCH,
        "search": MAX_SEARCH,
        "closed_at_hand_ms": CLOSED_AT_HAND // _MILLISECOND,
        "contacts_search": MAX_QUERY,
        "name": MAX_NAME,
        "email": MAX_EMAIL,
        "phone": MAX_PHONE,
        "tag": MAX_TAG,
        "attribute_name": MAX_ATTRIBUTE_NAME,
        "attribute": MAX_ATTRIBUTE_VALUE,
        "note": MAX_NOTE,
        "break_note": MAX_BREAK_NOTE,
        "comment": MAX_COMMENT,
        "reason": MAX_REASON,
        "wish_min": MIN_WISH,
        "wish": MAX_WISH,
        "review_note": MAX_REVIEW_NOTE,
        "review_text": MAX_REPLY_TO_REVIEW,
    }
