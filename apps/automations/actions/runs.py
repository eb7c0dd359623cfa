"""Runs: the acts of an automation in a chat, once an event, with its log, all in the transaction of the judgement."""

from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from apps.automations.actions.chains import Chain, chained
from apps.automations.actions.performing import perform
from apps.automations.models import Automation, AutomationRun
from apps.automations.querysets.facts import AskedFacts
from apps.automations.querysets.ready import ReadyAutomation
from apps.automations.rules.limits import MAX_RUNS_DAILY, MAX_RUNS_HOURLY
from apps.automations.rules.runs import RunState
from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.models import Chat
from apps.chats.rules.activities import StepKind
from apps.core.observability import metrics

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


@transaction.atomic
def run(ready: ReadyAutomation, facts: AskedFacts, *, event_key: str, chain: Chain) -> AutomationRun | None:
    """Does the acts of an automation in the locked chat of `facts`, if its condition holds; None where it does not, and
    where it has run for that event before.

    Beyond the limits of a chat nothing is done, and one run an hour says so.
    """
    chat = facts.chat
    if not ready.condition.holds(facts):
        return None
    automation = Automation.objects.for_widget(chat.widget_id).filter(pk=ready.id).first()
    runs = AutomationRun.objects.for_widget(chat.widget_id)
    if automation is None or runs.filter(automation=automation, event_key=event_key).exists():
        return None
    made = AutomationRun(
        widget_id=chat.widget_id,
        chat=chat,
        automation=automation,
        name=ready.name,
        version=ready.version,
        at=facts.as_of,
        trigger=ready.when,
        event_key=event_key,
        why=[checked._asdict() for checked in ready.condition.judged(facts).why],
        depth=chain.depth + 1,
        state=RunState.DONE,
    )
    if _is_over_limit(chat, facts.as_of):
        return _stopped(made, chat, facts.as_of)
    made.save(force_insert=True)
    name = ready.when.get("event") or ready.when["wait"]
    with chained(chain.after(ready.id)):
        perform(made, chat, ready.then, facts=facts, trigger=name, as_of=facts.as_of, automation=automation)
        now = locked_chat(chat.widget_id, chat.pk)
        record_step(now, StepKind.AUTOMATION, comment=ready.name, run_id=made.pk, version=ready.version)
        record_change(now)
    transaction.on_commit(partial(_count, made.state))
    return made


def _is_over_limit(chat: Chat, as_of: datetime) -> bool:
    """Whether automations have acted too often in a chat."""
    runs = AutomationRun.objects.for_widget(chat.widget_id).filter(chat=chat, automation__isnull=False)
    times = runs.exclude(state=RunState.LIMIT).filter(at__gt=as_of - _DAY).order_by("-id")
    newest = list(times.values_list("at", flat=True)[:MAX_RUNS_DAILY])
    return len(newest) >= MAX_RUNS_DAILY or sum(at > as_of - _HOUR for at in newest) >= MAX_RUNS_HOURLY


def _stopped(run: AutomationRun, chat: Chat, as_of: datetime) -> AutomationRun:
    """A run that was stopped by a limit; it is written once an hour, chat and automation."""
    runs = AutomationRun.objects.for_widget(chat.widget_id).filter(chat=chat, automation=run.automation)
    run.state = RunState.LIMIT
    if not runs.filter(state=RunState.LIMIT, at__gt=as_of - _HOUR).exists():
        run.save(force_insert=True)
        transaction.on_commit(partial(_count, run.state))
    return run


def _count(state: str) -> None:
    metrics.AUTOMATION_RUNS.labels(str(state)).inc()
