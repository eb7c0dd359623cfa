"""Messages that visitors leave with their contacts while nobody is there to answer."""

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
    *, contact: Contact, about: Mapping[str, str], message: str, client_id: UUID | None = None, channel: str = "widget"
) -> PostedMessage:
    """Posts what a visitor wrote into the offline form, and keeps what they said of themselves.

    `about` may have name, email and phone; what is blank stays as it is known. The message is one like any other, which
    begins the chat if there is none. Unless an operator is connected, whatever their status, it is told as an offline
    message besides. The same `client_id` again gives the stored message, and tells nothing.
    """
    given = {name: value for name, value in about.items() if value.strip()}
    if given:
        contact = Contact.objects.of(contact.widget_id).select_for_update(no_key=True).get(pk=contact.pk)
        if changed := set_contact_fields(contact, given):
            save_contact(contact, changed)
    content = {"type": MessageType.TEXT, "body": message}
    posted = post_client_message(
        contact=contact, content=content, channel=channel, client_id=client_id, via=Via.OFFLINE_FORM
    )
    if posted.is_new and not Agent.objects.of(contact.widget_id).online().exists():
        bus.publish(
            OfflineMessagePosted(
                widget_id=contact.widget_id,
                widget_guid=contact.widget.guid,
                chat_id=posted.chat_id,
                message_id=posted.id,
                contact_guid=contact.guid,
                name=given.get("name"),
                email=given.get("email"),
                phone=given.get("phone"),
            )
        )
    return posted
