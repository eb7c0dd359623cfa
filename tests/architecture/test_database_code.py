"""A migrated database has exactly the functions and triggers whose source stands beside the models (docs/adr/0017)."""

from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction

from tests.architecture.source import APPS

# Of lower apps first: a function of SQL may use theirs.
_FOLDERS = [APPS / name.removeprefix("apps.") for name in settings.PARLEY_APPS]
SOURCES = [
    folder / name for name in ("functions.sql", "triggers.sql") for folder in _FOLDERS if (folder / name).is_file()
]

# What extensions brought, and what checks foreign keys, is PostgreSQL's own.
FUNCTIONS = """
SELECT p.oid::regprocedure::text, pg_get_functiondef(p.oid) FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')"""
TRIGGERS = """
SELECT t.tgname || ' on ' || t.tgrelid::regclass, pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT t.tgisinternal"""

BAD_SAMPLES = {
    "a changed function": "CREATE OR REPLACE FUNCTION chats_folded(body text) RETURNS text"
    " LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN lower(body)",
    "a changed trigger": "CREATE OR REPLACE TRIGGER chats_chats_truncated AFTER TRUNCATE ON chats_chat"
    " FOR EACH STATEMENT EXECUTE FUNCTION chats_files_deleted()",
    "a function that was left behind": "CREATE FUNCTION chats_old() RETURNS integer LANGUAGE sql RETURN 1",
    "a trigger that is missing": "DROP TRIGGER chats_message_late ON chats_message",
}


def definitions() -> dict[str, str]:
    """What the database has, by name and as PostgreSQL writes it."""
    with connection.cursor() as cursor:
        cursor.execute(FUNCTIONS)
        found = dict(cursor.fetchall())
        cursor.execute(TRIGGERS)
        return found | dict(cursor.fetchall())


def settled() -> dict[str, str]:
    """`definitions` that were read once more: PostgreSQL writes some expressions otherwise then (config/schema.sql)."""
    with transaction.atomic(), connection.cursor() as cursor:
        for name, statement in definitions().items():
            if " on " in name:
                cursor.execute(f"DROP TRIGGER {name}")
            cursor.execute(statement)
        found = definitions()
        transaction.set_rollback(True)
    return found


def test_each_source_is_an_apps() -> None:
    assert set(SOURCES) == {*APPS.glob("*/functions.sql"), *APPS.glob("*/triggers.sql")}


@pytest.fixture
def in_source(db: None) -> dict[str, str]:
    """What it would have if it was made from the source alone; taken back at once."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(FUNCTIONS)
        names = ", ".join(name for name, _ in cursor.fetchall())
        cursor.execute(f"DROP FUNCTION {names} CASCADE")  # with the triggers and indexes that use them
        for path in SOURCES:
            cursor.execute(path.read_text())
        made = settled()
        transaction.set_rollback(True)
    return made


def test_the_source_is_what_migrations_made(in_source: dict[str, str]) -> None:
    assert settled() == in_source


@pytest.mark.parametrize("statement", BAD_SAMPLES.values(), ids=BAD_SAMPLES)
def test_what_differs_from_the_source_is_noticed(in_source: dict[str, str], statement: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
    assert settled() != in_source
