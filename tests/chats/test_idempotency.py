"""One key, one write: on the busiest write of the API, also under many callers at once."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection, transaction

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Message
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.models import IdempotencyKey
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, ApiTokenFactory, ChatFactory, WidgetFactory, plain_text

CALLERS = 20


def send(api: ApiClient, chat: Chat, key: str, **body: Any) -> Any:
    return api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": "Hello", **body}, idempotency_key=key)


def age_claims(age: str) -> None:
    """Makes every claim that old; within a test's transaction `now()` stands still."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE core_idempotencykey SET created_at = now() - %s::interval", [age])


def test_the_same_key_again_is_409_whatever_it_says(api: ApiClient, chat: Chat, alice: Agent) -> None:
    assert send(api, chat, "one", agent_id=alice.pk).status_code == 202
    used = IdempotencyKey.objects.get(key="one").created_at.strftime("%Y-%m-%dT%H:%M:%S")
    problem = assert_problem(send(api, chat, "one", agent_id=alice.pk), 409, "idempotency_key_reused")
    assert problem["first_used_at"].startswith(used)
    assert problem["first_used_at"].endswith("Z")
    assert_problem(send(api, chat, "one", agent_id=alice.pk, body="Else"), 409, "idempotency_key_reused")
    assert_problem(api.post(f"/chats/{chat.pk}/close", idempotency_key="one"), 409, "idempotency_key_reused")
    assert send(api, chat, "ONE", agent_id=alice.pk).status_code == 202
    assert Message.objects.filter(chat=chat).count() == 2
    assert Chat.objects.get(pk=chat.pk).status == "active"


def test_a_key_is_a_widgets_whatever_the_token(api: ApiClient, shop: Widget, chat: Chat, alice: Agent) -> None:
    """A retry after a token was replaced does not write twice."""
    other = ApiClient(plain_text(ApiTokenFactory.create(widget=shop)))
    assert send(api, chat, "one", agent_id=alice.pk).status_code == 202
    assert_problem(send(other, chat, "one", agent_id=alice.pk), 409, "idempotency_key_reused")
    elsewhere = ChatFactory.create()
    its_own = ApiClient(plain_text(ApiTokenFactory.create(widget=elsewhere.widget)))
    agent = AgentFactory.create(widget=elsewhere.widget)
    assert send(its_own, elsewhere, "one", agent_id=agent.pk).status_code == 202


def test_the_refusal_says_what_the_key_was_used_for(api: ApiClient, chat: Chat, alice: Agent) -> None:
    message_id = send(api, chat, "one", agent_id=alice.pk).json()["data"]["message_id"]
    again = send(api, chat, "one", agent_id=alice.pk).json()
    at = again["first_used_at"]
    assert again["previous"] == {"operation": "message_create", "status": 202, "id": message_id, "at": at}
    assert again["same_request"] is True
    for other in (
        send(api, chat, "one", agent_id=alice.pk, body="Else"),
        send(api, ChatFactory.create(contact__widget=chat.widget), "one", agent_id=alice.pk),
        api.post(f"/chats/{chat.pk}/close", idempotency_key="one"),
    ):
        problem = assert_problem(other, 409, "idempotency_key_reused")
        assert problem["previous"] == again["previous"]
        assert problem["same_request"] is False


def test_a_write_that_changes_what_its_path_names_says_that(api: ApiClient, chat: Chat) -> None:
    assert api.post(f"/chats/{chat.pk}/close", idempotency_key="one").status_code == 200
    previous = api.post(f"/chats/{chat.pk}/close", idempotency_key="one").json()["previous"]
    assert (previous["operation"], previous["status"], previous["id"]) == ("chat_close", 200, chat.pk)


def test_the_guid_of_a_contact_is_its_id(api: ApiClient, chat: Chat) -> None:
    path = f"/contacts/{chat.contact.guid}"
    assert api.patch(path, json={"name": "Ольга"}, idempotency_key="one").status_code == 200
    problem = api.patch(path, json={"name": "Ольга"}, idempotency_key="one").json()
    assert problem["previous"]["id"] == chat.contact.guid
    assert problem["same_request"] is True


def test_every_refusal_leaves_the_key_free(api: ApiClient, shop: Widget, chat: Chat, alice: Agent) -> None:
    banned = AgentFactory.create(widget=shop, status="banned")
    assert send(api, chat, "one", agent_id=banned.pk).status_code == 422
    assert send(api, chat, "one", agent_id=999_999_999).status_code == 404
    Chat.objects.filter(pk=chat.pk).update(status="spam")
    assert send(api, chat, "one", agent_id=alice.pk).status_code == 409
    assert not IdempotencyKey.objects.exists()
    Chat.objects.filter(pk=chat.pk).update(status="active")
    assert send(api, chat, "one", agent_id=alice.pk).status_code == 202


@pytest.mark.parametrize(
    ("age", "status"),
    [("0 seconds", 409), ("23 hours 59 minutes 59.999999 seconds", 409), ("24 hours", 202), ("2 days", 202)],
)
def test_a_key_is_free_again_after_24_hours(api: ApiClient, chat: Chat, alice: Agent, age: str, status: int) -> None:
    send(api, chat, "one", agent_id=alice.pk)
    age_claims(age)
    assert send(api, chat, "one", agent_id=alice.pk).status_code == status
    if status == 202:
        assert send(api, chat, "one", agent_id=alice.pk).status_code == 409


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["messages", "close"])
def test_of_twenty_callers_at_once_with_one_key_one_writes(path: str) -> None:
    widget = WidgetFactory.create()
    chat = ChatFactory.create(contact__widget=widget)
    agent = AgentFactory.create(widget=widget)
    token = plain_text(ApiTokenFactory.create(widget=widget))
    bodies = {"messages": {"type": "text", "body": "Hello", "agent_id": agent.pk}, "close": {}}
    barrier = Barrier(CALLERS)

    told: list[Any] = []

    def call(_: int) -> tuple[int, str]:
        api = ApiClient(token)
        barrier.wait(timeout=30)
        try:
            answer = api.post(f"/chats/{chat.pk}/{path}", json=bodies[path], idempotency_key="one")
            if answer.status_code == 409:
                told.append((answer.json()["previous"], answer.json()["same_request"]))
            return answer.status_code, answer.json().get("code", "done")
        finally:
            connection.close()

    with ThreadPoolExecutor(CALLERS) as callers:
        answers = Counter(callers.map(call, range(CALLERS)))
    success = 202 if path == "messages" else 200
    assert answers == {(success, "done"): 1, (409, "idempotency_key_reused"): CALLERS - 1}
    assert Message.objects.filter(chat=chat).count() == (path == "messages")
    made = Message.objects.get().pk if path == "messages" else chat.pk
    assert {(previous["status"], previous["id"], same) for previous, same in told} == {(success, made, True)}
    assert IdempotencyKey.objects.count() == 1


# Of this database alone, as other tests run beside: who waits for a transaction holds locks on tables, too.
WAITING_FOR_A_LOCK = """
    SELECT FROM pg_locks WHERE NOT granted AND pid IN (
        SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database()
    )"""


@pytest.mark.django_db(transaction=True)
def test_a_key_that_is_claimed_by_who_waits_for_the_chat_is_refused() -> None:
    """Closing claims first and then locks, posting locks first and then claims. Who waited first finds it out."""
    widget = WidgetFactory.create()
    chat = ChatFactory.create(contact__widget=widget)
    agent = AgentFactory.create(widget=widget)
    token = ApiTokenFactory.create(widget=widget)
    claimed = Event()

    def close() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL deadlock_timeout = '1min'")  # on a busy machine, too, the other finds it out
                IdempotencyLock(widget.pk, "one").take()
                claimed.set()
                while True:
                    cursor.execute(WAITING_FOR_A_LOCK)
                    if cursor.rowcount:
                        break
                cursor.execute("UPDATE chats_chat SET status = 'expired' WHERE id = %s", [chat.pk])
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as somebody:
        closing = somebody.submit(close)
        assert claimed.wait(30)
        answer = send(ApiClient(plain_text(token)), chat, "one", agent_id=agent.pk)
        closing.result()
    assert_problem(answer, 409, "idempotency_key_reused")
    assert not Message.objects.exists()
    assert Chat.objects.get().status == "expired"
