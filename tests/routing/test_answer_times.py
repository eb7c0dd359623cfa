"""Answer times of chats: begun, paused, warned of, missed and ended with what happens to them (actions/clocks.py)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.hours import replace_department_hours
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.own_messages import delete_message
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, Contact, Message, Timer
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules import Status, Via
from apps.core.bus import DomainEvent
from apps.routing.actions.looks import look_at
from apps.routing.actions.retention import forget_old
from apps.routing.actions.settings import change_routing
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned
from apps.routing.models import QueueRow, SlaClock
from apps.routing.querysets.clocks import answer_times_of_chat, due_of_chats
from apps.webhooks.handlers import WEBHOOK_EVENTS
from tests.cast import Rival
from tests.client import ApiClient
from tests.handlers import also

pytestmark = pytest.mark.django_db
TIMES = [{"priority": "urgent", "first_reply": 5}, {"first_reply": 30, "next_reply": 60, "resolution": 240}]


@pytest.fixture(autouse=True)
def answer_times(shop: Widget) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": TIMES})


def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    also(monkeypatch, lambda event: found.append((type(event).__name__, event.metric)), AnswerTimeWarned)
    also(monkeypatch, lambda event: found.append((type(event).__name__, event.metric)), AnswerTimeMissed)
    return found


def ask(contact: Contact, body: str = "Where is my order?") -> int:
    return int(actions.post_client_message(contact=contact, content={"type": "text", "body": body}).message["id"])


def answer(chat: Chat, agent: Agent, body: str = "On its way.") -> int:
    content = {"type": "text", "body": body}
    posted = actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=agent.pk, content=content)
    return int(posted.message["id"])


def look(chat: Chat, minutes: float = 0) -> datetime:
    as_of = timezone.now() + timedelta(minutes=minutes)
    look_at(widget_id=chat.widget_id, chat_id=chat.pk, as_of=as_of)
    return as_of


def clocks(chat: Chat) -> list[tuple[str, str]]:
    rows = SlaClock.objects.filter(chat=chat).order_by("id")
    return [(row.metric, row.ended_by or ("running" if row.running_since else "paused")) for row in rows]


def rings(chat: Chat) -> str:
    found = Chat.objects.filter(pk=chat.pk).annotate(waits_since=waits_since(timezone.now()))
    return str(found.annotate(rings=rings_for()).get().rings)


def test_a_question_begins_a_first_reply_and_a_resolution_and_has_their_timers_due(ivan: Contact, chat: Chat) -> None:
    ask(ivan)
    look(chat)
    since = Message.objects.get(chat=chat).created_at
    assert clocks(chat) == [("first_reply", "running"), ("resolution", "running")]
    due = {(timer.kind, timer.key): timer.due_at - since for timer in Timer.objects.filter(chat=chat)}
    minutes = {key: round(moment.total_seconds() / 60) for key, moment in due.items()}
    assert minutes == {
        ("sla_warning", "first_reply"): 24,
        ("sla_breach", "first_reply"): 30,
        ("sla_warning", "resolution"): 192,
        ("sla_breach", "resolution"): 240,
    }


def test_a_second_look_writes_nothing(ivan: Contact, chat: Chat) -> None:
    ask(ivan)
    look(chat)
    chat.refresh_from_db()
    before = list(SlaClock.objects.values()), list(Timer.objects.values()), chat.version
    look(chat, 1)
    chat.refresh_from_db()
    assert (list(SlaClock.objects.values()), list(Timer.objects.values()), chat.version) == before


def test_an_answer_ends_the_reply_and_drops_its_timers(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    look(chat)
    answered_id = answer(chat, alice)
    look(chat)
    assert clocks(chat) == [("first_reply", "person"), ("resolution", "paused")]
    assert SlaClock.objects.get(metric="first_reply").ended_after_id == answered_id
    assert not Timer.objects.filter(chat=chat).exists()
    ask(ivan, "And the invoice?")
    look(chat)
    assert clocks(chat)[1:] == [("resolution", "running"), ("next_reply", "running")]


def test_a_warning_and_a_miss_are_told_once_each(monkeypatch: pytest.MonkeyPatch, ivan: Contact, chat: Chat) -> None:
    events = told(monkeypatch)
    ask(ivan)
    as_of = look(chat)
    run_due(as_of=as_of + timedelta(minutes=25))
    assert events == [("AnswerTimeWarned", "first_reply")]
    for minutes in (31, 32):
        run_due(as_of=as_of + timedelta(minutes=minutes))
        look(chat, minutes)
    assert events == [("AnswerTimeWarned", "first_reply"), ("AnswerTimeMissed", "first_reply")]


def test_a_missed_answer_time_rings_for_all_until_the_answer(ivan: Contact, chat: Chat, alice: Agent) -> None:
    Chat.objects.filter(pk=chat.pk).update(agent=alice)
    ask(ivan)
    look(chat)
    assert rings(chat) == "owner"
    look(chat, 31)
    assert rings(chat) == "all"
    answer(chat, alice)
    look(chat, 32)
    chat.refresh_from_db()
    assert (rings(chat), chat.answer_missed_at) == ("nobody", None)


def test_what_fails_after_a_miss_was_found_tells_it_again(
    monkeypatch: pytest.MonkeyPatch, ivan: Contact, chat: Chat
) -> None:
    """Killed before the transaction ends: nothing was told, and the timer is still there."""
    events = told(monkeypatch)
    ask(ivan)
    as_of = look(chat)
    with transaction.atomic():
        run_due(as_of=as_of + timedelta(minutes=31))
        transaction.set_rollback(True)
    events.clear()
    assert SlaClock.objects.filter(breached_at=None).count() == 2
    run_due(as_of=as_of + timedelta(minutes=31))
    assert events == [("AnswerTimeWarned", "first_reply"), ("AnswerTimeMissed", "first_reply")]


def _close(chat: Chat, alice: Agent) -> None:
    actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk, by_agent_id=alice.pk)


def _deal_with(chat: Chat, alice: Agent) -> None:
    actions.mark_as_dealt_with(widget_id=chat.widget_id, chat_id=chat.pk)


def _mark_as_spam(chat: Chat, alice: Agent) -> None:
    actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.SPAM, by_agent_id=alice.pk)


@pytest.mark.parametrize(("end", "by"), [(_close, "closed"), (_deal_with, "dealt_with"), (_mark_as_spam, "spam")])
def test_closing_dealing_with_and_spam_end_both(
    ivan: Contact, chat: Chat, alice: Agent, end: Callable[[Chat, Agent], None], by: str
) -> None:
    ask(ivan)
    look(chat)
    end(chat, alice)
    look(chat)
    assert clocks(chat) == [("first_reply", by), ("resolution", by)]
    assert not Timer.objects.filter(chat=chat).exists()


def test_the_sweep_ends_no_clock(ivan: Contact, chat: Chat) -> None:
    ask(ivan)
    look(chat)
    actions.sweep_chats(as_of=timezone.now() + timedelta(hours=1))
    look(chat, 20)
    assert clocks(chat) == [("first_reply", "running"), ("resolution", "running")]


def test_a_courtesy_begins_no_clock(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    answer(chat, alice)
    ask(ivan, "Спасибо! 👍")
    look(chat)
    assert clocks(chat) == [("first_reply", "person"), ("resolution", "paused")]


def test_a_snooze_pauses_all_but_the_first_reply_whose_warning_ends_it(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    snooze_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, until=None)
    look(chat)
    assert clocks(chat) == [("first_reply", "running"), ("resolution", "paused")]
    look(chat, 25)
    chat.refresh_from_db()
    assert chat.snoozed_at is None
    assert rings(chat) == "all"
    look(chat, 26)
    assert clocks(chat) == [("first_reply", "running"), ("resolution", "running")]


def test_a_next_reply_is_paused_while_the_chat_is_put_aside(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    answer(chat, alice)
    ask(ivan, "And the invoice?")
    look(chat)
    snooze_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, until=None)
    look(chat, 10)
    look(chat, 600)
    row = SlaClock.objects.get(metric="next_reply")
    assert (row.running_since, row.due_at, row.warned_at) == (None, None, None)
    assert row.used_seconds == pytest.approx(600, abs=5)


def test_another_priority_and_department_have_their_targets_from_the_same_begin(
    shop: Widget, sales: Department, ivan: Contact, chat: Chat
) -> None:
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes={"answer_times": [{"first_reply": 90}]})
    ask(ivan)
    look(chat)
    since = SlaClock.objects.get(metric="first_reply").since
    for changes, minutes in (({"priority": "urgent"}, 5), ({"priority": "low"}, 30), ({"department": sales}, 90)):
        Chat.objects.filter(pk=chat.pk).update(**changes)
        look(chat)
        row = SlaClock.objects.get(metric="first_reply")
        assert (row.since, row.target_minutes, _minutes(row)) == (since, minutes, minutes)
    resolution = SlaClock.objects.get(metric="resolution")
    assert (resolution.target_minutes, resolution.due_at) == (None, None)


def _minutes(row: SlaClock) -> int | None:
    return row.due_at and round((row.due_at - row.since).total_seconds() / 60)


def test_other_settings_hold_for_clocks_that_begin_later(shop: Widget, ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    look(chat)
    change_routing(
        widget_id=shop.pk, department_id=None, changes={"answer_times": [{"first_reply": 1, "next_reply": 7}]}
    )
    look(chat)
    assert SlaClock.objects.get(metric="first_reply").target_minutes == 30
    answer(chat, alice)
    ask(ivan, "And the invoice?")
    look(chat)
    assert SlaClock.objects.get(metric="next_reply").target_minutes == 7


def test_no_clock_begins_before_answer_times_were_switched_on(shop: Widget, ivan: Contact, chat: Chat) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": []})
    ask(ivan)
    look(chat)
    assert clocks(chat) == []
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": TIMES})
    switched_on_at = timezone.now()
    look(chat)
    assert abs((SlaClock.objects.get(metric="first_reply").since - switched_on_at).total_seconds()) < 5


def test_answer_times_that_are_switched_off_leave_nothing_due(shop: Widget, ivan: Contact, chat: Chat) -> None:
    ask(ivan)
    look(chat, 31)
    change_routing(widget_id=shop.pk, department_id=None, changes={"answer_times": []})
    chat.refresh_from_db()
    assert (clocks(chat), Timer.objects.count(), chat.answer_missed_at) == ([], 0, None)


def test_a_deleted_answer_lets_the_clock_run_on(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    look(chat)
    since = SlaClock.objects.get(metric="first_reply").since
    content = {"type": "text", "body": "Wrong window"}
    message_id = actions.post_agent_message(
        widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content=content, via=Via.CONSOLE
    ).message["id"]
    look(chat)
    assert clocks(chat)[0] == ("first_reply", "person")
    delete_message(widget_id=chat.widget_id, message_id=int(message_id), agent_id=alice.pk)
    look(chat)
    assert clocks(chat) == [("first_reply", "running"), ("resolution", "running")]
    assert SlaClock.objects.get(metric="first_reply").since == since


def test_changed_hours_have_the_running_clocks_due_anew(
    shop: Widget, sales: Department, ivan: Contact, chat: Chat
) -> None:
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    ask(ivan)
    look(chat)
    assert SlaClock.objects.get(metric="first_reply").due_at is not None
    QueueRow.objects.all().delete()
    replace_department_hours(widget_id=shop.pk, department_id=sales.pk, time_zone=None, week=[[]] * 7, exceptions=[])
    assert list(QueueRow.objects.values_list("chat_id", flat=True)) == [chat.pk]
    chat.refresh_from_db()
    version = chat.version
    look(chat)
    assert SlaClock.objects.get(metric="first_reply").due_at is None
    assert not Timer.objects.filter(chat=chat).exists()
    chat.refresh_from_db()
    assert chat.version > version, "lists show the row anew"


def test_the_clocks_of_a_chat_are_shown_as_they_are(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    as_of = look(chat)
    items = answer_times_of_chat(chat, as_of + timedelta(minutes=10))
    assert [(item["metric"], item["state"], item["target_minutes"]) for item in items] == [
        ("resolution", "running", 240),
        ("first_reply", "running", 30),
    ]
    assert items[1]["used_seconds"] == pytest.approx(600, abs=3)
    assert due_of_chats(chat.widget_id, [chat.pk])[chat.pk]["metric"] == "first_reply"
    answer(chat, alice)
    look(chat)
    assert due_of_chats(chat.widget_id, [chat.pk]) == {}
    assert [item["state"] for item in answer_times_of_chat(chat, as_of)] == ["paused", "ended"]


def test_a_chat_without_a_target_has_nothing_to_show(shop: Widget, ivan: Contact, chat: Chat) -> None:
    change_routing(
        widget_id=shop.pk, department_id=None, changes={"answer_times": [{"priority": "urgent", "first_reply": 5}]}
    )
    ask(ivan)
    as_of = look(chat)
    assert (answer_times_of_chat(chat, as_of), Timer.objects.count()) == ([], 0)
    Chat.objects.filter(pk=chat.pk).update(priority="urgent")
    look(chat)
    assert [item["metric"] for item in answer_times_of_chat(chat, as_of)] == ["first_reply"]


def test_the_webhooks_of_answer_times_name_the_answer_and_whose_chat_it_is(
    monkeypatch: pytest.MonkeyPatch, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    events: list[DomainEvent] = []
    also(monkeypatch, events.append, AnswerTimeWarned, AnswerTimeMissed)
    Chat.objects.filter(pk=chat.pk).update(agent=alice, priority="urgent")
    ask(ivan)
    look(chat, 6)
    due_at = SlaClock.objects.get(metric="first_reply").due_at
    body = {
        "chat_id": chat.pk,
        "client_id": ivan.guid,
        "metric": "first_reply",
        "due_at": f"{due_at:%Y-%m-%dT%H:%M:%S.%f}Z",
        "department_id": None,
        "operator_id": alice.pk,
        "priority": "urgent",
    }
    names = [WEBHOOK_EVENTS[type(event)] for event in events]
    assert [(name, data_of(event)) for event, (name, data_of) in zip(events, names, strict=True)] == [
        ("sla.warning", body),
        ("sla.breached", body),
    ]


def shown(api: ApiClient, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"/api/v1/stats/answer-times?{urlencode(query)}").json()["data"]
    return found


def test_the_figures_count_what_came_was_missed_and_was_given_up(
    api: ApiClient, shop: Widget, sales: Department, ivan: Contact, chat: Chat
) -> None:
    assert shown(api) == []
    begin = timezone.now() - timedelta(hours=5)
    told_at = begin + timedelta(minutes=31)
    cases: list[dict[str, Any]] = [
        *({"used_seconds": used, "ended_at": told_at, "ended_by": "person"} for used in (60, 120, 300)),
        {"used_seconds": 1900, "ended_at": told_at, "ended_by": "ai", "breached_at": told_at},
        {"used_seconds": 10, "ended_at": told_at, "ended_by": "closed"},
        {"target_minutes": None, "ended_at": told_at, "ended_by": "person"},
        {"running_since": begin, "due_at": told_at},  # missed by now, though nothing has told of it yet
    ]
    for case in cases:
        fields = {"metric": "next_reply", "target_minutes": 30, "warn_percent": 80, "priority": "normal", **case}
        SlaClock.objects.create(widget=shop, chat=chat, since=begin, department_id=sales.pk, **fields)
    SlaClock.objects.create(
        widget=shop,
        chat=chat,
        metric="resolution",
        since=begin - timedelta(days=2),
        target_minutes=240,
        warn_percent=80,
        priority="normal",
        used_seconds=77,
        paused_at=begin - timedelta(days=1),
    )
    of_sales = {
        "metric": "next_reply",
        "department_id": sales.pk,
        "count": 6,
        "met": 3,
        "missed": 2,
        "given_up": 1,
        "p50_seconds": 120,
        "p90_seconds": 1900,
    }
    silent = {"count": 1, "met": 1, "missed": 0, "given_up": 0, "p50_seconds": 77, "p90_seconds": 77}
    assert shown(api) == [of_sales, {"metric": "resolution", "department_id": None, **silent}]
    assert shown(api, department_id=sales.pk) == [of_sales]
    assert shown(api, **{"from": timezone.now().isoformat()}) == []


def test_figures_of_another_widgets_department_are_refused(api: ApiClient, rival: Rival) -> None:
    foreign = Department.objects.create(widget=rival.widget, name="Theirs")
    for department_id in (foreign.pk, 999_999):
        answered = api.get(f"/api/v1/stats/answer-times?department_id={department_id}")
        assert (answered.status_code, answered.json()["errors"]) == (
            422,
            {"department_id": ["There is no such department."]},
        )


def test_the_place_of_a_chat_over_the_api_has_its_answer_times(api: ApiClient, ivan: Contact, chat: Chat) -> None:
    ask(ivan)
    look(chat)
    items = api.get(f"/api/v1/chats/{chat.pk}/routing").json()["data"]["sla"]
    assert [(item["metric"], item["state"], item["ended_by"]) for item in items] == [
        ("resolution", "running", None),
        ("first_reply", "running", None),
    ]


def test_a_look_at_a_chat_with_running_clocks_asks_few_statements(ivan: Contact, chat: Chat) -> None:
    ask(ivan)
    look(chat)
    with CaptureQueriesContext(connection) as asked:
        look(chat, 1)
    assert len([each for each in asked if "SAVEPOINT" not in each["sql"]]) <= 16


def test_old_clocks_are_forgotten_and_those_that_run_are_not(ivan: Contact, chat: Chat, alice: Agent) -> None:
    ask(ivan)
    look(chat)
    later = timezone.now() + timedelta(days=91)
    assert forget_old(as_of=later) == 0
    answer(chat, alice)
    look(chat)
    assert (forget_old(as_of=timezone.now()), forget_old(as_of=later), SlaClock.objects.count()) == (0, 2, 0)
