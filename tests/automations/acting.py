"""Acts done in tests as a run does them."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent
from apps.automations.actions.acts.acting import Done
from apps.automations.actions.performing import perform
from apps.automations.models import Automation, AutomationRun
from apps.chats.models import Chat
from tests.factories.automations import AutomationRunFactory


def ran(
    chat: Chat,
    *then: dict[str, Any],
    when: dict[str, Any] | None = None,
    facts: dict[str, Any] | None = None,
    **row: Any,
) -> AutomationRun:
    """A run of an automation that did those acts."""
    trigger = when or {"event": "visitor.wrote"}
    run: AutomationRun = AutomationRunFactory.create(chat=chat, trigger=trigger, did=[], **row)
    name = trigger.get("event") or trigger.get("wait")
    with transaction.atomic():
        automation: Automation | None = run.automation
        perform(run, chat, then, facts=facts or {}, trigger=name, as_of=timezone.now(), automation=automation)
    run.refresh_from_db()
    return run


def did(chat: Chat, act: dict[str, Any], **options: Any) -> tuple[str, str | None]:
    """The result of an automation's act, and why."""
    (found,) = ran(chat, act, **options).did
    assert found["do"] == act["do"]
    return found["result"], found["why"]


__all__ = ["Agent", "Done", "did", "ran"]
