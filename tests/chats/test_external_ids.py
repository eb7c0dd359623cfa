"""The identity that a website has proved, over the API: `external_id`, and the search by it."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.widget.models import VerifiedVisitor
from tests.client import ApiClient, assert_problem
from tests.factories import ContactFactory


@pytest.fixture
def olga(shop: Widget) -> Contact:
    contact = ContactFactory.create(widget=shop)
    VerifiedVisitor.objects.create(widget=shop, user_id="user-7", contact=contact)
    return contact


def test_a_contact_shows_the_proved_user_in_every_read(api: ApiClient, olga: Contact, shop: Widget) -> None:
    stranger = ContactFactory.create(widget=shop)
    assert api.get(f"/contacts/{olga.guid}").json()["data"]["external_id"] == "user-7"
    assert api.get(f"/contacts/{stranger.guid}").json()["data"]["external_id"] is None
    shown = {contact["id"]: contact["external_id"] for contact in api.get("/contacts").json()["data"]}
    assert shown == {olga.guid: "user-7", stranger.guid: None}
    Contact.objects.filter(pk=olga.pk).update(name="Ольга")
    assert [each["external_id"] for each in api.get("/contacts", query={"query": "ольга"}).json()["data"]] == ["user-7"]


def test_a_contact_is_found_by_the_proved_user_alone(api: ApiClient, olga: Contact, rival: Any) -> None:
    """What a page says of a visitor without a proof finds nobody; nor does another widget's user."""
    VerifiedVisitor.objects.create(widget=rival.widget, user_id="user-8", contact=rival.contact)
    Contact.objects.filter(pk=olga.pk).update(attributes={"external_id": "user-9", "user_id": "user-9"})
    found = {id_: api.get("/contacts", query={"external_id": id_}).json() for id_ in ("user-7", "user-8", "user-9")}
    assert [contact["id"] for contact in found["user-7"]["data"]] == [olga.guid]
    assert found["user-8"] == found["user-9"] == {"data": [], "next_cursor": None}


@pytest.mark.parametrize("value", ["", "a" * 129, "a\0b", "a\nb"])
def test_an_impossible_user_is_refused(api: ApiClient, value: str) -> None:
    answer = api.get("/contacts", query={"external_id": value})
    assert_problem(answer, 422, "invalid_input", errors=["external_id"])


def test_a_search_is_by_one_of_the_two(api: ApiClient) -> None:
    answer = api.get("/contacts", query={"external_id": "user-7", "query": "ольга"})
    assert_problem(answer, 422, "invalid_input", errors=["external_id"])


def test_nobody_writes_it_by_a_change(api: ApiClient, olga: Contact) -> None:
    answer = api.patch(f"/contacts/{olga.guid}", json={"external_id": "user-1"})
    assert_problem(answer, 422, "invalid_input", errors=["external_id"])
