"""Messages that visitors leave with their contacts while no operator is online."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from apps.agents.models import Agent
from apps.chats.actions.contacts import save_contact, set_contact_fields
from apps.chats.actions.messages import PostedMessage, post_client_message
from apps.chats.events import OfflineMessagePosted
from apps.chats.models import Contact
from apps.chats.rules import MessageType, Via
from apps.core import bus


@transaction.atomic
def leave_offline_message(
    *,
    contact: Contact,
    about: Mapping[str, str],
    message: str,
    client_id: UUID | None = None,
    channel: str = "widget",
    where: Mapping[str, str | None] | None = None,
    department_id: int | None = None,
) -> PostedMessage:
    """Posts what a visitor wrote into the offline form, and keeps what they said of themselves.

    `about` may have name, email and phone; what is blank stays as it is known. The message is one like any other, which
    begins the chat if there is none, in that department. Unless an operator is connected, whatever their status, it is
    told as an offline message besides. The same `client_id` again gives the stored message, and tells nothing. `where`
    has the language and the page that are kept with it.
    """
    contact, given = _keep(contact, about)
    content = {"type": MessageType.TEXT, "body": message, **(where or {})}
    posted = post_client_message(
        contact=contact,
        content=content,
        channel=channel,
        client_id=client_id,
        department_id=department_id,
        via=Via.OFFLINE_FORM,
    )
    if posted.is_new:
        _tell(contact, given, chat_id=posted.chat_id, message_id=posted.id)
    return posted


@transaction.atomic
def leave_contacts(
    *, contact: Contact, about: Mapping[str, str], chat_id: int, message_id: int, is_first: bool
) -> Contact:
    """Keeps what a visitor said of themselves below `message_id`, a message of theirs in that chat.

    It is told as an offline message like that of the form, if it `is_first` that they say it of this message.
    """
    contact, given = _keep(contact, about)
    if is_first:
        _tell(contact, given, chat_id=chat_id, message_id=message_id)
    return contact


def _keep(contact: Contact, about: Mapping[str, str]) -> tuple[Contact, dict[str, str]]:
    """The contact with what they said of themselves, and what that was."""
    given = {name: value for name, value in about.items() if value.strip()}
    if given:
        contact = Contact.objects.for_widget(contact.widget_id).select_for_update(no_key=True).get(pk=contact.pk)
        if changed := set_contact_fields(contact, given):
            save_contact(contact, changed)
    return contact, given


def _tell(contact: Contact, given: Mapping[str, str], *, chat_id: int, message_id: int) -> None:
    if Agent.objects.for_widget(contact.widget_id).online().exists():
        return
    bus.publish(
        OfflineMessagePosted(
            widget_id=contact.widget_id,
            widget_guid=contact.widget.guid,
            chat_id=chat_id,
            message_id=message_id,
            contact_guid=contact.guid,
            name=given.get("name"),
            email=given.get("email"),
            phone=given.get("phone"),
        )
    )
