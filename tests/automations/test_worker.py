"""A chat's events are judged in their order, each once; automations act in theirs, and stop by stop and by limits."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.automations.actions.worker import judge_due
from apps.automations.dashboard import figures
from apps.automations.models import Automation, AutomationEvent, AutomationRun
from apps.automations.rules.limits import MAX_RUNS_DAILY, MAX_RUNS_HOURLY
from apps.chats import actions
from apps.chats.actions.priorities import set_priority
from apps.chats.models import Chat, ChatActivity, Contact
from apps.chats.questions import is_being_judged
from apps.chats.rules import Status
from apps.chats.rules.priorities import Priority
from apps.core.cabinet import Board, Figure
from apps.core.observability.metrics import AUTOMATION_RUNS
from tests.automations.served import URGENT, automation, pending, priority, tags
from tests.factories.automations import AutomationRunFactory

pytestmark = pytest.mark.django_db


def ran() -> list[tuple[str, str]]:
    return list(AutomationRun.objects.order_by("pk").values_list("name", "state"))


def tag(name: str) -> dict[str, Any]:
    return {"do": "tag", "name": name}


def says(word: str) -> dict[str, Any]:
    return {"field": "text", "op": "contains", "value": word}


def write(contact: Contact, text: str = "Hello") -> None:
    actions.post_client_message(contact=contact, content={"type": "text", "body": text})


def test_one_acts_where_its_condition_holds_and_says_why(
    shop: Widget, ivan: Contact, chat: Chat, django_capture_on_commit_callbacks: Any
) -> None:
    made = automation(shop, URGENT, tag("refund"), event="visitor.wrote", condition=says("refund"), name="Refunds")
    before = AUTOMATION_RUNS.labels("done")._value.get()
    write(ivan)
    assert (judge_due(), ran(), priority(chat)) == (1, [], "normal")
    write(ivan, "I want a REFUND")
    with django_capture_on_commit_callbacks(execute=True):
        judge_due()
    run = AutomationRun.objects.get()
    assert (priority(chat), tags(chat), pending()) == ("urgent", ["refund"], [])
    assert (run.automation_id, run.version, run.chat_id, run.depth) == (made.pk, 1, chat.pk, 1)
    assert (run.trigger, run.state) == ({"event": "visitor.wrote"}, "done")
    assert run.why == [{"field": "text", "op": "contains", "value": "refund", "was": None, "held": True}]
    assert run.did == [
        {"do": "priority", "result": "done", "why": None},
        {"do": "tag", "result": "done", "why": None},
    ]
    step = ChatActivity.objects.get(kind="automation")
    assert (step.comment, step.run_id, step.version, step.agent_id) == ("Refunds", run.pk, 1, None)
    assert AUTOMATION_RUNS.labels("done")._value.get() == before + 1


def test_they_act_in_their_order_and_each_sees_what_those_before_did(shop: Widget, ivan: Contact, chat: Chat) -> None:
    is_urgent = {"field": "priority", "op": "is", "value": "urgent"}
    automation(shop, tag("late"), event="visitor.wrote", name="second", position=2, condition=is_urgent)
    automation(shop, event="visitor.wrote", name="first", position=1)
    automation(shop, tag("early"), event="visitor.wrote", name="none", position=0, condition=is_urgent)
    write(ivan)
    judge_due()
    assert ([name for name, _ in ran()], tags(chat)) == (["first", "second"], ["late"])


def test_stop_keeps_the_later_ones_from_this_event_alone(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, tag("no"), event="visitor.wrote", name="holds not", position=0, stop=True, condition=says("x"))
    automation(shop, tag("a"), event="visitor.wrote", name="stops", position=1, stop=True, condition=says("stop"))
    automation(shop, tag("b"), event="visitor.wrote", name="later", position=2)
    write(ivan, "stop")
    judge_due()
    assert [name for name, _ in ran()] == ["stops"]
    write(ivan, "go")
    judge_due()
    assert [name for name, _ in ran()] == ["stops", "later"]


def test_an_act_that_is_refused_leaves_nothing_and_the_others_are_done(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, URGENT, tag("spam"), event="visitor.wrote")
    actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.SPAM)
    write(ivan)
    judge_due()
    run = AutomationRun.objects.get()
    assert (run.state, priority(chat), tags(chat)) == ("partly", "normal", ["spam"])
    assert run.did[0] == {"do": "priority", "result": "failed", "why": "chat_is_spam"}


def test_one_is_not_asked_again_for_the_same_event(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, event="visitor.wrote")
    write(ivan)
    row = AutomationEvent.objects.get()
    judge_due()
    row.save(force_insert=True)
    judge_due()
    assert len(ran()) == 1


def test_those_switched_off_meanwhile_and_on_afterwards_do_nothing(shop: Widget, ivan: Contact, chat: Chat) -> None:
    off = automation(shop, event="visitor.wrote")
    automation(shop, event="visitor.wrote", enabled_at=timezone.now() + timedelta(minutes=1))
    write(ivan)
    Automation.objects.filter(pk=off.pk).update(is_enabled=False)
    judge_due()
    assert (ran(), pending()) == ([], [])


def test_automations_that_answer_each_other_come_to_rest(shop: Widget, ivan: Contact, chat: Chat) -> None:
    for number in range(30):
        automation(shop, tag(f"tag {number}"), event="tag.added", name=f"{number}", position=number)
    actions.tag_contact(widget_id=shop.pk, guid=ivan.guid, names=["first"])
    while judge_due():
        pass
    done = AutomationRun.objects.exclude(state="limit")
    assert done.count() == MAX_RUNS_HOURLY, "each acts once in a chain; the limit ends the rest"
    assert set(done.values_list("depth", flat=True)) <= {1, 2, 3}
    chains = AutomationRun.objects.filter(state="limit")
    assert chains.exists()
    assert pending() == []


def test_a_chain_is_three_deep_and_none_acts_twice_in_it(shop: Widget, ivan: Contact, chat: Chat) -> None:
    for value, former in (("low", "urgent"), ("urgent", "high"), ("high", "low")):
        condition = {"field": "priority", "op": "is", "value": former}
        automation(shop, {"do": "priority", "value": value}, event="priority.changed", condition=condition, name=value)
    set_priority(widget_id=shop.pk, chat_id=chat.pk, priority=Priority.LOW)
    while judge_due():
        pass
    runs = AutomationRun.objects.order_by("pk").values_list("name", "depth")
    assert list(runs) == [("high", 1), ("urgent", 2), ("low", 3)]


@pytest.mark.parametrize(("count", "hours"), [(MAX_RUNS_HOURLY, 0.5), (MAX_RUNS_DAILY, 12)])
def test_beyond_a_limit_nothing_is_done_and_one_run_an_hour_says_so(
    shop: Widget, ivan: Contact, chat: Chat, count: int, hours: float
) -> None:
    made = automation(shop, event="visitor.wrote")
    at = timezone.now() - timedelta(hours=hours)
    AutomationRunFactory.create_batch(count - 1, chat=chat, automation=made, at=at)
    write(ivan)
    judge_due()
    assert priority(chat) == "urgent"
    Chat.objects.update(priority="normal")
    for _ in range(3):
        write(ivan)
    judge_due()
    assert (priority(chat), AutomationRun.objects.filter(state="limit").count()) == ("normal", 1)


def test_the_limit_of_one_chat_is_not_anothers(shop: Widget, ivan: Contact, chat: Chat) -> None:
    made = automation(shop, event="visitor.wrote")
    other = Chat.objects.create(widget=shop, contact=ivan, channel="tg__1")
    AutomationRunFactory.create_batch(MAX_RUNS_HOURLY, chat=other, automation=made)
    write(ivan)
    judge_due()
    assert priority(chat) == "urgent"


def test_a_chat_is_being_judged_for_five_seconds_at_most(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, event="visitor.wrote")
    assert not is_being_judged(shop.pk, chat.pk)
    write(ivan)
    assert is_being_judged(shop.pk, chat.pk)
    AutomationEvent.objects.update(at=timezone.now() - timedelta(seconds=6))
    assert not is_being_judged(shop.pk, chat.pk)
    AutomationEvent.objects.update(at=timezone.now())
    judge_due()
    assert not is_being_judged(shop.pk, chat.pk)


def test_the_cabinets_front_page_names_those_that_were_stopped_in_a_day(shop: Widget, chat: Chat) -> None:
    def figure() -> Figure:
        (found,) = figures(Board(shop.pk, timezone.now(), hours=24, bucket_hours=1))
        return found

    made = automation(shop, name="Refunds", event="visitor.wrote")
    AutomationRunFactory.create(chat=chat, automation=made, state="done")
    AutomationRunFactory.create(chat=chat, automation=made, state="limit", at=timezone.now() - timedelta(hours=25))
    assert (figure().value, figure().is_alarming) == ("0", False)
    AutomationRunFactory.create_batch(2, chat=chat, automation=made, state="limit", at=timezone.now())
    assert (figure().value, figure().is_alarming, figure().place) == ("1", True, "needs_you")
    assert "Refunds" in figure().note
