"""The acts of a run, one after the other: each sees the chat as the ones before left it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.agents.models import Agent
from apps.automations.actions.acts import ACTING
from apps.automations.actions.acts.acting import Acting, Done
from apps.automations.models import Automation, AutomationRun
from apps.automations.rules.runs import ActResult, RunState
from apps.chats.actions.changes import locked_chat
from apps.chats.models import Chat
from apps.core.problems import Problem


def perform(
    run: AutomationRun,
    chat: Chat,
    then: Sequence[Mapping[str, Any]],
    *,
    facts: Mapping[str, Any],
    trigger: str,
    as_of: datetime,
    automation: Automation | None = None,
    agent: Agent | None = None,
    texts: Mapping[str, Any] | None = None,
) -> list[Done]:
    """Does the acts in a locked chat, inside the transaction of the run, and notes the result of each in the run.

    An act that is refused (`Problem`) has `failed` with the problem's code and done nothing; the rest goes on. Any
    other error undoes the whole run.
    """
    done: list[Done] = []
    for act in then:
        acting = Acting(
            chat=locked_chat(chat.widget_id, chat.pk),
            act=act,
            run=run,
            automation=automation,
            agent=agent,
            trigger=trigger,
            facts=facts,
            as_of=as_of,
            texts=texts or {},
        )
        done.append(_done(acting))
    run.did = [
        {"do": act["do"], "result": each.result.value, "why": each.why} for act, each in zip(then, done, strict=True)
    ]
    run.before = [each.before for each in done]
    is_whole = all(each.result is ActResult.DONE for each in done)
    run.state = RunState.DONE if is_whole else RunState.PARTLY
    run.save(update_fields=["did", "before", "state"])
    return done


def _done(acting: Acting) -> Done:
    try:
        with transaction.atomic():
            return ACTING[acting.act["do"]](acting)
    except Problem as problem:
        return Done(ActResult.FAILED, problem.type.code)
