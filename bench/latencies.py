"""How long single answers take at a size (goals P4 and P7), each beside the plain SQL that does the same.

One request after the other over one kept connection: not what the server can do, but what one caller waits for.
"""

import http.client
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any
from urllib.parse import urlencode

import psycopg

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.data import USUAL, Facts, searches
from bench.web import WebServer

# What plain SQL may take before it is given up.
REFERENCE_TIMEOUT_MS = 20_000
REFERENCE_ROUNDS = 3

_SEARCH = """
SELECT c.id FROM chats_chat c
WHERE c.widget_id = %(widget_id)s AND c.status = coalesce(%(status)s, c.status)
  AND c.channel = coalesce(%(channel)s, c.channel) AND EXISTS (
    SELECT FROM chats_message m
    WHERE m.chat_id = c.id AND NOT m.is_internal AND strpos(lower(m.body), lower(%(q)s)) > 0)
ORDER BY c.created_at DESC, c.id DESC LIMIT 21"""
_LAST_30_DAYS = """
WHERE widget_id = %(widget_id)s AND created_at >= now() - interval '30 days' AND created_at < now()"""
_STATISTICS = f"""
SELECT count(*), count(*) FILTER (WHERE handling = 'missed'), count(*) FILTER (WHERE accepted_type = 'ai'),
       count(*) FILTER (WHERE accepted_type = 'human'), count(*) FILTER (WHERE handled_type = 'ai'),
       count(*) FILTER (WHERE handled_type = 'human'), count(*) FILTER (WHERE handling = 'ai_to_human'),
       count(*) FILTER (WHERE handling = 'human_to_ai'), avg(accepted_at - created_at),
       (SELECT count(*) FROM chats_message {_LAST_30_DAYS} AND sender_kind <> 'system' AND NOT is_internal)
FROM chats_chat {_LAST_30_DAYS}"""
_CHANNELS = f"""
SELECT channel, count(*), count(*) FILTER (WHERE handling = 'missed'), count(*) FILTER (WHERE accepted_type = 'ai'),
       count(*) FILTER (WHERE accepted_type = 'human')
FROM chats_chat {_LAST_30_DAYS}
GROUP BY channel"""
_SERIES = f"""
SELECT day, sum(chats), sum(messages) FROM (
    SELECT date_trunc('day', created_at, 'Europe/Moscow') AS day, count(*) AS chats, 0 AS messages
    FROM chats_chat {_LAST_30_DAYS} GROUP BY 1
    UNION ALL
    SELECT date_trunc('day', created_at, 'Europe/Moscow'), 0, count(*)
    FROM chats_message {_LAST_30_DAYS} AND sender_kind <> 'system' AND NOT is_internal GROUP BY 1
) counted GROUP BY day"""
_FIRST_RESPONSES = f"""
SELECT avg(answer.created_at - asked.created_at)
FROM (SELECT id FROM chats_chat {_LAST_30_DAYS}) opened
CROSS JOIN LATERAL (
    SELECT id, created_at FROM chats_message WHERE chat_id = opened.id AND sender_kind = 'client' AND NOT is_internal
    ORDER BY id LIMIT 1) asked
CROSS JOIN LATERAL (
    SELECT created_at FROM chats_message WHERE chat_id = opened.id AND id > asked.id AND NOT is_internal
    AND sender_kind IN ('agent', 'ai', 'external_operator') ORDER BY id LIMIT 1) answer"""
# What is asked of the statistics of 30 days, and the plain SQL that counts the same.
_ASKED = {
    "statistics of 30 days": ("/api/v1/stats", _STATISTICS),
    "statistics by channel": ("/api/v1/stats/channels", _CHANNELS),
    "statistics by day": ("/api/v1/stats/timeseries", _SERIES),
    "first responses": ("/api/v1/stats?metric=avg_first_response_seconds", _FIRST_RESPONSES),
}
_TRANSCRIPT = "SELECT created_at, sender_name, body FROM chats_message WHERE chat_id = %(chat_id)s ORDER BY id"


@dataclass(frozen=True, slots=True)
class Latency:
    """One figure in milliseconds with its goal, and what plain SQL took (None: given up)."""

    title: str
    ms: float
    goal: float
    goal_name: str
    reference_ms: float | None
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT


def measure_latencies(facts: Facts, product: WebServer, database_url: str, rounds: int) -> list[Latency]:
    """Searches, statistics of 30 days, and a transcript's first byte: medians of so many answers."""
    with (
        psycopg.connect(database_url, autocommit=True) as database,
        Foreign() as foreign,
    ):
        database.execute(f"SET statement_timeout = {REFERENCE_TIMEOUT_MS}")
        figures = [
            *_searches(facts, product, database, rounds),
            *_statistics(facts, product, database, rounds),
            _transcript(facts, product, database, rounds),
        ]
    return [Latency(*figure, foreign.cores) for figure in figures]


Figure = tuple[str, float, float, str, float | None]


def _searches(facts: Facts, product: WebServer, database: Any, rounds: int) -> list[Figure]:
    figures = []
    for name, query in searches().items():
        path = f"/api/v1/chats?{urlencode(query)}"
        parameters = {"widget_id": facts.widget_id, "status": None, "channel": None, **query}
        figures.append(
            (
                f"search, {name}",
                _median_ms(rounds, lambda path=path: _answer(product, facts, path)[1]),
                60.0 if name in USUAL else 250.0,
                "P4",
                _plain_ms(rounds, database, _SEARCH, parameters),
            )
        )
    return figures


def _statistics(facts: Facts, product: WebServer, database: Any, rounds: int) -> list[Figure]:
    return [
        (
            title,
            _median_ms(rounds, lambda path=path: _answer(product, facts, path)[1]),
            30.0,
            "P4",
            _plain_ms(rounds, database, sql, {"widget_id": facts.widget_id}),
        )
        for title, (path, sql) in _ASKED.items()
    ]


def _transcript(facts: Facts, product: WebServer, database: Any, rounds: int) -> Figure:
    path = f"/api/v1/chats/{facts.transcript_chat_id}/transcript"
    ours = _median_ms(rounds, lambda: _answer(product, facts, path)[0])
    plain = _plain_ms(rounds, database, _TRANSCRIPT, {"chat_id": facts.transcript_chat_id})
    return "transcript of 50,000 messages, first byte", ours, 100.0, "P7", plain


def _answer(product: WebServer, facts: Facts, path: str) -> tuple[float, float]:
    """Milliseconds to the first byte of the body, and to the last. Raises RuntimeError for another status than 200."""
    connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=60)
    try:
        connection.connect()
        began = time.perf_counter()
        connection.request("GET", path, headers={"Authorization": f"Bearer {facts.token}"})
        response = connection.getresponse()
        response.read(1)
        first = time.perf_counter()
        while response.read(1 << 16):
            pass
        last = time.perf_counter()
        if response.status != 200:
            raise RuntimeError(f"{path} was answered {response.status}")
    finally:
        connection.close()
    return (first - began) * 1000, (last - began) * 1000


def _median_ms(rounds: int, once: Callable[[], float]) -> float:
    once()
    return median(once() for _ in range(rounds))


def _plain_ms(rounds: int, database: Any, sql: str, parameters: dict[str, Any]) -> float | None:
    times = []
    try:
        for _ in range(min(rounds, REFERENCE_ROUNDS)):
            began = time.perf_counter()
            database.execute(sql, parameters).fetchall()
            times.append((time.perf_counter() - began) * 1000)
    except psycopg.errors.QueryCanceled:
        return None
    return median(times)


def rows_of(latencies: Sequence[Latency], verdict: Callable[..., str]) -> list[list[str]]:
    """The table's rows."""
    return [
        [
            latency.title,
            f"{latency.ms:.1f} ms",
            "over 20 s" if latency.reference_ms is None else f"{latency.reference_ms:.1f} ms",
            f"{latency.goal_name}: <= {latency.goal:g} ms, "
            + verdict(value=latency.ms, goal=latency.goal, counts=latency.counts),
        ]
        for latency in latencies
    ]
