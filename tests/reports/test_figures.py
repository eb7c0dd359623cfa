"""Every figure of every group, counted a second time in Python, in six zones over the nights in which clocks change."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import pytest

from apps.core.parsing.periods import Window
from apps.reports.querysets import lists, reports
from apps.reports.querysets.questions import question_asked
from apps.reports.rules.answers import EPISODES_PATH, Count, Times, chats_address
from apps.reports.rules.figures import FIGURES
from apps.reports.rules.filters import Value
from apps.reports.rules.reports import GROUPS, OF_EPISODES, OVERLAPPING, ReportQuery
from tests.reports.episodes import COUNTED, TIMED, Cast, Seen, counted, keys_of, made_episodes, moment, of_agents

# Two nights in which clocks change in most of them, by half an hour on Lord Howe; Kolkata is half an hour apart.
ZONES = (
    *("Europe/Berlin", "America/New_York", "Australia/Lord_Howe"),
    *("Asia/Kolkata", "America/St_Johns", "Pacific/Chatham"),
)
START, END = moment("2026-09-20T07:30"), moment("2026-11-09T11:00")
AS_OF = moment("2026-11-10T00:00")

pytestmark = pytest.mark.django_db

all_episodes, count_episodes = partial(lists.all_episodes, low=2), partial(lists.count_episodes, low=2)
read_report = partial(reports.read_report, low=2)


def plain(figures: Any) -> dict[str, Any]:
    """The figures of a report as `counted` says them."""
    return {
        name: (each.value, each.of, each.rate) if isinstance(each, Count) else (each.n, each.p50, each.p90)
        for name, each in figures.items()
    }


@pytest.fixture
def seen(cast: Cast) -> list[Seen]:
    rows = made_episodes(cast, start=moment("2026-08-01T00:00"), end=AS_OF, count=500, seed=7)
    return [Seen(row, AS_OF) for row in rows]


def within(seen: Sequence[Seen], start: datetime, end: datetime) -> list[Seen]:
    return [each for each in seen if start <= each.row.opened_at < end]


def in_zone(name: str, **options: Any) -> ReportQuery:
    return ReportQuery(window=Window(START, END), zone=ZoneInfo(name), **options)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("group", GROUPS)
def test_each_group_has_the_figures_of_its_episodes(
    cast: Cast, seen: list[Seen], tags: dict[int, list[str]], group: str, zone: str
) -> None:
    query = in_zone(zone, group=group, compare=True)
    report = read_report(cast.widget.pk, query, AS_OF)
    here = within(seen, START, END)
    keys = keys_of(group, query.zone, tags)

    assert plain(report.figures) == counted(here)
    assert report.before is not None
    assert plain(report.before.figures) == counted(within(seen, START - (END - START), START))
    expected: dict[str, list[Seen]] = {}
    for each in here:
        for key in keys(each):
            expected.setdefault(key, []).append(each)
    if group == "agent":
        expected = {key: of_agents(here, [None if key == "none" else int(key)]) for key in expected}
    shown = {each.key: plain(each.figures) for each in report.groups}
    assert {key: figures for key, figures in shown.items() if figures["episodes"][0]} == {
        key: counted(group) for key, group in expected.items()
    }
    assert report.overlaps == (group in OVERLAPPING)


@pytest.mark.parametrize(("number", "group"), list(enumerate(GROUPS)))
def test_each_figure_of_a_group_has_the_list_that_it_counts(
    cast: Cast, seen: list[Seen], number: int, group: str
) -> None:
    query = in_zone(ZONES[number % len(ZONES)], group=group)
    report = read_report(cast.widget.pk, query, AS_OF)
    chosen = [each for each in report.groups if plain(each.figures)["episodes"][0]]
    for figures in (report.figures, *(each.figures for each in chosen[:2] + chosen[-2:])):
        for name, figure in figures.items():
            value = figure.value if isinstance(figure, Count) else figure.n
            assert count_episodes(cast.widget.pk, asked(cast, figure.chats), AS_OF) == value, (name, figure.chats)


def asked(cast: Cast, address: str) -> ReportQuery:
    """The question of an address, as a call of it is read."""
    assert address.startswith(EPISODES_PATH)
    parameters = dict(parse_qsl(address.removeprefix(EPISODES_PATH), strict_parsing=True))
    return question_asked(cast.widget.pk, parameters, now=AS_OF, takes=OF_EPISODES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_list_has_the_episodes_of_its_figure(cast: Cast, seen: list[Seen], name: str) -> None:
    here = within(seen, START, END)
    query = asked(cast, chats_address(in_zone("Europe/Berlin"), name))
    listed = [row["id"] for rows in all_episodes(cast.widget.pk, query, AS_OF) for row in rows]
    newest_first = sorted(here, key=lambda each: (each.row.opened_at, each.row.pk), reverse=True)
    if name == "people":
        people = {each.row.person_id: each for each in reversed(newest_first)}
        expected = [each for each in newest_first if people[each.row.person_id] is each]
    elif name in COUNTED:
        expected = [each for each in newest_first if COUNTED[name](each)]
    else:
        expected = [each for each in newest_first if TIMED[name](each) is not None]
    assert listed == [each.row.pk for each in expected]
    assert len(listed) > 3


@pytest.mark.parametrize("name", TIMED)
def test_the_slowest_are_those_from_the_ninetieth_percentile(cast: Cast, seen: list[Seen], name: str) -> None:
    query = in_zone("Europe/Berlin")
    figure = read_report(cast.widget.pk, query, AS_OF).figures[name]
    assert isinstance(figure, Times)
    assert figure.p90 is not None
    rows = [row for rows in all_episodes(cast.widget.pk, asked(cast, figure.slowest), AS_OF) for row in rows]
    slowest = [each for each in within(seen, START, END) if (TIMED[name](each) or 0) >= figure.p90]
    assert {row["id"] for row in rows} == {each.row.pk for each in slowest}


FILTERED: dict[str, tuple[dict[str, tuple[Value, ...]], Any]] = {
    "channel": ({"channel": ("tg__1", "mail__2")}, lambda e: e.row.channel in ("tg__1", "mail__2")),
    "language or none": ({"language": ("ru", None)}, lambda e: e.row.language in ("ru", None)),
    "page": ({"page": ("shop.example/roses%2Cred",)}, lambda e: e.row.page == "shop.example/roses,red"),
    "pages that begin so": ({"page": ("shop.example/*",)}, lambda e: (e.row.page or "").startswith("shop.example/")),
    "no page": ({"page": (None,)}, lambda e: e.row.page is None),
    "handover": ({"handover": ("no%2C thanks",)}, lambda e: e.row.handed_over_reason == "no, thanks"),
    "handover named none": ({"handover": ("%6Eone",)}, lambda e: e.row.handed_over_reason == "none"),
    "outcome": ({"outcome": ("open", "ai")}, lambda e: e.outcome in ("open", "ai")),
    "ended by": ({"ended_by": ("silence", None)}, lambda e: e.ended_by in ("silence", None)),
    "opened by": ({"opened_by": ("operator",)}, lambda e: e.row.opened_by == "operator"),
    "rating": ({"rating": (1, 5, None)}, lambda e: e.rating in (1, 5, None)),
    "weekday and hour": (
        {"weekday": (7, 1), "hour": (0, 1, 2, 3)},
        lambda e: (
            (face := e.row.opened_at.astimezone(ZoneInfo("Australia/Lord_Howe"))).isoweekday() in (7, 1)
            and face.hour < 4
        ),
    ),
}


@pytest.mark.parametrize("name", FILTERED)
def test_filters(cast: Cast, seen: list[Seen], name: str) -> None:
    filters, holds = FILTERED[name]
    query = in_zone("Australia/Lord_Howe", filters=filters)
    expected = [each for each in within(seen, START, END) if holds(each)]
    assert plain(read_report(cast.widget.pk, query, AS_OF).figures) == counted(expected)
    assert len(expected) > 2


def test_filters_by_rows(cast: Cast, seen: list[Seen], tags: dict[int, list[str]]) -> None:
    here = within(seen, START, END)
    agent, department, assistant, chat = cast.agents[1], cast.departments[0], cast.assistants[0], cast.chats[2].pk
    expected: dict[str, tuple[tuple[Value, ...], list[Seen]]] = {
        "agent_id": ((agent, None), of_agents(here, [agent, None])),
        "assistant_id": ((assistant,), [each for each in here if assistant in each.row.assistants]),
        "department_id": ((department, None), [each for each in here if each.department_id in (department, None)]),
        "chat_id": ((chat,), [each for each in here if each.row.chat_id == chat]),
        "tag": (("vip", None), [each for each in here if "vip" in (of := tags.get(each.row.person_id, [])) or not of]),
    }
    for name, (values, episodes) in expected.items():
        figures = read_report(cast.widget.pk, in_zone("UTC", filters={name: values}), AS_OF).figures
        assert plain(figures) == counted(episodes), name
        assert episodes


def test_ratings_of_a_group_of_operators_are_theirs(cast: Cast, seen: list[Seen]) -> None:
    """A filter by rating asks the rating that is the operator's; groups are cut to those of the filter."""
    query = in_zone("UTC", group="agent", filters={"rating": (4, 5), "agent_id": tuple(cast.agents[:2])})
    report = read_report(cast.widget.pk, query, AS_OF)
    here = within(seen, START, END)
    assert {each.key: plain(each.figures) for each in report.groups} == {
        str(agent): counted([each for each in of_agents(here, [agent]) if each.rating in (4, 5)])
        for agent in cast.agents[:2]
    }
