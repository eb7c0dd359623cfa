"""PostgreSQL and Valkey for a benchmark alone, with the product's tables."""

import atexit
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psycopg

from bench.cpu import tree_seconds
from bench.web import bench_environ
from config.environment import PROJECT_ROOT
from launcher.servers import EmbeddedServers


@contextmanager
def own_servers(*, quiet: bool = True) -> Iterator[tuple[EmbeddedServers, dict[str, str]]]:
    """The servers, and the environment of processes that use them; their folder is removed at the end.

    `quiet` keeps vacuums and checkpoints out of single rounds.
    """
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        home = Path(folder)
        subprocess.run(["cp", "-a", _with_tables(), home / "postgres"], check=True)
        with EmbeddedServers(home) as servers:
            if quiet:
                _keep_quiet(servers)
            yield servers, bench_environ(home, servers.database_url, servers.redis_url)


def postgres_seconds(servers: EmbeddedServers) -> float:
    """CPU seconds that PostgreSQL has used."""
    return tree_seconds(servers.postgres.process.pid) if servers.postgres.process else 0.0


@cache  # it takes seconds
def _with_tables() -> Path:
    """The data folder of a PostgreSQL that was ended in order, to be copied."""
    home = Path(tempfile.mkdtemp(prefix="parley-bench-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    with EmbeddedServers(home, valkey=False) as servers:
        environ = bench_environ(home, servers.database_url, "redis://127.0.0.1:1/0")
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=PROJECT_ROOT, env=environ, check=True)
    return servers.postgres.folder


def _keep_quiet(servers: EmbeddedServers) -> None:
    with psycopg.connect(servers.database_url, autocommit=True) as connection:
        for setting in ("autovacuum = off", "max_wal_size = '8GB'", "checkpoint_timeout = '1d'"):
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute("SELECT pg_reload_conf()")
