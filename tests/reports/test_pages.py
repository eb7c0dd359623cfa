"""The cabinet's pages of reports: the figures of the API, each of which opens a list of exactly so many chats."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Widget
from apps.agents.models import Agent
from tests.cast import Rival, signed_in
from tests.client import ApiClient
from tests.factories import StaffFactory, WidgetFactory
from tests.reports.made import episode

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 20, 9, 5, tzinfo=UTC)  # a Tuesday, 12:05 in Moscow
DAYS = {"from": "2026-10-19", "to": "2026-10-26"}
LINK = re.compile(r'<(a|span) data-figure="(\w+)" data-value="(\d*)"(?: href="([^"]*)")?>([^<]*)</')


def page_of(widget: Widget, kind: str = "widgetreport") -> str:
    return reverse(f"admin:reports_{kind}_change", args=[widget.pk])


def html_of(browser: Client, address: str, **query: str) -> str:
    answer = browser.get(address, query, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return str(answer.content.decode())


def links(html: str) -> list[tuple[str, int, str]]:
    """The figures of a piece of a page: name, value, address."""
    return [(name, int(value or 0), unescape(href)) for _tag, name, value, href, _shown in LINK.findall(html)]


def row_of(html: str, key: str) -> str:
    found = re.search(rf'<tr data-key="{re.escape(key)}">(.*?)</tr>', html, re.DOTALL)
    assert found is not None, key
    return found[1]


@pytest.fixture
def busy(shop: Widget, alice: Agent, boris: Agent, rival: Rival) -> Widget:
    """Three episodes of a week, on two days and in two channels; one of the rival's."""
    episode(shop, NOON, answered_s=30, agent=alice, value=5, comment="Thank you, Alice")
    episode(shop, NOON + timedelta(minutes=1), answered_s=600, agent=boris, value=1, comment="Too slow")
    episode(shop, NOON + timedelta(days=1), channel="tg")
    episode(rival.widget, NOON)
    return shop


def test_each_figure_is_the_apis_and_opens_a_list_of_so_many_chats(
    cabinet: Client, busy: Widget, api: ApiClient
) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS, compare="before")
    figures = api.get("/reports", query=DAYS).json()["data"]["figures"]
    found = {name: (value, address) for name, value, address in links(html)}
    for name, figure in figures.items():
        if "value" in figure:
            assert found[name][0] == figure["value"], name
        elif figure["n"]:
            assert found[name][0] == figure["n"], name
            assert (found[f"{name}_p50"][0], found[f"{name}_p90"][0]) == (figure["p50"], figure["p90"])
    assert found["episodes"][0] == 3
    for name in ("episodes", "answered", "first_reply", "first_reply_p90", "good", "low", "people"):
        value, address = found[name]
        rows = 1 if name == "first_reply_p90" else value
        listed = html_of(cabinet, address)
        assert len(re.findall("<tr data-episode=", listed)) == rows, name
        assert f'data-count="{rows}">{rows} chat' in listed, name


def test_a_groups_row_has_the_figures_of_the_report_with_its_filter(
    cabinet: Client, busy: Widget, api: ApiClient
) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS, group="channel")
    groups = api.get("/reports", query={**DAYS, "group": "channel"}).json()["data"]["groups"]
    assert re.findall('<tr data-key="([^"]*)"', html) == [group["key"] for group in groups] == ["widget", "tg"]
    for group in groups:
        row = {name: value for name, value, _address in links(row_of(html, group["key"]))}
        assert {name: row[name] for name in ("episodes", "answered", "good")} == {
            name: group["figures"][name]["value"] for name in ("episodes", "answered", "good")
        }
    _name, value, address = next(each for each in links(row_of(html, "widget")) if each[0] == "episodes")
    assert parse_qs(urlsplit(address).query)["channel"] == ["widget"]
    assert len(re.findall("<tr data-episode=", html_of(cabinet, address))) == value == 2


def test_a_bar_of_each_day_is_a_link_with_a_name_and_the_table_stands_behind(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS, group="day")
    picture = html[html.index('<svg class="report-picture"') :]
    bars = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)"', picture)
    assert [name for _address, name in bars[:3]] == [
        "Mon, 19 October 2026, 0 chats",
        "Tue, 20 October 2026, 2 chats",
        "Wed, 21 October 2026, 1 chat",
    ]
    assert len(bars) == len(re.findall("<tr data-key=", html)) == 7
    assert len(re.findall("<tr data-episode=", html_of(cabinet, unescape(bars[1][0])))) == 2
    assert '<svg role="img"' in picture


def test_the_hours_of_a_week_are_a_heat_map_of_links(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS, group="weekday_hour")
    cells = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)"', html[html.index('class="heat-picture"') :])
    assert [name for _address, name in cells] == ["Tue 12:00, 2 chats", "Wed 12:00, 1 chat"]
    assert len(re.findall("<tr data-episode=", html_of(cabinet, unescape(cells[0][0])))) == 2
    assert len(re.findall("<tr data-key=", html)) == 168


def test_operators_are_told_apart_and_may_share_an_episode(cabinet: Client, busy: Widget, alice: Agent) -> None:
    html = html_of(cabinet, page_of(busy, "widgetoperatorsreport"), **DAYS)
    row = {name: value for name, value, _address in links(row_of(html, str(alice.pk)))}
    assert (row["episodes"], row["person_reply_p50"], row["good"]) == (1, 30, 1)
    assert "One episode may be in several rows." in html


def test_ratings_have_their_comments_for_those_alone_who_may_write(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy, "widgetratingsreport"), **DAYS)
    assert "Too slow" in html
    viewer = signed_in(StaffFactory.create(account=busy.account, role="viewer"))
    seen = html_of(viewer, page_of(busy, "widgetratingsreport"), **DAYS)
    assert "Too slow" not in seen
    assert "Comments are shown to owners and managers." in seen
    assert {name: value for name, value, _address in links(seen)}["rated"] == 2


def test_no_page_has_a_visitors_words(cabinet: Client, busy: Widget) -> None:
    for query in ({"group": "day"}, {"group": "channel"}):
        assert "oolong" not in html_of(cabinet, page_of(busy), **DAYS, **query)
    lists = reverse("admin:reports_widgetreport_episodes", args=[busy.pk])
    assert "oolong" not in html_of(cabinet, lists, **DAYS)


def test_what_is_beside_the_figures_is_said(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS)
    assert "19 October 2026 – 25 October 2026, by the clock of Europe/Moscow." in html
    assert "Waits count all hours." in html
    assert "An episode begins when a visitor writes and none is open." in html
    assert "may still move" not in html, "the window ended over 7 days ago"
    now = html_of(cabinet, page_of(busy))
    assert "may still move" in now
    open_hours = html_of(cabinet, page_of(busy), **DAYS, clock="open")
    assert "by the hours as they are now" in open_hours


def test_the_overview_leads_to_the_examination_and_to_the_calls(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS)
    for name in ("evaluationcase", "exchange"):
        address = reverse(f"admin:ai_{name}_changelist")
        assert f'class="button-plain" href="{address}"' in html
        assert cabinet.get(address).status_code == 200


def test_an_empty_window_says_why(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy), **{"from": "2020-01-01", "to": "2020-01-08"})
    assert "No visitor began an episode in these days" in html
    assert "<svg class" not in html


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"zone": "Mars/Olympus"}, "There is no such time zone."),
        ({"from": "2026-10-26", "to": "2026-10-19"}, "Choose days in their order"),
        ({"from": "2020-01-01", "to": "2026-10-19"}, "Choose days in their order"),
        ({"from": "2025-01-01", "to": "2026-10-19", "group": "day"}, "That would be over 366 groups"),
        ({"outcome": "won"}, "There is no such value."),
        ({"nonsense": "1"}, "There is no such value."),
    ],
)
def test_an_address_shortened_by_hand_is_refused_at_its_field(
    cabinet: Client, busy: Widget, query: dict[str, str], said: str
) -> None:
    answer = cabinet.get(page_of(busy), query, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_another_accounts_reports_are_404_and_nobody_writes(cabinet: Client, busy: Widget, rival: Rival) -> None:
    for kind in ("widgetreport", "widgetoperatorsreport", "widgetratingsreport"):
        assert cabinet.get(page_of(rival.widget, kind)).status_code == 404
        assert cabinet.post(page_of(busy, kind)).status_code == 403
    assert cabinet.get(reverse("admin:reports_widgetreport_episodes", args=[rival.widget.pk])).status_code == 404


def test_the_address_of_the_api_leads_to_the_page_of_the_same_report(
    cabinet: Client, busy: Widget, api: ApiClient
) -> None:
    data = api.get("/reports", query={**DAYS, "group": "channel", "channel": "tg"}).json()["data"]
    html = html_of(cabinet, data["page"])
    assert re.findall('<tr data-key="([^"]*)"', html) == ["tg"]


def test_the_menu_leads_to_the_page_of_the_chosen_widget_with_the_query(cabinet: Client, busy: Widget) -> None:
    blog = WidgetFactory.create(account=busy.account)
    cabinet.get(reverse("choose-widget", args=[blog.pk]))
    answer = cabinet.get(reverse("admin:reports_widgetreport_changelist"), {"group": "tag"})
    assert (answer.status_code, answer["Location"]) == (302, f"{page_of(blog)}?group=tag")


def test_the_page_of_statistics_that_was_leads_to_the_report_of_its_days(cabinet: Client, busy: Widget) -> None:
    answer = cabinet.get("/admin/chats/widgetstatistics/", follow=True)
    assert answer.redirect_chain[-1][0] == page_of(busy)
    old = f"/admin/chats/widgetstatistics/{busy.pk}/change/"
    assert cabinet.get(old)["Location"] == page_of(busy)
    moved = cabinet.get(old, {"from": "2026-10-19", "to": "2026-10-25"})["Location"]
    assert moved == f"{page_of(busy)}?from=2026-10-19&to=2026-10-26&group=day"


def test_a_file_has_a_line_for_each_row_of_the_page_and_of_the_list(cabinet: Client, busy: Widget) -> None:
    html = html_of(cabinet, page_of(busy), **DAYS, group="channel")
    files = [unescape(address) for address in re.findall(r'class="button-plain" href="([^"]*/file/[^"]*)"', html)]
    assert [parse_qs(urlsplit(address).query)["format"] for address in files] == [["csv"], ["xlsx"]]
    titles, *lines = csv.reader(io.StringIO(content_of(cabinet, files[0]).decode("utf-8-sig")))
    assert [line[0] for line in lines] == re.findall('<tr data-key="([^"]*)"', html)
    assert [line[titles.index("episodes")] for line in lines] == ["2", "1"]
    assert content_of(cabinet, files[1]).startswith(b"PK")
    lists = reverse("admin:reports_widgetreport_episodes", args=[busy.pk])
    listed = html_of(cabinet, lists, **DAYS, figure="answered")
    (file, _xlsx) = re.findall(r'class="button-plain" href="([^"]*/file/[^"]*)"', listed)
    _titles, *lines = csv.reader(io.StringIO(content_of(cabinet, unescape(file)).decode("utf-8-sig")))
    assert [line[0] for line in lines] == re.findall(r'<tr data-episode="(\d+)"', listed)


def test_no_file_is_made_of_an_impossible_address(cabinet: Client, busy: Widget, rival: Rival) -> None:
    file = reverse("admin:reports_widgetreport_file", args=[busy.pk, "report"])
    assert cabinet.get(file, {"outcome": "won"}).status_code == 422
    assert cabinet.get(file, {"format": "pdf"}).status_code == 404
    for widget, rows in ((busy, "people"), (rival.widget, "report")):
        assert cabinet.get(reverse("admin:reports_widgetreport_file", args=[widget.pk, rows])).status_code == 404


def content_of(browser: Client, address: str) -> bytes:
    answer = browser.get(address)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)
