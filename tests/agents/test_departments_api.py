"""Departments over REST (specification, "Department"; Endpoints, "Departments")."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents.actions.departments import change_department
from apps.agents.models import Agent, Department
from apps.agents.rules.departments import ALL_WEEK, DAYS
from apps.chats.models import Chat
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem
from apps.messengers.adapters import PROVIDERS
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, DepartmentFactory
from tests.factories.messengers import CabinetFactory

PATH = "/departments"
NINE_TO_SIX = {"from": "09:00", "to": "18:00"}


def kept() -> list[tuple[Any, ...]]:
    """Every department, as it is stored."""
    rows = Department.objects.order_by("pk")
    return [(d.pk, d.name, d.channels, d.schedule, sorted(d.agents.values_list("pk", flat=True))) for d in rows]


def test_a_department_is_added_with_what_is_sent(api: ApiClient, shop: Widget, alice: Agent, ada: Agent) -> None:
    week = {"Monday": "full", "Tuesday": NINE_TO_SIX, "Sunday": None}
    body = {"name": "Возвраты", "channels": ["smb", "tg"], "agent_ids": [ada.pk, alice.pk], "schedule": week}
    answer = api.post(PATH, json=body)
    assert answer.status_code == 201
    data = answer.json()["data"]
    row = Department.objects.get()
    assert row.widget == shop
    stamp = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
    assert stamp.fullmatch(data.pop("created_at"))
    assert stamp.fullmatch(data.pop("updated_at"))
    assert data == {
        "id": row.pk,
        "name": "Возвраты",
        "channels": ["smb", "tg"],
        "agent_ids": sorted([ada.pk, alice.pk]),
        "schedule": {**dict.fromkeys(DAYS), "Monday": "full", "Tuesday": NINE_TO_SIX | {"periods": [NINE_TO_SIX]}},
        "avatar_url": None,
    }
    assert list(data["schedule"]) == list(DAYS)


def test_a_name_is_enough_and_leaves_it_open_all_week(api: ApiClient) -> None:
    data = api.post(PATH, json={"name": "Sales"}).json()["data"]
    assert (data["channels"], data["agent_ids"], data["schedule"]) == ([], [], ALL_WEEK)


def test_the_list_is_of_the_widget_newest_first(api: ApiClient, shop: Widget, sales: Department, rival: Rival) -> None:
    later = DepartmentFactory.create(widget=shop)
    page = api.get(PATH).json()
    assert [row["id"] for row in page["data"]] == [later.pk, sales.pk]
    assert page["data"][1] == api.get(f"{PATH}/{sales.pk}").json()["data"]
    assert page["data"][1]["agent_ids"] == sorted(sales.agents.values_list("pk", flat=True))
    first = api.get(PATH, query={"limit": 1}).json()
    assert [row["id"] for row in first["data"]] == [later.pk]
    second = api.get(PATH, query={"limit": 1, "cursor": first["next_cursor"]})
    assert [row["id"] for row in second.json()["data"]] == [sales.pk]


def test_a_page_costs_the_same_whatever_is_on_it(api: ApiClient, shop: Widget, alice: Agent) -> None:
    DepartmentFactory.create(widget=shop, agents=[alice])
    api.get(PATH)
    with CaptureQueriesContext(
        connection,
    ) as few:
        api.get(PATH)
    DepartmentFactory.create_batch(9, widget=shop, agents=[alice])
    with CaptureQueriesContext(connection) as many:
        assert len(api.get(PATH).json()["data"]) == 10
    assert len(many) == len(few) <= 3


@pytest.mark.parametrize("channel", [*PROVIDERS[:-1], "smb"])
def test_the_vocabulary_of_channels_is_closed(api: ApiClient, channel: str) -> None:
    assert api.post(PATH, json={"name": "Sales", "channels": [channel]}).json()["data"]["channels"] == [channel]


@pytest.mark.parametrize(
    ("channels", "path"),
    [
        (["widget"], "channels.0"),
        (["smb", "TG"], "channels.1"),
        (["smb", "smb"], "channels.1"),
        (["av__"], "channels.0"),
        (["av__x"], "channels.0"),
        (["ch1"], "channels.0"),
        (["smb", 5], "channels.1"),
        ("smb", "channels"),
        (None, "channels"),
    ],
)
def test_other_channels_are_refused_by_their_position(api: ApiClient, channels: Any, path: str) -> None:
    assert_problem(api.post(PATH, json={"name": "Sales", "channels": channels}), 422, "invalid_input", errors=[path])
    assert kept() == []


def test_agents_and_cabinets_of_others_are_refused_like_unknown_ones(
    api: ApiClient, alice: Agent, rival: Rival
) -> None:
    def refusal(**members: Any) -> Any:
        answer = api.post(PATH, json={"name": "Sales", **members})
        return assert_problem(answer, 422, "invalid_input")["errors"]

    foreign, unknown = refusal(agent_ids=[alice.pk, rival.agent.pk]), refusal(agent_ids=[alice.pk, 10**12])
    assert foreign == unknown == {"agent_ids.1": ["There is no such agent."]}
    assert (
        refusal(channels=["av__1"])
        == refusal(channels=["av__999999"])
        == {"channels.0": ["There is no such ad cabinet."]}
    )
    assert [row[0] for row in kept()] == [rival.department.pk]


@pytest.mark.parametrize("name", ["", "   ", "a" * 256, "a\nb", "a\x00b", None, 7])
def test_a_name_that_is_none_is_refused(api: ApiClient, name: Any) -> None:
    assert_problem(api.post(PATH, json={"name": name}), 422, "invalid_input", errors=["name"])
    assert kept() == []


@pytest.mark.parametrize("name", ["Ж", "a" * 255, "Продажи 🌷"])
def test_a_name_has_up_to_255_characters_of_any_script(api: ApiClient, name: str) -> None:
    assert api.post(PATH, json={"name": name}).json()["data"]["name"] == name


@pytest.mark.parametrize(
    ("week", "path"),
    [
        ({"monday": "full"}, "schedule.monday"),
        ({"Mon": "full"}, "schedule.Mon"),
        ({"Monday": "FULL"}, "schedule.Monday"),
        ({"Monday": True}, "schedule.Monday"),
        ({"Monday": []}, "schedule.Monday"),
        ({"Monday": {"from": "18:00", "to": "09:00"}}, "schedule.Monday"),
        ({"Monday": {"from": "22:00", "to": "06:00"}}, "schedule.Monday"),
        ({"Monday": {"from": "09:00", "to": "09:00"}}, "schedule.Monday"),
        ({"Monday": {"from": "09:00"}}, "schedule.Monday.to"),
        ({"Monday": {"from": "9:00", "to": "18:00"}}, "schedule.Monday.from"),
        ({"Monday": {"from": "09:00", "to": "24:00"}}, "schedule.Monday.to"),
        ({"Monday": {"from": "09:60", "to": "18:00"}}, "schedule.Monday.from"),
        ({"Monday": {"from": None, "to": "18:00"}}, "schedule.Monday.from"),
        ({"Monday": {"from": "09:00", "to": "18:00", "break": "12:00"}}, "schedule.Monday.break"),
        ([], "schedule"),
        ("full", "schedule"),
        (None, "schedule"),
    ],
)
def test_hours_that_are_none_are_refused_by_day(api: ApiClient, sales: Department, week: Any, path: str) -> None:
    before = kept()
    refused = api.put(f"{PATH}/{sales.pk}/schedule", json={"schedule": week})
    assert_problem(refused, 422, "invalid_input", errors=[path])
    assert_problem(api.post(PATH, json={"name": "x", "schedule": week}), 422, "invalid_input", errors=[path])
    assert kept() == before


def test_a_schedule_replaces_the_week_and_an_omitted_day_is_closed(api: ApiClient, sales: Department) -> None:
    path = f"{PATH}/{sales.pk}/schedule"
    api.put(path, json={"schedule": {"Monday": "full", "Friday": {"from": "00:00", "to": "23:59"}}})
    data = api.put(path, json={"schedule": {"Tuesday": NINE_TO_SIX}}).json()["data"]
    assert data["schedule"] == {**dict.fromkeys(DAYS), "Tuesday": NINE_TO_SIX | {"periods": [NINE_TO_SIX]}}
    assert api.put(path, json={"schedule": {}}).json()["data"]["schedule"] == dict.fromkeys(DAYS)


def test_the_set_of_agents_is_replaced_and_may_be_emptied(api: ApiClient, sales: Department, olga: Agent) -> None:
    path = f"{PATH}/{sales.pk}/agents"
    assert api.put(path, json={"agent_ids": [olga.pk]}).json()["data"]["agent_ids"] == [olga.pk]
    assert api.put(path, json={"agent_ids": []}).json()["data"]["agent_ids"] == []


def test_a_suspended_agent_stays_in_the_set(api: ApiClient, shop: Widget, sales: Department, alice: Agent) -> None:
    Agent.objects.filter(pk=alice.pk).update(status="banned")
    assert alice.pk in api.get(f"{PATH}/{sales.pk}").json()["data"]["agent_ids"]
    banned = AgentFactory.create(widget=shop, status="banned")
    answer = api.put(f"{PATH}/{sales.pk}/agents", json={"agent_ids": [alice.pk, banned.pk]})
    assert answer.json()["data"]["agent_ids"] == [alice.pk, banned.pk]


@pytest.mark.parametrize("ids", [[1, "2"], [0], [-1], [2**63], [True], [1.0], None, {"0": 1}, "1"])
def test_ids_that_are_none_are_refused(api: ApiClient, sales: Department, ids: Any) -> None:
    before = kept()
    answer = api.put(f"{PATH}/{sales.pk}/agents", json={"agent_ids": ids})
    assert all(name.startswith("agent_ids") for name in assert_problem(answer, 422, "invalid_input")["errors"])
    assert kept() == before


def test_an_agent_listed_twice_is_refused(api: ApiClient, sales: Department, alice: Agent) -> None:
    before = kept()
    answer = api.put(f"{PATH}/{sales.pk}/agents", json={"agent_ids": [alice.pk, alice.pk]})
    assert_problem(answer, 422, "invalid_input", errors=["agent_ids.1"])
    assert kept() == before


def test_name_and_channels_are_changed_each_alone(api: ApiClient, sales: Department) -> None:
    path = f"{PATH}/{sales.pk}"
    assert api.patch(path, json={"name": "Orders"}).json()["data"]["channels"] == ["smb"]
    data = api.patch(path, json={"channels": ["vk", "wa"]}).json()["data"]
    assert (data["name"], data["channels"]) == ("Orders", ["vk", "wa"])
    before = api.get(path).json()["data"]
    for nothing in ({}, {"name": "Orders"}, {"channels": ["vk", "wa"]}):
        assert api.patch(path, json=nothing).json()["data"] == before, "not even when it was changed"


def test_a_change_leaves_what_another_one_has_changed_meanwhile(shop: Widget, sales: Department) -> None:
    """Each writes upon what is there once it has the row; one that finds it deleted is 404."""
    here = {"widget_id": shop.pk, "department_id": sales.pk}
    change_department(**here, changes={"name": "Renamed"})
    change_department(**here, changes={"channels": ["tg"]})
    sales.refresh_from_db()
    assert (sales.name, sales.channels) == ("Renamed", ["tg"])
    sales.delete()
    with pytest.raises(Problem) as refused:
        change_department(**here, changes={"name": "Again"})
    assert refused.value.type is NOT_FOUND


@pytest.mark.parametrize(
    "member", ["agent_ids", "schedule", "id", "avatar_url", "created_at", "updated_at", "internal"]
)
def test_what_has_a_call_of_its_own_or_is_read_only_is_refused_by_name(
    api: ApiClient, sales: Department, member: str
) -> None:
    before = kept()
    answer = api.patch(f"{PATH}/{sales.pk}", json={"name": "x", member: None})
    assert_problem(answer, 422, "invalid_input", errors=[member])
    assert kept() == before


def test_deleting_takes_no_key_and_chats_stay(api: ApiClient, sales: Department, chat: Chat) -> None:
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    answer = api.delete(f"{PATH}/{sales.pk}", idempotency_key=None)
    assert (answer.status_code, answer.content) == (204, b"")
    assert not {"Content-Type", "Content-Length"} & set(answer.headers)
    assert not Department.objects.exists()
    assert api.get(f"/chats/{chat.pk}").json()["data"]["department_id"] is None
    assert_problem(api.delete(f"{PATH}/{sales.pk}", idempotency_key=None), 404, "not_found")


def test_the_widgets_own_ad_cabinets_are_channels(api: ApiClient, shop: Widget, rival: Rival) -> None:
    ours, theirs = (f"av__{CabinetFactory.create(widget=widget).pk}" for widget in (shop, rival.widget))
    made = api.post(PATH, json={"name": "Sales", "channels": ["smb", ours]})
    assert (made.status_code, made.json()["data"]["channels"]) == (201, ["smb", ours])
    path = f"{PATH}/{made.json()['data']['id']}"
    assert api.patch(path, json={"channels": [ours]}).json()["data"]["channels"] == [ours]
    for channels in ([theirs], [ours.replace("__", "__0")], [ours, ours]):
        assert_problem(api.patch(path, json={"channels": channels}), 422, "invalid_input")


def test_a_day_of_several_periods_is_shown_sent_back_and_replaced(api: ApiClient, sales: Department) -> None:
    path = f"{PATH}/{sales.pk}/schedule"
    periods = [{"from": "09:00", "to": "13:00"}, {"from": "14:00", "to": "18:00"}]
    day = NINE_TO_SIX | {"periods": periods}
    shown = api.put(path, json={"schedule": {"Monday": day}}).json()["data"]["schedule"]
    assert shown["Monday"] == day
    assert api.put(path, json={"schedule": shown}).json()["data"]["schedule"] == shown
    replaced = api.put(path, json={"schedule": {"Monday": NINE_TO_SIX}}).json()["data"]["schedule"]
    assert replaced["Monday"] == NINE_TO_SIX | {"periods": [NINE_TO_SIX]}


@pytest.mark.parametrize(
    ("periods", "path"),
    [
        ([], "periods"),
        ("x", "periods"),
        ([{"from": "09:00"}], "periods.0"),
        ([{"from": "09:00", "to": "08:00"}], "periods.0"),
        ([{"from": "09:00", "to": "12:00"}, {"from": "12:00", "to": "18:00"}], "periods.1"),
        ([{"from": "10:00", "to": "18:00"}], "periods"),
    ],
)
def test_periods_that_are_none_are_refused(api: ApiClient, sales: Department, periods: object, path: str) -> None:
    week = {"Monday": NINE_TO_SIX | {"periods": periods}}
    refused = api.put(f"{PATH}/{sales.pk}/schedule", json={"schedule": week})
    assert_problem(refused, 422, "invalid_input", errors=[f"schedule.Monday.{path}"])
