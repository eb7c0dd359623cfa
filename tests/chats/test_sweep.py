"""The idle sweep: every 5 minutes, by the age of a chat's last message."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from threading import Barrier

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats import actions, tasks
from apps.chats.actions import Swept, sweep
from apps.chats.events import ChatClosed, ChatUpdated
from apps.chats.models import Chat
from apps.core.bus import DomainEvent
from apps.core.endpoints.windows import MOSCOW
from tests.cast import Rival
from tests.factories import ChatFactory, MessageFactory, WidgetFactory
from tests.handlers import also
from tests.rows import snapshot

NOW = timezone.now()
SEVEN_MINUTES, MICROSECOND = timedelta(minutes=7), timedelta(microseconds=1)


def chat_silent_for(age: timedelta, status: str, widget: Widget) -> Chat:
    """A chat of that state whose last message was that old at NOW."""
    chat = ChatFactory.create(contact__widget=widget, status=status, expired_at=NOW if status == "expired" else None)
    MessageFactory.create(chat=chat, created_at=NOW - age)
    return chat


def status_of(chat: Chat) -> str:
    return Chat.objects.get(pk=chat.pk).status


def closed(chat: Chat) -> ChatClosed:
    return ChatClosed(widget_id=chat.widget_id, widget_guid=chat.widget.guid, chat_id=chat.pk, reason="expired")


AGES = {
    "7 minutes and 1 µs": SEVEN_MINUTES + MICROSECOND,
    "7 minutes": SEVEN_MINUTES,
    "1 µs short of 7 minutes": SEVEN_MINUTES - MICROSECOND,
    "just now": timedelta(0),
}


@pytest.mark.parametrize("age", AGES)
@pytest.mark.parametrize("status", ["active", "ready", "expired", "spam"])
def test_a_chat_expires_from_seven_minutes_on_and_is_active_before(
    shop: Widget, happened: list[DomainEvent], status: str, age: str
) -> None:
    chat = chat_silent_for(AGES[age], status, shop)
    idle = AGES[age] >= SEVEN_MINUTES
    after = status if status == "spam" else "expired" if idle else "active"
    swept = actions.sweep_chats(as_of=NOW)
    assert status_of(chat) == after
    moved = status != after
    assert swept == Swept(expired=moved and idle, reactivated=moved and not idle)
    assert happened.count(closed(chat)) == (moved and idle), "every move into expired emits chat.closed, and no other"
    assert happened.count(ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk)) == moved
    assert Chat.objects.get(pk=chat.pk).version == chat.version + moved


@pytest.mark.parametrize("status", ["active", "ready", "expired", "spam"])
def test_a_chat_without_messages_is_left_alone(shop: Widget, happened: list[DomainEvent], status: str) -> None:
    ChatFactory.create(
        contact__widget=shop,
        status=status,
        created_at=NOW - timedelta(days=1),
        expired_at=NOW if status == "expired" else None,
    )
    before = snapshot()
    assert actions.sweep_chats(as_of=NOW) == Swept(expired=0, reactivated=0)
    assert (snapshot(), happened) == (before, [])


def test_a_chat_closed_while_it_was_talked_in_is_active_after_the_next_sweep(shop: Widget) -> None:
    chat = chat_silent_for(timedelta(minutes=1), "active", shop)
    actions.close_chat(widget_id=shop.pk, chat_id=chat.pk)
    actions.sweep_chats(as_of=NOW)
    assert status_of(chat) == "active"


def test_every_widget_is_swept(shop: Widget, rival: Rival) -> None:
    chats = [chat_silent_for(SEVEN_MINUTES, "active", widget) for widget in (shop, rival.widget)]
    actions.sweep_chats(as_of=NOW)
    assert [status_of(chat) for chat in chats] == ["expired", "expired"]


def test_a_second_sweep_finds_nothing_to_do(shop: Widget, happened: list[DomainEvent]) -> None:
    chat_silent_for(SEVEN_MINUTES, "active", shop)
    chat_silent_for(timedelta(0), "expired", shop)
    assert actions.sweep_chats(as_of=NOW) == Swept(expired=1, reactivated=1)
    happened.clear()
    assert actions.sweep_chats(as_of=NOW) == Swept(expired=0, reactivated=0)
    assert happened == []


def test_more_chats_than_a_batch_holds(
    shop: Widget, happened: list[DomainEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "BATCH", 3)
    idle = [chat_silent_for(SEVEN_MINUTES, "active", shop) for _ in range(7)]
    talking = [chat_silent_for(timedelta(0), "ready", shop) for _ in range(6)]
    assert actions.sweep_chats(as_of=NOW) == Swept(expired=7, reactivated=6)
    assert {status_of(chat) for chat in idle} == {"expired"}
    assert {status_of(chat) for chat in talking} == {"active"}
    assert Counter(e for e in happened if isinstance(e, ChatClosed)) == Counter(closed(chat) for chat in idle)


def test_a_failure_while_a_batch_is_told_leaves_the_batch_as_it_was(
    shop: Widget, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = chat_silent_for(SEVEN_MINUTES, "active", shop)

    def fail(_: DomainEvent) -> None:
        raise RuntimeError("a handler failed")

    also(monkeypatch, fail, ChatClosed)
    with pytest.raises(RuntimeError, match="a handler failed"):
        actions.sweep_chats(as_of=NOW)
    assert status_of(chat) == "active"


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_once_emit_each_closing_once(happened: list[DomainEvent]) -> None:
    widget = WidgetFactory.create()
    idle = [chat_silent_for(SEVEN_MINUTES, "active", widget) for _ in range(40)]
    talking = [chat_silent_for(timedelta(0), "expired", widget) for _ in range(10)]
    sweeps = 4
    barrier = Barrier(sweeps)

    def sweep_once(_: int) -> Swept:
        barrier.wait(timeout=30)
        try:
            return actions.sweep_chats(as_of=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(sweeps) as sweepers:
        swept = list(sweepers.map(sweep_once, range(sweeps)))
    actions.sweep_chats(as_of=NOW)  # what a sweep left because another held it
    assert sum(one.expired for one in swept) <= len(idle)
    assert Counter(e for e in happened if isinstance(e, ChatClosed)) == Counter(closed(chat) for chat in idle)
    updated = [ChatUpdated(widget_id=widget.pk, chat_id=chat.pk) for chat in idle + talking]
    assert Counter(e for e in happened if isinstance(e, ChatUpdated)) == Counter(updated)


@pytest.mark.django_db(transaction=True)
def test_a_chat_that_somebody_holds_is_left_to_the_next_sweep() -> None:
    widget = WidgetFactory.create()
    held, free = (chat_silent_for(SEVEN_MINUTES, "active", widget) for _ in range(2))

    def sweep_apart() -> Swept:
        try:
            return actions.sweep_chats(as_of=NOW)
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as apart:
        Chat.objects.select_for_update().get(pk=held.pk)
        assert apart.submit(sweep_apart).result(timeout=30) == Swept(expired=1, reactivated=0)
    assert (status_of(held), status_of(free)) == ("active", "expired")
    assert actions.sweep_chats(as_of=NOW) == Swept(expired=1, reactivated=0)


class TestEntryPoints:
    def run(self, *arguments: str) -> str:
        out = StringIO()
        call_command("sweep_chats", *arguments, stdout=out)
        return out.getvalue().strip()

    def test_the_command_sweeps_now(self, shop: Widget) -> None:
        chat_silent_for(SEVEN_MINUTES, "active", shop)
        talked_in = MessageFactory.create(chat__contact__widget=shop).chat
        assert self.run() == "expired 1, reactivated 0"
        assert status_of(talked_in) == "active"

    @pytest.mark.parametrize("with_offset", [True, False])
    def test_the_command_sweeps_as_of_a_moment_in_moscow(self, shop: Widget, with_offset: bool) -> None:
        chat = chat_silent_for(SEVEN_MINUTES, "active", shop)
        moment = NOW.astimezone(MOSCOW) if with_offset else NOW.astimezone(MOSCOW).replace(tzinfo=None)
        assert self.run("--as-of", (moment - MICROSECOND).isoformat()) == "expired 0, reactivated 0"
        assert self.run("--as-of", moment.isoformat()) == "expired 1, reactivated 0"
        assert status_of(chat) == "expired"

    def test_the_command_refuses_what_is_no_moment(self, db: None) -> None:
        with pytest.raises(CommandError, match="yesterday"):
            self.run("--as-of", "yesterday")

    def test_beats_task_sweeps_now(self, shop: Widget) -> None:
        chat = chat_silent_for(SEVEN_MINUTES, "active", shop)
        tasks.sweep_chats()
        assert status_of(chat) == "expired"
