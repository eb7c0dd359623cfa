"""The arguments of an act, and its answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from apps.agents.models import Agent
from apps.automations.models import Automation, AutomationRun
from apps.automations.rules.runs import ActResult
from apps.chats.actions.restoring import columns_of, differences
from apps.chats.models import Chat

GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """One act of a run, in a locked chat as it is now.

    `automation`, or the `agent` who runs a macro. `trigger` is the event or the wait; `facts` those of conditions.
    `texts` of a macro: `values` by the names of its inputs, `body` the text that stood in the composer, `client_id`.
    """

    chat: Chat
    act: Mapping[str, Any]
    run: AutomationRun
    automation: Automation | None
    agent: Agent | None
    trigger: str
    facts: Mapping[str, Any]
    as_of: datetime
    texts: Mapping[str, Any]

    @property
    def ids(self) -> dict[str, Any]:
        return {"widget_id": self.chat.widget_id, "chat_id": self.chat.pk}

    @property
    def by_agent_id(self) -> int | None:
        """The one who acts, for the thread: nobody for an automation."""
        return self.agent.pk if self.agent else None


class Done(NamedTuple):
    """The result of an act: why it was skipped or failed, and `before`, which undoing it needs (`actions/undo.py`).

    An act that finds it so already is done, and has nothing to undo.
    """

    result: ActResult
    why: str | None = None
    before: Mapping[str, Any] | None = None


DONE = Done(ActResult.DONE)


def skipped(why: str) -> Done:
    return Done(ActResult.SKIPPED, why)


def changing(acting: Acting, change: Callable[[], Chat], **more: Any) -> Done:
    """Done by an action on the chat, with the columns that it changed."""
    was, left = differences(columns_of(acting.chat), columns_of(change()))
    if not was:
        return DONE
    after_id = acting.chat.last_message_id or 0
    return Done(ActResult.DONE, None, {"was": was, "left": left, "after_id": after_id, **more})
