"""The router, and posting beside it, in a process of its own: `python -m bench.router WHAT`, on the DATABASE_URL.

`decide CHATS` measures it on a widget for whose operators, one for twenty, so many chats wait: milliseconds of single
decisions that give one place, beside one bare statement that reads as much; then the seconds in which all places, five
each, are filled. `post ROUNDS` has visitors write by turns where routing is on, where it is off, and where its
handlers and its question are left out as if there was none: milliseconds of CPU a message, of this process and its
connection's. `hours` has a department of two shifts a day and twenty other dates say whether it is open, and how long
it was open in a year: milliseconds, once its hours are read. Each prints JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from functools import partial
from statistics import median
from typing import Any

from bench.cpu import tree_seconds

WAITING, FOR_EACH_OPERATOR, PLACES, DECISIONS = 10_000, 20, 5, 15
MESSAGES = 300
YEAR = timedelta(days=365)
ON, OFF, WITHOUT = "on", "off", "without"

_WAIT = """
WITH contact AS (
    INSERT INTO chats_contact (widget_id, guid)
    SELECT %(widget_id)s, lpad(to_hex(n), 32, '0') FROM generate_series(1, %(chats)s) n RETURNING id
)
INSERT INTO chats_chat (
    widget_id, contact_id, channel, status, department_id, has_client_messages, handed_over_at, queued_at)
SELECT %(widget_id)s, id, 'widget', 'active', %(department_id)s, true, at, at
FROM contact, LATERAL (SELECT now() - (id %% 3600) * interval '1 second' AS at)"""
# What a decision must at least read: the head of the queue, and who has how many chats.
_READ = """
SELECT (SELECT array_agg(id) FROM (
    SELECT id FROM chats_chat
    WHERE widget_id = %(widget_id)s AND queued_at IS NOT NULL AND offered_to_id IS NULL
      AND department_id = %(department_id)s
    ORDER BY (CASE priority WHEN 'urgent' THEN 3 WHEN 'high' THEN 2 WHEN 'normal' THEN 1 ELSE 0 END)
        + floor(extract(epoch FROM now() - queued_at) / 900) DESC, queued_at, id LIMIT 200) head),
    (SELECT json_object_agg(id, load) FROM (
        SELECT a.id, count(c.id) AS load FROM agents_agent a
        LEFT JOIN chats_chat c ON c.offered_to_id = a.id AND c.widget_id = a.widget_id
        WHERE a.widget_id = %(widget_id)s AND a.online_since IS NOT NULL AND a.status = 'active'
        GROUP BY a.id) loads)"""


def decide_alone(waiting: int) -> dict[str, Any]:
    """Raises RuntimeError if a decision gave another number of chats than there were places."""
    from django.utils import timezone

    from apps.core.database import fetch_one
    from apps.routing.actions.router import decide
    from apps.routing.models import OperatorPlaces

    operators = waiting // FOR_EACH_OPERATOR
    widget_id, department_id = _fill(waiting, operators)
    places = OperatorPlaces.objects.for_widget(widget_id)

    def decided() -> int:
        return decide(widget_id=widget_id, as_of=timezone.now()).given

    decided()  # the statements are known to the connection
    one = places.order_by("pk").values_list("pk", flat=True)[0]
    took, cpu, bare = [], [], []
    for number in range(DECISIONS):
        places.filter(pk=one).update(capacity=number + 1)
        begun = time.process_time()
        given, wall = _timed(decided)
        if given != 1:
            raise RuntimeError(f"{given} chats were given to one place")
        took.append(wall)
        cpu.append((time.process_time() - begun) * 1000)
        names = {"widget_id": widget_id, "department_id": department_id}
        bare.append(_timed(lambda names=names: fetch_one(_READ, names))[1])
    places.update(capacity=PLACES + DECISIONS)
    places.exclude(pk=one).update(capacity=PLACES)
    filled, begun_at = 0, time.monotonic()
    while given := decided():
        filled += given
    seconds = time.monotonic() - begun_at
    if filled < (operators - 1) * PLACES:
        raise RuntimeError(f"{filled} places were filled")
    return {
        "waiting": waiting,
        "operators": operators,
        "decision_ms": median(took),
        "decision_cpu_ms": median(cpu),
        "bare_ms": median(bare),
        "filled": filled,
        "filling_s": seconds,
    }


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.perf_counter()
    return call(), (time.perf_counter() - begun) * 1000


def _fill(waiting: int, operators: int) -> tuple[int, int]:
    from django.db import connection, transaction
    from django.utils import timezone

    from apps.accounts.models import Account, Widget
    from apps.agents.models import Agent, Department
    from apps.routing.actions.settings import change_routing
    from apps.routing.models import OperatorPlaces

    account = Account.objects.create(email="routing@parley.example")
    widget = Widget.objects.create(account=account, name="routing")
    department = Department.objects.create(widget=widget, name="Sales")
    people = [
        Agent(widget=widget, name=f"Operator {number}", online_since=timezone.now()) for number in range(operators)
    ]
    agents = Agent.objects.bulk_create(people)
    department.agents.add(*agents)
    OperatorPlaces.objects.bulk_create([OperatorPlaces(widget=widget, agent=agent, capacity=0) for agent in agents])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_WAIT, {"widget_id": widget.pk, "department_id": department.pk, "chats": waiting})
    change_routing(widget_id=widget.pk, department_id=None, changes={"mode": "routed", "capacity": PLACES})
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")
    return widget.pk, department.pk


def hours() -> dict[str, float]:
    from django.utils import timezone

    from apps.accounts.models import Account, Widget
    from apps.agents.actions.hours import replace_department_hours
    from apps.agents.models import Department
    from apps.agents.querysets.hours import hours_of_department
    from apps.agents.rules.hours import DatedHours

    account = Account.objects.create(email="hours@parley.example")
    widget = Widget.objects.create(account=account, name="hours", time_zone="Europe/Berlin")
    department = Department.objects.create(widget=widget, name="Sales")
    now = timezone.now()
    dates = [DatedHours(now.date() + timedelta(days=17 * number), (), "") for number in range(1, 21)]
    week = [[(9 * 60, 13 * 60), (14 * 60, 18 * 60)]] * 7
    names = {"widget_id": widget.pk, "department_id": department.pk}
    replace_department_hours(**names, time_zone=None, week=week, exceptions=dates)
    took: dict[str, list[float]] = {"now_ms": [], "year_ms": []}
    for _ in range(100):
        for what in took:
            if (read := hours_of_department(widget.pk, department.pk)) is None:
                raise RuntimeError("the department has no hours")
            ask = partial(read.now, now) if what == "now_ms" else partial(read.open_seconds, now, now + YEAR)
            took[what].append(_timed(ask)[1])
    return {what: median(each) for what, each in took.items()}


def post(rounds: int) -> dict[str, list[float]]:
    """By way, round by round."""
    from django.db import connection

    from apps.accounts.models import Account, Widget
    from apps.chats.actions import create_contact, post_client_message
    from apps.routing.actions.settings import change_routing

    account = Account.objects.create(email="posting@parley.example")
    contacts = {}
    for way in (ON, OFF, WITHOUT):
        widget = Widget.objects.create(account=account, name=way)
        if way == ON:
            change_routing(widget_id=widget.pk, department_id=None, changes={"mode": "routed"})
        contacts[way] = create_contact(widget_id=widget.pk, about={})
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    found: dict[str, list[float]] = {way: [] for way in contacts}
    for number in range(rounds + 1):  # the first is not counted: nothing is prepared
        for way, contact in contacts.items():
            with _without_routing() if way == WITHOUT else nullcontext():
                begun = time.process_time() + tree_seconds(backend)
                for _ in range(MESSAGES):
                    post_client_message(contact=contact, content={"type": "text", "body": "Где мой заказ?"})
                took = time.process_time() + tree_seconds(backend) - begun
            if number:
                found[way].append(took / MESSAGES * 1000)
    return found


@contextmanager
def _without_routing() -> Iterator[None]:
    """As if nothing of `routing` heard of messages, nor asked with their chats."""
    from apps.chats.actions import posting
    from apps.chats.events import MessagePosted
    from apps.core import bus

    listed = bus._by_type[MessagePosted]
    whole, questions = list(listed), posting._read_with_chat
    listed[:] = [each for each in whole if each.handler.__module__ != "apps.routing.handlers"]
    left = {app: question for app, question in questions().items() if app != "routing"}
    vars(posting)["_read_with_chat"] = lambda: left
    posting._read_statement.cache_clear()
    try:
        yield
    finally:
        listed[:] = whole
        vars(posting)["_read_with_chat"] = questions
        posting._read_statement.cache_clear()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    print(json.dumps({"decide": decide_alone, "hours": hours, "post": post}[sys.argv[1]](*map(int, sys.argv[2:]))))
