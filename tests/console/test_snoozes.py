"""Chats that are put aside: they leave all lists, ring nobody, and come back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, Timer
from apps.chats.rules import Via
from apps.console.querysets import View, inbox_page, inbox_rows, waiting_for
from tests.console.browser import Console
from tests.factories import AgentFactory, MessageFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(chat: Chat, alice: Agent) -> Chat:
    """Nina waits for an answer in a chat of nobody."""
    message = MessageFactory.create(chat=chat)
    Chat.objects.update(waiting_since=message.created_at)
    return chat


def views(chat: Chat, agent: Agent) -> set[str]:
    return {
        str(view)
        for view in View
        if any(row["id"] == chat.pk for row in inbox_page(widget_id=chat.widget_id, agent_id=agent.pk, view=view).data)
    }


def snooze(console: Console, chat: Chat, until: Any = None) -> Any:
    return console.post(f"/chats/{chat.pk}/snooze", json={"until": until.isoformat() if until else None})


def row_of(chat: Chat) -> dict[str, Any]:
    (row,) = inbox_rows(chat.widget_id, [chat.pk])
    return row


def test_it_leaves_all_lists_but_one_and_rings_nobody(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    assert views(waiting, alice) == {"open", "unanswered"}
    answer = snooze(alices_console, waiting)
    row = answer.json()["data"]
    assert (row["snooze"]["until"], row["snooze"]["by"], row["waits_since"]) == (None, alice.pk, None)
    assert (views(waiting, alice), row["rings_for"], waiting_for(alice).count) == ({"snoozed"}, "nobody", 0)


def test_the_visitors_word_brings_it_back_waiting_since_before(
    waiting: Chat, alice: Agent, alices_console: Console
) -> None:
    since = row_of(waiting)["waits_since"]
    snooze(alices_console, waiting)
    actions.post_client_message(contact=waiting.contact, content={"type": "text", "body": "Still there?"})
    row = row_of(waiting)
    assert (row["snooze"], row["waits_since"], row["rings_for"]) == (None, since, "all")
    assert row["back_since"] == row["last_message_at"]
    actions.post_client_message(contact=waiting.contact, content={"type": "text", "body": "Hello?"})
    assert row_of(waiting)["back_since"] == row["back_since"], "since the first word"
    assert views(waiting, alice) == {"open", "unanswered"}


def test_its_time_brings_it_back_though_it_was_closed_by_itself(
    waiting: Chat, alice: Agent, alices_console: Console
) -> None:
    actions.mark_as_dealt_with(widget_id=waiting.widget_id, chat_id=waiting.pk)
    snooze(alices_console, waiting, timezone.now() + timedelta(hours=1))
    Chat.objects.update(status="expired", expired_at=timezone.now() - timedelta(days=2))
    assert views(waiting, alice) == {"snoozed"}
    until = Chat.objects.get(pk=waiting.pk).snoozed_until
    assert until is not None
    assert run_due(as_of=until - timedelta(seconds=1)) == {}
    assert (views(waiting, alice), row_of(waiting)["back_since"]) == ({"snoozed"}, None)
    version = row_of(waiting)["version"]
    assert [run_due(as_of=until), run_due(as_of=until)] == [{"snooze": 1}, {}]
    assert (views(waiting, alice), row_of(waiting)["back_since"]) == ({"open", "closed"}, until)
    assert row_of(waiting)["version"] == version + 1


def test_a_snooze_that_was_replaced_does_not_end_by_the_first_ones_time(
    waiting: Chat, alice: Agent, alices_console: Console
) -> None:
    soon = timezone.now() + timedelta(hours=1)
    for until in (soon, soon + timedelta(hours=1)):
        snooze(alices_console, waiting, until)
        assert Timer.objects.get(chat=waiting).due_at == until
    assert (run_due(as_of=soon), views(waiting, alice)) == ({}, {"snoozed"})
    snooze(alices_console, waiting, soon)
    snooze(alices_console, waiting)
    assert (run_due(as_of=soon), views(waiting, alice)) == ({}, {"snoozed"})


def test_the_timer_of_a_snooze_that_is_over_leaves_the_chat_as_it_is(
    waiting: Chat, alice: Agent, alices_console: Console
) -> None:
    until = timezone.now() + timedelta(hours=1)
    snooze(alices_console, waiting, until)
    alices_console.post(f"/chats/{waiting.pk}/wake")
    version = row_of(waiting)["version"]
    assert run_due(as_of=until) == {"snooze": 1}
    assert (row_of(waiting)["version"], row_of(waiting)["back_since"]) == (version, None)


def test_after_a_machines_word_its_time_is_no_return(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    until = timezone.now() + timedelta(hours=1)
    snooze(alices_console, waiting, until)
    text = {"type": "text", "body": "Here I am."}
    actions.post_agent_message(
        widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=alice.pk, content=text, via=Via.LEGACY_BOT
    )
    assert run_due(as_of=until) == {"snooze": 1}
    assert (row_of(waiting)["snooze"], row_of(waiting)["back_since"]) == (None, None)
    actions.post_client_message(contact=waiting.contact, content=text)
    assert row_of(waiting)["back_since"] is None


def test_a_persons_word_ends_it_and_is_no_return(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    snooze(alices_console, waiting)
    actions.post_agent_message(
        widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=alice.pk, content={"type": "text", "body": "Hello"}
    )
    row = row_of(waiting)
    assert (row["snooze"], row["back_since"]) == (None, None)


def test_a_note_leaves_it_aside(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    snooze(alices_console, waiting)
    actions.post_note(
        widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=alice.pk, content={"type": "text", "body": "Monday"}
    )
    assert views(waiting, alice) == {"snoozed"}


def test_a_transfer_ends_it(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    colleague = AgentFactory.create(widget=waiting.widget)
    snooze(alices_console, waiting)
    actions.transfer_chat(widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=colleague.pk)
    assert (row_of(waiting)["snooze"], row_of(waiting)["back_since"]) == (None, None)


def test_it_is_woken(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    snooze(alices_console, waiting)
    for _ in range(2):
        answer = alices_console.post(f"/chats/{waiting.pk}/wake")
        assert (answer.status_code, answer.json()["data"]["snooze"]) == (200, None)
    assert views(waiting, alice) == {"open", "unanswered"}


def test_spam_is_refused_and_so_is_a_moment_that_is_past_or_too_far(waiting: Chat, alices_console: Console) -> None:
    for until in (timezone.now() - timedelta(minutes=1), timezone.now() + timedelta(days=91)):
        answer = snooze(alices_console, waiting, until)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["until"])
    Chat.objects.update(status="spam")
    assert snooze(alices_console, waiting).json()["code"] == "chat_is_spam"
    waiting.refresh_from_db()
    assert waiting.snoozed_at is None


def test_another_widgets_chat_is_404(alices_console: Console, rival: Any, shop: Widget) -> None:
    assert snooze(alices_console, rival.chat).status_code == 404


def test_a_persons_word_ends_a_snooze_for_good_before_any_job(
    waiting: Chat, alice: Agent, alices_console: Console
) -> None:
    snooze(alices_console, waiting, timezone.now() + timedelta(hours=1))
    text = {"type": "text", "body": "Here I am."}
    actions.post_agent_message(widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=alice.pk, content=text)
    Chat.objects.filter(snoozed_until__isnull=False).update(snoozed_until=timezone.now() - timedelta(seconds=5))
    assert (row_of(waiting)["snooze"], row_of(waiting)["back_since"]) == (None, None)
    actions.post_client_message(contact=waiting.contact, content=text)
    assert row_of(waiting)["back_since"] is None, "nor by the visitor's next word"
    assert run_due(as_of=timezone.now() + timedelta(hours=2))["snooze"] == 1
    assert row_of(waiting)["back_since"] is None, "nor by its time"


def test_a_machines_word_ends_no_snooze_for_good(waiting: Chat, alice: Agent, alices_console: Console) -> None:
    snooze(alices_console, waiting, timezone.now() + timedelta(hours=1))
    text = {"type": "text", "body": "Here I am."}
    actions.post_agent_message(
        widget_id=waiting.widget_id, chat_id=waiting.pk, agent_id=alice.pk, content=text, via=Via.LEGACY_BOT
    )
    assert Chat.objects.get(pk=waiting.pk).snoozed_at is not None
