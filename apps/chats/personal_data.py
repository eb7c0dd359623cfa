"""The personal data that chats hold of a contact: every message and the rows around them."""

from collections.abc import Iterator

from django.db.models import Q

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.chats.models import (
    Block,
    Chat,
    ChatActivity,
    Contact,
    ContactJoin,
    ContactNote,
    ContactTag,
    File,
    Message,
    MessageEdit,
    Rating,
    RatingRequest,
)

_FILE = ("id", "name", "size", "content_type", "storage_key", "created_at")
_MESSAGE = ("id", "chat_id", "type", "body", "markdown", "details", "origin", "sender_kind", "sender_name")


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """The contact first: an erasure begins at the end."""
    about = ("guid", "name", "email", "phone", "attributes", "created_at", "updated_at")
    yield PersonalRows(name="contact", rows=Contact.objects.for_widget(widget_id).filter(pk=contact_id), fields=about)
    tags = ContactTag.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="tags", rows=tags, fields=("tag__name", "created_at"))
    joins = ContactJoin.objects.for_widget(widget_id).filter(Q(contact_id=contact_id) | Q(first_id=contact_id))
    yield PersonalRows(name="joins", rows=joins)
    # Operators wrote these for each other, too.
    yield PersonalRows(
        name="contact_notes", rows=ContactNote.objects.for_widget(widget_id).filter(contact_id=contact_id)
    )
    blocks = Block.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="blocks", rows=blocks, fields=("reason", "created_at", "until"))
    chats = Chat.objects.for_widget(widget_id).filter(contact_id=contact_id)
    said = ("id", "channel", "status", "created_at", "last_message_at", "handover_reason")
    yield PersonalRows(name="chats", rows=chats, fields=said)
    steps = ChatActivity.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(name="steps", rows=steps, fields=("chat_id", "kind", "at"))
    ratings = Rating.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(name="ratings", rows=ratings, fields=("chat_id", "value", "comment", "rated_at"))
    requests = RatingRequest.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    asked = ("chat_id", "channel", "at", "answered_at", "declined_at")
    yield PersonalRows(name="rating_requests", rows=requests, fields=asked)
    messages = Message.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(
        name="messages", rows=messages.filter(is_internal=False), fields=(*_MESSAGE, "created_at", "seen_at")
    )
    edits = MessageEdit.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    # What operators took back or corrected: no part of the copy.
    yield PersonalRows(name="message_edits", rows=edits)
    # Operators wrote these for each other: they are erased, and no part of the copy.
    yield PersonalRows(name="notes", rows=messages.filter(is_internal=True))
    files = File.objects.for_widget(widget_id)
    yield PersonalRows(name="files", rows=files.filter(contact_id=contact_id), fields=_FILE)
    # Files of operators are nobody's: the messages name them.
    carried = (rows.filter(details__file__isnull=False) for rows in (messages, edits))
    named = {pk for rows in carried for pk in rows.values_list("details__file__id", flat=True)}
    sent = files.filter(pk__in=named, contact=None, purpose="attachment")
    yield PersonalRows(name="sent_files", rows=sent, fields=_FILE)


PERSONAL_DATA = PersonalData(held_of_contact)
