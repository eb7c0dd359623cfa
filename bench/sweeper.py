"""One idle sweep, in a process of its own: `python -m bench.sweeper product|reference`, on the DATABASE_URL.

Says "ready" when all is imported and connected, sweeps when it is told a line, prints a `Swept` (JSON), and ends when
its input does. `python -m bench.sweeper data CHATS` fills a migrated database with what there is to sweep.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

# The reference knows the rule as a constant; that both leave the same rows behind is compared.
IDLE = timedelta(minutes=7)

# A tenant's chats that were active and have gone quiet.
_CHATS = """
WITH contact AS (
    INSERT INTO chats_contact (widget_id, guid, name, email)
    SELECT %(widget_id)s, lpad(to_hex(n), 32, '0'), 'Иван Петров', 'visitor' || n || '@mail.example'
    FROM generate_series(1, %(chats)s) n
    RETURNING id, guid
)
INSERT INTO chats_chat (
    widget_id, contact_id, channel, status, agent_id, handling, accepted_agent_id, accepted_type, accepted_at,
    handled_agent_id, handled_type, handled_at, has_client_messages, last_message_at, created_at)
SELECT %(widget_id)s, id, 'widget', 'active', %(agent_id)s, 'human', %(agent_id)s, 'human', began_at,
       %(agent_id)s, 'human', began_at, true, began_at + interval '1 minute', began_at
FROM contact, LATERAL (SELECT now() - interval '1 day' + id * interval '0.1 second' AS began_at)
ORDER BY id"""

_MOVE = """
UPDATE chats_chat SET status = 'expired', expired_at = clock_timestamp(), version = version + 1
WHERE status IN ('active', 'ready') AND last_message_at <= %(idle_since)s"""

# With the outbox, for those who listen.
_MOVE_AND_TELL = f"""
WITH moved AS ({_MOVE} RETURNING id, widget_id),
closing AS MATERIALIZED (SELECT id, widget_id, gen_random_uuid() AS guid FROM moved),
event AS (
    INSERT INTO webhooks_event (guid, widget_id, type, body)
    SELECT c.guid, c.widget_id, 'chat.closed',
           '{{"id":"' || c.guid || '","type":"chat.closed","data":{{"chat_id":' || c.id
           || ',"reason":"expired","button_guid":"' || w.guid || '"}}}}'
    FROM closing c JOIN accounts_widget w ON w.id = c.widget_id
    WHERE EXISTS (SELECT FROM webhooks_subscription s
                  WHERE s.widget_id = c.widget_id AND s.is_active AND 'chat.closed' = ANY (s.events))
      AND EXISTS (SELECT FROM webhooks_eventswitch WHERE name = 'chat.closed' AND enabled)
    RETURNING id, widget_id
),
delivery AS (
    INSERT INTO webhooks_delivery (guid, event_id, kind, destination_id, event_type)
    SELECT gen_random_uuid(), event.id, 'subscription', s.id, 'chat.closed'
    FROM event JOIN webhooks_subscription s
      ON s.widget_id = event.widget_id AND s.is_active AND 'chat.closed' = ANY (s.events)
)
SELECT count(*) FROM moved"""


@dataclass(frozen=True, slots=True)
class Swept:
    """The figures of a sweep; `longest_ms` is the time its longest transaction took, so the longest that it held a
    lock.
    """

    chats: int
    seconds: float
    longest_ms: float


def sweep_as_the_product() -> Callable[[], Swept]:
    """The sweep as a worker runs it, made ready."""
    _set_up_django()
    from django.db import connection, transaction
    from django.utils import timezone

    from apps.chats import actions
    from config.celery import keep_what_is_loaded

    durations: list[float] = []
    enter, leave = transaction.Atomic.__enter__, transaction.Atomic.__exit__

    def timed_enter(self: Any) -> None:
        self.began_at = time.perf_counter()
        enter(self)

    def timed_leave(self: Any, *reason: Any) -> None:
        leave(self, *reason)
        durations.append(time.perf_counter() - self.began_at)

    transaction.Atomic.__enter__ = timed_enter  # type: ignore[method-assign]
    transaction.Atomic.__exit__ = timed_leave  # type: ignore[method-assign]
    connection.ensure_connection()
    keep_what_is_loaded()

    def sweep() -> Swept:
        began = time.perf_counter()
        swept = actions.sweep_chats(as_of=timezone.now())
        return Swept(swept.expired + swept.reactivated, time.perf_counter() - began, max(durations) * 1000)

    return sweep


def sweep_as_the_reference() -> Callable[[], Swept]:
    """The one statement, on a bare connection."""
    connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    enabled = connection.execute("SELECT enabled FROM webhooks_eventswitch WHERE name = 'chat.closed'").fetchone()
    tells = bool(enabled and enabled[0])

    def sweep() -> Swept:
        # The connection stays open: the CPU that a server process has used is best read while it lives.
        began = time.perf_counter()
        cursor = connection.execute(_MOVE_AND_TELL if tells else _MOVE, {"idle_since": datetime.now(UTC) - IDLE})
        chats = cursor.fetchall()[0][0] if tells else cursor.rowcount
        seconds = time.perf_counter() - began
        return Swept(chats, seconds, seconds * 1000)

    return sweep


def fill(chats: int) -> None:
    """One tenant with so many chats that are due, and one receiver that wants to know of each closing."""
    _set_up_django()
    from django.db import connection, transaction

    from apps.accounts.models import Account, Widget
    from apps.agents.models import Agent
    from apps.webhooks.actions.subscriptions import create_subscription

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        # The rows are consistent by construction.
        cursor.execute("SET LOCAL session_replication_role = replica")
        account = Account.objects.create(email="sweep@parley.example")
        widget = Widget.objects.create(account=account, name="sweep")
        agent = Agent.objects.create(widget=widget, name="Alice", surname="Bench")
        url = "https://receiver.example/parley"
        create_subscription(widget_id=widget.pk, url=url, target=url, events=["chat.closed", "message.created"])
        cursor.execute(_CHATS, {"widget_id": widget.pk, "agent_id": agent.pk, "chats": chats})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE, PARALLEL 0)")


def _set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def main(arguments: list[str]) -> None:
    if arguments[0] == "data":
        fill(int(arguments[1]))
        return
    sweep = {"product": sweep_as_the_product, "reference": sweep_as_the_reference}[arguments[0]]()
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(asdict(sweep())), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
