"""A visitor's message has the AI side look at the chat, and so has a person who gives the chat back."""

from collections.abc import Sequence
from typing import Any

from apps.accounts.rules import Answerer
from apps.ai.actions.jobs import look_at_chat, looking_cte, note_returned
from apps.chats.events import ChatReturned, MessagePosted
from apps.chats.rules import Via
from apps.core.bus import Cte, adds_cte, reacts_to

_LOOKS = frozenset({Answerer.AI, Answerer.AI_IN_SHADOW})


@adds_cte(MessagePosted)
def look_at_what_visitors_write(events: Sequence[Any]) -> Cte | None:
    """Queues the chat by the statement that stores the message, where AI is on; elsewhere it costs nothing."""
    wanted = [
        event
        for event in events
        if event.author_type == "USER"
        and not _LOOKS.isdisjoint(event.answerers)
        and not (event.said and event.said.via == Via.OFFLINE_FORM)
    ]
    return looking_cte(wanted[-1].widget_id) if wanted else None


@reacts_to(ChatReturned)
def have_the_chat_again(event: ChatReturned) -> None:
    """The word is the AI side's again: what the visitor has asked meanwhile is answered at once."""
    note_returned(chat_id=event.chat_id)
    if not _LOOKS.isdisjoint(event.answerers):
        look_at_chat(widget_id=event.widget_id, chat_id=event.chat_id)
