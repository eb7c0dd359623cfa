"""Kinds of contacts' attributes (design, "People"): owners declare them, operators edit by them."""

from typing import Any

import pytest

from apps.agents.models import Agent
from apps.chats.models import Chat, Contact
from apps.chats.rules.attribute_kinds import declarations_refusal, read, written
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.factories import ContactFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

DECLARED = [
    {"key": "plan", "kind": "choice", "choices": ["free", "pro"]},
    {"key": "orders", "kind": "number", "choices": []},
    {"key": "vip", "kind": "boolean", "choices": []},
    {"key": "since", "kind": "date", "choices": []},
    {"key": "profile", "kind": "link", "choices": []},
    {"key": "size", "kind": "text", "choices": []},
]


@pytest.fixture
def declared(olga: Agent) -> list[dict[str, Any]]:
    return list(Console(olga).data("PUT", "/attributes", json={"attributes": DECLARED})["attributes"])


def edit(console: Console, contact: Contact, **attributes: Any) -> Any:
    return console.patch(f"/contacts/{contact.guid}", json={"attributes": attributes})


def test_an_owner_declares_them_for_all(declared: list[dict[str, Any]], alices_console: Console) -> None:
    assert declared == DECLARED
    assert alices_console.data("GET", "/attributes") == {"attributes": DECLARED}


def test_an_operator_declares_none(alices_console: Console) -> None:
    before = snapshot()
    refused = alices_console.put("/attributes", json={"attributes": DECLARED})
    assert_problem(refused, 403, "managers_only")
    assert snapshot() == before


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([{"key": "a", "kind": "money", "choices": []}], "attributes.0.kind"),
        ([{"key": "", "kind": "text"}], "attributes.0.key"),
        ([{"key": "a" * 65, "kind": "text"}], "attributes"),
        ([{"key": "a", "kind": "choice"}], "attributes"),
        ([{"key": "a", "kind": "text", "choices": ["x"]}], "attributes"),
        ([{"key": "a", "kind": "choice", "choices": ["x", "x"]}], "attributes"),
        ([{"key": "a", "kind": "text"}, {"key": "a", "kind": "date"}], "attributes"),
        ([{"key": str(n), "kind": "text"} for n in range(65)], "attributes"),
    ],
)
def test_bad_declarations_are_refused(olga: Agent, value: Any, path: str) -> None:
    console, before = Console(olga), snapshot()
    assert_problem(console.put("/attributes", json={"attributes": value}), 422, "invalid_input", errors=[path])
    assert snapshot() == before


def test_values_of_their_kind_are_taken(declared: Any, chat: Chat, alices_console: Console) -> None:
    values = {
        "plan": "pro",
        "orders": 1.5,
        "vip": False,
        "since": "2026-11-21",
        "profile": "https://shop.example/u/1",
        "size": "M",
        "other": 7,
    }
    assert edit(alices_console, chat.contact, **values).json()["data"]["attributes"] == values
    assert edit(alices_console, chat.contact, plan=None).json()["data"]["attributes"] == {
        name: value for name, value in values.items() if name != "plan"
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("plan", "gold"),
        ("orders", "3"),
        ("orders", True),
        ("vip", "true"),
        ("since", "21.11.2026"),
        ("since", "2026-02-30"),
        ("profile", "javascript:alert(1)"),
        ("size", 4),
    ],
)
def test_a_value_of_another_kind_is_named(
    declared: Any, chat: Chat, alices_console: Console, name: str, value: Any
) -> None:
    before = snapshot()
    refused = edit(alices_console, chat.contact, **{name: value})
    assert_problem(refused, 422, "invalid_input", errors=[f"attributes.{name}"])
    assert snapshot() == before


def test_the_api_takes_any_scalar(declared: Any, chat: Chat, api: ApiClient) -> None:
    answer = api.patch(f"/contacts/{chat.contact.guid}", json={"attributes": {"orders": "three"}})
    assert (answer.status_code, answer.json()["data"]["attributes"]) == (200, {"orders": "three"})


@pytest.mark.parametrize(
    ("asked", "found"),
    [("orders:2", ["two"]), ("orders:1.5", ["half"]), ("vip:true", ["two"]), ("since:2026-11-21", ["half"])],
)
def test_contacts_are_filtered_by_them(chat: Chat, alices_console: Console, asked: str, found: list[str]) -> None:
    ContactFactory.create(widget=chat.widget, name="two", attributes={"orders": 2, "vip": True})
    ContactFactory.create(widget=chat.widget, name="half", attributes={"orders": 1.5, "since": "2026-11-21"})
    shown = alices_console.get("/contacts", query={"attribute": asked}).json()["data"]
    assert [one["name"] for one in shown] == found


def test_a_form_shows_them_a_line_each() -> None:
    text = "plan: choice: free, pro\nutm:source: text\norders: number"
    assert written(read(text)) == text
    assert declarations_refusal(read(text)) is None
    assert declarations_refusal(read("plan")) is not None
    assert declarations_refusal(read("plan: money")) is not None
    assert declarations_refusal([{"key": "a", "kind": "text"}]) is not None
