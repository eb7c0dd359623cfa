"""The document of an invoice is a file of the widget, and of no chat."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, File
from apps.core.problems import Problem
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.factories import ApiTokenFactory, FileFactory
from tests.factories.accounts import plain_text
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
POSTS: tuple[Callable[..., Any], ...] = (actions.post_agent_message, actions.post_note)


@pytest.fixture
def bill(shop: Widget) -> File:
    return FileFactory.create(widget=shop, purpose="invoice")


def with_scopes(shop: Widget, *scopes: str) -> ApiClient:
    return ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=list(scopes))))


def test_a_token_reads_it_with_the_scope_of_billing(shop: Widget, bill: File) -> None:
    assert with_scopes(shop, "files:read", "billing:read").get(f"/files/{bill.pk}").status_code == 302


def test_without_that_scope_it_is_the_404_of_no_file(shop: Widget, bill: File) -> None:
    api = with_scopes(shop, "files:read", "chats:read")
    hidden = assert_problem(api.get(f"/files/{bill.pk}"), 404, "not_found")
    absent = assert_problem(api.get("/files/987654"), 404, "not_found")
    assert {**hidden, "instance": None} == {**absent, "instance": None}


def test_the_console_has_it_not(alice: Agent, bill: File) -> None:
    assert_problem(Console(alice).get(f"/files/{bill.pk}"), 404, "not_found")


@pytest.mark.parametrize("post", POSTS)
def test_it_can_not_be_sent_to_a_visitor(post: Callable[..., Any], chat: Chat, alice: Agent, bill: File) -> None:
    before, content = snapshot(), {"type": "file", "file_id": bill.pk}
    with pytest.raises(Problem) as refused:
        post(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content=content)
    assert refused.value.type.code == "not_found"
    assert snapshot() == before


def test_nor_over_the_api_by_a_token_that_may_read_it(shop: Widget, chat: Chat, alice: Agent, bill: File) -> None:
    api, before = with_scopes(shop, "messages:write", "files:read", "billing:read"), snapshot()
    answer = api.post(
        f"/chats/{chat.pk}/messages", json={"type": "file", "file": {"id": bill.pk}, "agent_id": alice.pk}
    )
    assert_problem(answer, 404, "not_found")
    assert snapshot() == before
