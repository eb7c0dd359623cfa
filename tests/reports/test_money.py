"""What models have cost: money of each call's moment, beside the chats of the window, in the API and on the page."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import AiSettings, Assistant, Usage
from apps.chats.models import Chat, ChatActivity
from apps.reports.rules.money import amount_of, amounts, for_each, hours_saved
from tests.cast import Rival, signed_in
from tests.client import ApiClient, assert_problem
from tests.factories import ChatFactory, MessageFactory, StaffFactory
from tests.factories.ai import AssistantFactory, UsageFactory
from tests.reports.made import episode
from tests.reports.test_pages import html_of, links, page_of, row_of

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 20, 9, 5, tzinfo=UTC)  # a Tuesday, 12:05 in Moscow
DAYS = {"from": "2026-10-19", "to": "2026-10-26"}


def called(widget: Widget, at: datetime, cost: str | None = None, currency: str = "USD", **fields: Any) -> Usage:
    usage: Usage = UsageFactory.create(
        widget=widget, cost=None if cost is None else Decimal(cost), currency=currency if cost else "", **fields
    )
    Usage.objects.filter(pk=usage.pk).update(at=at)
    return usage


def answered_by_ai(
    widget: Widget, at: datetime, ada: Agent, assistant: Assistant | None = None, times: int = 1
) -> Chat:
    chat: Chat = ChatFactory.create(contact__widget=widget, created_at=at)
    MessageFactory.create(chat=chat, body="Is the oolong in stock?", created_at=at)
    for number in range(1, 1 + times):
        MessageFactory.create(
            chat=chat,
            sender_kind="ai",
            agent=ada,
            assistant_id=assistant and assistant.pk,
            body="Yes, it is.",
            created_at=at + timedelta(seconds=number),
        )
    return chat


def money(api: ApiClient, **query: str) -> dict[str, Any]:
    response = api.get("/reports/ai", query={**DAYS, **query})
    assert response.status_code == 200, response.content
    return response.json()["data"]  # type: ignore[no-any-return]


@pytest.fixture
def busy(shop: Widget, ada: Agent, rival: Rival) -> Widget:
    """Three calls in dollars and one in rubles on two days, one without a price; two chats that AI answered."""
    rosa = AssistantFactory.create(widget=shop, name="Rosa")
    called(shop, NOON, "0.001", assistant=rosa, prompt_tokens=100, completion_tokens=10)
    called(shop, NOON, "0.0000005", assistant=rosa, prompt_tokens=1, purpose="classifier")
    called(shop, NOON + timedelta(days=1), "0.25", prompt_tokens=7, model="m-2")
    called(shop, NOON + timedelta(days=1), "3", "RUB", assistant=rosa, completion_tokens=5)
    called(shop, NOON, assistant=rosa, prompt_tokens=40, purpose="embedding", model="e-1")
    called(shop, NOON - timedelta(days=9), "100")
    called(rival.widget, NOON, "100", prompt_tokens=9)
    answered_by_ai(shop, NOON, ada, rosa, times=2)
    answered_by_ai(shop, NOON + timedelta(days=1), ada, rosa)
    episode(shop, NOON, answered_s=30)
    return shop


class TestPureRules:
    def test_an_amount_has_six_places_half_up(self) -> None:
        assert [amount_of(Decimal(each)) for each in ("0.0000005", "0.00000049", "12", "1E+9")] == [
            "0.000001",
            "0.000000",
            "12.000000",
            "1000000000.000000",
        ]

    def test_currencies_stand_beside_each_other(self) -> None:
        assert amounts({"USD": Decimal(1), "RUB": Decimal(2)}) == [
            {"currency": "RUB", "amount": "2.000000"},
            {"currency": "USD", "amount": "1.000000"},
        ]

    def test_of_no_denominator_there_is_none(self) -> None:
        assert for_each({"USD": Decimal(1)}, 0) == {}
        assert amounts(for_each({"USD": Decimal(1)}, 3)) == [{"currency": "USD", "amount": "0.333333"}]

    def test_hours_are_replies_by_minutes(self) -> None:
        assert [hours_saved(45, 2), hours_saved(1, 1), hours_saved(9, 0)] == [1.5, 0.0167, 0]


class TestTheCall:
    def test_money_is_of_the_calls_of_the_window_and_no_currencies_are_added(
        self, api: ApiClient, busy: Widget
    ) -> None:
        found = money(api)
        assert (found["calls"], found["prompt_tokens"], found["completion_tokens"]) == (5, 148, 15)
        assert found["unpriced_tokens"] == 40
        assert found["money"] == [
            {"currency": "RUB", "amount": "3.000000"},
            {"currency": "USD", "amount": "0.251001"},
        ]
        assert (found["from"], found["to"], found["zone"], found["group"], found["groups"]) == (
            "2026-10-19T00:00:00+03:00",
            "2026-10-26T00:00:00+03:00",
            "Europe/Moscow",
            None,
            [],
        )

    def test_answered_and_resolved_are_the_reports(self, api: ApiClient, busy: Widget) -> None:
        found, figures = money(api), api.get("/reports", query=DAYS).json()["data"]["figures"]
        assert (found["answered"], found["resolved"]) == (2, 2)
        assert (figures["ai_involved"]["value"], figures["ai_resolved"]["value"]) == (2, 2)
        assert (
            found["per_answered"]
            == found["per_resolved"]
            == [
                {"currency": "RUB", "amount": "1.500000"},
                {"currency": "USD", "amount": "0.125500"},
            ]
        )

    def test_hours_saved_say_what_they_assume(self, api: ApiClient, busy: Widget) -> None:
        assert money(api)["hours_saved"] == {"hours": 0.1, "replies": 3, "minutes_per_reply": 2}
        AiSettings.objects.create(widget=busy, minutes_per_reply=10)
        assert money(api)["hours_saved"] == {"hours": 0.5, "replies": 3, "minutes_per_reply": 10}

    def test_the_phrase_of_a_handover_saves_nobody_a_reply(self, api: ApiClient, shop: Widget, ada: Agent) -> None:
        chat = answered_by_ai(shop, NOON, ada, times=2)
        phrase = chat.messages.latest("pk")
        ChatActivity.objects.create(
            chat=chat,
            widget=shop,
            kind="waits",
            comment="human_request",
            at=phrase.created_at + timedelta(seconds=1),
            after_message_id=phrase.pk,
        )
        assert money(api)["hours_saved"]["replies"] == 1

    def test_an_empty_window_has_no_denominator(self, api: ApiClient, shop: Widget) -> None:
        called(shop, NOON, "1")
        found = money(api)
        assert (found["answered"], found["resolved"], found["per_answered"], found["per_resolved"]) == (0, 0, [], [])
        assert found["money"] == [{"currency": "USD", "amount": "1.000000"}]

    def test_days_are_all_there_by_the_zones_clock(self, api: ApiClient, busy: Widget) -> None:
        days = {each["key"]: each for each in money(api, group="day")["groups"]}
        assert [*days] == [f"2026-10-{day}" for day in range(19, 26)]
        assert [each["calls"] for each in days.values()] == [0, 3, 2, 0, 0, 0, 0]
        assert days["2026-10-20"]["money"] == [{"currency": "USD", "amount": "0.001001"}]
        assert (days["2026-10-20"]["answered"], days["2026-10-21"]["resolved"]) == (1, 1)
        late = called(busy, datetime(2026, 10, 22, 21, 30, tzinfo=UTC), "1")
        assert {e["key"]: e["calls"] for e in money(api, group="day")["groups"]}["2026-10-23"] == 1
        utc = {e["key"]: e["calls"] for e in money(api, group="day", zone="UTC")["groups"]}
        assert (utc["2026-10-22"], late.cost) == (1, 1)

    def test_groups_are_partitions_of_the_total(self, api: ApiClient, busy: Widget) -> None:
        for group in ("day", "assistant", "model", "purpose"):
            found = money(api, group=group)
            for name in ("calls", "prompt_tokens", "completion_tokens", "unpriced_tokens"):
                assert sum(each[name] for each in found["groups"]) == found[name], (group, name)
            assert found["rest"] == {"groups": 0, "calls": 0}

    def test_an_assistant_has_its_calls_and_its_chats(self, api: ApiClient, busy: Widget) -> None:
        rosa = Assistant.objects.get(name="Rosa")
        groups = money(api, group="assistant")["groups"]
        assert [(each["key"], each["label"], each["calls"], each["answered"]) for each in groups] == [
            (str(rosa.pk), "Rosa", 4, 2),
            ("none", "none", 1, 0),
        ]

    def test_models_and_purposes_have_no_chats(self, api: ApiClient, busy: Widget) -> None:
        models = money(api, group="model")["groups"]
        assert [(each["key"], each["calls"], each["answered"], each["per_answered"]) for each in models] == [
            ("m-1", 3, None, []),
            ("e-1", 1, None, []),
            ("m-2", 1, None, []),
        ]
        purposes = money(api, group="purpose")["groups"]
        assert {each["key"]: each["calls"] for each in purposes} == {"reply": 3, "classifier": 1, "embedding": 1}

    def test_all_but_a_hundred_groups_are_the_rest(self, api: ApiClient, shop: Widget) -> None:
        Usage.objects.bulk_create(UsageFactory.build(widget=shop, model=f"m-{n:03}") for n in range(103))
        Usage.objects.update(at=NOON)
        found = money(api, group="model")
        assert (len(found["groups"]), found["rest"], found["calls"]) == (100, {"groups": 3, "calls": 3}, 103)

    @pytest.mark.parametrize(
        ("query", "wrong"),
        [
            ({"group": "agent"}, "group"),
            ({"group": "week"}, "group"),
            ({"zone": "Mars/Phobos"}, "zone"),
            ({"from": "2020-01-01"}, "from"),
            ({"channel": "widget"}, "channel"),
            ({"from": "2024-10-01", "to": "2026-10-01", "group": "day"}, "group"),
        ],
    )
    def test_impossible_values_are_refused_by_name(self, api: ApiClient, query: dict[str, str], wrong: str) -> None:
        assert_problem(api.get("/reports/ai", query={**DAYS, **query}), 422, "invalid_input", errors=[wrong])

    def test_a_year_takes_as_many_statements_as_a_week(self, api: ApiClient, busy: Widget) -> None:
        def statements(**query: str) -> int:
            with CaptureQueriesContext(
                connection,
            ) as seen:
                money(api, **query)
            return len(seen)

        money(api)
        assert statements(group="day", **{"from": "2025-11-01"}) == statements(group="day") <= 12


class TestThePage:
    def test_each_figure_is_the_apis_and_opens_its_chats(self, cabinet: Client, busy: Widget, api: ApiClient) -> None:
        html = html_of(cabinet, page_of(busy, "widgetmoneyreport"), **DAYS, group="day")
        whole = html[: html.index('aria-labelledby="report-groups"')]
        found = {name: (value, address) for name, value, address in links(whole)}
        assert (found["calls"][0], found["ai_involved"][0], found["ai_resolved"][0]) == (5, 2, 2)
        assert html_of(cabinet, found["ai_involved"][1]).count("<tr data-episode=") == 2
        assert "3.00\u00a0RUB, 0.25\u00a0USD" in html
        assert "1.50\u00a0RUB, 0.13\u00a0USD" in html

    def test_a_days_row_leads_to_its_chats_and_its_calls(self, cabinet: Client, busy: Widget) -> None:
        html = html_of(cabinet, page_of(busy, "widgetmoneyreport"), **DAYS, group="day")
        row = {name: (value, address) for name, value, address in links(row_of(html, "2026-10-20"))}
        assert row["calls"][0] == 3
        assert html_of(cabinet, row["ai_involved"][1]).count("<tr data-episode=") == row["ai_involved"][0] == 1
        calls = cabinet.get(row["calls"][1])
        assert calls.context["cl"].result_count == 3
        assert "Tue, 20 October 2026, 3 calls, 0.001001\u00a0USD" in html

    @pytest.mark.parametrize("group", ["assistant", "model", "purpose"])
    def test_each_rows_calls_are_a_list_of_so_many(self, cabinet: Client, busy: Widget, group: str) -> None:
        html = html_of(cabinet, page_of(busy, "widgetmoneyreport"), **DAYS, group=group)
        rows = html.split("<tr data-key=")[1:]
        assert rows
        for row in rows:
            (calls,) = ((value, address) for name, value, address in links(row) if name == "calls")
            assert cabinet.get(calls[1]).context["cl"].result_count == calls[0], row[:40]

    def test_the_hours_and_their_assumption_are_one_sentence(self, cabinet: Client, busy: Widget) -> None:
        html = html_of(cabinet, page_of(busy, "widgetmoneyreport"), **DAYS)
        assert "AI saved about 0.1 hours of writing, assuming 2 minutes a reply (3 replies)." in html

    def test_tokens_without_a_price_are_told(self, cabinet: Client, busy: Widget) -> None:
        html = html_of(cabinet, page_of(busy, "widgetmoneyreport"), **DAYS)
        assert "40 tokens have no price: their money is not known." in html
        Usage.objects.filter(cost=None).delete()
        assert "have no price" not in html_of(cabinet, page_of(busy, "widgetmoneyreport"), **DAYS)

    def test_an_empty_page_says_why(self, cabinet: Client, shop: Widget) -> None:
        html = html_of(cabinet, page_of(shop, "widgetmoneyreport"), **DAYS)
        assert "No model was called in these days" in html

    def test_an_impossible_address_is_refused_beside_its_field(self, cabinet: Client, shop: Widget) -> None:
        answer = cabinet.get(page_of(shop, "widgetmoneyreport"), {**DAYS, "zone": "Mars/Phobos"})
        assert (answer.status_code, [*answer.context["form"].errors]) == (422, ["zone"])

    def test_a_viewer_reads_it_and_a_stranger_does_not(self, busy: Widget, rival: Rival) -> None:
        viewer = signed_in(StaffFactory.create(account=busy.account, role="viewer"))
        assert "3.00\u00a0RUB" in html_of(viewer, page_of(busy, "widgetmoneyreport"), **DAYS)
        stranger = signed_in(StaffFactory.create(account=rival.widget.account, role="owner"))
        answer = stranger.get(page_of(busy, "widgetmoneyreport"), DAYS)
        assert answer.status_code in (302, 403, 404)
        assert b"RUB" not in answer.content


def test_the_minutes_are_a_setting_of_the_cabinet_alone(cabinet: Client, shop: Widget, api: ApiClient) -> None:
    assert "minutes_per_reply" not in api.get("/ai/settings").json()["data"]
    assert_problem(api.patch("/ai/settings", json={"minutes_per_reply": 3}), 422, "invalid_input")
