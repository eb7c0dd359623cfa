"""`make run`: the whole service from nothing, under one supervisor, until Ctrl-C.

Starts the embedded servers that no URL replaces, makes the secrets that are not set, prepares the database and the
demo data, and keeps the processes of the Procfile running. Exit status 0 after Ctrl-C or SIGTERM; 1, with one line on
standard error, when the service cannot start.
"""

import asyncio
import fcntl
import importlib
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from typing import Any

from cryptography.fernet import Fernet
from honcho.environ import parse_procfile

from config.alive import SILENT_SECONDS, Watch, answers, to_reach, watches
from config.environment import PROJECT_ROOT, STATE_FILE_NAME, Environment, InvalidSetting, parley_home
from launcher.banner import MODEL, RECEIVER, banner
from launcher.played import PLAYED_PORTS, model_command, receiver_command, with_played
from launcher.processes import die_with_parent, with_virtualenv
from launcher.servers import EmbeddedServers, Server, ServerFailed, port_is_free
from launcher.supervisor import JointLog, ProcessFailed, Supervisor, end_leftovers, ending
from launcher.waiting import told

MIN_FREE_BYTES = 200 * 1024 * 1024
SERVER_AGAIN_S = 2.0
ANSWERING = ("web", "realtime")
MEMORY = Path("/dev/shm")  # noqa: S108 - the folder is made there, or is another's and not used
# What a `manage.py` command needs to reach the same servers with the same secrets.
SHARED_NAMES = (
    *("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "FIELD_ENCRYPTION_KEYS"),
    *("PORT", "REALTIME_PORT", "DEMO_RECEIVER_PORT", "DEMO_MODEL_PORT", "PARLEY_WITH_DEMO"),
)
# What is in these folders of PARLEY_HOME is the service's alone.
PRIVATE_FOLDERS = ("media", "log")


class CannotStart(Exception):
    """The text is the one line shown to the person who started the service."""


def main() -> None:
    if "MAKELEVEL" in os.environ:  # a killed `make` should take its service along
        die_with_parent(os.getppid(), signal.SIGTERM)
    try:
        with claimed_home() as home:
            against_demo = reasons_against_demo(os.environ)
            environ, servers = environment_of(home)
            env = Environment(environ)
            stop_seconds = env.integer("STOP_SECONDS", 25, minimum=1, maximum=3600)
            watched = watches(env, env.integer("SILENT_SECONDS", SILENT_SECONDS, minimum=3, maximum=3600))
            settings = checked_settings(environ)
            asyncio.run(Service(home, environ, servers, settings, stop_seconds, watched, against_demo).run())
    except (InvalidSetting, CannotStart, ServerFailed, ProcessFailed) as error:
        sys.exit(f"parley: {error}")
    except KeyboardInterrupt:
        sys.exit(0)


@contextmanager
def claimed_home() -> Iterator[Path]:
    """PARLEY_HOME, writable, held against a second run, and free of what a killed one left. Raises CannotStart."""
    home = parley_home()
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in PRIVATE_FOLDERS:
            if (home / name).is_dir():  # an earlier version let others read what is in it
                (home / name).chmod(0o700)
        with tempfile.TemporaryFile(dir=home) as probe:
            probe.write(bytes(4096))
        free = shutil.disk_usage(home).free
    except OSError as error:
        raise CannotStart(f"PARLEY_HOME ({home}) cannot be written to: {error.strerror}") from error
    if free < MIN_FREE_BYTES:
        raise CannotStart(f"PARLEY_HOME ({home}) has {free // 2**20} MiB of free disk; 200 are needed")
    with (home / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotStart(f"already running for {home} (process {lock.read().strip()})") from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        state = home / STATE_FILE_NAME
        state.unlink(missing_ok=True)
        end_leftovers(home)
        try:
            yield home
        finally:
            state.unlink(missing_ok=True)
            for name in ("metrics", "pulses"):
                shutil.rmtree(in_memory(home, name), ignore_errors=True)


def environment_of(home: Path) -> tuple[dict[str, str], EmbeddedServers]:
    """The environment of every process, and the servers that it names and that are to be started."""
    given = {name: value for name, value in os.environ.items() if value != ""}
    has_demo = Environment(given).boolean("SEED_DEMO", not reasons_against_demo(given))
    servers = EmbeddedServers(home, postgres="DATABASE_URL" not in given, valkey="REDIS_URL" not in given)
    environ = {
        # Started by root in a container or on a trial machine: the worker need not say so at length each time.
        "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        "DATABASE_URL": servers.database_url,
        "REDIS_URL": servers.redis_url,
        "LOG_FORMAT": "console",
        "PROMETHEUS_MULTIPROC_DIR": str(passing_folder(home, "metrics")),
        "PULSE_DIR": str(passing_folder(home, "pulses")),
        **stored_secrets(home, given),
        **given,
        **with_played(given, has_demo=has_demo),
        "PARLEY_HOME": str(home),
        "SEED_DEMO": "1" if has_demo else "0",
        "PARLEY_WITH_DEMO": "1",
    }
    return with_virtualenv(environ), servers


def reasons_against_demo(given: Mapping[str, str]) -> list[str]:
    """Why this installation may be one in real use, where logins with public passwords would be doors for everybody."""
    public_url, address = given.get("PUBLIC_URL", ""), given.get("BIND") or "127.0.0.1"
    return [
        *([f"PUBLIC_URL is {public_url}"] if public_url.startswith("https://") else []),
        *([f"BIND is {address}"] if not is_loopback(address) else []),
        *(["DATABASE_URL names another database than the embedded one"] if given.get("DATABASE_URL") else []),
    ]


def is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def passing_folder(home: Path, name: str) -> Path:
    """An empty folder for this run: in memory, where files can be (Linux), so that no disk is needed."""
    try:
        return empty_folder(in_memory(home, name))
    except OSError:
        return empty_folder(home / name)


def in_memory(home: Path, name: str) -> Path:
    return MEMORY / f"parley-{name}-{sha256(os.fsencode(home)).hexdigest()[:12]}"


def empty_folder(path: Path) -> Path:
    """Raises OSError also if another user's folder is in the way."""
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(mode=0o700)
    return path


def stored_secrets(home: Path, given: dict[str, str]) -> dict[str, str]:
    """SECRET_KEY and FIELD_ENCRYPTION_KEYS from PARLEY_HOME; what neither it nor the environment has is made, once."""
    path = home / "secrets.json"
    try:
        stored: Any = json.loads(path.read_text()) if path.exists() else {}
    except ValueError as error:
        raise CannotStart(f"{path} is not readable as JSON: {error}") from error
    if not isinstance(stored, dict) or not all(isinstance(value, str) for value in stored.values()):
        raise CannotStart(f"{path} is not a JSON object of texts")
    fresh = {"SECRET_KEY": secrets.token_urlsafe(50), "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode()}
    made = {name: value for name, value in fresh.items() if name not in stored and name not in given}
    if made:
        stored |= made
        write_private(path, stored)
    return dict(stored)


def write_private(path: Path, content: dict[str, str]) -> None:
    """Writes JSON that only the owner can read, whole or not at all."""
    unfinished = path.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(content, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def checked_settings(environ: dict[str, str]) -> ModuleType:
    """The settings of this environment. A malformed one ends the process with its one line, before anything starts."""
    os.environ.update(environ)
    settings = importlib.import_module("config.settings")
    address = environ.get("BIND", "127.0.0.1")
    if settings.PORT == settings.REALTIME_PORT:
        raise CannotStart(f"PORT and REALTIME_PORT are both {settings.PORT}; they must differ")
    ports = [(address, "PORT", settings.PORT), (address, "REALTIME_PORT", settings.REALTIME_PORT)]
    for name in PLAYED_PORTS:
        played = getattr(settings, name)
        if played in (settings.PORT, settings.REALTIME_PORT):
            raise CannotStart(f"{name} is {played}, as PORT or REALTIME_PORT is; they must differ")
        if played:
            ports.append(("127.0.0.1", name, played))
    for listens_on, name, port in ports:
        if not port_is_free(listens_on, port):
            raise CannotStart(f"port {port} of {listens_on} is taken; set {name} to a free one")
    return settings


class Service:
    """One run: from the embedded servers to the last process."""

    def __init__(
        self,
        home: Path,
        environ: dict[str, str],
        servers: EmbeddedServers,
        settings: ModuleType,
        stop_seconds: int,
        watched: Mapping[str, Watch],
        against_demo: Sequence[str],
    ) -> None:
        self._home = home
        self._environ = environ
        self._against_demo = against_demo
        self._servers = servers
        self._settings = settings
        self._stop_seconds = stop_seconds
        self._commands: dict[str, str] = dict(parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes)
        self._stop = asyncio.Event()
        self._log = JointLog([*self._commands, RECEIVER, MODEL, "setup"], on_closed=self._stop.set)
        self._supervisor = Supervisor(home, environ=environ, folder=PROJECT_ROOT, log=self._log, watches=watched)

    async def run(self) -> None:
        """Returns after a signal, when everything has ended. Raises ServerFailed, ProcessFailed and CannotStart."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._asked_to_stop)
        work = asyncio.create_task(self._work())
        stopped = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            self._log.line("setup", "stopping")
            await self._supervisor.stop(self._stop_seconds)
            self._servers.stop()
            work.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await work
            stopped.cancel()

    def _asked_to_stop(self) -> None:
        if self._stop.is_set():  # asked twice: at once
            self._supervisor.kill()
        self._stop.set()

    async def _work(self) -> None:
        names = " and ".join(server.name for server in self._servers.used)
        if names:
            self._log.line("setup", f"starting {names} in {self._home}")
        for server in self._servers.used:
            server.launch()
        write_private(
            self._home / STATE_FILE_NAME, {name: self._environ[name] for name in SHARED_NAMES if name in self._environ}
        )
        preparing = asyncio.create_task(self._prepare())  # Django loads while the servers start
        for server in self._servers.used:
            await told(asyncio.to_thread(server.wait_ready), f"{server.name} to answer", self._say)
        demo = await told(preparing, "the database and the demo data to be prepared", self._say)
        await asyncio.gather(
            self._supervisor.keep_running({name: self._commands[name] for name in ANSWERING}),
            self._start_the_rest(demo),
            *(self._keep_server(server) for server in self._servers.used),
        )

    async def _start_the_rest(self, demo: dict[str, Any]) -> None:
        """The other processes, once those that people wait for answer: all at once they would only slow these down."""
        for name, port in (("web", self._settings.PORT), ("realtime", self._settings.REALTIME_PORT)):
            await self._wait_for_answer(name, port)
        self._log.plain(banner(self._settings.PUBLIC_URL, demo, self._against_demo))
        rest = {name: command for name, command in self._commands.items() if name not in ANSWERING}
        played = {
            RECEIVER: receiver_command(demo),
            MODEL: model_command(demo, self._environ, self._settings.PUBLIC_URL),
        }
        await asyncio.gather(
            self._supervisor.keep_running(rest),
            *(self._play(name, command) for name, command in played.items() if command is not None),
        )

    async def _play(self, name: str, command: str) -> None:
        """Keeps a part of the demo running. The service does without it, too."""
        try:
            await self._supervisor.keep_running({name: command})
        except ProcessFailed as error:
            self._log.line("setup", f"the demo's {name} is not played: {error}")

    async def _prepare(self) -> dict[str, Any]:
        self._log.line("setup", "preparing the database and the demo data")
        started_here = [server.name for server in self._servers.used]
        command = [sys.executable, "-m", "launcher.prepare", *started_here]
        status, output, last_line = await self._supervisor.output_of("setup", *command)
        if status != 0:
            raise CannotStart(f"{last_line.removeprefix('parley: ')} ({ending(status)})")
        demo: dict[str, Any] = json.loads(output)
        return demo

    async def _keep_server(self, server: Server) -> None:
        """Starts an embedded server again, at the same address, whenever it ends unasked."""
        while True:
            if not server.running and not self._stop.is_set():
                self._log.line("setup", f"{server.name} ended; starting it again")
                try:
                    server.launch()
                    await told(asyncio.to_thread(server.wait_ready), f"{server.name} to answer", self._say)
                except ServerFailed as error:  # there may be no room for it until somebody makes some
                    self._log.line("setup", f"{error}; trying again in {SERVER_AGAIN_S:.0f} s")
                    await asyncio.sleep(SERVER_AGAIN_S)
            await asyncio.sleep(0.2)

    async def _wait_for_answer(self, name: str, port: int) -> None:
        """Returns once it answers, however long that takes; the supervisor ends the run of a process that keeps
        failing."""
        address = to_reach(self._environ.get("BIND", "127.0.0.1"))

        async def answered() -> None:
            while not await answers(address, port, seconds=2):
                await asyncio.sleep(0.05)

        await told(answered(), f"{name} to answer on port {port}", self._say)

    def _say(self, text: str) -> None:
        self._log.line("setup", text)


if __name__ == "__main__":
    main()
