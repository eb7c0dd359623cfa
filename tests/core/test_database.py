"""How statements read what PostgreSQL holds."""

from datetime import UTC, datetime
from importlib import import_module, reload

import pytest
from django.db import DataError, connection, transaction
from pytest_django import Settings

from apps.core.database import base, execute, fetch_one
from apps.core.database.base import MAX_KEPT

pytestmark = pytest.mark.django_db

AT = datetime(2026, 3, 29, 1, 30, 0, 123456, tzinfo=UTC)
SQL = "SELECT timestamptz '2026-03-29 03:30:00.123456+02', NULL::timestamptz"


def test_a_moment_is_read_in_utc() -> None:
    found = fetch_one(SQL, {})

    assert found == (AT, None)
    assert found[0].tzinfo is UTC


def test_django_reads_a_moment_as_our_own_statements_do() -> None:
    with connection.cursor() as cursor:
        cursor.execute(SQL)
        found = cursor.fetchone()

    assert found == (AT, None)
    assert found[0].tzinfo is UTC


class TestAStatementRunAgain:
    """It goes on with the cursor of its last time."""

    def test_takes_parameters_of_other_types(self) -> None:
        sql = "SELECT pg_typeof(%(value)s)::text, %(value)s::text"
        found = [fetch_one(sql, {"value": value}) for value in (1, 2**40, 1.5, True, 1)]
        assert found == [
            ("smallint", "1"),
            ("bigint", str(2**40)),
            ("double precision", "1.5"),
            ("boolean", "true"),
            ("smallint", "1"),
        ]

    def test_takes_values_and_none(self) -> None:
        for value in ("a", None, "b", None):
            assert fetch_one("SELECT %(value)s::text", {"value": value}) == (value,)

    def test_is_of_now_whatever_it_answered_before(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE kept (n int)")
        newest, add = "SELECT max(n) FROM kept", "INSERT INTO kept VALUES (%(n)s)"
        for n in (1, 2, 3):
            assert execute(add, {"n": n}) == 1
            assert fetch_one(newest, {}) == (n,)
        assert execute("DELETE FROM kept WHERE n < %(n)s", {"n": 3}) == 2
        assert execute("DELETE FROM kept WHERE n < %(n)s", {"n": 3}) == 0
        assert fetch_one("SELECT n FROM kept WHERE n < %(n)s", {"n": 3}) is None
        assert fetch_one("SELECT n FROM kept WHERE n < %(n)s", {"n": 4}) == (3,)

    def test_can_fail_and_be_right_the_next_time(self) -> None:
        sql = "SELECT 6 / %(n)s::int"
        assert fetch_one(sql, {"n": 2}) == (3,)
        with pytest.raises(DataError), transaction.atomic():
            fetch_one(sql, {"n": 0})
        assert fetch_one(sql, {"n": 3}) == (2,)

    def test_of_however_many_a_bounded_number_of_cursors_is_kept(self) -> None:
        for n in [*range(MAX_KEPT + 5), 0, 1, MAX_KEPT]:
            assert fetch_one(f"SELECT {n} + %(m)s::int", {"m": 1}) == (n + 1,)
        assert len(connection._kept) <= MAX_KEPT


class TestALimitOfStatements:
    """PostgreSQL itself ends a statement: by the role of the process that sent it."""

    @staticmethod
    def of_a_new_connection() -> str:
        found = connection.copy()
        try:
            with found.cursor() as cursor:
                cursor.execute("SHOW statement_timeout")
                return str(cursor.fetchone()[0])
        finally:
            found.close()

    @pytest.mark.parametrize("module", ["config.wsgi", "config.asgi"])
    def test_of_a_process_that_somebody_waits_for(
        self, monkeypatch: pytest.MonkeyPatch, settings: Settings, module: str
    ) -> None:
        monkeypatch.setattr(base, "_statement_s", None)
        settings.WEB_STATEMENT_SECONDS = 7
        reload(import_module(module))
        assert self.of_a_new_connection() == "7s"

    def test_of_a_worker(self, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        monkeypatch.setattr(base, "_statement_s", None)
        settings.WORKER_STATEMENT_SECONDS = 21
        assert self.of_a_new_connection() == "21s"
