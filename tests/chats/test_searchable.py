"""What searches find, whatever becomes of a message: it is found as it is at once, and the job leaves the table of the
index as the messages are (docs/adr/0013)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.actions import retention, searches
from apps.chats.actions.searches import LATE_IDS, keep_searchable
from apps.chats.models import Chat, Message, SearchedMessage, SearchProgress, UnsearchedMessage
from apps.chats.querysets import search, search_page
from apps.chats.querysets.search import waiting_messages
from apps.chats.rules import Via
from tests.chats.searches import assert_index_is_whole, fill_index, take_ids
from tests.factories import ChatFactory, MessageFactory, WidgetFactory

ROSE, TULIP = "роза у дома", "тюльпан у дома"


@pytest.fixture(autouse=True)
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were so many chats that what is read of them is next to nothing: the index is asked."""
    monkeypatch.setattr(search, "READING_MS", 0)
    monkeypatch.setattr(search, "ASKING_MS", 60_000)


def found(widget: Widget, q: str) -> set[int]:
    return {row[0] for row in search_page(widget_id=widget.pk, filters={"q": q}, after=None, limit=100).rows}


def posted(widget: Widget, agent: Agent, body: str) -> Message:
    """An operator's message, as the console posts it."""
    chat = ChatFactory.create(contact__widget=widget)
    content = {"type": "text", "body": body}
    message = actions.post_agent_message(
        widget_id=widget.pk, chat_id=chat.pk, agent_id=agent.pk, content=content, via=Via.CONSOLE
    )
    return Message.objects.get(pk=message.id)


def edited(message: Message) -> None:
    assert message.agent_id is not None
    actions.edit_message(widget_id=message.widget_id, message_id=message.pk, agent_id=message.agent_id, body=TULIP)


def taken_back(message: Message) -> None:
    assert message.agent_id is not None
    actions.delete_message(widget_id=message.widget_id, message_id=message.pk, agent_id=message.agent_id)


def erased(message: Message) -> None:
    actions.erase_contact(widget_id=message.widget_id, guid=message.chat.contact.guid)


def kept_no_longer(message: Message) -> None:
    at = timezone.now() - timedelta(days=40)
    Chat.objects.filter(pk=message.chat_id).update(status="expired", created_at=at, last_message_at=at)
    retention.forget_batch(message.widget_id, {"chats": 30}, timezone.now())


def made_a_note(message: Message) -> None:
    Message.objects.filter(pk=message.pk).update(is_internal=True)


def chat_deleted(message: Message) -> None:
    message.chat.delete()


def widget_deleted(message: Message) -> None:
    message.widget.delete()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "after"),
    [
        (edited, (set(), True)),
        (taken_back, (set(), False)),
        (erased, (set(), False)),
        (kept_no_longer, (set(), False)),
        (made_a_note, (set(), False)),
        (chat_deleted, (set(), False)),
        (widget_deleted, (set(), False)),
    ],
)
def test_a_change_is_found_at_once_and_leaves_nothing(
    shop: Widget, alice: Agent, change: Callable[[Message], None], after: tuple[set[int], bool]
) -> None:
    message, other = posted(shop, alice, ROSE), posted(shop, alice, "лилия")
    fill_index()
    assert_index_is_whole()
    assert found(shop, "роза") == {message.chat_id}
    change(message)
    expected = after[0], {message.chat_id} if after[1] else set()
    assert (found(shop, "роза"), found(shop, "тюльпан")) == expected
    fill_index()
    assert_index_is_whole()
    assert (found(shop, "роза"), found(shop, "тюльпан")) == expected
    assert found(shop, "лилия") == ({other.chat_id} if Widget.objects.filter(pk=shop.pk).exists() else set())


@pytest.mark.django_db
@pytest.mark.parametrize("change", [erased, kept_no_longer, chat_deleted, widget_deleted])
def test_what_is_deleted_is_gone_from_the_table_in_the_same_transaction(
    shop: Widget, alice: Agent, change: Callable[[Message], None]
) -> None:
    message = posted(shop, alice, ROSE)
    fill_index()
    change(message)
    assert not SearchedMessage.objects.filter(message_id=message.pk).exists()


@pytest.mark.django_db
def test_a_visitors_edit_is_found(shop: Widget) -> None:
    chat, client_id = ChatFactory.create(contact__widget=shop, channel="tg"), uuid4()
    MessageFactory.create(chat=chat, body=ROSE, sender_kind="client", client_id=client_id)
    fill_index()
    actions.edit_client_message(
        contact=chat.contact, channel="tg", client_id=client_id, content={"body": TULIP}, at=timezone.now()
    )
    assert (found(shop, "роза"), found(shop, "тюльпан")) == (set(), {chat.pk})
    fill_index()
    assert_index_is_whole()


@pytest.mark.django_db
def test_a_message_that_goes_to_another_chat_or_widget_is_found_there(shop: Widget, alice: Agent) -> None:
    message, there = posted(shop, alice, ROSE), ChatFactory.create(contact__widget=shop)
    elsewhere = ChatFactory.create(contact__widget=WidgetFactory.create())
    fill_index()
    for chat in (there, elsewhere):
        Message.objects.filter(pk=message.pk).update(chat_id=chat.pk, widget_id=chat.widget_id)
        for _ in range(2):
            assert found(chat.widget, "роза") == {chat.pk}
            fill_index()
        assert_index_is_whole()
    assert found(shop, "роза") == set()


@pytest.mark.django_db
def test_messages_of_another_installation_are_searched_whatever_their_numbers(shop: Widget) -> None:
    """An account that moves keeps its numbers: those of another cell may be above all that are given here."""
    first = MessageFactory.create(chat__contact__widget=shop, body=ROSE)
    fill_index()
    take_ids(LATE_IDS)
    high = MessageFactory.create(pk=2**44 + 5, chat__contact__widget=shop, body=ROSE)
    low = MessageFactory.create(pk=first.pk - 1, chat__contact__widget=shop, body=ROSE)
    assert found(shop, "роза") == {first.chat_id, high.chat_id, low.chat_id}
    fill_index()
    assert_index_is_whole()
    assert found(shop, "роза") == {first.chat_id, high.chat_id, low.chat_id}


@pytest.mark.django_db
def test_a_post_writes_nothing_for_searches(shop: Widget, alice: Agent) -> None:
    fill_index()
    posted(shop, alice, ROSE)
    assert not SearchedMessage.objects.exists()
    assert not UnsearchedMessage.objects.exists()


@pytest.mark.django_db
def test_the_tables_are_not_logged() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' AND relname LIKE 'chats%%'"
        )
        names = {name for (name,) in cursor.fetchall()}
    assert names == {"chats_searchedmessage", "chats_unsearchedmessage", "chats_searchprogress"}


@pytest.mark.django_db
def test_after_a_crash_all_is_found_while_the_tables_are_filled_anew(
    shop: Widget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are empty then. One message a step, the newest first."""
    messages = [MessageFactory.create(chat__contact__widget=shop, body=ROSE) for _ in range(4)]
    fill_index()
    for model in (SearchedMessage, UnsearchedMessage, SearchProgress):
        model.objects.all().delete()
    monkeypatch.setattr(searches, "STEP", 1)
    everywhere, last_id = {message.chat_id for message in messages}, take_ids(1)
    assert found(shop, "роза") == everywhere
    steps = 0
    while searches.follow(last_id):
        steps += 1
        assert found(shop, "роза") == everywhere
    assert steps >= len(messages)
    assert_index_is_whole()
    assert waiting_messages() == 0


@pytest.mark.django_db
def test_all_messages_may_be_truncated(shop: Widget) -> None:
    MessageFactory.create(chat__contact__widget=shop, body=ROSE)
    fill_index()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("TRUNCATE chats_message CASCADE")
    assert found(shop, "роза") == set()
    assert_index_is_whole()
    assert not SearchProgress.objects.exists()


class TestJob:
    """The job beside others' transactions."""

    pytestmark = pytest.mark.django_db(transaction=True)

    def test_what_waits_is_settled_by_the_run_after_the_next(self) -> None:
        message = MessageFactory.create(body=ROSE)
        take_ids(2 * LATE_IDS)
        keep_searchable()
        assert not SearchedMessage.objects.exists()
        keep_searchable()
        assert_index_is_whole()
        assert found(message.widget, "роза") == {message.chat_id}
        assert waiting_messages() == LATE_IDS + 1

    def test_a_message_is_not_passed_by_while_its_writer_goes_on(self) -> None:
        chat = ChatFactory.create()
        take_ids(10)
        written, may_end = threading.Event(), threading.Event()

        def write() -> None:
            try:
                with transaction.atomic():
                    MessageFactory.create(chat=chat, body=ROSE)
                    written.set()
                    may_end.wait(60)
            finally:
                connection.close()

        writer = threading.Thread(target=write)
        writer.start()
        assert written.wait(60)
        take_ids(3 * LATE_IDS)
        for _ in range(3):
            keep_searchable()
        assert found(chat.widget, "роза") == set()
        may_end.set()
        writer.join(60)
        assert found(chat.widget, "роза") == {chat.pk}
        for _ in range(3):
            keep_searchable()
        assert_index_is_whole()
        assert found(chat.widget, "роза") == {chat.pk}

    def test_a_number_that_is_stored_late_is_noted(self) -> None:
        first = MessageFactory.create()
        taken = take_ids(1)
        take_ids(3 * LATE_IDS)
        for _ in range(3):
            keep_searchable()
        assert SearchProgress.objects.get().settled_id > taken  # type: ignore[operator]
        late = MessageFactory.create(pk=taken, chat=first.chat, body=ROSE)
        assert UnsearchedMessage.objects.get().message_id == late.pk
        assert found(first.widget, "роза") == {first.chat_id}
        keep_searchable()
        assert_index_is_whole()
        assert found(first.widget, "роза") == {first.chat_id}

    def test_a_change_while_the_job_reads_is_read_by_its_next_step(self) -> None:
        """It is committed after the job has read the message: its note stays."""
        message = MessageFactory.create(body=ROSE)
        changed, may_end = threading.Event(), threading.Event()

        def change() -> None:
            try:
                with transaction.atomic():
                    Message.objects.filter(pk=message.pk).update(body=TULIP)
                    changed.set()
                    may_end.wait(60)
            finally:
                connection.close()

        changer = threading.Thread(target=change)
        changer.start()
        assert changed.wait(60)
        fill_index()
        assert SearchedMessage.objects.get().body == ROSE
        may_end.set()
        changer.join(60)
        assert (found(message.widget, "роза"), found(message.widget, "тюльпан")) == (set(), {message.chat_id})
        fill_index()
        assert_index_is_whole()

    def test_two_runs_at_once_are_harmless(self) -> None:
        MessageFactory.create_batch(30, body=ROSE)
        last_id = take_ids(1)

        def run() -> None:
            try:
                while searches.follow(last_id):
                    pass
            finally:
                connection.close()

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert_index_is_whole()
