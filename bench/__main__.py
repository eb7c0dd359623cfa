"""`python -m bench`: every benchmark, on servers and data of its own, in a folder that is removed at the end.

Exit status 0 when everything was measured, whether or not goals were met and the machine was quiet (the tables say
so); 1 when a server failed, product and reference answered differently, or `together` lost or doubled something.
"""

import argparse
import json
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import redis

from apps.accounts.rules import digest
from bench import report
from bench.articles import measure_articles
from bench.cases import CASES, DifferentAnswers
from bench.console import FEWEST_OPEN, INBOXES, Inbox, measure_consoles
from bench.data import Facts, Size, fill
from bench.databases import own_servers
from bench.deliveries import DELIVERIES as DELIVERED
from bench.deliveries import measure_deliveries
from bench.figures import Figures
from bench.knowledge import measure_knowledge
from bench.latencies import measure_latencies
from bench.load import UnexpectedAnswer
from bench.messengers import measure_messengers
from bench.reference import TOKEN_KEY
from bench.replies import measure_replies
from bench.reports import measure_reports
from bench.rival import measure_rival, why_not
from bench.rounds import Bench, Plan
from bench.routing import measure_routed_posts, measure_routing
from bench.starts import measure_import, measure_starts
from bench.sweeps import DUE, measure_sweeps
from bench.timers import measure_timers
from bench.together import MUCH, Much, measure_together
from bench.transcripts import measure_transcripts
from bench.web import PRODUCT, REFERENCE, WebServer, bench_environ
from launcher.servers import ServerFailed

LATENCIES, TRANSCRIPT, SWEEP, DELIVERIES = "latencies", "transcript", "sweep", "deliveries"
CONSOLE, STARTS, TOGETHER, REPLIES, KNOWLEDGE = "console", "starts", "together", "replies", "knowledge"
MESSENGERS, TIMERS, ROUTING, POST_ROUTED, REPORTS = "messengers", "timers", "routing", "post-routed", "reports"
ARTICLES = "articles"
NAMES = [*(case.name for case in CASES), LATENCIES, TRANSCRIPT, SWEEP, DELIVERIES, CONSOLE, STARTS]
# Take as long as all others, have a worker's whole process, or need what is not installed (an embedder, packages of
# Debian that are downloaded): measured when they are asked for by name.
ONLY_BY_NAME = [TIMERS, ROUTING, POST_ROUTED, REPORTS, ARTICLES, TOGETHER, REPLIES, MESSENGERS, KNOWLEDGE]
DEFAULT_SIZE = Size(10_000, 100_000)


def main(arguments: list[str]) -> int:
    options = read_options(arguments)
    if sys.platform != "linux":
        sys.exit("bench: CPU and memory are measured through /proc, which only Linux has")
    figures = Figures()
    try:
        measure(figures, options)
    except (DifferentAnswers, UnexpectedAnswer, ServerFailed, RuntimeError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(report.summary(figures.outcomes()))
    if options.json:
        options.json.write_text(json.dumps(figures.document(), indent=1) + "\n")
    return 1 if figures.together and figures.together.wrong else 0


def measure(figures: Figures, options: argparse.Namespace) -> None:
    """Measures what was asked for; each table is printed as soon as it is known."""
    wanted = set(options.only or NAMES)
    if wanted - {SWEEP, DELIVERIES, CONSOLE, STARTS, *ONLY_BY_NAME}:
        measure_sizes(figures, options, wanted)
        if len(figures.cases) > 1:
            print(report.growth_table(figures.cases))
    if SWEEP in wanted:
        figures.sweeps = measure_sweeps(options.due, plan_of(options).rounds)
        print(report.sweep_table(figures.sweeps), flush=True)
    if TIMERS in wanted:
        figures.timers = measure_timers()
        print(report.timers_table(figures.timers), flush=True)
    if ROUTING in wanted:
        figures.routing = measure_routing()
        print(report.routing_table(figures.routing), flush=True)
    if POST_ROUTED in wanted:
        figures.routed_posts = measure_routed_posts()
        print(report.routed_posts_table(figures.routed_posts), flush=True)
    if REPORTS in wanted:
        figures.reports = measure_reports()
        print(report.reports_table(figures.reports), flush=True)
    if ARTICLES in wanted:
        figures.articles = measure_articles()
        print(report.articles_table(figures.articles), flush=True)
    if DELIVERIES in wanted:
        figures.deliveries = measure_deliveries(options.deliveries, plan_of(options).rounds)
        print(report.delivery_table(figures.deliveries), flush=True)
    if CONSOLE in wanted:
        plan = plan_of(options)
        figures.consoles = measure_consoles(options.inboxes, plan.rounds, max(1.0, plan.rounds * plan.seconds))
        print(report.console_tables(figures.consoles), flush=True)
    if STARTS in wanted:
        with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
            environ = bench_environ(Path(folder), "postgresql:///none", "redis://127.0.0.1:1")
            figures.starts = [measure_import(environ), *measure_starts()]
        print(report.start_table(figures.starts), flush=True)
    if REPLIES in wanted:
        figures.replies = measure_replies()
        print(report.replies_table(figures.replies), flush=True)
    if MESSENGERS in wanted:
        figures.messengers = measure_messengers()
        print(report.messengers_table(figures.messengers), flush=True)
    if KNOWLEDGE in wanted:
        figures.knowledge = measure_knowledge()
        print(report.knowledge_tables(figures.knowledge), flush=True)
    if TOGETHER in wanted:
        figures.together = measure_together(options.together, options.sizes[0])
        print(report.together_tables(figures.together), flush=True)
        if options.rival and (reason := why_not()):
            print(f"the rival was not measured: {reason}\n")
        elif options.rival:
            figures.rival = measure_rival(options.together)
            print(report.rival_table(figures.rival, figures.together), flush=True)


def read_options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = [*NAMES, *ONLY_BY_NAME]
    by_name = f"one of {', '.join(names)} (without it all but {', '.join(ONLY_BY_NAME)})"
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help=by_name)
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
    parser.add_argument("--due", type=int, default=DUE, help=f"how many chats a sweep finds due (default {DUE})")
    parser.add_argument(
        "--deliveries", type=int, default=DELIVERED, help=f"how many webhooks are delivered (default {DELIVERED})"
    )
    parser.add_argument(
        "--inboxes",
        type=inboxes,
        default=INBOXES,
        metavar="CHATS:OPEN,…",
        help="inboxes of the console, growing (default 1000:1000,100000:1000,100000:10000)",
    )
    parser.add_argument(
        "--together",
        type=much,
        default=MUCH,
        metavar="POSTS:READS:SOCKETS:SECONDS",
        help=f"how much comes together (default {MUCH.posts:g}:{MUCH.reads:g}:{MUCH.sockets}:{MUCH.seconds:g})",
    )
    parser.add_argument("--rival", action="store_true", help="beside `together`, ejabberd at the same rate")
    parser.add_argument("--neighbours", action="store_true", help="let other tenants hold as much again")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there as well")
    options = parser.parse_args(arguments)
    if options.rival and TOGETHER not in (options.only or ()):
        parser.error(f"--rival goes with --only {TOGETHER}")
    return options


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


def inboxes(text: str) -> list[Inbox]:
    """`1000:1000,100000:10000` as inboxes. Raises ArgumentTypeError unless they grow and have enough open chats."""
    try:
        found = [Inbox(*(int(number) for number in part.split(":"))) for part in text.split(",")]
    except (ValueError, TypeError):
        raise argparse.ArgumentTypeError("inboxes look like 1000:1000,100000:10000") from None
    if any(not FEWEST_OPEN <= inbox.open <= inbox.chats for inbox in found):
        raise argparse.ArgumentTypeError(f"an inbox has at least {FEWEST_OPEN} open chats, for its operators")
    if any(later.chats < earlier.chats or later.open < earlier.open for earlier, later in pairwise(found)):
        raise argparse.ArgumentTypeError("no inbox may be smaller than the one before")
    return found


def much(text: str) -> Much:
    """`150:50:2000:600` as how much comes together. Raises ArgumentTypeError for what can't be measured."""
    try:
        posts, reads, sockets, seconds = text.split(":")
        found = Much(float(posts), float(reads), int(sockets), float(seconds))
    except ValueError:
        raise argparse.ArgumentTypeError("how much comes together looks like 150:50:2000:600") from None
    if min(found.posts, found.reads) * found.seconds < 2 or found.sockets < 1:
        raise argparse.ArgumentTypeError("at least two posts, two reads and a socket are measured")
    return found


def plan_of(options: argparse.Namespace) -> Plan:
    rounds, seconds = (3, 1.0) if options.quick else (7, 3.0)
    seconds = options.seconds or seconds
    return Plan(options.rounds or rounds, seconds, warmup_seconds=min(2.0, seconds))


def measure_sizes(figures: Figures, options: argparse.Namespace, wanted: set[str]) -> None:
    """At every size: how long single answers take, and the cases; transcripts at the largest."""
    cases, plan = [case for case in CASES if case.name in wanted], plan_of(options)
    with own_servers() as (servers, environ):
        log = servers.home / "log" / "web.log"
        with WebServer(PRODUCT, environ, log) as product, WebServer(REFERENCE, environ, log) as reference:
            for size in options.sizes:
                facts = fill(size, environ, neighbours=options.neighbours)
                introduce(facts, servers.redis_url)
                if LATENCIES in wanted:
                    latencies = measure_latencies(facts, product, servers.database_url, plan.rounds)
                    figures.latencies.append((size, latencies))
                    print(report.latency_table(latencies, size), flush=True)
                if TRANSCRIPT in wanted and size == options.sizes[-1]:
                    figures.transcripts.append((size, measure_transcripts(facts, environ, log, plan.rounds)))
                    print(report.transcript_table(figures.transcripts[-1][1], size), flush=True)
                if cases:
                    bench = Bench(product, reference, servers, facts)
                    figures.cases.append((size, [bench.measure(case, plan) for case in cases]))
                    print(report.ratio_table(figures.cases[-1][1], size), flush=True)


def introduce(facts: Facts, redis_url: str) -> None:
    """Tells the reference of the token."""
    with redis.Redis.from_url(redis_url) as client:
        client.set(TOKEN_KEY + digest(facts.token).hex(), facts.widget_id)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
