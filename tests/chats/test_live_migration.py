"""An index of messages is built while visitors and operators go on writing, if it is built the way migrations must."""

import time
from collections.abc import Iterator
from threading import Thread
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import call_command
from django.db import OperationalError, connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.models.signals import pre_migrate

from apps.chats import actions
from apps.chats.models import Contact, Message
from tests.factories import ContactFactory

TEXT = {"type": "text", "body": "Здравствуйте"}
NAME = "chats_message_found_again"
INDEX = GinIndex(models.Func("widget_id", "chat_id", "body", function="chats_message_trigrams"), name=NAME)


def migrate(operation: Any) -> None:
    """What `manage.py migrate` does for a migration of that one operation."""
    executor = MigrationExecutor(connection)
    migration = migrations.Migration("9999_sample", "chats")
    migration.operations, migration.atomic = [operation], operation.atomic
    with connection.schema_editor(atomic=migration.atomic) as editor:
        migration.apply(executor.loader.project_state(), editor)


def in_thread(operation: Any, lock_timeout: str = "5s") -> Thread:
    def run() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = '{lock_timeout}'")
            migrate(operation)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname FROM pg_indexes WHERE indexname = %s AND schemaname = 'public'", [NAME])
        return {name for (name,) in cursor.fetchall()}


@pytest.fixture
def long_writer(transactional_db: None) -> Iterator[psycopg.Connection]:
    """Somebody else's transaction that has written a message and does not end."""
    message = Message.objects.get(pk=actions.post_client_message(contact=ContactFactory.create(), content=TEXT).id)
    with psycopg.connect(settings.DATABASE_URL, dbname=connection.settings_dict["NAME"]) as writer:
        writer.execute("UPDATE chats_message SET body = 'later' WHERE id = %s", [message.pk])
        yield writer
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {NAME}")


def wait_for(query: str, thread: Thread) -> None:
    deadline = time.monotonic() + 30
    with connection.cursor() as cursor:
        cursor.execute(query)
        while cursor.fetchone() is None:
            assert time.monotonic() < deadline
            assert thread.is_alive()
            time.sleep(0.01)
            cursor.execute(query)


BUILDING = "SELECT FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'"
LOCKING = "SELECT FROM pg_locks WHERE relation = 'chats_message'::regclass AND mode = 'ShareLock' AND NOT granted"


def test_messages_are_posted_while_an_index_is_built_concurrently(long_writer: psycopg.Connection) -> None:
    building = in_thread(AddIndexConcurrently("message", INDEX))
    wait_for(BUILDING, building)
    posted = actions.post_client_message(contact=Contact.objects.get(), content=TEXT)
    assert building.is_alive()
    long_writer.commit()
    building.join(60)
    assert indexes() == {NAME}
    assert Message.objects.filter(pk=posted.id).exists()


def test_an_index_waits_for_others_longer_than_for_a_lock(long_writer: psycopg.Connection) -> None:
    building = in_thread(AddIndexConcurrently("message", INDEX), lock_timeout="50ms")
    wait_for(BUILDING, building)
    building.join(0.5)
    assert building.is_alive()
    long_writer.commit()
    building.join(60)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass", [NAME])
        assert cursor.fetchone() == (True,)


def test_what_locks_a_table_gives_up_soon(long_writer: psycopg.Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    try:
        with pytest.raises(OperationalError, match="lock timeout"):
            migrate(migrations.AddIndex("message", INDEX))
    finally:
        connection.close()
    assert indexes() == set()


@pytest.mark.django_db(transaction=True)
def test_a_statement_of_migrate_has_no_limit_of_time() -> None:
    seen = []

    def look(**_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
            seen.append(cursor.fetchone())

    pre_migrate.connect(look, sender=apps.get_app_config("chats"))
    try:
        call_command("migrate", verbosity=0)
    finally:
        pre_migrate.disconnect(look, sender=apps.get_app_config("chats"))
    assert seen == [("0", "5s")]


def test_the_plain_way_has_them_wait(long_writer: psycopg.Connection) -> None:
    building = in_thread(migrations.AddIndex("message", INDEX))
    wait_for(LOCKING, building)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        try:
            with pytest.raises(OperationalError, match="lock timeout"):
                actions.post_client_message(contact=Contact.objects.get(), content=TEXT)
        finally:
            cursor.execute("RESET lock_timeout")
    assert building.is_alive()
    long_writer.commit()
    building.join(60)
    assert indexes() == {NAME}
    assert Message.objects.count() == 1
