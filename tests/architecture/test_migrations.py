"""Migrations are safe on a live database: what they do to tables that may be large blocks nobody for long."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.postgres.operations import NotInTransactionMixin
from django.db import migrations
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED

from apps.core import plugins

# What locks a table out while it works through all of its rows.
BLOCKING = (migrations.AddIndex, migrations.RemoveIndex, migrations.AlterField)


def existing_tables(migration: Any) -> Iterator[tuple[str, Any]]:
    """The operations of a migration on models that it does not make itself."""
    made = {each.name_lower for each in migration.operations if isinstance(each, migrations.CreateModel)}
    for operation in migration.operations:
        model = getattr(operation, "model_name_lower", None)
        if model is not None and model not in made:
            yield model, operation


def migrations_of_apps() -> list[Any]:
    labels = {config.label for config in plugins.installed()}
    loader = MigrationLoader(None)
    return [migration for (label, _), migration in sorted(loader.disk_migrations.items()) if label in labels]


@pytest.mark.parametrize("migration", migrations_of_apps(), ids=str)
class TestMigration:
    def test_indexes_of_tables_with_rows_are_built_and_dropped_concurrently(self, migration: Any) -> None:
        for model, operation in existing_tables(migration):
            concurrent = isinstance(operation, NotInTransactionMixin)
            assert concurrent or not isinstance(operation, BLOCKING), (model, operation.describe())

    def test_a_new_column_of_a_table_with_rows_has_its_default_in_the_database(self, migration: Any) -> None:
        for model, operation in existing_tables(migration):
            if isinstance(operation, migrations.AddField):
                field = operation.field
                assert field.null or field.db_default is not NOT_PROVIDED, (model, operation.describe())
