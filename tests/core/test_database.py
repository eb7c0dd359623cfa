"""How statements read what PostgreSQL holds."""

from datetime import UTC, datetime

import pytest
from django.db import connection

from apps.core.database import fetch_one

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
