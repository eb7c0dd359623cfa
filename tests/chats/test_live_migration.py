"""The index that searches use is built while visitors and operators go on writing."""

import time
from collections.abc import Iterator
from threading import Thread

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from apps.chats import actions
from apps.chats.models import Contact, Message
from tests.factories import ContactFactory

BEFORE, WITH = "0011", "0012"
TEXT = {"type": "text", "body": "Здравствуйте"}
SEARCHED = "SELECT indexname FROM pg_indexes WHERE indexname IN ('chats_message_trigrams', 'chats_message_said')"


def migrate(target: str) -> None:
    call_command("migrate", "chats", target, verbosity=0)


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(SEARCHED)
        return {name for (name,) in cursor.fetchall()}


@pytest.fixture
def before_the_index(transactional_db: None) -> Iterator[None]:
    migrate(BEFORE)
    yield
    call_command("migrate", "chats", verbosity=0)


@pytest.fixture
def long_writer(before_the_index: None) -> Iterator[psycopg.Connection]:
    """Somebody else's transaction that has written a message and does not end."""
    message = Message.objects.get(pk=actions.post_client_message(contact=ContactFactory.create(), content=TEXT).id)
    with psycopg.connect(settings.DATABASE_URL, dbname=connection.settings_dict["NAME"]) as writer:
        writer.execute("UPDATE chats_message SET body = 'later' WHERE id = %s", [message.pk])
        yield writer


def is_building() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'")
        return cursor.fetchone() is not None


def test_messages_are_posted_while_their_index_is_built(long_writer: psycopg.Connection) -> None:
    def build() -> None:
        try:
            migrate(WITH)
        finally:
            connection.close()

    assert indexes() == {"chats_message_trigrams"}
    building = Thread(target=build)
    building.start()
    deadline = time.monotonic() + 30
    while not is_building():
        assert time.monotonic() < deadline
        assert building.is_alive()
        time.sleep(0.01)

    posted = actions.post_client_message(contact=Contact.objects.get(), content=TEXT)
    assert building.is_alive()
    long_writer.commit()
    building.join(60)
    assert indexes() == {"chats_message_said"}
    assert Message.objects.filter(pk=posted.id).exists()
