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
from apps.ai.actions.turns import Responder, Turn, read_turn
from apps.ai.models import Assistant, ExternalOperator, OperatorEvent, ReplyJob
from apps.ai.models import Turn as SentTurn
from apps.ai.rules import exchanges
from apps.ai.rules.exchanges import FALLS_BACK, MAX_BODY, MOST_HISTORY, OPEN, Ending, TurnState
from apps.ai.rules.lifecycle import Standing
from apps.ai.rules.turns import Speak, Way
from apps.chats.actions.changes import record_change
from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind
from apps.chats.shapes import MessageShape
from apps.core import destinations
from apps.core.destinations import Outgoing
from apps.core.endpoints.answers import dump_json
from apps.core.intelligence import taken_messages
from apps.core.leases import Lease


class External(NamedTuple):
    """An external operator as the one who answers."""

    operator: ExternalOperator

    @property
    def responder(self) -> Responder:
        return Responder(self.operator.agent, Assistant(widget_id=self.operator.widget_id))


class NotActive(Exception):
    """The operator was stopped while its turn was being made."""


def external_of(turn: Turn) -> External | None:
    """The external operator who answers: who did last in this opening of the chat, else one of the chat's department,
    else one of none, the lowest agent id first. None if none is active.
    """
    widget_id, chat = turn.chat.widget_id, turn.chat
    rows = ExternalOperator.objects.of(widget_id).filter(standing=Standing.ACTIVE, agent__status="active")
    active = {one.agent_id: one for one in rows.select_related("agent", "widget", "health").order_by("agent_id")}
    if not active:
        return None
    own = (
        said.agent_id
        for said in reversed(turn.talk)
        if said.sender_kind == SenderKind.EXTERNAL_OPERATOR and (chat.expired_at is None or said.at > chat.expired_at)
    )
    spoke_last = next(own, None)
    if spoke_last in active:
        return External(active[spoke_last])
    departments: dict[int, set[int]] = {}
    with_agents = Department.objects.of(widget_id).filter(agents__in=active)
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


def unanswered(turn: Turn) -> External | None:
    """The external operator that was asked what the visitor waits for, and has not answered: others do."""
    newest = SentTurn.objects.of(turn.chat.widget_id).filter(chat=turn.chat).order_by("-id").first()
    if newest is None or not newest.ending or Ending(newest.ending) not in FALLS_BACK:
        return None
    if not turn.burst or turn.burst[0].id > newest.last_message_id:
        return None
    rows = ExternalOperator.objects.filter(widget_id=turn.chat.widget_id)
    return External(rows.select_related("agent", "widget", "health").get(pk=newest.operator_id))


def begin_turn(
    lease: Lease[ReplyJob], turn: Turn, speak: Speak, external: External, *, operators: str, language: str
) -> None:
    """Makes a turn and queues its event, if the chat is still as it was read; the job sleeps until its deadline."""
    operator = external.operator
    try:
        with transaction.atomic():
            chats = Chat.objects.of(operator.widget_id).select_related("widget", "contact")
            chat = chats.locked(pk=turn.chat.pk)
            found = read_turn(chat)
            if not isinstance(found.step, Speak) or found.step != speak:
                lease.give_back()
                return
            now = timezone.now()
            sent = SentTurn.objects.create(
                widget_id=operator.widget_id,
                operator=operator,
                chat=chat,
                causation_id=str(uuid4()),
                first_message_id=found.burst[0].id,
                last_message_id=found.burst[-1].id,
                way=speak.way,
                state=TurnState.QUEUED.value,
                created_at=now,
                deadline_at=now + timedelta(seconds=operator.reply_timeout_sec),
            )
            # Read after the row that refers to it: a kill was done before, and is seen, or waits and closes it.
            standing = ExternalOperator.objects.values_list("standing", flat=True).get(pk=operator.pk)
            if standing != Standing.ACTIVE:
                raise NotActive
            data = _data(sent, found, speak, operators=operators, language=language)
            _queue(sent, exchanges.CREATED, data)
            record_change(chat)  # its operators see who is waited for
            lease.later(operator.reply_timeout_sec)
    except NotActive:
        lease.give_back()


def look_at_turn(*, widget_id: int, chat_id: int) -> float | None:
    """Sees to the newest turn of a chat: expires one whose time is up, and tells the operator of one that has ended.

    Gives the seconds that it is open for; None where none is.
    """
    turns = SentTurn.objects.of(widget_id).filter(chat_id=chat_id)
    newest = turns.order_by("-id").first()
    if newest is None:
        return None
    left = (newest.deadline_at - timezone.now()).total_seconds()
    if newest.state in OPEN and left > 0:
        return left
    if newest.state in OPEN:
        with transaction.atomic():
            Chat.objects.of(widget_id).locked(pk=chat_id)
            close_turns(turns.filter(pk=newest.pk), ending=Ending.EXPIRED)
    for turn in turns.filter(owes_cancellation=True).select_related("operator__widget"):
        _tell(turn)
    return None


@transaction.atomic
def _tell(turn: SentTurn) -> None:
    """Tells an operator that a turn which it has taken is over."""
    if destinations.is_available() and turn.operator.standing in (Standing.ACTIVE, Standing.PAUSED):
        _queue(turn, exchanges.CANCELLED, {**_names(turn), "reason": turn.ending})
    SentTurn.objects.of(turn.widget_id).filter(pk=turn.pk).update(owes_cancellation=False)


def _queue(turn: SentTurn, type_: str, data: dict[str, Any]) -> None:
    """Queues an event, to be signed by the secrets that are in force now."""
    operator = ExternalOperator.objects.get(pk=turn.operator_id)
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
    outgoing = Outgoing(
        widget_id=turn.widget_id,
        destination_ids=[operator.pk],
        event_id=event.pk,
        event_type=type_,
        body=body,
    )
    destinations.queue(destinations.kinds()[exchanges.TURNS], [outgoing])


def _names(turn: SentTurn) -> dict[str, Any]:
    return {
        "button_guid": turn.operator.widget.guid,
        "operator_id": turn.operator.agent_id,
        "operator_public_id": str(turn.operator.public_id),
        "room_id": turn.chat_id,
        "causation_id": turn.causation_id,
    }


def _data(sent: SentTurn, found: Turn, speak: Speak, *, operators: str, language: str) -> dict[str, Any]:
    """The data of the turn for the bot: the burst, and the messages before it since the chat was closed last."""
    chat = found.chat
    visible = Message.objects.of(chat.widget_id).filter(chat=chat, is_internal=False)
    before = visible.filter(id__lt=sent.first_message_id)
    if chat.expired_at is not None:
        before = before.filter(created_at__gt=chat.expired_at)
    return {
        **_names(sent),
        "deadline_at": sent.deadline_at,
        "reply_url": f"{settings.PUBLIC_URL}/api/v1/ai/replies",
        "trigger": "takeover" if speak.way is Way.TAKEOVER else "message",
        "locale": language or None,
        "operators": {"state": operators},
        "chat": {
            "id": chat.pk,
            "channel": chat.channel,
            "handling": chat.handling,
            "department_id": chat.department_id,
            "created_at": chat.created_at,
        },
        "contact": {"id": chat.contact.guid, "name": chat.contact.name or None},
        "messages": _shown(visible.filter(id__in=[said.id for said in found.burst]).order_by("id")),
        "history": _history(chat, before),
    }


def _history(chat: Chat, before: Any) -> list[dict[str, Any]]:
    """The newest messages, oldest first, without those that another app has taken."""
    found = list(before.order_by("-id").values_list("pk", flat=True)[:MOST_HISTORY])
    taken = taken_messages(chat.widget_id, chat.pk, found)
    return _shown(before.filter(pk__in=[pk for pk in found if pk not in taken]).order_by("id"))


def _shown(messages: Any) -> list[dict[str, Any]]:
    write = MessageShape.writer()
    return [write(row) for row in messages.values_list(*MessageShape.columns())]


def _bounded(document: dict[str, Any]) -> str:
    """The body, of MAX_BODY bytes at most: history is given up from its oldest."""
    history: Sequence[Any] = document["data"].get("history", ())
    while True:
        body = dump_json(document)
        if len(body) <= MAX_BODY or not history:
            return body.decode()
        history = history[max(1, len(history) // 4) :]
        document["data"]["history"] = history
