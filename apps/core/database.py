"""Statements in SQL, and what each new database connection is given: a fast reader of timestamps.

Django's own is written in Python and costs a third of a list's time. Connections run in UTC.
"""

from datetime import UTC, datetime
from typing import Any

from django.db import connection as default_connection
from psycopg.adapt import Buffer, Loader

Row = tuple[Any, ...]
Parameters = dict[str, Any]


def fetch_all(sql: str, parameters: Parameters) -> list[Row]:
    """All rows of one statement; psycopg prepares it after its second use (docs/adr/0009)."""
    with default_connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows: list[Row] = cursor.fetchall()
    return rows


def fetch_one(sql: str, parameters: Parameters) -> Row | None:
    """The first row of one statement, or None."""
    with default_connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        row: Row | None = cursor.fetchone()
    return row


def execute(sql: str, parameters: Parameters) -> int:
    """Runs a statement that answers no rows; returns how many it touched."""
    with default_connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return int(cursor.rowcount)


class TimestampLoader(Loader):
    """Reads PostgreSQL's text form of a timestamptz as an aware datetime in UTC."""

    timezone = UTC  # Django asks it of the connection's loader, and puts its own over one of another zone

    def load(self, data: Buffer) -> datetime:
        return datetime.fromisoformat(bytes(data).decode())


def prepare_connection(sender: Any, connection: Any, **_: Any) -> None:
    """Receives Django's `connection_created`."""
    connection.connection.adapters.register_loader("timestamptz", TimestampLoader)
