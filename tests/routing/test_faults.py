"""Two routers, a router that dies, a department that goes: one offer, before or after, nobody lost."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.departments import delete_department, replace_agents
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.attribution import accept_chat
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, Contact
from apps.routing.actions import offers
from apps.routing.actions.misses import count_miss
from apps.routing.actions.retention import forget_old
from apps.routing.actions.router import RouterDecision, decide
from apps.routing.actions.settings import change_routing
from apps.routing.actions.wakening import ask_router
from apps.routing.models import Assignment, OperatorPlaces
from tests.factories import AgentFactory, ChatFactory, ContactFactory, DepartmentFactory, WidgetFactory
from tests.routing.served import come, offered, pass_time, serve
from tests.waits import wait_until_somebody_waits

HELLO = {"type": "text", "body": "Hello"}


def at_once(*work: Callable[[], Any]) -> list[Any]:
    def run(one: Callable[[], Any]) -> Any:
        try:
            return one()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(work)) as pool:
        return [each.result() for each in [pool.submit(run, one) for one in work]]


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    @pytest.fixture
    def queue(self) -> tuple[Widget, list[Chat], list[Agent]]:
        """Six chats wait for three operators of two places each."""
        widget = WidgetFactory.create()
        department = DepartmentFactory.create(widget=widget)
        agents = [AgentFactory.create(widget=widget) for _ in range(3)]
        department.agents.set(agents)
        change_routing(widget_id=widget.pk, department_id=None, changes={"mode": "routed", "capacity": 2})
        chats = [
            ChatFactory.create(contact=ContactFactory.create(widget=widget), department=department) for _ in range(6)
        ]
        for chat in chats:
            actions.post_client_message(contact=chat.contact, content=HELLO)
        come(*agents)
        return widget, chats, agents

    def test_routers_make_one_offer_of_each_chat_and_fill_no_place_twice(
        self, queue: tuple[Widget, list[Chat], list[Agent]]
    ) -> None:
        widget, _, agents = queue
        now = timezone.now()
        decisions = at_once(*[lambda: decide(widget_id=widget.pk, as_of=now)] * 4)
        assert sum(each.given for each in decisions) == 6
        assert Assignment.objects.filter(outcome=None).count() == 6
        by_agent = [Chat.objects.filter(offered_to=agent).count() for agent in agents]
        assert by_agent == [2, 2, 2]

    def test_offers_of_one_operator_that_end_at_once_wait_for_nobody(
        self, queue: tuple[Widget, list[Chat], list[Agent]]
    ) -> None:
        widget, chats, _ = queue
        decide(widget_id=widget.pk, as_of=timezone.now())
        over = timezone.now() + timedelta(seconds=41)
        fired = at_once(*[lambda chat=chat: run_due(as_of=over, chat_id=chat.pk) for chat in chats])
        assert [each.get("offer") for each in fired] == [1] * 6
        assert Assignment.objects.filter(outcome="missed").count() == 6

    def test_a_break_for_misses_and_a_miss_at_once_wait_for_each_other_and_none_fails(
        self, queue: tuple[Widget, list[Chat], list[Agent]]
    ) -> None:
        """The router's row is the last that a decision locks: another counts a miss, and asks the router then."""
        widget, _, (missing, *others) = queue
        OperatorPlaces.objects.create(widget=widget, agent=missing, misses=3)
        for other in others:
            OperatorPlaces.objects.create(widget=widget, agent=other)
        counted = threading.Event()

        def miss() -> None:
            with transaction.atomic():
                for other in others:
                    count_miss(widget_id=widget.pk, agent_id=other.pk)
                counted.set()
                wait_until_somebody_waits()
                ask_router(widget.pk)

        def route() -> RouterDecision:
            assert counted.wait(10)
            return decide(widget_id=widget.pk, as_of=timezone.now())

        _, decision = at_once(miss, route)
        missing.refresh_from_db()
        assert (decision.given, missing.status) == (4, "relaxation")

    def test_of_an_end_and_an_acceptance_at_once_one_counts(
        self, queue: tuple[Widget, list[Chat], list[Agent]]
    ) -> None:
        widget, chats, _ = queue
        decide(widget_id=widget.pk, as_of=timezone.now())
        chat = chats[0]
        agent_id = offered(chat)
        assert agent_id is not None
        over = timezone.now() + timedelta(seconds=41)
        at_once(
            lambda: run_due(as_of=over, chat_id=chat.pk),
            lambda: accept_chat(widget_id=widget.pk, chat_id=chat.pk, agent_id=agent_id),
        )
        chat.refresh_from_db()
        assert chat.agent_id == agent_id
        assert Assignment.objects.filter(chat=chat).count() == 1


@pytest.mark.django_db
class TestGone:
    @pytest.fixture
    def routed(self, shop: Widget, sales: Department, ivan: Contact, chat: Chat, alice: Agent) -> Chat:
        change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
        Chat.objects.filter(pk=chat.pk).update(department=sales)
        come(alice)
        actions.post_client_message(contact=ivan, content=HELLO)
        return chat

    def test_a_router_that_dies_leaves_nothing_and_the_next_gives_it(
        self, shop: Widget, routed: Chat, alice: Agent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*_: Any, **__: Any) -> None:
            raise SystemExit

        with monkeypatch.context() as patch:
            patch.setattr(offers, "set_timer", die)
            with pytest.raises(SystemExit):
                decide(widget_id=shop.pk, as_of=timezone.now())
        assert not Assignment.objects.exists()
        assert offered(routed) is None
        assert decide(widget_id=shop.pk, as_of=timezone.now()).given == 1

    def test_a_department_that_is_deleted_leaves_its_chats_to_those_of_none(
        self, shop: Widget, sales: Department, routed: Chat, alice: Agent
    ) -> None:
        serve()
        delete_department(widget_id=shop.pk, department_id=sales.pk)
        serve()
        routed.refresh_from_db()
        assert (routed.department_id, routed.offered_to_id) == (None, alice.pk)
        assert [each.outcome for each in Assignment.objects.order_by("pk")] == ["withdrawn", None]

    def test_a_department_that_is_emptied_rings_for_all(
        self, shop: Widget, sales: Department, routed: Chat, alice: Agent
    ) -> None:
        serve()
        replace_agents(widget_id=shop.pk, department_id=sales.pk, agent_ids=[])
        serve()
        routed.refresh_from_db()
        assert (routed.offered_to_id, routed.queued_at) == (None, None)

    def test_a_timer_of_an_older_offer_does_nothing(self, routed: Chat, alice: Agent, boris: Agent) -> None:
        come(boris)
        serve()
        first_over = timezone.now() + timedelta(seconds=41)
        pass_time(first_over)
        standing = offered(routed)
        pass_time(first_over + timedelta(seconds=1))
        assert offered(routed) == standing


@pytest.mark.django_db
def test_the_log_of_offers_is_kept_for_90_days(shop: Widget, chat: Chat, alice: Agent) -> None:
    now = timezone.now()
    decide(widget_id=shop.pk, as_of=now)
    about: Any = {"widget": shop, "chat": chat, "agent": alice, "waits_since": now, "why": {}}
    kept = Assignment.objects.create(**about, outcome="missed", given_at=now - timedelta(days=89))
    standing = Assignment.objects.create(**about, given_at=now - timedelta(days=91))
    Assignment.objects.create(**about, outcome="missed", given_at=now - timedelta(days=91))
    assert forget_old(as_of=now) == 1
    assert list(Assignment.objects.order_by("pk")) == [kept, standing]
