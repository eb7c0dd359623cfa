"""What webhooks do when something happens in the apps below: write the outbox, in the same transaction."""

from apps.chats.events import ChatAccepted, ChatClosed, ChatCreated, ContactUpdated, MessagePosted
from apps.core.bus import reacts_to
from apps.webhooks.actions.outbox import emit


@reacts_to(MessagePosted)
def tell_message_created(event: MessagePosted) -> None:
    """`message.created`. A message for operators only (a note) is between no client and agent: nobody is told."""
    if event.is_internal:
        return
    emit(
        "message.created",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={
            "chat_id": event.chat_id,
            "message_id": event.message_id,
            "client_id": event.contact_guid,
            "author_type": event.author_type,
            "source": event.channel,
        },
    )


@reacts_to(ChatCreated)
def tell_chat_created(event: ChatCreated) -> None:
    """`chat.created`."""
    emit(
        "chat.created",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={"chat_id": event.chat_id, "client_id": event.contact_guid, "source": event.channel},
    )


@reacts_to(ChatAccepted)
def tell_chat_accepted(event: ChatAccepted) -> None:
    """`chat.accepted`."""
    emit(
        "chat.accepted",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={
            "chat_id": event.chat_id,
            "operator_id": event.agent_id,
            "operator_type": event.operator_type,
            "client_id": event.contact_guid,
        },
    )


@reacts_to(ChatClosed)
def tell_chat_closed(event: ChatClosed) -> None:
    """`chat.closed`, by whichever way the chat moved into expired."""
    emit(
        "chat.closed",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={"chat_id": event.chat_id, "reason": event.reason},
    )


@reacts_to(ContactUpdated)
def tell_contact_updated(event: ContactUpdated) -> None:
    """`contact.updated`, with the names of what changed and none of it."""
    emit(
        "contact.updated",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={"client_id": event.contact_guid, "changed_fields": list(event.changed_fields)},
    )
