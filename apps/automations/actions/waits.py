"""Waits of chats as timers (`chats.Timer`, one an automation): set by a look at a chat, and judged once they are due.

A look comes after all that may begin a wait, and is never lost: so a wait whose time had come before the look was asked
for has been judged already. A timer that is due only asks for a judgement, which looks at the wait anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from apps import leases
from apps.automations.models import AutomationEvent
from apps.automations.querysets.ready import ReadyAutomation
from apps.automations.querysets.waits import wait_facts
from apps.automations.rules.captured import WAIT
from apps.automations.rules.triggers import WaitClock
from apps.automations.rules.waits import began_at, lasts_until
from apps.chats.actions.timers import drop_timers, set_timer
from apps.chats.events import TimerDue
from apps.chats.models import Chat, Timer
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.routing.querysets.clocks import open_time
from apps.routing.rules.clocks import OpenTime


class StandingWait(NamedTuple):
    """A wait that lasts, since when, and when it has lasted for as long as its automation says."""

    automation: ReadyAutomation
    since: datetime
    due_at: datetime

    @property
    def anchor(self) -> str:
        return moment_anchor(self.since)


def ask_when_due(event: TimerDue) -> None:
    """Queues the wait of a locked chat behind the chat's events, to be judged in their order."""
    AutomationEvent.objects.create(
        widget_id=event.widget_id,
        chat_id=event.chat_id,
        event=WAIT,
        at=event.as_of,
        data={"automation_id": int(event.key), "since": event.anchor},
    )
    leases.wake_workers()


def due_waits(
    chat: Chat, automations: Sequence[ReadyAutomation], data: Mapping[str, object], as_of: datetime
) -> list[ReadyAutomation]:
    """The automation whose wait was due, if that wait lasts still, and has lasted for long enough."""
    asked = [each for each in automations if each.id == data["automation_id"]]
    return [
        wait.automation
        for wait in standing_waits(chat, asked, as_of)
        if wait.anchor == data["since"] and wait.due_at <= as_of
    ]


def arm(chat: Chat, automations: Sequence[ReadyAutomation], *, asked_at: datetime, as_of: datetime) -> None:
    """Sets, moves and drops the timers of a locked chat, by its waits. The look was asked for at `asked_at`."""
    timers = Timer.objects.for_widget(chat.widget_id).filter(chat=chat, kind=TimerKind.AUTOMATION)
    standing = {key: (anchor, due_at) for key, anchor, due_at in timers.values_list("key", "anchor", "due_at")}
    wanted: dict[str, StandingWait] = {}
    for wait in standing_waits(chat, automations, as_of):
        key = str(wait.automation.id)
        is_set = key in standing and standing[key][0] == wait.anchor
        if is_set or wait.due_at > asked_at:
            wanted[key] = wait
    for key in standing.keys() - wanted.keys():
        drop_timers(chat_id=chat.pk, kinds=[TimerKind.AUTOMATION], key=key)
    for key, wait in wanted.items():
        if standing.get(key) != (wait.anchor, wait.due_at):
            set_timer(
                widget_id=chat.widget_id,
                chat_id=chat.pk,
                kind=TimerKind.AUTOMATION,
                key=key,
                due_at=wait.due_at,
                anchor=wait.anchor,
            )


def standing_waits(chat: Chat, automations: Sequence[ReadyAutomation], as_of: datetime) -> Iterator[StandingWait]:
    """The waits of a chat that last and began after their automations were switched on."""
    waiting = [each for each in automations if "wait" in each.when]
    if not waiting:
        return
    facts = wait_facts(chat, {each.when["wait"] for each in waiting}, as_of)
    by_hours = any(each.when["clock"] != WaitClock.ALWAYS for each in waiting)
    time = open_time(chat.widget_id, chat.department_id) if by_hours else OpenTime()
    for automation in waiting:
        since = began_at(automation.when["wait"], facts)
        if since is None or (automation.enabled_at is not None and since < automation.enabled_at):
            continue
        due_at = lasts_until(automation.when, since, time)
        if due_at is not None:
            yield StandingWait(automation, since, due_at)
