"""Alternating rounds of load on the product and the reference, and what they cost each server."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bench.cases import Case, require_same_answers
from bench.cpu import FOREIGN_LIMIT, Foreign, tree_seconds
from bench.data import Facts
from bench.databases import postgres_seconds
from bench.load import put_load
from bench.web import WebServer
from launcher.servers import EmbeddedServers, Server

CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Plan:
    """How long is measured."""

    rounds: int
    seconds: float
    warmup_seconds: float


@dataclass(frozen=True, slots=True)
class Round:
    """One server under load once. CPU in seconds per 1,000 requests, latencies in milliseconds."""

    requests: int
    rate: float
    p50_ms: float
    p95_ms: float
    web: float
    postgres: float
    valkey: float
    foreign_cores: float

    @property
    def cpu(self) -> float:
        """The CPU of all servers together."""
        return self.web + self.postgres + self.valkey


@dataclass(frozen=True, slots=True)
class Result:
    """A case's rounds: those of the product and the reference took turns, so each pair saw the same machine."""

    case: Case
    compared: int
    product: list[Round]
    reference: list[Round]

    @property
    def ratios(self) -> list[float]:
        """Web server CPU per request, product to reference, round by round."""
        return [ours.web / theirs.web for ours, theirs in zip(self.product, self.reference, strict=True)]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def foreign_cores(self) -> float:
        return median(round_.foreign_cores for round_ in (*self.product, *self.reference))

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {
            "case": self.case.name,
            "goal": self.case.goal,
            "ratio": self.ratio,
            "ratios": self.ratios,
            "foreign_cores": self.foreign_cores,
            "counts": self.counts,
            "same_answers": self.compared,
            "product": [asdict(round_) for round_ in self.product],
            "reference": [asdict(round_) for round_ in self.reference],
        }


def middle(rounds: list[Round], value: Callable[[Round], float]) -> float:
    """The median of one figure over rounds."""
    return median(value(round_) for round_ in rounds)


class Bench:
    """Two web servers before the same PostgreSQL and Valkey, and the data in them."""

    def __init__(self, product: WebServer, reference: WebServer, servers: EmbeddedServers, facts: Facts) -> None:
        self._product, self._reference, self._servers, self._facts = product, reference, servers, facts

    def measure(self, case: Case, plan: Plan) -> Result:
        """Warms both up, then lets them take turns. Raises DifferentAnswers and UnexpectedAnswer."""
        compared = require_same_answers(case, self._facts, self._product, self._reference)
        for server in (self._product, self._reference):
            put_round(server, case, plan.warmup_seconds, self._facts, self._servers)
        product, reference = [], []
        for _ in range(plan.rounds):
            product.append(put_round(self._product, case, plan.seconds, self._facts, self._servers))
            reference.append(put_round(self._reference, case, plan.seconds, self._facts, self._servers))
        return Result(case, compared, product, reference)


def put_round(server: WebServer, case: Case, seconds: float, facts: Facts, servers: EmbeddedServers) -> Round:
    """Puts a case's load on one server for so many seconds."""

    def cpu_seconds() -> tuple[float, float, float]:
        return server.cpu_seconds, postgres_seconds(servers), _used(servers.valkey)

    requests = [request.text(facts.token, server.port) for request in case.requests(facts)]
    before = cpu_seconds()
    with Foreign() as foreign:
        load = put_load(
            port=server.port, requests=requests, status=case.status, seconds=seconds, connections=CONNECTIONS
        )
    web, postgres, valkey = ((b - a) * 1000 / load.requests for a, b in zip(before, cpu_seconds(), strict=True))
    return Round(load.requests, load.rate, load.p50_ms, load.p95_ms, web, postgres, valkey, foreign.cores)


def _used(server: Server) -> float:
    return 0.0 if server.process is None else tree_seconds(server.process.pid)
