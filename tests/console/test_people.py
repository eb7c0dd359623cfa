"""Contacts for operators: the list, notes, and two contacts that are one person."""

import io
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.accounts.models import User, Widget
from apps.agents.models import Agent
from apps.chats.actions.erasure import copy_of_contact, erase_contact
from apps.chats.models import Contact, ContactJoin, ContactNote
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.factories import ChatFactory, ContactFactory, ContactTagFactory, MessageFactory

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 9, tzinfo=UTC)


def guids(console: Console, **query: Any) -> list[str]:
    return [row["id"] for row in console.get("/contacts", query=query).json()["data"]]


@pytest.fixture
def two(shop: Widget) -> tuple[Contact, Contact]:
    """Anna at the website and in Telegram."""
    first = ContactFactory.create(widget=shop, name="Анна", email="", phone="+7 901 111-22-33", attributes={"a": 1})
    second = ContactFactory.create(
        widget=shop, name="anna_k", email="anna@mail.test", phone="", attributes={"a": 2, "b": "x"}
    )
    ContactTagFactory.create(contact=second, tag__name="vip", tag__account=shop.account)
    return first, second


def join(console: Console, first: Contact, second: Contact) -> Any:
    return console.request("POST", f"/contacts/{first.guid}/join", json={"contact": second.guid})


class TestList:
    def test_the_latest_activity_is_first_and_pages_go_on(self, alices_console: Console, shop: Widget) -> None:
        made = []
        for number in range(5):
            contact = ContactFactory.create(widget=shop)
            at = NOON + timedelta(hours=number)
            ChatFactory.create(contact=contact, last_message_at=at, status="expired" if number % 2 else "active")
            made.append(contact.guid)
        wanted = made[::-1]
        page = alices_console.get("/contacts", query={"limit": 3}).json()
        assert [row["id"] for row in page["data"]] == wanted[:3]
        rest = alices_console.get("/contacts", query={"limit": 3, "cursor": page["next_cursor"]}).json()
        assert ([row["id"] for row in rest["data"]], rest["next_cursor"]) == (wanted[3:], None)
        assert guids(alices_console, open="1") == wanted[::2]
        assert (page["data"][0]["open_chats"], page["data"][1]["open_chats"]) == (1, 0)
        assert page["data"][0]["last_seen_at"].startswith("2026-11-21T13:00:00")

    def test_filters_are_combined(self, alices_console: Console, two: tuple[Contact, Contact]) -> None:
        first, second = two
        assert guids(alices_console, q="анна") == [first.guid]
        assert guids(alices_console, tag="vip") == [second.guid]
        assert guids(alices_console, attribute="a:1") == [first.guid]
        assert guids(alices_console, attribute="b:x", q="anna@") == [second.guid]
        assert guids(alices_console, attribute="b:x", q="анна") == []

    def test_a_contact_of_whom_nothing_is_known_and_who_never_wrote_is_not_listed(
        self, alices_console: Console, shop: Widget
    ) -> None:
        ContactFactory.create(widget=shop, name="", email="", phone="")
        assert guids(alices_console) == []

    @pytest.mark.parametrize(
        ("query", "field"), [({"attribute": "x"}, "attribute"), ({"open": "yes"}, "open"), ({"q": "a\nb"}, "q")]
    )
    def test_bad_filters_are_refused(self, alices_console: Console, query: dict[str, str], field: str) -> None:
        assert_problem(alices_console.get("/contacts", query=query), 422, "invalid_input", errors=[field])

    def test_another_widgets_contacts_are_not_there(self, alices_console: Console, rival: Rival) -> None:
        assert rival.contact.guid not in guids(alices_console)
        assert_problem(alices_console.get(f"/contacts/{rival.contact.guid}"), 404, "not_found")


class TestNotes:
    def test_a_note_is_for_operators_alone(
        self, alices_console: Console, api: ApiClient, ivan: Contact, alice: Agent
    ) -> None:
        note = alices_console.data("POST", f"/contacts/{ivan.guid}/notes", 201, json={"text": "Звонить после шести"})
        assert (note["text"], note["agent_id"]) == ("Звонить после шести", alice.pk)
        assert alices_console.data("GET", f"/contacts/{ivan.guid}")["notes"] == [note]
        assert "Звонить" not in api.get(f"/contacts/{ivan.guid}").content.decode()
        copy = zipfile.ZipFile(io.BytesIO(b"".join(copy_of_contact(widget_id=ivan.widget_id, guid=ivan.guid))))
        assert not any("Звонить" in copy.read(name).decode() for name in copy.namelist())

    @pytest.mark.parametrize("text", ["", "x" * 4_001])
    def test_a_note_has_1_to_4000_characters(self, alices_console: Console, ivan: Contact, text: str) -> None:
        answer = alices_console.request("POST", f"/contacts/{ivan.guid}/notes", json={"text": text})
        assert_problem(answer, 422, "invalid_input", errors=["text"])
        assert not ContactNote.objects.exists()

    def test_ones_own_is_deleted_and_a_manager_deletes_any(
        self, alices_console: Console, boriss_console: Console, ivan: Contact, alice: Agent
    ) -> None:
        path = f"/contacts/{ivan.guid}/notes"
        note = alices_console.data("POST", path, 201, json={"text": "x"})
        User.objects.filter(agents__name="Борис").update(role=User.Role.VIEWER)
        assert_problem(boriss_console.request("DELETE", f"{path}/{note['id']}"), 404, "not_found")
        assert alices_console.request("DELETE", f"{path}/{note['id']}").status_code == 204
        assert not ContactNote.objects.exists()


class TestJoins:
    def test_joined_contacts_are_one_row_and_one_card(
        self, alices_console: Console, api: ApiClient, two: tuple[Contact, Contact]
    ) -> None:
        first, second = two
        chats = [ChatFactory.create(contact=contact) for contact in two]
        row = join(alices_console, first, second).json()["data"]
        assert (row["name"], row["email"], row["phone"]) == ("Анна", "anna@mail.test", "+7 901 111-22-33")
        assert (row["attributes"], row["tags"], row["joined"]) == ({"a": 1, "b": "x"}, ["vip"], [second.guid])
        assert row["open_chats"] == 2
        assert guids(alices_console) == [first.guid]
        assert guids(alices_console, q="anna_k") == [first.guid]
        assert guids(alices_console, tag="vip") == [first.guid]
        card = alices_console.data("GET", f"/chats/{chats[1].pk}")["card"]
        assert (card["contact"]["id"], card["contact"]["email"]) == (first.guid, "anna@mail.test")
        assert [chat["id"] for chat in card["other_chats"]] == [chats[0].pk]
        whole = alices_console.data("GET", f"/contacts/{first.guid}")
        assert [each["id"] for each in whole["joined"]] == [second.guid]
        assert {chat["id"] for chat in whole["chats"]} == {chat.pk for chat in chats}

    def test_the_api_names_the_join_and_keeps_each_as_it_is(
        self, alices_console: Console, api: ApiClient, two: tuple[Contact, Contact]
    ) -> None:
        first, second = two
        join(alices_console, first, second)
        shown = api.get(f"/contacts/{first.guid}").json()["data"]
        assert (shown["merged"], shown["merged_into"], shown["email"]) == ([second.guid], None, None)
        other = api.get(f"/contacts/{second.guid}").json()["data"]
        assert (other["merged"], other["merged_into"]) == ([], first.guid)
        (listed,) = api.get("/contacts", query={"query": "ann"}).json()["data"]
        assert (listed["id"], listed["merged_into"]) == (second.guid, first.guid)

    def test_an_undone_join_leaves_all_as_it_was(self, alices_console: Console, two: tuple[Contact, Contact]) -> None:
        first, second = two
        before = guids(alices_console)
        join(alices_console, first, second)
        path = f"/contacts/{first.guid}/join/{second.guid}"
        assert alices_console.request("DELETE", path).status_code == 204
        assert guids(alices_console) == before
        assert alices_console.data("GET", f"/contacts/{first.guid}")["contact"]["email"] is None
        assert_problem(alices_console.request("DELETE", path), 404, "not_found")

    def test_what_is_refused_changes_nothing(
        self, alices_console: Console, two: tuple[Contact, Contact], rival: Rival, ivan: Contact
    ) -> None:
        first, second = two
        assert_problem(join(alices_console, first, first), 422, "invalid_input", errors=["contact"])
        assert_problem(join(alices_console, first, rival.contact), 404, "not_found")
        assert_problem(join(alices_console, rival.contact, first), 404, "not_found")
        assert not ContactJoin.objects.exists()
        join(alices_console, first, second)
        for pair in ((first, second), (second, ivan), (ivan, second), (ivan, first)):
            assert_problem(join(alices_console, *pair), 409, "already_joined")
        assert ContactJoin.objects.count() == 1

    def test_a_copy_and_an_erasure_take_the_joined_along(
        self, alices_console: Console, two: tuple[Contact, Contact]
    ) -> None:
        first, second = two
        MessageFactory.create(chat=ChatFactory.create(contact=second), body="Где мой заказ?")
        join(alices_console, first, second)
        copy = zipfile.ZipFile(io.BytesIO(b"".join(copy_of_contact(widget_id=first.widget_id, guid=first.guid))))
        assert "Где мой заказ?" in copy.read(f"joined/{second.guid}/messages.jsonl").decode()
        erase_contact(widget_id=first.widget_id, guid=first.guid)
        assert not Contact.objects.filter(pk__in=[first.pk, second.pk]).exists()
        assert not ContactJoin.objects.exists()

    def test_an_erasure_of_the_joined_leaves_the_first(
        self, alices_console: Console, two: tuple[Contact, Contact]
    ) -> None:
        first, second = two
        join(alices_console, first, second)
        erase_contact(widget_id=first.widget_id, guid=second.guid)
        assert Contact.objects.get(pk=first.pk).name == "Анна"
        assert guids(alices_console) == [first.guid]
