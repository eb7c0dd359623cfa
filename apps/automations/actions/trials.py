"""Trials: the acts that an automation would have done in the last days, by the functions by which it acts.

Nothing is written but that a stored automation was tried.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial
from time import monotonic
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from apps.automations.errors import TOO_MANY_TRIALS
from apps.automations.models import Automation
from apps.automations.querysets.history import PastFacts, chat_now, past_batches
from apps.automations.querysets.known import known_ids
from apps.automations.rules.automations import definition_refusals
from apps.automations.rules.conditions import JudgedCondition, fields_in
from apps.automations.rules.fields import field_of
from apps.automations.rules.history import WITHOUT_HISTORY, PastChat, moments
from apps.automations.rules.triggers import read_when
from apps.core.errors import INVALID_INPUT
from apps.routing.querysets.clocks import open_time
from apps.routing.rules.clocks import OpenTime

TRIALS_AT_ONCE = 4  # of a widget
TRIAL_S = 10
MOST_SAMPLES = 50
_MARKS = ("sla.warning", "sla.breached")
_PLACE = "SELECT pg_try_advisory_xact_lock(hashtextextended(%(name)s, 0))"


@dataclass(slots=True)
class _Trial:
    """An automation that is tried over a time, and the runs that were found so far."""

    widget_id: int
    when: Mapping[str, Any]
    condition: Mapping[str, Any] | None
    since: datetime
    until: datetime
    chats: set[int] = field(default_factory=set)
    runs: int = 0
    looked_at: int = 0
    samples: list[tuple[datetime, int, int]] = field(default_factory=list)  # a heap, the oldest first
    judged: JudgedCondition = field(init=False)
    time_of: Callable[[int | None], OpenTime] = field(init=False)

    def __post_init__(self) -> None:
        self.judged = JudgedCondition(self.condition)
        self.time_of = cache(partial(open_time, self.widget_id))

    def judge(self, chat: PastChat) -> None:
        """Asks the condition at each moment of a chat that the event, or the wait, was."""
        now = cache(partial(chat_now, self.widget_id, chat.id, self.until))
        for moment in moments(chat, self.when, self.time_of, self.until):
            if moment.at < self.since:
                continue
            self.looked_at += 1
            time = self.time_of(moment.facts["department_id"])
            if self.judged.holds(PastFacts(moment, now, time)):
                self._runs_at((moment.at, chat.id, moment.message_id or 0))

    def _runs_at(self, sample: tuple[datetime, int, int]) -> None:
        self.runs += 1
        self.chats.add(sample[1])
        if len(self.samples) < MOST_SAMPLES:
            heapq.heappush(self.samples, sample)
        else:
            heapq.heappushpop(self.samples, sample)

    def without_history(self) -> list[str]:
        """The names of all not judged by then: fields judged by now, and an event that leaves no trace."""
        found = (field_of(name) for name in fields_in(self.condition))
        names = {each.name for each in found if each is not None and not each.has_history}
        return sorted(names) + [name for name in WITHOUT_HISTORY if self.when.get("event") == name]


def try_automation(
    *,
    widget_id: int,
    when: Any,
    condition: Any,
    then: Any,
    stop: bool = False,
    days: int = 30,
    automation_id: int | None = None,
) -> dict[str, Any]:
    """The acts that an automation would have done in the last days: the members of the API's `Trial`.

    The chats that spoke last come first; after ten seconds it ends, and `from` says how far back it looked. With an
    `automation_id` it is noted of that automation, if that version was tried.

    Raises INVALID_INPUT (422) by path, TOO_MANY_TRIALS (429, with `Retry-After`) beside four others of the
    widget, NOT_FOUND (404).
    """
    refusals = definition_refusals({"when": when, "if": condition, "then": then}, known_ids(widget_id))
    if refusals:
        raise INVALID_INPUT(errors={path: [text] for path, text in refusals})
    automations = Automation.objects.for_widget(widget_id)
    automation = None if automation_id is None else automations.get_or_404(pk=automation_id)
    until = timezone.now()
    trial = _Trial(widget_id, read_when(when), condition, until - timedelta(days=days), until)
    with _place(widget_id):
        reached = _look(trial)
    if automation is not None and (automation.when, automation.condition) == (trial.when, condition):
        same = automations.filter(pk=automation.pk, version=automation.version, then=then, stop=stop)
        same.update(
            tried_version=automation.version, tried_at=until, tried_chats=len(trial.chats), tried_runs=trial.runs
        )
    return {
        "version": automation and automation.version,
        "from": reached,
        "to": until,
        "chats": len(trial.chats),
        "runs": trial.runs,
        "looked_at": trial.looked_at,
        "is_sampled": reached > trial.since,
        "judged_by_now": trial.without_history(),
        "would": {do: times * trial.runs for do, times in Counter(act["do"] for act in then).items()},
        "samples": [
            {"chat_id": chat_id, "at": at, "message_id": message_id or None}
            for at, chat_id, message_id in sorted(trial.samples, reverse=True)
        ],
    }


def _look(trial: _Trial) -> datetime:
    """Asks chat after chat, for ten seconds; returns since when all were asked."""
    ends = monotonic() + TRIAL_S
    # A wait that was due in these days may have begun before them.
    waits = timedelta(minutes=trial.when.get("minutes", 0))
    asked = set(fields_in(trial.condition))
    batches = past_batches(trial.widget_id, trial.since - waits, asked=asked, marks=trial.when.get("event") in _MARKS)
    for batch in batches:
        for chat in batch.chats:
            trial.judge(chat)
        if monotonic() > ends:
            return max(trial.since, min(batch.reached + waits, trial.until))
    return trial.since


@contextmanager
def _place(widget_id: int) -> Iterator[None]:
    """One of the places for trials of a widget, until the end. Raises TOO_MANY_TRIALS (429) where all are taken."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            for place in range(TRIALS_AT_ONCE):
                cursor.execute(_PLACE, {"name": f"trial:{widget_id}:{place}"})
                if (cursor.fetchone() or (False,))[0]:
                    break
            else:
                raise TOO_MANY_TRIALS(headers={"Retry-After": str(TRIAL_S)})
        yield
