"""Deriving episodes beside posts, changes under way, other derivations, and kills (docs/adr/0030)."""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction

from apps.chats.actions.erasure import erase_contact
from apps.chats.models import Chat, Contact, Message
from apps.reports.actions import episodes
from apps.reports.actions.episodes import LATE_IDS, caught_up, check, keep_episodes, rebuild
from apps.reports.models import EpisodeProgress, EpisodeRow, StaleChat
from tests.factories import ChatFactory, MessageFactory, WidgetFactory
from tests.reports.histories import MadeUp
from tests.reports.test_episodes import assert_exact

pytestmark = pytest.mark.django_db(transaction=True)


def apart(what: Callable[[], Any]) -> Any:
    """Does something in a connection of its own, and waits for it."""

    def do() -> Any:
        try:
            return what()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        return other.submit(do).result(timeout=60)


def take_ids(count: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(nextval('chats_message_id_seq')) FROM generate_series(1, %s)", [count])


def settled() -> int:
    return EpisodeProgress.objects.get().settled_id


def test_messages_are_settled_once_who_wrote_then_has_ended() -> None:
    early = MessageFactory.create()
    take_ids(3 * LATE_IDS)
    with transaction.atomic():
        under_way = MessageFactory.create(chat=early.chat)
        take_ids(3 * LATE_IDS)
        for _ in range(3):
            apart(keep_episodes)
        assert early.pk <= settled() < under_way.pk or settled() == 0
    for _ in range(3):
        keep_episodes()
    assert settled() > under_way.pk
    assert EpisodeRow.objects.get().messages_visitor == 2


def test_a_number_that_is_stored_late_is_noted() -> None:
    first = MessageFactory.create()
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('chats_message_id_seq')")
        taken = cursor.fetchone()[0]
    take_ids(3 * LATE_IDS)
    for _ in range(3):
        keep_episodes()
    assert settled() > taken
    MessageFactory.create(pk=taken, chat=first.chat)
    assert StaleChat.objects.get().chat_id == first.chat_id
    caught_up(first.widget_id)
    assert EpisodeRow.objects.get().messages_visitor == 2


def test_a_number_that_is_stored_soon_is_not_settled_yet() -> None:
    first = MessageFactory.create()
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('chats_message_id_seq')")
        taken = cursor.fetchone()[0]
    take_ids(LATE_IDS // 2)
    for _ in range(3):
        keep_episodes()
    MessageFactory.create(pk=taken, chat=ChatFactory.create(contact__widget=first.widget))
    assert not StaleChat.objects.exists()
    assert settled() < taken
    caught_up(first.widget_id)
    assert EpisodeRow.objects.count() == 2


def test_messages_of_another_installation_are_noted_whatever_their_numbers() -> None:
    """An account that moves keeps its numbers: those of another cell may be above all that are given here."""
    first = MessageFactory.create()
    high = MessageFactory.create(pk=2**44 + 5, chat=ChatFactory.create(contact__widget=first.widget))
    assert StaleChat.objects.get().chat_id == high.chat_id
    for _ in range(3):
        keep_episodes()
    assert settled() <= first.pk
    assert EpisodeRow.objects.count() == 2
    MessageFactory.create(chat=high.chat)
    assert not StaleChat.objects.exists()
    caught_up(first.widget_id)
    assert sorted(EpisodeRow.objects.values_list("messages_visitor", flat=True)) == [1, 2]
    assert check(first.widget_id).differ == 0


def test_many_changes_of_a_chat_in_a_transaction_are_one_note() -> None:
    message = MessageFactory.create()
    with transaction.atomic():
        for body in ("One", "Two", "Three"):
            Message.objects.filter(pk=message.pk).update(body=body)
    assert StaleChat.objects.count() == 1
    Message.objects.filter(pk=message.pk).update(body="Four")
    assert StaleChat.objects.count() == 2, "the note of before may be taken away at this moment"


def test_a_change_under_way_is_derived_once_it_is_there() -> None:
    message = MessageFactory.create()
    with transaction.atomic():
        Message.objects.filter(pk=message.pk).update(is_internal=True)
        other = MessageFactory.create(chat=message.chat)
        apart(lambda: caught_up(message.widget_id))
        assert EpisodeRow.objects.get().pk == message.pk
    caught_up(message.widget_id)
    assert EpisodeRow.objects.get().pk == other.pk
    assert not StaleChat.objects.exists()


def test_a_change_while_rows_are_read_is_derived_by_the_next_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes behind the reading of raw rows, in front of the writing of what they tell."""
    message = MessageFactory.create()
    derived = episodes.derived

    def interrupted(widget_id: int, chat_ids: Any) -> Any:
        found = derived(widget_id, chat_ids)
        apart(lambda: Message.objects.filter(pk=message.pk).update(language="ru"))
        apart(lambda: MessageFactory.create(chat=message.chat))
        return found

    monkeypatch.setattr(episodes, "derived", interrupted)
    caught_up(message.widget_id)
    monkeypatch.undo()
    assert EpisodeRow.objects.get().language is None
    caught_up(message.widget_id)
    episode = EpisodeRow.objects.get()
    assert (episode.language, episode.messages_visitor) == ("ru", 2)


def test_everybody_at_once() -> None:
    """Reads, the job, a rebuild and a check beside posts, changes and an erasure: no double, no hole, no deadlock."""
    widget = WidgetFactory.create()
    made = MadeUp(widget, 21)
    ends = threading.Event()

    def until_the_end(what: Callable[[], Any]) -> Callable[[], None]:
        def repeat() -> None:
            try:
                while not ends.is_set():
                    what()
            finally:
                connection.close()

        return repeat

    def change() -> None:
        try:
            for _ in range(40):
                made.change()
        finally:
            ends.set()
            connection.close()

    differ: list[int] = []
    beside = [
        lambda: caught_up(widget.pk),
        keep_episodes,
        lambda: rebuild(widget.pk),
        lambda: differ.append(check(widget.pk).differ),
    ]
    with ThreadPoolExecutor(5) as pool:
        jobs = [pool.submit(until_the_end(what)) for what in beside]
        jobs.append(pool.submit(change))
        for job in jobs:
            job.result(timeout=120)
    assert set(differ) == {0}
    caught_up(widget.pk)
    assert_exact(widget)
    assert not StaleChat.objects.exists()


@pytest.mark.parametrize("killed_at", [1, 2, 3])
def test_a_rebuild_that_is_killed_leaves_whole_chats(killed_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    widget = WidgetFactory.create()
    MadeUp(widget, 31)
    monkeypatch.setattr(episodes, "BATCH", 2)
    noted = episodes._note_derived
    connections.close_all()
    child = os.fork()
    if child == 0:
        calls = 0

        def killed(*args: Any) -> None:
            nonlocal calls
            calls += 1
            noted(*args)
            if calls == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            episodes._note_derived = killed  # type: ignore[assignment]
            rebuild(widget.pk)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert check(widget.pk).differ == 0, "what is missing is still to be derived"
    caught_up(widget.pk)
    assert_exact(widget)


def test_an_erasure_takes_the_rows_along() -> None:
    widget = WidgetFactory.create()
    MadeUp(widget, 41)
    caught_up(widget.pk)
    contact = Contact.objects.filter(widget=widget).order_by("pk")[0]
    chats = list(Chat.objects.filter(contact=contact).values_list("pk", flat=True))
    assert EpisodeRow.objects.filter(chat_id__in=chats).exists()
    erase_contact(widget_id=widget.pk, guid=contact.guid)
    keep_episodes()
    assert not EpisodeRow.objects.filter(chat_id__in=chats).exists()
    assert_exact(widget)


def test_after_a_truncation_all_is_derived_anew() -> None:
    message = MessageFactory.create()
    for _ in range(2):
        keep_episodes()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE chats_message CASCADE")
    caught_up(message.widget_id)
    assert not EpisodeRow.objects.exists()
    assert settled() == 0
