"""`manage.py migrate` as Django has it, but an empty database is given its tables at once.

Replaying each migration since the first takes Django minutes, nearly all of them for its picture of the models after
each step. `config/schema.sql` holds what they come to; the migrations that are newer than it follow as usual.
"""

import re
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.migrations.loader import MigrationLoader

_MADE_BY = re.compile(r"-- PostgreSQL (\d+)\n")
_APPLIED = re.compile(r"^INSERT INTO public\.django_migrations .* VALUES \('(\w+)', '(\w+)', now\(\)\);$", re.MULTILINE)
_EXTENSION = re.compile(r"^CREATE EXTENSION IF NOT EXISTS (\w+) ", re.MULTILINE)


class Command(MigrateCommand):
    help = f"{MigrateCommand.help} Makes the tables of an empty database at once, from config/schema.sql."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--replay", action="store_true", help="run every migration, on an empty database too")

    def handle(self, *args: Any, **options: Any) -> None:
        is_whole = options["database"] == DEFAULT_DB_ALIAS and not (
            options["app_label"]
            or options["replay"]
            or options["plan"]
            or options["check_unapplied"]
            or options["fake"]
        )
        if is_whole and not connection.introspection.table_names():
            schema = (settings.BASE_DIR / "config" / "schema.sql").read_bytes().decode()
            if fits(schema):
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute("SET LOCAL statement_timeout = 0")
                    cursor.execute(schema)
        super().handle(*args, **options)


def applied_by(schema: str) -> set[tuple[str, str]]:
    """The migrations, by app and name, whose outcome a schema holds."""
    return set(_APPLIED.findall(schema))


def fits(schema: str) -> bool:
    """Whether it makes here what the migrations would: the server is as new as the one that wrote it and has its
    extensions, tables are made in `public`, and the apps of all its migrations are installed.
    """
    made_by = _MADE_BY.match(schema)
    if made_by is None or connection.pg_version // 10_000 < int(made_by[1]):  # type: ignore[attr-defined]
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema(), array_agg(name) FROM pg_available_extensions")
        place, extensions = cursor.fetchone()
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    is_available = set(extensions).issuperset(_EXTENSION.findall(schema))
    return place == "public" and is_available and known.keys() >= applied_by(schema)
