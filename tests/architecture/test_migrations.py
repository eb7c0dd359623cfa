"""Migrations are safe on a live database: what they do to tables that may be large blocks no writer for long."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently, NotInTransactionMixin, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED

from apps.core import plugins

# What locks a table out while it works through all of its rows.
BLOCKING = (migrations.AddIndex, migrations.RemoveIndex, migrations.AlterField)
# What processes of the release before still read and write; it goes a release after the code that used it.
IN_USE = (
    migrations.RemoveField,
    migrations.RenameField,
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
# Those that take away what no code of the release before uses.
NOT_USED_ANY_MORE = {
    "billing.0003_entity_writes",  # before the first release
    "messengers.0005_health_and_renewal",  # a proxy has another name
    # The state's models have other names, on the tables that they had: no SQL but of content types.
    *("agents.0002_model_names", "billing.0004_model_names", "chats.0011_model_names", "compat.0003_model_names"),
    *("console.0003_model_names", "core.0004_model_names", "messengers.0008_model_names"),
    *("support.0007_model_names", "widget.0009_model_names", "chats.0022_console_settings", "support.0008_chat_hold"),
    "widget.0012_offline_form",
}


def existing_tables(operations: list[Any]) -> Iterator[Any]:
    """The operations on models that are not made beside them."""
    made = {each.name_lower for each in operations if isinstance(each, migrations.CreateModel)}
    for operation in operations:
        model = getattr(operation, "model_name_lower", None)
        if model is not None and model not in made:
            yield operation


def unsafe(operations: list[Any]) -> list[str]:
    """What a migration of these operations must not do to a live database."""
    return [operation.describe() for operation in existing_tables(operations) if is_unsafe(operation)]


def taken_away(operations: list[Any]) -> list[str]:
    """What processes of the release before would miss."""
    return [operation.describe() for operation in operations if isinstance(operation, IN_USE)]


def is_unsafe(operation: Any) -> bool:
    if isinstance(operation, migrations.AddField):
        field = operation.field
        return not field.null and field.db_default is NOT_PROVIDED
    return isinstance(operation, BLOCKING) and not isinstance(operation, NotInTransactionMixin)


def migrations_of_apps() -> list[Any]:
    labels = {config.label for config in plugins.installed()}
    loader = MigrationLoader(None)
    return [migration for (label, _), migration in sorted(loader.disk_migrations.items()) if label in labels]


def test_a_migration_is_safe() -> None:
    migrations_ = migrations_of_apps()
    assert len(migrations_) > 100
    assert {str(each): found for each in migrations_ if (found := unsafe(each.operations))} == {}
    assert {str(each) for each in migrations_ if taken_away(each.operations)} == NOT_USED_ANY_MORE


INDEX = models.Index(fields=["created_at"], name="chats_chat_age")
SAFE = {
    "an index built beside writers": AddIndexConcurrently("chat", INDEX),
    "an index dropped beside writers": RemoveIndexConcurrently("chat", "chats_chat_age"),
    "a column that may be null": migrations.AddField("chat", "note", models.TextField(null=True)),
    "a column with its default in the database": migrations.AddField("chat", "note", models.TextField(db_default="")),
}
UNSAFE = {
    "an index built while writers wait": migrations.AddIndex("chat", INDEX),
    "an index dropped while writers wait": migrations.RemoveIndex("chat", "chats_chat_age"),
    "a column of another type": migrations.AlterField("chat", "channel", models.TextField()),
    "a column that old processes read": migrations.RemoveField("chat", "channel"),
    "a column under another name": migrations.RenameField("chat", "channel", "provider"),
    "a table that old processes read": migrations.DeleteModel("Chat"),
    "a table under another name": migrations.RenameModel("Chat", "Talk"),
    "a column that old processes would not fill": migrations.AddField("chat", "note", models.TextField(default="")),
}


@pytest.mark.parametrize("operation", SAFE.values(), ids=SAFE)
def test_what_is_safe_is_let_through(operation: Any) -> None:
    assert [*unsafe([operation]), *taken_away([operation])] == []


@pytest.mark.parametrize("operation", UNSAFE.values(), ids=UNSAFE)
def test_what_is_unsafe_is_noticed(operation: Any) -> None:
    assert [*unsafe([operation]), *taken_away([operation])] == [operation.describe()]


def test_a_table_that_the_migration_makes_has_no_rows_yet() -> None:
    made = migrations.CreateModel("Chat", [("id", models.BigAutoField(primary_key=True))])
    changed = [each for each in UNSAFE.values() if not isinstance(each, IN_USE)]
    assert unsafe([made, *changed]) == []
