"""A visitor's message has the AI side look at the chat, and so has a person who gives the chat back."""

from collections.abc import Sequence
from typing import Any

from apps.accounts.rules import Answerer
from apps.agents.events import AgentChanged
from apps.ai.actions import advice
from apps.ai.actions.alerts import report
from apps.ai.actions.endings import close_turns, ending_cte
from apps.ai.actions.external import follow_agent
from apps.ai.actions.jobs import looking_cte, note_returned, queue_reply
from apps.ai.actions.mending import configuration_changed, embeddings_made
from apps.ai.actions.personas import acting
from apps.ai.drivers.failures import CAUSES as OF_REASONS
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import Turn
from apps.ai.querysets.external import TurnQuerySet
from apps.ai.rules.turn_states import Ending
from apps.automations.events import WantsAi
from apps.chats.events import ChatClosed, ChatMarkedSpam, ChatReturned, ChatTaken, MessagePosted
from apps.chats.rules import SenderKind, Via
from apps.chats.rules.messages import FOR_PEOPLE
from apps.core.bus import Cte, adds_cte, handles
from apps.kb.events import EmbeddingFailed, EmbeddingSucceeded

_LOOKS = frozenset({Answerer.AI, Answerer.AI_IN_SHADOW})


@adds_cte(MessagePosted)
def queue_reply_job(events: Sequence[Any]) -> Cte | None:
    """Queues the chat by the statement that stores the message, where AI is on; elsewhere it costs nothing."""
    wanted = [
        event
        for event in events
        if event.author_type == "USER"
        and not _LOOKS.isdisjoint(event.answerers)
        and not (event.said and event.said.via in FOR_PEOPLE)
    ]
    return looking_cte(wanted[-1].widget_id) if wanted else None


@adds_cte(MessagePosted)
def cancel_turn_on_agent_reply(events: Sequence[Any]) -> Cte | None:
    """A person's message ends the turn that an external operator has, by the statement that stores the message."""
    wanted = [
        event
        for event in events
        if event.author_type == "OPERATOR"
        and not event.is_internal
        and not _LOOKS.isdisjoint(event.answerers)
        and event.said
        and event.said.sender_kind == SenderKind.AGENT
        and event.said.via != Via.LEGACY_BOT
    ]
    return ending_cte(wanted[-1].widget_id) if wanted else None


@handles(ChatTaken)
def cancel_turn_on_takeover(event: ChatTaken) -> None:
    """A person who accepts a chat, or is given it, answers it; the external operator's turn is over."""
    if not _LOOKS.isdisjoint(event.answerers):
        close_turns(_turns_of(event), ending=Ending.HUMAN_TOOK_OVER)


@handles(ChatClosed)
def cancel_turn_on_close(event: ChatClosed) -> None:
    """Closes the turn of a closed chat."""
    if not _LOOKS.isdisjoint(event.answerers):
        close_turns(_turns_of(event), ending=Ending.CHAT_CLOSED)


@handles(ChatMarkedSpam)
def cancel_turn_on_spam(event: ChatMarkedSpam) -> None:
    """Closes the turn of a spam chat."""
    if not _LOOKS.isdisjoint(event.answerers):
        close_turns(_turns_of(event), ending=Ending.CHAT_CLOSED)


def _turns_of(event: ChatTaken | ChatClosed | ChatMarkedSpam) -> TurnQuerySet:
    return Turn.objects.for_widget(event.widget_id).filter(chat_id=event.chat_id)


@handles(ChatReturned)
def resume_ai_on_return(event: ChatReturned) -> None:
    """Gives the chat to the AI side again: the visitor's open messages are answered at once."""
    note_returned(chat_id=event.chat_id)
    if not _LOOKS.isdisjoint(event.answerers):
        queue_reply(widget_id=event.widget_id, chat_id=event.chat_id)


@handles(WantsAi)
def take_what_automations_give(event: WantsAi) -> None:
    """An automation gives the chat to the AI side: the visitor's open messages are answered at once."""
    note_returned(chat_id=event.chat_id)
    queue_reply(widget_id=event.widget_id, chat_id=event.chat_id)


@handles(AgentChanged)
def sync_external_operator(event: AgentChanged) -> None:
    """Suspending or removing the agent disables its external operator; restoring it enables it."""
    if "status" in event.changed_fields:
        follow_agent(agent_id=event.agent_id, is_banned=event.is_banned, actor=acting(event.widget_id))


@handles(AiConfigurationChanged)
def try_again(event: AiConfigurationChanged) -> None:
    """Has what waits for another credential, model or assistant tried at once."""
    configuration_changed(event.widget_id)


@handles(EmbeddingFailed)
def report_failed_embedding(event: EmbeddingFailed) -> None:
    """Opens an alert, or counts it once more."""
    cause = OF_REASONS.get(event.reason)
    sentence = advice.ANSWERS_WITHOUT_VECTORS if event.asked_for_answer else advice.NEW_WITHOUT_VECTORS
    report(event.widget_id, "kb_embedding_failed", sentence, values={} if cause is None else {"cause": cause})


@handles(EmbeddingSucceeded)
def end_alerts_of_embedding(event: EmbeddingSucceeded) -> None:
    """Vectors are made again: the alerts end."""
    embeddings_made(event.widget_id)
