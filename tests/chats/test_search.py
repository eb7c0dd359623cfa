"""`q` of the chat list at any size: whichever way a search finds its page, it is the page (rules: test_list_chats)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, Message
from apps.chats.querysets import search, search_page
from apps.chats.querysets.chats import COLUMNS
from apps.chats.rules.folding import folded
from apps.console.rules.limits import MAX_TEXT_LENGTH as MAX_OPERATORS_TEXT
from apps.widget.rules import MAX_TEXT_LENGTH as MAX_VISITORS_TEXT
from tests.cast import Rival
from tests.chats.searches import fill_index
from tests.client import ApiClient
from tests.factories import ChatFactory, MessageFactory, WidgetFactory

NOON = datetime(2026, 11, 21, 9, tzinfo=UTC)
BLOCK = 2**search.BLOCK_BITS
CREATED_AT = COLUMNS.split(", ").index("c.created_at")
in_every_example = settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])


# Milliseconds: enough to read or ask for all there is, for some of it (by chance), or none: one period a page.
ENOUGH, SOME, NONE = 60_000, 0.3, 0
# Bytes, of what the index gives for a period: all there is, a few messages, or one a page.
ALL, FEW, ONE = 10**12, 40, 1


def give(monkeypatch: pytest.MonkeyPatch, *, reading: float, asking: float, bytes_: int = ALL) -> None:
    """For how long a page may read the newest chats and ask the index, and how much it may read of what that gives."""
    monkeypatch.setattr(search, "READING_MS", reading)
    monkeypatch.setattr(search, "ASKING_MS", asking)
    monkeypatch.setattr(search, "READING_BYTES", bytes_)


@dataclass(frozen=True, slots=True)
class Said:
    """A message: its text, whether it is a note, and whether that was changed after it was written."""

    text: str
    is_note: bool
    was_turned: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """A chat: what was said in it, its status, its age in hours, and the block its id lies in."""

    said: list[Said]
    status: str
    age: int
    block: int


texts = st.one_of(
    st.text("аяАЯ", min_size=1, max_size=9),
    st.text("abAB %_\\\n'", min_size=1, max_size=9),
    st.text("σςΣ5🌹ё", min_size=1, max_size=9),
    st.sampled_from(["Роза и тюльпан", "ТЮЛЬПАН и роза", "100% верно", "a_b", "a b", "я" * 120, "ая" * 60]),
)
talks = st.lists(
    st.builds(
        Talk,
        said=st.lists(st.builds(Said, texts, st.booleans(), st.sampled_from([False, False, True])), max_size=4),
        status=st.sampled_from(["active", "active", "spam"]),
        age=st.integers(0, 4),
        block=st.integers(0, 3),
    ),
    max_size=14,
)
ids = count(10**9)


def told(widget: Widget, talk: Talk) -> tuple[datetime, int]:
    """The talk as rows; its place in the list."""
    at, chat_id = NOON - timedelta(hours=talk.age), talk.block * BLOCK * 1000 + next(ids)
    chat = ChatFactory.create(id=chat_id, contact__widget=widget, status=talk.status, created_at=at)
    for said in talk.said:
        message = MessageFactory.create(chat=chat, body=said.text, is_internal=said.is_note != said.was_turned)
        if said.was_turned:
            Message.objects.filter(pk=message.pk).update(is_internal=said.is_note)
    return at, chat_id


def found(widget: Widget, limit: int, **filters: Any) -> list[list[int]]:
    """The pages of a search, the last of which is not full."""
    pages: list[list[int]] = []
    after = None
    while True:
        page = search_page(widget_id=widget.pk, filters=filters, after=after, limit=limit)
        rows, resume_after = page.rows, page.resume_after
        pages.append([row[0] for row in rows[:limit]])
        if len(rows) > limit:
            resume_after = (rows[limit - 1][CREATED_AT], rows[limit - 1][0])
        if resume_after is None:
            return pages
        assert after is None or place(resume_after) < place(after)
        after = resume_after


def place(position: Sequence[Any]) -> tuple[Any, ...]:
    """The position after which a search goes on, in the order in which it goes."""
    at, chat_id, *message_id = position
    return (at, chat_id, *(message_id or [search.LAST_ID]))


@pytest.mark.django_db
@in_every_example
@given(
    data=st.data(),
    talks=talks,
    limit=st.integers(1, 5),
    status=st.sampled_from([None, None, "spam"]),
    reading=st.sampled_from([NONE, NONE, SOME, ENOUGH]),
    asking=st.sampled_from([NONE, SOME, ENOUGH]),
    bytes_=st.sampled_from([ONE, FEW, ALL]),
)
def test_a_search_finds_the_chats_in_which_it_was_said(
    data: st.DataObject,
    talks: Sequence[Talk],
    limit: int,
    status: str | None,
    reading: float,
    asking: float,
    bytes_: int,
) -> None:
    whole = [said.text for talk in talks for said in talk.said if len(said.text) > 1] or ["нет"]
    text = data.draw(st.one_of(st.sampled_from(whole), texts.filter(lambda text: len(text) > 1)), label="text")
    start = data.draw(st.integers(0, len(text) - 2), label="start")
    end = data.draw(st.integers(start + 2, min(len(text), start + 100)), label="end")
    cut = text[start:end]
    needle = data.draw(st.sampled_from([cut, cut.lower(), cut.upper()]), label="needle")
    dates = {"created_at__gte": NOON - timedelta(hours=3), "created_at__lt": NOON}
    filters = {name: dates[name] for name in data.draw(st.sets(st.sampled_from(sorted(dates))), label="dates")}
    widget, other = WidgetFactory.create_batch(2)
    expected = []
    filled_after = data.draw(st.none() | st.integers(0, len(talks)), label="filled after so many talks")
    for number, talk in enumerate(talks):
        if number == filled_after:
            fill_index()
        place = told(widget, talk)
        told(other, talk)
        if (
            any(folded(needle) in folded(said.text) for said in talk.said if not said.is_note)
            and status in (None, talk.status)
            and filters.get("created_at__gte", place[0]) <= place[0]
            and place[0] < filters.get("created_at__lt", NOON + timedelta(1))
        ):
            expected.append(place)
    if filled_after == len(talks):
        fill_index()
    with pytest.MonkeyPatch.context() as patched:
        give(patched, reading=reading, asking=asking, bytes_=bytes_)
        pages = found(widget, limit, q=needle, **filters, **({"status": status} if status else {}))
    assert [chat_id for page in pages for chat_id in page] == [pk for _, pk in sorted(expected, reverse=True)]


@pytest.fixture(params=["nothing filled", "all waits", "all filled"])
def filled(request: pytest.FixtureRequest, db: None) -> Callable[[], None]:
    """How far the index of searches is filled; to be called before a search."""
    if request.param == "all waits":
        fill_index()
    return fill_index if request.param == "all filled" else lambda: None


class TestWays:
    """What a page takes, by where what is searched for was said."""

    @pytest.fixture(autouse=True)
    def keep_filled(self, filled: Callable[[], None]) -> None:
        self.fill = filled

    def pages(self, api: ApiClient, statements: list[int], **query: Any) -> list[list[int]]:
        """The pages of a search with at most two chats, each of which takes so many statements."""
        self.fill()
        api.get("/chats", query={"limit": 1})
        query = {"q": "роза", "limit": 2, **query}
        pages, taken = [], []
        while True:
            with CaptureQueriesContext(connection) as captured:
                answer = api.get("/chats", query=query).json()
            pages.append([chat["id"] for chat in answer["data"]])
            taken.append(len(captured))
            if answer["next_cursor"] is None:
                assert taken == statements
                return pages
            query["cursor"] = answer["next_cursor"]

    def chats(
        self,
        widget: Widget,
        count: int,
        *,
        said_in: Iterable[int],
        block: int = 10,
        first: int = 0,
        other: str = "тюльпан",
        **fields: Any,
    ) -> list[int]:
        """Chats of a block from the `first` on, the newest first; those of a later block are newer."""
        made = []
        for number in range(first, first + count):
            chat = ChatFactory.create(
                id=block * BLOCK + number,
                contact__widget=widget,
                created_at=NOON + timedelta(days=block) - timedelta(minutes=number),
                **fields,
            )
            MessageFactory.create(chat=chat, body="Роза" if number in said_in else other)
            made.append(chat.pk)
        return made

    @pytest.fixture
    def unread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As if there were so many chats that what is read of them is next to nothing."""
        give(monkeypatch, reading=NONE, asking=ENOUGH)

    @pytest.fixture
    def step_by_step(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As if asking for one period took all the time there is."""
        give(monkeypatch, reading=NONE, asking=NONE)

    def test_in_the_newest_chats(self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        give(monkeypatch, reading=ENOUGH, asking=NONE)
        made = self.chats(shop, 12, said_in={0, 1, 2, 3})
        assert self.pages(api, [1, 1]) == [made[:2], made[2:4]]

    def test_in_no_chat_of_few(self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        give(monkeypatch, reading=ENOUGH, asking=NONE)
        self.chats(shop, 12, said_in=set())
        assert self.pages(api, [1]) == [[]]

    def test_in_chats_that_were_not_read_yet(self, api: ApiClient, shop: Widget, unread: None) -> None:
        made = self.chats(shop, 20, said_in={0, 18, 19})
        assert self.pages(api, [2, 2]) == [[made[0], made[18]], [made[19]]]

    def test_a_search_goes_on_through_several_blocks(self, api: ApiClient, shop: Widget, unread: None) -> None:
        self.chats(shop, 6, said_in=set(), block=5)
        made = self.chats(shop, 6, said_in={2, 4}, block=4)
        last = self.chats(shop, 6, said_in={0, 1}, block=3)
        assert self.pages(api, [2, 2]) == [[made[2], made[4]], last[:2]]

    def test_in_old_blocks_alone(self, api: ApiClient, shop: Widget, unread: None) -> None:
        for block in range(5, 15):
            self.chats(shop, 4, said_in=set(), block=block)
        made = self.chats(shop, 6, said_in={4}, block=4)
        assert self.pages(api, [2]) == [[made[4]]]

    def test_late_in_a_long_talk(self, api: ApiClient, shop: Widget, unread: None) -> None:
        made = self.chats(shop, 6, said_in={1, 4})
        for body in ("тюльпан", "лилия", "розарий"):
            MessageFactory.create(chat=Chat.objects.get(pk=made[3]), body=body)
        assert self.pages(api, [2, 2]) == [[made[1], made[3]], [made[4]]]

    def test_a_search_for_words_that_no_chat_has_is_empty(self, api: ApiClient, shop: Widget, unread: None) -> None:
        self.chats(shop, 12, said_in=set())
        assert self.pages(api, [2]) == [[]]

    def test_with_no_chat_at_all(self, api: ApiClient, shop: Widget, unread: None) -> None:
        assert self.pages(api, [1]) == [[]]

    def test_in_chats_that_began_at_once(self, api: ApiClient, shop: Widget, step_by_step: None) -> None:
        made = []
        for number in range(12):
            chat = ChatFactory.create(id=4 * BLOCK + 100 - number, contact__widget=shop, created_at=NOON)
            MessageFactory.create(chat=chat, body="роза" if number > 8 else "тюльпан")
            made.append(chat.pk)
        assert self.pages(api, [2, 2]) == [made[9:11], made[11:]]

    def test_in_blocks_that_lie_across_each_other(self, api: ApiClient, shop: Widget, unread: None) -> None:
        """Ids need not be in the order of time: chats can have been brought from elsewhere."""
        made = []
        for number in range(18):
            at, chat_id = NOON - timedelta(minutes=number), number % 4 * BLOCK + number
            chat = ChatFactory.create(id=10**9 + chat_id, contact__widget=shop, created_at=at)
            MessageFactory.create(chat=chat, body="роза" if number % 3 == 2 else "тюльпан")
            made.append(chat.pk)
        wanted = made[2::3]
        assert self.pages(api, [2, 2, 2]) == [wanted[:2], wanted[2:4], wanted[4:]]

    def test_in_blocks_that_began_at_once(self, api: ApiClient, shop: Widget, step_by_step: None) -> None:
        made = []
        for number in range(24):
            chat = ChatFactory.create(
                id=10**9 + number % 6 * BLOCK + number, contact__widget=shop, created_at=NOON, status="spam"
            )
            MessageFactory.create(chat=chat, body="Роза" if number % 6 == 0 else "розы и мимоза")
            made.append(chat.pk)
        wanted = sorted(made[::6], reverse=True)
        assert self.pages(api, [2, 2]) == [wanted[:2], wanted[2:]]

    def test_a_page_ends_early_where_its_time_is_up(self, api: ApiClient, shop: Widget, step_by_step: None) -> None:
        """All say it in chats that the filter leaves out, and one in a chat that it leaves."""
        for block in range(4, 7):
            self.chats(shop, 5, said_in=range(5), block=block)
            self.chats(shop, 5, said_in=set(), block=block, first=5, status="spam")
        (wanted,) = self.chats(shop, 1, said_in={0}, block=3, status="spam")
        assert self.pages(api, [2, 2, 2, 2], status="spam") == [[], [], [], [wanted]]

    def test_a_page_ends_early_where_it_has_read_enough(
        self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Five messages hold the parts of the term, not the term: a page reads two of what the index gives."""
        give(monkeypatch, reading=NONE, asking=ENOUGH, bytes_=100)
        parts, whole = "розы розою " + "-" * 70, "розы розою розы"
        (chat,) = self.chats(shop, 1, said_in=set(), other=parts)
        MessageFactory.create_batch(4, chat=Chat.objects.get(pk=chat), body=parts)
        (found,) = self.chats(shop, 1, said_in=set(), first=1, other=whole)
        assert self.pages(api, [2, 2, 2], q="розою розы") == [[], [], [found]]

    def test_a_page_that_has_read_enough_goes_on_within_a_chat(
        self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give(monkeypatch, reading=NONE, asking=ENOUGH, bytes_=ONE)
        (chat,) = self.chats(shop, 1, said_in=set(), other="розою, розы розою розы")
        MessageFactory.create_batch(4, chat=Chat.objects.get(pk=chat), body="розы розою и")
        assert self.pages(api, [2, 2, 2, 2, 2], q="розою розы") == [[], [], [], [], [chat]]

    def test_a_cursor_of_a_search_is_one_of_the_list(
        self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give(monkeypatch, reading=NONE, asking=ENOUGH, bytes_=ONE)
        made = self.chats(shop, 3, said_in=set(), other="розы розою и")
        cursor = api.get("/chats", query={"q": "розою розы"}).json()["next_cursor"]
        listed = api.get("/chats", query={"cursor": cursor}).json()["data"]
        assert [chat["id"] for chat in listed] == made[1:]


class TestFind:
    """Through the index, or beside it while it is not filled, whatever the needle."""

    @pytest.fixture(autouse=True)
    def keep_filled(self, filled: Callable[[], None]) -> None:
        self.fill = filled

    def found(self, api: ApiClient, q: str) -> set[int]:
        self.fill()
        answer = api.get("/chats", query={"q": q})
        assert answer.status_code == 200, answer.content
        return {chat["id"] for chat in answer.json()["data"]}

    @pytest.fixture(autouse=True)
    def unread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        give(monkeypatch, reading=NONE, asking=ENOUGH)

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

    @pytest.mark.parametrize("reading", [NONE, ENOUGH], ids=["asked for", "read"])
    def test_a_text_is_searched_by_its_first_10_000_characters(
        self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch, reading: float
    ) -> None:
        """All that a person can write; a program's text can have 65,536."""
        give(monkeypatch, reading=reading, asking=ENOUGH)
        assert search.SEARCHED == MAX_VISITORS_TEXT == MAX_OPERATORS_TEXT == 10_000
        chat, _ = ChatFactory.create_batch(2, contact__widget=shop)
        MessageFactory.create(chat=chat, body="я" * 9_996 + "Фина" + "л" + "я" * 55_535)
        assert self.found(api, "яфина") == {chat.pk}
        assert self.found(api, "финал") == set()

    def test_notes_and_others_messages_are_not_in_it(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        for chat in ChatFactory.create_batch(2, contact__widget=shop):
            MessageFactory.create(chat=chat, body="a secret", is_internal=True)
        MessageFactory.create(chat=rival.chat, body="a secret")
        assert self.found(api, "secret") == set()
