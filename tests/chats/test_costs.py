"""What the busiest endpoints cost: a constant number of statements and one round trip to Redis, at any page size."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from redis.connection import AbstractConnection

from apps.accounts.models import Widget
from apps.chats.querysets import search
from tests.calls import cost_of
from tests.client import ApiClient
from tests.factories import (
    AgentFactory,
    ApiTokenFactory,
    ChatFactory,
    MessageFactory,
    WidgetFactory,
    plain_text,
)


@pytest.fixture
def round_trips(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What this thread sends to the real Redis, one item a round trip (broadcasts go from a thread of their own)."""
    sent: list[Any] = []
    here, send = threading.get_ident(), AbstractConnection.send_packed_command

    def counted(self: AbstractConnection, command: Any, *arguments: Any, **options: Any) -> None:
        if threading.get_ident() == here:
            sent.append(command)
        send(self, command, *arguments, **options)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", counted)
    return sent


def statements(call: Callable[[], Any], *, status: int = 200) -> list[str]:
    """The statements of one call, without those that only begin and end transactions."""
    answers: list[Any] = []
    cost = cost_of(lambda: answers.append(call()))
    assert answers[0].status_code == status, answers[0].content
    return cost.statements


@pytest.fixture
def widget(db: None) -> Widget:
    return WidgetFactory.create()


@pytest.fixture
def api(widget: Widget, round_trips: list[Any]) -> ApiClient:
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=widget)))
    api.get("/chats")  # connects, and loads the rate limit's script
    round_trips.clear()
    return api


def unseen(widget: Widget) -> ApiClient:
    """A client whose token this process has not read yet."""
    return ApiClient(plain_text(ApiTokenFactory.create(widget=widget)))


@pytest.mark.parametrize("size", [0, 1, 20, 100])
def test_a_page_of_chats(api: ApiClient, widget: Widget, round_trips: list[Any], size: int) -> None:
    for chat in ChatFactory.create_batch(size, contact__widget=widget):
        MessageFactory.create(chat=chat)
    assert len(statements(lambda: api.get("/chats", query={"limit": 100}))) == 1
    assert len(round_trips) == 1


@pytest.mark.parametrize("q", ["Hello", "hell", "nobody says this", "ъы"])
@pytest.mark.parametrize("size", [0, 1, 20, 100])
def test_a_search_costs_the_same_for_any_number_of_chats(
    api: ApiClient,
    widget: Widget,
    round_trips: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    q: str,
) -> None:
    monkeypatch.setattr(search, "READING_MS", 0)  # as if there were many more chats
    for chat in ChatFactory.create_batch(size, contact__widget=widget):
        MessageFactory.create(chat=chat, body="Hello")
    found = len(statements(lambda: api.get("/chats", query={"limit": 100, "q": q})))
    assert found == (2 if size else 1)
    assert len(round_trips) == 1


@pytest.mark.parametrize("size", [0, 1, 20, 100])
@pytest.mark.parametrize("query", [{}, {"after_id": 0}], ids=["newest first", "oldest first"])
def test_a_page_of_messages(
    api: ApiClient, widget: Widget, round_trips: list[Any], query: dict[str, Any], size: int
) -> None:
    chat = ChatFactory.create(contact__widget=widget)
    MessageFactory.create_batch(size, chat=chat)
    path = f"/chats/{chat.pk}/messages"
    assert len(statements(lambda: api.get(path, query={"limit": 100, **query}))) == (1 if size else 2), (
        "empty or not there?"
    )
    assert len(round_trips) == 1


def test_a_chat_is_read_with_one_statement(api: ApiClient, widget: Widget, round_trips: list[Any]) -> None:
    message = MessageFactory.create(chat__contact__widget=widget)
    path = f"/chats/{message.chat_id}"
    assert len(statements(lambda: api.get(path))) == 1
    assert len(round_trips) == 1
    written = statements(lambda: api.post(f"{path}/state", json={"state": "active"}))
    assert [sql.split()[0] for sql in written] == ["INSERT", "SELECT"], "the claim, and the chat with all that it shows"


def test_a_message_is_posted_with_two_statements(api: ApiClient, widget: Widget, round_trips: list[Any]) -> None:
    chat, agent = ChatFactory.create(contact__widget=widget), AgentFactory.create(widget=widget)
    body = {"type": "text", "body": "Hello", "agent_id": agent.pk}
    for _ in range(3):  # the first accepts the chat as well: both events are written by one statement
        round_trips.clear()
        assert len(statements(lambda: api.post(f"/chats/{chat.pk}/messages", json=body), status=202)) == 2
        assert len(round_trips) == 1


def test_a_message_is_posted_with_so_many_calls(api: ApiClient, widget: Widget) -> None:
    """The test's client is part of them."""
    chat, agent = ChatFactory.create(contact__widget=widget), AgentFactory.create(widget=widget)
    body = {"type": "text", "body": "Hello", "agent_id": agent.pk}

    def post() -> None:
        assert api.post(f"/chats/{chat.pk}/messages", json=body).status_code == 202

    for _ in range(3):
        post()
    cost = cost_of(post)
    assert cost.calls <= 1_900


def test_a_token_read_for_the_first_time_costs_one_statement_more(api: ApiClient, widget: Widget) -> None:
    client = unseen(widget)
    assert len(statements(lambda: client.get("/chats"))) == 2
    assert len(statements(lambda: client.get("/chats"))) == 1


def test_a_search_for_nothing_an_empty_page_and_a_message_cost_three_even_then(
    widget: Widget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "READING_MS", 0)
    chat, agent = ChatFactory.create(contact__widget=widget), AgentFactory.create(widget=widget)
    body = {"type": "text", "body": "Hello", "agent_id": agent.pk}
    one, another, third = unseen(widget), unseen(widget), unseen(widget)
    assert len(statements(lambda: one.get("/chats", query={"q": "nobody says this"}))) == 3
    assert len(statements(lambda: another.get(f"/chats/{chat.pk}/messages"))) == 3
    assert len(statements(lambda: third.post(f"/chats/{chat.pk}/messages", json=body), status=202)) == 3


def test_costs_are_of_all_threads_that_the_work_starts(widget: Widget) -> None:
    def elsewhere() -> None:
        try:
            Widget.objects.exists()
        finally:
            connection.close()

    def work() -> None:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()

    Widget.objects.exists()
    here, there = cost_of(Widget.objects.exists), cost_of(work)
    assert here.statements == there.statements[-1:]
    assert there.calls > here.calls > 100
