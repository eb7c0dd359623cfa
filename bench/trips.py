"""How far a reader goes who follows one request through the product: the functions and files that it runs through.

`python -m bench.trips` prints the table for the trips of `TRIPS`, on servers of its own. Each trip is made warm, under
`sys.setprofile`. A move is a call in another file than the call before it; a return is a move to a file that was left
before. Only files below `apps/` and `config/` count; "above core" leaves out `apps/core` and `config/`, where a reader
of the product seldom goes. The figures tell nothing of time, so other work does not disturb them.

The table of docs/guides/benchmarks.md holds the bounds: a test makes the trips, and no figure may be above them. They
may only shrink: `PARLEY_WRITE_DOCS=1 make test ARGS="tests/bench/test_trips.py -m ''"` writes lower figures alone.

`python -m bench.trips walk VENDOR_URL` makes the trips on the DATABASE_URL, and prints them as JSON.
"""

import io
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from types import CodeType, FrameType
from typing import Any
from wsgiref.util import setup_testing_defaults

from bench.databases import own_servers
from bench.replies import vendor
from bench.visitors import QUESTION, set_up
from config.environment import PROJECT_ROOT
from launcher.servers import free_port

OWN = tuple(f"{PROJECT_ROOT}/{folder}/" for folder in ("apps", "config"))
# So often a trip is made before the one that counts: imports, caches and connections are there by then.
WARM_UPS = 3
# So many files are named that a trip enters most often.
MOST = 12
HEADS = ("trip", "own functions", "own files", "moves", "returns", "files above core", "returns above core")


@dataclass(frozen=True, slots=True)
class Trip:
    """The path of one trip. `entered`: how often each file is. above_core: files and returns."""

    name: str
    functions: int
    files: int
    moves: int
    returns: int
    entered: Mapping[str, int]
    above_core: tuple[int, int]

    @property
    def figures(self) -> tuple[int, ...]:
        """In the order of HEADS."""
        return (self.functions, self.files, self.moves, self.returns, *self.above_core)


@dataclass(frozen=True, slots=True)
class Shop:
    """A widget whose AI is on, a person who answers there, and a token with every scope."""

    widget_id: int
    agent_id: int
    token: str


@dataclass(slots=True)
class Trace:
    """Follows the calls of one thread; entered again, it goes on."""

    functions: set[CodeType] = field(default_factory=set)
    files: list[str] = field(default_factory=list)

    def __enter__(self) -> None:
        sys.setprofile(self._note)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        # Comprehensions and lambdas are no functions that a reader goes to.
        if event == "call" and code.co_filename.startswith(OWN) and not code.co_name.startswith("<"):
            self.functions.add(code)
            self.files.append(code.co_filename.removeprefix(f"{PROJECT_ROOT}/"))

    def trip(self, name: str) -> Trip:
        files, returns, entered = _counted(self.files)
        above_core = _counted(
            [path for path in self.files if path.startswith("apps/") and path.split("/")[1] != "core"]
        )
        moves = returns + files - 1
        return Trip(name, len(self.functions), files, moves, returns, entered, above_core[:2])


def _counted(path: Sequence[str]) -> tuple[int, int, dict[str, int]]:
    """How many files a path goes through, how often it returns to one, and how often each is entered."""
    entered = Counter(file for file, _ in groupby(path))
    return len(entered), sum(entered.values()) - len(entered), dict(entered)


def measure_trips() -> list[Trip]:
    """Raises RuntimeError when a trip does not end as it should."""
    with own_servers() as (_, environ):
        port = free_port()
        environ |= {"EGRESS_ALLOW": f"127.0.0.1:{port}"}
        with vendor(port, environ):
            command = [sys.executable, "-m", "bench.trips", "walk", f"http://127.0.0.1:{port}"]
            done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the trips failed: {done.stderr[-2000:]}")
    return [Trip(**trip) for trip in json.loads(done.stdout.strip().splitlines()[-1])]


def walk(vendor_url: str) -> list[Trip]:
    """Every trip, in this process."""
    from apps.accounts.actions import issue_token
    from apps.accounts.models import Widget
    from apps.agents.models import Agent
    from apps.core import plugins

    (widget_id,) = set_up(vendor_url, 1)
    Widget.objects.filter(pk=widget_id).update(api_enabled=True)
    agent = Agent.objects.create(widget_id=widget_id, name="Alice", surname="Bench")
    scopes = [scope.name for scope in plugins.scopes().values() if not scope.reserved]
    issued = issue_token(widget=Widget.objects.get(pk=widget_id), scopes=scopes)
    shop = Shop(widget_id, agent.pk, issued.plain_text)
    return [_warm(name, trip, shop) for name, trip in TRIPS.items()]


def _warm(name: str, trip: Callable[[Trace, Shop], None], shop: Shop) -> Trip:
    for _ in range(WARM_UPS):
        trip(Trace(), shop)
    trace = Trace()
    trip(trace, shop)
    return trace.trip(name)


def create_department(trace: Trace, shop: Shop) -> None:
    _call(trace, "/api/v1/departments", shop.token, {"name": os.urandom(8).hex()})


def write_as_operator(trace: Trace, shop: Shop) -> None:
    from apps.chats.actions import create_contact, post_client_message

    content = {"type": "text", "body": QUESTION}
    contact = create_contact(widget_id=shop.widget_id, about={})
    chat_id = post_client_message(contact=contact, content=content).message["chat_id"]
    _call(trace, f"/api/v1/chats/{chat_id}/messages", shop.token, {**content, "agent_id": shop.agent_id})


def be_answered(trace: Trace, shop: Shop) -> None:
    """From the action that stores the visitor's message to the answer of an AI operator, worker included."""
    from django.utils import timezone

    from apps.ai.models import ReplyJob
    from apps.ai.tasks import QUEUE
    from apps.chats.actions import create_contact, post_client_message
    from apps.chats.models import Message
    from apps.leases import claims

    contact = create_contact(widget_id=shop.widget_id, about={})
    ReplyJob.objects.update(due_at=None)
    with trace:
        chat_id = post_client_message(contact=contact, content={"type": "text", "body": QUESTION}).message["chat_id"]
    ReplyJob.objects.filter(chat_id=chat_id).update(due_at=timezone.now())
    with trace:
        (lease,) = claims.claim(QUEUE, wanted=1)
        lease.run()
    if not Message.objects.filter(chat_id=chat_id, sender_kind="ai").exists():
        raise RuntimeError("the visitor was not answered")


def _call(trace: Trace, path: str, token: str, document: Mapping[str, Any]) -> None:
    """One POST, answered as the web process answers it."""
    from config.wsgi import application

    body = json.dumps(document).encode()
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_AUTHORIZATION": f"Bearer {token}",
        "HTTP_X_SERVICE_IDEMPOTENCY_KEY": os.urandom(16).hex(),
        "wsgi.input": io.BytesIO(body),
    }
    setup_testing_defaults(environ)
    statuses: list[str] = []
    with trace:
        answer = b"".join(application(environ, lambda status, headers: statuses.append(status)))
    if not statuses or not statuses[0].startswith("2"):
        raise RuntimeError(f"POST {path}: {statuses} {answer[:500]!r}")


TRIPS: Mapping[str, Callable[[Trace, Shop], None]] = {
    "`POST /departments`": create_department,
    "`POST /chats/{id}/messages`": write_as_operator,
    "a visitor's message, answered by AI": be_answered,
}


def bounds_of(guide: str) -> dict[str, tuple[int, ...]]:
    """The figures of each trip that the table of a guide holds, in the order of HEADS."""
    _, rows, _ = _around_table(guide)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()[2:]]
    return {name: tuple(map(int, figures)) for name, *figures in cells}


def lowered(guide: str, trips: Sequence[Trip]) -> str:
    """The guide with the lower one of each figure: that of its table, and that of the trips."""
    bounds = bounds_of(guide)
    lowest = {one.name: tuple(map(min, bounds[one.name], one.figures)) for one in trips}
    before, _, after = _around_table(guide)
    return f"{before}{_rows(lowest)}{after}"


def _around_table(guide: str) -> tuple[str, str, str]:
    start = guide.index(f"| {HEADS[0]} | {HEADS[1]} |")
    end = guide.index("\n\n", start)
    return guide[:start], guide[start:end], guide[end:]


def _rows(figures: Mapping[str, tuple[int, ...]]) -> str:
    rows: list[Sequence[Any]] = [HEADS, ["---"] * len(HEADS), *((name, *each) for name, each in figures.items())]
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


def table(trips: Sequence[Trip]) -> str:
    lines = [_rows({one.name: one.figures for one in trips})]
    for one in trips:
        most = sorted(one.entered.items(), key=lambda file: -file[1])[:MOST]
        lines += ["", f"{one.name}, entered most: {', '.join(f'{path} {times}' for path, times in most)}"]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["walk"]:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        print(json.dumps([asdict(trip) for trip in walk(sys.argv[2])]))
    else:
        print(table(measure_trips()))
