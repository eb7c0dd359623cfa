"""Showing an answer: its messages, what they make of the chat, and the exchange that is kept of it.

All of it is written by the caller's transaction, which holds the chat's lock and the job's lease.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from apps.ai.actions.asking import Asker
from apps.ai.actions.composing import Composed, Question
from apps.ai.actions.turns import Responder, Turn
from apps.ai.events import Answered, HandedOver
from apps.ai.models import Assistant, Conversation, Exchange
from apps.ai.rules import turns
from apps.ai.rules.phrases import phrase
from apps.ai.rules.prompts import burst_text
from apps.ai.rules.redaction import Redaction
from apps.ai.rules.turns import Speak, Way
from apps.chats.actions import hand_to_people, post_machine_message, post_note
from apps.chats.rules import Handling
from apps.chats.rules.attribution import AttributionEvent
from apps.core import bus

IN_SHADOW = "ai_shadow"
_CLIENT_IDS = UUID("8a0c6f0e-3f6b-4e0f-9d7e-0b9b6c1f5a11")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer that was made for a turn, and what it was made of."""

    turn: Turn
    speak: Speak
    responder: Responder
    question: Question
    composed: Composed
    asker: Asker | None = None

    def client_id(self, part: str) -> UUID:
        """The message's own: the same at each attempt, so that no crash and no second worker shows two."""
        return uuid5(_CLIENT_IDS, f"{self.turn.chat.pk}:{self.turn.burst[0].id}:{part}")


def show(answer: Answer) -> int:
    """Says what is to be said, as the operator who answers; gives the id of the answer's message.

    In shadow mode that is a note: nothing of the chat changes.
    """
    if answer.turn.is_shadow:
        message_id = _note(answer)
        _remember(answer, turns.Mode.AI)
        return message_id
    composed, way = answer.composed, answer.speak.way
    fact = _fact(answer)
    if not composed.hands_over and turns.says_who_answers(way, answer.turn.state):
        said = phrase("handoff_to_ai", answer.question.language, answer.question.phrases)
        _say(answer, "handoff", said, fact)
        fact = _answered_by(answer)
    message_id = _say(answer, "answer", composed.before or composed.text, fact)
    if composed.before:
        _say(answer, "handover", composed.text, fact)
    operators = answer.question.operators if answer.question.presence_context else None
    mode = turns.mode_after(way, hands_over=composed.hands_over, reason=composed.reason, operators=operators)
    if composed.hands_over:
        _hand_over(answer, mode)
    else:
        _remember(answer, mode)
    return message_id


def _fact(answer: Answer) -> AttributionEvent:
    """The first message's effect on the chat's attribution; later messages have none.

    An answer while people are called takes nothing over. A chat that was handed over, and closed before a person came,
    is AI's again.
    """
    is_peoples = answer.turn.chat.handling in (Handling.HUMAN, Handling.AI_TO_HUMAN)
    if answer.speak.way is Way.HELP or (answer.speak.way is Way.ANSWER and not is_peoples):
        return _answered_by(answer)
    return AttributionEvent.AI_TOOK_OVER


def _answered_by(answer: Answer) -> AttributionEvent:
    return AttributionEvent.EXTERNAL_ANSWERED if answer.responder.is_external else AttributionEvent.AI_ANSWERED


def _say(answer: Answer, part: str, text: str, fact: AttributionEvent) -> int:
    chat = answer.turn.chat
    return post_machine_message(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        content={"type": "text", "body": text},
        agent_id=answer.responder.operator_id,
        fact=fact,
        client_id=answer.client_id(part),
        may_be_retired=answer.responder.is_external,
    ).id


def _note(answer: Answer) -> int:
    chat = answer.turn.chat
    return post_note(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=answer.responder.operator_id,
        content={"type": "text", "body": answer.composed.text, "origin": IN_SHADOW},
        client_id=answer.client_id("note"),
    ).id


def _hand_over(answer: Answer, mode: turns.Mode) -> None:
    widget_id, reason = answer.turn.chat.widget_id, answer.composed.reason or ""
    chat = hand_to_people(widget_id=widget_id, chat_id=answer.turn.chat.pk, reason=reason)
    _remember(answer, mode, since=chat.handed_over_at)
    bus.publish(HandedOver(widget_id=widget_id, chat_id=chat.pk, reason=reason, mode=mode))


def _remember(answer: Answer, mode: turns.Mode, since: datetime | None = None) -> None:
    """Notes the mode and what is dealt with; a mode that goes on keeps its beginning."""
    turn = answer.turn
    noted = turn.conversation
    if since is None:
        since = noted.mode_since if noted and noted.mode == mode else turn.now
    row = Conversation(
        chat=turn.chat,
        mode=mode,
        mode_since=since,
        operator_id=answer.responder.operator_id,
        language=answer.question.language,
        answered_message_id=turn.burst[-1].id,
    )
    fields = ["mode", "mode_since", "operator_id", "language", "answered_message_id"]
    Conversation.objects.bulk_create([row], update_conflicts=True, unique_fields=["chat"], update_fields=fields)


def write_exchange(answer: Answer, *, outcome: str, message_id: int | None = None) -> None:
    """Keeps what was asked and what was made of it, redacted."""
    turn, composed, asker, redaction = answer.turn, answer.composed, answer.asker, Redaction()
    assistant = answer.responder.assistant
    is_there = outcome != "dropped" or Assistant.objects.of(turn.chat.widget_id).filter(pk=assistant.pk).exists()
    answered_by = asker.answered_by if asker else None
    exchange = Exchange.objects.create(
        widget_id=turn.chat.widget_id,
        assistant_id=assistant.pk if is_there else None,
        operator_id=answer.responder.operator_id,
        persona_version=assistant.persona_version,
        chat_id=turn.chat.pk,
        first_message_id=turn.burst[0].id,
        last_message_id=turn.burst[-1].id,
        answer_message_id=message_id,
        question=burst_text(answer.question.burst, redaction),
        answer=redaction.hide(composed.text),
        language=answer.question.language,
        way=answer.speak.way,
        transformation=composed.transformation,
        classifier=composed.classifier,
        reason=composed.reason or "",
        rag_status=composed.rag_status,
        chunk_ids=composed.chunk_ids,
        sources=composed.sources,
        outcome=outcome,
        model=asker.sources[answered_by].model if asker and answered_by is not None else "",
        operations=asker.meter.spent if asker else 0,
        prompt_tokens=asker.prompt_tokens if asker else 0,
        completion_tokens=asker.completion_tokens if asker else 0,
    )
    if outcome == Exchange.Outcome.SHOWN:
        bus.publish(
            Answered(
                widget_id=exchange.widget_id,
                chat_id=exchange.chat_id,
                first_message_id=exchange.first_message_id,
                question=exchange.question,
                rag_status=exchange.rag_status,
                transformation=exchange.transformation,
                reason=exchange.reason,
            )
        )
