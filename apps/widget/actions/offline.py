"""The offline form: a message with what the visitor says of themselves."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Contact, Message
from apps.chats.rules import SenderKind
from apps.chats.serializers.chats import MessageSerializer
from apps.core.errors import NOT_FOUND
from apps.widget import querysets
from apps.widget.actions.letters import note_wish
from apps.widget.models import OfflineNotification

_CONTACTS = ("name", "email", "phone")


@transaction.atomic
def leave_offline_message(*, contact: Contact, about: Mapping[str, Any]) -> PostedMessage:
    """Posts what the visitor wrote into the offline form, or takes what they say of themselves below a message.

    `about` has `message`, or `message_id` of a message of theirs in its place; `name`, `email`, `phone`, `client_id`
    and `mail_answers`: whether answers that they have not seen are mailed. The same `client_id`, or `message_id`, again
    gives the stored message, and tells nothing.

    Raises NOT_FOUND (404) for a message that is not theirs; INVALID_INPUT (422) on `email` where answers are to be
    mailed and no address is known.
    """
    given = {name: str(about.get(name, "")) for name in _CONTACTS}
    if "message_id" in about:
        posted = _left_below(contact, given, about["message_id"])
    else:
        posted = _left(contact, given, about["message"], about.get("client_id"))
    note_wish(contact, given["email"].strip(), about.get("mail_answers"), after_id=posted.id)
    return posted


def _left(contact: Contact, given: Mapping[str, str], message: str, client_id: UUID | None) -> PostedMessage:
    posted = chats.leave_offline_message(
        contact=contact, about=given, message=message, client_id=client_id, channel=querysets.CHANNEL
    )
    _form_of(contact)
    _forms(contact).filter(message_id__lt=posted.id).update(message_id=posted.id)
    return posted


def _left_below(contact: Contact, given: Mapping[str, str], message_id: int) -> PostedMessage:
    found = Message.objects.for_widget(contact.widget_id).filter(
        pk=message_id, chat__contact=contact, chat__channel=querysets.CHANNEL, sender_kind=SenderKind.CLIENT
    )
    message = found.first()
    if message is None:
        raise NOT_FOUND("There is no such message of this visitor.")
    is_first = _form_of(contact).message_id < message_id
    chats.leave_contacts(
        contact=contact, about=given, chat_id=message.chat_id, message_id=message_id, is_first=is_first
    )
    if is_first:
        _forms(contact).update(message_id=message_id)
    return PostedMessage(MessageSerializer.show(message), is_new=False)


def _forms(contact: Contact) -> Any:
    return OfflineNotification.objects.for_widget(contact.widget_id).filter(pk=contact.pk)


def _form_of(contact: Contact) -> OfflineNotification:
    """The visitor's row, made if there is none, and locked."""
    OfflineNotification.objects.bulk_create(
        [OfflineNotification(contact=contact, widget_id=contact.widget_id)], ignore_conflicts=True
    )
    form: OfflineNotification = _forms(contact).select_for_update().get()
    return form
