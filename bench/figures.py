"""All figures of a run: what they say about the goals, and the document of `--json`."""

import os
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.articles import Articles
from bench.automations import Automations
from bench.beside import Beside
from bench.console import GOAL_MS, Consoles
from bench.data import Size
from bench.deliveries import CPU_GOAL, RATE_GOAL, Deliveries
from bench.knowledge import Knowledge
from bench.knowledge_speed import KnowledgeSpeed
from bench.latencies import Latency
from bench.messengers import Messengers
from bench.replies import Replies
from bench.report import Outcome
from bench.reports import Reports
from bench.rival import Rival
from bench.rounds import Result
from bench.routing import RoutedPosts, Routing
from bench.starts import Start
from bench.sweeps import LOCK_GOAL_MS, RATIO_GOAL, Sweep
from bench.timers import LATE_GOAL_MS, Timers
from bench.together import GOALS_MS, GROWTH_GOAL, JUDGED, Together
from bench.transcripts import FIRST_BYTE_GOAL_MS, GROWTH_GOAL_MIB, Transcripts
from launcher.interpreter import build


@dataclass(slots=True)
class Figures:
    """The figures, in the order of measuring; by the size of the data if that matters."""

    cases: list[tuple[Size, list[Result]]] = field(default_factory=list)
    latencies: list[tuple[Size, list[Latency]]] = field(default_factory=list)
    transcripts: list[tuple[Size, Transcripts]] = field(default_factory=list)
    sweeps: list[Sweep] = field(default_factory=list)
    timers: Timers | None = None
    routing: Routing | None = None
    routed_posts: RoutedPosts | None = None
    reports: Reports | None = None
    automations: Automations | None = None
    articles: Articles | None = None
    deliveries: list[Deliveries] = field(default_factory=list)
    consoles: Consoles | None = None
    together: Together | None = None
    rival: Rival | None = None
    starts: list[Start] = field(default_factory=list)
    replies: Replies | None = None
    messengers: Messengers | None = None
    knowledge: Knowledge | None = None
    knowledge_speed: KnowledgeSpeed | None = None
    beside: Beside | None = None

    def outcomes(self) -> list[Outcome]:
        """Every figure that has a goal."""
        found = [Outcome(r.ratio, r.case.goal, r.foreign_cores) for _, results in self.cases for r in results]
        found += [Outcome(one.ms, one.goal, one.foreign_cores) for _, some in self.latencies for one in some]
        for _, transcripts in self.transcripts:
            found.append(Outcome(transcripts.long.first_ms, FIRST_BYTE_GOAL_MS, transcripts.long.foreign_cores))
            found.append(Outcome(transcripts.growth_mib, GROWTH_GOAL_MIB))
        for sweep in self.sweeps:
            found.append(Outcome(sweep.ratio, RATIO_GOAL, sweep.foreign_cores))
            found.append(Outcome(sweep.longest_ms, LOCK_GOAL_MS, sweep.foreign_cores))
        if self.timers:
            found.append(Outcome(self.timers.p95_ms, LATE_GOAL_MS, self.timers.foreign_cores))
        for some in (self.routing, self.routed_posts, self.automations, self.reports, self.articles):
            found += [Outcome(value, goal, some.foreign_cores) for _, value, goal in some.judged] if some else []
        for one in self.deliveries:
            if one.delay_ms:  # what is asked for is at least so many times, so its inverse is at most
                found.append(Outcome(1 / one.rate_ratio, 1 / RATE_GOAL, one.foreign_cores))
            else:
                found.append(Outcome(one.cpu_ratio, CPU_GOAL, one.foreign_cores))
        for console in self.consoles.inboxes if self.consoles else ():
            crowd = console.crowd
            found += [Outcome(each.p95, GOAL_MS, crowd.foreign_cores) for each in (crowd.rows, crowd.messages) if each]
        if replies := self.replies:
            found += [Outcome(value, goal, replies.foreign_cores) for _, value, goal in replies.judged]
        if messengers := self.messengers:
            found += [Outcome(value, goal, messengers.foreign_cores) for _, value, goal in messengers.judged]
        if self.knowledge:
            found += [Outcome(value, goal) for _, value, goal in self.knowledge.judged]
        if together := self.together:
            for name, (_, goal) in GOALS_MS.items():
                found.append(Outcome(together.spreads[name]["p95"], goal, together.foreign_cores))
            found += [Outcome(together.growth(group), GROWTH_GOAL) for group in JUDGED]
        return found + [Outcome(start.seconds, start.goal, start.foreign_cores) for start in self.starts]

    def document(self) -> dict[str, Any]:
        return {
            "cores": os.cpu_count(),
            "python": build(),
            "sizes": [{**asdict(size), "cases": [result.document() for result in some]} for size, some in self.cases],
            "latencies": [
                {**asdict(size), **asdict(latency), "counts": latency.counts}
                for size, some in self.latencies
                for latency in some
            ],
            "transcripts": [{**asdict(size), **transcripts.document()} for size, transcripts in self.transcripts],
            "sweeps": [sweep.document() for sweep in self.sweeps],
            "timers": self.timers.document() if self.timers else None,
            "routing": self.routing.document() if self.routing else None,
            "routed_posts": self.routed_posts.document() if self.routed_posts else None,
            "automations": self.automations.document() if self.automations else None,
            "reports": self.reports.document() if self.reports else None,
            "articles": self.articles.document() if self.articles else None,
            "deliveries": [one.document() for one in self.deliveries],
            "consoles": self.consoles.document() if self.consoles else None,
            "replies": self.replies.document() if self.replies else None,
            "messengers": self.messengers.document() if self.messengers else None,
            "knowledge": self.knowledge.document() if self.knowledge else None,
            "knowledge_speed": self.knowledge_speed.document() if self.knowledge_speed else None,
            "beside": self.beside.document() if self.beside else None,
            "together": self.together.document() if self.together else None,
            "rival": self.rival.document() if self.rival else None,
            "starts": [{**asdict(start), "counts": start.counts} for start in self.starts],
        }
