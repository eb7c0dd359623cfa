"""The cabinet's pages of routing and answer times: three settings in sight, the line that says what happens now."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.agents.rules.departments import DAYS
from apps.routing.actions.places import change_places
from apps.routing.actions.settings import change_routing, routing_of
from apps.routing.cabinet import load_line, now_line
from apps.routing.forms import TIMES, times_name
from apps.routing.models import OperatorPlaces, RoutingSettings
from tests.cast import Rival, signed_in
from tests.factories import ChatFactory, ContactFactory, StaffFactory

pytestmark = pytest.mark.django_db

WIDGET = {
    "mode": "routed",
    "accept_seconds": "30",
    "capacity": "4",
    "silent_minutes": "0",
    "prefer_last": "on",
    "languages": "prefer",
    "misses": "3",
    "show_place": "on",
    "show_expected": "on",
    "warn_percent": "80",
    "clock": "open",
}


def page_of(kind: str, row: Any) -> str:
    return f"/admin/routing/{kind}/{row.pk}/change/"


def minutes(priority: str | None, *each: str) -> dict[str, str]:
    return {f"{times_name(priority)}_{place}": text for place, text in enumerate(each)}


def here(agent: Agent) -> None:
    Agent.objects.filter(pk=agent.pk).update(online_since=timezone.now(), status="active")


def routed(widget: Widget, **changes: Any) -> None:
    change_routing(widget_id=widget.pk, department_id=None, changes={"mode": "routed", **changes})


class TestTheWidgets:
    def test_until_it_is_saved_a_chat_rings_for_all(self, cabinet: Client, shop: Widget) -> None:
        shown = cabinet.get("/admin/routing/widgetrouting/", follow=True)
        assert shown.request["PATH_INFO"] == page_of("widgetrouting", shop)
        assert "A new chat rings for all of them." in shown.content.decode()
        assert not RoutingSettings.objects.for_widget(shop.pk).exists()

    def test_three_settings_are_in_sight_and_the_rest_is_folded(self, cabinet: Client, shop: Widget) -> None:
        form = cabinet.get(page_of("widgetrouting", shop)).context["adminform"]
        shown = {str(each.name): list(each.fields) for each in form if "collapse" not in each.classes}
        assert shown == {
            "Routing": ["now", "told", "mode", "accept_seconds", "capacity"],
            "Answer times": ["times_all"],
        }
        folded = [name for each in form if "collapse" in each.classes for name in each.fields]
        assert {"silent_minutes", "languages", "misses", "show_place", "warn_percent", "clock"} <= set(folded)

    def test_it_is_switched_on_with_answer_times(self, cabinet: Client, shop: Widget) -> None:
        form = WIDGET | minutes(None, "30", "60", "") | minutes("urgent", "5", "", "")
        assert cabinet.post(page_of("widgetrouting", shop), form).status_code == 302
        held = routing_of(shop.pk, None)
        assert (held.mode, held.accept_seconds, held.capacity, held.prefer_last) == ("routed", 30, 4, True)
        assert [each.shown() for each in held.answer_times] == [
            {"priority": None, "first_reply": 30, "next_reply": 60, "resolution": None},
            {"priority": "urgent", "first_reply": 5, "next_reply": None, "resolution": None},
        ]
        again = cabinet.get(page_of("widgetrouting", shop)).content.decode()
        assert 'name="times_urgent_0" value="5"' in again

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"accept_seconds": "9"}, "accept_seconds"),
            ({"accept_seconds": "601"}, "accept_seconds"),
            ({"capacity": "101"}, "capacity"),
            ({"capacity": ""}, "capacity"),
            ({"misses": "0"}, "misses"),
            ({"mode": "chance"}, "mode"),
            ({"warn_percent": "96"}, "warn_percent"),
            ({"times_all_0": "0"}, "times_all"),
            ({"times_low_2": "43201"}, "times_low"),
        ],
    )
    def test_settings_that_are_none_change_nothing(
        self, cabinet: Client, shop: Widget, wrong: dict[str, str], field: str
    ) -> None:
        answer = cabinet.post(page_of("widgetrouting", shop), WIDGET | wrong)
        assert list(answer.context["adminform"].form.errors) == [field]
        assert not RoutingSettings.objects.for_widget(shop.pk).exists()

    def test_other_fields_stay_as_somebody_else_has_set_them(self, cabinet: Client, shop: Widget) -> None:
        opened = cabinet.get(page_of("widgetrouting", shop)).context["adminform"].form
        shown = {each.html_initial_name: each.field.prepare_value(each.initial) for each in opened}
        routed(shop, misses=7)
        sent = {name: value for name, value in shown.items() if value not in (None, "")}
        assert cabinet.post(page_of("widgetrouting", shop), WIDGET | sent | {"capacity": "9"}).status_code == 302
        assert (routing_of(shop.pk, None).capacity, routing_of(shop.pk, None).misses) == (9, 7)

    def test_a_viewer_reads_what_holds_and_changes_nothing(self, shop: Widget) -> None:
        viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        assert "A new chat rings for all" in viewer.get(page_of("widgetrouting", shop)).content.decode()
        assert viewer.post(page_of("widgetrouting", shop), WIDGET).status_code == 403
        assert not RoutingSettings.objects.for_widget(shop.pk).exists()

    def test_another_accounts_is_not_there(self, cabinet: Client, rival: Rival) -> None:
        for kind, row in (("widgetrouting", rival.widget), ("departmentrouting", rival.department)):
            assert cabinet.post(page_of(kind, row), WIDGET).status_code == 404
        assert cabinet.post(page_of("operatorrouting", rival.agent), {"capacity": "1"}).status_code == 404
        assert not RoutingSettings.objects.for_widget(rival.widget.pk).exists()
        assert not OperatorPlaces.objects.for_widget(rival.widget.pk).exists()

    def test_the_audit_trail_tells_of_a_change(self, cabinet: Client, shop: Widget) -> None:
        cabinet.post(page_of("widgetrouting", shop), WIDGET)
        history = cabinet.get(f"/admin/routing/widgetrouting/{shop.pk}/history/", follow=True).content.decode()
        assert "30" in history
        assert "routed" in history


class TestADepartments:
    def test_an_empty_field_is_the_widgets(self, cabinet: Client, shop: Widget, sales: Department) -> None:
        routed(shop, accept_seconds=90)
        page = cabinet.get(page_of("departmentrouting", sales)).content.decode()
        assert "As the widget: It is offered to one operator after the other" in page
        assert 'placeholder="90"' in page
        assert cabinet.post(page_of("departmentrouting", sales), {"accept_seconds": "20"}).status_code == 302
        own = RoutingSettings.objects.for_widget(shop.pk).get(department=sales)
        assert (own.mode, own.accept_seconds, own.answer_times) == (None, 20, None)
        assert routing_of(shop.pk, sales.pk).is_routed

    def test_it_is_a_tab_of_the_departments_page(self, cabinet: Client, sales: Department) -> None:
        for address in (f"/admin/agents/department/{sales.pk}/change/", page_of("departmentrouting", sales)):
            shown = cabinet.get(address).content.decode()
            tabs = shown[shown.index('id="tabs-items"') :]
            assert f'href="{page_of("departmentrouting", sales)}"' in tabs
            assert f'href="/admin/agents/department/{sales.pk}/change/"' in tabs

    def test_its_own_answer_times_may_be_none(self, cabinet: Client, shop: Widget, sales: Department) -> None:
        times = [{"priority": None, "first_reply": 30, "next_reply": None, "resolution": None}]
        routed(shop, answer_times=times)
        page = page_of("departmentrouting", sales)
        assert cabinet.post(page, {"own_times": "on"}).status_code == 302
        assert routing_of(shop.pk, sales.pk).answer_times == ()
        assert cabinet.post(page, {"own_times": "on", **minutes(None, "10", "", "")}).status_code == 302
        assert routing_of(shop.pk, sales.pk).answer_times[0].first_reply == 10
        assert cabinet.post(page, {}).status_code == 302
        assert routing_of(shop.pk, sales.pk).answer_times[0].first_reply == 30

    def test_a_department_helps_out_with_its_minutes_or_not_at_all(
        self, cabinet: Client, shop: Widget, sales: Department, rival: Rival
    ) -> None:
        helper = Department.objects.create(widget=shop, name="Help")
        page = page_of("departmentrouting", sales)
        for wrong in (
            {"overflow_department_id": helper.pk},
            {"overflow_minutes": "5"},
            {"overflow_department_id": sales.pk, "overflow_minutes": "5"},
            {"overflow_department_id": rival.department.pk, "overflow_minutes": "5"},
        ):
            assert cabinet.post(page, wrong).status_code == 200
            assert not RoutingSettings.objects.for_widget(shop.pk).exists()
        right = {"overflow_department_id": helper.pk, "overflow_minutes": "5"}
        assert cabinet.post(page, right).status_code == 302
        held = routing_of(shop.pk, sales.pk)
        assert (held.overflow_department_id, held.overflow_minutes) == (helper.pk, 5)


class TestNow:
    def test_a_routed_department_says_how_many_places_are_free(
        self, shop: Widget, sales: Department, alice: Agent
    ) -> None:
        sales.agents.set([alice])
        here(alice)
        ChatFactory.create(contact=ContactFactory.create(widget=shop), agent=alice, department=sales)
        routed(shop, accept_seconds=30)
        assert now_line(shop.pk, sales.pk) == (
            "Open around the clock. 1 of 1 operators are here. 4 places are free. "
            "A new chat is offered to one of them for 30 seconds, then to the next."
        )
        routed(shop, accept_seconds=0)
        assert now_line(shop.pk, sales.pk).endswith("A new chat is given to one of them at once.")
        change_places(widget_id=shop.pk, agent_id=alice.pk, changes={"departments": {sales.pk: 1}})
        assert now_line(shop.pk, sales.pk).endswith("All places are taken: a new chat waits in the queue.")
        change_places(widget_id=shop.pk, agent_id=alice.pk, changes={"departments": {sales.pk: 0}})
        assert now_line(shop.pk, sales.pk).endswith("a new chat rings for all of them.")
        sales.schedule = dict.fromkeys(DAYS)
        sales.save()
        assert "Outside of the hours nothing is offered" in now_line(shop.pk, sales.pk)

    def test_nobody_here_is_said(self, shop: Widget, sales: Department) -> None:
        routed(shop)
        assert "Nobody is here who is offered chats" in now_line(shop.pk, sales.pk)


class TestAnOperators:
    def test_places_are_set_in_all_and_by_department(
        self, cabinet: Client, shop: Widget, sales: Department, alice: Agent
    ) -> None:
        sales.agents.set([alice])
        page = page_of("operatorrouting", alice)
        assert 'placeholder="5"' in cabinet.get(page).content.decode()
        assert cabinet.post(page, {"capacity": "3", f"places_{sales.pk}": "1"}).status_code == 302
        rows = OperatorPlaces.objects.for_widget(shop.pk).values_list("department", "capacity")
        assert set(rows) == {(None, 3), (sales.pk, 1)}
        assert cabinet.post(page, {"capacity": "", f"places_{sales.pk}": "1"}).status_code == 302
        assert OperatorPlaces.objects.for_widget(shop.pk).get(department=None).capacity is None

    @pytest.mark.parametrize("wrong", ["101", "-1", "x"])
    def test_places_that_are_none_change_nothing(self, cabinet: Client, shop: Widget, alice: Agent, wrong: str) -> None:
        answer = cabinet.post(page_of("operatorrouting", alice), {"capacity": wrong})
        assert list(answer.context["adminform"].form.errors) == ["capacity"]
        assert not OperatorPlaces.objects.for_widget(shop.pk).exists()

    def test_why_nothing_is_offered_is_said(self, shop: Widget, alice: Agent) -> None:
        ChatFactory.create(contact=ContactFactory.create(widget=shop), agent=alice)
        assert load_line(shop.pk, alice.pk) == (
            "1 of 5 places are taken. No chats are offered: the operator is not here."
        )
        here(alice)
        assert load_line(shop.pk, alice.pk) == "1 of 5 places are taken."
        Agent.objects.filter(pk=alice.pk).update(status="relaxation", away_since=timezone.now() - timedelta(minutes=1))
        assert load_line(shop.pk, alice.pk).endswith("the operator is on a break.")
        change_places(widget_id=shop.pk, agent_id=alice.pk, changes={"capacity": 0})
        assert load_line(shop.pk, alice.pk) == "No chats are offered: there are no places."


def test_every_priority_has_a_field_of_answer_times() -> None:
    assert len(TIMES) == 5
