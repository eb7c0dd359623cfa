"""Edits and deletions of a visitor's messages, as their messenger tells of them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.chats.actions.changes import raise_version
from apps.chats.actions.files import mark_sent
from apps.chats.events import ChatUpdated, TranslationsWanted
from apps.chats.models import Contact, File, Message
from apps.chats.rules import SenderKind
from apps.chats.rules.translations import TRANSLATIONS, translations_of, waiting
from apps.core import bus

# When the newest edit was made that came, also of one that changed nothing.
EDIT_SEEN = "edit_seen_at"


@transaction.atomic
def edit_client_message(
    *, contact: Contact, channel: str, client_id: UUID, content: Mapping[str, Any], at: datetime
) -> bool:
    """Gives a visitor's message the content that it has in the messenger now; returns whether there is such a message.

    `content` is the text (`body`), and where those are new the type, `details` (a place, files) and `file_id`, a file
    of the contact's own. An edit that is older than one that came changes nothing; one that brings nothing new is not
    marked.
    """
    message = _locked(contact, channel, client_id)
    if message is None:
        return False
    when, details = _written(at), message.details or {}
    if when < max(details.get("edited_at", ""), details.get(EDIT_SEEN, "")):
        return True
    changed = {**details, **content.get("details", {}), **_file_of(contact, content)}
    fields = {"body": content["body"], "type": content.get("type", message.type)}
    if changed == details and all(getattr(message, name) == value for name, value in fields.items()):
        message.details = {**details, EDIT_SEEN: when}
        message.save(update_fields=["details"])
        return True
    is_reworded = fields["body"] != message.body and bool(translations_of(details))
    if is_reworded:
        changed[TRANSLATIONS] = waiting([each["lang"] for each in translations_of(details)])
    changed.pop(EDIT_SEEN, None)
    _change(message, {**changed, "edited_at": when}, **fields)
    if is_reworded:
        bus.publish(TranslationsWanted(widget_id=contact.widget_id, chat_id=message.chat_id))
    return True


@transaction.atomic
def delete_client_message(*, contact: Contact, channel: str, client_id: UUID, at: datetime) -> bool:
    """Marks a visitor's message as deleted in the messenger; returns whether there is such a message.

    Its text stays, for operators who may have answered it; assistants read it no more.
    """
    message = _locked(contact, channel, client_id)
    if message is None:
        return False
    details = message.details or {}
    if (when := _written(at)) > details.get("deleted_at", ""):
        _change(message, {**details, "deleted_at": when})
    return True


def _locked(contact: Contact, channel: str, client_id: UUID) -> Message | None:
    """Index: chats_message_client_id."""
    rows = Message.objects.for_widget(contact.widget_id).filter(chat__contact=contact, chat__channel=channel)
    rows = rows.filter(client_id=client_id, sender_kind=SenderKind.CLIENT)
    return rows.select_for_update(of=("self",), no_key=True).first()


def _written(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


def _file_of(contact: Contact, content: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a message that names its new file."""
    if content.get("file_id") is None:
        return {}
    file = File.objects.for_widget(contact.widget_id).get(pk=content["file_id"])
    mark_sent(widget_id=contact.widget_id, file_id=file.pk)
    return {"file": {name: getattr(file, name) for name in ("id", "name", "size", "content_type")}}


def _change(message: Message, details: Mapping[str, Any], **fields: Any) -> None:
    message.details = dict(details)
    for name, value in fields.items():
        setattr(message, name, value)
    message.save(update_fields=["details", *fields])
    raise_version(message.chat_id)
    bus.publish(ChatUpdated(widget_id=message.widget_id, chat_id=message.chat_id))
