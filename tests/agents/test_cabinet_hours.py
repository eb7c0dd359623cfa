"""The widget's own hours in the cabinet."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.dashboard import first_steps
from apps.agents.models import Department, Holiday, WidgetWeek
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.departments import DAYS
from apps.agents.rules.weeks import shown_week, week_of
from tests.cast import Rival

pytestmark = pytest.mark.django_db

CLOSED = {f"{day}_0": "" for day in DAYS}
MORNINGS = CLOSED | {"Monday_0": "hours", "Monday_1": "09:00", "Monday_2": "13:00"}


def page(widget: Widget) -> str:
    return f"/admin/agents/widgetweek/{widget.pk}/change/"


def save(cabinet: Client, widget: Widget, **fields: Any) -> Any:
    return cabinet.post(page(widget), {"has_own": "on", "time_zone": "Asia/Omsk", **MORNINGS, **fields})


def stored(widget: Widget) -> dict[str, Any]:
    week = shown_week(week_of(WidgetWeek.objects.for_widget(widget.pk).get().schedule))
    return {day: periods for day, periods in week.items() if periods}


def test_the_widget_follows_its_departments_until_it_has_hours_of_its_own(
    cabinet: Client, shop: Widget, sales: Department
) -> None:
    sales.schedule = dict.fromkeys(DAYS)
    sales.save()
    shown = cabinet.get("/admin/agents/widgetweek/", follow=True)
    assert shown.request["PATH_INFO"] == page(shop)
    assert "Closed." in shown.content.decode()
    whole = {f"{day}_0": "full" for day in DAYS}
    assert save(cabinet, shop, **whole, Monday_1="", Monday_2="").status_code == 302
    assert "Open around the clock." in cabinet.get(page(shop)).content.decode()


def test_the_widgets_week_and_zone_are_kept_and_its_dates_stay(cabinet: Client, shop: Widget) -> None:
    Holiday.objects.create(widget=shop, day=timezone.localdate(timezone=ZoneInfo("Asia/Omsk")), text="Away")
    assert save(cabinet, shop, Friday_0="hours", Friday_1="21:00", Friday_2="02:00").status_code == 302
    shop.refresh_from_db()
    assert shop.time_zone == "Asia/Omsk"
    assert stored(shop) == {
        "Monday": [{"from": "09:00", "to": "13:00"}],
        "Friday": [{"from": "21:00", "to": "02:00"}],
    }
    assert hours_of_widget(shop.pk).hours.now(timezone.now()).text == "Away"


def test_a_widget_without_own_hours_again_follows_its_departments(cabinet: Client, shop: Widget) -> None:
    save(cabinet, shop)
    assert save(cabinet, shop, has_own="").status_code == 302
    assert not WidgetWeek.objects.for_widget(shop.pk).exists()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"Monday_2": "09:00"}, "Monday"),
        (MORNINGS | {"Monday_2": "08:59", "Tuesday_0": "hours", "Tuesday_1": "08:00", "Tuesday_2": "12:00"}, "Tuesday"),
        ({"time_zone": "Mars/Base"}, "time_zone"),
    ],
)
def test_hours_of_the_widget_that_are_none_change_nothing(
    cabinet: Client, shop: Widget, wrong: dict[str, str], field: str
) -> None:
    before = shop.time_zone
    answer = save(cabinet, shop, **wrong)
    assert list(answer.context["adminform"].form.errors) == [field]
    shop.refresh_from_db()
    assert (shop.time_zone, WidgetWeek.objects.for_widget(shop.pk).exists()) == (before, False)


def test_another_accounts_hours_are_not_there(cabinet: Client, rival: Rival) -> None:
    assert save(cabinet, rival.widget).status_code == 404
    assert not WidgetWeek.objects.for_widget(rival.widget.pk).exists()


def test_the_audit_trail_tells_of_the_widgets_hours(cabinet: Client, shop: Widget) -> None:
    save(cabinet, shop)
    assert cabinet.get(f"/admin/agents/widgetweek/{shop.pk}/history/").status_code == 302
    listed = cabinet.get("/admin/accounts/auditentry/?kind=agents.widgetweek").content.decode()
    assert "09:00" in listed


def test_the_widgets_hours_end_the_first_step(cabinet: Client, shop: Widget) -> None:
    assert [step.is_done for step in first_steps(shop.pk)][1] is False
    save(cabinet, shop)
    assert [step.is_done for step in first_steps(shop.pk)][1] is True
