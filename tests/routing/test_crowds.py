"""Many at once: ten thousand who begin to wait in a minute, and forty chats that the last person leaves behind."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.breaks import set_on_break
from apps.agents.actions.presence import begin_presence, end_presence
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES
from apps.routing.actions.router import decide
from apps.routing.actions.settings import change_routing
from apps.routing.models import Assignment, OperatorPlaces
from apps.routing.querysets.queue import HEAD
from tests.factories import AgentFactory, ChatFactory, ContactFactory, DepartmentFactory
from tests.routing.served import come, offered, serve
from tests.routing.test_costs import waits, works

pytestmark = pytest.mark.django_db
HELLO = {"type": "text", "body": "Hello"}


def rings(widget: Widget) -> dict[str, int]:
    chats = Chat.objects.filter(widget=widget).annotate(waits_since=waits_since(timezone.now()), rings=rings_for())
    return dict(chats.order_by().values_list("rings").annotate(Count("pk")))


class TestTenThousand:
    @pytest.fixture
    def crowd(self, shop: Widget, sales: Department) -> int:
        """Ten thousand who wait, for one of two operators who has a place."""
        waits(shop, sales, 10_000)
        works(shop, sales, 2, free=1)
        return 10_000

    def test_a_decision_gives_the_first_and_asks_as_much_as_for_three(
        self, shop: Widget, sales: Department, crowd: int
    ) -> None:
        first = Chat.objects.filter(queued_at__isnull=False).order_by("queued_at", "pk").values_list("pk", flat=True)[0]
        decide(widget_id=shop.pk, as_of=timezone.now())
        assert list(Assignment.objects.values_list("chat", flat=True)) == [first]
        OperatorPlaces.objects.update(capacity=2)
        with CaptureQueriesContext(connection) as asked:
            decision = decide(widget_id=shop.pk, as_of=timezone.now())
        assert (decision.given, decision.waiting) == (3, crowd - 4)
        assert len(asked) <= 32 + 2 * 12  # two more than in `test_costs`

    def test_with_no_place_in_their_department_nobody_reads_them(
        self, shop: Widget, sales: Department, crowd: int
    ) -> None:
        """Though an operator of another department is free."""
        decide(widget_id=shop.pk, as_of=timezone.now())
        other = DepartmentFactory.create(widget=shop)
        other.agents.set([AgentFactory.create(widget=shop, online_since=timezone.now())])
        decide(widget_id=shop.pk, as_of=timezone.now())
        with CaptureQueriesContext(connection) as asked:
            assert decide(widget_id=shop.pk, as_of=timezone.now()).given == 0
        assert len(asked) <= 24

    def test_a_pass_gives_the_head_and_goes_on_with_the_next(self, shop: Widget, crowd: int) -> None:
        OperatorPlaces.objects.update(capacity=100)
        Agent.objects.bulk_create([Agent(widget=shop, name=f"{n}", online_since=timezone.now()) for n in range(2)])
        change_routing(widget_id=shop.pk, department_id=None, changes={"accept_seconds": 0})
        assert HEAD == 200
        decision = decide(widget_id=shop.pk, as_of=timezone.now())
        assert (decision.given, decision.goes_on) == (HEAD, True)
        decision = decide(widget_id=shop.pk, as_of=timezone.now())
        assert (decision.given, decision.goes_on) == (0, False)


class TestTheLastPerson:
    @pytest.fixture
    def left(self, shop: Widget, sales: Department, alice: Agent) -> list[Chat]:
        """Alice has answered forty visitors who have all asked again, and closes her console."""
        change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed", "capacity": 5})
        process = uuid4()
        begin_presence(agent_id=alice.pk, process=process)
        chats = [ChatFactory.create(contact=ContactFactory.create(widget=shop), department=sales) for _ in range(40)]
        for chat in chats:
            actions.post_client_message(contact=chat.contact, content=HELLO)
            actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content=HELLO)
            actions.post_client_message(contact=chat.contact, content=HELLO)
        serve()
        assert rings(shop) == {"owner": 40}
        end_presence(agent_id=alice.pk, process=process)
        serve()
        return chats

    def test_their_chats_wait_for_them_for_a_while_and_then_ring_for_all(self, shop: Widget, left: list[Chat]) -> None:
        assert rings(shop) == {"owner": 40}
        later = timezone.now() + timedelta(minutes=DEFAULT_AWAY_MINUTES + 1)
        assert run_due(as_of=later) == {"owner_away": 40}
        serve(later)
        assert rings(shop) == {"all": 40}
        assert run_due(as_of=later) == {}

    def test_who_comes_is_offered_as_many_as_they_have_places_the_longest_wait_first(
        self, shop: Widget, left: list[Chat], boris: Agent
    ) -> None:
        later = timezone.now() + timedelta(minutes=DEFAULT_AWAY_MINUTES + 1)
        run_due(as_of=later)
        serve(later)
        begin_presence(agent_id=boris.pk, process=uuid4())
        serve(later)
        assert rings(shop) == {"offered": 5, "queue": 35}
        assert [offered(chat) for chat in left[:6]] == [boris.pk] * 5 + [None]
        whys = [row.why["reasons"] for row in Assignment.objects.filter(outcome=None)]
        assert all("owner_away" in why for why in whys)


def test_while_all_are_asleep_chats_ring_for_all_and_are_queued_as_they_wake(
    shop: Widget, sales: Department, alice: Agent, boris: Agent
) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    come(alice, boris)
    for agent in (alice, boris):
        set_on_break(widget_id=shop.pk, agent_id=agent.pk, on_break=True)
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), department=sales)
    actions.post_client_message(contact=chat.contact, content=HELLO)
    serve()
    assert rings(shop) == {"all": 1}
    set_on_break(widget_id=shop.pk, agent_id=boris.pk, on_break=False)
    serve()
    assert (rings(shop), offered(chat)) == ({"offered": 1}, boris.pk)


class TestClockOfTheDatabase:
    """It jumps: an offer ends once, late at worst, and the next one stands."""

    @pytest.fixture
    def offer(self, shop: Widget, sales: Department, alice: Agent, boris: Agent) -> Chat:
        change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
        come(alice, boris)
        chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), department=sales)
        actions.post_client_message(contact=chat.contact, content=HELLO)
        serve()
        return chat

    def test_forward_by_a_day_and_back(self, offer: Chat) -> None:
        tomorrow = timezone.now() + timedelta(days=1)
        assert run_due(as_of=tomorrow) == {"offer": 1}
        serve(tomorrow)
        assert run_due(as_of=tomorrow) == {}
        assert run_due() == {}, "back again, the next offer is due tomorrow: late"
        assert Assignment.objects.filter(chat=offer, outcome=None).count() == 1
        assert run_due(as_of=tomorrow + timedelta(seconds=41)) == {"offer": 1}, "and not lost"
        assert [row.outcome for row in Assignment.objects.filter(chat=offer).order_by("pk")] == ["missed"] * 2

    def test_back_by_an_hour(self, offer: Chat) -> None:
        before = timezone.now() - timedelta(hours=1)
        assert run_due(as_of=before) == {}
        serve(before)
        assert Assignment.objects.filter(chat=offer, outcome=None).count() == 1
        assert run_due(as_of=timezone.now() + timedelta(seconds=41)) == {"offer": 1}
        assert Assignment.objects.filter(chat=offer, outcome="missed").count() == 1
