"""What colleagues call a visitor without a name."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Contact
from apps.chats.rules.aliases import ALIAS_LANGUAGES, alias_of, alias_words
from apps.widget.models import WidgetSettings
from tests.client import ApiClient
from tests.console.browser import operators_browser
from tests.console.test_sign_in import config_of
from tests.factories import ChatFactory, ContactFactory, MessageFactory


@pytest.mark.parametrize(
    ("guid", "language", "alias"),
    [
        ("0000" + "a" * 28, "en", "Amber Badger"),
        ("0160" + "a" * 28, "en", "Amber Fox"),
        ("0160" + "b" * 28, "ru", "Янтарный Лис"),
        ("0001" + "a" * 28, "de", "Azure Badger"),
    ],
)
def test_it_is_of_the_guid_alone_in_the_readers_language(guid: str, language: str, alias: str) -> None:
    assert alias_of(guid, language) == alias


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_word_is_there_twice(language: str) -> None:
    for words in alias_words(language):
        assert len(set(words)) == len(words) == 32


def names(cabinet: Client, contact: Contact, language: str) -> list[str]:
    """The name of a contact in the titles of its page and of its chat's, and in both lists."""
    chat = contact.chats.get()
    pages = [
        reverse("admin:chats_contact_changelist"),
        reverse("admin:chats_chat_changelist"),
        reverse("admin:chats_contact_change", args=[contact.pk]),
        reverse("admin:chats_chat_change", args=[chat.pk]),
    ]
    texts = [cabinet.get(page, headers={"Accept-Language": language}).content.decode() for page in pages]
    known = [alias_of(contact.guid, each) for each in ALIAS_LANGUAGES]
    return [name for text in texts for name in [each for each in known if each in text] or ["none"]]


@pytest.fixture
def nobody(shop: Widget) -> Contact:
    """A visitor who gave an address, and no name."""
    contact = ContactFactory.create(widget=shop, name="", email="ann@shop.example", phone="")
    MessageFactory.create(chat=ChatFactory.create(contact=contact))
    return contact


@pytest.mark.django_db
class TestInTheCabinet:
    @pytest.mark.parametrize("reader", ["en", "ru"])
    @pytest.mark.parametrize("spoken", ["en", "ru"])
    def test_a_visitor_has_the_consoles_name_whoever_reads(
        self, cabinet: Client, alice: Agent, api: ApiClient, nobody: Contact, shop: Widget, spoken: str, reader: str
    ) -> None:
        Contact.objects.for_widget(shop.pk).exclude(pk=nobody.pk).delete()
        WidgetSettings.objects.create(widget=shop, stored={"widget_default_language": spoken})
        assert words_of_the_console(alice) == [*map(list, alias_words(spoken))]
        assert names(cabinet, nobody, reader) == [alias_of(nobody.guid, spoken)] * 4

    def test_an_alias_stays_when_the_widget_speaks_another_language(
        self, cabinet: Client, alice: Agent, api: ApiClient, nobody: Contact
    ) -> None:
        for spoken in ("ru", "en", "ru"):
            changed = api.patch("/api/v1/widget/settings", json={"widget_default_language": spoken})
            assert changed.status_code == 200
            assert names(cabinet, nobody, "ru") == [alias_of(nobody.guid, "en")] * 4
            assert words_of_the_console(alice) == [*map(list, alias_words("en"))]

    def test_a_widget_without_visitors_calls_them_in_the_language_that_it_is_given(
        self, alice: Agent, api: ApiClient, shop: Widget
    ) -> None:
        Contact.objects.for_widget(shop.pk).delete()
        assert api.patch("/api/v1/widget/settings", json={"widget_default_language": "ru"}).status_code == 200
        assert words_of_the_console(alice) == [*map(list, alias_words("ru"))]


def words_of_the_console(operator: Agent) -> Any:
    return config_of(operators_browser(operator).get("/console/"))["alias_words"]
