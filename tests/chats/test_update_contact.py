"""PATCH /api/v1/contacts/{id}."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import orjson
import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.events import ContactUpdated
from apps.chats.models import Contact
from apps.core.bus import DomainEvent
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Delivery
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.console.browser import operators_browser
from tests.factories import ApiTokenFactory, ChatFactory, ContactFactory, plain_text
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient


def patch(api: ApiClient, contact: Contact, **members: Any) -> Any:
    return api.patch(f"/contacts/{contact.guid}", json=members)


def changed(happened: list[DomainEvent]) -> list[tuple[str, ...]]:
    return [event.changed_fields for event in happened if isinstance(event, ContactUpdated)]


@pytest.fixture
def anna(shop: Widget) -> Contact:
    return ContactFactory.create(
        widget=shop, name="Анна", email="anna@mail.test", phone="+7 902", attributes={"plan": "free", "seats": 3}
    )


def test_what_is_not_sent_stays_as_it_is(api: ApiClient, anna: Contact) -> None:
    answer = patch(api, anna, name="Анна Ким")
    assert answer.status_code == 200
    shown = answer.json()["data"]
    assert shown == api.get(f"/contacts/{anna.guid}").json()["data"]
    assert (shown["name"], shown["email"], shown["phone"]) == ("Анна Ким", "anna@mail.test", "+7 902")
    assert shown["attributes"] == {"plan": "free", "seats": 3}
    assert shown["updated_at"] > shown["created_at"]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"plan": "pro"}, {"plan": "pro", "seats": 3}),
        ({"new": False}, {"plan": "free", "seats": 3, "new": False}),
        ({"plan": None}, {"seats": 3}),
        ({"plan": None, "seats": None}, {}),
        ({"never was": None}, {"plan": "free", "seats": 3}),
        ({"": None}, None),
        ({}, {"plan": "free", "seats": 3}),
        (None, {}),
    ],
)
def test_attributes_are_merged_by_key_and_null_removes(
    api: ApiClient, anna: Contact, sent: Any, kept: dict[str, Any] | None
) -> None:
    answer = patch(api, anna, attributes=sent)
    if kept is None:
        assert_problem(answer, 422, "invalid_input", errors=["attributes."])
    else:
        assert answer.json()["data"]["attributes"] == kept


@pytest.mark.parametrize("member", ["name", "email", "phone"])
def test_null_clears_a_field_of_the_contact(
    api: ApiClient, anna: Contact, happened: list[DomainEvent], member: str
) -> None:
    assert patch(api, anna, **{member: None}).json()["data"][member] is None
    assert patch(api, anna, **{member: None}).json()["data"][member] is None
    assert changed(happened) == [(member,)]


@pytest.mark.parametrize(
    ("sent", "names"),
    [
        ({"name": "Anna"}, ("name",)),
        ({"phone": "+7 903", "name": "Anna"}, ("name", "phone")),
        ({"name": "Анна", "email": "new@mail.test", "phone": "+7 902"}, ("email",)),
        ({"email": "anna@mail.test", "attributes": {"plan": "pro", "seats": 3}}, ("attributes",)),
        ({"attributes": {"seats": 4}}, ("attributes",)),
        ({"attributes": {"plan": None}}, ("attributes",)),
        ({"attributes": None, "email": None}, ("email", "attributes")),
        ({"attributes": {"seats": True}}, ("attributes",)),
    ],
)
def test_the_event_names_what_changed_and_nothing_else(
    api: ApiClient, anna: Contact, happened: list[DomainEvent], sent: Mapping[str, Any], names: tuple[str, ...]
) -> None:
    assert patch(api, anna, **sent).status_code == 200
    assert happened == [
        ContactUpdated(
            widget_id=anna.widget_id, widget_guid=anna.widget.guid, contact_guid=anna.guid, changed_fields=names
        )
    ]


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"name": "Анна"},
        {"name": "Анна", "email": "anna@mail.test", "phone": "+7 902"},
        {"attributes": {}},
        {"attributes": {"plan": "free"}},
        {"attributes": {"seats": 3.0}},
        {"attributes": {"never was": None}},
    ],
)
def test_what_changes_nothing_tells_nobody(
    api: ApiClient, anna: Contact, happened: list[DomainEvent], sent: dict[str, Any]
) -> None:
    assert patch(api, anna, **sent).status_code == 200
    assert happened == []
    assert Contact.objects.get(pk=anna.pk).updated_at == anna.updated_at


def test_a_number_sent_again_is_no_change_however_large(
    api: ApiClient, anna: Contact, happened: list[DomainEvent]
) -> None:
    numbers = {"a": 1e300, "b": 0.1, "c": 2**53 + 1, "d": -0.0, "e": 1e-300}
    for _ in range(2):
        assert patch(api, anna, attributes=numbers).status_code == 200
    assert changed(happened) == [("attributes",)]


@pytest.mark.parametrize("number", [1e19, 1e20, 1e300, -1e22, 2**63 - 1])
def test_a_number_that_the_database_writes_as_an_integer_can_be_read(
    api: ApiClient, shop: Widget, alice: Agent, number: float
) -> None:
    """Anybody can have it stored: a page tells of its visitor."""
    visitor = VisitorClient(shop)
    assert visitor.post("sessions", {"name": "Anna", "attributes": {"a": number}}).status_code == 201
    contact = Contact.objects.get(name="Anna")
    for answer in (api.get("/contacts"), api.get("/contacts?query=Anna")):
        assert [row["attributes"] for row in answer.json()["data"]] == [{"a": number}]
    found = api.get(f"/contacts/{contact.guid}")
    assert found.json()["data"]["attributes"] == {"a": number}
    assert api.post(f"/contacts/{contact.guid}/tags", json={"tags": ["x"]}).status_code == 200
    assert patch(api, contact, attributes=found.json()["data"]["attributes"]).status_code == 200
    chat = ChatFactory.create(contact=contact)
    card = operators_browser(alice).get(f"/console/chats/{chat.pk}")
    assert card.json()["data"]["card"]["contact"]["attributes"] == {"a": number}


def test_receivers_get_the_contacts_id_and_the_names(api: ApiClient, shop: Widget, anna: Contact) -> None:
    set_event_enabled(name="contact.updated", enabled=True)
    SubscriptionFactory.create(widget=shop, events=["contact.updated"])
    patch(api, anna, name="Anna", attributes={"seats": 4})
    body = orjson.loads(Delivery.objects.get().event.body)
    assert body["type"] == "contact.updated"
    assert body["data"] == {
        "client_id": anna.guid,
        "changed_fields": ["name", "attributes"],
        "button_guid": shop.guid,
    }


SIXTY_FOUR = {f"k{n}": n for n in range(64)}


@pytest.mark.parametrize(
    "body",
    [
        {"name": "n" * 255},
        {"email": "a@" + "b" * 60 + "." + "c" * 60 + ".test"},
        {"phone": "1" * 32},
        {"attributes": {"k" * 64: "v" * 1_000}},
        {"attributes": {**SIXTY_FOUR, "plan": None, "seats": None}},
        {"attributes": {"newline": "a\nb", "empty": "", "zero": 0, "no": False}},
    ],
)
def test_up_to_the_limits(api: ApiClient, anna: Contact, body: dict[str, Any]) -> None:
    assert patch(api, anna, **body).status_code == 200
    assert patch(api, anna, attributes=None).status_code == 200


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"name": "n" * 256}, "name"),
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "a\rb"}, "name"),
        ({"name": 5}, "name"),
        ({"email": ""}, "email"),
        ({"email": "anna"}, "email"),
        ({"email": "anna@"}, "email"),
        ({"email": "an na@mail.test"}, "email"),
        ({"email": "anna@mail.test\n"}, "email"),
        ({"email": "a" * 250 + "@b.test"}, "email"),
        ({"phone": ""}, "phone"),
        ({"phone": "+"}, "phone"),
        ({"phone": "(495) 1"}, "phone"),
        ({"phone": "1" * 33}, "phone"),
        ({"phone": "7\t9"}, "phone"),
        ({"phone": 7}, "phone"),
        ({"attributes": []}, "attributes"),
        ({"attributes": "x"}, "attributes"),
        ({"attributes": {"k" * 65: 1}}, "attributes." + "k" * 65),
        ({"attributes": {"k": "v" * 1_001}}, "attributes.k"),
        ({"attributes": {"k": []}}, "attributes.k"),
        ({"attributes": {"k": {}}}, "attributes.k"),
        ({"attributes": {**SIXTY_FOUR, "k64": 1}}, "attributes"),
        ({"attributes": {"k": SIXTY_FOUR}}, "attributes.k"),
        ({"attributes": {**SIXTY_FOUR, "plan": None}}, "attributes"),  # `seats` is the 65th
        ({"tags": ["vip"]}, "tags"),
        ({"created_at": "2026-11-21T09:00:00Z"}, "created_at"),
    ],
)
def test_beyond_them_nothing_changes(
    api: ApiClient, anna: Contact, happened: list[DomainEvent], body: dict[str, Any], path: str
) -> None:
    before = snapshot()
    assert_problem(patch(api, anna, **{"name": "Else", **body}), 422, "invalid_input", errors=[path])
    assert snapshot() == before
    assert happened == []


def test_a_contact_of_another_widget_stays_as_it_is(api: ApiClient, shop: Widget, rival: Rival) -> None:
    before = snapshot()
    assert_problem(patch(api, rival.contact, name="Mine"), 404, "not_found")
    assert_problem(patch(api, rival.contact, name=5), 404, "not_found")
    assert snapshot() == before


@pytest.mark.django_db(transaction=True)
def test_updates_of_different_keys_at_once_lose_nothing() -> None:
    contact = ContactFactory.create(attributes={"kept": 1, "gone": 1})
    token = plain_text(ApiTokenFactory.create(widget=contact.widget))
    bodies: list[dict[str, Any]] = [{"attributes": {f"k{n}": n}} for n in range(12)]
    bodies += [{"attributes": {"gone": None}}, {"name": "Anna"}, {"email": "anna@mail.test"}, {"phone": "7"}]
    barrier = Barrier(len(bodies))

    def call(body: dict[str, Any]) -> int:
        api = ApiClient(token)
        barrier.wait(timeout=30)
        try:
            return int(api.patch(f"/contacts/{contact.guid}", json=body).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(bodies)) as callers:
        assert set(callers.map(call, bodies)) == {200}
    contact.refresh_from_db()
    assert contact.attributes == {"kept": 1, **{f"k{n}": n for n in range(12)}}
    assert (contact.name, contact.email, contact.phone) == ("Anna", "anna@mail.test", "7")
