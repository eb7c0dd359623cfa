"""Edits and deletions of a visitor's messages, as their messenger tells of them."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.chats.actions.changes import raise_version
from apps.chats.events import ChatUpdated, TranslationsWanted
from apps.chats.models import Contact, Message
from apps.chats.rules import SenderKind
from apps.chats.rules.translations import TRANSLATIONS, translations_of, waiting
from apps.core import bus


def edit_client_message(*, contact: Contact, channel: str, client_id: UUID, body: str, at: datetime) -> bool:
    """Gives a visitor's message the text that it has in the messenger now; returns whether there is such a message.

    An edit that is not newer than the one before changes nothing.
    """
    return _change(contact, channel, client_id, "edited_at", at, body=body)


def delete_client_message(*, contact: Contact, channel: str, client_id: UUID, at: datetime) -> bool:
    """Marks a visitor's message as deleted in the messenger; returns whether there is such a message.

    Its text stays, for operators who may have answered it; assistants read it no more.
    """
    return _change(contact, channel, client_id, "deleted_at", at)


@transaction.atomic
def _change(contact: Contact, channel: str, client_id: UUID, member: str, at: datetime, **fields: Any) -> bool:
    """Index: chats_message_client_id."""
    rows = Message.objects.for_widget(contact.widget_id).filter(chat__contact=contact, chat__channel=channel)
    rows = rows.filter(client_id=client_id, sender_kind=SenderKind.CLIENT)
    message = rows.select_for_update(of=("self",), no_key=True).first()
    if message is None:
        return False
    when, details = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z", message.details or {}
    if when <= details.get(member, ""):
        return True
    message.details = {**details, member: when}
    for name, value in fields.items():
        setattr(message, name, value)
    is_translated_anew = "body" in fields and bool(translations_of(details))
    if is_translated_anew:
        message.details |= {TRANSLATIONS: waiting([each["lang"] for each in translations_of(details)])}
    message.save(update_fields=["details", *fields])
    raise_version(message.chat_id)
    bus.publish(ChatUpdated(widget_id=contact.widget_id, chat_id=message.chat_id))
    if is_translated_anew:
        bus.publish(TranslationsWanted(widget_id=contact.widget_id, chat_id=message.chat_id))
    return True
