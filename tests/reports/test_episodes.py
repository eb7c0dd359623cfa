"""The derived rows of episodes are at any moment as the raw rows tell (docs/adr/0030)."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Max
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.models import Chat, ChatActivity, Message
from apps.core.redis import connection as redis
from apps.reports.actions import episodes
from apps.reports.actions.episodes import EPISODES_BEHIND, caught_up, check, keep_episodes, rebuild
from apps.reports.models import DerivedChat, EpisodeProgress, EpisodeRow, StaleChat
from apps.reports.querysets.episodes import seconds_behind
from tests.cast import Rival
from tests.factories import ChatFactory, MessageFactory
from tests.reports.histories import BEGIN, HOUR, MadeUp
from tests.reports.plain import shown, told

pytestmark = pytest.mark.django_db
MOMENTS = [BEGIN + timedelta(days=days, seconds=1) for days in (20, 45, 60, 90, 400)]


def rows(widget: Widget, as_of: datetime) -> dict[int, dict[str, Any]]:
    return {row.pk: shown(row, as_of) for row in EpisodeRow.objects.for_widget(widget.pk)}


def assert_exact(widget: Widget, why: Any = None) -> None:
    """The rows are what the plain function says, as of a moment behind everything, and as of earlier ones."""
    said = Message.objects.filter(widget=widget).aggregate(Max("created_at"))["created_at__max"]
    done = ChatActivity.objects.filter(widget=widget).aggregate(Max("at"))["at__max"]
    after = max(said or BEGIN, done or BEGIN)
    for as_of in (after, after + 23 * HOUR, after + 25 * HOUR, after + 40 * 24 * HOUR):
        found, expected = rows(widget, as_of), told(widget.pk, as_of)
        assert found.keys() == expected.keys(), why
        for pk, episode in expected.items():
            assert found[pk] == episode, why


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_exact_after_each_change(shop: Widget, seed: int) -> None:
    made = MadeUp(shop, seed)
    caught_up(shop.pk)
    assert_exact(shop, "at first")
    for number in range(20):
        change = made.change()
        caught_up(shop.pk)
        assert_exact(shop, (seed, number, change))
        assert check(shop.pk).differ == 0
    assert rebuild(shop.pk).differ == 0


def test_the_job_and_a_rebuild_come_to_the_same(shop: Widget) -> None:
    made = MadeUp(shop, 100)
    keep_episodes()
    assert_exact(shop)
    made.change()
    keep_episodes()
    assert_exact(shop)
    assert not StaleChat.objects.exists()
    EpisodeRow.objects.all().delete()
    found = rebuild(shop.pk)
    assert (found.chats, found.episodes, found.differ) == (
        Chat.objects.count(),
        EpisodeRow.objects.count(),
        EpisodeRow.objects.count(),
    )
    assert_exact(shop)


def test_a_message_costs_no_note_and_is_found_by_its_number(shop: Widget) -> None:
    chat = ChatFactory.create(contact__widget=shop)
    MessageFactory.create(chat=chat)
    assert not StaleChat.objects.exists()
    caught_up(shop.pk)
    episode = EpisodeRow.objects.for_widget(shop.pk).get()
    MessageFactory.create(chat=chat, sender_kind="ai")
    assert not StaleChat.objects.exists()
    as_of = caught_up(shop.pk)
    assert EpisodeRow.objects.for_widget(shop.pk).get().messages_ai == episode.messages_ai + 1
    assert abs(as_of - timezone.now()) < timedelta(minutes=5)


def test_a_read_of_one_widget_leaves_the_others_as_they_are(shop: Widget, rival: Rival) -> None:
    for widget in (shop, rival.widget):
        MessageFactory.create(chat=ChatFactory.create(contact__widget=widget))
    caught_up(shop.pk)
    assert [row.widget_id for row in EpisodeRow.objects.all()] == [shop.pk]


@pytest.mark.parametrize("kind", ["closed", "waits", "dealt_with", "accepted"])
def test_steps_that_matter_are_noted(shop: Widget, kind: str) -> None:
    chat = ChatFactory.create(contact__widget=shop)
    ChatActivity.objects.create(widget=shop, chat=chat, kind=kind, after_message_id=0)
    noted = set(StaleChat.objects.values_list("widget_id", "chat_id"))
    assert noted == (set() if kind == "accepted" else {(shop.pk, chat.pk)})


def test_what_no_episode_shows_is_not_noted(shop: Widget) -> None:
    message = MessageFactory.create(chat__contact__widget=shop)
    Message.objects.filter(pk=message.pk).update(seen_at=timezone.now(), details={"translations": []}, delivery={})
    Chat.objects.filter(pk=message.chat_id).update(status="expired", version=7, waiting_since=timezone.now())
    assert not StaleChat.objects.exists()


def test_a_check_finds_a_row_that_is_another(shop: Widget, capsys: pytest.CaptureFixture[str]) -> None:
    MadeUp(shop, 7)
    call_command("rebuild_reports", "--widget", shop.guid, "--json")
    made = json.loads(capsys.readouterr().out)
    count = EpisodeRow.objects.for_widget(shop.pk).count()
    assert made == {"chats": Chat.objects.filter(widget=shop).count(), "episodes": count, "differ": count}
    call_command("rebuild_reports", "--check", "--json")
    assert json.loads(capsys.readouterr().out)["differ"] == 0

    first, second, *_ = EpisodeRow.objects.for_widget(shop.pk).order_by("pk")
    EpisodeRow.objects.filter(pk=first.pk).update(messages_visitor=first.messages_visitor + 1)
    second.delete()
    with pytest.raises(SystemExit) as ended:
        call_command("rebuild_reports", "--check", "--json")
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out)["differ"] == 2
    assert EpisodeRow.objects.for_widget(shop.pk).count() == count - 1, "it writes nothing"

    call_command("rebuild_reports", "--json")
    assert json.loads(capsys.readouterr().out) == made | {"differ": 2}
    call_command("rebuild_reports")
    assert capsys.readouterr().out == f"{made['chats']} chats, {count} episodes, 0 differ\n"


def test_a_check_trusts_what_a_read_would_derive_first(shop: Widget) -> None:
    MadeUp(shop, 8)
    caught_up(shop.pk)
    chat = Chat.objects.filter(widget=shop).order_by("pk")[0]
    MessageFactory.create(chat=chat)
    Message.objects.filter(chat__widget=shop).exclude(chat=chat).update(is_internal=True)
    assert check(shop.pk).differ == 0


def test_a_rebuild_of_a_widget_that_is_none() -> None:
    with pytest.raises(CommandError, match="there is no widget"):
        call_command("rebuild_reports", "--widget", "0" * 32)


def test_a_rebuild_takes_away_the_rows_of_chats_that_are_gone(shop: Widget) -> None:
    MadeUp(shop, 9)
    caught_up(shop.pk)
    Chat.objects.filter(widget=shop).delete()
    caught_up(shop.pk)
    assert not EpisodeRow.objects.exists()
    assert not DerivedChat.objects.exists()


def test_a_widget_that_cannot_be_derived_does_not_hold_the_others_up(
    shop: Widget, rival: Rival, monkeypatch: pytest.MonkeyPatch
) -> None:
    derived = episodes.derived

    def fail(widget_id: int, chat_ids: Any) -> Any:
        if widget_id == shop.pk:
            raise ValueError("a chat like no other")
        return derived(widget_id, chat_ids)

    for widget in (shop, rival.widget):
        MessageFactory.create(chat=ChatFactory.create(contact__widget=widget))
    monkeypatch.setattr(episodes, "derived", fail)
    keep_episodes()
    assert [row.widget_id for row in EpisodeRow.objects.all()] == [rival.widget.pk]
    assert EpisodeProgress.objects.get().caught_up_at is None
    monkeypatch.undo()
    keep_episodes()
    assert EpisodeRow.objects.count() == 2
    assert EpisodeProgress.objects.get().caught_up_at is not None


def test_how_far_the_rows_are_behind_is_measured(shop: Widget) -> None:
    keep_episodes()
    EpisodeProgress.objects.update(caught_up_at=timezone.now() - timedelta(minutes=3))
    assert 180 <= seconds_behind() < 300
    keep_episodes()
    assert 0 <= EPISODES_BEHIND._value.get() < 60


def test_derived_in_as_many_statements_however_many_chats_there_are(shop: Widget) -> None:
    def statements(count: int) -> int:
        for _ in range(count):
            MessageFactory.create(chat=ChatFactory.create(contact__widget=shop))
        with CaptureQueriesContext(connection) as captured:
            caught_up(shop.pk)
        return len(captured)

    assert statements(2) == statements(20)


def test_without_redis_nothing_changes(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    MadeUp(shop, 11)

    def away(*args: Any, **options: Any) -> Any:
        raise redis.RedisAway("it is away")

    monkeypatch.setattr(redis, "ask", away)
    caught_up(shop.pk)
    keep_episodes()
    monkeypatch.undo()
    assert_exact(shop)
