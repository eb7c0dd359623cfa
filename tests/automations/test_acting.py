"""The acts of automations: what each changes, tells and notes, and what it leaves alone."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.automations.actions.acts import ACTING
from apps.automations.events import AutomationFired, NoticeGiven, NoticeMailWanted, WantsAi
from apps.chats import actions
from apps.chats.events import ChatClosed, ChatReturned, ChatSentToDepartment, ChatTaken, ContactUpdated, PriorityChanged
from apps.chats.models import Chat, ChatActivity, ContactTag, Message, RatingRequest
from apps.core.bus import DomainEvent
from apps.webhooks.models import Event
from tests.automations.acting import did, ran
from tests.cast import Rival
from tests.factories import AgentFactory, DepartmentFactory
from tests.factories.webhooks import SubscriptionFactory

TEXT = {"type": "text", "body": "Где мой заказ?"}


@pytest.fixture
def asked(chat: Chat) -> Chat:
    """A chat whose visitor has written."""
    actions.post_client_message(contact=chat.contact, content=TEXT)
    return again(chat)


def again(chat: Chat) -> Chat:
    return Chat.objects.select_related("contact", "widget").get(pk=chat.pk)


def steps(chat: Chat) -> list[tuple[str, int | None]]:
    return list(ChatActivity.objects.filter(chat=chat).order_by("id").values_list("kind", "agent"))


def told(happened: list[DomainEvent], kind: type[DomainEvent]) -> list[Any]:
    return [event for event in happened if isinstance(event, kind)]


class TestOwners:
    def test_assign_gives_the_chat_to_a_person_once(
        self, asked: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        assert did(asked, {"do": "assign", "agent_id": alice.pk}) == ("done", None)
        assert again(asked).agent == alice
        assert steps(asked) == [("assigned", None)]
        assert len(told(happened, ChatTaken)) == 1
        assert ran(asked, {"do": "assign", "agent_id": alice.pk}).before == [None], "it is theirs already"
        assert len(steps(asked)) == 1

    def test_who_is_gone_is_given_nothing(self, asked: Chat, rival: Rival, ada: Agent) -> None:
        suspended = AgentFactory.create(widget=asked.widget, status="banned")
        for agent_id in (suspended.pk, rival.agent.pk, ada.pk, 10**9):
            assert did(asked, {"do": "assign", "agent_id": agent_id}) == ("skipped", "gone")
        assert (again(asked).agent, steps(asked)) == (None, [])

    def test_unassign_gives_it_back(self, asked: Chat, alice: Agent, happened: list[DomainEvent]) -> None:
        actions.assign_chat(widget_id=asked.widget_id, chat_id=asked.pk, agent_id=alice.pk)
        assert did(asked, {"do": "unassign"}) == ("done", None)
        assert again(asked).agent is None
        assert steps(asked)[-1] == ("returned", None)
        assert len(told(happened, ChatReturned)) == 1
        assert did(asked, {"do": "unassign"}) == ("done", None)
        assert len(steps(asked)) == 2

    def test_send_to_moves_it_to_a_department(self, asked: Chat, rival: Rival, happened: list[DomainEvent]) -> None:
        sales = DepartmentFactory.create(widget=asked.widget)
        assert did(asked, {"do": "send_to", "department_id": sales.pk}) == ("done", None)
        assert again(asked).department == sales
        assert steps(asked) == [("transferred", None)]
        assert len(told(happened, ChatSentToDepartment)) == 1
        for department_id in (rival.department.pk, 10**9):
            assert did(asked, {"do": "send_to", "department_id": department_id}) == ("skipped", "gone")
        Department.objects.filter(pk=sales.pk).delete()
        assert did(asked, {"do": "send_to", "department_id": sales.pk}) == ("skipped", "gone")

    def test_to_person_calls_people_unless_one_has_it(self, asked: Chat, alice: Agent) -> None:
        assert did(asked, {"do": "to_person", "reason": "refund"}) == ("done", None)
        found = again(asked)
        assert (found.handover_reason, found.handed_over_at is not None) == ("refund", True)
        assert steps(asked) == [("waits", None)]

    def test_to_ai_gives_the_word_to_the_machine(
        self, asked: Chat, shop: Widget, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        act = {"do": "to_ai"}
        assert did(asked, act) == ("skipped", "no_ai")
        assert not told(happened, WantsAi)
        Widget.objects.filter(pk=shop.pk).update(answerers=["ai"])
        actions.escalate(widget_id=shop.pk, chat_id=asked.pk, reason="human_request")
        actions.transfer_chat(widget_id=shop.pk, chat_id=asked.pk, agent_id=alice.pk)
        assert did(asked, act) == ("done", None)
        found = again(asked)
        assert (found.agent, found.handed_over_at) == (None, None)
        assert len(told(happened, WantsAi)) == 1


class TestState:
    def test_priority(self, asked: Chat, happened: list[DomainEvent]) -> None:
        assert did(asked, {"do": "priority", "value": "urgent"}) == ("done", None)
        assert again(asked).priority == "urgent"
        assert steps(asked) == [("priority", None)]
        assert len(told(happened, PriorityChanged)) == 1
        assert ran(asked, {"do": "priority", "value": "urgent"}).before == [None]

    def test_snooze_for_minutes_and_until_they_write(self, asked: Chat) -> None:
        assert did(asked, {"do": "snooze", "minutes": 60}) == ("done", None)
        found = again(asked)
        assert found.snoozed_until is not None
        assert 3_500 < (found.snoozed_until - timezone.now()).total_seconds() <= 3_600
        assert found.snoozed_by is None
        assert did(asked, {"do": "snooze", "minutes": None}) == ("done", None)
        assert again(asked).snoozed_until is None
        assert ran(asked, {"do": "snooze", "minutes": None}).before == [None]

    def test_close(self, asked: Chat, happened: list[DomainEvent]) -> None:
        assert did(asked, {"do": "close", "reason": "solved"}) == ("done", None)
        assert (again(asked).status, steps(asked)) == ("expired", [("closed", None)])
        assert [event.reason for event in told(happened, ChatClosed)] == ["solved"]
        assert ran(asked, {"do": "close"}).before == [None]
        assert len(steps(asked)) == 1

    def test_spam_fails_and_nothing_changes(self, asked: Chat, alice: Agent) -> None:
        Chat.objects.filter(pk=asked.pk).update(status="spam")
        before = Chat.objects.filter(pk=asked.pk).values().get()
        for act in ({"do": "assign", "agent_id": alice.pk}, {"do": "priority", "value": "low"}, {"do": "close"}):
            assert did(asked, act) == ("failed", "chat_is_spam")
        assert did(asked, {"do": "to_person", "reason": "refund"}) == ("skipped", "spam")
        assert (Chat.objects.filter(pk=asked.pk).values().get(), steps(asked)) == (before, [])


class TestContacts:
    def test_tag_and_untag(self, asked: Chat) -> None:
        assert did(asked, {"do": "tag", "name": "VIP"}) == ("done", None)
        assert ran(asked, {"do": "tag", "name": "VIP"}).before == [None], "it is on them already"
        assert list(ContactTag.objects.filter(contact=asked.contact).values_list("tag__name", flat=True)) == ["VIP"]
        assert did(asked, {"do": "untag", "name": "VIP"}) == ("done", None)
        assert not ContactTag.objects.filter(contact=asked.contact).exists()
        assert ran(asked, {"do": "untag", "name": "VIP"}).before == [None]

    def test_attribute(self, asked: Chat, happened: list[DomainEvent]) -> None:
        assert did(asked, {"do": "attribute", "key": "plan", "value": "pro"}) == ("done", None)
        asked.contact.refresh_from_db()
        assert asked.contact.attributes["plan"] == "pro"
        assert [event.changed_fields for event in told(happened, ContactUpdated)] == [("attributes",)]
        assert ran(asked, {"do": "attribute", "key": "plan", "value": "pro"}).before == [None]


class TestTelling:
    def test_a_note_is_for_operators(self, asked: Chat) -> None:
        asked.contact.name = "Ольга Петрова"
        asked.contact.save()
        act = {"do": "note", "text": "Спросите {visitor.first_name|гостя}, {attr.plan|без плана}"}
        assert did(asked, act) == ("done", None)
        note = Message.objects.filter(chat=asked).latest("id")
        assert (note.is_internal, note.sender_kind, note.body) == (True, "system", "Спросите Ольга, без плана")

    def test_ask_rating_asks_once(self, asked: Chat) -> None:
        assert did(asked, {"do": "ask_rating"}) == ("done", None)
        at = again(asked).rating_requested_at
        assert at is not None
        assert did(asked, {"do": "ask_rating"}) == ("done", None)
        assert again(asked).rating_requested_at == at
        assert [request.cause for request in RatingRequest.objects.filter(chat=asked)] == ["automation"]

    def test_an_empty_chat_can_not_be_rated(self, chat: Chat) -> None:
        assert did(chat, {"do": "ask_rating"}) == ("failed", "chat_is_empty")
        assert again(chat).rating_requested_at is None

    def test_a_webhook_goes_to_the_widgets_subscriptions(self, asked: Chat, happened: list[DomainEvent]) -> None:
        SubscriptionFactory.create(widget=asked.widget, events=["automation.fired"])
        run = ran(asked, {"do": "webhook", "name": "refund-asked"})
        (fired,) = told(happened, AutomationFired)
        assert (fired.automation_id, fired.version, fired.name) == (run.automation_id, 1, "refund-asked")
        assert not Event.objects.exists(), "the event is off at first"

    def test_notify_tells_whom_it_names(
        self, asked: Chat, alice: Agent, rival: Rival, happened: list[DomainEvent]
    ) -> None:
        bob = AgentFactory.create(widget=asked.widget)
        text = {"text": "Ждёт 10 минут", "by": ["console", "mail"]}
        assert did(asked, {"do": "notify", "whom": "owner", **text}) == ("skipped", "nobody")
        assert did(asked, {"do": "notify", "whom": {"agent_ids": [rival.agent.pk]}, **text}) == ("skipped", "gone")
        assert not told(happened, NoticeGiven)
        run = ran(asked, {"do": "notify", "whom": {"agent_ids": [bob.pk, rival.agent.pk]}, **text})
        (given,), (mailed,) = told(happened, NoticeGiven), told(happened, NoticeMailWanted)
        assert (given.agent_ids, given.text, given.automation_id) == ((bob.pk,), "Ждёт 10 минут", run.automation_id)
        assert (mailed.agent_ids, mailed.name) == ((bob.pk,), run.name)
        happened.clear()
        actions.assign_chat(widget_id=asked.widget_id, chat_id=asked.pk, agent_id=alice.pk)
        ran(asked, {"do": "notify", "whom": "owner", "text": "Ждёт", "by": ["console"]})
        assert [each.agent_ids for each in told(happened, NoticeGiven)] == [(alice.pk,)]
        assert not told(happened, NoticeMailWanted)

    def test_notify_tells_the_department_and_the_managers(
        self, asked: Chat, alice: Agent, happened: list[DomainEvent]
    ) -> None:
        sales = DepartmentFactory.create(widget=asked.widget)
        sales.agents.add(alice)
        Chat.objects.filter(pk=asked.pk).update(department=sales)
        ran(asked, {"do": "notify", "whom": "department", "text": "Ждёт", "by": ["console"]})
        assert [each.agent_ids for each in told(happened, NoticeGiven)] == [(alice.pk,)]
        happened.clear()
        managers = [
            agent.pk
            for agent in Agent.objects.filter(widget=asked.widget).select_related("user").order_by("pk")
            if agent.user and agent.user.is_staff and agent.user.role in ("owner", "manager")
        ]
        ran(asked, {"do": "notify", "whom": "managers", "text": "Ждёт", "by": ["console"]})
        assert [list(each.agent_ids) for each in told(happened, NoticeGiven)] == ([managers] if managers else [])


def test_a_run_goes_on_behind_what_is_skipped(asked: Chat) -> None:
    run = ran(asked, {"do": "assign", "agent_id": 10**9}, {"do": "priority", "value": "high"})
    assert [(each["do"], each["result"]) for each in run.did] == [("assign", "skipped"), ("priority", "done")]
    assert (run.state, again(asked).priority) == ("partly", "high")


def test_there_are_sixteen_acts() -> None:
    assert len(ACTING) == 16
