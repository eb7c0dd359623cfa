"""An external operator's reply: bound to its turn, consumed once, and shown in the transaction that consumes it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.actions.endings import close_turns, note_answered, stop_typing
from apps.ai.actions.external_turns import External
from apps.ai.actions.jobs import queue_reply
from apps.ai.actions.replies.drafting import phrased
from apps.ai.actions.replies.reading import ReplyContext, read
from apps.ai.actions.replies.requests import reply_to
from apps.ai.actions.replies.writing import ReplyDraft, note
from apps.ai.errors import REPLY_ALREADY_CONSUMED, REPLY_BINDING_MALFORMED, REPLY_BINDING_MISMATCH, TURN_CLOSED
from apps.ai.models import ExternalOperator, ReplyToken, Turn
from apps.ai.rules import reply_checks
from apps.ai.rules.decisions import ReplyDecision, ReplyMode, ReplyPlan, decide
from apps.ai.rules.reply_checks import ReplyEffect
from apps.ai.rules.shown_answers import Decision
from apps.ai.rules.turn_states import OPEN, Ending, TurnState
from apps.chats.models import Chat
from apps.chats.rules import SenderKind
from apps.core.observability import metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalReply:
    """A reply as it came: its members, its token, its frame and its raw bytes."""

    room_id: int
    causation_id: str
    content: str | None
    escalate: bool
    token_id: int
    operator_header: str | None
    signature_header: str | None
    body: bytes


def take_reply(*, widget_id: int, reply: ExternalReply) -> dict[str, Any]:
    """Consumes a turn's reply, and gives what became of it, which is stored then.

    Raises NOT_FOUND (404); REPLY_BINDING_MALFORMED, REPLY_BINDING_MISMATCH, REPLY_ALREADY_CONSUMED, TURN_CLOSED (409).
    No refusal consumes or changes anything.
    """
    turn = _turn(widget_id, reply.causation_id)
    _check_binding(turn, reply)
    refused: Ending | None = None
    with transaction.atomic():
        Chat.objects.for_widget(widget_id).get_for_update(pk=turn.chat_id)
        turn = _locked_turn(turn)
        if turn.state not in OPEN:
            _refuse(turn)
        found = read(widget_id=widget_id, chat_id=turn.chat_id)
        refused = _overtaken(turn, found, decide(found, found.now))
        if refused is None:
            return _show(turn, found, reply)
        close_turns(Turn.objects.for_widget(widget_id).filter(pk=turn.pk), ending=refused)
    raise TURN_CLOSED(reason=refused.value)


def _turn(widget_id: int, causation_id: str) -> Turn:
    rows = Turn.objects.for_widget(widget_id).filter(operator__deleted_at=None)
    return rows.select_related("operator__agent", "operator__widget").get_or_404(causation_id=causation_id)


def _locked_turn(turn: Turn) -> Turn:
    rows = Turn.objects.for_widget(turn.widget_id).select_related("operator__agent", "operator__widget")
    return rows.get_for_update(pk=turn.pk)


def _check_binding(turn: Turn, reply: ExternalReply) -> None:
    """Raises REPLY_BINDING_MALFORMED, REPLY_BINDING_MISMATCH (409)."""
    frame = reply_checks.frame_of(reply.operator_header, reply.signature_header)
    operator = turn.operator
    if frame == "malformed" or (frame is None and operator.requires_signed_replies):
        raise REPLY_BINDING_MALFORMED()
    bound_to = (
        ReplyToken.objects.for_widget(turn.widget_id)
        .filter(token_id=reply.token_id)
        .values_list("operator_id", flat=True)
        .first()
    )
    is_bound = reply.room_id == turn.chat_id and bound_to in (None, operator.pk)
    if frame is not None:
        is_bound = is_bound and frame.operator == operator.public_id and _proves(operator, frame.signature, reply.body)
    if not is_bound:
        raise REPLY_BINDING_MISMATCH()


def _proves(operator: ExternalOperator, signature: str, body: bytes) -> bool:
    """Whether one of the secrets in force signed it: the old one, too, while a rotation is under way."""
    secrets = [operator.secret]
    if (
        operator.old_secret
        and ExternalOperator.objects.for_widget(operator.widget_id)
        .rotating(timezone.now())
        .filter(pk=operator.pk)
        .exists()
    ):
        secrets.append(operator.old_secret)
    public_id, guid = str(operator.public_id), operator.widget.guid
    found = [
        reply_checks.proves(signature, secret, public_id=public_id, button_guid=guid, body=body)
        for secret in secrets
        if secret
    ]
    return any(found)


def _refuse(turn: Turn) -> NoReturn:
    if turn.state == TurnState.ANSWERED:
        raise REPLY_ALREADY_CONSUMED(previous=turn.result)
    raise TURN_CLOSED(reason=turn.ending)


def _overtaken(turn: Turn, context: ReplyContext, decision: ReplyDecision) -> Ending | None:
    """The ending of a turn that is not written down yet; None while the operator may still answer."""
    if isinstance(decision, ReplyPlan):
        # What was asked may have been answered by somebody else, and something newer wait since.
        is_asked_still = any(said.id <= turn.last_message_id for said in context.burst)
        return None if is_asked_still else Ending.HUMAN_TOOK_OVER
    ends: Mapping[str, Ending] = {"off": Ending.AI_DISABLED, "spam": Ending.CHAT_CLOSED, "nothing": Ending.CHAT_CLOSED}
    why = getattr(decision, "why", "")
    return ends.get(why, Ending.HUMAN_TOOK_OVER)


def _show(turn: Turn, context: ReplyContext, reply: ExternalReply) -> dict[str, Any]:
    """Shows what the reply says, and consumes the turn."""
    covered = [said for said in context.burst if said.id <= turn.last_message_id]
    asked = replace(context, burst=covered)
    answer = reply_to(asked, ReplyPlan(ReplyMode(turn.way)), External(turn.operator).speaker)
    said = reply_checks.said(reply.content, escalate=reply.escalate)
    effect = reply_checks.effect_of(
        said,
        social=answer.is_social,
        held_back=bool(said.text) and (reply_checks.holds_secret(said.text) or _repeats(asked, said.text)),
        may_hand_over=answer.may_hand_over and not answer.people_are_called,
    )
    if asked.is_shadow and said.text:
        effect = ReplyEffect("message", None, Decision("text", "answer"))
    composed = phrased(answer, effect.decision, said.text)
    if effect.outcome == "message_and_handoff":
        composed.before = said.text
    message_id = ReplyDraft(reply=answer, composed=composed).show()
    if effect.is_held_back:
        note(answer, "held_back", said.text)
    result = _result(turn, effect, message_id, is_shadow=asked.is_shadow)
    open_ = Turn.objects.for_widget(turn.widget_id).filter(pk=turn.pk)
    open_.update(state=TurnState.ANSWERED.value, ended_at=Now(), result=result)
    note_answered(turn)
    stop_typing(turn)
    # What the visitor wrote meanwhile is asked next.
    queue_reply(widget_id=turn.widget_id, chat_id=turn.chat_id)
    metrics.TURNS.labels("answered").inc()
    metrics.TURN_ANSWERED.observe((timezone.now() - turn.created_at).total_seconds())
    return result


def _result(turn: Turn, effect: ReplyEffect, message_id: int | None, *, is_shadow: bool) -> dict[str, Any]:
    """The answer to the reply, and to the same reply sent again."""
    is_handoff = effect.outcome == "handoff" and not is_shadow
    return {
        "causation_id": turn.causation_id,
        "room_id": turn.chat_id,
        "outcome": "message" if is_shadow else effect.outcome,
        "handoff_reason": None if is_shadow else effect.handoff_reason,
        "message_id": None if is_handoff else message_id,
        "visible": not is_handoff and not is_shadow,
    }


def _repeats(context: ReplyContext, text: str) -> bool:
    """Whether it is the third identical answer in a row in this opening of the chat."""
    since = context.chat.expired_at
    own = [
        said.body
        for said in reversed(context.messages)
        if said.sender_kind == SenderKind.EXTERNAL_OPERATOR and (since is None or said.at > since)
    ]
    return len(own) >= 2 and own[0] == own[1] == text
