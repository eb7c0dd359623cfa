"""config/schema.sql: what all migrations come to, so that an empty database need not replay them.

`PARLEY_WRITE_DOCS=1 make test ARGS="tests/core/test_schema.py -m ''"` writes it anew.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest
from django.db.migrations.loader import MigrationLoader
from psycopg.conninfo import make_conninfo

from apps.core.management.commands.migrate import applied_by, fits
from config.environment import PROJECT_ROOT
from launcher.servers import EmbeddedServers
from tests.upgrades.installations import Installation

SCHEMA = PROJECT_ROOT / "config" / "schema.sql"
# Django writes these after each `migrate`.
DJANGOS = ("django_content_type", "auth_permission")


def schema_kept() -> str:
    return SCHEMA.read_bytes().decode()


def settled_schema_of(installation: Installation) -> str:
    """`schema_of` what it makes: PostgreSQL writes some expressions otherwise once it has read them again."""
    again = copy(installation)
    again.url = make_conninfo(installation.url, dbname="again")
    installation.postgres("psql", "--command", "CREATE DATABASE again")
    again.postgres("psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--single-transaction", given=schema_of(installation))
    return schema_of(again)


def schema_of(installation: Installation) -> str:
    """The statements that make such a database, within a transaction that is open already."""
    left_out = [f"--exclude-table-data=public.{table}" for table in DJANGOS]
    options = ("--no-owner", "--no-privileges", "--no-comments", "--inserts", "--column-inserts")
    with tempfile.NamedTemporaryFile() as file:
        installation.postgres("pg_dump", f"--file={file.name}", *options, *left_out)
        dump = file.read().decode()  # as it is: a function has a carriage return in it, which is no end of a line
    major = re.search(r"(?m)^-- Dumped by pg_dump version (\d+)", dump)
    assert major
    dump = re.sub(r"(?m)^--\n-- .*\n--\n|^-- .*\n|^\\(un)?restrict .*\n", "", dump)
    dump = re.sub(r"(?m)^SET (?!.*timeout)", "SET LOCAL ", re.sub(r"(?m)^SET .*timeout.*\n", "", dump))
    dump = dump.replace("set_config('search_path', '', false)", "set_config('search_path', '', true)")
    numbered = "|".join((*DJANGOS, "django_migrations"))
    dump = re.sub(rf"(?m)^SELECT pg_catalog\.setval\((.*, 1, false|'public\.({numbered})_id_seq'.*)\);\n", "", dump)
    dump = re.sub(
        r"(?m)^INSERT INTO public\.django_migrations \(id, app, name, applied\) VALUES \(\d+, ('\w+'), ('\w+'), .*\);$",
        r"INSERT INTO public.django_migrations (app, name, applied) VALUES (\1, \2, now());",
        dump,
    )
    applied = re.compile(r"(?m)(?:^INSERT INTO public\.django_migrations .*\n)+")
    dump = applied.sub(lambda found: "".join(sorted(found[0].splitlines(keepends=True))), dump)
    return f"-- PostgreSQL {major[1]}\n" + re.sub(r"\n{2,}", "\n", dump).strip() + "\n"


@pytest.fixture
def empty() -> Iterator[Installation]:
    """An installation whose database has no table yet."""
    with tempfile.TemporaryDirectory(prefix="parley-home-") as folder:
        home = Path(folder)
        home.chmod(0o711)  # PostgreSQL's own user passes
        with EmbeddedServers(home, durable=False, valkey=False) as servers:
            yield Installation(home, servers, dict(os.environ))


def test_every_migration_of_today_is_in_the_schema() -> None:
    migrations = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    assert applied_by(schema_kept()) == set(migrations), "write config/schema.sql anew"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_schema_is_what_all_migrations_come_to(empty: Installation) -> None:
    empty.manage("migrate", "--noinput", "--verbosity", "0", "--replay")
    schema = settled_schema_of(empty)
    if os.environ.get("PARLEY_WRITE_DOCS"):
        SCHEMA.write_bytes(schema.encode())
    assert schema == schema_kept()


def test_an_empty_database_is_given_the_schema_and_needs_nothing_more(empty: Installation) -> None:
    empty.manage("migrate", "--noinput", "--verbosity", "0")
    assert "[ ]" not in empty.manage("showmigrations")
    assert schema_of(empty) == schema_kept()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("here", "elsewhere"),
    [
        ("-- PostgreSQL 1", "-- PostgreSQL 99"),
        ("CREATE EXTENSION IF NOT EXISTS vector ", "CREATE EXTENSION IF NOT EXISTS vectors "),
        ("VALUES ('chats', '0001_initial', now())", "VALUES ('chats', '0001_of_an_app_that_is_not_here', now())"),
    ],
    ids=["a newer server", "an extension that is not here", "an app that is not installed"],
)
def test_elsewhere_the_migrations_are_replayed(here: str, elsewhere: str) -> None:
    schema = schema_kept()
    assert fits(schema)
    assert here in schema
    assert not fits(schema.replace(here, elsewhere))
