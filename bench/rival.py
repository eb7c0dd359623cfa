"""The rival of `together`: ejabberd with its archive (`mod_mam`) on PostgreSQL, at the same rate of messages.

It is Debian's package (`apt-get install ejabberd erlang-p1-pgsql`), started on a folder of its own that is removed at
the end; where it is not installed, the run says so. Each message is stored for both of its ends, and shown in the
receiver's socket. It knows no webhooks, roles, limits, idempotency nor HTTP: what it takes is what a chat server at
least costs.
"""

import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from bench.cpu import FOREIGN_LIMIT, Foreign, tree_seconds
from bench.rival_traffic import HOST, PASSWORD, RivalTraffic
from bench.together import Much, load
from launcher.processes import wait_until
from launcher.servers import DATABASE_NAME, PostgresServer, ServerFailed, free_port, port_is_free

SCHEMA = Path("/usr/share/ejabberd/sql/pg.sql")
LIBRARIES = Path("/usr/lib")
SYSTEM_USER = "ejabberd"
POSTGRES_PORT = 5432
READY_SECONDS = 60.0
_DATABASE = "rival"
_CONFIG = """
hosts: ["{host}"]
loglevel: 3
listen:
  - {{port: {port}, ip: "127.0.0.1", module: ejabberd_c2s, max_stanza_size: 65536, shaper: none, access: all}}
auth_method: [sql]
auth_password_format: plain
sql_type: pgsql
sql_server: "127.0.0.1"
sql_port: {postgres_port}
sql_database: {database}
sql_username: {user}
sql_password: "none"
sql_pool_size: 10
default_db: sql
default_ram_db: mnesia
modules:
  mod_mam: {{default: always}}
"""
_WRITTEN = "SELECT count(*) FROM archive"


@dataclass(slots=True)
class Rival:
    """The figures: a message's way to its receiver's socket in milliseconds, the cores that each group kept busy."""

    much: Much
    frames: dict[str, float]
    late: dict[str, float]
    cores: dict[str, float]
    foreign_cores: float
    wrong: list[str] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def cpu_ms(self) -> float:
        return cpu_ms(self.cores, self.much.posts)

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "cpu_ms": self.cpu_ms, "counts": self.counts}


def cpu_ms(cores: Mapping[str, float], rate: float) -> float:
    """CPU of a message at a rate a second, that of the load left out."""
    return sum(used for name, used in cores.items() if name != "the load") / rate * 1000


class _Postgres(PostgresServer):
    """On a port of the loopback address as well: ejabberd's driver knows no Unix sockets."""

    def _settings(self) -> dict[str, str]:
        return super()._settings() | {"listen_addresses": "127.0.0.1", "port": str(POSTGRES_PORT)}


def why_not() -> str | None:
    """Why there is no rival on this machine; None where there is one."""
    if shutil.which("erl") is None or not SCHEMA.is_file() or not [*LIBRARIES.glob("erlang/lib/p1_pgsql-*")]:
        return "ejabberd is not installed (on Debian: apt-get install ejabberd erlang-p1-pgsql)"
    if os.geteuid() == 0 and SYSTEM_USER not in {user.pw_name for user in pwd.getpwall()}:
        return f"there is no user {SYSTEM_USER}, as whom it runs"
    if not port_is_free("127.0.0.1", POSTGRES_PORT):
        return f"its PostgreSQL needs port {POSTGRES_PORT}, which is taken"
    return None


def measure_rival(much: Much) -> Rival:
    """As many messages and sockets as of the product. Raises RuntimeError when a process ends or says nothing."""
    with tempfile.TemporaryDirectory(prefix="parley-rival-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        postgres = _Postgres(home, durable=True)
        postgres.start()
        try:
            _fill(postgres.url, much.sockets)
            with _ejabberd(home) as (ejabberd, port):
                traffic = RivalTraffic(port, much.posts, much.sockets, much.warmup_seconds, much.seconds)
                return _measure(much, traffic, home / "found.json", ejabberd, postgres)
        finally:
            postgres.stop()


def _fill(url: str, people: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {_DATABASE}")
    with psycopg.connect(url, dbname=_DATABASE, autocommit=True) as connection:
        connection.execute(SCHEMA.read_bytes())
        connection.execute(
            "INSERT INTO users (username, password) SELECT 'person' || number, %s FROM generate_series(0, %s) number",
            [PASSWORD, people],
        )


@contextmanager
def _ejabberd(home: Path) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The server and its port, once it answers there."""
    own, port = home / "ejabberd", free_port()
    own.mkdir()
    config, log = own / "ejabberd.yml", own / "ejabberd.log"
    config.write_text(
        _CONFIG.format(host=HOST, port=port, postgres_port=POSTGRES_PORT, database=_DATABASE, user=DATABASE_NAME)
    )
    user = SYSTEM_USER if os.geteuid() == 0 else None
    if user:
        shutil.chown(own, user)
        shutil.chown(config, user)
    command = ["erl", "-noinput", "-sname", f"rival{os.getpid()}@localhost", "-mnesia", "dir", f'"{own / "mnesia"}"']
    command += ["+K", "true", "-s", "ejabberd"]
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(own),
        "ERL_LIBS": _libraries(),
        "EJABBERD_CONFIG_PATH": str(config),
        "EJABBERD_LOG_PATH": str(log),
    }
    with (home / "erl.log").open("wb") as said:
        process = subprocess.Popen(
            command, env=environ, user=user, cwd=own, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            answers = wait_until(
                lambda: process.poll() is not None or not port_is_free("127.0.0.1", port), seconds=READY_SECONDS
            )
            if process.poll() is not None or not answers:
                raise RuntimeError(f"ejabberd did not start: {_last_line(home / 'erl.log', log)}")
            yield process, port
        finally:
            process.kill()
            process.wait()


def _libraries() -> str:
    """The folder in which Debian keeps ejabberd's own modules, above `ejabberd-<version>`."""
    found = next(LIBRARIES.glob("*/ejabberd-*/ebin"), None) or next(LIBRARIES.glob("ejabberd-*/ebin"), None)
    if found is None:
        raise ServerFailed("ejabberd's modules are not where Debian keeps them")
    return str(found.parents[1])


def _last_line(*logs: Path) -> str:
    texts = [path.read_text(errors="replace").strip() for path in logs if path.exists()]
    return next((text.splitlines()[-1] for text in texts if text), "it said nothing")


def _measure(
    much: Much, traffic: RivalTraffic, found: Path, ejabberd: "subprocess.Popen[bytes]", postgres: PostgresServer
) -> Rival:
    assert postgres.process is not None
    with load("bench.rival_traffic", traffic, found) as generator:
        roots = {"ejabberd": ejabberd.pid, "PostgreSQL": postgres.process.pid, "the load": generator.pid}
        assert generator.stdout is not None
        if not generator.stdout.readline():
            raise RuntimeError("the rival's load could not be put; its process says why")
        before, began = _cpu_seconds(roots), time.monotonic()
        with Foreign() as foreign:
            time.sleep(much.seconds)
            spent = time.monotonic() - began
            cores = {name: (used - before[name]) / spent for name, used in _cpu_seconds(roots).items()}
        if generator.wait() != 0:
            raise RuntimeError("the rival's load failed; its process says why")
    seen = json.loads(found.read_bytes())
    return Rival(much, seen["frames"], seen["late"], cores, foreign.cores, _wrong(postgres.url, seen))


def _cpu_seconds(roots: Mapping[str, int]) -> dict[str, float]:
    return {name: tree_seconds(pid) for name, pid in roots.items()}


def _wrong(url: str, seen: Mapping[str, Any]) -> list[str]:
    """All that was lost, doubled or not archived, each in one line."""
    with psycopg.connect(url, dbname=_DATABASE, autocommit=True) as connection:
        (archived,) = connection.execute(_WRITTEN).fetchone() or (0,)
    checks = {
        "messages did not come": seen["lost"],
        "messages came twice": seen["twice"],
        "sockets were closed": seen["closed"],
        "rows of the archive are missing": 2 * seen["sent"] - archived,
    }
    return [f"{count:,} {what}" for what, count in checks.items() if count]
