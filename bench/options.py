"""The options of `python -m bench`, and the names of what it measures."""

import argparse
from itertools import pairwise
from pathlib import Path

from bench.articles import ARTICLES as ALL_ARTICLES
from bench.cases import CASES
from bench.console import FEWEST_OPEN, INBOXES, Inbox
from bench.data import Size
from bench.deliveries import DELIVERIES as DELIVERED
from bench.knowledge_speed import SIZES as TEXTS
from bench.reports import EPISODES
from bench.rounds import Plan
from bench.router import WAITING
from bench.sweeps import DUE
from bench.together import MUCH, Much

LATENCIES, TRANSCRIPT, SWEEP, DELIVERIES = "latencies", "transcript", "sweep", "deliveries"
CONSOLE, STARTS, TOGETHER, REPLIES, KNOWLEDGE = "console", "starts", "together", "replies", "knowledge"
MESSENGERS, TIMERS, ROUTING, POST_ROUTED, REPORTS = "messengers", "timers", "routing", "post-routed", "reports"
ARTICLES, AUTOMATIONS, KNOWLEDGE_SPEED = "articles", "automations", "knowledge-speed"
OF_A_TENANT = [*(case.name for case in CASES), LATENCIES, TRANSCRIPT]
NAMES = [*OF_A_TENANT, SWEEP, ROUTING, POST_ROUTED, AUTOMATIONS, REPORTS, ARTICLES, DELIVERIES, CONSOLE, STARTS]
NAMES += [KNOWLEDGE_SPEED]
# Take as long as all others, have a worker's whole process, or need what is not installed (an embedder, packages of
# Debian that are downloaded): measured when they are asked for by name.
ONLY_BY_NAME = [TIMERS, TOGETHER, REPLIES, MESSENGERS, KNOWLEDGE]
DEFAULT_SIZE = Size(10_000, 100_000)
# What is measured beside another checkout unless it is said: posting, a messenger's updates and sends, AI's replies.
AS_A_RULE = ["post", "post-messenger", "post-visitor", "post-visitor-ai", MESSENGERS, REPLIES]
ROUNDS = 5  # of two checkouts in turns


def read_options(arguments: list[str]) -> argparse.Namespace:
    about = "Every benchmark, on servers and data of its own."
    parser = argparse.ArgumentParser(prog="python -m bench", description=about)
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
    parser.add_argument(
        "--articles",
        type=int,
        default=ALL_ARTICLES,
        help=f"how many articles are searched (default {ALL_ARTICLES})",
    )
    parser.add_argument(
        "--episodes", type=int, default=EPISODES, help=f"how many episodes reports are of (default {EPISODES})"
    )
    parser.add_argument(
        "--waiting", type=int, default=WAITING, help=f"how many chats wait for the router (default {WAITING})"
    )
    parser.add_argument(
        "--texts",
        type=texts,
        default=TEXTS,
        metavar="NUMBER,…",
        help=f"how many texts the knowledge base has (default {','.join(map(str, TEXTS))})",
    )
    parser.add_argument(
        "--beside",
        type=checkout,
        metavar="FOLDER",
        help=f"measure this checkout and another one in turns ({', '.join(AS_A_RULE)}, or what --only names), "
        f"{ROUNDS} rounds unless --rounds says otherwise",
    )
    parser.add_argument("--rival", action="store_true", help="beside `together`, ejabberd at the same rate")
    parser.add_argument("--neighbours", action="store_true", help="let other tenants hold as much again")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there as well")
    options = parser.parse_args(arguments)
    if options.rival and TOGETHER not in (options.only or ()):
        parser.error(f"--rival goes with --only {TOGETHER}")
    if options.beside and options.rival:
        parser.error("--rival stands beside one product, not beside two")
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


def texts(text: str) -> list[int]:
    """`1000,50000` as numbers. Raises ArgumentTypeError for what is none."""
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError("numbers of texts look like 1000,50000") from None
    if min(found) < 100:
        raise argparse.ArgumentTypeError("a hundred texts at least are searched")
    return found


def checkout(text: str) -> Path:
    """The folder of another checkout. Raises ArgumentTypeError for one of something else."""
    folder = Path(text).resolve()
    if not (folder / "manage.py").is_file() or not (folder / "Procfile").is_file():
        raise argparse.ArgumentTypeError(f"{folder} is no checkout of this project")
    return folder


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
