"""A chat for which nobody of its department is available for its minutes goes to the department that helps out."""

from calendar import day_name
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions.hours import replace_department_hours
from apps.agents.models import Agent, Department
from apps.agents.rules.weeks import read_week
from apps.chats import actions
from apps.chats.actions.attribution import accept_chat
from apps.chats.actions.states import close_chat
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, ChatActivity, Timer
from apps.chats.rules.timers import TimerKind
from apps.routing.actions.offers import decline
from apps.routing.actions.settings import change_routing
from apps.routing.actions.wakening import ask_router, follow_operator, follow_settings
from apps.routing.models import Assignment
from tests.factories import AgentFactory, ChatFactory, ContactFactory, DepartmentFactory
from tests.routing.served import come, offered, pass_time, serve

pytestmark = pytest.mark.django_db
HELLO = {"type": "text", "body": "Hello"}
MINUTES = 5


@pytest.fixture
def carol(shop: Widget) -> Agent:
    return AgentFactory.create(widget=shop, name="Carol")


@pytest.fixture
def helpers(shop: Widget, sales: Department, carol: Agent) -> Department:
    """Carol's department, which helps out after five minutes; an operator has one place."""
    department = DepartmentFactory.create(widget=shop, name="Helpers")
    department.agents.set([carol])
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed", "capacity": 1})
    changes = {"overflow_department_id": department.pk, "overflow_minutes": MINUTES}
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes=changes)
    return department


def waits(shop: Widget, department: Department) -> Chat:
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), department=department)
    actions.post_client_message(contact=chat.contact, content=HELLO)
    return chat


def after(**time: float) -> datetime:
    return timezone.now() + timedelta(**time)


def arrives(agent: Agent, as_of: datetime | None = None) -> None:
    come(agent)
    follow_operator(widget_id=agent.widget_id, agent_id=agent.pk)
    serve(as_of)


def leaves(agent: Agent, as_of: datetime) -> None:
    Agent.objects.filter(pk=agent.pk).update(online_since=None, away_since=as_of - timedelta(hours=1))
    follow_operator(widget_id=agent.widget_id, agent_id=agent.pk)
    serve(as_of)


def timers() -> list[int]:
    return list(Timer.objects.filter(kind=TimerKind.OVERFLOW).order_by("pk").values_list("chat", flat=True))


def department_of(chat: Chat) -> int | None:
    found: int | None = Chat.objects.values_list("department", flat=True).get(pk=chat.pk)
    return found


def test_while_all_are_full_the_clock_runs_and_the_chat_goes_to_the_helpers(
    shop: Widget, sales: Department, helpers: Department, alice: Agent, carol: Agent
) -> None:
    first = waits(shop, sales)
    arrives(alice)
    second = waits(shop, sales)
    serve()
    assert (offered(first), offered(second)) == (alice.pk, None)
    actions.post_agent_message(widget_id=shop.pk, chat_id=first.pk, agent_id=alice.pk, content=HELLO)
    serve()
    assert timers() == [second.pk]
    come(carol)
    pass_time(after(minutes=MINUTES, seconds=-10))
    assert department_of(second) == sales.pk
    pass_time(after(minutes=MINUTES, seconds=1))
    assert (department_of(second), offered(second)) == (helpers.pk, carol.pk)
    assert "overflow" in Assignment.objects.latest("pk").why["reasons"]
    assert ChatActivity.objects.get(chat=second, comment="overflow").department_id == helpers.pk


def test_a_place_that_is_left_free_stops_the_clock_and_the_next_lack_starts_another(
    shop: Widget, sales: Department, helpers: Department, alice: Agent, boris: Agent, carol: Agent
) -> None:
    come(carol)
    arrives(alice)
    first, second = waits(shop, sales), waits(shop, sales)
    serve()
    accept_chat(widget_id=shop.pk, chat_id=first.pk, agent_id=alice.pk)
    serve()
    assert timers() == [second.pk]
    arrives(boris, after(minutes=3))
    assert (offered(second), timers()) == (boris.pk, [])
    decline(widget_id=shop.pk, chat_id=second.pk, agent_id=boris.pk)
    serve(after(minutes=3))
    assert (offered(second), timers()) == (None, [])  # Boris has a place, though not for this one
    pass_time(after(minutes=3 + MINUTES, seconds=-1))
    leaves(boris, after(minutes=8))
    pass_time(after(minutes=8 + MINUTES, seconds=-10))
    assert department_of(second) == sales.pk
    pass_time(after(minutes=8 + MINUTES, seconds=1))
    assert department_of(second) == helpers.pk


def test_who_has_a_place_when_it_is_due_is_asked_first(
    shop: Widget, sales: Department, helpers: Department, alice: Agent, carol: Agent
) -> None:
    come(carol)
    arrives(alice)
    first, second = waits(shop, sales), waits(shop, sales)
    serve()
    accept_chat(widget_id=shop.pk, chat_id=first.pk, agent_id=alice.pk)
    serve()
    close_chat(widget_id=shop.pk, chat_id=first.pk)  # the router has not decided since
    assert run_due(as_of=after(minutes=MINUTES, seconds=1)) == {"overflow": 1}
    serve(after(minutes=MINUTES, seconds=2))
    assert (department_of(second), offered(second)) == (sales.pk, alice.pk)


def test_it_waits_until_the_helpers_open_and_their_minutes_from_then(
    shop: Widget, sales: Department, helpers: Department, carol: Agent
) -> None:
    come(carol)
    now = timezone.now()
    opens_at = (now + timedelta(hours=2)).replace(second=0, microsecond=0)
    begin = opens_at.strftime("%H:%M")
    periods = [{"from": begin, "to": "24:00" if begin >= "23:00" else "23:59"}]
    week = read_week({name: periods if name == opens_at.strftime("%A") else [] for name in day_name})
    replace_department_hours(widget_id=shop.pk, department_id=helpers.pk, time_zone="UTC", week=week, exceptions=[])
    chat = waits(shop, sales)
    serve()
    timer = Timer.objects.get(kind=TimerKind.OVERFLOW)
    assert timer.due_at == opens_at + timedelta(minutes=MINUTES)
    pass_time(opens_at + timedelta(minutes=MINUTES - 1))
    assert department_of(chat) == sales.pk
    pass_time(opens_at + timedelta(minutes=MINUTES))
    assert department_of(chat) == helpers.pk


def test_helpers_who_have_closed_by_then_get_it_once_they_open_again(
    shop: Widget, sales: Department, helpers: Department
) -> None:
    chat = waits(shop, sales)
    serve()
    week = read_week({name: [] for name in day_name})
    replace_department_hours(widget_id=shop.pk, department_id=helpers.pk, time_zone=None, week=week, exceptions=[])
    serve()
    pass_time(after(minutes=MINUTES, seconds=1))
    assert (department_of(chat), timers()) == (sales.pk, [])
    week = read_week({name: [{"from": "00:00", "to": "24:00"}] for name in day_name})
    replace_department_hours(widget_id=shop.pk, department_id=helpers.pk, time_zone=None, week=week, exceptions=[])
    serve(after(minutes=10))
    assert timers() == [chat.pk]
    pass_time(after(minutes=10 + MINUTES))
    assert department_of(chat) == helpers.pk


def test_chats_of_an_empty_department_that_is_helped_from_now_on_are_looked_at(
    shop: Widget, sales: Department, helpers: Department
) -> None:
    change_routing(
        widget_id=shop.pk, department_id=sales.pk, changes={"overflow_department_id": None, "overflow_minutes": None}
    )
    chat = waits(shop, sales)
    serve()
    assert timers() == []
    changes = {"overflow_department_id": helpers.pk, "overflow_minutes": MINUTES}
    change_routing(widget_id=shop.pk, department_id=sales.pk, changes=changes)
    serve()
    assert timers() == [chat.pk]
    follow_settings(shop.pk)
    serve(after(minutes=1))
    assert timers() == [chat.pk]


def test_once_a_wait(shop: Widget, sales: Department, helpers: Department, carol: Agent) -> None:
    """Sent back by hand it stays, until its visitor begins to wait anew."""
    chat = waits(shop, sales)
    serve()
    pass_time(after(minutes=MINUTES, seconds=1))
    assert department_of(chat) == helpers.pk
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    ask_router(shop.pk)
    follow_settings(shop.pk)
    serve(after(minutes=6))
    assert timers() == []
    actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, agent_id=carol.pk, content=HELLO)
    ChatActivity.objects.update(at=timezone.now() - timedelta(minutes=1))
    Chat.objects.filter(pk=chat.pk).update(agent=None)
    actions.post_client_message(contact=chat.contact, content=HELLO)
    serve()
    assert timers() == [chat.pk]
