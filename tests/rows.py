"""Everything the database holds: to tell that a refusal changed nothing, and to leave nothing behind."""

import time
from functools import cache

from django.apps import apps
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

from apps.accounts.models import ApiToken
from apps.support.models import Nonce, SupportAction
from apps.webhooks.actions import switches

# Made by the migrations; no test changes them.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}
# Seconds for which other processes may still end their transactions.
WRITERS_S = 5.0
UNCOUNTED = (ApiToken, Nonce, SupportAction)


def snapshot() -> dict[str, list[str]]:
    """Every row of every table of the product, but for API tokens, which tests make as they go, nonces, which every
    signed call uses up, whatever its answer, and the record of what support agents did, refused or not.

    One statement; rows are as PostgreSQL writes them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_every_row())
        return dict(cursor.fetchall())


@cache
def _every_row() -> str:
    kinds = [kind for kind in apps.get_models() if kind.__module__.startswith("apps.") and kind not in UNCOUNTED]
    return " UNION ALL ".join(
        f"SELECT '{kind._meta.label}', ARRAY(SELECT t::text FROM {kind._meta.db_table} t ORDER BY t.*)"
        for kind in kinds
    )


def empty() -> None:
    """Brings the database back to what the migrations left, after a test that committed.

    Django's own way truncates every table and makes content types and permissions anew, which takes longer than most
    tests. Few rows are sooner deleted, without their triggers.
    """
    with connection.cursor() as cursor:
        _wait_for_writers(cursor)
        cursor.execute(_which_have_rows())
        deletions = "".join(f"DELETE FROM {table};" for (table,) in cursor.fetchall())
        for last in (False, False, True):
            try:
                cursor.execute(f"BEGIN; SET LOCAL session_replication_role = replica; {deletions} COMMIT")
                break
            except OperationalError:  # somebody began to write meanwhile: the two were deadlocked
                cursor.execute("ROLLBACK")
                if last:
                    raise
                _wait_for_writers(cursor)
    switches.make_switches()


def _wait_for_writers(cursor: CursorWrapper) -> None:
    """Until no other process has a transaction open: a realtime process of this run still writes who left, when the
    test that closed the sockets is over. One that stays open is not waited for: its test fails by itself.
    """
    deadline = time.monotonic() + WRITERS_S
    while time.monotonic() < deadline:
        cursor.execute(
            "SELECT pg_stat_clear_snapshot(), EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start IS NOT NULL)"
        )
        if not cursor.fetchone()[1]:
            return


@cache
def _which_have_rows() -> str:
    tables = set(connection.introspection.table_names()) - KEPT
    return " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in sorted(tables))
