"""POST /api/v1/chats/{id}/typing and /seen."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.actions import mark_seen, typing
from apps.chats.events import MessagesSeen
from apps.chats.models import Chat, Message
from apps.core.bus import DomainEvent
from apps.core.models import IdempotencyKey
from apps.core.redis import connection as redis
from apps.core.redis import rate_limits
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, ApiTokenFactory, ChatFactory, MessageFactory, plain_text
from tests.rows import snapshot


def type_in(api: ApiClient, chat: Chat, state: Any = "start", **options: Any) -> Any:
    return api.post(f"/chats/{chat.pk}/typing", json={"state": state}, **options)


@pytest.fixture(autouse=True)
def quiet(db: None) -> None:
    """Chats of earlier tests had the same ids: nobody types in any."""
    redis.ask(lambda client: [client.delete(key) for key in client.scan_iter("pace:typing:*")])


class TestTyping:
    def test_it_is_answered_202(self, api: ApiClient, chat: Chat) -> None:
        for state in ("start", "stop"):
            answer = type_in(api, chat, state)
            assert (answer.status_code, answer.json()) == (202, {"data": {"chat_id": chat.pk, "state": state}})

    def test_the_visitor_is_told_the_name_of_who_types_else_of_the_owner_and_none_before_there_is_one(
        self, chat: Chat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[Any] = []
        monkeypatch.setattr(typing.broadcasts, "send", told.append)
        alice, boris = AgentFactory.create_batch(2, widget=chat.widget)
        ids: dict[str, Any] = {"widget_id": chat.widget_id, "chat_id": chat.pk, "state": typing.Typing.START}
        typing.tell_visitor_of_typing(**ids, is_paced=False)
        Chat.objects.filter(pk=chat.pk).update(agent=boris)
        typing.tell_visitor_of_typing(**ids, is_paced=False)
        typing.tell_visitor_of_typing(**ids, is_paced=False, agent_id=alice.pk)
        assert [broadcast.name for broadcast in told] == [None, boris.full_name, alice.full_name]

    def test_a_second_start_within_5_seconds_is_429_and_leaves_its_key_free(self, api: ApiClient, chat: Chat) -> None:
        assert type_in(api, chat).status_code == 202
        rows = snapshot()
        refused = type_in(api, chat, idempotency_key="again")
        assert_problem(refused, 429, "typing_too_often")
        assert 1 <= int(refused["Retry-After"]) <= 5
        assert snapshot() == rows
        assert not IdempotencyKey.objects.filter(key="again").exists()

    def test_the_next_start_is_let_through_when_the_time_has_passed(
        self, api: ApiClient, chat: Chat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typing, "START_EVERY_MS", 300)
        began = time.monotonic()
        assert type_in(api, chat).status_code == 202
        while type_in(api, chat).status_code == 429:
            assert time.monotonic() - began < 10
        assert time.monotonic() - began >= 0.3

    def test_the_window_is_five_seconds_by_the_servers_clock(self, api: ApiClient, chat: Chat) -> None:
        type_in(api, chat)
        left = redis.ask(lambda client: client.pttl(f"pace:typing:{chat.pk}"))
        assert 4_000 < left <= 5_000

    def test_stop_does_not_count_and_frees_nothing(self, api: ApiClient, chat: Chat) -> None:
        assert [type_in(api, chat, "stop").status_code for _ in range(3)] == [202, 202, 202]
        assert type_in(api, chat).status_code == 202
        assert type_in(api, chat, "stop").status_code == 202
        assert type_in(api, chat).status_code == 429

    def test_each_chat_has_its_own_window(self, api: ApiClient, chat: Chat, shop: Widget) -> None:
        other = ChatFactory.create(contact__widget=shop)
        assert [type_in(api, each).status_code for each in (chat, other)] == [202, 202]

    def test_what_is_refused_does_not_count(self, api: ApiClient, chat: Chat, rival_api: ApiClient) -> None:
        type_in(api, chat, "stop", idempotency_key="used")
        assert_problem(type_in(rival_api, chat), 404, "not_found")
        assert_problem(type_in(api, chat, idempotency_key="used"), 409, "idempotency_key_reused")
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        assert_problem(type_in(api, chat), 409, "chat_is_spam")
        Chat.objects.filter(pk=chat.pk).update(status="active")
        assert type_in(api, chat).status_code == 202

    @pytest.mark.parametrize("state", ["START", "typing", None, 1, ""])
    def test_a_state_is_start_or_stop(self, api: ApiClient, chat: Chat, state: Any) -> None:
        assert_problem(type_in(api, chat, state), 422, "invalid_input", errors=["state"])

    def test_without_redis_nobody_is_held_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def away(_: Any) -> None:
            raise redis.RedisAway

        monkeypatch.setattr(redis, "ask", away)
        assert [rate_limits.wait_before("typing:1", every_ms=5_000) for _ in range(2)] == [0, 0]


@pytest.mark.django_db(transaction=True)
def test_of_two_starts_at_once_one_is_let_through() -> None:
    chat = ChatFactory.create()
    token = plain_text(ApiTokenFactory.create(widget=chat.widget))
    barrier = Barrier(2)

    def start(_: int) -> int:
        api = ApiClient(token)
        barrier.wait(timeout=30)
        try:
            return int(type_in(api, chat, idempotency_key=uuid.uuid4().hex).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as callers:
        assert sorted(callers.map(start, range(2))) == [202, 429]


class TestSeen:
    def see(self, api: ApiClient, chat: Chat, message_id: Any, **options: Any) -> Any:
        return api.post(f"/chats/{chat.pk}/seen", json={"message_id": message_id}, **options)

    def seen(self, chat: Chat) -> set[int]:
        return set(Message.objects.filter(chat=chat, seen_at__isnull=False).values_list("pk", flat=True))

    def test_everything_of_the_visitor_up_to_it_is_seen(
        self, api: ApiClient, chat: Chat, happened: list[DomainEvent]
    ) -> None:
        first, second, third = (MessageFactory.create(chat=chat) for _ in range(3))
        answer = self.see(api, chat, second.pk)
        assert (answer.status_code, answer.json()) == (200, {"data": {"chat_id": chat.pk, "message_id": second.pk}})
        assert self.seen(chat) == {first.pk, second.pk}
        assert happened == [
            MessagesSeen(widget_id=chat.widget_id, chat_id=chat.pk, message_id=second.pk, seen_by="OPERATOR")
        ]
        assert third.seen_at is None

    def test_an_operators_own_messages_are_not_seen_by_it(self, api: ApiClient, chat: Chat) -> None:
        agent = AgentFactory.create(widget=chat.widget)
        theirs = MessageFactory.create(chat=chat)
        own = MessageFactory.create(chat=chat, agent=agent)
        assert self.see(api, chat, own.pk).status_code == 200
        assert self.seen(chat) == {theirs.pk}

    def test_what_was_seen_keeps_its_time_and_nothing_is_told_again(
        self, api: ApiClient, chat: Chat, happened: list[DomainEvent]
    ) -> None:
        early = timezone.now()
        message = MessageFactory.create(chat=chat, seen_at=early)
        assert self.see(api, chat, message.pk).status_code == 200
        assert Message.objects.get(pk=message.pk).seen_at == early
        assert happened == []

    def test_it_takes_three_statements_however_many_they_are(self, chat: Chat) -> None:
        last = MessageFactory.create_batch(20, chat=chat)[-1]
        for statements in (3, 2):  # the second time nothing changes
            with CaptureQueriesContext(connection) as captured:
                mark_seen(widget_id=chat.widget_id, chat_id=chat.pk, message_id=last.pk, seen_by="OPERATOR")
            assert sum("SAVEPOINT" not in query["sql"] for query in captured) == statements

    def test_a_message_of_another_chat_is_404_and_nothing_changes(
        self, api: ApiClient, chat: Chat, shop: Widget, rival: Rival
    ) -> None:
        MessageFactory.create(chat=chat)
        elsewhere = MessageFactory.create(chat=ChatFactory.create(contact__widget=shop))
        foreign = MessageFactory.create(chat=rival.chat)
        rows = snapshot()
        for message_id in (elsewhere.pk, foreign.pk, 10**15):
            assert_problem(self.see(api, chat, message_id), 404, "not_found")
        assert snapshot() == rows

    @pytest.mark.parametrize("message_id", [0, -1, "1", 1.5, None, True])
    def test_message_id_is_a_positive_number(self, api: ApiClient, chat: Chat, message_id: Any) -> None:
        assert_problem(self.see(api, chat, message_id), 422, "invalid_input", errors=["message_id"])

    def test_a_spam_chat_can_be_read(self, api: ApiClient, chat: Chat) -> None:
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        message = MessageFactory.create(chat=chat)
        assert self.see(api, chat, message.pk).status_code == 200
        assert self.seen(chat) == {message.pk}
