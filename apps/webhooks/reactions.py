"""What webhooks do when something happens in the apps below: write the outbox, in the same transaction."""

from collections.abc import Sequence
from typing import Any

from apps.chats.events import (
    ChatAccepted,
    ChatClosed,
    ChatCreated,
    ChatTransferred,
    ContactUpdated,
    MessagePosted,
    RatingCreated,
)
from apps.core.bus import reacts_to, reacts_to_batches_of
from apps.webhooks.actions.outbox import Happening, emit, emit_many


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


@reacts_to_batches_of(ChatClosed)
def tell_chats_closed(events: Sequence[ChatClosed]) -> None:
    """`chat.closed`, by whichever way each chat moved into expired."""
    if len(events) == 1:
        (event,) = events
        emit("chat.closed", widget_id=event.widget_id, widget_guid=event.widget_guid, data=_closing(event))
        return
    emit_many("chat.closed", [Happening(event.widget_id, event.widget_guid, _closing(event)) for event in events])


def _closing(event: ChatClosed) -> dict[str, Any]:
    return {"chat_id": event.chat_id, "reason": event.reason}


@reacts_to(ChatTransferred)
def tell_chat_transferred(event: ChatTransferred) -> None:
    """`chat.transferred`."""
    emit(
        "chat.transferred",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={
            "chat_id": event.chat_id,
            "client_guid": event.contact_guid,
            "from_operator_id": event.from_agent_id,
            "to_operator_id": event.to_agent_id,
            "author_type": event.author_type,
            "source": event.channel,
        },
    )


@reacts_to(RatingCreated)
def tell_rating_created(event: RatingCreated) -> None:
    """`rating.created`: that there is one, and not which."""
    emit(
        "rating.created",
        widget_id=event.widget_id,
        widget_guid=event.widget_guid,
        data={
            "chat_client_id": event.contact_guid,
            "operator_id": event.agent_id,
            "author_type": "USER",
            "source": event.channel,
        },
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
