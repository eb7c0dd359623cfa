"""Automations: what judging one event costs where a widget has as many as it may, each of twenty conditions.

`python -m bench.automations EVENTS` makes them on the DATABASE_URL, has a visitor write that often, judges each message
as a worker does, and prints milliseconds of CPU an event, of this process and of its connection's (JSON). No automation
acts: what is measured is asking, and claiming what is asked about.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

from bench.cpu import FOREIGN_LIMIT, Foreign, tree_seconds
from bench.databases import own_servers
from config.environment import PROJECT_ROOT

AUTOMATIONS, CONDITIONS, EVENTS, WARMING = 100, 20, 200, 20
CPU_GOAL_MS = 5.0


@dataclass(frozen=True, slots=True)
class Automations:
    """CPU in milliseconds an event."""

    worker_ms: float
    postgres_ms: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be."""
        title = f"one event, {AUTOMATIONS} automations of {CONDITIONS} conditions, ms of CPU"
        return [(title, self.worker_ms + self.postgres_ms, CPU_GOAL_MS)]

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_automations(events: int = EVENTS) -> Automations:
    """Raises RuntimeError if an event was not judged."""
    with own_servers() as (_, environ), Foreign() as foreign:
        command = [sys.executable, "-m", "bench.automations", str(events)]
        done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the automations failed: {done.stderr[-2000:]}")
    return Automations(**json.loads(done.stdout.splitlines()[-1]), foreign_cores=foreign.cores)


def judge(events: int) -> dict[str, float]:
    """Raises RuntimeError if an event was not judged."""
    from django.db import connection

    from apps.automations.models import AutomationEvent
    from apps.automations.tasks import EVENTS_QUEUE
    from apps.leases import claims

    contact = _fill()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()

    def judge_all() -> None:
        while leases := claims.claim(EVENTS_QUEUE, wanted=10):
            for lease in leases:
                lease.run()

    _write(contact, WARMING)
    judge_all()
    _write(contact, events)
    before, postgres_before = time.process_time(), tree_seconds(backend)
    judge_all()
    worker_s, postgres_s = time.process_time() - before, tree_seconds(backend) - postgres_before
    if left := AutomationEvent.objects.for_widget(contact.widget_id).count():
        raise RuntimeError(f"{left} of {events} events were not judged")
    return {"worker_ms": worker_s / events * 1000, "postgres_ms": postgres_s / events * 1000}


def _write(contact: Any, number: int) -> None:
    from apps.chats.actions import post_client_message

    for _ in range(number):
        post_client_message(contact=contact, content={"type": "text", "body": "Сколько стоит букет из 25 роз?"})


def _fill() -> Any:
    """A visitor of a widget with all its automations, switched on."""
    from django.db.models import F

    from apps.accounts.models import Account, Widget
    from apps.automations.actions.automations import change_automation, create_automation
    from apps.automations.models import Automation
    from apps.chats.actions import create_contact

    account = Account.objects.create(email="automations@parley.example")
    widget = Widget.objects.create(account=account, name="automations")
    for number in range(AUTOMATIONS):
        values = {
            "name": f"Automation {number}",
            "when": {"event": "visitor.wrote"},
            "if": {"any": [_condition(number, place) for place in range(CONDITIONS)]},
            "then": [{"do": "priority", "value": "urgent"}],
        }
        create_automation(widget_id=widget.pk, values=values)
    Automation.objects.for_widget(widget).update(tried_version=F("version"))
    for pk in Automation.objects.for_widget(widget).values_list("pk", flat=True):
        change_automation(widget_id=widget.pk, automation_id=pk, changes={"is_enabled": True})
    return create_contact(widget_id=widget.pk, about={})


def _condition(number: int, place: int) -> dict[str, Any]:
    """One that does not hold: words of the message, the priority, and what is known of the contact, in turn."""
    return (
        {"field": "text", "op": "contains", "value": f"возврат {number} {place}"},
        {"field": "text", "op": "has_word", "value": f"жалоба{number}x{place}"},
        {"field": "priority", "op": "is", "value": "urgent"},
        {"field": f"contact.attributes.plan{place}", "op": "is", "value": f"gold {number}"},
    )[place % 4]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    print(json.dumps(judge(int(sys.argv[1]))))
