"""The tools of automations: a trial, runs, their undoing."""

from typing import Any

import pytest

from apps.chats.models import Chat
from tests.automations.acting import ran
from tests.factories import MessageFactory
from tests.factories.automations import AutomationFactory, AutomationRunFactory
from tests.mcp.messages import Mcp

pytestmark = pytest.mark.django_db


@pytest.fixture
def mcp(token: str) -> Mcp:
    return Mcp(token)


def test_an_automation_is_tried_and_its_run_taken_back_once(mcp: Mcp, chat: Chat) -> None:
    automation = AutomationFactory.create(
        widget=chat.widget, is_enabled=False, tried_version=None, when={"event": "visitor.wrote"}
    )
    MessageFactory.create(chat=chat, sender_kind="client", body="Почём розы?")
    tried = mcp.call("try_automation", automation_id=automation.pk, days=7)["structuredContent"]["data"]
    assert (tried["version"], tried["runs"], [each["chat_id"] for each in tried["samples"]]) == (1, 1, [chat.pk])
    automation.refresh_from_db()
    assert (automation.tried_version, automation.is_enabled) == (1, False)

    asked = ran(chat, {"do": "priority", "value": "urgent"})
    undone = mcp.call("undo_automation_run", run_id=asked.pk)["structuredContent"]["data"]
    assert undone == {"undone": ["priority"], "kept": []}
    chat.refresh_from_db()
    assert chat.priority == "normal"
    assert mcp.refusal("undo_automation_run", run_id=asked.pk)["code"] == "already_undone"


def test_of_another_widget_there_is_nothing(mcp: Mcp, rival: Any) -> None:
    run = AutomationRunFactory.create(chat=rival.chat)
    assert mcp.refusal("try_automation", automation_id=run.automation_id)["code"] == "not_found"
    assert mcp.refusal("undo_automation_run", run_id=run.pk)["code"] == "not_found"
    assert mcp.call("list_automation_runs", chat_id=rival.chat.pk)["structuredContent"]["data"] == []
