"""Whether a message begins a chat: it would open an episode (chats/rules/episodes.py)."""

from datetime import datetime

from django.db.models import Q

from apps.chats.models import ChatActivity, Message
from apps.chats.rules import SenderKind
from apps.chats.rules.activities import StepKind
from apps.chats.rules.episodes import episodes_of
from apps.chats.rules.histories import ChatHistory, ChatWord, EpisodeStep, EpisodeStepKind, WordSide, side_of
from apps.chats.rules.messages import ANSWERING, BY_ITSELF

# So many of the newest words are looked at: an episode of more has begun.
MOST_WORDS = 200
_NEXT_ID = 2**63 - 1
_KINDS = {
    StepKind.CLOSED: EpisodeStepKind.CLOSED,
    StepKind.WAITS: EpisodeStepKind.HANDED_OVER,
    StepKind.DEALT_WITH: EpisodeStepKind.DEALT_WITH,
}


def begins_chat(widget_id: int, chat_id: int | None, text: str, now: datetime) -> bool:
    """Whether a visitor's text begins a chat now: the first, after a close, after a day's silence; no thanks.

    Indexes: chats_message_in_chat, chats_step_in_chat, backwards.
    """
    if chat_id is None:
        return True
    spoken = (
        Message.objects.for_widget(widget_id)
        .filter(
            chat_id=chat_id,
            is_internal=False,
            sender_kind__in=[SenderKind.CLIENT, *ANSWERING],
        )
        .exclude(Q(origin__in=BY_ITSELF) & ~Q(sender_kind=SenderKind.CLIENT))
    )
    columns = ("id", "created_at", "sender_kind", "via", "details", "type", "body", "agent_id")
    rows = list(spoken.order_by("-id").values_list(*columns)[:MOST_WORDS])[::-1]
    words = [
        ChatWord(id_, at, side_of(kind, via, details), body if type_ == "text" else None, agent_id)
        for id_, at, kind, via, details, type_, body, agent_id in rows
        if "deleted_at" not in (details or {})
    ]
    words.append(ChatWord(_NEXT_ID, now, WordSide.VISITOR, text))
    steps = ChatActivity.objects.for_widget(widget_id).filter(
        chat_id=chat_id, kind__in=list(_KINDS), after_message_id__gte=words[0].id
    )
    history = ChatHistory(
        words,
        [
            EpisodeStep(id_, after_id, at, _KINDS[StepKind(kind)])
            for id_, after_id, at, kind in steps.order_by("id").values_list("id", "after_message_id", "at", "kind")
        ],
    )
    episodes = episodes_of(history)
    return bool(episodes) and episodes[-1].id == _NEXT_ID
