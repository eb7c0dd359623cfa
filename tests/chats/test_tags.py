"""GET /api/v1/tags, POST /api/v1/contacts/{id}/tags."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account, Widget
from apps.chats.events import ContactTagged
from apps.chats.models import Contact, ContactTag, Tag
from apps.core.bus import DomainEvent
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import (
    ApiTokenFactory,
    ContactFactory,
    ContactTagFactory,
    TagFactory,
    WidgetFactory,
    plain_text,
)
from tests.rows import snapshot


def tag(api: ApiClient, contact: Contact, *names: Any) -> Any:
    return api.post(f"/contacts/{contact.guid}/tags", json={"tags": list(names)})


def tags(api: ApiClient) -> list[str]:
    answer = api.get("/tags").json()
    assert answer["next_cursor"] is None
    return list(answer["data"])


def test_tags_are_attached_and_shown_sorted(api: ApiClient, ivan: Contact) -> None:
    answer = tag(api, ivan, "б", "vip")
    assert answer.status_code == 200
    assert answer.json()["data"] == api.get(f"/contacts/{ivan.guid}").json()["data"]
    assert tag(api, ivan, "a").json()["data"]["tags"] == ["a", "vip", "б"]


def test_posting_a_tag_again_is_a_no_op(api: ApiClient, ivan: Contact, happened: list[DomainEvent]) -> None:
    first = tag(api, ivan, "vip").json()
    rows = list(ContactTag.objects.values())
    assert tag(api, ivan, "vip").json() == first
    assert tag(api, ivan, "vip", "vip").json() == first
    assert list(ContactTag.objects.values()) == rows
    assert Contact.objects.get(pk=ivan.pk).updated_at.isoformat().replace("+00:00", "Z") == first["data"]["updated_at"]
    assert happened == [ContactTagged(widget_id=ivan.widget_id, contact_id=ivan.pk, names=("vip",))]


def test_a_new_tag_beside_an_old_one_is_attached(api: ApiClient, ivan: Contact) -> None:
    before = tag(api, ivan, "vip").json()["data"]
    after = tag(api, ivan, "vip", "new", "new").json()["data"]
    assert after["tags"] == ["new", "vip"]
    assert after["updated_at"] > before["updated_at"]


def test_names_are_kept_as_they_are_sent(api: ApiClient, ivan: Contact) -> None:
    names = ["VIP", "vip", "постоянный клиент", "100%", "a,b", "#1 <b>"]
    assert sorted(tag(api, ivan, *names).json()["data"]["tags"]) == sorted(names)


def test_the_list_is_of_the_whole_account_and_of_no_other(
    api: ApiClient, shop: Widget, ivan: Contact, account: Account, rival: Rival
) -> None:
    assert tags(api) == []
    second = ContactFactory.create(widget=WidgetFactory.create(account=account))
    for contact in (ivan, second):
        ContactTagFactory.create(contact=contact, tag__name="vip")
    ContactTagFactory.create(contact=second, tag__name="Blog")
    ContactTagFactory.create(contact=rival.contact, tag__name="theirs")
    TagFactory.create(account=account, name="of nobody")
    assert tags(api) == ["Blog", "vip"]


def test_a_tag_that_nobody_has_any_more_is_not_in_use(api: ApiClient, ivan: Contact) -> None:
    tag(api, ivan, "vip")
    ContactTag.objects.all().delete()
    assert tags(api) == []
    assert tag(api, ivan, "vip").json()["data"]["tags"] == ["vip"]
    assert Tag.objects.count() == 1


def test_the_list_takes_no_parameter(api: ApiClient) -> None:
    assert_problem(api.get("/tags", query={"limit": "1"}), 422, "invalid_input", errors=["limit"])


@pytest.mark.parametrize("names", [["x"], ["x" * 64], [f"t{n}" for n in range(50)], ["ж" * 64]])
def test_up_to_the_limits(api: ApiClient, ivan: Contact, names: list[str]) -> None:
    assert tag(api, ivan, *names).json()["data"]["tags"] == sorted(names)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "tags"),
        ({"tags": []}, "tags"),
        ({"tags": "vip"}, "tags"),
        ({"tags": None}, "tags"),
        ({"tags": [f"t{n}" for n in range(51)]}, "tags"),
        ({"tags": ["ok", ""]}, "tags.1"),
        ({"tags": ["  "]}, "tags.0"),
        ({"tags": [" vip"]}, "tags.0"),
        ({"tags": ["vip "]}, "tags.0"),
        ({"tags": ["a\nb"]}, "tags.0"),
        ({"tags": ["x" * 65]}, "tags.0"),
        ({"tags": [1]}, "tags.0"),
        ({"tags": [None]}, "tags.0"),
        ({"tags": [["vip"]]}, "tags.0"),
        ({"tags": ["vip"], "name": "Anna"}, "name"),
    ],
)
def test_beyond_them_nothing_is_attached(api: ApiClient, ivan: Contact, body: Any, path: str) -> None:
    before = snapshot()
    problem = assert_problem(api.post(f"/contacts/{ivan.guid}/tags", json=body), 422, "invalid_input")
    assert list(problem["errors"]) == [path]
    assert snapshot() == before


def test_a_contact_has_at_most_100_tags(api: ApiClient, ivan: Contact) -> None:
    for half in (0, 50):
        assert tag(api, ivan, *(f"t{n}" for n in range(half, half + 50))).status_code == 200
    before = snapshot()
    assert_problem(tag(api, ivan, "one more"), 422, "invalid_input", errors=["tags"])
    assert snapshot() == before
    assert tag(api, ivan, "t0", "t99").status_code == 200


def test_an_account_has_at_most_so_many_tags(
    api: ApiClient, ivan: Contact, rival: Rival, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.chats.rules.contacts.MAX_TAGS_OF_ACCOUNT", 3)
    for n in range(5):
        ContactTagFactory.create(contact=rival.contact, tag__name=f"theirs {n}")
    assert tag(api, ivan, "a", "b", "c").status_code == 200
    before = snapshot()
    assert_problem(tag(api, ivan, "c", "d"), 422, "invalid_input", errors=["tags"])
    assert snapshot() == before
    assert tag(api, ContactFactory.create(widget=ivan.widget), "c", "a").status_code == 200


def test_a_contact_of_another_widget_gets_no_tag(api: ApiClient, shop: Widget, rival: Rival) -> None:
    before = snapshot()
    assert_problem(tag(api, rival.contact, "vip"), 404, "not_found")
    assert_problem(tag(api, rival.contact, ""), 404, "not_found")
    assert snapshot() == before


@pytest.mark.django_db(transaction=True)
def test_the_same_new_tags_on_many_contacts_at_once_are_made_once() -> None:
    widget = WidgetFactory.create()
    token = plain_text(ApiTokenFactory.create(widget=widget))
    contacts = ContactFactory.create_batch(5, widget=widget) * 2
    barrier = Barrier(len(contacts))

    def call(number: int) -> int:
        names = ["a", "b", "c"] if number % 2 else ["c", "b", "a", f"own {number}"]
        barrier.wait(timeout=30)
        try:
            return int(tag(ApiClient(token), contacts[number], *names).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(contacts)) as callers:
        assert set(callers.map(call, range(len(contacts)))) == {200}
    assert tags(ApiClient(token)) == ["a", "b", "c", *sorted(f"own {n}" for n in range(0, 10, 2))]
    assert ContactTag.objects.count() == 5 * 3 + 5


def test_the_list_is_one_statement(api: ApiClient, ivan: Contact) -> None:
    tag(api, ivan, *(f"t{n}" for n in range(50)))
    with CaptureQueriesContext(connection) as captured:
        assert len(tags(api)) == 50
    assert len(captured) == 1
