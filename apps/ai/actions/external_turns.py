"""Turns of external operators: who is asked, what is sent, and what the chat's job sees to while one is open.

A turn is a row. Nothing waits for a bot: the chat's job sleeps until the deadline, and whatever ends the turn before
wakes it.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.agents.models import Department
from apps.ai.actions.endings import close_turns
from apps.ai.actions.replies.reading import ReplyContext, read
from apps.ai.actions.replies.requests import ChatReply
from apps.ai.actions.replies.speakers import Speaker
from apps.ai.actions.replies.writing import STOPPED, ReplyOutcome
from apps.ai.models import Assistant, ExternalOperator, OperatorEvent, Turn
from apps.ai.rules import turn_states
from apps.ai.rules.decisions import ReplyMode, decide
from apps.ai.rules.lifecycle import OperatorStanding
from apps.ai.rules.turn_states import FALLS_BACK, MAX_BODY, MOST_HISTORY, MOST_MESSAGES, OPEN, Ending, TurnState
from apps.chats.actions.changes import record_change
from apps.chats.models import Chat, Message
from apps.chats.questions import taken_messages
from apps.chats.rules import SenderKind
from apps.chats.serializers.chats import MessageSerializer
from apps.core import destinations
from apps.core.destinations import OutgoingEvent
from apps.core.endpoints.answers import dump_json


class External(NamedTuple):
    """An external operator as the one who answers."""

    operator: ExternalOperator

    @property
    def speaker(self) -> Speaker:
        operator = self.operator
        return Speaker(operator.agent, Assistant(widget_id=operator.widget_id), operator.answers_by_person)


class NotActive(Exception):
    """The operator was stopped while its turn was being made."""


def external_of(context: ReplyContext) -> External | None:
    """The external operator who answers: who did last in this opening of the chat, else one of the chat's department,
    else one of none, the lowest agent id first. None if none is active.
    """
    if not context.has_external:
        return None
    widget_id, chat = context.chat.widget_id, context.chat
    rows = ExternalOperator.objects.for_widget(widget_id).filter(
        standing=OperatorStanding.ACTIVE, agent__status="active"
    )
    active = {one.agent_id: one for one in rows.select_related("agent", "widget", "health").order_by("agent_id")}
    if not active:
        return None
    own = (
        said.agent_id
        for said in reversed(context.messages)
        if said.sender_kind == SenderKind.EXTERNAL_OPERATOR and (chat.expired_at is None or said.at > chat.expired_at)
    )
    spoke_last = next(own, None)
    if spoke_last in active:
        return External(active[spoke_last])
    departments: dict[int, set[int]] = {}
    with_agents = Department.objects.for_widget(widget_id).filter(agents__in=active)
    for agent_id, department_id in with_agents.values_list("agents", "pk"):
        departments.setdefault(agent_id, set()).add(department_id)
    within = [one for pk, one in active.items() if chat.department_id in departments.get(pk, ())]
    in_none = [one for pk, one in active.items() if pk not in departments]
    return next((External(one) for one in (*within, *in_none)), None)


def may_be_asked(external: External) -> bool:
    """Whether a turn would reach it: something delivers, and it is not degraded; after that, one at a time."""
    if not destinations.is_available():
        return False
    health = external.operator.health
    if health.degraded_until is None:
        return True
    if timezone.now() < health.degraded_until:
        return False
    return not external.operator.turns.open().exists()


def unanswered(context: ReplyContext) -> External | None:
    """The external operator that was asked what the visitor waits for, and has not answered: others do."""
    newest = context.turn
    if newest is None or not newest.ending or Ending(newest.ending) not in FALLS_BACK:
        return None
    if not context.burst or context.burst[0].id > newest.last_message_id:
        return None
    rows = ExternalOperator.objects.for_widget(newest.widget_id)
    return External(rows.select_related("agent", "widget", "health").get(pk=newest.operator_id))


class TurnDraft(NamedTuple):
    """A turn to be made: in its place the external operator's answer comes, or its deadline."""

    reply: ChatReply
    external: External

    def write(self, *, restarts: int) -> ReplyOutcome:
        """Makes the turn and queues its event, if the chat is as it was read; the job sleeps until the deadline."""
        try:
            with transaction.atomic():
                return self._begin()
        except NotActive:
            return STOPPED

    def _begin(self) -> ReplyOutcome:
        operator, plan = self.external.operator, self.reply.plan
        chat = Chat.objects.for_widget(operator.widget_id).get_for_update(pk=self.reply.context.chat.pk)
        found = read(widget_id=operator.widget_id, chat_id=chat.pk)
        if decide(found, found.now) != plan:
            return STOPPED
        now = timezone.now()
        turn = Turn.objects.create(
            widget_id=operator.widget_id,
            operator=operator,
            chat=chat,
            causation_id=str(uuid4()),
            first_message_id=found.burst[0].id,
            last_message_id=found.burst[-1].id,
            way=plan.way,
            state=TurnState.QUEUED.value,
            created_at=now,
            deadline_at=now + timedelta(seconds=operator.reply_timeout_sec),
        )
        # Read after the row that refers to it: a kill was done before, and is seen, or waits and closes it.
        standing = (
            ExternalOperator.objects.unscoped("read with its widget before")
            .values_list("standing", flat=True)
            .get(pk=operator.pk)
        )
        if standing != OperatorStanding.ACTIVE:
            raise NotActive
        _queue(turn, turn_states.CREATED, _data(turn, found, self.reply))
        record_change(chat)  # its operators see who is waited for
        return ReplyOutcome("later", wait_s=operator.reply_timeout_sec)

    def undone(self) -> None:
        """Nothing has happened."""

    def alert(self, *, gave_up: str | None = None) -> None:
        """Nothing to tell: a turn that fails is told where it ends."""


def is_to_be_seen_to(context: ReplyContext) -> bool:
    """Whether `advance_turn` has something to do in the chat."""
    turn = context.turn
    if turn is not None and turn.state in OPEN:
        return _is_over(turn)
    return context.owes_cancellation


def _is_over(turn: Turn) -> bool:
    return turn.deadline_at <= timezone.now()


def advance_turn(*, widget_id: int, chat_id: int) -> None:
    """Sees to the newest turn of a chat: expires one whose time is up, and tells operators of those that have ended."""
    turns = Turn.objects.for_widget(widget_id).filter(chat_id=chat_id)
    newest = turns.order_by("-id").first()
    if newest is None or (newest.state in OPEN and not _is_over(newest)):
        return
    if newest.state in OPEN:
        with transaction.atomic():
            Chat.objects.for_widget(widget_id).get_for_update(pk=chat_id)
            close_turns(turns.filter(pk=newest.pk), ending=Ending.EXPIRED)
    for turn in turns.filter(owes_cancellation=True).select_related("operator__widget"):
        _tell(turn)


@transaction.atomic
def _tell(turn: Turn) -> None:
    """Tells an operator that a turn which it has taken is over."""
    if destinations.is_available() and turn.operator.standing in (OperatorStanding.ACTIVE, OperatorStanding.PAUSED):
        _queue(turn, turn_states.CANCELLED, {**_names(turn), "reason": turn.ending})
    Turn.objects.for_widget(turn.widget_id).filter(pk=turn.pk).update(owes_cancellation=False)


def _queue(turn: Turn, type_: str, data: dict[str, Any]) -> None:
    """Queues an event, to be signed by the secrets that are in force now."""
    operator = ExternalOperator.objects.unscoped("read with its widget before").get(pk=turn.operator_id)
    overlaps = operator.overlap_ends_at is not None and timezone.now() < operator.overlap_ends_at
    event = OperatorEvent.objects.create(
        id=uuid4(),
        operator_id=operator.pk,
        turn=turn,
        type=type_,
        secret_version=operator.secret_version - 1 if overlaps else operator.secret_version,
        has_next=overlaps,
    )
    body = _bounded({"id": str(event.pk), "type": type_, "data": data})
    outgoing = OutgoingEvent(
        widget_id=turn.widget_id,
        destination_ids=[operator.pk],
        event_id=event.pk,
        event_type=type_,
        body=body,
    )
    destinations.queue(destinations.kinds()[turn_states.TURNS], [outgoing])


def _names(turn: Turn) -> dict[str, Any]:
    return {
        "button_guid": turn.operator.widget.guid,
        "operator_id": turn.operator.agent_id,
        "operator_public_id": str(turn.operator.public_id),
        "room_id": turn.chat_id,
        "causation_id": turn.causation_id,
    }


def _data(turn: Turn, context: ReplyContext, reply: ChatReply) -> dict[str, Any]:
    """The bot's body: the burst, and the messages before it since the chat was last closed."""
    chat = context.chat
    visible = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=False)
    before = visible.filter(id__lt=turn.first_message_id)
    if chat.expired_at is not None:
        before = before.filter(created_at__gt=chat.expired_at)
    return {
        **_names(turn),
        "deadline_at": turn.deadline_at,
        "reply_url": f"{settings.PUBLIC_URL}/api/v1/ai/replies",
        "trigger": "takeover" if reply.plan.way is ReplyMode.TAKEOVER else "message",
        "locale": reply.language or None,
        "operators": {"state": reply.operators},
        "chat": {
            "id": chat.pk,
            "channel": chat.channel,
            "handling": chat.handling,
            "department_id": chat.department_id,
            "created_at": chat.created_at,
        },
        "contact": {"id": chat.contact.guid, "name": chat.contact.name or None},
        "messages": _shown(visible.filter(id__in=_newest_that_fit(context)).order_by("id")),
        "history": _history(chat, before),
    }


def _newest_that_fit(context: ReplyContext) -> list[int]:
    """The newest messages of the burst, as many as a body may have by their texts alone; at least the newest."""
    ids: list[int] = []
    size = 0
    for said in reversed(context.burst):
        size += len(said.text.encode())
        if ids and (size > MAX_BODY or len(ids) == MOST_MESSAGES):
            break
        ids.append(said.id)
    return ids


def _history(chat: Chat, before: Any) -> list[dict[str, Any]]:
    """The newest messages, oldest first, without those that another app has taken."""
    found = list(before.order_by("-id").values_list("pk", flat=True)[:MOST_HISTORY])
    taken = taken_messages(chat.widget_id, chat.pk, found)
    return _shown(before.filter(pk__in=[pk for pk in found if pk not in taken]).order_by("id"))


def _shown(messages: Any) -> list[dict[str, Any]]:
    write = MessageSerializer.writer()
    return [write(row) for row in messages.values_list(*MessageSerializer.columns())]


def _bounded(document: dict[str, Any]) -> str:
    """The body, of MAX_BODY bytes at most: history is given up from its oldest, then messages are.

    The newest message stays: of 10,000 characters it fits, however they are escaped.
    """
    data = document["data"]
    for name, kept in (("history", 0), ("messages", 1)):
        texts: Sequence[Any] = data.get(name, ())
        while len(body := dump_json(document)) > MAX_BODY and len(texts) > kept:
            texts = texts[min(max(1, len(texts) // 4), len(texts) - kept) :]
            data[name] = texts
    return body.decode()
