"""Who a chat belongs to: accepting, assigning and transferring it, and what else its operators do (rules/attribution).

Whoever lets an operator speak, or hands a chat on, reports the fact here; what follows from it is decided once.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import AuthorType, ChatAccepted, ChatTransferred, ChatUpdated
from apps.chats.models import Chat, Transfer
from apps.chats.rules import Attribution, Handling, Operator, OperatorType, Status
from apps.chats.rules.attribution import Fact, after, is_acceptance
from apps.core import bus
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.redis import nudges


@transaction.atomic
def report_fact(*, widget_id: int, chat_id: int, fact: Fact, agent_id: int | None) -> Chat:
    """Tells a chat what an operator did in it; emits `chat.accepted` when that answered it first.

    `agent_id` is whose Fact says, and must be an operator of the widget: the caller has seen to that. Raises NOT_FOUND
    (404) for a chat that is not the widget's.
    """
    chat = locked_chat(widget_id, chat_id)
    _apply(chat, fact, agent_id)
    return chat


@transaction.atomic
def accept_chat(*, widget_id: int, chat_id: int, agent_id: int) -> Chat:
    """A person takes a chat: it is theirs. Raises what `transfer_chat` raises."""
    return _give(widget_id, chat_id, agent_id, Fact.HUMAN_ACCEPTED)


@transaction.atomic
def assign_chat(*, widget_id: int, chat_id: int, agent_id: int) -> Chat:
    """A chat is assigned to a person: it is theirs. Raises what `transfer_chat` raises."""
    return _give(widget_id, chat_id, agent_id, Fact.HUMAN_ASSIGNED)


@transaction.atomic
def transfer_chat(*, widget_id: int, chat_id: int, agent_id: int, author_type: AuthorType = "OPERATOR") -> Chat:
    """Routes a chat to a person, in whichever state it is; emits `chat.transferred` unless it was theirs already.

    An answered chat is handled by that person from now on; a transfer answers none, so a missed chat stays missed.

    Raises NOT_FOUND (404) for a chat or agent that is not the widget's, INVALID_INPUT (422) on `agent_id` for an agent
    who is no person or is banned, CHAT_IS_SPAM (409).
    """
    chat = _chat_to_give(widget_id, chat_id, agent_id)
    from_agent_id = chat.agent_id or chat.handled_agent_id
    was_theirs = chat.agent_id == agent_id
    _apply(chat, Fact.TRANSFERRED, agent_id)
    if was_theirs:
        return chat
    Transfer.objects.create(widget_id=widget_id, chat=chat, from_agent_id=from_agent_id, to_agent_id=agent_id)
    bus.publish(
        ChatTransferred(
            widget_id=widget_id,
            widget_guid=chat.widget.guid,
            chat_id=chat.pk,
            contact_guid=chat.contact.guid,
            channel=chat.channel,
            from_agent_id=from_agent_id,
            to_agent_id=agent_id,
            author_type=author_type,
        )
    )
    return chat


def locked_chat(widget_id: int, chat_id: int) -> Chat:
    """A chat of the widget, with its widget and contact, locked until the transaction ends. Raises NOT_FOUND (404)."""
    chats = Chat.objects.of(widget_id).select_related("widget", "contact").select_for_update(of=("self",))
    chat = chats.filter(pk=chat_id).first()
    if chat is None:
        raise NOT_FOUND()
    return chat


def _give(widget_id: int, chat_id: int, agent_id: int, fact: Fact) -> Chat:
    chat = _chat_to_give(widget_id, chat_id, agent_id)
    _apply(chat, fact, agent_id)
    return chat


def _chat_to_give(widget_id: int, chat_id: int, agent_id: int) -> Chat:
    chat = locked_chat(widget_id, chat_id)
    agent = Agent.objects.of(widget_id).filter(pk=agent_id).first()
    if agent is None:
        raise NOT_FOUND("There is no such agent.")
    if agent.type != Agent.Type.HUMAN:
        raise INVALID_INPUT(errors={"agent_id": ["The agent must be a human agent."]})
    if agent.status == Agent.Status.BANNED:
        raise INVALID_INPUT(errors={"agent_id": ["The agent is banned."]})
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    return chat


def _apply(chat: Chat, fact: Fact, agent_id: int | None) -> None:
    """Saves and tells what a fact makes of a locked chat's attribution; nothing when it makes no difference."""
    before = _attribution_of(chat)
    attribution = after(before, fact, agent_id=agent_id, now=timezone.now())
    if attribution == before:
        return
    _write(chat, attribution)
    if is_acceptance(before, attribution) and attribution.accepted_by is not None:
        bus.publish(
            ChatAccepted(
                widget_id=chat.widget_id,
                widget_guid=chat.widget.guid,
                chat_id=chat.pk,
                contact_guid=chat.contact.guid,
                agent_id=attribution.accepted_by.agent_id,
                operator_type=attribution.accepted_by.type.value,
            )
        )
    bus.publish(ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk))
    nudges.after_commit("chat", {"chat_id": chat.pk, "kind": "chat.updated"})


def _attribution_of(chat: Chat) -> Attribution:
    return Attribution(
        handling=Handling(chat.handling),
        accepted_by=_operator(chat.accepted_agent_id, chat.accepted_type, chat.accepted_at),
        handled_by=_operator(chat.handled_agent_id, chat.handled_type, chat.handled_at),
        owner_id=chat.agent_id,
    )


def _operator(agent_id: Any, type_: str | None, at: datetime | None) -> Operator | None:
    return Operator(agent_id, OperatorType(type_), at) if type_ else None


def _write(chat: Chat, attribution: Attribution) -> None:
    accepted_by, handled_by = attribution.accepted_by, attribution.handled_by
    fields: dict[str, Any] = {
        "agent_id": attribution.owner_id,
        "handling": attribution.handling,
        "accepted_agent_id": accepted_by and accepted_by.agent_id,
        "accepted_type": accepted_by and accepted_by.type,
        "accepted_at": accepted_by and accepted_by.at,
        "handled_agent_id": handled_by and handled_by.agent_id,
        "handled_type": handled_by and handled_by.type,
        "handled_at": handled_by and handled_by.at,
        "version": chat.version + 1,
    }
    for name, value in fields.items():
        setattr(chat, name, value)
    chat.save(update_fields=[name.removesuffix("_id") for name in fields])
