"""GET /api/v1/chats."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact
from apps.chats.querysets import search
from apps.chats.rules import Status
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ChatFactory, MessageFactory

NOON = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)  # 12:00 in Moscow
MICROSECOND = timedelta(microseconds=1)


def chat_of(shop: Widget, **fields: Any) -> Chat:
    return ChatFactory.create(contact__widget=shop, **fields)


def ids(answer: Any) -> list[int]:
    assert answer.status_code == 200, answer.content
    return [chat["id"] for chat in answer.json()["data"]]


def found(api: ApiClient, **query: Any) -> set[int]:
    return set(ids(api.get("/chats", query={"limit": 100, **query})))


def test_a_chat_shows_these_members_and_no_other(
    api: ApiClient, shop: Widget, ivan: Contact, alice: Agent, boris: Agent, sales: Department
) -> None:
    chat = ChatFactory.create(
        contact=ivan,
        department=sales,
        agent=boris,
        handling="human",
        accepted_agent=alice,
        accepted_type="human",
        accepted_at=None,
        handled_agent=boris,
        handled_type="human",
        handled_at=NOON,
        created_at=NOON,
    )
    message = MessageFactory.create(
        chat=chat, agent=alice, body="Добрый день", created_at=NOON + timedelta(seconds=1.5)
    )
    assert api.get("/chats").json() == {
        "data": [
            {
                "id": chat.pk,
                "status": "active",
                "channel": "widget",
                "agent_id": boris.pk,
                "accepted_by": {"agent_id": alice.pk, "type": "human", "at": None},
                "handled_by": {"agent_id": boris.pk, "type": "human", "at": "2026-11-21T09:00:00Z"},
                "handling": "human",
                "contact_id": ivan.guid,
                "department_id": sales.pk,
                "created_at": "2026-11-21T09:00:00Z",
                "last_message_at": "2026-11-21T09:00:01.500000Z",
                "priority": "normal",
                "invitation": None,
                "contact": {"id": ivan.guid, "name": "Иван Петров"},
                "last_message": {
                    "id": message.pk,
                    "type": "text",
                    "preview": "Добрый день",
                    "sender": {"kind": "agent", "agent_id": alice.pk, "name": "Alice Weber"},
                    "created_at": "2026-11-21T09:00:01.500000Z",
                },
                "answers": {},
            }
        ],
        "next_cursor": None,
    }
    assert api.get(f"/chats/{chat.pk}").json()["data"] == api.get("/chats").json()["data"][0]


class TestLastMessage:
    """The last message that the visitor may see, in short: the same in the list, in a search and of the one chat."""

    def shown(self, api: ApiClient, chat: Chat, said: str | None = None) -> Any:
        (listed,) = api.get("/chats", query={"q": said} if said else {}).json()["data"]
        assert listed == api.get(f"/chats/{chat.pk}").json()["data"]
        return listed["last_message"]

    def test_a_chat_without_messages_has_none(self, api: ApiClient, chat: Chat) -> None:
        assert self.shown(api, chat) is None

    def test_notes_do_not_count(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        MessageFactory.create(chat=chat, agent=alice, is_internal=True)
        assert self.shown(api, chat) is None
        message = MessageFactory.create(chat=chat, body="Hello")
        MessageFactory.create(chat=chat, agent=alice, is_internal=True)
        assert self.shown(api, chat)["id"] == message.pk

    def test_the_preview_is_the_bodys_first_100_characters(self, api: ApiClient, chat: Chat) -> None:
        MessageFactory.create(chat=chat, body="Ж" * 99 + "😀" + "tail")
        assert self.shown(api, chat, said="tail")["preview"] == "Ж" * 99 + "😀"

    @pytest.mark.parametrize("reading_ms", [10, 0], ids=["read", "from the index"])
    def test_a_search_shows_it_whatever_it_found(
        self, api: ApiClient, chat: Chat, monkeypatch: pytest.MonkeyPatch, reading_ms: int
    ) -> None:
        monkeypatch.setattr(search, "READING_MS", reading_ms)
        MessageFactory.create(chat=chat, body="Where is my order?")
        last = MessageFactory.create(chat=chat, type="sticker", body="", details={"sticker": {"id": "7"}})
        found = self.shown(api, chat, said="order")
        assert (found["id"], found["type"], found["preview"]) == (last.pk, "sticker", "")

    def test_of_an_unknown_visitor_neither_contact_nor_sender_has_a_name(self, api: ApiClient, shop: Widget) -> None:
        chat = ChatFactory.create(contact__widget=shop, contact__name="")
        MessageFactory.create(chat=chat)
        assert self.shown(api, chat)["sender"] == {"kind": "client", "agent_id": None, "name": None}
        assert api.get("/chats").json()["data"][0]["contact"] == {"id": chat.contact.guid, "name": None}

    @pytest.mark.parametrize(("path", "body"), [("close", {}), ("state", {"state": "ready"}), ("transfer", None)])
    def test_writes_answer_it_too(
        self, api: ApiClient, chat: Chat, alice: Agent, path: str, body: dict[str, Any] | None
    ) -> None:
        message = MessageFactory.create(chat=chat)
        answer = api.post(f"/chats/{chat.pk}/{path}", json={"agent_id": alice.pk} if body is None else body)
        assert answer.json()["data"]["last_message"]["id"] == message.pk
        assert answer.json()["data"] == api.get(f"/chats/{chat.pk}").json()["data"]


def test_newest_first_in_every_state_and_of_this_widget_alone(api: ApiClient, shop: Widget, rival: Rival) -> None:
    made = [chat_of(shop, status=status, created_at=NOON + timedelta(minutes=n)).pk for n, status in enumerate(Status)]
    assert ids(api.get("/chats")) == made[::-1]


def test_chats_of_one_moment_are_sorted_by_id(api: ApiClient, shop: Widget) -> None:
    made = [chat_of(shop, created_at=NOON).pk for _ in range(4)]
    assert ids(api.get("/chats")) == made[::-1]


class TestFilters:
    @pytest.mark.parametrize("status", Status)
    def test_a_status_narrows_the_list(self, api: ApiClient, shop: Widget, status: str) -> None:
        made = {state: chat_of(shop, status=state).pk for state in Status}
        assert found(api, status=status) == {made[Status(status)]}

    @pytest.mark.parametrize("status", ["closed", "Active", "", "active,ready"])
    def test_an_unknown_status_is_422(self, api: ApiClient, status: str) -> None:
        assert_problem(api.get("/chats", query={"status": status}), 422, "invalid_input", errors=["status"])

    def test_a_channel_narrows_the_list(self, api: ApiClient, shop: Widget) -> None:
        on_site, in_telegram = chat_of(shop), chat_of(shop, channel="tg")
        assert found(api, channel="tg") == {in_telegram.pk}
        assert found(api, channel="widget") == {on_site.pk}
        assert found(api, channel="ch7") == set()

    def test_has_client_messages_keeps_the_chats_in_which_the_visitor_wrote(
        self, api: ApiClient, shop: Widget, alice: Agent
    ) -> None:
        written, answered, empty = chat_of(shop), chat_of(shop), chat_of(shop)
        MessageFactory.create(chat=written)
        MessageFactory.create(chat=answered, agent=alice)
        assert found(api, has_client_messages="1") == {written.pk}
        assert found(api, has_client_messages="0") == {written.pk, answered.pk, empty.pk}, "0 is no filter"

    @pytest.mark.parametrize("value", ["true", "yes", "2", "", "-1"])
    def test_has_client_messages_is_1_or_0(self, api: ApiClient, value: str) -> None:
        answer = api.get("/chats", query={"has_client_messages": value})
        assert_problem(answer, 422, "invalid_input", errors=["has_client_messages"])

    def test_filters_narrow_together(self, api: ApiClient, shop: Widget) -> None:
        wanted = chat_of(shop, status="expired", channel="tg", created_at=NOON)
        MessageFactory.create(chat=wanted, body="Where is my order?")
        for other in ({"status": "active"}, {"channel": "vk"}, {"created_at": NOON - timedelta(days=1)}):
            almost = chat_of(shop, **{"status": "expired", "channel": "tg", "created_at": NOON, **other})
            MessageFactory.create(chat=almost, body="Where is my order?")
        silent = chat_of(shop, status="expired", channel="tg", created_at=NOON)
        MessageFactory.create(chat=silent, body="Hello")
        query = {"status": "expired", "channel": "tg", "q": "order", "from": "2026-11-21", "has_client_messages": "1"}
        assert found(api, **query) == {wanted.pk}


class TestWindow:
    """`from` is inclusive, `to` exclusive; both bound the chat's creation."""

    @pytest.fixture
    def made(self, shop: Widget) -> dict[str, int]:
        return {
            "before": chat_of(shop, created_at=NOON - MICROSECOND).pk,
            "at": chat_of(shop, created_at=NOON).pk,
            "after": chat_of(shop, created_at=NOON + MICROSECOND).pk,
        }

    def names(self, made: dict[str, int], api: ApiClient, **query: str) -> set[str]:
        chats = found(api, **query)
        return {name for name, pk in made.items() if pk in chats}

    @pytest.mark.parametrize(
        "noon",
        [
            "2026-11-21T12:00:00",
            "2026-11-21 12:00",
            "2026-11-21T12:00:00+03:00",
            "2026-11-21T09:00:00Z",
            "2026-11-21T09:00:00.000000+00:00",
            "2026-11-21T04:00:00-05:00",
            "Sat, 21 Nov 2026 09:00:00 GMT",
            "20261121T120000",
        ],
    )
    def test_any_date_time_is_read_in_moscow_unless_it_has_an_offset(
        self, made: dict[str, int], api: ApiClient, noon: str
    ) -> None:
        assert self.names(made, api, **{"from": noon}) == {"at", "after"}
        assert self.names(made, api, to=noon) == {"before"}
        assert self.names(made, api, **{"from": noon, "to": noon}) == set()

    def test_a_plus_that_the_client_forgot_to_escape(self, made: dict[str, int], api: ApiClient) -> None:
        chats = set(ids(api.get("/chats?from=2026-11-21T12:00:00+03:00")))
        assert chats == {made["at"], made["after"]}

    def test_neither_bound_is_the_whole_list(self, made: dict[str, int], api: ApiClient) -> None:
        assert self.names(made, api) == {"before", "at", "after"}

    def test_a_bare_date_is_its_midnight_in_moscow(self, api: ApiClient, shop: Widget) -> None:
        midnight = datetime(2026, 11, 20, 21, 0, tzinfo=UTC)
        last_of_the_day_before = chat_of(shop, created_at=midnight - MICROSECOND)
        first = chat_of(shop, created_at=midnight)
        last = chat_of(shop, created_at=midnight + timedelta(days=1) - MICROSECOND)
        assert found(api, **{"from": "2026-11-21", "to": "2026-11-22"}) == {first.pk, last.pk}
        assert found(api, to="2026-11-21") == {last_of_the_day_before.pk}
        assert found(api, **{"from": "2026-11-21", "to": "2026-11-21"}) == set()

    def test_from_after_to_is_422(self, api: ApiClient) -> None:
        answer = api.get("/chats", query={"from": "2026-11-22", "to": "2026-11-21"})
        assert_problem(answer, 422, "invalid_input", errors=["to"])

    @pytest.mark.parametrize("name", ["from", "to"])
    @pytest.mark.parametrize("text", ["yesterday", "2026-02-30", "13:45", "2026-11", "", "1"])
    def test_what_is_no_date_is_422_by_name(self, api: ApiClient, name: str, text: str) -> None:
        assert_problem(api.get("/chats", query={name: text}), 422, "invalid_input", errors=[name])


class TestSearch:
    """`q` is 2 to 100 characters of a visible message's text."""

    def chat_with(self, shop: Widget, body: str, **fields: Any) -> int:
        return int(MessageFactory.create(chat=chat_of(shop), body=body, **fields).chat_id)

    def test_it_finds_a_part_of_any_message_once(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        chat = chat_of(shop)
        MessageFactory.create(chat=chat, body="Where is my order?")
        MessageFactory.create(chat=chat, body="Your order is on its way", agent=alice)
        MessageFactory.create(chat=chat, body="Thanks")
        self.chat_with(shop, "Hello")
        assert ids(api.get("/chats", query={"q": "order"})) == [chat.pk]
        assert found(api, q="anks") == {chat.pk}
        assert found(api, q="order ?") == set()

    @pytest.mark.parametrize("q", ["букет", "БУКЕТ", "Букет", "бУКЕт роз", "ёлк", "ЁЛК"])
    def test_it_knows_no_case_in_cyrillic_either(self, api: ApiClient, shop: Widget, q: str) -> None:
        wanted = self.chat_with(shop, "Здравствуйте! БуКеТ Роз и Ёлка есть?")
        self.chat_with(shop, "Тюльпаны")
        assert found(api, q=q) == {wanted}

    @pytest.mark.parametrize("q", ["50%", "a_b", "c:\\d", "%%", "__", "\\\\", "_b"])
    def test_percent_underscore_and_backslash_stand_for_themselves(self, api: ApiClient, shop: Widget, q: str) -> None:
        wanted = self.chat_with(shop, "50% %% a_b __ c:\\d \\\\")
        self.chat_with(shop, "50 percent, aXb, c:d, a\\b")
        assert found(api, q=q) == {wanted}

    def test_internal_notes_are_not_searched(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        self.chat_with(shop, "a difficult customer", is_internal=True, agent=alice)
        assert found(api, q="difficult") == set()

    def test_other_widgets_messages_are_not_searched(self, api: ApiClient, rival: Rival) -> None:
        MessageFactory.create(chat=rival.chat, body="a secret recipe")
        assert found(api, q="recipe") == set()

    @pytest.mark.parametrize("length", [2, 100])
    @pytest.mark.parametrize("letter", ["a", "я"])
    def test_from_2_to_100_characters(self, api: ApiClient, shop: Widget, letter: str, length: int) -> None:
        wanted = self.chat_with(shop, letter * length)
        self.chat_with(shop, letter * (length - 1))
        assert found(api, q=letter * length) == {wanted}

    @pytest.mark.parametrize("q", ["", "a", "я", "a" * 101, "я" * 101])
    def test_fewer_or_more_is_422(self, api: ApiClient, q: str) -> None:
        assert_problem(api.get("/chats", query={"q": q}), 422, "invalid_input", errors=["q"])


class TestPages:
    def walk(self, api: ApiClient, limit: int, between: Any = lambda: None) -> list[int]:
        seen: list[int] = []
        cursor = None
        while True:
            answer = api.get("/chats", query={"limit": limit, **({"cursor": cursor} if cursor else {})})
            page = ids(answer)
            assert len(page) <= limit
            seen += page
            cursor = answer.json()["next_cursor"]
            if cursor is None:
                return seen
            between()

    def test_a_page_has_twenty_chats_by_default(self, api: ApiClient, shop: Widget) -> None:
        ChatFactory.create_batch(21, contact__widget=shop)
        answer = api.get("/chats")
        assert len(ids(answer)) == 20
        assert isinstance(answer.json()["next_cursor"], str)

    def test_a_page_that_ends_with_the_list_has_no_next_one(self, api: ApiClient, shop: Widget) -> None:
        ChatFactory.create_batch(3, contact__widget=shop)
        assert api.get("/chats", query={"limit": 3}).json()["next_cursor"] is None
        assert api.get("/chats", query={"limit": 2}).json()["next_cursor"] is not None

    @pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
    def test_page_by_page_each_chat_is_seen_once_in_order(self, api: ApiClient, shop: Widget, limit: int) -> None:
        moments = [NOON, NOON, NOON, NOON + MICROSECOND, NOON - MICROSECOND, NOON, NOON + timedelta(days=1)]
        made = [chat_of(shop, created_at=moment) for moment in moments]
        newest_first = [c.pk for c in sorted(made, key=lambda c: (c.created_at, c.pk), reverse=True)]
        assert self.walk(api, limit) == newest_first

    def test_pages_are_stable_while_chats_are_added(self, api: ApiClient, shop: Widget) -> None:
        made = [chat_of(shop, created_at=NOON - timedelta(minutes=n)).pk for n in range(9)]
        newer = iter(range(1, 100))
        seen = self.walk(api, 2, lambda: chat_of(shop, created_at=NOON + timedelta(minutes=next(newer))))
        assert seen == made

    def test_pages_are_stable_while_chats_go_away(self, api: ApiClient, shop: Widget) -> None:
        made = [chat_of(shop, created_at=NOON - timedelta(minutes=n)) for n in range(6)]
        cursor = api.get("/chats", query={"limit": 2}).json()["next_cursor"]
        made[1].delete()  # the one the cursor stands on
        assert ids(api.get("/chats", query={"cursor": cursor})) == [chat.pk for chat in made[2:]]

    def test_a_page_keeps_to_the_filters_it_is_asked_for(self, api: ApiClient, shop: Widget) -> None:
        made = [chat_of(shop, created_at=NOON - timedelta(minutes=n), status="expired") for n in range(3)]
        chat_of(shop, created_at=NOON - timedelta(minutes=1, seconds=1))
        first = api.get("/chats", query={"limit": 1, "status": "expired"})
        query = {"status": "expired", "cursor": first.json()["next_cursor"]}
        assert ids(api.get("/chats", query=query)) == [chat.pk for chat in made[1:]]

    def test_a_tampered_cursor_is_422(self, api: ApiClient, shop: Widget) -> None:
        ChatFactory.create_batch(2, contact__widget=shop)
        cursor = api.get("/chats", query={"limit": 1}).json()["next_cursor"]
        for n in range(len(cursor)):
            other = "A" if cursor[n] != "A" else "B"
            answer = api.get("/chats", query={"cursor": cursor[:n] + other + cursor[n + 1 :]})
            assert_problem(answer, 422, "invalid_input", errors=["cursor"])

    def test_a_cursor_of_another_list_is_422(self, api: ApiClient, chat: Chat) -> None:
        MessageFactory.create_batch(2, chat=chat)
        cursor = api.get(f"/chats/{chat.pk}/messages", query={"limit": 1}).json()["next_cursor"]
        assert_problem(api.get("/chats", query={"cursor": cursor}), 422, "invalid_input", errors=["cursor"])

    def test_anothers_cursor_is_no_cursor_of_mine(self, api: ApiClient, rival_api: ApiClient, rival: Rival) -> None:
        ChatFactory.create_batch(2, contact__widget=rival.widget)
        cursor = rival_api.get("/chats", query={"limit": 1}).json()["next_cursor"]
        assert ids(rival_api.get("/chats", query={"cursor": cursor}))
        assert_problem(api.get("/chats", query={"cursor": cursor}), 422, "invalid_input", errors=["cursor"])
