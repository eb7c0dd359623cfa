"""Reports: 100,000 episodes of 1,000,000 messages over 90 days; how long their rows take, and what is read of them.

`python -m bench.reports data EPISODES` fills a migrated database: a third of the episodes is answered by people, a
third by AI, a third is handed over; two of three are closed. `python -m bench.reports work` says how long a rebuild
took, a run of the job after 1,500 posts, and reads (JSON).
"""

import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers
from config.environment import PROJECT_ROOT

EPISODES, A_CHAT, WORDS = 100_000, 5, 10
# What is posted in ten seconds, between two runs of the job.
POSTS, EVERY_S = 1_500, 10
REBUILD_GOAL_S, JOB_GOAL_CORES, REPORT_GOAL_MS, LIST_GOAL_MS = 120.0, 0.1, 300.0, 60.0
FILE_GOAL_S, FILE_GOAL_MIB = 10.0, 64.0
# Of each read; its 95th percentile is told.
READS, FILLS_S = 20, 600
GROUPS = (
    *("", "day", "week", "month", "weekday_hour", "channel", "department", "assistant", "agent", "tag", "language"),
    *("page", "handover", "outcome", "ended_by", "rating"),
)

_CONTACTS = """
INSERT INTO chats_contact (widget_id, guid, name)
SELECT %(widget_id)s, md5(n || '-' || %(widget_id)s), 'Visitor ' || n FROM generate_series(1, %(chats)s) n"""
_CHATS = """
INSERT INTO chats_chat (widget_id, contact_id, channel, status, department_id, has_client_messages, created_at)
SELECT %(widget_id)s, id, (ARRAY['widget', 'tg', 'wa'])[id %% 3 + 1], 'expired',
       (%(departments)s::bigint[])[id %% 3 + 1], true, now() - interval '90 days'
FROM chats_contact WHERE widget_id = %(widget_id)s"""
# An episode `e` of a chat begins every 17 days, and has ten words, the visitor's and an answer by turns.
_TALKS = """
FROM chats_chat c CROSS JOIN LATERAL (
    SELECT g AS n, c.created_at + g * interval '17 days' + (c.id %% 20000) * interval '1 minute' AS begins
    FROM generate_series(0, %(a_chat)s - 1) g
) e"""
_WORDS = f"""
INSERT INTO chats_message
    (widget_id, chat_id, type, body, sender_kind, agent_id, assistant_id, language, page, created_at)
SELECT c.widget_id, c.id, 'text', 'Where is my order, I have waited for it for ' || w.n || ' days',
    CASE WHEN w.n %% 2 = 0 THEN 'client' WHEN by.person THEN 'agent' ELSE 'ai' END,
    CASE WHEN w.n %% 2 = 0 THEN NULL WHEN by.person THEN (%(people)s::bigint[])[(c.id + e.n) %% 4 + 1] ELSE %(ai)s END,
    CASE WHEN w.n %% 2 = 1 AND NOT by.person THEN 1 END,
    CASE WHEN w.n %% 2 = 0 THEN (ARRAY['ru', 'en', 'de', NULL])[c.id %% 4 + 1] END,
    CASE WHEN w.n %% 2 = 0 THEN 'shop.example/' || c.id %% 300 END,
    e.begins + w.n * interval '1 minute' * (1 + c.id %% 20)
{_TALKS} CROSS JOIN LATERAL (SELECT g AS n FROM generate_series(0, %(words)s - 1) g) w
CROSS JOIN LATERAL (SELECT e.n %% 3 = 0 OR (e.n %% 3 = 2 AND w.n > 5) AS person) by
WHERE c.widget_id = %(widget_id)s ORDER BY e.n, c.id, w.n"""
# A handover behind the fourth word, and a close behind the last.
_STEPS = f"""
INSERT INTO chats_chatstep (widget_id, chat_id, kind, agent_id, comment, after_message_id, at)
SELECT c.widget_id, c.id, s.kind, s.agent_id, s.comment, m.id, m.created_at + interval '5 minutes'
{_TALKS} CROSS JOIN LATERAL (VALUES
    ('waits', NULL, 'human_request', 4, e.n %% 3 = 2),
    ('closed', (%(people)s::bigint[])[1], '', %(words)s - 1, (c.id + e.n) %% 3 < 2)
) s (kind, agent_id, comment, behind, is_there)
JOIN chats_message m ON m.chat_id = c.id AND m.created_at = e.begins + s.behind * interval '1 minute' * (1 + c.id %% 20)
WHERE c.widget_id = %(widget_id)s AND s.is_there"""
_RATINGS = """
INSERT INTO chats_rating (widget_id, chat_id, value, agent_id, after_message_id, rated_at)
SELECT widget_id, chat_id, id %% 5 + 1, agent_id, after_message_id, at + interval '10 minutes'
FROM chats_chatstep WHERE widget_id = %(widget_id)s AND kind = 'closed' AND id %% 4 = 0"""
_LAST_WORDS = """
UPDATE chats_chat c SET last_message_id = m.id, last_message_at = m.created_at
FROM (SELECT DISTINCT ON (chat_id) chat_id, id, created_at FROM chats_message WHERE widget_id = %(widget_id)s
      ORDER BY chat_id, id DESC) m
WHERE c.id = m.chat_id AND c.widget_id = %(widget_id)s"""
_POSTS = """
INSERT INTO chats_message (widget_id, chat_id, type, body, sender_kind, created_at)
SELECT widget_id, id, 'text', 'And now', 'client', clock_timestamp()
FROM chats_chat WHERE widget_id = %(widget_id)s ORDER BY id LIMIT %(chats)s"""


@dataclass(frozen=True, slots=True)
class Reports:
    """How long reports take: the rebuild and the job in seconds, p95 of reads in milliseconds."""

    episodes: int
    rebuild_s: float
    check_s: float
    job_s: float
    reads_ms: dict[str, float]
    file_s: float
    file_mib: float
    foreign_cores: float

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures that have a goal, by name."""
        goals = [
            ("rebuild s", self.rebuild_s, REBUILD_GOAL_S),
            ("job, cores", self.job_s / EVERY_S, JOB_GOAL_CORES),
            ("CSV of all rows, s", self.file_s, FILE_GOAL_S),
            ("CSV of all rows, MiB", self.file_mib, FILE_GOAL_MIB),
        ]
        for name, ms in self.reads_ms.items():
            goals.append((f"{name} ms", ms, LIST_GOAL_MS if "rows" in name else REPORT_GOAL_MS))
        return goals

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_reports(episodes: int = EPISODES) -> Reports:
    """Raises RuntimeError if a row differs from its raw rows."""
    with own_servers() as (_, environ):
        run = [sys.executable, "-m", "bench.reports"]
        subprocess.run([*run, "data", str(episodes)], cwd=PROJECT_ROOT, env=dict(environ), check=True)
        with Foreign() as foreign:
            done = subprocess.run(
                [*run, "work"], cwd=PROJECT_ROOT, env=dict(environ), check=True, stdout=subprocess.PIPE
            )
    found = json.loads(done.stdout.splitlines()[-1])
    if found.pop("differ") or found["episodes"] != episodes:
        raise RuntimeError(f"the rows of episodes differ from their raw rows: {found}")
    return Reports(**found, foreign_cores=foreign.cores)


def fill(episodes: int) -> None:
    """Writes the tenant's rows; triggers hear of none, and nothing is derived."""
    from django.db import connection, transaction

    from apps.accounts.models import Account, Widget
    from apps.agents.models import Agent, Department
    from apps.core.database import statements_may_take

    account = Account.objects.create(email="reports@parley.example")
    widget = Widget.objects.create(account=account, name="reports", api_enabled=True)
    people = [Agent.objects.create(widget=widget, name=name).pk for name in ("Alice", "Boris", "Clara", "Dmitri")]
    departments = [Department.objects.create(widget=widget, name=name).pk for name in ("Sales", "Care", "Returns")]
    parameters: dict[str, Any] = {
        "widget_id": widget.pk,
        "chats": episodes // A_CHAT,
        "a_chat": A_CHAT,
        "words": WORDS,
        "people": people,
        "departments": departments,
        "ai": Agent.objects.create(widget=widget, name="Ada", type=Agent.Type.AI).pk,
    }
    with transaction.atomic(), statements_may_take(FILLS_S), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in (_CONTACTS, _CHATS, _WORDS, _STEPS, _RATINGS, _LAST_WORDS):
            cursor.execute(statement, parameters)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE chats_contact, chats_chat, chats_message, chats_chatstep, chats_rating")


def work() -> dict[str, Any]:
    """How long a rebuild, a check, the job and reads took."""
    from django.db import connection

    from apps.accounts.models import Widget
    from apps.reports.actions.episodes import check, keep_episodes, rebuild

    widget_id = Widget.objects.get(name="reports").pk
    rebuild_s, made = timed(lambda: rebuild(widget_id))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE reports_episoderow, reports_derivedchat")
    check_s, checked = timed(lambda: check(widget_id))
    for _ in range(2):
        keep_episodes()
    with connection.cursor() as cursor:
        for _ in range(3):
            cursor.execute(_POSTS, {"widget_id": widget_id, "chats": POSTS // 3})
    began = time.process_time()
    keep_episodes()
    job_s = time.process_time() - began
    reads_ms = _reads(widget_id)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    file_s, _ = timed(lambda: _file(widget_id))
    return {
        "episodes": made.episodes,
        "differ": checked.differ,
        "rebuild_s": rebuild_s,
        "check_s": check_s,
        "job_s": job_s,
        "reads_ms": reads_ms,
        "file_s": file_s,
        "file_mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
    }


def _reads(widget_id: int) -> dict[str, float]:
    """The 95th percentile of each read, asked through the API."""
    from django.test import Client
    from django.utils import timezone

    from apps.accounts import actions
    from apps.accounts.models import Widget

    token = actions.issue_token(widget=Widget.objects.get(pk=widget_id), scopes=["stats:read"], name="bench")
    client, today = Client(headers={"host": "localhost"}), timezone.now().date()
    window = {"from": str(today - timedelta(days=90)), "to": str(today + timedelta(days=1))}
    reads: dict[str, tuple[str, dict[str, str]]] = {
        f"report by {group or 'nothing'}": ("", {**window, "compare": "before", **({"group": group} if group else {})})
        for group in GROUPS
    }
    reads["rows"] = ("/episodes", {**window})
    reads["rows, slowest"] = ("/episodes", {**window, "figure": "person_reply", "slowest": "1"})

    def ask(path: str, query: dict[str, str]) -> None:
        answer = client.get(f"/api/v1/reports{path}", query, headers={"authorization": f"Bearer {token.plain_text}"})
        if answer.status_code != 200:
            raise RuntimeError(f"{path} {query}: {answer.status_code} {answer.content[:500]!r}")

    found = {}
    for name, (path, query) in reads.items():
        took = sorted(timed(partial(ask, path, query))[0] for _ in range(READS))
        found[name] = took[math.ceil(READS * 0.95) - 1] * 1000
    return found


def _file(widget_id: int) -> None:
    """Reads all rows as CSV, and keeps nothing."""
    from django.utils import timezone

    from apps.reports.actions.files import file_of
    from apps.reports.querysets.questions import question_asked
    from apps.reports.rules.reports import OF_EPISODES

    today = timezone.now().date()
    window = {"from": str(today - timedelta(days=90)), "to": str(today + timedelta(days=1))}
    query = question_asked(widget_id, window, now=timezone.now(), takes=OF_EPISODES)
    for _ in file_of(widget_id, query, "episodes", "csv").pieces:
        pass


def timed(what: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = what()
    return time.perf_counter() - began, found


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    if sys.argv[1] == "data":
        fill(int(sys.argv[2]))
    else:
        print(json.dumps(work()))
