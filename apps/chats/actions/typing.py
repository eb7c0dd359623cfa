"""Telling one side of a chat that the other one types. Nothing is stored: who is not connected misses it."""

from apps.agents.models import Agent
from apps.chats.broadcasts import OperatorTyping, VisitorTyping
from apps.chats.errors import CHAT_IS_SPAM, TYPING_TOO_OFTEN
from apps.chats.models import Chat
from apps.chats.rules import Status
from apps.chats.rules.typing import START_EVERY_MS, Typing
from apps.core.redis import broadcasts, rate_limits


def tell_visitor_of_typing(
    *, widget_id: int, chat_id: int, state: Typing, agent_id: int | None = None, is_paced: bool = True
) -> None:
    """Shows the visitor that an operator types (or no longer does), under that one's name, else the chat's owner's.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409), TYPING_TOO_OFTEN (429, with `Retry-After`) for a second `start` in the
    same chat within 5 seconds, unless it is one of the service's own (`is_paced`). A refused call does not count.
    """
    chat = Chat.objects.for_widget(widget_id).select_related("agent").get_or_404(pk=chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if (
        is_paced
        and state is Typing.START
        and (wait_ms := rate_limits.wait_before(f"typing:{chat_id}", every_ms=START_EVERY_MS))
    ):
        wait = {"Retry-After": str(-(-wait_ms // 1000))}
        raise TYPING_TOO_OFTEN(headers=wait)
    writer = chat.agent if agent_id is None else Agent.objects.for_widget(widget_id).filter(pk=agent_id).first()
    name = writer.full_name if writer else None
    broadcasts.send(OperatorTyping(chat_id=chat_id, state=state, name=name))


def tell_operators_of_typing(*, chat_id: int, state: Typing) -> None:
    """Shows the operators who look at a chat that its visitor types, or no longer does. Touches no database."""
    broadcasts.send(VisitorTyping(chat_id=chat_id, state=state))
