"""`/queue`: departments, operators with their places, the chats in order, and the waits of the last hour."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.accounts.models import Widget
from apps.agents.actions.breaks import set_on_break
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Message
from apps.console.querysets import inbox_rows
from apps.routing.models import Assignment, OperatorPlaces, RoutingSettings, SlaClock
from apps.routing.querysets.board import nearest_rank, queue_of
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.factories import ChatFactory, ContactFactory, DepartmentFactory, MessageFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

WHY = {
    "reasons": ["fewest_open", "language"],
    "load": 1,
    "capacity": 5,
    "department_load": None,
    "department_capacity": None,
    "waited_seconds": 12,
    "among": 3,
}


def ago(minutes: float) -> datetime:
    return timezone.now() - timedelta(minutes=minutes)


@pytest.fixture
def team(shop: Widget, alice: Agent, boris: Agent) -> Department:
    """A department of Alice and Boris, who are at work."""
    Agent.objects.filter(pk__in=[alice.pk, boris.pk]).update(online_since=ago(60))
    department: Department = DepartmentFactory.create(widget=shop, agents=[alice, boris])
    return department


def queued(team: Department, minutes: float, **fields: Any) -> int:
    chat: Chat = ChatFactory.create(contact=ContactFactory.create(widget=team.widget), widget=team.widget)
    message = MessageFactory.create(chat=chat)
    since = ago(minutes)
    about = {"waiting_since": since, "queued_at": since, "department": team, "has_client_messages": True}
    Chat.objects.filter(pk=chat.pk).update(last_message=message, **{**about, **fields})
    return chat.pk


def department_of(answer: dict[str, Any], department_id: int | None) -> dict[str, Any]:
    return next(each for each in answer["departments"] if each["department_id"] == department_id)


def operator_of(answer: dict[str, Any], agent: Agent) -> dict[str, Any]:
    return next(each for each in answer["operators"] if each["agent_id"] == agent.pk)


def test_the_chats_stand_in_order_with_their_places(team: Department, api: ApiClient, boris: Agent) -> None:
    normal, urgent = queued(team, 5), queued(team, 1, priority="urgent")
    offered = queued(team, 7, offered_to=boris, offered_at=ago(0), offered_until=ago(-1))
    elsewhere = queued(team, 9, department=None)
    chats = api.get("/queue").json()["data"]["chats"]
    assert [(each["chat_id"], each["place"]) for each in chats] == [
        (urgent, 1),
        (elsewhere, 1),
        (offered, 2),
        (normal, 3),
    ]
    assert [each["offered_to"] for each in chats] == [None, None, boris.pk, None]


def test_a_department_has_its_waits_and_its_free_places(
    team: Department, alice: Agent, boris: Agent, alices_console: Console
) -> None:
    RoutingSettings.objects.create(widget=team.widget, capacity=4)
    OperatorPlaces.objects.create(widget=team.widget, agent=boris, capacity=2)
    OperatorPlaces.objects.create(widget=team.widget, agent=alice, department=team, capacity=3)
    queued(team, 5, agent=boris, queued_at=None)
    queued(team, 3)
    found = alices_console.data("GET", "/queue")
    shown = department_of(found, team.pk)
    assert (shown["waiting"], shown["online"], shown["on_break"]) == (2, 2, 0)
    assert shown["places"] == 3 + 1, "Alice has three in the department, Boris one of his two"
    longest = parse_datetime(shown["longest_since"])
    assert longest is not None
    assert timedelta(minutes=4) < timezone.now() - longest < timedelta(minutes=6)
    assert {name: operator_of(found, boris)[name] for name in ("load", "capacity", "offered", "break")} == {
        "load": 1,
        "capacity": 2,
        "offered": 0,
        "break": None,
    }


def test_a_department_has_the_answers_that_are_due_soon_and_those_that_are_missed(
    team: Department, api: ApiClient, rival: Rival
) -> None:
    def due(department: Department | None, **marks: Any) -> None:
        """A chat with two clocks that run; `marks` are those of the one that is due first."""
        chat_id = queued(team, 5, department=department)
        for metric, minutes, of_clock in (("resolution", -60, {}), ("next_reply", 1, marks)):
            SlaClock.objects.create(
                widget=team.widget,
                chat_id=chat_id,
                metric=metric,
                since=ago(5),
                warn_percent=80,
                **{"target_minutes": 4, "running_since": ago(5), "due_at": ago(minutes), **of_clock},
            )

    due(team), due(team, warned_at=ago(2)), due(None, warned_at=ago(2))
    due(team, warned_at=ago(2), breached_at=ago(1)), due(team, warned_at=ago(2), breached_at=ago(1))
    # Nobody waits there any more, though nobody has looked at its clocks yet.
    dealt_with_id = queued(team, 5, dealt_with_message_id=2**40)
    SlaClock.objects.filter(due_at__lt=ago(0.5)).update(department_id=rival.department.pk)  # the chat's counts
    SlaClock.objects.create(
        widget=team.widget, chat_id=dealt_with_id, metric="next_reply", since=ago(5), warn_percent=80, due_at=ago(1),
        breached_at=ago(1),
    )  # fmt: skip
    found = api.get("/queue").json()["data"]
    figures = {
        each["department_id"]: (each["waiting"], each["due_soon"], each["breached"]) for each in found["departments"]
    }
    assert figures == {None: (1, 1, 0), team.pk: (4, 1, 2)}


def test_an_operator_on_a_break_has_no_places(team: Department, alice: Agent, boris: Agent) -> None:
    set_on_break(widget_id=team.widget_id, agent_id=boris.pk, on_break=True, note="Lunch")
    found = queue_of(team.widget_id)
    shown = department_of(found, team.pk)
    assert (shown["online"], shown["on_break"], shown["places"]) == (1, 1, 5)
    of_boris = operator_of(found, boris)
    assert (of_boris["status"], of_boris["break"]["note"]) == ("relaxation", "Lunch")


def test_an_offer_takes_a_place(team: Department, boris: Agent) -> None:
    queued(team, 1, offered_to=boris, offered_at=ago(0), offered_until=ago(-1))
    of_boris = operator_of(queue_of(team.widget_id), boris)
    assert (of_boris["load"], of_boris["offered"]) == (1, 1)


def test_the_waits_that_people_ended_in_the_last_hour_are_counted(chat: Chat, alice: Agent) -> None:
    def said(minutes: float, **about: Any) -> None:
        message = MessageFactory.create(chat=chat, **about)
        Message.objects.filter(pk=message.pk).update(created_at=ago(minutes))

    said(200), said(150, agent=alice)  # before the hour
    said(30), said(29), said(20, agent=alice), said(19, agent=alice)
    said(10), said(8, agent=alice)
    found = queue_of(chat.widget_id)["answered"]
    assert found == {"count": 2, "p50_seconds": 120, "p90_seconds": 600}


def test_a_percentile_is_the_nearest_rank() -> None:
    assert [nearest_rank([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], percent) for percent in (50, 90)] == [5, 9]
    assert (nearest_rank([7], 90), nearest_rank([], 50)) == (7, None)


def test_another_widgets_queue_is_not_shown(team: Department, rival: Rival, rival_api: ApiClient) -> None:
    queued(team, 5)
    found = rival_api.get("/queue").json()["data"]
    assert found["chats"] == []
    assert team.pk not in {each["department_id"] for each in found["departments"]}


def test_a_row_says_why_it_is_offered_and_its_place(team: Department, boris: Agent, alices_console: Console) -> None:
    queued(team, 9)
    offered = queued(team, 5, offered_to=boris, offered_at=ago(0), offered_until=ago(-1))
    about = {"widget": team.widget, "chat_id": offered, "agent": boris, "waits_since": ago(5)}
    Assignment.objects.create(**about, why={**WHY, "owner_id": 7})
    (row,) = inbox_rows(team.widget_id, [offered])
    assert (row["place"], row["offer"]["why"]) == (2, WHY)
    assert alices_console.data("GET", f"/chats/{offered}")["chat"]["offer"]["why"] == WHY


def test_an_offer_of_somebody_else_is_not_let_pass(team: Department, boris: Agent, alices_console: Console) -> None:
    offered = queued(team, 5, offered_to=boris, offered_at=ago(0), offered_until=ago(-1))
    before = snapshot()
    assert_problem(alices_console.post(f"/chats/{offered}/decline"), 409, "not_offered")
    assert snapshot() == before


def test_ones_own_offer_is_let_pass_and_goes_on(team: Department, alice: Agent, alices_console: Console) -> None:
    offered = queued(team, 5, offered_to=alice, offered_at=ago(0), offered_until=ago(-1))
    since = Chat.objects.get(pk=offered).queued_at
    offer = Assignment.objects.create(widget=team.widget, chat_id=offered, agent=alice, waits_since=since, why=WHY)
    row = alices_console.data("POST", f"/chats/{offered}/decline")
    offer.refresh_from_db()
    assert (row["offer"], offer.outcome) == (None, "declined")
    assert Chat.objects.get(pk=offered).offered_to is None
    assert_problem(alices_console.post(f"/chats/{offered}/decline"), 409, "not_offered")
