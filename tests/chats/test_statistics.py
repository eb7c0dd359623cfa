"""Statistics (specification, Endpoints, "Statistics"), rule by rule, and against the plain way to work them out."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import HealthCheck, given, settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Message, Rating
from apps.chats.querysets.counted_messages import COUNTED, COUNTS, IS_ANSWER
from apps.chats.rules import SenderKind
from tests.cast import Rival
from tests.chats import traffic
from tests.chats.traffic import Talk
from tests.client import ApiClient, assert_problem
from tests.factories import (
    ApiTokenFactory,
    ChatFactory,
    DepartmentFactory,
    MessageFactory,
    WidgetFactory,
    plain_text,
)

MOSCOW = ZoneInfo("Europe/Moscow")
NOON = datetime(2026, 11, 18, 9, tzinfo=UTC)
DAY = {"from": "2026-11-18", "to": "2026-11-19"}
PATHS = ("/stats", "/stats/channels", "/stats/timeseries")
DEFAULT = [
    "chats_total",
    "chats_missed",
    "chats_accepted",
    "chats_accepted_ai",
    "chats_accepted_human",
    "chats_handled_ai",
    "chats_handled_human",
    "chats_ai_to_human",
    "chats_human_to_ai",
    "messages_total",
    "avg_response_time_seconds",
    "rating_average",
]
OPT_IN = "avg_first_response_seconds"

in_every_example = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])


def data(answer: Any) -> Any:
    assert answer.status_code == 200, answer.content
    return answer.json()["data"]


def metrics(api: ApiClient, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = data(api.get("/stats", query=query))["metrics"]
    return found


def chat_of(widget: Widget, **fields: Any) -> Chat:
    return ChatFactory.create(contact__widget=widget, **{"created_at": NOON, **fields})


def answered(widget: Widget, handling: str, accepted: str, handled: str, seconds: float = 60) -> Chat:
    at = NOON + timedelta(seconds=seconds)
    return chat_of(
        widget, handling=handling, accepted_type=accepted, accepted_at=at, handled_type=handled, handled_at=at
    )


class TestAgainstThePlainWay:
    """The same figures for any traffic in any window."""

    @pytest.mark.django_db
    @in_every_example
    @given(talks=traffic.traffic, window=traffic.windows)
    def test_every_figure_equals_a_plain_count(self, talks: Sequence[Talk], window: tuple[datetime, datetime]) -> None:
        widget = WidgetFactory.create()
        traffic.happen(talks, widget)
        traffic.happen(talks, WidgetFactory.create())  # which never counts
        api = ApiClient(plain_text(ApiTokenFactory.create(widget=widget)))
        start, end = window
        query = {"from": start.isoformat(), "to": end.isoformat()}
        bounds = {"from": traffic.moscow(start), "to": traffic.moscow(end)}

        expected = traffic.metrics(talks, start, end)
        found = data(api.get("/stats", query={**query, "metric": ",".join([*DEFAULT, OPT_IN])}))
        for average in ("avg_response_time_seconds", "rating_average", OPT_IN):
            assert found["metrics"].pop(average) == pytest.approx(expected.pop(average), abs=1e-6)
        assert found == {**bounds, "metrics": expected}
        assert data(api.get("/stats/channels", query=query)) == {
            **bounds,
            "channels": traffic.channels(talks, start, end),
        }
        for interval in ("day", "week", "month"):
            assert data(api.get("/stats/timeseries", query={**query, "interval": interval})) == {
                **bounds,
                "interval": interval,
                "buckets": traffic.series(talks, start, end, interval),
            }


class TestMetrics:
    def test_all_but_the_one_to_ask_for_when_none_is_named(self, api: ApiClient) -> None:
        assert list(metrics(api)) == DEFAULT

    def test_of_nothing_counts_are_zero_and_averages_null(self, api: ApiClient) -> None:
        averages = ["avg_response_time_seconds", "rating_average"]
        assert metrics(api) == {name: None if name in averages else 0 for name in DEFAULT}
        assert metrics(api, metric=OPT_IN) == {OPT_IN: None}

    @pytest.mark.parametrize("name", [*DEFAULT, OPT_IN])
    def test_a_metric_can_be_asked_for_alone(self, api: ApiClient, name: str) -> None:
        assert list(metrics(api, metric=name)) == [name]

    def test_several_metrics_can_be_asked_for(self, api: ApiClient, chat: Chat) -> None:
        assert metrics(api, metric="chats_missed,chats_total") == {"chats_total": 1, "chats_missed": 1}

    @pytest.mark.parametrize("path", ["/stats", "/stats/timeseries"])
    @pytest.mark.parametrize("metric", ["", ",", "chats", "chats_total,", "chats_total, chats_missed", "CHATS_TOTAL"])
    def test_an_unknown_one_is_422(self, api: ApiClient, path: str, metric: str) -> None:
        assert_problem(api.get(path, query={"metric": metric}), 422, "invalid_input", errors=["metric"])

    @pytest.mark.parametrize("metric", ["chats_handled_ai", "avg_response_time_seconds", "rating_average", OPT_IN])
    def test_one_that_is_no_series_is_422_in_a_time_series(self, api: ApiClient, metric: str) -> None:
        assert_problem(api.get("/stats/timeseries", query={"metric": metric}), 422, "invalid_input", errors=["metric"])

    def test_the_channels_report_takes_no_metric(self, api: ApiClient) -> None:
        answer = api.get("/stats/channels", query={"metric": "chats_total"})
        assert_problem(answer, 422, "invalid_input", errors=["metric"])

    def test_chats_by_who_answered(self, api: ApiClient, shop: Widget) -> None:
        chat_of(shop)
        answered(shop, "human", "human", "human")
        answered(shop, "ai", "ai", "ai")
        answered(shop, "ai_to_human", "ai", "human")
        answered(shop, "human_to_ai", "human", "ai")
        chat_of(shop, status="spam")
        found = metrics(api, **DAY)
        assert (found["chats_total"], found["chats_missed"], found["chats_accepted"]) == (6, 2, 4)
        assert (found["chats_accepted_ai"], found["chats_accepted_human"]) == (2, 2)
        assert (found["chats_handled_ai"], found["chats_handled_human"]) == (2, 2)
        assert (found["chats_ai_to_human"], found["chats_human_to_ai"]) == (1, 1)

    def test_response_time_counts_from_the_chats_creation(self, api: ApiClient, shop: Widget) -> None:
        answered(shop, "human", "human", "human", seconds=10)
        answered(shop, "ai", "ai", "ai", seconds=20.5)
        chat_of(shop, handling="human", accepted_type="human")  # accepted before that was recorded
        chat_of(shop)
        assert metrics(api, **DAY)["avg_response_time_seconds"] == 15.25

    def test_first_response_counts_from_the_visitors_first_message(
        self, api: ApiClient, shop: Widget, alice: Agent
    ) -> None:
        chat = chat_of(shop)

        def say(seconds: int, **fields: Any) -> None:
            MessageFactory.create(chat=chat, created_at=NOON + timedelta(seconds=seconds), **fields)

        say(0, agent=alice)  # a greeting answers nothing
        say(100)
        say(105, sender_kind="system")
        say(107, agent=alice, is_internal=True)
        say(110)
        say(130, agent=alice)
        say(500, agent=alice)
        assert metrics(api, **DAY, metric=OPT_IN) == {OPT_IN: 30.0}

    def test_ratings_count_when_they_were_given(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        for value, days in ((5, 0), (4, 0), (1, 1), (1, -1)):
            rated_at = NOON + timedelta(days=days)
            Rating.objects.create(widget=shop, chat=chat_of(shop), value=value, created_at=NOON, rated_at=rated_at)
        Rating.objects.create(widget=rival.widget, chat=rival.chat, value=1, rated_at=NOON)
        assert metrics(api, **DAY)["rating_average"] == 4.5

    def test_messages_leave_out_system_messages_and_notes(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        chat = chat_of(shop)
        for fields in ({}, {"agent": alice}, {"sender_kind": "ai"}, {"sender_kind": "external_operator"}):
            MessageFactory.create(chat=chat, created_at=NOON, **fields)
        MessageFactory.create(chat=chat, created_at=NOON, sender_kind="system")
        MessageFactory.create(chat=chat, created_at=NOON, agent=alice, is_internal=True)
        assert metrics(api, **DAY)["messages_total"] == 4

    def test_messages_count_when_they_were_written(self, api: ApiClient, shop: Widget) -> None:
        old = chat_of(shop, created_at=NOON - timedelta(days=90))
        MessageFactory.create(chat=old, created_at=NOON)
        found = metrics(api, **DAY)
        assert (found["chats_total"], found["messages_total"]) == (0, 1)

    def test_anothers_traffic_does_not_count(self, api: ApiClient, rival: Rival) -> None:
        MessageFactory.create(chat=rival.chat)
        found = metrics(api)
        assert (found["chats_total"], found["messages_total"]) == (0, 0)
        assert data(api.get("/stats/channels"))["channels"] == []


class TestWindow:
    @pytest.mark.parametrize("path", PATHS)
    def test_the_trailing_30_days_unless_told(self, api: ApiClient, path: str) -> None:
        before = timezone.now()
        found = data(api.get(path))
        start, end = (datetime.fromisoformat(found[name]) for name in ("from", "to"))
        assert before <= end <= timezone.now()
        assert end - start == timedelta(days=30)

    @pytest.mark.parametrize("path", PATHS)
    def test_from_is_inclusive_and_to_exclusive(self, api: ApiClient, shop: Widget, path: str) -> None:
        start, end = NOON, NOON + timedelta(days=1)
        for at in (start - timedelta(microseconds=1), start, end - timedelta(microseconds=1), end):
            MessageFactory.create(chat=chat_of(shop, created_at=at), created_at=at)
        found = data(api.get(path, query={"from": start.isoformat(), "to": end.isoformat()}))
        if path == "/stats":
            assert (found["metrics"]["chats_total"], found["metrics"]["messages_total"]) == (2, 2)
        elif path == "/stats/channels":
            assert [row["chats_missed"] for row in found["channels"]] == [2]
        else:
            assert sum(bucket["chats_total"] for bucket in found["buckets"]) == 2
            assert sum(bucket["messages_total"] for bucket in found["buckets"]) == 2

    @pytest.mark.parametrize("path", PATHS)
    def test_times_are_read_and_written_in_moscow(self, api: ApiClient, path: str) -> None:
        found = data(api.get(path, query={"from": "2026-11-18", "to": "2026-11-18T22:00:00Z"}))
        assert (found["from"], found["to"]) == ("2026-11-18T00:00:00+03:00", "2026-11-19T01:00:00+03:00")

    def test_an_offset_is_the_one_of_its_time(self, api: ApiClient) -> None:
        found = data(api.get("/stats", query={"from": "2014-10-26", "to": "2014-10-27"}))
        assert (found["from"], found["to"]) == ("2014-10-26T00:00:00+04:00", "2014-10-27T00:00:00+03:00")

    @pytest.mark.parametrize("path", PATHS)
    @pytest.mark.parametrize("period", ["today", "yesterday", "week", "month"])
    def test_periods_begin_at_a_midnight_in_moscow(self, api: ApiClient, path: str, period: str) -> None:
        found = data(api.get(path, query={"period": period}))
        start, end = (datetime.fromisoformat(found[name]) for name in ("from", "to"))
        today = end.astimezone(MOSCOW).date()
        expected = {
            "today": today,
            "yesterday": today - timedelta(days=1),
            "week": today - timedelta(days=today.weekday()),
            "month": today.replace(day=1),
        }
        assert start.isoformat() == f"{expected[period]}T00:00:00+03:00"
        if period == "yesterday":
            assert end.isoformat() == f"{today}T00:00:00+03:00"

    @pytest.mark.parametrize("path", PATHS)
    @pytest.mark.parametrize("more", [{"from": "2026-11-18"}, {"to": "2026-11-18"}, DAY])
    def test_a_period_with_from_or_to_is_422(self, api: ApiClient, path: str, more: dict[str, str]) -> None:
        answer = api.get(path, query={"period": "today", **more})
        assert_problem(answer, 422, "invalid_input", errors=["period"])

    @pytest.mark.parametrize("path", PATHS)
    def test_from_after_to_is_422(self, api: ApiClient, path: str) -> None:
        answer = api.get(path, query={"from": "2026-11-18T00:00:00.000001", "to": "2026-11-18"})
        assert_problem(answer, 422, "invalid_input", errors=["to"])

    @pytest.mark.parametrize("path", PATHS)
    def test_a_lone_from_still_to_come_is_422(self, api: ApiClient, path: str) -> None:
        assert_problem(api.get(path, query={"from": "2100-01-01"}), 422, "invalid_input", errors=["from"])

    def test_an_empty_window_has_nothing_in_it(self, api: ApiClient, chat: Chat) -> None:
        query = {"from": "2026-11-18", "to": "2026-11-18"}
        assert metrics(api, **query)["chats_total"] == 0
        assert data(api.get("/stats/timeseries", query=query))["buckets"] == []

    @pytest.mark.parametrize("path", PATHS)
    @pytest.mark.parametrize("query", [{"period": "year"}, {"from": "yesterday"}, {"limit": "20"}, {"cursor": "x"}])
    def test_what_is_not_understood_is_422(self, api: ApiClient, path: str, query: dict[str, str]) -> None:
        assert_problem(api.get(path, query=query), 422, "invalid_input", errors=list(query))


class TestChannels:
    def test_each_channel_that_had_chats(self, api: ApiClient, shop: Widget) -> None:
        chat_of(shop)
        answered(shop, "ai", "ai", "ai")
        chat_of(shop, channel="tg", handling="human", accepted_type="human")
        chat_of(shop, channel="vk", created_at=NOON - timedelta(days=60))
        assert data(api.get("/stats/channels", query=DAY))["channels"] == [
            {
                "channel": "tg",
                "chats_accepted": 1,
                "chats_accepted_ai": 0,
                "chats_accepted_human": 1,
                "chats_missed": 0,
            },
            {
                "channel": "widget",
                "chats_accepted": 1,
                "chats_accepted_ai": 1,
                "chats_accepted_human": 0,
                "chats_missed": 1,
            },
        ]

    def test_chats_of_internal_departments_are_left_out(self, api: ApiClient, shop: Widget) -> None:
        chat_of(shop, department=DepartmentFactory.create(widget=shop))
        chat_of(shop, department=DepartmentFactory.create(widget=shop, internal=True))
        chat_of(shop, department=DepartmentFactory.create(widget=shop, internal=True), channel="tg")
        channels = data(api.get("/stats/channels", query=DAY))["channels"]
        assert [(row["channel"], row["chats_missed"]) for row in channels] == [("widget", 1)]
        assert metrics(api, **DAY)["chats_total"] == 3

    def test_they_are_left_out_when_the_department_is_gone(self, api: ApiClient, shop: Widget) -> None:
        colleagues = DepartmentFactory.create(widget=shop, internal=True)
        chat_of(shop, department=colleagues)
        assert api.delete(f"/departments/{colleagues.pk}").status_code == 204
        assert data(api.get("/stats/channels", query=DAY))["channels"] == []


class TestSeries:
    def test_every_day_has_a_bucket(self, api: ApiClient, shop: Widget) -> None:
        MessageFactory.create(chat=chat_of(shop), created_at=NOON)
        found = data(api.get("/stats/timeseries", query={"from": "2026-11-17", "to": "2026-11-20"}))
        assert found["interval"] == "day"
        nothing = dict.fromkeys(traffic.SERIES, 0)
        assert found["buckets"] == [
            {"from": "2026-11-17T00:00:00+03:00", "to": "2026-11-18T00:00:00+03:00", **nothing},
            {
                "from": "2026-11-18T00:00:00+03:00",
                "to": "2026-11-19T00:00:00+03:00",
                **nothing,
                "chats_total": 1,
                "chats_missed": 1,
                "messages_total": 1,
            },
            {"from": "2026-11-19T00:00:00+03:00", "to": "2026-11-20T00:00:00+03:00", **nothing},
        ]

    def test_only_the_metrics_asked_for(self, api: ApiClient, chat: Chat) -> None:
        query = {"period": "today", "metric": "messages_total,chats_total"}
        (bucket,) = data(api.get("/stats/timeseries", query=query))["buckets"]
        assert list(bucket) == ["from", "to", "chats_total", "messages_total"]

    @pytest.mark.parametrize(
        ("interval", "edges"),
        [
            ("week", ["2026-10-28", "2026-11-02", "2026-11-09", "2026-11-11"]),
            ("month", ["2026-10-28", "2026-11-01", "2026-11-11"]),
        ],
    )
    def test_the_first_and_last_bucket_are_as_long_as_the_window_leaves_them(
        self, api: ApiClient, interval: str, edges: list[str]
    ) -> None:
        query = {"from": edges[0], "to": edges[-1], "interval": interval}
        buckets = data(api.get("/stats/timeseries", query=query))["buckets"]
        midnights = [f"{day}T00:00:00+03:00" for day in edges]
        assert [(b["from"], b["to"]) for b in buckets] == list(itertools.pairwise(midnights))

    def test_366_buckets_and_not_one_more(self, api: ApiClient) -> None:
        year = {"from": "2027-06-01", "to": "2028-06-01"}  # with a 29 February
        assert len(data(api.get("/stats/timeseries", query=year))["buckets"]) == 366
        for over in ({"to": "2028-06-01T00:00:00.000001"}, {"to": "2028-06-02"}, {"to": "9000-01-01"}):
            answer = api.get("/stats/timeseries", query={**year, **over})
            assert_problem(answer, 422, "invalid_input", errors=["interval"])

    def test_a_longer_interval_makes_fewer(self, api: ApiClient) -> None:
        query = {"from": "2020-01-01", "to": "2026-01-01", "interval": "week"}
        assert len(data(api.get("/stats/timeseries", query=query))["buckets"]) == 314

    @pytest.mark.parametrize("interval", ["", "hour", "year", "Day"])
    def test_another_interval_is_422(self, api: ApiClient, interval: str) -> None:
        answer = api.get("/stats/timeseries", query={"interval": interval})
        assert_problem(answer, 422, "invalid_input", errors=["interval"])


@pytest.mark.parametrize(("path", "most"), [("/stats", 5), ("/stats/channels", 2), ("/stats/timeseries", 4)])
def test_two_statements_for_each_kind_of_row(
    api: ApiClient, chat: Chat, path: str, most: int, django_assert_max_num_queries: Any
) -> None:
    api.get(path)
    with django_assert_max_num_queries(most, connection=connection):
        api.get(path, query={"period": "today"})


@pytest.mark.parametrize("is_internal", [False, True], ids=["to the visitor", "for operators only"])
@pytest.mark.parametrize("kind", SenderKind)
def test_what_counts_and_what_is_an_answer(chat: Chat, kind: SenderKind, is_internal: bool) -> None:
    MessageFactory.create(chat=chat, sender_kind=kind, is_internal=is_internal)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {COUNTS}, {IS_ANSWER} FROM chats_message m")
        counts, is_answer = cursor.fetchone()
    assert counts is (kind != "system" and not is_internal)
    assert is_answer is (kind in traffic.ANSWERS and not is_internal)
    assert Message.objects.filter(COUNTED).exists() is counts
