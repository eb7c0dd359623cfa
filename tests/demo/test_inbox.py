"""The inbox of a trial: an hour after the start it still has its open chats, and what people did with one stays."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.ai.models import Assistant
from apps.chats.actions import close_chat, post_agent_message
from apps.chats.actions.sweep import sweep_chats
from apps.chats.models import Chat
from apps.chats.rules import Status, Via
from apps.chats.rules.states import SWEEP_EVERY
from apps.core import plugins
from apps.demo import seeding
from apps.demo.data.inbox import EVERY, VISITORS, begin_inbox, move_inbox
from apps.demo.tasks import keep_inbox_open
from apps.kb.models import Rule
from tests.demo.test_seed_demo import rows

HOUR = timedelta(hours=1)


@pytest.fixture
def tea(db: None, settings: Settings, tmp_path: Path) -> dict[str, Any]:
    settings.PARLEY_HOME = tmp_path / "home"
    widget: dict[str, Any] = seeding.seed()["accounts"][0]["widgets"][0]
    return widget


def open_chats(tea: dict[str, Any]) -> list[Chat]:
    found = Chat.objects.for_widget(tea["id"]).filter(status__in=(Status.ACTIVE, Status.READY), internal=False)
    return list(found.exclude(last_message_at=None).select_related("contact", "last_message").order_by("id"))


def run(start: datetime, *, minutes: int = 60, moves: bool = True) -> datetime:
    """Beat's jobs over that time, each as often as it comes; returns its end."""
    for minute in range(1, minutes + 1):
        now = start + minute * EVERY
        if moves:
            move_inbox(now)
        if minute % (SWEEP_EVERY // EVERY) == 0:
            sweep_chats(as_of=now)
    return start + minutes * EVERY


def test_after_an_hour_eight_chats_in_four_languages_are_open(tea: dict[str, Any]) -> None:
    start = timezone.now()
    begin_inbox(start)
    end = run(start)
    found = open_chats(tea)
    assert len(found) >= 8
    assert len({chat.contact.attributes["widget_language"] for chat in found}) >= 4
    for chat in found:
        assert chat.last_message_at is not None
        assert timedelta(0) < end - chat.last_message_at <= timedelta(minutes=7)
        assert chat.messages.order_by("-id").values_list("created_at", flat=True)[0] == chat.last_message_at
    waiting = [chat for chat in found if chat.last_message and chat.last_message.sender_kind == "client"]
    assert 4 <= len(waiting) < len(found)


def test_without_the_beat_they_are_closed_and_the_next_start_opens_them(tea: dict[str, Any]) -> None:
    start = timezone.now()
    begin_inbox(start)
    end = run(start, moves=False)
    assert open_chats(tea) == []
    Chat.objects.unscoped("a test").filter(status=Status.EXPIRED, expired_at__gt=start).update(expired_at=end)
    begin_inbox(end)
    assert len(open_chats(tea)) == len(VISITORS)


def test_beat_has_the_job(tea: dict[str, Any]) -> None:
    begin_inbox(timezone.now() - HOUR)
    keep_inbox_open.run()
    ages = [timezone.now() - chat.last_message_at for chat in open_chats(tea)[-8:] if chat.last_message_at]
    assert max(ages) < timedelta(minutes=7)
    jobs = {job.task: job.every for app in plugins.installed() for job in app.plugin.jobs}
    assert jobs["apps.demo.tasks.keep_inbox_open"] == EVERY


def test_a_chat_that_a_person_took_in_hand_is_theirs(tea: dict[str, Any]) -> None:
    start = timezone.now()
    begin_inbox(start)
    answered, closed, spam = open_chats(tea)[-3:]
    text = {"type": "text", "body": "Good morning"}
    alice = tea["agents"][1]["id"]
    post_agent_message(widget_id=tea["id"], chat_id=answered.pk, content=text, agent_id=alice, via=Via.CONSOLE)
    close_chat(widget_id=tea["id"], chat_id=closed.pk)
    Chat.objects.unscoped("a test").filter(pk=spam.pk).update(status=Status.SPAM)
    rows_of = Chat.objects.for_widget(tea["id"]).filter(pk__in=(answered.pk, closed.pk, spam.pk)).order_by("id")
    before = list(rows_of.values("status", "last_message_at", "version"))
    assert move_inbox(start + HOUR) == len(VISITORS) - 3
    begin_inbox(start + HOUR)
    assert list(rows_of.values("status", "last_message_at", "version")) == before


def test_seed_demo_alone_makes_no_inbox_and_beat_adds_none(tea: dict[str, Any]) -> None:
    before = rows()
    assert move_inbox(timezone.now() + HOUR) == 0
    assert rows() == before


def test_a_second_start_makes_no_chat_twice(tea: dict[str, Any]) -> None:
    begin_inbox(timezone.now())
    count = Chat.objects.for_widget(tea["id"]).count()
    begin_inbox(timezone.now() + HOUR)
    assert Chat.objects.for_widget(tea["id"]).count() == count


def test_without_the_demo_nothing_is_made(db: None) -> None:
    begin_inbox(timezone.now())
    assert not Chat.objects.unscoped("a test").exists()


def test_the_tea_shops_ai_sells_tea(tea: dict[str, Any]) -> None:
    assistant = Assistant.objects.for_widget(tea["id"]).get(is_default=True)
    texts = [assistant.persona, assistant.greeting, *assistant.quick_phrases, *assistant.greeting_i18n.values()]
    texts += [phrase for phrases in assistant.quick_phrases_i18n.values() for phrase in phrases]
    texts += Rule.objects.for_widget(tea["id"]).values_list("content", flat=True)
    sold = " ".join(texts).casefold()
    assert [word for word in ("букет", "цвет", "роз", "bouquet", "flower", "strauß", "sträuß") if word in sold] == []
    assert {"чай", "tea", "tee"} <= set(sold.replace("?", " ").replace(".", " ").split())
