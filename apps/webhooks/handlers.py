"""Webhooks write the outbox when something happens in the apps below, in the same transaction."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any

from apps.agents.events import AgentWentOffline, AgentWentOnline
from apps.automations.events import AutomationFired
from apps.chats.events import (
    ChatAccepted,
    ChatClosed,
    ChatCreated,
    ChatTransferred,
    ContactUpdated,
    InvitationAnswered,
    MessageChanged,
    MessagePosted,
    OfflineMessagePosted,
    QuestionsAnswered,
    RatingCreated,
)
from apps.core.bus import Cte, DomainEvent, adds_cte
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned, ChatAssigned, ChatQueued
from apps.webhooks import payloads
from apps.webhooks.actions.outbox import OutboxEvent, outbox_cte


def _message_created(event: MessagePosted) -> payloads.MessageCreated:
    return {
        "chat_id": event.chat_id,
        "message_id": event.message_id,
        "client_id": event.contact_guid,
        "author_type": event.author_type,
        "source": event.channel,
    }


def _message_updated(event: MessageChanged) -> payloads.MessageUpdated:
    return {
        "chat_id": event.chat_id,
        "message_id": event.message_id,
        "client_id": event.contact_guid,
        "author_type": "OPERATOR",
        "source": event.channel,
        "change": event.change,
    }


def _chat_created(event: ChatCreated) -> payloads.ChatCreatedData:
    return {"chat_id": event.chat_id, "client_id": event.contact_guid, "source": event.channel}


def _chat_accepted(event: ChatAccepted) -> payloads.ChatAcceptedData:
    return {
        "chat_id": event.chat_id,
        "operator_id": event.agent_id,
        "operator_type": event.operator_type,
        "client_id": event.contact_guid,
    }


def _chat_closed(event: ChatClosed) -> payloads.ChatClosedData:
    return {"chat_id": event.chat_id, "reason": event.reason}


def _chat_transferred(event: ChatTransferred) -> payloads.ChatTransferredData:
    return {
        "chat_id": event.chat_id,
        "client_guid": event.contact_guid,
        "from_operator_id": event.from_agent_id,
        "to_operator_id": event.to_agent_id,
        "author_type": event.author_type,
        "source": event.channel,
    }


def _rating_created(event: RatingCreated) -> payloads.RatingCreatedData:
    return {
        "chat_client_id": event.contact_guid,
        "operator_id": event.agent_id,
        "author_type": "USER",
        "source": event.channel,
    }


def _offline_message_created(event: OfflineMessagePosted) -> payloads.OfflineMessageCreated:
    return {
        "chat_id": event.chat_id,
        "client_id": event.contact_guid,
        "message_id": event.message_id,
        "name": event.name,
        "email": event.email,
        "phone": event.phone,
    }


def _contact_updated(event: ContactUpdated) -> payloads.ContactUpdatedData:
    return {"client_id": event.contact_guid, "changed_fields": list(event.changed_fields)}


def _chat_queued(event: ChatQueued) -> payloads.ChatQueuedData:
    return {
        "chat_id": event.chat_id,
        "client_id": event.contact_guid,
        "department_id": event.department_id,
        "priority": event.priority,
    }


def _chat_assigned(event: ChatAssigned) -> payloads.ChatAssignedData:
    return {
        "chat_id": event.chat_id,
        "client_id": event.contact_guid,
        "operator_id": event.operator_id,
        "department_id": event.department_id,
        "outcome": event.outcome,
    }


def _answer_time(event: AnswerTimeWarned | AnswerTimeMissed) -> payloads.AnswerTimeData:
    return {
        "chat_id": event.chat_id,
        "client_id": event.contact_guid,
        "metric": event.metric,
        "due_at": f"{event.due_at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z",
        "department_id": event.department_id,
        "operator_id": event.agent_id,
        "priority": event.priority,
    }


def _automation_fired(event: AutomationFired) -> payloads.AutomationFiredData:
    return {
        "chat_id": event.chat_id,
        "client_id": event.contact_guid,
        "automation_id": event.automation_id,
        "version": event.version,
        "name": event.name,
        "run_id": event.run_id,
    }


def _questions_answered(event: QuestionsAnswered) -> payloads.QuestionsAnsweredData:
    return {
        "chat_id": event.chat_id,
        "client_id": event.contact_guid,
        "keys": list(event.keys),
        "source": event.channel,
    }


def _invitation_answered(event: InvitationAnswered) -> payloads.InvitationAnsweredData:
    return {"invitation_id": event.invitation_id, "chat_id": event.chat_id, "client_id": event.contact_guid}


def _agent_came_or_went(event: AgentWentOnline | AgentWentOffline) -> dict[str, Any]:
    return {"operator_id": event.agent_id}


# The outward form of each domain event: the event type of the catalogue, and its `data`.
WEBHOOK_EVENTS: Mapping[type[DomainEvent], tuple[str, Callable[[Any], Mapping[str, Any]]]] = {
    MessagePosted: ("message.created", _message_created),
    ChatCreated: ("chat.created", _chat_created),
    ChatAccepted: ("chat.accepted", _chat_accepted),
    ChatClosed: ("chat.closed", _chat_closed),
    ChatTransferred: ("chat.transferred", _chat_transferred),
    RatingCreated: ("rating.created", _rating_created),
    OfflineMessagePosted: ("offline_message.created", _offline_message_created),
    ContactUpdated: ("contact.updated", _contact_updated),
    MessageChanged: ("message.updated", _message_updated),
    ChatQueued: ("chat.queued", _chat_queued),
    ChatAssigned: ("chat.assigned", _chat_assigned),
    AnswerTimeWarned: ("sla.warning", _answer_time),
    AnswerTimeMissed: ("sla.breached", _answer_time),
    AutomationFired: ("automation.fired", _automation_fired),
    QuestionsAnswered: ("questions.answered", _questions_answered),
    InvitationAnswered: ("invitation.answered", _invitation_answered),
    AgentWentOnline: ("agent.online", _agent_came_or_went),
    AgentWentOffline: ("agent.offline", _agent_came_or_went),
}


@adds_cte(*WEBHOOK_EVENTS)
def queue_webhooks(events: Sequence[Any]) -> Cte | None:
    """Queues the webhook of each, in one statement. Messages for operators only (notes) are left out."""
    visible = [
        event for event in events if not (isinstance(event, MessageChanged | MessagePosted) and event.is_internal)
    ]
    return outbox_cte([_outbox_event(event) for event in visible])


def _outbox_event(event: Any) -> OutboxEvent:
    event_type, data_of = WEBHOOK_EVENTS[type(event)]
    return OutboxEvent(event_type, event.widget_id, event.widget_guid, data_of(event))
