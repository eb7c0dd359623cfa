"""Asking a model for an operator: who may, how often, and what becomes of a wish that is over."""

import json
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max
from django.db.models.functions import Now

from apps import leases
from apps.agents.models import Agent
from apps.ai.actions.usage import is_budget_left, until_tomorrow_s
from apps.ai.settings import settings_of
from apps.assists.actions.kinds import kinds_on
from apps.assists.actions.models_asked import helping_model
from apps.assists.broadcasts import AssistChanged
from apps.assists.errors import ASSIST_UNAVAILABLE, BUDGET_EXHAUSTED, TOO_MANY_ASSISTS
from apps.assists.models import Assist, OwnTool
from apps.assists.rules.kinds import (
    AT_ONCE_OF_OPERATOR,
    IN_FLIGHT,
    STARTS_A_MINUTE,
    AssistKind,
    AssistOutcome,
    AssistState,
    FailReason,
    own_tool_id,
    request_refusals,
)
from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind, Status
from apps.chats.settings import console_settings
from apps.core import database
from apps.core.errors import INVALID_INPUT
from apps.core.quotas import Quota
from apps.core.redis import broadcasts

STARTS = Quota("assists_started", STARTS_A_MINUTE, timedelta(minutes=1), TOO_MANY_ASSISTS, per="operator")


class StartedAssist(NamedTuple):
    """An assist, and whether this call made it."""

    assist: Assist
    is_new: bool


def available_kinds(widget_id: int) -> list[AssistKind]:
    """The kinds that operators of the widget may ask for now: there is a model, and they are not switched off."""
    return kinds_on(console_settings(widget_id)) if helping_model(widget_id).sources else []


@transaction.atomic
def start_assist(
    *,
    agent: Agent,
    chat_id: int,
    client_id: UUID,
    kind: AssistKind,
    text: str | None = None,
    tool: str | None = None,
    to: str | None = None,
    **more: Any,
) -> StartedAssist:
    """Has a model asked for an operator; a known `client_id` gives what it began.

    `more` is kept beside what was asked, for the kind's own work.

    Raises NOT_FOUND (404), INVALID_INPUT (422), ASSIST_UNAVAILABLE (409), BUDGET_EXHAUSTED and TOO_MANY_ASSISTS (429).
    """
    widget_id = agent.widget_id
    chat = Chat.objects.for_widget(widget_id).get_or_404(pk=chat_id)
    database.lock(f"assists:{agent.pk}")
    mine = Assist.objects.for_widget(widget_id).filter(agent=agent)
    if (known := mine.for_api().filter(client_id=client_id).first()) is not None:
        return StartedAssist(known, is_new=False)
    if refusals := _refusals(widget_id, kind, text=text, tool=tool):
        raise INVALID_INPUT(errors={name: [refusal] for name, refusal in refusals.items()})
    if kind not in available_kinds(widget_id) or chat.status == Status.SPAM:
        raise ASSIST_UNAVAILABLE()
    require_budget(widget_id)
    if mine.in_flight().count() >= AT_ONCE_OF_OPERATOR:
        raise TOO_MANY_ASSISTS(headers={"Retry-After": "2"})
    STARTS.spend(agent.pk)
    asked = {name: value for name, value in {"text": text, "to": to, **more}.items() if value is not None}
    assist = queue_assist(
        chat,
        agent=agent,
        client_id=client_id,
        kind=kind,
        tool=tool or "",
        asked=asked,
        based_on=newest_visible(widget_id, chat.pk),
    )
    return StartedAssist(Assist.objects.for_widget(widget_id).for_api().get(pk=assist.pk), is_new=True)


def queue_assist(chat: Chat, *, kind: AssistKind, asked: dict[str, Any], **values: Any) -> Assist:
    """Has a worker take an assist. Inside a transaction."""
    assist = Assist.objects.create(
        widget_id=chat.widget_id,
        chat=chat,
        kind=kind,
        state=AssistState.QUEUED,
        asked=json.dumps(asked, ensure_ascii=False),
        **values,
    )
    leases.wake_workers()
    return assist


def _refusals(widget_id: int, kind: AssistKind, *, text: str | None, tool: str | None) -> dict[str, str]:
    refusals = request_refusals(kind, text=text, tool=tool)
    number = own_tool_id(tool or "")
    if number is not None and not OwnTool.objects.for_widget(widget_id).filter(pk=number).exists():
        refusals["tool"] = "There is no such tool."
    return refusals


def require_budget(widget_id: int) -> None:
    """Raises BUDGET_EXHAUSTED (429) where the day's tokens are spent, those for people, too."""
    if not is_budget_left(settings_of(widget_id)):
        raise BUDGET_EXHAUSTED(headers={"Retry-After": str(until_tomorrow_s())})


def newest_visible(widget_id: int, chat_id: int) -> int:
    """The newest message of a chat that both sides see, none of the system's; 0 without one.

    Index: chats_message_in_chat.
    """
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, is_internal=False)
    found = rows.exclude(sender_kind=SenderKind.SYSTEM).aggregate(newest=Max("id"))
    return found["newest"] or 0


@transaction.atomic
def judge_assist(*, agent: Agent, assist_id: int, changes: dict[str, Any]) -> Assist:
    """An operator's judgement of their assist: `outcome` dismissed, `helpful`, `comment`.

    One that runs is stopped by being dismissed. Raises NOT_FOUND (404).
    """
    rows = Assist.objects.for_widget(agent.widget_id).filter(agent=agent)
    assist = rows.get_for_update(pk=assist_id)
    values: dict[str, Any] = {name: changes[name] for name in ("helpful", "comment") if name in changes}
    if changes.get("outcome") == AssistOutcome.DISMISSED and not assist.outcome:
        values["outcome"] = AssistOutcome.DISMISSED
        if assist.state in IN_FLIGHT:
            # Whoever works on it finds that its lease is gone.
            values |= {
                "state": AssistState.FAILED,
                "reason": FailReason.STOPPED,
                "finished_at": Now(),
                "due_at": None,
                "claim_id": None,
                "lease_until": None,
            }
    if values:
        change_assist(assist, **values)
    return Assist.objects.for_widget(agent.widget_id).for_api().get(pk=assist.pk)


def change_assist(assist: Assist, **values: Any) -> int:
    """Writes values of an assist and tells the tabs of its operator once that is committed. In a transaction."""
    rows = Assist.objects.for_widget(assist.widget_id).filter(pk=assist.pk)
    written = rows.update(**values, version=F("version") + 1, updated_at=Now())
    if assist.agent_id is not None:
        told = AssistChanged(widget_id=assist.widget_id, agent_id=assist.agent_id, assist_id=assist.pk)
        transaction.on_commit(partial(broadcasts.send, told))
    return written


def is_still_wanted(assist: Assist, *, locks: bool = False) -> bool:
    """Whether the job's row is there and nobody has stopped it; `locks`: and will not until the transaction ends."""
    rows = Assist.objects.for_widget(assist.widget_id).filter(pk=assist.pk).in_flight()
    return bool(rows.select_for_update(no_key=True)) if locks else rows.exists()
