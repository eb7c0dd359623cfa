"""Timers of chats: 100,000 set, of which 200 fall due a second; how late two workers tell of them.

A timer's anchor is its moment, so each worker says of its own how late they were: `python -m bench.timers work SECONDS`
says "ready" when all is imported, runs the product's runner with the queue of timers alone once it is told a line, and
prints the latenesses and its CPU (JSON) at its end.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import psycopg

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers, postgres_seconds
from config.environment import PROJECT_ROOT

CHATS, A_CHAT, A_SECOND, SECONDS, WORKERS = 20_000, 5, 200, 30, 2
LATE_GOAL_MS = 1000.0
# The first are due once all are set; the rest, of one an hour, are in their way.
STARTS_AFTER_S = 10
_SET = """
INSERT INTO chats_timer (widget_id, chat_id, kind, key, anchor, due_at)
SELECT widget_id, id, 'owner_away', key,
    to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'), moment
FROM (
    SELECT widget_id, id, key, now() + CASE
        WHEN n <= %(due)s THEN %(after_s)s * interval '1 second' + n * interval '1 second' / %(a_second)s
        ELSE interval '1 hour' + n * interval '1 second' END AS moment
    FROM (SELECT widget_id, id, key::text, row_number() OVER (ORDER BY key, id) AS n
        FROM chats_chat CROSS JOIN generate_series(1, %(a_chat)s) key) numbered
) timed"""


@dataclass(frozen=True, slots=True)
class Timers:
    """How late the timers that fell due were told of, and the CPU of each, in milliseconds.

    `transactions` are those of each, its claim and the looks of idle workers included.
    """

    count: int
    told: int
    p50_ms: float
    p95_ms: float
    longest_ms: float
    seq_scans: int
    worker_ms: float
    postgres_ms: float
    transactions: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "goal_ms": LATE_GOAL_MS, "counts": self.counts}


def measure_timers(chats: int = CHATS, seconds: int = SECONDS) -> Timers:
    """Raises RuntimeError if one that was due was told of twice, or never."""
    due, timers = seconds * A_SECOND, chats * A_CHAT
    with own_servers() as (servers, environ):
        fill = [sys.executable, "-m", "bench.sweeper", "data", str(chats)]
        subprocess.run(fill, cwd=PROJECT_ROOT, env=dict(environ), check=True)
        workers = [_worker(environ, STARTS_AFTER_S + seconds + 4) for _ in range(WORKERS)]
        with psycopg.connect(servers.database_url, autocommit=True) as connection:
            connection.execute("SET statement_timeout = 0")
            connection.execute(_SET, {"due": due, "after_s": STARTS_AFTER_S, "a_second": A_SECOND, "a_chat": A_CHAT})
            connection.execute("ANALYZE chats_timer, chats_chat")
            before, postgres_s = _counted(connection), postgres_seconds(servers)
            with Foreign() as foreign:
                answers = [json.loads(answer) for answer in _answers(workers)]
            counted, postgres_s = _counted(connection), postgres_seconds(servers) - postgres_s
            left = connection.execute("SELECT count(*) FROM chats_timer").fetchone()
    late = sorted(each for answer in answers for each in answer["late"])
    if len(late) != due or left != (timers - due,):
        raise RuntimeError(f"{len(late)} timers were told of, of {due} that were due; {left} are left of {timers}")
    return Timers(
        timers,
        len(late),
        *(late[min(len(late) - 1, int(len(late) * share))] for share in (0.5, 0.95)),
        late[-1],
        counted[0] - before[0],
        sum(answer["cpu_s"] for answer in answers) / due * 1000,
        postgres_s / due * 1000,
        (counted[1] - before[1]) / due,
        foreign.cores,
    )


def _worker(environ: dict[str, str], seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "bench.timers", "work", str(seconds)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    worker = subprocess.Popen(command, cwd=PROJECT_ROOT, env=dict(environ), text=True, **pipes)
    if not worker.stdout or worker.stdout.readline() != "ready\n":
        raise RuntimeError("a worker of timers did not start")
    return worker


def _answers(workers: "list[subprocess.Popen[str]]") -> list[str]:
    """Lets all go; what each says at its end."""
    for worker in workers:
        if worker.stdin:
            print("go", file=worker.stdin, flush=True)
    return [worker.communicate()[0].splitlines()[-1] for worker in workers]


def _counted(connection: "psycopg.Connection[Any]") -> tuple[int, int]:
    """How often the tables of timers and chats were read from end to end, and how many transactions there were."""
    connection.execute("SELECT pg_stat_clear_snapshot()")
    row = connection.execute(
        """
        SELECT (SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE relname IN ('chats_timer', 'chats_chat')),
            (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())"""
    ).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def work(seconds: float) -> dict[str, Any]:
    """Runs the queue for so long; the lateness of each timer that was told of, in milliseconds, and the CPU of all."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from apps.chats.events import TimerDue
    from apps.chats.tasks import TIMERS_QUEUE
    from apps.core import bus
    from apps.leases.runner import Runner

    late: list[float] = []

    def note(event: TimerDue) -> None:
        late.append((event.as_of - datetime.fromisoformat(event.anchor)).total_seconds() * 1000)

    bus.handles(TimerDue)(note)
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.process_time()
    runner = Runner([TIMERS_QUEUE])
    runner.wake()
    time.sleep(seconds)
    runner.stop()
    return {"late": late, "cpu_s": time.process_time() - began}


if __name__ == "__main__":
    print(json.dumps(work(float(sys.argv[2]))))
