"""Filling the index of searches within a test's transaction, and the table beside the messages."""

from __future__ import annotations

from django.db import connection

from apps.chats.actions.searches import follow
from apps.chats.models import Message, SearchedMessage, UnsearchedMessage


def take_ids(count: int) -> int:
    """Takes ids of messages that are never stored; the last of them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(nextval('chats_message_id_seq')) FROM generate_series(1, %s)", [count])
        (last,) = cursor.fetchone()
        return int(last)


def fill_index() -> None:
    """Reads all messages there are, as the job does once those who wrote them have ended."""
    up_to = take_ids(1)
    while follow(up_to):
        pass


def assert_index_is_whole() -> None:
    """The table has each visible message as it is, nothing else, and no note is left."""
    fields = ("widget_id", "chat_id", "body")
    visible = Message.objects.filter(is_internal=False).exclude(body="")
    expected = {pk: (widget, chat, body[:10_000]) for pk, widget, chat, body in visible.values_list("pk", *fields)}
    found = {pk: tuple(row) for pk, *row in SearchedMessage.objects.values_list("message_id", *fields)}
    assert found == expected
    assert not UnsearchedMessage.objects.exists()
