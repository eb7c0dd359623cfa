"""Reports over REST: parameters and their refusals, answers, pages of lists, and what is another widget's."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.reports.models import EpisodeRow
from apps.reports.rules.figures import COUNTS, TIMES
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.chats import MessageFactory
from tests.reports.episodes import Cast, made_episodes

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(cast: Cast) -> list[EpisodeRow]:
    now = timezone.now()
    return made_episodes(cast, start=now - timedelta(days=20), end=now, count=90, seed=3)


def report(api: ApiClient, query: str = "") -> dict[str, Any]:
    response = api.get(f"/reports?{query}")
    assert response.status_code == 200, response.content
    return response.json()["data"]  # type: ignore[no-any-return]


def test_a_report_counts_what_was_just_said(api: ApiClient, chat: Chat) -> None:
    said = MessageFactory.create(chat=chat)
    figures = report(api)["figures"]
    assert (figures["episodes"]["value"], figures["open"]) == (
        1,
        {"value": 1, "of": 1, "rate": 1.0, "chats": figures["open"]["chats"]},
    )
    (row,) = api.get(figures["open"]["chats"].removeprefix("/api/v1")).json()["data"]
    assert (row["id"], row["chat_id"], row["contact_id"]) == (said.pk, chat.pk, chat.contact.guid)
    assert (row["outcome"], row["ended_at"], row["first_reply"], row["rating"]) == ("open", None, None, None)
    assert row["messages"] == {"visitor": 1, "person": 0, "ai": 0}


def test_an_empty_widget_has_every_figure(api: ApiClient, shop: Widget) -> None:
    shown = report(api, "from=2026-01-01&to=2026-01-31&compare=before&group=day&zone=Europe/Berlin")
    assert shown["figures"].keys() == {each.name for each in (*COUNTS, *TIMES)}
    assert shown["figures"]["answered"]["rate"] is None
    assert shown["figures"]["first_reply"]["p50"] is None
    assert (shown["from"], shown["to"]) == ("2026-01-01T00:00:00+01:00", "2026-01-31T00:00:00+01:00")
    assert (shown["before"]["from"], shown["before"]["to"]) == ("2025-12-02T00:00:00+01:00", shown["from"])
    assert [group["key"] for group in shown["groups"]] == [f"2026-01-{day:02}" for day in range(1, 31)]
    assert (shown["zone"], shown["clock"], shown["overlaps"], shown["kept_days"]) == (
        "Europe/Berlin",
        "always",
        False,
        None,
    )
    assert shown["rest"] == {"groups": 0, "episodes": 0}
    assert shown["page"].startswith(
        f"/admin/reports/widgetreport/{shop.pk}/change/?from=2026-01-01T00%3A00%3A00%2B01%3A00"
    )


def test_every_address_of_a_report_leads_to_so_many_rows(api: ApiClient, made: list[EpisodeRow]) -> None:
    figures = report(api, "group=agent")["figures"]
    for name, figure in figures.items():
        rows: list[int] = []
        address = figure["chats"].removeprefix("/api/v1") + "&limit=40"
        cursor = ""
        while True:
            page = api.get(f"{address}{cursor}").json()
            rows += [row["id"] for row in page["data"]]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert len(rows) == len(set(rows)) == figure.get("value", figure.get("n")), name


def test_groups_name_their_rows(api: ApiClient, cast: Cast, made: list[EpisodeRow]) -> None:
    labels = {each["key"]: each["label"] for each in report(api, "group=agent")["groups"]}
    assert labels[str(cast.agents[0])] == "Alice Weber"
    assert labels["none"] == "none"
    labels = {each["key"]: each["label"] for each in report(api, "group=department")["groups"]}
    assert labels[str(cast.departments[1])] == "Service"
    labels = {each["key"]: each["label"] for each in report(api, "group=assistant")["groups"]}
    assert labels[str(cast.assistants[1])] == "Bob"
    labels = {each["key"]: each["label"] for each in report(api, "group=page")["groups"]}
    assert labels["shop.example/roses%2Cred"] == "shop.example/roses,red"
    labels = {each["key"]: each["label"] for each in report(api, "group=tag")["groups"]}
    assert labels["%6Eone"] == "none"
    assert labels["late%2C again"] == "late, again"


REFUSED = {
    "zone=Mars/Phobos": "zone",
    "zone=": "zone",
    "from=2020-01-01&to=2026-01-01": "from",
    "from=2026-02-01&to=2026-01-01": "to",
    "from=2100-01-01": "from",
    "from=yesterday-ish": "from",
    "period=week&from=2026-01-01": "period",
    "period=year": "period",
    "group=hour": "group",
    "group=day&from=2024-01-01&to=2026-01-01": "group",
    "compare=after": "compare",
    "clock=closed": "clock",
    "channel=": "channel",
    "channel=widget,": "channel",
    "department_id=x": "department_id",
    "department_id=99999999": "department_id",
    "agent_id=99999999999999999999999": "agent_id",
    "assistant_id=7": "assistant_id",
    "chat_id=none": "chat_id",
    "weekday=0": "weekday",
    "weekday=8": "weekday",
    "hour=24": "hour",
    "hour=01": "hour",
    "rating=6": "rating",
    "outcome=bot": "outcome",
    "outcome=none": "outcome",
    "ended_by=me": "ended_by",
    "opened_by=none": "opened_by",
    "tag=a&tag=b": "tag",
    "figure=open": "figure",
    "nonsense=1": "nonsense",
}


@pytest.mark.parametrize("query", REFUSED)
def test_a_wrong_parameter_is_refused_by_name(api: ApiClient, query: str) -> None:
    response = api.get(f"/reports?{query}")
    assert (response.status_code, list(response.json()["errors"])) == (422, [REFUSED[query]])


OF_ROWS = {
    "group=day": "group",
    "compare=before": "compare",
    "figure=opened": "figure",
    "slowest=1": "slowest",
    "figure=open&slowest=1": "slowest",
    "figure=first_reply&slowest=0": "slowest",
    "cursor=x": "cursor",
    "limit=101": "limit",
}


@pytest.mark.parametrize("query", OF_ROWS)
def test_a_wrong_parameter_of_rows_is_refused_by_name(api: ApiClient, query: str) -> None:
    response = api.get(f"/reports/episodes?{query}")
    assert (response.status_code, list(response.json()["errors"])) == (422, [OF_ROWS[query]])


def test_rows_of_another_widget_are_as_unknown_ones(api: ApiClient, cast: Cast, rival: Rival) -> None:
    foreign = {"agent_id": rival.agent.pk, "department_id": rival.department.pk, "chat_id": rival.chat.pk}
    for name, pk in foreign.items():
        told = [api.get(f"/reports?{name}={value}").json()["errors"] for value in (pk, 987_654_321)]
        assert told[0] == told[1]
        assert list(told[0]) == [name]


def test_another_widgets_episodes_are_not_there(rival_api: ApiClient, made: list[EpisodeRow], rival: Rival) -> None:
    assert report(rival_api)["figures"]["episodes"]["value"] == 0
    assert rival_api.get("/reports/episodes").json() == {"data": [], "next_cursor": None}


def test_an_operator_who_was_deleted_still_has_a_list(api: ApiClient, made: list[EpisodeRow]) -> None:
    EpisodeRow.objects.filter(pk__in=[made[0].pk, made[1].pk]).update(agents=[777_777])
    group = next(each for each in report(api, "group=agent")["groups"] if each["key"] == "777777")
    assert (group["label"], group["figures"]["episodes"]["value"]) == ("777777", 2)
    rows = api.get(group["figures"]["episodes"]["chats"].removeprefix("/api/v1")).json()["data"]
    assert {row["id"] for row in rows} == {made[0].pk, made[1].pk}


def test_the_zone_is_the_widgets_unless_it_is_named(api: ApiClient, shop: Widget) -> None:
    shop.time_zone = "Asia/Kolkata"
    shop.save(update_fields=["time_zone"])
    assert report(api, "from=2026-01-01&to=2026-01-02")["from"] == "2026-01-01T00:00:00+05:30"
    in_lisbon = report(api, "from=2026-01-01&to=2026-01-02&zone=Europe/Lisbon")["from"]
    assert in_lisbon == "2026-01-01T00:00:00Z" or in_lisbon == "2026-01-01T00:00:00+00:00"


def test_a_period_is_of_the_zones_calendar(api: ApiClient, shop: Widget) -> None:
    zone = ZoneInfo("Pacific/Chatham")
    today = timezone.now().astimezone(zone).date()
    shown = report(api, f"period=yesterday&zone={quote(zone.key)}")
    assert (shown["from"][:10], shown["to"][:10]) == (str(today - timedelta(days=1)), str(today))


def statements(api: ApiClient, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert api.get(path).status_code == 200
    return len(captured)


@pytest.mark.parametrize("path", ["/reports?group=agent&compare=before&clock=open", "/reports/episodes?figure=people"])
def test_a_call_costs_so_many_statements_whatever_is_there(api: ApiClient, cast: Cast, path: str) -> None:
    now = timezone.now()
    api.get(path)
    without = statements(api, path)
    made_episodes(cast, start=now - timedelta(days=20), end=now, count=5, seed=4)
    few = statements(api, path)
    EpisodeRow.objects.all().delete()
    made_episodes(cast, start=now - timedelta(days=20), end=now, count=120, seed=5)
    assert statements(api, path) == few
    assert few - without <= 1  # the names of groups
