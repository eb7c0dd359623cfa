"""A chat in the cabinet: what was said, the files in it, and what its visitor thinks of it."""

import re
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import rate_chat
from apps.chats.cabinet.conversations import MESSAGES_SHOWN
from apps.chats.models import Chat, Contact
from apps.chats.rules.aliases import alias_of
from apps.chats.serializers.files import FileReferenceSerializer, file_address
from tests.cast import Rival
from tests.factories import ChatFactory, ContactFactory, FileFactory, MessageFactory, WidgetFactory

LIST = reverse("admin:chats_chat_changelist")
CONTACTS = reverse("admin:chats_contact_changelist")


def page_of(cabinet: Client, chat: Chat) -> str:
    response = cabinet.get(reverse("admin:chats_chat_change", args=[chat.pk]))
    assert response.status_code == 200
    return response.content.decode()


def rated(chat: Chat, value: int, comment: str = "") -> Chat:
    MessageFactory.create(chat=chat)
    rate_chat(widget_id=chat.widget_id, chat_id=chat.pk, value=value, comment=comment)
    return chat


def test_staff_see_the_rating_who_it_is_of_and_why(cabinet: Client, chat: Chat, alice: Agent) -> None:
    Chat.objects.filter(pk=chat.pk).update(handled_agent=alice)
    rated(chat, 2, "Долго <b>ждал</b>")
    Chat.objects.filter(pk=chat.pk).update(handled_agent=None)
    page = page_of(cabinet, chat)
    assert "2 of 5" in page
    assert "Долго &lt;b&gt;ждал&lt;/b&gt;" in page
    assert str(alice) in page
    assert "2 of 5" in cabinet.get(LIST).content.decode()


def test_a_chat_that_nobody_rated_is_shown_without(cabinet: Client, chat: Chat) -> None:
    assert " of 5" not in page_of(cabinet, chat)
    assert " of 5" not in cabinet.get(LIST).content.decode()


def test_files_are_links_that_open(cabinet: Client, chat: Chat) -> None:
    file = FileFactory.create(widget=chat.widget, name="<b>план</b>.txt", content=b"plan")
    MessageFactory.create(chat=chat, type="file", body="", details={"file": FileReferenceSerializer.show(file)})
    page = page_of(cabinet, chat)
    assert f'href="{file_address(chat.widget_id, file.pk)}"' in page
    assert "&lt;b&gt;план&lt;/b&gt;.txt</a>" in page
    assert b"".join(Client().get(urlsplit(file_address(chat.widget_id, file.pk)).path)) == b"plan"


def test_the_list_asks_no_more_for_more_ratings(
    cabinet: Client, chat: Chat, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rated(chat, 5)
    with django_assert_num_queries(7) as asked:
        cabinet.get(LIST)
    for _ in range(5):
        rated(ChatFactory.create(widget=chat.widget, contact=ContactFactory.create(widget=chat.widget)), 4)
    with django_assert_num_queries(len(asked)):
        cabinet.get(LIST)


def rows_of(cabinet: Client, listing: str, **query: str) -> list[int]:
    """The ids of the rows of a list, as it shows them."""
    answer = cabinet.get(listing, query)
    assert answer.status_code == 200
    return [row.pk for row in answer.context["cl"].result_list]


def test_the_list_names_chats_by_people_and_what_was_said_last(
    cabinet: Client, chat: Chat, shop: Widget, alice: Agent
) -> None:
    Chat.objects.filter(pk=chat.pk).update(agent=alice)
    MessageFactory.create(chat=chat, body="Сколько стоит?")
    nobody = ChatFactory.create(contact=ContactFactory.create(widget=shop, name="", email="", phone=""))
    MessageFactory.create(chat=nobody, type="location", body="", details={"coords": {"lat": 1, "lng": 2}})
    page = cabinet.get(LIST).content.decode()
    for text in ("Иван Петров", "Сколько стоит?", "Alice Weber", "Location", alias_of(nobody.contact.guid, "en")):
        assert text in page
    assert nobody.contact.guid not in page


@pytest.mark.parametrize("term", ["ПЕТРОВ", "ivan@mail", "9011234567", "misty jade", "#{id}", "{id}", "{guid}"])
def test_a_chat_is_found_by_who_its_contact_is_and_what_was_said(
    cabinet: Client, chat: Chat, shop: Widget, rival: Rival, term: str
) -> None:
    MessageFactory.create(chat=chat, body="Do you have Misty Jade?")
    MessageFactory.create(chat=rival.chat, body="Do you have Misty Jade?")
    other = ChatFactory.create(contact=ContactFactory.create(widget=shop, name="Peter", email="p@x.test"))
    MessageFactory.create(chat=other, body="Hello")
    assert rows_of(cabinet, LIST, q=term.format(id=chat.pk, guid=chat.contact.guid)) == [chat.pk]


@pytest.mark.parametrize("term", ["x", "no such words", "9" * 40, "%", "#", "т" * 300, "{rival}"])
def test_a_search_that_finds_nothing_shows_nothing(cabinet: Client, chat: Chat, rival: Rival, term: str) -> None:
    MessageFactory.create(chat=chat, body="Здравствуйте")
    assert rows_of(cabinet, LIST, q=term.format(rival=rival.contact.guid)) == []


def test_a_note_is_not_found_by_its_words(cabinet: Client, chat: Chat) -> None:
    MessageFactory.create(chat=chat, body="difficult customer", is_internal=True)
    assert rows_of(cabinet, LIST, q="difficult") == []


@pytest.mark.parametrize("term", ["петр", "IVAN@", "+7 901 123", "{guid}"])
def test_a_contact_is_found_by_name_address_and_phone(cabinet: Client, ivan: Contact, rival: Rival, term: str) -> None:
    ContactFactory.create(widget=ivan.widget, name="Peter", email="p@x.test")
    assert rows_of(cabinet, CONTACTS, q=term.format(guid=ivan.guid)) == [ivan.pk]


def test_a_search_stays_in_the_chosen_widget(cabinet: Client, chat: Chat, shop: Widget, rival: Rival) -> None:
    second = ContactFactory.create(widget=WidgetFactory.create(account=shop.account), name="Иван Петров")
    assert set(rows_of(cabinet, CONTACTS, q="Иван")) == {chat.contact_id, second.pk}
    assert rows_of(cabinet, CONTACTS, q="Иван", widget__id__exact=str(second.widget_id)) == [second.pk]
    assert rows_of(cabinet, CONTACTS, q="Иван", widget__id__exact=str(rival.widget.pk)) == []


@pytest.mark.parametrize("listing", ["chats", "contacts"])
def test_lists_and_searches_ask_no_more_for_more_rows(
    cabinet: Client, shop: Widget, listing: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = LIST if listing == "chats" else CONTACTS

    def add(count: int) -> None:
        for _ in range(count):
            contact = ContactFactory.create(widget=shop, name="Maria")
            MessageFactory.create(chat=ChatFactory.create(contact=contact), body="roses")

    def asked(**query: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            cabinet.get(address, query)
        return len(queries)

    add(1)
    before = asked(), asked(q="maria")
    add(6)
    assert (asked(), asked(q="maria")) == before


def test_a_chats_page_shows_the_talk_first_and_all_that_messages_hold(cabinet: Client, chat: Chat) -> None:
    image = FileFactory.create(widget=chat.widget, name="роза.png", content_type="image/png")
    MessageFactory.create(chat=chat, type="image", body="", details={"file": FileReferenceSerializer.show(image)})
    MessageFactory.create(chat=chat, type="location", body="", details={"coords": {"lat": 55.7558, "lng": -37.6}})
    sticker = {"id": "<i>cat</i>", "url": "https://stickers.test/cat.webp"}
    MessageFactory.create(chat=chat, type="sticker", body="", details={"sticker": sticker})
    button = {"label": "<b>Buy</b>", "url": "https://shop.test/?a=1&b=2", "style": "primary"}
    MessageFactory.create(chat=chat, type="keyboard", body="Choose", details={"keyboard": {"buttons": [button]}})
    page = page_of(cabinet, chat)
    assert page.index('class="conversation"') < page.index("<fieldset")
    for part in (
        f'<img src="{file_address(chat.widget_id, image.pk)}" alt="роза.png"',
        '<a href="geo:55.7558,-37.6">55.7558, -37.6</a>',
        '<a href="https://stickers.test/cat.webp" target="_blank" rel="noopener noreferrer">&lt;i&gt;cat&lt;/i&gt;</a>',
        '<a href="https://shop.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">&lt;b&gt;Buy&lt;/b&gt;</a>',
        "Choose",
    ):
        assert part in page, part


def test_numbers_of_a_place_are_the_same_in_russian(cabinet: Client, chat: Chat) -> None:
    MessageFactory.create(chat=chat, type="location", body="", details={"coords": {"lat": 55.7558, "lng": 37.6}})
    page = cabinet.get(
        reverse("admin:chats_chat_change", args=[chat.pk]), headers={"Accept-Language": "ru"}
    ).content.decode()
    assert "geo:55.7558,37.6" in page


def test_earlier_messages_are_a_page_further(cabinet: Client, chat: Chat) -> None:
    lines = [MessageFactory.create(chat=chat, body=f"line {number:03}.") for number in range(MESSAGES_SHOWN + 2)]
    page = page_of(cabinet, chat)
    assert "line 001." not in page
    assert "line 002." in page
    (before,) = re.findall(r'href="\?before=(\d+)"', page)
    assert int(before) == lines[2].pk
    earlier = cabinet.get(reverse("admin:chats_chat_change", args=[chat.pk]), {"before": before}).content.decode()
    assert [number for number in range(4) if f"line 00{number}." in earlier] == [0, 1]
    assert "?before=" not in earlier


@pytest.mark.parametrize("before", ["x", "-1", "9" * 40, "1 OR 1"])
def test_a_wrong_place_in_the_talk_breaks_nothing(cabinet: Client, chat: Chat, before: str) -> None:
    address = reverse("admin:chats_chat_change", args=[chat.pk])
    assert cabinet.get(address, {"before": before}).status_code == 200
