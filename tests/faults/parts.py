"""The processes of the Procfile on the test's database, each of which is ended in order and started anew meanwhile."""

import signal
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryFile

import psutil

from launcher.processes import wait_until
from launcher.servers import free_port
from tests.faults.odd_valkey import odd_valkey
from tests.faults.processes import running, written

SECONDS = 60.0


class Part:
    """One process of the Procfile, with what it starts. `environ` is taken at the next start."""

    def __init__(self, name: str, environ: Mapping[str, str], **own: str) -> None:
        self.name, self.port = name, free_port()
        self._environ, self._own = environ, own
        self._output = TemporaryFile()  # noqa: SIM115 - as long as the part
        self._running = ExitStack()

    def launch(self) -> None:
        """Called on a thread that lives as long as the part should (`dying_with_me`)."""
        ports = {"PORT": str(self.port), "REALTIME_PORT": str(self.port)}
        self._seen = self.output.count(self._mark)
        self._process = self._running.enter_context(
            running(self.name, self._output, **{**self._environ, **self._own, **ports})
        )

    def until_ready(self) -> None:
        """Returns when it does its work."""
        assert wait_until(self._is_ready, seconds=SECONDS), f"{self.name} does not come\n{self.output}"

    def _is_ready(self) -> bool:
        assert self._process.poll() is None, self.output
        if self.name in ("web", "realtime"):
            return answers(self.port, "/healthz")  # who asks for more is told beforehand of the end
        return self.output.count(self._mark) > self._seen

    def ask_to_end(self) -> None:
        """As a service manager does, but of the parent alone."""
        self._process.send_signal(signal.SIGTERM)

    def until_ended(self, seconds: float = 30) -> None:
        """It has to end in the time that the guide gives it."""
        self._process.wait(timeout=seconds)
        self.close()

    def stop(self) -> None:
        self.ask_to_end()
        self.until_ended()

    def start(self) -> None:
        self.launch()
        self.until_ready()

    def restart(self) -> None:
        self.stop()
        self.start()

    def close(self) -> None:
        self._running.close()

    @property
    def output(self) -> str:
        return written(self._output).decode(errors="replace")

    @property
    def _mark(self) -> str:
        return {"worker": " ready.", "beat": "beat has its schedule"}.get(self.name, "\0")

    # What `web` starts.

    def reload(self) -> None:
        """What `systemctl reload` does."""
        self._process.send_signal(signal.SIGHUP)

    def workers(self) -> set[int]:
        """The processes that serve, or are about to."""
        children = psutil.Process(self._process.pid).children()
        return {child.pid for child in children if _is_worker(child)}


def _is_worker(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def answers(port: int, path: str) -> bool:
    """Whether it is answered 200."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


class Parts:
    """Two of `web`, and one each of the others, or only some of these; `environ` is what all have."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.faults.settings"}  # without hashed names of static files
        self.webs = [Part("web", environ, WEB_WORKERS=number, **settings) for number in ("2", "1")]
        self.realtime, self.worker, self.beat = (Part(name, environ) for name in ("realtime", "worker", "beat"))

    @property
    def all(self) -> list[Part]:
        return [*self.webs, self.realtime, self.worker, self.beat]


def launch(parts: Sequence[Part]) -> None:
    """Starts them at once; returns when all do their work."""
    for part in parts:
        part.launch()
    for part in parts:
        part.until_ready()


def end(parts: Sequence[Part]) -> None:
    for part in parts:
        part.ask_to_end()
    for part in parts:
        part.until_ended()


@contextmanager
def surroundings(**environ: str) -> Iterator[dict[str, str]]:
    """The environment of processes that have a Valkey of their own."""
    limits = {"VISITOR_RATE_LIMIT": "1000000", "API_RATE_LIMIT": "1000000", "WORKER_CONCURRENCY": "2"}
    with odd_valkey() as valkey:
        yield {"REDIS_URL": valkey.url, **limits, **environ}
