"""Machines on one network: each is a network namespace of Linux with an address of its own, and may be lost at once.

PostgreSQL, Valkey and what stands for the customers' world are on the first machine, which is the test's own.
"""

import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import psutil
from honcho.environ import parse_procfile

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, wait_until, with_virtualenv
from tests.faults.processes import written

NETWORK = "10.203.0"
FIRST = f"{NETWORK}.1"
PROCESSES = ("web", "realtime", "worker", "beat")
PORTS = {"web": 8000, "realtime": 8001}


def can_make_hosts() -> bool:
    """Whether this machine has network namespaces, and lets us make some."""
    return os.geteuid() == 0 and shutil.which("ip") is not None and Path("/proc/self/ns/net").exists()


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@contextmanager
def network() -> Iterator[None]:
    """The wire that hosts are on."""
    ip("link", "add", "parley-wire", "type", "bridge")
    try:
        ip("address", "add", f"{FIRST}/24", "dev", "parley-wire")
        ip("link", "set", "parley-wire", "up")
        yield
    finally:
        ip("link", "delete", "parley-wire")


class Forwarder:
    """Lets hosts reach a server of this machine: a port at FIRST that leads to an address or to a socket's path."""

    def __init__(self, target: tuple[str, int] | str) -> None:
        self._target = target
        self._open: list[socket.socket] = []
        self._listener = socket.create_server((FIRST, 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listener.accept()
                threading.Thread(target=self._lead, args=(here,), daemon=True).start()

    def _lead(self, here: socket.socket) -> None:
        with here, suppress(OSError):
            family = socket.AF_UNIX if isinstance(self._target, str) else socket.AF_INET
            with socket.socket(family) as there:
                self._open += [here, there]
                there.connect(self._target)
                back = threading.Thread(target=_pump, args=(there, here), daemon=True)
                back.start()
                _pump(here, there)
                back.join()

    def end(self) -> None:
        self._listener.close()
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def _pump(source: socket.socket, to: socket.socket) -> None:
    with suppress(OSError):
        while part := source.recv(65_536):
            to.sendall(part)
    for each in (source, to):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


class Host:
    """A machine with every process of the Procfile. Its clients reach it at `url`."""

    def __init__(self, number: int, environ: Mapping[str, str]) -> None:
        self.address = f"{NETWORK}.{number}"
        self.url = f"http://{self.address}:{PORTS['web']}"
        self.name = f"parley-{number}"
        own = {"BIND": self.address, "PORT": str(PORTS["web"]), "REALTIME_PORT": str(PORTS["realtime"])}
        self._environ = with_virtualenv({**os.environ, **environ, **own})
        self._outputs: dict[str, IO[bytes]] = {name: TemporaryFile() for name in PROCESSES}  # noqa: SIM115
        self._processes: list[subprocess.Popen[bytes]] = []

    def plug_in(self) -> None:
        """Puts it on the wire."""
        ip("netns", "add", self.name)
        ip("link", "add", self.name, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("link", "set", self.name, "master", "parley-wire", "up")
        for arguments in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{self.address}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
        ):
            ip("-n", self.name, *arguments)

    def start(self) -> None:
        """Starts its processes; returns when its `web` is ready."""
        lines = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes
        self._processes = [
            subprocess.Popen(
                ["ip", "netns", "exec", self.name, "sh", "-c", lines[name]],
                cwd=PROJECT_ROOT,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=self._outputs[name],
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_me(signal.SIGTERM),
            )
            for name in PROCESSES
        ]
        assert wait_until(self._answers, seconds=60), self.output

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection((self.address, PORTS["web"]), timeout=1):
            return True
        return False

    def lose(self) -> None:
        """Its wire is cut and its power is gone: nobody is told, and nothing is ended in order."""
        ip("link", "set", self.name, "down")
        for process in self._processes:
            with suppress(psutil.NoSuchProcess):
                for each in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
                    with suppress(psutil.NoSuchProcess):
                        each.kill()
            process.wait()
        self._processes = []

    def come_back(self) -> None:
        ip("link", "set", self.name, "up")
        self.start()

    def end(self) -> None:
        if self._processes:
            self.lose()
        ip("link", "delete", self.name)
        ip("netns", "delete", self.name)

    @property
    def output(self) -> str:
        return "\n".join(written(output).decode(errors="replace") for output in self._outputs.values())


@contextmanager
def hosts(count: int, environ: Mapping[str, str]) -> Iterator[list[Host]]:
    """So many, which all run."""
    with ExitStack() as stack:
        made = [Host(2 + number, environ) for number in range(count)]
        for host in made:
            host.plug_in()
            stack.callback(host.end)
            host.start()
        yield made
