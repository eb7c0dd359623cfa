"""`python -m bench`: every benchmark, on servers and data of its own, in a folder that is removed at the end.

Exit status 0 when everything was measured, whether or not goals were met and the machine was quiet (the tables say
so); 1 when a server failed, product and reference answered differently, or `together` lost or doubled something.
"""

import argparse
import json
import sys

import redis

from apps.accounts.rules import digest
from bench import report
from bench.beside import measure_beside
from bench.cases import CASES, DifferentAnswers
from bench.coming import with_visitors
from bench.data import Facts, fill
from bench.databases import own_servers
from bench.figures import Figures
from bench.latencies import measure_latencies
from bench.load import UnexpectedAnswer
from bench.measures import MEASURES
from bench.options import LATENCIES, NAMES, OF_A_TENANT, TRANSCRIPT, plan_of, read_options
from bench.reference import TOKEN_KEY
from bench.rival import measure_rival, why_not
from bench.rounds import Bench
from bench.transcripts import measure_transcripts
from bench.web import PRODUCT, REFERENCE, WebServer
from launcher.interpreter import build, told
from launcher.servers import ServerFailed


def main(arguments: list[str]) -> int:
    options = read_options(arguments)
    if sys.platform != "linux":
        sys.exit("bench: CPU and memory are measured through /proc, which only Linux has")
    figures = Figures()
    try:
        if options.beside:
            figures.beside = measure_beside(options, arguments)
            print(report.beside_table(figures.beside))
        else:
            measure(figures, options)
    except (DifferentAnswers, UnexpectedAnswer, ServerFailed, RuntimeError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    if not options.beside:
        print(report.summary(figures.outcomes()))
    if options.json:
        options.json.write_text(json.dumps(figures.document(), indent=1) + "\n")
    return 1 if figures.together and figures.together.wrong else 0


def measure(figures: Figures, options: argparse.Namespace) -> None:
    """Measures what was asked for; each table is printed as soon as it is known."""
    wanted = set(options.only or NAMES)
    if wanted & set(OF_A_TENANT):
        measure_sizes(figures, options, wanted)
        if len(figures.cases) > 1:
            show(report.growth_table(figures.cases))
    for one in MEASURES:
        if one.name in wanted:
            setattr(figures, one.figure, found := one.measure(options))
            show(one.table(found))
    if options.rival and (reason := why_not()):
        print(f"the rival was not measured: {reason}\n")
    elif options.rival and figures.together:
        figures.rival = measure_rival(options.together)
        show(report.rival_table(figures.rival, figures.together))


def show(tables: str) -> None:
    """Prints what was measured, with how the Python was built that ran it."""
    print(f"{tables}\n{told(build())}\n", flush=True)


def measure_sizes(figures: Figures, options: argparse.Namespace, wanted: set[str]) -> None:
    """At every size: how long single answers take, and the cases; transcripts at the largest."""
    cases, plan = [case for case in CASES if case.name in wanted], plan_of(options)
    with own_servers() as (servers, environ):
        log = servers.home / "log" / "web.log"
        with WebServer(PRODUCT, environ, log) as product, WebServer(REFERENCE, environ, log) as reference:
            for size in options.sizes:
                facts = fill(size, environ, neighbours=options.neighbours)
                if any(case.visits for case in cases):
                    facts = with_visitors(facts, product, environ)
                introduce(facts, servers.redis_url)
                if LATENCIES in wanted:
                    latencies = measure_latencies(facts, product, servers.database_url, plan.rounds)
                    figures.latencies.append((size, latencies))
                    show(report.latency_table(latencies, size))
                if TRANSCRIPT in wanted and size == options.sizes[-1]:
                    figures.transcripts.append((size, measure_transcripts(facts, environ, log, plan.rounds)))
                    show(report.transcript_table(figures.transcripts[-1][1], size))
                if cases:
                    bench = Bench(product, reference, servers, facts)
                    figures.cases.append((size, [bench.measure(case, plan) for case in cases]))
                    show(report.ratio_table(figures.cases[-1][1], size))


def introduce(facts: Facts, redis_url: str) -> None:
    """Tells the reference of the token, and of the visitors'."""
    with redis.Redis.from_url(redis_url) as client:
        client.set(TOKEN_KEY + digest(facts.token).hex(), facts.widget_id)
        for visitor in (*facts.visitors, *facts.ai_visitors):
            client.set(TOKEN_KEY + digest(visitor.token).hex(), visitor.chat_id)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
