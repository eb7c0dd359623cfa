"""Waits count from their beginning, are looked at again when they are due, and are judged once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.agents.rules.departments import DAYS
from apps.automations.actions.worker import judge_due
from apps.automations.models import Automation, AutomationEvent, AutomationRun, AutomationVersion
from apps.chats import actions
from apps.chats.actions.attribution import assign_chat, return_chat
from apps.chats.actions.snoozes import snooze_chat, wake_chat
from apps.chats.models import Chat, Contact, Message, Timer
from tests.automations.served import HELLO, automation, pass_time, priority
from tests.factories import ContactFactory

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def armed() -> list[tuple[int, int]]:
    """The minutes from now at which waits are due, by their automations."""
    timers = Timer.objects.filter(kind="automation").order_by("due_at")
    now = timezone.now()
    return [(int(key), round((due_at - now) / MINUTE)) for key, due_at in timers.values_list("key", "due_at")]


def write(contact: Contact, text: str = "Where is my order") -> None:
    actions.post_client_message(contact=contact, content={"type": "text", "body": text})
    judge_due()


def answer(chat: Chat, agent: Agent, text: str = "On its way") -> None:
    content = {"type": "text", "body": text}
    actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=content, agent_id=agent.pk)
    judge_due()


def runs() -> int:
    return AutomationRun.objects.count()


def rewritten(made: Automation, when: dict[str, Any]) -> None:
    AutomationVersion.objects.create(automation=made, version=2, when=when, then=made.then)
    Automation.objects.filter(pk=made.pk).update(when=when, version=2)


def later(minutes: float) -> Any:
    return timezone.now() + minutes * MINUTE


def test_a_visitor_who_waits_from_the_first_word_of_a_new_chat(shop: Widget) -> None:
    made = automation(shop, wait="visitor_waits")
    contact = ContactFactory.create(widget=shop)
    write(contact)
    assert armed() == [(made.pk, 10)]
    pass_time(later(9))
    assert runs() == 0
    pass_time(later(10.1))
    run = AutomationRun.objects.get()
    assert run.trigger == {"wait": "visitor_waits", "minutes": 10, "clock": "always"}
    assert (priority(contact.chats.get()), armed()) == ("urgent", [])


def test_it_is_judged_once_a_wait_whatever_is_said_meanwhile(shop: Widget, ivan: Contact, chat: Chat) -> None:
    no = {"field": "priority", "op": "is", "value": "high"}
    automation(shop, wait="visitor_waits", condition=no)
    made = automation(shop, wait="visitor_waits", minutes=5)
    write(ivan)
    write(ivan, "hello?")
    pass_time(later(11))
    assert (list(AutomationRun.objects.values_list("automation", flat=True)), armed()) == ([made.pk], [])
    Chat.objects.update(priority="high")
    Message.objects.filter(chat=chat).update(created_at=timezone.now() - 20 * MINUTE)
    Chat.objects.update(waiting_since=timezone.now() - 20 * MINUTE)
    write(ivan, "still nobody?")
    pass_time(later(30))
    assert runs() == 1, "the wait is the same one"


def test_an_answer_ends_it_and_the_next_word_begins_another(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    automation(shop, wait="visitor_waits")
    write(ivan)
    answer(chat, alice)
    assert armed() == []
    write(ivan, "When?")
    assert [minutes for _, minutes in armed()] == [10]


def test_a_visitor_who_writes_or_is_answered_while_it_is_due(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    automation(shop, wait="visitor_waits")
    write(ivan)
    actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, content=HELLO, agent_id=alice.pk)
    pass_time(later(11))
    assert runs() == 0


def test_a_courtesy_begins_no_wait(shop: Widget, ivan: Contact, chat: Chat, alice: Agent) -> None:
    automation(shop, wait="visitor_waits")
    write(ivan)
    answer(chat, alice)
    write(ivan, "Thank you very much")
    assert armed() == []
    write(ivan, "And the other one?")
    assert len(armed()) == 1


def test_nothing_that_began_before_it_was_switched_on(shop: Widget, ivan: Contact, chat: Chat) -> None:
    made = automation(shop, wait="visitor_waits", is_enabled=False)
    write(ivan)
    Automation.objects.filter(pk=made.pk).update(is_enabled=True, enabled_at=timezone.now())
    write(ivan)
    assert armed() == []


@pytest.mark.parametrize(
    "change",
    [
        lambda made: Automation.objects.filter(pk=made.pk).delete(),
        lambda made: Automation.objects.filter(pk=made.pk).update(is_enabled=False),
        lambda made: Automation.objects.filter(pk=made.pk).update(enabled_at=timezone.now()),
        lambda made: rewritten(made, {"wait": "visitor_waits", "minutes": 30, "clock": "always"}),
        lambda made: rewritten(made, {"event": "visitor.wrote"}),
    ],
    ids=["deleted", "switched off", "switched on anew", "longer", "another"],
)
def test_one_that_is_changed_while_its_wait_runs_does_nothing(
    shop: Widget, ivan: Contact, chat: Chat, change: Callable[[Automation], Any]
) -> None:
    made = automation(shop, wait="visitor_waits")
    write(ivan)
    change(made)
    pass_time(later(11))
    assert runs() == 0


def test_a_visitor_who_is_silent_after_our_word_although_the_sweep_closed_the_chat(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    made = automation(shop, wait="visitor_silent", minutes=60)
    write(ivan)
    assert armed() == []
    answer(chat, alice)
    assert armed() == [(made.pk, 60)]
    actions.sweep_chats(as_of=later(10))
    judge_due()
    pass_time(later(61))
    assert (runs(), Chat.objects.get(pk=chat.pk).status) == (1, "expired")
    actions.post_shop_word(widget_id=shop.pk, chat_id=chat.pk, body="Are you there?", name="Shop")
    pass_time(later(200))
    assert runs() == 1, "the shop's word is no word of ours"


@pytest.mark.parametrize("wait", ["visitor_silent", "nothing_happened"])
def test_a_chat_that_somebody_closed_waits_for_nothing(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent, wait: str
) -> None:
    automation(shop, wait=wait)
    write(ivan)
    answer(chat, alice)
    actions.close_chat(widget_id=shop.pk, chat_id=chat.pk, by_agent_id=alice.pk)
    judge_due()
    pass_time(later(11))
    assert runs() == 0


@pytest.mark.parametrize("wait", ["visitor_waits", "visitor_silent", "nothing_happened"])
def test_a_chat_that_is_put_aside_waits_from_its_return(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent, wait: str
) -> None:
    automation(shop, wait=wait)
    write(ivan)
    if wait != "visitor_waits":
        answer(chat, alice)
    snooze_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, until=later(60))
    judge_due()
    pass_time(later(59))
    assert runs() == 0
    pass_time(later(60.5))
    pass_time(later(69))
    assert runs() == 0
    pass_time(later(71))
    assert runs() == 1


def test_a_chat_of_nobody_waits_from_the_moment_at_which_its_owner_left(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    of: Any = {"widget_id": shop.pk, "chat_id": chat.pk}
    made = automation(shop, wait="unassigned")
    write(ivan)
    assert armed() == [(made.pk, 10)]
    assign_chat(**of, agent_id=alice.pk)
    judge_due()
    assert armed() == []
    Chat.objects.update(waiting_since=timezone.now() - 30 * MINUTE)
    return_chat(**of)
    judge_due()
    assert armed() == [(made.pk, 10)]
    pass_time(later(11))
    assert runs() == 1


def test_nothing_happened_begins_anew_with_each_word_and_each_act_of_people(
    shop: Widget, ivan: Contact, chat: Chat, alice: Agent
) -> None:
    automation(shop, wait="nothing_happened")
    write(ivan)
    Chat.objects.update(last_message_at=timezone.now() - 8 * MINUTE)
    AutomationEvent.objects.create(widget=shop, chat=chat, event="look", at=timezone.now() - 8 * MINUTE)
    judge_due()
    assert [minutes for _, minutes in armed()] == [2]
    actions.post_note(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content=HELLO)
    pass_time(later(3))
    assert (runs(), [minutes for _, minutes in armed()]) == (0, [10])
    pass_time(later(11))
    assert runs() == 1


def test_a_wait_by_open_hours_does_not_run_while_it_is_closed(
    shop: Widget, sales: Department, ivan: Contact, chat: Chat
) -> None:
    Department.objects.filter(pk=sales.pk).update(schedule=dict.fromkeys(DAYS))
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    made = automation(shop, wait="visitor_waits", clock="open")
    always = automation(shop, wait="visitor_waits", clock="always")
    write(ivan)
    assert armed() == [(always.pk, 10)]
    assert made.pk not in [key for key, _ in armed()]


def test_a_look_that_comes_late_loses_no_wait(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, wait="visitor_waits")
    actions.post_client_message(contact=ivan, content=HELLO)
    past = timezone.now() - 30 * MINUTE
    AutomationEvent.objects.update(at=past)
    Chat.objects.update(waiting_since=past, last_message_at=past)
    Message.objects.update(created_at=past)
    write(ivan, "Anybody?")
    assert len(armed()) == 1, "it was asked for before the wait was over"
    pass_time(timezone.now())
    assert runs() == 1


def test_waking_a_chat_by_hand_looks_at_its_waits(shop: Widget, ivan: Contact, chat: Chat, alice: Agent) -> None:
    automation(shop, wait="visitor_waits")
    write(ivan)
    snooze_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, until=None)
    judge_due()
    assert armed() == []
    wake_chat(widget_id=shop.pk, chat_id=chat.pk)
    judge_due()
    assert len(armed()) == 1
