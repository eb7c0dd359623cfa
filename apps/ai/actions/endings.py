"""Ending turns of external operators: by one update that asks whether they are open. The chat's job does the rest.

So an ending waits for no lock, from whichever side it comes: the outcome of a delivery, a kill, a person's answer.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from apps import leases
from apps.ai.actions import advice, alerts
from apps.ai.actions.jobs import queue_reply
from apps.ai.models import ExternalOperator, OperatorHealth, Turn
from apps.ai.querysets.external import TurnQuerySet
from apps.ai.rules.configuration import AlertCode
from apps.ai.rules.turn_states import (
    COUNTS_AGAINST,
    DEGRADED,
    ENDS,
    FAILURES,
    IS_TOLD,
    Ending,
    EventStatus,
    TurnState,
)
from apps.chats.broadcasts import OperatorTyping
from apps.chats.rules.typing import Typing
from apps.core.bus import Cte
from apps.core.observability import metrics
from apps.core.redis import broadcasts


def close_turns(turns: TurnQuerySet, *, ending: Ending, states: Iterable[TurnState] | None = None) -> int:
    """Ends those of the turns that are open, in one of the `states`; returns how many were ended by it.

    Inside a transaction. Their chats are looked at once it commits.
    """
    may_be, after = ENDS[ending]
    turns = turns.filter(state__in=[one.value for one in states or may_be])
    # In one order: two that close the same turns wait for each other, and neither fails.
    found = list(turns.select_for_update(of=("self",), no_key=True).order_by("pk"))
    for turn in found:
        turn.owes_cancellation = turn.taken_at is not None and ending in IS_TOLD
    ids = [turn.pk for turn in found]
    told = [turn.pk for turn in found if turn.owes_cancellation]
    Turn.objects.unscoped("read with its widget before").filter(pk__in=ids).update(
        state=after.value, ending=ending.value, ended_at=Now()
    )
    Turn.objects.unscoped("read with its widget before").filter(pk__in=told).update(owes_cancellation=True)
    for turn in found:
        metrics.TURNS.labels(ending.value).inc()
        stop_typing(turn)
        queue_reply(widget_id=turn.widget_id, chat_id=turn.chat_id)
    if ending in COUNTS_AGAINST:
        _count_failures(found, ending)
    return len(found)


def _count_failures(turns: Sequence[Turn], ending: Ending) -> None:
    """Counts turns without an answer against their operators: after FAILURES in a row one is degraded."""
    for operator_id, failures in sorted(Counter(turn.operator_id for turn in turns).items()):
        health = OperatorHealth.objects.unscoped("read with its widget before").filter(operator_id=operator_id)
        health.update(consecutive_failures=F("consecutive_failures") + failures)
        if ending is Ending.EXPIRED:
            health.update(last_failed_at=Now(), last_error="no_reply")
        if health.filter(consecutive_failures__gte=FAILURES).update(degraded_until=timezone.now() + DEGRADED):
            widget_id = next(turn.widget_id for turn in turns if turn.operator_id == operator_id)
            transaction.on_commit(partial(_report_degraded, widget_id, operator_id))


def _report_degraded(widget_id: int, operator_id: int) -> None:
    agent_id = (
        ExternalOperator.objects.unscoped("read with its widget before")
        .values_list("agent_id", flat=True)
        .get(pk=operator_id)
    )
    alerts.report(
        widget_id,
        AlertCode.EXTERNAL_OPERATOR_DEGRADED,
        advice.EXTERNAL_DEGRADED,
        operator_id=agent_id,
    )


def note_answered(turn: Turn) -> None:
    """An operator that has answered is well again."""
    health = OperatorHealth.objects.unscoped("read with its widget before").filter(operator_id=turn.operator_id)
    health.exclude(consecutive_failures=0, degraded_until=None).update(consecutive_failures=0, degraded_until=None)


def stop_typing(turn: Turn) -> None:
    """The visitor no longer sees the operator type, once the transaction commits."""
    if turn.taken_at is not None:
        told = OperatorTyping(chat_id=turn.chat_id, state=Typing.STOP, name=None, is_machine=True)
        transaction.on_commit(partial(broadcasts.send, told))


# The chat's job tells the operator.
_ENDED = f"""
ai_ended AS (
    UPDATE ai_turn turn SET state = 'cancelled', ending = 'human_took_over', ended_at = statement_timestamp(),
        owes_cancellation = turn.taken_at IS NOT NULL
    FROM written WHERE turn.chat_id = written.chat_id AND turn.state IN ('queued', 'delivered')
    RETURNING turn.chat_id
),
ai_ended_job AS (
    INSERT INTO ai_replyjob AS t (chat_id, widget_id, due_at, waiting_since)
    SELECT ai_ended.chat_id, %(ai_ended_widget_id)s::bigint, statement_timestamp(), statement_timestamp()
    FROM ai_ended JOIN written ON written.chat_id = ai_ended.chat_id
    {leases.on_conflict(unique=["chat_id"], longest="0").strip()}
    RETURNING t.chat_id
)"""  # noqa: S608 - of constants


def ending_cte(widget_id: int) -> Cte:
    """Ends the open turn of the chat of the message that the statement stores, which is a person's."""
    value = "(SELECT count(*) FROM ai_ended_job WHERE ai_ended_job.chat_id = written.chat_id)"
    return Cte(_ENDED, {"ai_ended_widget_id": widget_id}, value, _wake_if_any, is_for_each=True)


def _wake_if_any(ended: int) -> None:
    if ended:
        metrics.TURNS.labels(Ending.HUMAN_TOOK_OVER.value).inc()
        leases.wake_workers()


def drop_events(operator: ExternalOperator) -> int:
    """Gives up what has not been delivered to an operator; returns how many events that were."""
    waiting = operator.events.pending()
    return waiting.update(status=EventStatus.DROPPED.value, finished_at=Now())
