"""`q` of the chat list at any size: whichever way a search finds its page, it is the page (rules: test_list_chats)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat
from apps.chats.querysets import search
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import ApiTokenFactory, ChatFactory, MessageFactory, WidgetFactory, plain_text

NOON = datetime(2026, 11, 21, 9, tzinfo=UTC)
in_every_example = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture
def short_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a few chats as hard to search as very many."""
    monkeypatch.setattr(search, "FIRST_WALK", 3)
    monkeypatch.setattr(search, "LONGEST_WALK", 9)


def pages(api: ApiClient, **query: Any) -> Iterator[list[int]]:
    cursor = None
    while True:
        answer = api.get("/chats", query={**query, **({"cursor": cursor} if cursor else {})}).json()
        yield [chat["id"] for chat in answer["data"]]
        cursor = answer["next_cursor"]
        if cursor is None:
            return


bodies = st.lists(st.sampled_from(["роза", "Роза и тюльпан", "ТЮЛЬПАН", "100%", "a_b", "a b"]), max_size=3)


@pytest.mark.django_db
@in_every_example
@given(
    talks=st.lists(
        st.tuples(bodies, st.sampled_from(["active", "spam"]), st.integers(0, 3), st.booleans()), max_size=25
    ),
    needle=st.sampled_from(["роза", "тюл", "0%", "a_", "a b", "нет", "ан"]),
    limit=st.integers(1, 6),
    status=st.sampled_from([None, None, "spam"]),
)
def test_every_way_gives_the_chats_in_which_it_was_said(
    short_walks: None, talks: Any, needle: str, limit: int, status: str | None
) -> None:
    widget, other = WidgetFactory.create(), WidgetFactory.create()
    made: list[tuple[datetime, int]] = []
    for texts, of_status, hours, is_note in talks:
        for owner in (widget, other):
            at = NOON - timedelta(hours=hours)
            chat = ChatFactory.create(contact__widget=owner, status=of_status, created_at=at)
            for number, text in enumerate(texts):
                MessageFactory.create(chat=chat, body=text, is_internal=is_note and number == 0)
        said = texts[1:] if is_note else texts
        if owner_matches(said, needle) and status in (None, of_status):
            made.append((at, Chat.objects.filter(widget=widget).latest("id").pk))
    newest_first = [pk for _, pk in sorted(made, reverse=True)]
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=widget)))
    query = {"q": needle, "limit": limit, **({"status": status} if status else {})}
    found = list(pages(api, **query))
    assert [pk for page in found for pk in page] == newest_first
    assert all(len(page) == limit for page in found[:-1])


def owner_matches(texts: list[str], needle: str) -> bool:
    return any(needle in text.lower() for text in texts)


class TestWays:
    """How many statements a page takes, by where what is searched for was said."""

    def statements(self, api: ApiClient, expected: list[int], **query: Any) -> int:
        api.get("/chats", query={"limit": 1})
        with CaptureQueriesContext(connection) as captured:
            answer = api.get("/chats", query={"q": "роза", "limit": 2, **query})
        assert [chat["id"] for chat in answer.json()["data"]] == expected
        return len(captured)

    def chats(self, widget: Widget, count: int, *, said_in: set[int]) -> list[int]:
        """The newest first."""
        made = []
        for number in range(count):
            chat = ChatFactory.create(contact__widget=widget, created_at=NOON - timedelta(minutes=number))
            MessageFactory.create(chat=chat, body="Роза" if number in said_in else "тюльпан")
            made.append(chat.pk)
        return made

    def test_in_the_newest_chats(self, api: ApiClient, shop: Widget, short_walks: None) -> None:
        made = self.chats(shop, 12, said_in={0, 1, 2})
        assert self.statements(api, made[:2]) == 1

    def test_in_all_there_are(self, api: ApiClient, shop: Widget, short_walks: None) -> None:
        made = self.chats(shop, 2, said_in={1})
        assert self.statements(api, [made[1]]) == 1

    def test_in_the_next_newest(self, api: ApiClient, shop: Widget, short_walks: None) -> None:
        made = self.chats(shop, 12, said_in={0, 4, 5})
        assert self.statements(api, [made[0], made[4]]) == 2

    def test_in_old_ones_alone(self, api: ApiClient, shop: Widget, short_walks: None) -> None:
        made = self.chats(shop, 12, said_in={11})
        assert self.statements(api, [made[11]]) == 2

    def test_in_new_and_old_ones(self, api: ApiClient, shop: Widget, short_walks: None) -> None:
        made = self.chats(shop, 20, said_in={0, 18, 19})
        assert self.statements(api, [made[0], made[18]]) == 3

    def test_nowhere(self, api: ApiClient, shop: Widget, short_walks: None) -> None:
        self.chats(shop, 12, said_in=set())
        assert self.statements(api, []) == 2

    def test_with_no_chat_at_all(self, api: ApiClient, shop: Widget) -> None:
        assert self.statements(api, []) == 1


class TestFind:
    """Through the index, whatever the needle."""

    def found(self, api: ApiClient, q: str) -> set[int]:
        answer = api.get("/chats", query={"q": q})
        assert answer.status_code == 200, answer.content
        return {chat["id"] for chat in answer.json()["data"]}

    @pytest.fixture(autouse=True)
    def no_walks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(search, "FIRST_WALK", 1)
        monkeypatch.setattr(search, "LONGEST_WALK", 0)

    @pytest.mark.parametrize(
        "needle",
        [
            "ab",
            "\n\n",
            "a\nb",
            "\t ",
            "🌹🎄",
            "👩‍👩‍👧",
            "ЁЛ",
            "%%",
            "__",
            "\\\\",
            "''",
            "aaaa",
            "я" * 100,
            "ΟΔΟΣ",
            "日本",
            "  ",
        ],
    )
    def test_any_two_characters_or_more(self, api: ApiClient, shop: Widget, needle: str) -> None:
        wanted = ChatFactory.create(contact__widget=shop, created_at=NOON - timedelta(days=1))
        MessageFactory.create(chat=wanted, body=f"xx{needle.lower()}yy")
        for text in ("another", needle[::2] + "-" + needle[1::2]):
            other = ChatFactory.create(contact__widget=shop)
            MessageFactory.create(chat=other, body=text.upper())
        assert wanted.pk in self.found(api, needle)
        assert self.found(api, f"#{needle[:-1]}") == set()

    def test_a_posted_message_is_found_at_once(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        chat, _ = ChatFactory.create_batch(2, contact__widget=shop)
        content = {"type": "text", "body": "Адрес доставки прежний"}
        actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content=content)
        assert self.found(api, "ДОСТАВКИ ПРЕЖНИЙ") == {chat.pk}

    def test_the_longest_body_is_searched_to_its_end(self, api: ApiClient, shop: Widget) -> None:
        chat, _ = ChatFactory.create_batch(2, contact__widget=shop)
        MessageFactory.create(chat=chat, body="я" * 65_532 + "Финал"[:4])
        assert self.found(api, "финал"[:4]) == {chat.pk}

    def test_notes_and_others_messages_are_not_in_it(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        for chat in ChatFactory.create_batch(2, contact__widget=shop):
            MessageFactory.create(chat=chat, body="a secret", is_internal=True)
        MessageFactory.create(chat=rival.chat, body="a secret")
        assert self.found(api, "secret") == set()
