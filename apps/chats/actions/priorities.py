"""How urgent a chat is: people and programs say it; lists, queues and answer times go by it."""

from django.db import transaction

from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import PriorityChanged
from apps.chats.models import Chat
from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.priorities import Priority


@transaction.atomic
def set_priority(*, widget_id: int, chat_id: int, priority: Priority, by_agent_id: int | None = None) -> Chat:
    """Gives a chat a priority, in any state but spam; without effect if it has that one already.

    The thread says so to operators, and no visitor is told. Raises NOT_FOUND (404), CHAT_IS_SPAM (409).
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if chat.priority != priority:
        record_step(chat, StepKind.PRIORITY, agent_id=by_agent_id, comment=priority)
        changed = PriorityChanged.of(chat, before=chat.priority, priority=priority.value)
        record_change(chat, changed, priority=priority)
    return chat
