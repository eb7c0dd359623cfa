"""What migrations write into rows of before: each is made, carried back, brought forward, and looked at.

It is done in a copy of the database, so that a step that fails leaves nothing to the tests after it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, Timer
from apps.chats.rules import Status
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.letters.models import InLetter
from apps.letters.rules.mailboxes import Door, LetterKind
from tests.factories import AgentFactory, ChatFactory, MessageFactory

pytestmark = pytest.mark.slow
WAITS_SINCE = timezone.now() - timedelta(hours=3)
BEFORE, AFTER = WAITS_SINCE - timedelta(hours=1), WAITS_SINCE + timedelta(hours=1)


@pytest.fixture
def copied(transactional_db: None) -> Iterator[None]:
    """Everything of this test happens in a database of its own, that has all migrations."""
    name = connection.settings_dict["NAME"]
    copy = f"{name}_copied"
    connection.close()
    with psycopg.connect(settings.DATABASE_URL, dbname="postgres", autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{copy}"')
        server.execute(f'CREATE DATABASE "{copy}" TEMPLATE "{name}"')
        connection.settings_dict["NAME"] = copy
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = name
            server.execute(f'DROP DATABASE "{copy}" WITH (FORCE)')


def back_and_forward(app: str, before: str, *, part: str = "for_people_since") -> None:
    """The schema as it was with `before` as the newest migration of `app`, and as it is now.

    `part` is a column or an index that the chats have since a migration of theirs after `before`.
    """
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate([(app, before)])
    with connection.cursor() as cursor:
        named = (
            "SELECT FROM pg_attribute WHERE attname = %(part)s UNION ALL SELECT FROM pg_class WHERE relname = %(part)s"
        )
        cursor.execute(named, {"part": part})
        assert (cursor.fetchone() is None) is (app == "chats")
    MigrationExecutor(connection).migrate(newest)


def chat_of(written_at: datetime | None, via: str = "offline_form", **fields: Any) -> Chat:
    """A chat that waits, with a word of its visitor; `fields` are its own."""
    chat = ChatFactory.create()
    if written_at:
        MessageFactory.create(chat=chat, via=via, created_at=written_at)
    Chat.objects.unscoped("a chat of this test").filter(pk=chat.pk).update(
        **{"waiting_since": WAITS_SINCE, "for_people_since": None, **fields}
    )
    return chat


def marks(chats: dict[str, Chat]) -> dict[str, datetime | None]:
    found = dict(Chat.objects.unscoped("chats of this test").values_list("pk", "for_people_since"))
    return {name: found[chat.pk] for name, chat in chats.items()}


CLOSED, LEFT = {"status": Status.EXPIRED}, {"left_unanswered_at": AFTER}


def test_chats_0021_marks_the_chats_whose_visitor_left_a_form_for_people(copied: None) -> None:
    marked = {
        "open": chat_of(AFTER),
        "ready": chat_of(AFTER, status=Status.READY),
        "closed without an answer": chat_of(AFTER, **CLOSED, **LEFT),
        "in the moment since which it waits": chat_of(WAITS_SINCE),
    }
    others = {
        "closed, answered": chat_of(AFTER, **CLOSED),
        "a form that was answered before": chat_of(BEFORE),
        "another word": chat_of(AFTER, via="widget"),
        "no word": chat_of(None),
        "waits for nobody": chat_of(AFTER, waiting_since=None),
    }
    back_and_forward("chats", "0020_desksettings_attribute_kinds")
    assert marks(marked) == dict.fromkeys(marked, WAITS_SINCE)
    assert marks(others) == dict.fromkeys(others)


def letter(chat: Chat, *, is_for_people: bool) -> Chat:
    """The chat's word came by a letter."""
    message = chat.messages.get()
    InLetter.objects.create(
        widget=chat.widget,
        door=Door.HOOK,
        kind=LetterKind.MESSAGE,
        chat=chat,
        message=message,
        is_for_people=is_for_people,
        handled_at=message.created_at,
    )
    return chat


def test_letters_0005_marks_the_chats_whose_visitor_mailed_words_for_people(copied: None) -> None:
    marked = {
        "open": letter(chat_of(AFTER, via="mail"), is_for_people=True),
        "closed without an answer": letter(chat_of(AFTER, via="mail", **CLOSED, **LEFT), is_for_people=True),
    }
    others = {
        "AI answers it": letter(chat_of(AFTER, via="mail"), is_for_people=False),
        "closed, answered": letter(chat_of(AFTER, via="mail", **CLOSED), is_for_people=True),
        "answered before": letter(chat_of(BEFORE, via="mail"), is_for_people=True),
        "no letter": chat_of(AFTER, via="widget"),
    }
    back_and_forward("letters", "0004_mailcheck")
    assert marks(marked) == dict.fromkeys(marked, WAITS_SINCE)
    assert marks(others) == dict.fromkeys(others)


UNTIL = timezone.now() + timedelta(hours=5)
SNOOZED = WAITS_SINCE.replace(microsecond=120_300)


def timers(kind: TimerKind) -> dict[int, tuple[datetime, str]]:
    rows = Timer.objects.unscoped("timers of this test").filter(kind=kind)
    return {chat_id: (due_at, anchor) for chat_id, due_at, anchor in rows.values_list("chat", "due_at", "anchor")}


def test_chats_0027_sets_the_timers_of_snoozed_chats(copied: None) -> None:
    whole = SNOOZED.replace(microsecond=0)
    timed = {
        "a fraction of a second": chat_of(None, snoozed_at=SNOOZED, snoozed_until=UNTIL),
        "a whole second": chat_of(None, snoozed_at=whole, snoozed_until=UNTIL),
    }
    for_ever = chat_of(None, snoozed_at=SNOOZED, snoozed_until=None)
    chat_of(None)
    back_and_forward("chats", "0026_nobody_waits", part="chats_chat_queued")
    assert timers(TimerKind.SNOOZE) == {
        timed["a fraction of a second"].pk: (UNTIL, moment_anchor(SNOOZED)),
        timed["a whole second"].pk: (UNTIL, moment_anchor(whole)),
    }
    run_due(as_of=UNTIL + timedelta(seconds=1))
    aside = Chat.objects.unscoped("chats of this test").filter(snoozed_at__isnull=False)
    assert list(aside.values_list("pk", flat=True)) == [for_ever.pk], "the timers name the snooze that is to end"


def test_chats_0027_looks_at_the_chats_of_absent_owners(copied: None) -> None:
    def owned(agent: dict[str, Any], **fields: Any) -> Chat:
        chat = chat_of(AFTER)
        owner = AgentFactory.create(widget=chat.widget, **agent)
        Chat.objects.unscoped("a chat of this test").filter(pk=chat.pk).update(agent=owner, **fields)
        return chat

    offline, here = {"online_since": None}, {"online_since": BEFORE}
    looked_at = {
        "offline": owned(offline),
        "on a break": owned({**here, "status": "relaxation"}),
        "ready": owned(offline, status=Status.READY),
        "closed without an answer": owned(offline, **CLOSED, **LEFT),
        "known already": owned(offline),
    }
    others = {"here": owned(here), "closed": owned(offline, **CLOSED), "nobody's": chat_of(AFTER)}
    known = looked_at["known already"]
    Timer.objects.create(widget=known.widget, chat=known, kind=TimerKind.OWNER_AWAY, anchor="set", due_at=UNTIL)
    begun = timezone.now()
    back_and_forward("chats", "0026_nobody_waits", part="chats_chat_queued")
    found = timers(TimerKind.OWNER_AWAY)
    assert found.keys() == {chat.pk for chat in looked_at.values()}
    assert not found.keys() & {chat.pk for chat in others.values()}
    assert found.pop(known.pk) == (UNTIL, "set")
    assert {anchor for _, anchor in found.values()} == {"upgrade"}
    assert all(begun <= due_at <= timezone.now() for due_at, _ in found.values()), "at once"
