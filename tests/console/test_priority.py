"""The priority of a chat, over REST and in the console: it is stored, told in the thread, and to operators alone."""

import pytest

from apps.agents.models import Agent
from apps.chats.events import ChatUpdated, PriorityChanged
from apps.chats.models import Chat, ChatActivity
from apps.chats.rules.activities import FOR_VISITORS, StepKind
from apps.core.bus import DomainEvent
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def test_a_chat_has_the_normal_priority_at_first(chat: Chat, api: ApiClient, alices_console: Console) -> None:
    assert api.get(f"/chats/{chat.pk}").json()["data"]["priority"] == "normal"
    assert alices_console.data("GET", f"/chats/{chat.pk}")["chat"]["priority"] == "normal"


def test_an_operator_sets_it_and_the_thread_says_who(chat: Chat, alices_console: Console, alice: Agent) -> None:
    row = alices_console.data("PUT", f"/chats/{chat.pk}/priority", json={"priority": "urgent"})
    assert (row["priority"], row["version"]) == ("urgent", chat.version + 1)
    (step,) = ChatActivity.objects.filter(chat=chat)
    assert (step.kind, step.agent_id, step.comment) == (StepKind.PRIORITY, alice.pk, "urgent")
    assert StepKind.PRIORITY not in FOR_VISITORS


def test_a_program_sets_it_and_apps_above_are_told(chat: Chat, api: ApiClient, happened: list[DomainEvent]) -> None:
    answer = api.put(f"/chats/{chat.pk}/priority", json={"priority": "low"})
    assert answer.json()["data"]["priority"] == "low"
    (changed,) = [event for event in happened if isinstance(event, PriorityChanged)]
    assert (changed.chat_id, changed.before, changed.priority) == (chat.pk, "normal", "low")
    assert any(isinstance(event, ChatUpdated) for event in happened)


def test_the_same_priority_changes_nothing(chat: Chat, alices_console: Console) -> None:
    before = snapshot()
    alices_console.data("PUT", f"/chats/{chat.pk}/priority", json={"priority": "normal"})
    assert snapshot() == before


def test_a_spam_chat_has_none(chat: Chat, api: ApiClient, alices_console: Console) -> None:
    Chat.objects.filter(pk=chat.pk).update(status="spam")
    before = snapshot()
    assert_problem(api.put(f"/chats/{chat.pk}/priority", json={"priority": "high"}), 409, "chat_is_spam")
    assert_problem(alices_console.put(f"/chats/{chat.pk}/priority", json={"priority": "high"}), 409, "chat_is_spam")
    assert snapshot() == before


@pytest.mark.parametrize("body", [{}, {"priority": None}, {"priority": "highest"}, {"priority": 3}])
def test_an_unknown_priority_is_422_by_name(chat: Chat, api: ApiClient, alices_console: Console, body: object) -> None:
    before = snapshot()
    assert_problem(api.put(f"/chats/{chat.pk}/priority", json=body), 422, "invalid_input", errors=["priority"])
    answer = alices_console.put(f"/chats/{chat.pk}/priority", json=body)
    assert_problem(answer, 422, "invalid_input", errors=["priority"])
    assert snapshot() == before
