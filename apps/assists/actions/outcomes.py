"""The outcome of a draft: an operator has sent a message that began with it."""

import json
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from apps.agents.models import Agent
from apps.ai.rules.redaction import Redaction
from apps.assists.actions.asking import change_assist
from apps.assists.actions.jobs import MAX_KEPT
from apps.assists.models import Assist
from apps.assists.rules.distances import distance
from apps.assists.rules.kinds import AssistKind, AssistOutcome, AssistState
from apps.chats.models import Message
from apps.chats.rules import SenderKind

# What stands as the tool of a shadow note that was taken for an answer.
SHADOW = "shadow"


@transaction.atomic
def note_sent(
    *,
    agent: Agent,
    chat_id: int,
    message_id: int,
    body: str,
    client_id: UUID,
    assist_id: int | None = None,
    from_message_id: int | None = None,
) -> None:
    """Notes that the operator's message was made from an assist of theirs, or from a machine's note of the chat.

    One that is not there, or not theirs, is no matter: what they sent is sent.
    """
    if assist_id is not None:
        rows = Assist.objects.for_widget(agent.widget_id).filter(chat_id=chat_id, agent=agent)
        assist = rows.filter(pk=assist_id, state=AssistState.DONE).select_for_update(no_key=True).first()
        if assist is not None:
            offered = json.loads(assist.result or "{}").get("text", assist.answer)
            change_assist(assist, **_outcome(offered, body), sent_message_id=message_id)
    elif from_message_id is not None:
        _note_of_shadow(agent, chat_id, from_message_id, message_id, body, client_id)


def _note_of_shadow(agent: Agent, chat_id: int, note_id: int, message_id: int, body: str, client_id: UUID) -> None:
    notes = Message.objects.for_widget(agent.widget_id).filter(chat_id=chat_id, is_internal=True)
    note = notes.filter(pk=note_id, sender_kind__in=(SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)).first()
    known = Assist.objects.for_widget(agent.widget_id).filter(agent=agent, client_id=client_id)
    if note is None or known.exists():
        return
    asked = Message.objects.for_widget(agent.widget_id).filter(
        chat_id=chat_id, is_internal=False, sender_kind=SenderKind.CLIENT, pk__lt=note_id
    )
    question = asked.order_by("-pk").values_list("body", flat=True).first() or ""
    hide = Redaction().hide
    Assist.objects.create(
        widget_id=agent.widget_id,
        chat_id=chat_id,
        agent=agent,
        client_id=client_id,
        kind=AssistKind.DRAFT,
        tool=SHADOW,
        is_automatic=True,
        state=AssistState.DONE,
        based_on=note_id,
        question=hide(question)[:MAX_KEPT],
        answer=hide(note.body)[:MAX_KEPT],
        sent_message_id=message_id,
        finished_at=Now(),
        due_at=None,
        is_redacted=True,
        **_outcome(note.body, body),
    )


def _outcome(offered: str, sent: str) -> dict[str, object]:
    far = distance(offered, sent)
    is_same = offered.strip() == sent.strip()
    return {
        "outcome": AssistOutcome.USED if is_same else AssistOutcome.EDITED,
        "distance": far,
        "sent": Redaction().hide(sent)[:MAX_KEPT],
    }
