"""Everything the database holds: to tell that a refusal changed nothing, and to leave nothing behind."""

from functools import cache

from django.apps import apps
from django.db import connection

from apps.accounts.models import ApiToken
from apps.support.models import Nonce, SupportAction
from apps.webhooks.actions import switches

# Made by the migrations; no test changes them.
KEPT = {"django_migrations", "django_content_type", "auth_permission"}
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
        cursor.execute(_which_have_rows())
        deletions = "".join(f"DELETE FROM {table};" for (table,) in cursor.fetchall())
        cursor.execute(f"BEGIN; SET LOCAL session_replication_role = replica; {deletions} COMMIT")
    switches.make_switches()


@cache
def _which_have_rows() -> str:
    tables = set(connection.introspection.table_names()) - KEPT
    return " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT FROM {table})" for table in sorted(tables))
