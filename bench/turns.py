"""One product's turns beside another's (bench/beside.py): `python -m bench.turns NAME,… [OPTIONS]`.

Sets up what the names ask for, warms it up and prints "ready"; then it measures what each line of its input names, and
answers with the figures (JSON). The product is that of the working directory: no module that only this bench's own
checkout has is imported from outside of `bench`.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from functools import partial
from typing import Any

from bench.cases import CASES, Case
from bench.coming import with_visitors
from bench.data import fill
from bench.databases import own_servers
from bench.latencies import measure_latencies
from bench.messengers import Desk, messengers
from bench.options import LATENCIES, MESSENGERS, OF_A_TENANT, REPLIES, TRANSCRIPT, plan_of, read_options
from bench.replies import Questions, questions
from bench.rounds import Round, put_round
from bench.transcripts import measure_transcripts
from bench.web import PRODUCT, WebServer

READY = "ready"
# Of a turn of messengers and of replies.
UPDATES, SENDS, BURSTS = 120, 200, 40

Turn = Callable[[], Mapping[str, float]]


@contextmanager
def turns_of(names: list[str], options: argparse.Namespace) -> Iterator[Mapping[str, Turn]]:
    """The measuring of each name: several of one tenant, or one that has servers of its own."""
    if set(names) <= set(OF_A_TENANT):
        with _tenant(names, options) as turns:
            yield turns
    elif names == [MESSENGERS]:
        with messengers() as desk:
            yield {MESSENGERS: partial(_of_messengers, desk)}
    elif names == [REPLIES]:
        with questions() as asking:
            yield {REPLIES: partial(_of_replies, asking)}
    else:
        (name,) = names
        yield {name: partial(_whole, name, options)}


def numbers(found: Any, path: str = "") -> dict[str, float]:
    """All numbers of a document or a dataclass, by where they stand."""
    if is_dataclass(found) and not isinstance(found, type):
        found = asdict(found)
    if isinstance(found, bool) or found is None or isinstance(found, str):
        return {}
    if isinstance(found, int | float):
        return {path: float(found)}
    members = found.items() if isinstance(found, Mapping) else enumerate(found)
    each = (numbers(value, f"{path} {name}".strip()) for name, value in members)
    return {name: number for some in each for name, number in some.items()}


@contextmanager
def _tenant(names: list[str], options: argparse.Namespace) -> Iterator[Mapping[str, Turn]]:
    cases, plan = [case for case in CASES if case.name in names], plan_of(options)
    with own_servers() as (servers, environ):
        log = servers.home / "log" / "web.log"
        with WebServer(PRODUCT, environ, log) as product:
            facts = fill(options.sizes[0], environ, neighbours=options.neighbours)
            if any(case.visits for case in cases):
                facts = with_visitors(facts, product, environ)

            def of_case(case: Case, seconds: float) -> Mapping[str, float]:
                return _figures(put_round(product, case, seconds, facts, servers))

            def latencies() -> Mapping[str, float]:
                found = measure_latencies(facts, product, servers.database_url, 1)
                return {one.title: one.ms for one in found}

            for case in cases:
                of_case(case, plan.warmup_seconds)
            turns: dict[str, Turn] = {case.name: partial(of_case, case, plan.seconds) for case in cases}
            turns[LATENCIES] = latencies
            turns[TRANSCRIPT] = lambda: numbers(measure_transcripts(facts, environ, log, 1).document())
            yield turns


def _figures(found: Round) -> dict[str, float]:
    return {
        "requests a second": found.rate,
        "p50 ms": found.p50_ms,
        "p95 ms": found.p95_ms,
        "CPU of all, ms a request": found.cpu,
        "of web": found.web,
        "of PostgreSQL": found.postgres,
    }


def _of_messengers(desk: Desk) -> dict[str, float]:
    updates, sends = desk.updates(UPDATES), desk.sends(SENDS)
    return {
        "update: CPU of all, ms": updates.web_ms + updates.worker_ms + updates.postgres_ms,
        "of web": updates.web_ms,
        "of the worker": updates.worker_ms,
        "of PostgreSQL": updates.postgres_ms,
        "sends a second": sends.a_second,
        "send: CPU of all, ms": sends.worker_ms + sends.postgres_ms,
        "of the sending worker": sends.worker_ms,
        "of PostgreSQL, sending": sends.postgres_ms,
    }


def _of_replies(asking: Questions) -> dict[str, float]:
    answered = asking.ask(BURSTS)
    return {
        "reply: CPU of all, ms": answered.worker_ms + answered.postgres_ms,
        "of the worker": answered.worker_ms,
        "of PostgreSQL": answered.postgres_ms,
        "question to answer, p50 ms": answered.p50_ms,
        "question to answer, p95 ms": answered.p95_ms,
    }


def _whole(name: str, options: argparse.Namespace) -> dict[str, float]:
    """All numbers of a benchmark that sets up servers of its own each time."""
    from bench.measures import MEASURES

    found = next(one for one in MEASURES if one.name == name).measure(options)
    listed = found if isinstance(found, list) else [found]
    return numbers([one.document() if hasattr(one, "document") else one for one in listed])


def main(names: str, *arguments: str) -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what others print is no answer
    with turns_of(names.split(","), read_options(list(arguments))) as turns:
        print(READY, file=answers, flush=True)
        for line in sys.stdin:
            print(json.dumps(turns[line.strip()]()), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
