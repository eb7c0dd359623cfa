"""From shadow mode to live answers: who waits gets an answer, though AI has written its note about them."""

from collections.abc import Collection

from django.db.models import F
from django.utils import timezone

from apps.ai.actions.jobs import queue_reply
from apps.ai.models import Conversation
from apps.chats.models import Chat, Message
from apps.chats.querysets.waiting import is_machines_turn
from apps.chats.rules import SenderKind

# So many chats are asked about at once, those that have waited longest.
MOST = 500


def waiting_for_ai(widget_id: int) -> list[int]:
    """The open chats whose visitors wait and which are AI's, by who has waited longest."""
    chats = Chat.objects.for_widget(widget_id).unanswered(timezone.now())
    chats = chats.filter(is_machines_turn())
    return list(chats.order_by(F("waits_since")).values_list("pk", flat=True)[:MOST])


def ask_about(widget_id: int, chat_ids: Collection[int]) -> None:
    """Has AI look at these chats at once, from the last visible answer on. Inside a transaction."""
    for chat_id in chat_ids:
        said = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, is_internal=False)
        answer = said.exclude(sender_kind=SenderKind.CLIENT).order_by("-id").values_list("pk", flat=True).first()
        Conversation.objects.for_widget(widget_id).filter(pk=chat_id).update(answered_message_id=answer or 0)
        queue_reply(widget_id=widget_id, chat_id=chat_id)
