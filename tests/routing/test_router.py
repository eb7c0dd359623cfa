"""A chat that waits is offered to one operator after the other, and each end of an offer has its outcome."""

from calendar import day_name
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.agents import suspend_agent
from apps.agents.actions.breaks import set_on_break
from apps.agents.actions.hours import replace_department_hours
from apps.agents.actions.presence import begin_presence, end_presence
from apps.agents.models import Agent, Department
from apps.agents.rules.weeks import read_week
from apps.chats import actions
from apps.chats.actions.attribution import accept_chat, assign_chat, transfer_chat_to_department
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.actions.states import close_chat, mark_as_dealt_with
from apps.chats.models import Chat, ChatActivity, Contact, Timer, Transfer
from apps.core.problems import Problem
from apps.routing.actions.offers import decline
from apps.routing.actions.router import decide
from apps.routing.actions.settings import change_routing
from apps.routing.actions.wakening import follow_operator, put_rows
from apps.routing.models import Assignment, OperatorPlaces
from tests.factories import ChatFactory, ContactFactory, DepartmentFactory
from tests.routing.served import come, offered, pass_time, serve

pytestmark = pytest.mark.django_db
HELLO = {"type": "text", "body": "Hello"}


@pytest.fixture
def waiting(shop: Widget, sales: Department, ivan: Contact, chat: Chat) -> Chat:
    """Ivan waits in the routed department of Alice and Boris, where nobody is yet."""
    settings(shop, mode="routed")
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    actions.post_client_message(contact=ivan, content=HELLO)
    serve()
    chat.refresh_from_db()
    return chat


def settings(shop: Widget, department: Department | None = None, **changes: Any) -> None:
    change_routing(widget_id=shop.pk, department_id=department and department.pk, changes=changes)


def outcomes(chat: Chat) -> list[tuple[int | None, str | None]]:
    return list(Assignment.objects.filter(chat=chat).order_by("pk").values_list("agent", "outcome"))


def another_chat(shop: Widget, department: Department, **facts: Any) -> Chat:
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), department=department, **facts)
    actions.post_client_message(contact=chat.contact, content=HELLO)
    return chat


def at_work(*agents: Agent) -> None:
    come(*agents)
    for agent in agents:
        begin_presence(agent_id=agent.pk, process=uuid4())
    for agent in agents:
        follow_operator(widget_id=agent.widget_id, agent_id=agent.pk)
    serve()


class TestOffered:
    def test_with_nobody_there_it_rings_for_all(self, waiting: Chat) -> None:
        assert (waiting.queued_at, waiting.offered_to_id) == (None, None)

    def test_who_comes_is_offered_it_and_told_why(self, waiting: Chat, alice: Agent) -> None:
        at_work(alice)
        waiting.refresh_from_db()
        assert (waiting.offered_to_id, waiting.agent_id, waiting.accepted_at) == (alice.pk, None, None)
        assert waiting.offered_until is not None
        assert waiting.offered_at is not None
        assert waiting.offered_until - waiting.offered_at == timedelta(seconds=40)
        [offer] = Assignment.objects.all()
        assert (offer.agent_id, offer.outcome, offer.waits_since) == (alice.pk, None, waiting.queued_at)
        assert offer.why["reasons"] == ["only_one"]
        assert (offer.why["load"], offer.why["capacity"], offer.why["among"]) == (0, 5, 1)
        step = ChatActivity.objects.get(chat=waiting, kind="routed")
        assert (step.agent_id, step.to_agent_id) == (None, alice.pk)

    def test_a_decision_made_twice_is_one_offer(self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent) -> None:
        at_work(alice, boris)
        for _ in range(3):
            assert decide(widget_id=shop.pk, as_of=timezone.now()).given == 0
        assert Assignment.objects.count() == 1

    def test_at_a_capacity_of_0_nothing_is_offered(self, shop: Widget, waiting: Chat, alice: Agent) -> None:
        OperatorPlaces.objects.create(widget=shop, agent=alice, capacity=0)
        at_work(alice)
        waiting.refresh_from_db()
        assert (waiting.offered_to_id, waiting.queued_at) == (None, None)

    def test_manual_is_as_before(
        self, shop: Widget, sales: Department, ivan: Contact, chat: Chat, alice: Agent
    ) -> None:
        settings(shop, sales, answer_times=[{"first_reply": 5}])
        come(alice)
        Chat.objects.filter(pk=chat.pk).update(department=sales)
        actions.post_client_message(contact=ivan, content=HELLO)
        serve()
        chat.refresh_from_db()
        assert (chat.queued_at, chat.offered_to_id) == (None, None)

    def test_outside_hours_nothing_is_offered_and_an_offer_is_withdrawn(
        self, shop: Widget, sales: Department, waiting: Chat, alice: Agent
    ) -> None:
        at_work(alice)
        week = read_week({day: [] for day in day_name})
        replace_department_hours(widget_id=shop.pk, department_id=sales.pk, time_zone=None, week=week, exceptions=[])
        serve()
        waiting.refresh_from_db()
        assert outcomes(waiting) == [(alice.pk, "withdrawn")]
        assert waiting.queued_at is None


class TestEnds:
    @pytest.fixture(autouse=True)
    def offer(self, waiting: Chat, alice: Agent) -> None:
        at_work(alice)
        assert offered(waiting) == alice.pk

    def test_it_is_accepted_by_taking(self, shop: Widget, waiting: Chat, alice: Agent) -> None:
        accept_chat(widget_id=shop.pk, chat_id=waiting.pk, agent_id=alice.pk)
        serve()
        waiting.refresh_from_db()
        assert outcomes(waiting) == [(alice.pk, "accepted")]
        assert (waiting.agent_id, waiting.offered_to_id, waiting.queued_at) == (alice.pk, None, None)
        assert not Timer.objects.filter(kind="offer").exists()

    def test_it_is_accepted_by_writing(self, shop: Widget, waiting: Chat, alice: Agent) -> None:
        actions.post_agent_message(widget_id=shop.pk, chat_id=waiting.pk, agent_id=alice.pk, content=HELLO)
        serve()
        assert outcomes(waiting) == [(alice.pk, "accepted")]

    def test_another_who_takes_it_has_taken_it(self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent) -> None:
        accept_chat(widget_id=shop.pk, chat_id=waiting.pk, agent_id=boris.pk)
        serve()
        assert outcomes(waiting) == [(alice.pk, "taken")]
        assert offered(waiting) is None

    def test_another_who_answers_it_has_taken_it(self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent) -> None:
        actions.post_agent_message(widget_id=shop.pk, chat_id=waiting.pk, agent_id=boris.pk, content=HELLO)
        serve()
        assert outcomes(waiting) == [(alice.pk, "taken")]

    def test_declined_it_goes_to_the_next(self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent) -> None:
        at_work(boris)
        decline(widget_id=shop.pk, chat_id=waiting.pk, agent_id=alice.pk)
        serve()
        assert outcomes(waiting) == [(alice.pk, "declined"), (boris.pk, None)]
        assert "passed" in Assignment.objects.latest("pk").why["reasons"]

    def test_only_ones_own_offer_is_declined(self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent) -> None:
        with pytest.raises(Problem, match="not_offered"):
            decline(widget_id=shop.pk, chat_id=waiting.pk, agent_id=boris.pk)
        assert offered(waiting) == alice.pk

    def test_missed_it_goes_to_the_next(self, waiting: Chat, alice: Agent, boris: Agent) -> None:
        at_work(boris)
        pass_time(timezone.now() + timedelta(seconds=41))
        assert outcomes(waiting) == [(alice.pk, "missed"), (boris.pk, None)]

    def test_with_nobody_left_it_waits_and_they_are_asked_again_after_5_minutes(
        self, shop: Widget, waiting: Chat, alice: Agent
    ) -> None:
        missed_at = timezone.now() + timedelta(seconds=41)
        pass_time(missed_at)
        assert outcomes(waiting) == [(alice.pk, "missed")]
        waiting.refresh_from_db()
        assert waiting.queued_at is not None
        assert decide(widget_id=shop.pk, as_of=missed_at + timedelta(minutes=4)).given == 0
        assert decide(widget_id=shop.pk, as_of=missed_at + timedelta(minutes=5)).given == 1

    @pytest.mark.parametrize(
        "end",
        [
            lambda shop, chat: close_chat(widget_id=shop.pk, chat_id=chat.pk),
            lambda shop, chat: mark_as_dealt_with(widget_id=shop.pk, chat_id=chat.pk),
            lambda shop, chat: actions.set_chat_state(widget_id=shop.pk, chat_id=chat.pk, status="spam"),
            lambda shop, chat: snooze_chat(widget_id=shop.pk, chat_id=chat.pk, agent_id=None, until=None),
            lambda shop, chat: settings(shop, mode="manual"),
        ],
        ids=["closed", "dealt with", "spam", "put aside", "manual"],
    )
    def test_it_is_withdrawn(
        self, shop: Widget, waiting: Chat, alice: Agent, end: Callable[[Widget, Chat], object]
    ) -> None:
        end(shop, waiting)
        serve()
        waiting.refresh_from_db()
        assert outcomes(waiting) == [(alice.pk, "withdrawn")]
        assert (waiting.offered_to_id, waiting.queued_at) == (None, None)
        assert not Timer.objects.filter(kind__in=("offer", "overflow")).exists()

    def test_sent_to_another_department_it_is_offered_there(
        self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent
    ) -> None:
        other = DepartmentFactory.create(widget=shop)
        other.agents.set([boris])
        come(boris)
        transfer_chat_to_department(widget_id=shop.pk, chat_id=waiting.pk, department_id=other.pk)
        serve()
        assert outcomes(waiting) == [(alice.pk, "withdrawn"), (boris.pk, None)]

    @pytest.mark.parametrize("leave", ["break", "suspended"])
    def test_who_leaves_is_offered_nothing_any_more(
        self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent, leave: str
    ) -> None:
        at_work(boris)
        if leave == "break":
            set_on_break(widget_id=shop.pk, agent_id=alice.pk, on_break=True)
        else:
            suspend_agent(widget_id=shop.pk, agent_id=alice.pk)
        serve()
        assert outcomes(waiting) == [(alice.pk, "withdrawn"), (boris.pk, None)]

    def test_a_closed_laptop_loses_it_after_10_seconds_and_a_reload_does_not(
        self, waiting: Chat, alice: Agent, boris: Agent
    ) -> None:
        at_work(boris)
        gone_at = timezone.now()
        for presence in list(alice.presences.all()):
            end_presence(agent_id=alice.pk, process=presence.process)
        serve(gone_at + timedelta(seconds=5))
        assert offered(waiting) == alice.pk
        follow_operator(widget_id=alice.widget_id, agent_id=alice.pk)
        serve(gone_at + timedelta(seconds=11))
        assert outcomes(waiting) == [(alice.pk, "withdrawn"), (boris.pk, None)]


class TestMisses:
    def test_three_missed_in_a_row_are_a_break_and_back_at_work_they_count_from_0(
        self, shop: Widget, sales: Department, waiting: Chat, alice: Agent
    ) -> None:
        at_work(alice)
        now = timezone.now()
        for step in range(1, 4):
            now += timedelta(minutes=6)
            alice.refresh_from_db()
            assert alice.status == "active"
            pass_time(now)
            decide(widget_id=shop.pk, as_of=now + timedelta(minutes=5, seconds=1)) if step < 3 else None
        alice.refresh_from_db()
        assert (alice.status, alice.break_reason) == ("relaxation", "missed")
        set_on_break(widget_id=shop.pk, agent_id=alice.pk, on_break=False)
        assert OperatorPlaces.objects.get(agent=alice, department=None).misses == 0

    def test_0_is_never(self, shop: Widget, waiting: Chat, alice: Agent) -> None:
        settings(shop, misses=0)
        at_work(alice)
        OperatorPlaces.objects.filter(agent=alice).update(misses=20)
        pass_time(timezone.now() + timedelta(seconds=41))
        alice.refresh_from_db()
        assert alice.status == "active"

    def test_an_accepted_offer_begins_a_new_row(self, shop: Widget, waiting: Chat, alice: Agent) -> None:
        at_work(alice)
        OperatorPlaces.objects.filter(agent=alice).update(misses=2)
        accept_chat(widget_id=shop.pk, chat_id=waiting.pk, agent_id=alice.pk)
        serve()
        assert OperatorPlaces.objects.get(agent=alice, department=None).misses == 0


class TestAtOnce:
    def test_with_0_seconds_it_is_theirs_at_once_and_no_acceptance_or_transfer(
        self, shop: Widget, waiting: Chat, alice: Agent
    ) -> None:
        settings(shop, accept_seconds=0)
        at_work(alice)
        waiting.refresh_from_db()
        assert outcomes(waiting) == [(alice.pk, "assigned")]
        assert (waiting.agent_id, waiting.offered_to_id, waiting.queued_at) == (alice.pk, None, None)
        assert (waiting.accepted_at, waiting.accepted_agent_id) == (None, None)
        assert not Transfer.objects.exists()


class TestPlaces:
    def test_a_place_that_gets_free_is_the_next_ones(
        self, shop: Widget, sales: Department, waiting: Chat, alice: Agent
    ) -> None:
        settings(shop, capacity=1)
        at_work(alice)
        second = another_chat(shop, sales)
        serve()
        assert offered(second) is None
        actions.post_agent_message(widget_id=shop.pk, chat_id=waiting.pk, agent_id=alice.pk, content=HELLO)
        serve()
        assert offered(second) is None  # her first chat is open still
        close_chat(widget_id=shop.pk, chat_id=waiting.pk)
        serve()
        assert offered(second) == alice.pk

    def test_who_waits_longest_gets_it(self, shop: Widget, sales: Department, waiting: Chat, alice: Agent) -> None:
        settings(shop, capacity=1)
        newer = another_chat(shop, sales)
        at_work(alice)
        assert (offered(waiting), offered(newer)) == (alice.pk, None)


class TestOwner:
    @pytest.fixture
    def owned(self, shop: Widget, waiting: Chat, alice: Agent, boris: Agent, ivan: Contact) -> Chat:
        """Alice owns the chat, is here, and Ivan waits for her."""
        settings(shop, silent_minutes=3)
        at_work(alice, boris)
        actions.post_agent_message(widget_id=shop.pk, chat_id=waiting.pk, agent_id=alice.pk, content=HELLO)
        actions.post_client_message(contact=ivan, content=HELLO)
        serve()
        assert offered(waiting) is None
        return waiting

    def test_the_owner_who_is_here_has_their_minutes(self, owned: Chat, alice: Agent, boris: Agent) -> None:
        pass_time(timezone.now() + timedelta(minutes=2, seconds=50))
        assert offered(owned) is None
        pass_time(timezone.now() + timedelta(minutes=3, seconds=1))
        owned.refresh_from_db()
        assert (owned.offered_to_id, owned.agent_id) == (boris.pk, alice.pk)
        assert "owner_silent" in Assignment.objects.latest("pk").why["reasons"]

    def test_it_stays_theirs_until_somebody_accepts(
        self, shop: Widget, owned: Chat, alice: Agent, boris: Agent
    ) -> None:
        pass_time(timezone.now() + timedelta(minutes=3, seconds=1))
        accept_chat(widget_id=shop.pk, chat_id=owned.pk, agent_id=boris.pk)
        serve()
        owned.refresh_from_db()
        assert owned.agent_id == boris.pk
        assert outcomes(owned)[-1] == (boris.pk, "accepted")

    def test_the_owner_who_passes_on_is_not_waited_for(
        self, shop: Widget, owned: Chat, alice: Agent, boris: Agent
    ) -> None:
        set_on_break(widget_id=shop.pk, agent_id=alice.pk, on_break=True, pass_on=True)
        serve()
        assert offered(owned) == boris.pk
        assert "owner_away" in Assignment.objects.latest("pk").why["reasons"]
        set_on_break(widget_id=shop.pk, agent_id=alice.pk, on_break=False)
        serve()
        assert outcomes(owned)[-1] == (boris.pk, "withdrawn")

    def test_without_a_break_that_passes_on_it_waits_for_the_owner(
        self, shop: Widget, owned: Chat, alice: Agent
    ) -> None:
        set_on_break(widget_id=shop.pk, agent_id=alice.pk, on_break=True)
        serve()
        assert offered(owned) is None

    def test_a_reopened_chat_is_not_left_with_who_has_gone_home(
        self, shop: Widget, ivan: Contact, owned: Chat, alice: Agent, boris: Agent
    ) -> None:
        close_chat(widget_id=shop.pk, chat_id=owned.pk)
        for presence in list(alice.presences.all()):
            end_presence(agent_id=alice.pk, process=presence.process)
        actions.post_client_message(contact=ivan, content=HELLO)
        serve()
        owned.refresh_from_db()
        assert owned.offered_to_id == boris.pk


class TestOverflow:
    @pytest.fixture
    def helpers(self, shop: Widget, sales: Department, boris: Agent) -> Department:
        department = DepartmentFactory.create(widget=shop, name="Helpers")
        sales.agents.remove(boris)
        department.agents.set([boris])
        settings(shop, sales, overflow_department_id=department.pk, overflow_minutes=5)
        return department

    def test_with_nobody_there_for_its_minutes_it_goes_to_the_department_that_helps_out_once(
        self, shop: Widget, sales: Department, helpers: Department, waiting: Chat, boris: Agent
    ) -> None:
        follow_again(waiting)
        come(boris)
        pass_time(timezone.now() + timedelta(minutes=4))
        waiting.refresh_from_db()
        assert waiting.department_id == sales.pk
        pass_time(timezone.now() + timedelta(minutes=5, seconds=1))
        waiting.refresh_from_db()
        assert (waiting.department_id, waiting.offered_to_id) == (helpers.pk, boris.pk)
        assert "overflow" in Assignment.objects.latest("pk").why["reasons"]
        step = ChatActivity.objects.get(chat=waiting, kind="routed", comment="overflow")
        assert step.department_id == helpers.pk
        settings(shop, helpers, overflow_department_id=sales.pk, overflow_minutes=1)
        pass_time(timezone.now() + timedelta(minutes=8))
        waiting.refresh_from_db()
        assert waiting.department_id == helpers.pk


def follow_again(chat: Chat) -> None:
    put_rows(chat.widget_id, [chat.pk])
    serve()


def test_route_chats_is_one_pass(shop: Widget, waiting: Chat, alice: Agent, capsys: pytest.CaptureFixture[str]) -> None:
    come(alice)
    call_command("route_chats", "--json")
    call_command("route_chats", "--json")
    assert offered(waiting) == alice.pk
    assert capsys.readouterr().out.splitlines() == ['{"given": 1, "waiting": 0}', '{"given": 0, "waiting": 0}']


def test_by_hand_people_take_as_they_like(shop: Widget, waiting: Chat, alice: Agent, boris: Agent) -> None:
    OperatorPlaces.objects.create(widget=shop, agent=boris, capacity=0)
    assign_chat(widget_id=shop.pk, chat_id=waiting.pk, agent_id=boris.pk)
    waiting.refresh_from_db()
    assert waiting.agent_id == boris.pk
