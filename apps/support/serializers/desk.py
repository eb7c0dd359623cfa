"""The serializers of support agents' tickets, chats, messages and actions."""

from typing import Any

from apps.core.endpoints.row_serializers import IntegerList, Json, RowSerializer, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.support.rules.desk import ActionKind, ActionStatus
from apps.support.rules.identities import LinkSource
from apps.support.rules.tickets import (
    PRIORITIES,
    Category,
    CloseReason,
    TicketEffect,
    TicketReason,
    TicketSource,
    TicketState,
)

LINKS = ("anonymous", "awaiting_code", "verified", "none")


class DeskAccountSerializer(RowSerializer):
    """The proved account of the chat. It is never guessed."""

    link = Choice(choices=list(LINKS))
    email = Text(allow_null=True, help_text="Confirmed; in details alone.")
    app_user_id = Text(allow_null=True)
    link_source = Choice(choices=[source.value for source in LinkSource], allow_null=True)
    identity_expires_at = Time(allow_null=True)
    regrant_needed = Boolean()
    code_pending = Boolean()
    code_expires_at = Time(allow_null=True)
    last_code_result = Text(allow_null=True)
    last_code_at = Time(allow_null=True)
    email_requested = Boolean()


class DeskChatReferenceSerializer(RowSerializer):
    """A chat beside its ticket or its messages."""

    id = Integer()
    channel = Text()
    status = Text()
    delivery = Text(allow_null=True, help_text="Null where a reply would be refused.")
    account = DeskAccountSerializer()


class DeskContactSerializer(RowSerializer):
    """The customer."""

    id = Text()
    name = Text(allow_null=True)


class DeskAiSerializer(RowSerializer):
    """The AI's part in the chat."""

    state = Choice(choices=["off", "paused", "active"])
    handling = Text()


class DeskLastMessageSerializer(RowSerializer):
    """The newest message of either side."""

    id = Integer()
    kind = Text()
    type = Text()
    text = Text(help_text="Its first 500 characters.")
    at = Time()


class DeskLeaseSerializer(RowSerializer):
    """The agent that works on the chat."""

    agent = Text()
    claimed_at = Time()
    expires_at = Time()
    mine = Boolean(help_text="Whether this token holds it.")


class DeskChatSerializer(DeskChatReferenceSerializer):
    """A chat of the desk."""

    locale = Text(allow_null=True)
    contact = DeskContactSerializer()
    ai = DeskAiSerializer()
    last_message = DeskLastMessageSerializer(allow_null=True)
    unanswered = Integer(help_text="The customer's messages since the last answer.")
    waiting_since = Time(allow_null=True)
    open_ticket = Integer(allow_null=True)
    lease = DeskLeaseSerializer(allow_null=True)
    created_at = Time()
    updated_at = Time()


class DeskChatListSerializer(RowSerializer):
    """Chats, the longest unchanged first."""

    data = DeskChatSerializer(many=True)  # type: ignore[assignment]
    next_cursor = Text(allow_null=True, help_text="Always null.")
    truncated = Boolean()


class ClosedBySerializer(RowSerializer):
    """The closer of a ticket."""

    kind = Choice(choices=["agent", "staff"])
    name = Text()


class NumberSerializer(RowSerializer):
    """A ticket's number."""

    number = Integer()


class DeskTicketSerializer(RowSerializer):
    """A ticket of the queue."""

    number = Integer()
    state = Choice(choices=[state.value for state in TicketState])
    reason = Choice(choices=[reason.value for reason in TicketReason])
    close_reason = Choice(choices=[reason.value for reason in CloseReason], allow_null=True)
    priority = Choice(choices=list(PRIORITIES))
    category = Choice(choices=[category.value for category in Category], allow_null=True)
    subject = Text(allow_null=True)
    source = Choice(choices=[source.value for source in TicketSource])  # type: ignore[assignment]
    held_for_owner = Boolean()
    opened_at = Time()
    queued_at = Time()
    updated_at = Time()
    closed_at = Time(allow_null=True)
    closed_by = ClosedBySerializer(allow_null=True)
    reopen_until = Time(allow_null=True)
    duplicate_of = Integer(allow_null=True)
    chat = DeskChatReferenceSerializer()


class TranscriptLineSerializer(RowSerializer):
    """A message of how a ticket began."""

    id = Integer()
    kind = Text()
    text = Text()
    at = Time()


class AgentNoteSerializer(RowSerializer):
    """A note of an agent."""

    id = Integer()
    agent = Text()
    note = Text()
    at = Time()


class DeskTicketDetailSerializer(DeskTicketSerializer):
    """A ticket whole."""

    chat = DeskChatSerializer()
    opening_transcript = TranscriptLineSerializer(many=True)
    previous_numbers = IntegerList()
    agent_notes = AgentNoteSerializer(many=True)
    context = Json(allow_null=True)  # type: ignore[assignment]
    client = Json(allow_null=True)
    refund = Json(allow_null=True)


class DeskMovedTicketSerializer(DeskTicketDetailSerializer):
    """A ticket that an agent has closed or opened again."""

    action_id = Integer()


class DeskSenderSerializer(RowSerializer):
    """The sender of the message."""

    kind = Choice(choices=["client", "ai", "support", "external_operator", "system"])
    name = Text(allow_null=True)
    via = Choice(choices=["support_api", "console"], allow_null=True)


class DeskAttachmentReferenceSerializer(RowSerializer):
    """A file of a message, and as what it is handed out."""

    name = Text()
    content_type = Text()
    size = Integer()
    readable = Choice(choices=["image", "text", "file"], allow_null=True)


class DeskMessageSerializer(RowSerializer):
    """A message of a chat."""

    id = Integer()
    type = Text()
    text = Text()
    sender = DeskSenderSerializer()
    created_at = Time()
    attachment = DeskAttachmentReferenceSerializer(allow_null=True)
    keyboard = Json(allow_null=True)
    is_note = Boolean()
    redacted = Boolean(help_text="Whether the text is hidden, as a code's.")


class DeskMessageListSerializer(RowSerializer):
    """Messages, oldest first, and their chat."""

    data = DeskMessageSerializer(many=True)  # type: ignore[assignment]
    next_cursor = Text(allow_null=True, help_text="The next `after_id`.")
    chat = DeskChatReferenceSerializer()


class ClaimSerializer(RowSerializer):
    """The lease of a chat."""

    action_id = Integer()
    claim_id = Text()
    chat_id = Integer()
    agent = Text()
    claimed_at = Time()
    expires_at = Time()


class ReleaseSerializer(RowSerializer):
    """A lease that was given back."""

    action_id = Integer()
    chat_id = Integer()
    released = Boolean()


class TicketEffectSerializer(RowSerializer):
    """The effect of a reply on the ticket that it names."""

    ticket = Integer(allow_null=True)
    effect = Choice(choices=[effect.value for effect in TicketEffect])


class StoredReplySerializer(RowSerializer):
    """A reply, and whether it is stored."""

    action_id = Integer()
    status = Choice(choices=["stored", "unconfirmed"])
    chat_id = Integer()
    message_id = Integer(allow_null=True)
    delivery = Text(allow_null=True)
    text = Text(help_text="As it is stored.")
    ticket_effect = TicketEffectSerializer(allow_null=True)
    at = Time()


class ActionSerializer(RowSerializer):
    """A write of an agent, as it is on record. No text is in it."""

    id = Integer()
    kind = Choice(choices=[kind.value for kind in ActionKind])
    status = Choice(choices=[status.value for status in ActionStatus])
    http_status = Integer()
    code = Text(allow_null=True)
    agent = Text(allow_null=True)
    chat_id = Integer(allow_null=True)
    ticket = Integer(allow_null=True)
    message_id = Integer(allow_null=True)
    ticket_effect = TicketEffectSerializer(allow_null=True)
    text_sha256 = Text(allow_null=True)
    text_length = Integer(allow_null=True)
    note_length = Integer(allow_null=True)
    created_at = Time()
    finished_at = Time(allow_null=True)


def action_shown(action: Any) -> dict[str, Any]:
    """An action as `ActionSerializer` has it."""
    effect = action.ticket_effect
    shown = {str(name): getattr(action, str(name), None) for name in ActionSerializer().fields}
    return {
        **shown,
        "agent": action.agent or None,
        "ticket_effect": {"ticket": action.ticket, "effect": effect} if effect else None,
    }


class AttachmentSerializer(RowSerializer):
    """An attachment of a customer: a picture or a file in base64, or a document's text."""

    kind = Choice(choices=["image", "text", "file"])
    name = Text()
    content_type = Text()
    size = Integer()
    base64 = Text(allow_null=True)
    text = Text(allow_null=True)
    truncated = Boolean()
    width = Integer(allow_null=True)
    height = Integer(allow_null=True)
