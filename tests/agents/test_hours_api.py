"""Hours over REST: replaced whole, refused by path, asked for a moment; public holidays to choose from."""

import json
from datetime import date
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.actions.holidays import write_holiday
from apps.agents.models import Department, Holiday
from apps.agents.rules.departments import DAYS
from tests.client import ApiClient, assert_problem
from tests.documentation.blocks import blocks_of
from tests.factories import DepartmentFactory

WEEK: dict[str, Any] = {**{day: [] for day in DAYS}, "Friday": [{"from": "21:00", "to": "02:00"}]}
HOURS: dict[str, Any] = {"time_zone": "Europe/Moscow", "week": WEEK, "exceptions": []}


class TestTheWidgets:
    def test_at_first_it_has_no_week_of_its_own(self, api: ApiClient) -> None:
        assert api.get("/hours").json()["data"] == {"time_zone": "Europe/Moscow", "week": None, "exceptions": []}
        assert api.get("/hours/now").json()["data"]["is_open"] is True

    def test_it_is_replaced_whole_and_read_back(self, api: ApiClient) -> None:
        exceptions = [{"date": "2026-12-31", "periods": [{"from": "10:00", "to": "15:00"}], "text": "До трёх"}]
        body = {"time_zone": "Asia/Omsk", "week": WEEK, "exceptions": exceptions}
        assert api.put("/hours", json=body).json()["data"] == body
        assert api.get("/hours").json()["data"] == body
        assert api.put("/hours", json={**HOURS, "week": None}).json()["data"] == {**HOURS, "week": None}

    def test_the_guides_example_is_accepted(self, api: ApiClient) -> None:
        (block,) = blocks_of("hours", "json")
        body = json.loads(block.text)
        assert api.put("/hours", json=body).json()["data"] == body

    def test_what_holds_is_told_for_any_moment(self, api: ApiClient) -> None:
        exceptions = [{"date": "2026-12-05", "periods": [], "text": "Закрыто"}]
        api.put("/hours", json={**HOURS, "exceptions": exceptions})
        night = api.get("/hours/now", query={"at": "2026-12-05T01:00:00+03:00"}).json()["data"]
        assert night == {
            "is_open": True,
            "opens_at": None,
            "closes_at": "2026-12-04T23:00:00Z",
            "source": "week",
            "text": None,
            "time_zone": "Europe/Moscow",
        }
        day = api.get("/hours/now", query={"at": "2026-12-05T12:00:00+03:00"}).json()["data"]
        assert day == {
            "is_open": False,
            "opens_at": "2026-12-11T18:00:00Z",
            "closes_at": "2026-12-11T23:00:00Z",
            "source": "exception",
            "text": "Закрыто",
            "time_zone": "Europe/Moscow",
        }

    def test_without_a_week_it_is_open_while_a_department_for_visitors_is(self, api: ApiClient, shop: Widget) -> None:
        DepartmentFactory.create(widget=shop, schedule={**dict.fromkeys(DAYS), "Friday": "full"})
        DepartmentFactory.create(widget=shop, internal=True)
        asked = {
            at: api.get("/hours/now", query={"at": at}).json()["data"]["is_open"]
            for at in ("2026-12-04T12:00:00+03:00", "2026-12-05T12:00:00+03:00")
        }
        assert list(asked.values()) == [True, False]

    def test_a_holiday_of_several_days_and_of_every_year_stays_if_it_is_sent_as_it_was(
        self, api: ApiClient, shop: Widget
    ) -> None:
        first, last = date(2025, 12, 31), date(2026, 1, 8)
        row = write_holiday(widget_id=shop.pk, day=first, until=last, every_year=True, text="С Новым годом!")
        shown = api.get("/hours").json()["data"]
        assert len(shown["exceptions"]) >= 9
        api.put("/hours", json=shown)
        assert Holiday.objects.for_widget(shop.pk).get().pk == row.pk
        api.put("/hours", json={**shown, "exceptions": []})
        assert not Holiday.objects.for_widget(shop.pk).exists()


class TestADepartments:
    def test_a_night_is_one_period_here_and_two_days_of_the_schedule(self, api: ApiClient, shop: Widget) -> None:
        department = DepartmentFactory.create(widget=shop)
        body = {"time_zone": None, "week": WEEK, "exceptions": []}
        assert api.put(f"/departments/{department.pk}/hours", json=body).json()["data"] == body
        schedule = api.get(f"/departments/{department.pk}").json()["data"]["schedule"]
        assert schedule["Friday"]["periods"] == [{"from": "21:00", "to": "23:59"}]
        assert schedule["Saturday"]["periods"] == [{"from": "00:00", "to": "02:00"}]

    def test_a_schedule_replaces_the_week_and_keeps_zone_and_dates(self, api: ApiClient, shop: Widget) -> None:
        department = DepartmentFactory.create(widget=shop)
        exceptions = [{"date": "2027-01-01", "periods": [], "text": ""}]
        body = {"time_zone": "Asia/Omsk", "week": WEEK, "exceptions": exceptions}
        api.put(f"/departments/{department.pk}/hours", json=body)
        api.put(f"/departments/{department.pk}/schedule", json={"schedule": {"Monday": "full"}})
        kept = api.get(f"/departments/{department.pk}/hours").json()["data"]
        week = {**{day: [] for day in DAYS}, "Monday": [{"from": "00:00", "to": "24:00"}]}
        assert kept == {"time_zone": "Asia/Omsk", "week": week, "exceptions": exceptions}

    def test_its_own_date_holds_before_the_widgets(self, api: ApiClient, shop: Widget) -> None:
        sales, returns = DepartmentFactory.create_batch(2, widget=shop)
        dates = [{"date": "2027-01-04", "periods": [], "text": "Каникулы"}]
        api.put("/hours", json={**HOURS, "week": None, "exceptions": dates})
        own = [{"date": "2027-01-04", "periods": [{"from": "10:00", "to": "12:00"}], "text": ""}]
        week = {day: [{"from": "00:00", "to": "24:00"}] for day in DAYS}
        api.put(f"/departments/{sales.pk}/hours", json={"time_zone": None, "week": week, "exceptions": own})
        at = "2027-01-04T11:00:00+03:00"
        open_ones = [
            pk
            for pk in (sales.pk, returns.pk)
            if api.get("/hours/now", query={"at": at, "department_id": str(pk)}).json()["data"]["is_open"]
        ]
        assert open_ones == [sales.pk]

    def test_its_time_zone_is_its_own(self, api: ApiClient, shop: Widget) -> None:
        department = DepartmentFactory.create(widget=shop)
        week = {**{day: [] for day in DAYS}, "Friday": [{"from": "09:00", "to": "10:00"}]}
        body = {"time_zone": "Asia/Omsk", "week": week, "exceptions": []}
        api.put(f"/departments/{department.pk}/hours", json=body)
        asked = {"department_id": str(department.pk), "at": "2026-12-04T09:30:00+06:00"}
        assert api.get("/hours/now", query=asked).json()["data"]["is_open"] is True

    def test_another_shops_is_none(self, api: ApiClient) -> None:
        foreign = DepartmentFactory.create()
        assert_problem(api.get(f"/departments/{foreign.pk}/hours"), 404, "not_found")
        assert_problem(api.put(f"/departments/{foreign.pk}/hours", json={**HOURS}), 404, "not_found")
        asked = api.get("/hours/now", query={"department_id": str(foreign.pk)})
        assert_problem(asked, 422, "invalid_input", errors=["department_id"])


def day(*periods: str, name: str = "Monday") -> dict[str, Any]:
    pairs = [dict(zip(("from", "to"), each.split("-"), strict=True)) for each in periods]
    return {"week": {**{each: [] for each in DAYS}, name: pairs}}


def dates(*found: Any) -> dict[str, Any]:
    return {"exceptions": list(found)}


DATE = {"date": "2027-01-01", "periods": [], "text": ""}


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"week": {"Monday": []}}, "week.Tuesday"),
        ({"week": {**WEEK, "Lundi": []}}, "week.Lundi"),
        ({"week": []}, "week"),
        (day("09:00-09:00"), "week.Monday.0"),
        (day("9:00-18:00"), "week.Monday.0.from"),
        (day("09:00-24:30"), "week.Monday.0.to"),
        (day("24:00-06:00"), "week.Monday.0.from"),
        (day("09:00-12:00", "11:00-13:00"), "week.Monday.1"),
        (day("21:00-02:00", "23:00-23:30"), "week.Monday.1"),
        (day(*(f"{hour:02}:00-{hour:02}:30" for hour in range(7))), "week.Monday"),
        ({"week": {**WEEK, "Saturday": [{"from": "01:00", "to": "03:00"}]}}, "week.Saturday.0"),
        ({"week": {**WEEK, "Monday": [{"from": "09:00"}]}}, "week.Monday.0"),
        ({"week": {**WEEK, "Monday": "full"}}, "week.Monday"),
        (dates(DATE, DATE), "exceptions.1.date"),
        (dates({**DATE, "date": "2027-02-30"}), "exceptions.0.date"),
        (dates({**DATE, "text": "x" * 256}), "exceptions.0.text"),
        (dates({**DATE, "text": "\n"}), "exceptions.0.text"),
        (dates({**DATE, "periods": [{"from": "10:00", "to": "10:00"}]}), "exceptions.0.periods.0"),
        (dates({**DATE, "extra": 1}), "exceptions.0.extra"),
        (dates("2027-01-01"), "exceptions.0"),
        (dates(*({**DATE, "date": f"{2027 + n // 365}-01-01"} for n in range(401))), "exceptions"),
    ],
)
def test_what_is_refused_is_named_and_nothing_changes(
    api: ApiClient, shop: Widget, changes: dict[str, Any], path: str
) -> None:
    before = api.put("/hours", json=HOURS).json()["data"]
    assert_problem(api.put("/hours", json={**HOURS, **changes}), 422, "invalid_input", errors=[path])
    assert api.get("/hours").json()["data"] == before


@pytest.mark.parametrize("missing", ["time_zone", "week", "exceptions"])
def test_all_three_are_required(api: ApiClient, shop: Widget, missing: str) -> None:
    department = DepartmentFactory.create(widget=shop)
    body = {name: value for name, value in HOURS.items() if name != missing}
    for path in ("/hours", f"/departments/{department.pk}/hours"):
        assert_problem(api.put(path, json=body), 422, "invalid_input", errors=[missing])
    assert Department.objects.get(pk=department.pk).schedule == department.schedule


class TestPublicHolidays:
    def test_of_a_country_in_its_language_and_in_english(self, api: ApiClient) -> None:
        found = api.get("/holidays", query={"country": "RU", "year": "2027"}).json()["data"]
        assert {"date": "2027-05-09", "name": "День Победы", "name_en": "Victory Day"} in found
        assert [each["date"] for each in found] == sorted(each["date"] for each in found)

    def test_of_a_region(self, api: ApiClient) -> None:
        bavaria = api.get("/holidays", query={"country": "DE", "year": "2027", "subdivision": "BY"}).json()["data"]
        germany = api.get("/holidays", query={"country": "DE", "year": "2027"}).json()["data"]
        assert "2027-11-01" in {each["date"] for each in bavaria} - {each["date"] for each in germany}

    @pytest.mark.parametrize(
        ("query", "name"),
        [
            ({"country": "XX", "year": "2027"}, "country"),
            ({"country": "RUS", "year": "2027"}, "country"),
            ({"country": "DE", "year": "2027", "subdivision": "XX"}, "subdivision"),
            ({"country": "DE", "year": "1066"}, "year"),
            ({"country": "DE"}, "year"),
            ({"year": "2027"}, "country"),
        ],
    )
    def test_unknown_ones_are_refused_by_name(self, api: ApiClient, query: dict[str, str], name: str) -> None:
        assert_problem(api.get("/holidays", query=query), 422, "invalid_input", errors=[name])
