"""Operators run macros: the preview of one in a chat, and doing it.

All acts are one transaction, in the name of who runs it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.agents.models import Agent
from apps.automations.actions.acts.words import fill
from apps.automations.actions.performing import perform
from apps.automations.errors import MISSING
from apps.automations.models import AutomationRun, Macro
from apps.automations.rules.runs import RunState
from apps.automations.rules.variables import INPUT
from apps.chats.actions.changes import locked_chat, record_step
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.models import Chat, Message
from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind


class MacroPreview(NamedTuple):
    """A macro in a chat before it is run: the text of its reply, None without one; the names that nothing is known
    for; and its other acts.
    """

    text: str | None
    missing: list[str]
    does: list[Mapping[str, Any]]


def preview_macro(*, agent: Agent, chat_id: int, macro_id: int, inputs: Mapping[str, str]) -> MacroPreview:
    """The preview of a macro that the operator has, in a chat. Raises NOT_FOUND (404)."""
    macro = Macro.objects.for_widget(agent.widget_id).offered_to(agent.pk).get_or_404(pk=macro_id)
    chat = Chat.objects.for_widget(agent.widget_id).select_related("contact", "widget").get_or_404(pk=chat_id)
    return _preview(macro, chat, agent, _answers(macro, inputs))


@transaction.atomic
def run_macro(
    *, agent: Agent, chat_id: int, macro_id: int, client_id: UUID, inputs: Mapping[str, str], body: str | None = None
) -> tuple[AutomationRun, Message | None]:
    """Does the acts of a macro in the operator's name; `body` is its reply as it stood in the composer.

    Returns the run, and the message if it has a reply. The same `client_id` again gives the same, and does nothing.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409), MISSING (422) where something is not known and there is no `body`.
    """
    macro = Macro.objects.for_widget(agent.widget_id).offered_to(agent.pk).get_or_404(pk=macro_id)
    chat = locked_chat(agent.widget_id, chat_id)
    known = AutomationRun.objects.for_widget(agent.widget_id).filter(chat=chat, client_id=client_id).first()
    if known is not None:
        return known, _message(chat, client_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    answers = _answers(macro, inputs)
    preview = _preview(macro, chat, agent, answers)
    if preview.missing and body is None:
        raise MISSING(missing=preview.missing)
    run = AutomationRun.objects.create(
        widget_id=agent.widget_id,
        chat=chat,
        macro=macro,
        agent=agent,
        name=macro.name,
        trigger={},
        client_id=client_id,
        state=RunState.DONE,
    )
    record_step(chat, StepKind.AUTOMATION, agent_id=agent.pk, comment=macro.name, run_id=run.pk)
    texts = {"values": answers, "optional": _optional(macro), "body": body, "client_id": client_id}
    perform(run, chat, macro.then, facts={}, trigger="", as_of=timezone.now(), agent=agent, texts=texts)
    return run, _message(chat, client_id)


def _answers(macro: Macro, inputs: Mapping[str, str]) -> dict[str, str]:
    """The answers to the macro's questions, by their keys."""
    return {each["key"]: inputs[each["key"]].strip() for each in macro.inputs if inputs.get(each["key"], "").strip()}


def _preview(macro: Macro, chat: Chat, agent: Agent, answers: Mapping[str, str]) -> MacroPreview:
    replies = [act for act in macro.then if act["do"] == "reply"]
    written = [
        fill(act, chat, agent, answers, _optional(macro)) for act in macro.then if act["do"] in ("note", "reply")
    ]
    asked = [f"{INPUT}{each['key']}" for each in macro.inputs if each["is_required"] and each["key"] not in answers]
    missing = dict.fromkeys([*asked, *(name for text in written for name in text.missing)])
    text = fill(replies[0], chat, agent, answers, _optional(macro)).text if replies else None
    return MacroPreview(text, list(missing), [act for act in macro.then if act["do"] != "reply"])


def _optional(macro: Macro) -> Sequence[str]:
    return [each["key"] for each in macro.inputs if not each["is_required"]]


def _message(chat: Chat, client_id: UUID) -> Message | None:
    return Message.objects.for_widget(chat.widget_id).filter(chat=chat, client_id=client_id).first()
