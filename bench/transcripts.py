"""A transcript over HTTP: its first byte, its last one, and the memory that streaming it takes (goal P7).

For memory, the reader takes the first byte and stops until the server has nothing left that it can do; a server that
writes ahead of its reader would then hold the whole transcript.
"""

import http.client
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.cpu import FOREIGN_LIMIT, Foreign, memory
from bench.data import SHORT_TRANSCRIPT_MESSAGES, TRANSCRIPT_MESSAGES, Facts
from bench.web import PRODUCT, WebServer

# So many short ones first, so many at once: each connection goes to any worker and thread, and the first answer of one
# loads what it will need for all others.
WARM_UPS, AT_ONCE = 32, 4
FIRST_BYTE_GOAL_MS = 100.0
# Constant memory: so much more may ten times the messages take. Their text is 5 MB.
GROWTH_GOAL_MIB = 2.0
STANDSTILL_SECONDS = 0.3
BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Transcript:
    """One length of transcript. `growth_mib` is how far the web processes' memory rose while it was streamed."""

    messages: int
    size: int
    first_ms: float
    total_ms: float
    growth_mib: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough for the times; memory counts in any case."""
        return self.foreign_cores <= FOREIGN_LIMIT


@dataclass(frozen=True, slots=True)
class Transcripts:
    """A short transcript, and the longest that there is."""

    short: Transcript
    long: Transcript

    @property
    def growth_mib(self) -> float:
        """How much more memory the longest one took."""
        return self.long.growth_mib - self.short.growth_mib

    def document(self) -> dict[str, Any]:
        return {"transcripts": [{**asdict(one), "counts": one.counts} for one in (self.short, self.long)]}


def measure_transcripts(facts: Facts, environ: Mapping[str, str], log: Path, rounds: int) -> Transcripts:
    """Each from a web server of its own, which no other answer has made larger; medians of so many answers."""
    return Transcripts(
        _measure(facts, environ, log, rounds, SHORT_TRANSCRIPT_MESSAGES, facts.short_transcript_chat_id),
        _measure(facts, environ, log, rounds, TRANSCRIPT_MESSAGES, facts.transcript_chat_id),
    )


def _measure(
    facts: Facts, environ: Mapping[str, str], log: Path, rounds: int, messages: int, chat_id: int
) -> Transcript:
    with WebServer(PRODUCT, environ, log) as server:
        with ThreadPoolExecutor(AT_ONCE) as readers:
            list(readers.map(lambda _: _times(server, facts, facts.short_transcript_chat_id), range(WARM_UPS)))
        growth = _growth_mib(server, facts, chat_id)
        with Foreign() as foreign:
            times = [_times(server, facts, chat_id) for _ in range(rounds)]
    first_ms, total_ms = (median(each) for each in zip(*((first, last) for first, last, _ in times), strict=True))
    return Transcript(messages, times[0][2], first_ms, total_ms, growth, foreign.cores)


def _times(server: WebServer, facts: Facts, chat_id: int) -> tuple[float, float, int]:
    """Milliseconds to the first byte of the text and to the last, and how many there were."""
    began = time.perf_counter()
    with _asked(server, facts, chat_id) as response:
        size = len(response.read(1))
        first = time.perf_counter()
        while block := response.read(BLOCK):
            size += len(block)
        last = time.perf_counter()
    return (first - began) * 1000, (last - began) * 1000, size


def _growth_mib(server: WebServer, facts: Facts, chat_id: int) -> float:
    """How far the peak of the server's processes rises above what they held before."""
    before = {pid: memory(pid, "VmRSS") for pid in server.pids}
    for pid in before:
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak is from now on
    with _asked(server, facts, chat_id) as response:
        response.read(1)
        _wait_for_a_standstill(server)
        while response.read(BLOCK):
            pass
    return sum(memory(pid, "VmHWM") - held for pid, held in before.items()) / 1024


def _wait_for_a_standstill(server: WebServer) -> None:
    used = -1.0
    while used != (used := server.cpu_seconds):
        time.sleep(STANDSTILL_SECONDS)


@contextmanager
def _asked(server: WebServer, facts: Facts, chat_id: int) -> Iterator[http.client.HTTPResponse]:
    """The answer to a request for a transcript, before any of it is read. Raises RuntimeError unless it is 200."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
        path = f"/api/v1/chats/{chat_id}/transcript"
        connection.request("GET", path, headers={"Authorization": f"Bearer {facts.token}"})
        response = connection.getresponse()
        if response.status != 200:
            raise RuntimeError(f"{path} was answered {response.status}")
        yield response
