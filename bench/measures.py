"""The benchmarks that have servers of their own, each with its table."""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bench import options as names
from bench import report
from bench.articles import measure_articles
from bench.automations import measure_automations
from bench.console import Consoles, measure_consoles
from bench.deliveries import measure_deliveries
from bench.knowledge import measure_knowledge
from bench.knowledge_speed import measure_knowledge_speed
from bench.messengers import measure_messengers
from bench.options import plan_of
from bench.replies import measure_replies
from bench.reports import measure_reports
from bench.routing import measure_routed_posts, measure_routing
from bench.starts import Start, measure_import, measure_starts
from bench.sweeps import measure_sweeps
from bench.timers import measure_timers
from bench.together import measure_together
from bench.web import bench_environ


class Measure(NamedTuple):
    """A name of `--only`, the member of `Figures` that is measured for it, and its table."""

    name: str
    figure: str
    measure: Callable[[argparse.Namespace], Any]
    table: Callable[[Any], str]


def _consoles(options: argparse.Namespace) -> Consoles:
    plan = plan_of(options)
    return measure_consoles(options.inboxes, plan.rounds, max(1.0, plan.rounds * plan.seconds))


def _starts(_: argparse.Namespace) -> list[Start]:
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        environ = bench_environ(Path(folder), "postgresql:///none", "redis://127.0.0.1:1")
        return [measure_import(environ), *measure_starts()]


# In the order of measuring.
MEASURES = (
    Measure(names.SWEEP, "sweeps", lambda o: measure_sweeps(o.due, plan_of(o).rounds), report.sweep_table),
    Measure(names.TIMERS, "timers", lambda _: measure_timers(), report.timers_table),
    Measure(names.ROUTING, "routing", lambda o: measure_routing(o.waiting), report.routing_table),
    Measure(
        names.POST_ROUTED,
        "routed_posts",
        lambda o: measure_routed_posts(plan_of(o).rounds),
        report.routed_posts_table,
    ),
    Measure(names.AUTOMATIONS, "automations", lambda _: measure_automations(), report.automations_table),
    Measure(names.REPORTS, "reports", lambda o: measure_reports(o.episodes), report.reports_table),
    Measure(names.ARTICLES, "articles", lambda o: measure_articles(o.articles), report.articles_table),
    Measure(
        names.DELIVERIES,
        "deliveries",
        lambda o: measure_deliveries(o.deliveries, plan_of(o).rounds),
        report.delivery_table,
    ),
    Measure(names.CONSOLE, "consoles", _consoles, report.console_tables),
    Measure(names.STARTS, "starts", _starts, report.start_table),
    Measure(names.REPLIES, "replies", lambda _: measure_replies(), report.replies_table),
    Measure(names.MESSENGERS, "messengers", lambda _: measure_messengers(), report.messengers_table),
    Measure(
        names.KNOWLEDGE_SPEED,
        "knowledge_speed",
        lambda o: measure_knowledge_speed(o.texts),
        report.knowledge_speed_table,
    ),
    Measure(names.KNOWLEDGE, "knowledge", lambda _: measure_knowledge(), report.knowledge_tables),
    Measure(names.TOGETHER, "together", lambda o: measure_together(o.together, o.sizes[0]), report.together_tables),
)
