"""GET /api/v1/contacts, GET /api/v1/contacts/{id}."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.chats.models import Contact
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ContactFactory, ContactTagFactory

NOON = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [contact["name"] for contact in answer.json()["data"]]


def found(api: ApiClient, query: str, **more: Any) -> set[str]:
    return set(names(api.get("/contacts", query={"limit": 100, "query": query, **more})))


def test_a_contact_shows_these_members_and_no_other(api: ApiClient, shop: Widget) -> None:
    contact = ContactFactory.create(
        widget=shop,
        name="Иван Петров",
        email="ivan@mail.test",
        phone="+7 901 123-45-67",
        attributes={"city": "Москва", "orders": 3, "ratio": 0.5, "loyal": True, "note": 'a "b"\n'},
        created_at=NOON,
        updated_at=NOON + timedelta(seconds=1.5),
    )
    for name in ("б", "vip", "Vip", "a"):
        ContactTagFactory.create(contact=contact, tag__name=name)
    shown = {
        "id": contact.guid,
        "name": "Иван Петров",
        "email": "ivan@mail.test",
        "phone": "+7 901 123-45-67",
        "external_id": None,
        "attributes": {"city": "Москва", "orders": 3, "ratio": 0.5, "loyal": True, "note": 'a "b"\n'},
        "tags": ["Vip", "a", "vip", "б"],
        "consents": [],
        "merged_into": None,
        "merged": [],
        "created_at": "2026-11-21T09:00:00Z",
        "updated_at": "2026-11-21T09:00:01.500000Z",
    }
    assert api.get("/contacts").json() == {"data": [shown], "next_cursor": None}
    assert api.get("/contacts", query={"query": "иван"}).json() == {"data": [shown], "next_cursor": None}
    assert api.get(f"/contacts/{contact.guid}").json() == {"data": shown}


def test_what_is_not_known_is_null(api: ApiClient, shop: Widget) -> None:
    contact = ContactFactory.create(widget=shop, name="", email="")
    shown = api.get(f"/contacts/{contact.guid}").json()["data"]
    assert (shown["name"], shown["email"], shown["phone"]) == (None, None, None)
    assert (shown["attributes"], shown["tags"]) == ({}, [])


@pytest.mark.parametrize("text", ["0" * 32, "x" * 32, "0" * 31, "0" * 33, "1", "-1", "%20", "А" * 32])
def test_what_is_no_guid_of_a_contact_is_404(api: ApiClient, ivan: Contact, text: str) -> None:
    assert_problem(api.get(f"/contacts/{text}"), 404, "not_found")


def test_a_contact_is_not_found_by_its_number_or_in_capitals(api: ApiClient, shop: Widget) -> None:
    contact = ContactFactory.create(widget=shop, guid="ab" * 16)
    assert api.get(f"/contacts/{contact.guid}").status_code == 200
    assert_problem(api.get(f"/contacts/{contact.pk}"), 404, "not_found")
    assert_problem(api.get(f"/contacts/{contact.guid.upper()}"), 404, "not_found")


def test_a_contact_of_another_widget_is_as_if_it_never_was(api: ApiClient, shop: Widget, rival: Rival) -> None:
    assert_problem(api.get(f"/contacts/{rival.contact.guid}"), 404, "not_found")
    assert names(api.get("/contacts")) == []
    for query in ("Иван", "ivan@mail.test", "и", "Ив"):
        assert found(api, query) == set()


def test_newest_first_page_by_page_while_contacts_come(api: ApiClient, shop: Widget) -> None:
    for n in range(7):
        ContactFactory.create(widget=shop, name=f"V{n}", created_at=NOON + timedelta(minutes=n // 2))
    seen: list[str] = []
    cursor = None
    for _ in range(3):
        answer = api.get("/contacts", query={"limit": 3, **({"cursor": cursor} if cursor else {})})
        seen += names(answer)
        cursor = answer.json()["next_cursor"]
        ContactFactory.create(widget=shop, name="Later", created_at=NOON + timedelta(hours=1))
    assert seen == ["V6", "V5", "V4", "V3", "V2", "V1", "V0"]
    assert cursor is None


@pytest.mark.parametrize("limit", ["0", "101", "-1", "x"])
def test_a_limit_is_1_to_100(api: ApiClient, limit: str) -> None:
    assert_problem(api.get("/contacts", query={"limit": limit}), 422, "invalid_input", errors=["limit"])


@pytest.mark.parametrize("query", ["", "x" * 101, "a\nb", "\t", "a\x7f"])
def test_a_query_has_1_to_100_characters_in_one_line(api: ApiClient, query: str) -> None:
    assert_problem(api.get("/contacts", query={"query": query}), 422, "invalid_input", errors=["query"])


@pytest.mark.parametrize("query", ["x", "x" * 100, " ", "ж" * 100, "👩‍👩‍👧"])
def test_a_query_may_be_that_short_and_that_long(api: ApiClient, query: str) -> None:
    assert found(api, query) == set()


PEOPLE: dict[str, dict[str, str]] = {
    "Иван Петров": {"email": "ivan@mail.test", "phone": "+7 901 123-45-67"},
    "Jane O'Neill": {"email": "Jane_ONeill@Shop.test", "phone": "8(495)7654321"},
    "100% Скидка": {"email": "", "phone": ""},
    "back\\slash": {"email": "a_b@mail.test", "phone": ""},
    "ΓΙΏΡΓΟΣ": {"email": "axb@mail.test", "phone": "49"},
    "": {"email": "nameless@mail.test", "phone": ""},
}


@pytest.fixture
def people(shop: Widget, rival: Rival) -> None:
    for widget in (shop, rival.widget):
        for name, more in PEOPLE.items():
            ContactFactory.create(widget=widget, name=name, **more)


@pytest.fixture(params=["among the newest", "in the index", "of a common needle"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the ways in which a search finds its page (docs/adr/0010); all must give the same."""
    if request.param != "among the newest":
        monkeypatch.setattr("apps.chats.querysets.contacts.NEWEST_A_ROW", 0)
    if request.param == "of a common needle":
        monkeypatch.setattr("apps.chats.querysets.contacts.MAX_FOUND", 0)


@pytest.mark.usefixtures("people", "way")
@pytest.mark.parametrize(
    ("query", "whom"),
    [
        ("Иван", {"Иван Петров"}),
        ("иВАН п", {"Иван Петров"}),
        ("н П", {"Иван Петров"}),
        ("и", {"Иван Петров", "100% Скидка"}),
        ("в", {"Иван Петров"}),
        ("ётров", {"Иван Петров"}),
        ("ivan@MAIL", {"Иван Петров"}),
        ("oneill@shop", {"Jane O'Neill"}),
        ("'", {"Jane O'Neill"}),
        ("%", {"100% Скидка"}),
        ("0%", {"100% Скидка"}),
        ("%%", set()),
        ("_", {"Jane O'Neill", "back\\slash"}),
        ("a_b", {"back\\slash"}),
        ("\\", {"back\\slash"}),
        ("k\\s", {"back\\slash"}),
        ("γιώργος", {"ΓΙΏΡΓΟΣ"}),
        ("γιώργοσ", {"ΓΙΏΡΓΟΣ"}),
        ("901123", {"Иван Петров"}),
        ("90112345", {"Иван Петров"}),
        ("(901) 123", {"Иван Петров"}),
        ("1-2", {"Иван Петров"}),
        ("+7 901 123-45-67", {"Иван Петров"}),
        ("+7-9", {"Иван Петров"}),
        ("4957", {"Jane O'Neill"}),
        ("3-45-6", {"Иван Петров"}),
        ("49", {"Jane O'Neill", "ΓΙΏΡΓΟΣ"}),
        ("9", {"Иван Петров", "Jane O'Neill", "ΓΙΏΡΓΟΣ"}),
        ("+", {"Иван Петров"}),
        ("(4", {"Jane O'Neill", "ΓΙΏΡΓΟΣ", "Иван Петров"}),
        ("901123 ", {"Иван Петров"}),
        ("67ivan", set()),
        ("Петровivan", set()),
        ("петров ivan", set()),
        ("mail.test", {"Иван Петров", "back\\slash", "ΓΙΏΡΓΟΣ", None}),
    ],
)
def test_a_query_is_part_of_a_name_email_or_phone(api: ApiClient, query: str, whom: set[Any]) -> None:
    assert found(api, query) == whom


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("query", ["visitor", "v", "12-34"])
def test_what_is_found_is_sorted_and_paged_like_the_list(api: ApiClient, shop: Widget, query: str) -> None:
    for n in range(11):
        ContactFactory.create(
            widget=shop, name=f"Visitor {n}", phone="5 123 4", created_at=NOON + timedelta(minutes=n // 2)
        )
        ContactFactory.create(widget=shop, name="Else", email="", created_at=NOON + timedelta(minutes=n))
    seen: list[str] = []
    cursor: str | None = None
    for size in (4, 4, 3):
        more = {"cursor": cursor} if cursor else {}
        answer = api.get("/contacts", query={"limit": 4, "query": query, **more})
        assert len(names(answer)) == size
        seen += names(answer)
        cursor = answer.json()["next_cursor"]
    assert seen == [f"Visitor {n}" for n in range(10, -1, -1)]
    assert cursor is None


@pytest.mark.parametrize("looked_through", [1, 2, 3, 7, 100])
def test_a_search_for_what_only_old_contacts_share_ends_its_pages_early(
    api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch, looked_through: int
) -> None:
    for name, size in {"NEWEST_A_ROW": 0, "MAX_FOUND": 2, "LOOKED_THROUGH": looked_through}.items():
        monkeypatch.setattr(f"apps.chats.querysets.contacts.{name}", size)
    for n in range(9):
        ContactFactory.create(widget=shop, name=f"Visitor {n}", created_at=NOON + timedelta(minutes=n // 2))
    for n in range(5):
        ContactFactory.create(widget=shop, name=f"Else {n}", created_at=NOON - timedelta(minutes=1 + n // 2))
    seen: list[str] = []
    sizes: list[int] = []
    api.get("/contacts")
    query: dict[str, Any] = {"limit": 3, "query": "else"}
    while True:
        with CaptureQueriesContext(connection) as captured:
            answer = api.get("/contacts", query=query)
        assert len(captured) == 2
        sizes.append(len(names(answer)))
        seen += names(answer)
        query["cursor"] = answer.json()["next_cursor"]
        if query["cursor"] is None:
            break
    before_the_last = {1: [0] * 9 + [1] * 5, 2: [0] * 4 + [1, 2, 2], 3: [0] * 3 + [3], 7: [0, 3], 100: [3]}
    assert sizes[:-1] == before_the_last[looked_through]
    assert seen == ["Else 1", "Else 0", "Else 3", "Else 2", "Else 4"]


def test_a_changed_contact_is_found_by_what_is_known_now(api: ApiClient, ivan: Contact) -> None:
    api.patch(f"/contacts/{ivan.guid}", json={"name": "Пётр", "phone": None})
    assert (found(api, "Иван"), found(api, "901123"), found(api, "пётр")) == (set(), set(), {"Пётр"})


@pytest.mark.parametrize("query", [None, "Visitor", "nobody"])
@pytest.mark.parametrize("size", [0, 1, 100])
def test_a_page_costs_a_constant_number_of_statements(
    api: ApiClient, shop: Widget, size: int, query: str | None
) -> None:
    for contact in ContactFactory.create_batch(size, widget=shop):
        ContactTagFactory.create(contact=contact)
    api.get("/contacts")
    asked = {"limit": 100, **({"query": query} if query else {})}
    with CaptureQueriesContext(connection) as captured:
        assert api.get("/contacts", query=asked).status_code == 200
    assert len(captured) == (1 if query is None else 2)
