"""`python -m bench`: every benchmark, on servers and data of its own, in a folder that is removed at the end.

Exit status 0 when everything was measured, whether or not goals were met and the machine was quiet (the tables say
so); 1 when a server failed or product and reference answered differently.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import redis

from apps.accounts.rules import digest
from bench import report
from bench.cases import CASES, Case, DifferentAnswers
from bench.data import Facts, Size, fill
from bench.latencies import Latency, measure_latencies
from bench.load import UnexpectedAnswer
from bench.reference import TOKEN_KEY
from bench.rounds import Bench, Plan, Result
from bench.starts import Start, measure_import, measure_starts
from bench.web import PRODUCT, REFERENCE, WebServer, bench_environ
from config.environment import PROJECT_ROOT
from config.servers import EmbeddedServers, ServerFailed

STARTS, LATENCIES = "starts", "latencies"
DEFAULT_SIZE = Size(10_000, 100_000)


def main(arguments: list[str]) -> int:
    options = read_options(arguments)
    if sys.platform != "linux":
        sys.exit("bench: CPU is measured through /proc, which only Linux has")
    wanted = [case for case in CASES if not options.only or case.name in options.only]
    grown: list[tuple[Size, list[Result]]] = []
    waits: list[tuple[Size, list[Latency]]] = []
    starts: list[Start] = []
    try:
        wants_latencies = not options.only or LATENCIES in options.only
        if wanted or wants_latencies:
            grown, waits = measure_sizes(wanted, options, wants_latencies=wants_latencies)
        if not options.only or STARTS in options.only:
            with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
                starts = [measure_import(bench_environ(Path(folder), "postgresql:///none", "redis://127.0.0.1:1"))]
            starts += measure_starts()
    except (DifferentAnswers, UnexpectedAnswer, ServerFailed, RuntimeError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if len(grown) > 1:
        print(report.growth_table(grown))
    if starts:
        print(report.start_table(starts))
    results = [result for _, measured in grown for result in measured]
    print(report.summary(results, starts, [latency for _, measured in waits for latency in measured]))
    if options.json:
        options.json.write_text(json.dumps(document(grown, starts, waits), indent=1) + "\n")
    return 0


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = [case.name for case in CASES] + [LATENCIES, STARTS]
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=f"one of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="three rounds of a second each")
    parser.add_argument("--rounds", type=int, help="rounds a server (default 7)")
    parser.add_argument("--seconds", type=float, help="seconds a round (default 3)")
    parser.add_argument(
        "--sizes",
        type=sizes,
        default=[DEFAULT_SIZE],
        metavar="CHATS:MESSAGES,…",
        help=f"sizes of the tenant, growing (default {DEFAULT_SIZE.chats}:{DEFAULT_SIZE.messages})",
    )
    parser.add_argument("--neighbours", action="store_true", help="let other tenants hold as much again")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there as well")
    return parser.parse_args(arguments)


def sizes(text: str) -> list[Size]:
    """`10000:100000,1000000:10000000` as sizes. Raises ArgumentTypeError unless they grow."""
    try:
        found = [Size(*(int(number) for number in part.split(":"))) for part in text.split(",")]
    except (ValueError, TypeError):
        raise argparse.ArgumentTypeError("sizes look like 10000:100000,1000000:10000000") from None
    if any(size.chats < 100 or size.messages < 10 * size.chats for size in found):
        raise argparse.ArgumentTypeError("a tenant has at least 100 chats, with ten messages each on average")
    if any(later.chats <= earlier.chats for earlier, later in pairwise(found)):
        raise argparse.ArgumentTypeError("each size must be larger than the one before")
    return found


def plan_of(options: argparse.Namespace) -> Plan:
    rounds, seconds = (3, 1.0) if options.quick else (7, 3.0)
    seconds = options.seconds or seconds
    return Plan(options.rounds or rounds, seconds, warmup_seconds=min(2.0, seconds))


Grown = list[tuple[Size, list[Result]]]
Waits = list[tuple[Size, list[Latency]]]


def measure_sizes(cases: Sequence[Case], options: argparse.Namespace, *, wants_latencies: bool) -> tuple[Grown, Waits]:
    """Every case at every size, and how long single answers take; each table printed as soon as it is known."""
    grown: Grown = []
    waits: Waits = []
    plan = plan_of(options)
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        home = Path(folder)
        with EmbeddedServers(home) as servers:
            environ = bench_environ(home, servers.database_url, servers.redis_url)
            prepare(servers, environ)
            log = home / "log" / "web.log"
            with WebServer(PRODUCT, environ, log) as product, WebServer(REFERENCE, environ, log) as reference:
                for size in options.sizes:
                    facts = fill(size, environ, neighbours=options.neighbours)
                    introduce(facts, servers.redis_url)
                    if wants_latencies:
                        waits.append((size, measure_latencies(facts, product, servers.database_url)))
                        print(report.latency_table(waits[-1][1], size), flush=True)
                    bench = Bench(product, reference, servers, facts)
                    if cases:
                        grown.append((size, [bench.measure(case, plan) for case in cases]))
                        print(report.ratio_table(grown[-1][1], size), flush=True)
    return grown, waits


def prepare(servers: EmbeddedServers, environ: dict[str, str]) -> None:
    """Makes the tables, and keeps vacuums out of single rounds."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=PROJECT_ROOT, env=environ, check=True
    )
    with psycopg.connect(servers.database_url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")


def introduce(facts: Facts, redis_url: str) -> None:
    """Tells the reference of the token."""
    with redis.Redis.from_url(redis_url) as client:
        client.set(TOKEN_KEY + digest(facts.token).hex(), facts.widget_id)


def document(grown: Grown, starts: Sequence[Start], waits: Waits) -> dict[str, Any]:
    """All figures of a run."""
    return {
        "cores": os.cpu_count(),
        "sizes": [
            {"chats": size.chats, "messages": size.messages, "cases": [result.document() for result in results]}
            for size, results in grown
        ],
        "latencies": [
            {"chats": size.chats, "messages": size.messages, **asdict(latency), "counts": latency.counts}
            for size, latencies in waits
            for latency in latencies
        ],
        "starts": [
            {
                "name": start.name,
                "seconds": start.seconds,
                "goal": start.goal,
                "foreign_cores": start.foreign_cores,
                "counts": start.counts,
            }
            for start in starts
        ],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
