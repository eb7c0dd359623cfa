"""The visitors' thumbs under machines' messages."""

from django.db import transaction
from django.utils import timezone

from apps.ai.events import AnswerRated
from apps.ai.models import AnswerFeedback, Exchange
from apps.ai.rules.redaction import Redaction
from apps.chats.actions.changes import locked_chat, record_change
from apps.chats.models import Message
from apps.chats.rules import SenderKind


@transaction.atomic
def rate_answer(*, widget_id: int, chat_id: int, message_id: int, helpful: bool | None) -> None:
    """Stores what a visitor says of a machine's message, in place of what they said before; None takes it back.

    The caller has found the message to be a machine's, of the visitor's own chat. The same again changes nothing.
    """
    chat = locked_chat(widget_id, chat_id)
    given = AnswerFeedback.objects.for_widget(widget_id).filter(pk=message_id)
    if given.values_list("helpful", flat=True).first() is helpful:
        return
    exchanges = Exchange.objects.for_widget(widget_id).filter(chat_id=chat_id, answer_message_id=message_id)
    exchange = exchanges.first()
    if helpful is None:
        given.delete()
    else:
        values = {"helpful": helpful, "at": timezone.now()}
        whose = {"widget_id": widget_id, "chat_id": chat_id, "exchange": exchange}
        AnswerFeedback.objects.unscoped("its chat was read with its widget").update_or_create(
            pk=message_id, defaults=values, create_defaults={**values, **whose}
        )
    first, question = (
        (exchange.first_message_id, exchange.question) if exchange else _asked(widget_id, chat_id, message_id)
    )
    record_change(
        chat,
        AnswerRated(widget_id=widget_id, chat_id=chat_id, first_message_id=first, question=question, helpful=helpful),
    )


def _asked(widget_id: int, chat_id: int, message_id: int) -> tuple[int, str]:
    """The visitor's message before a machine's, redacted. Index: chats_message_in_chat."""
    said = Message.objects.for_widget(widget_id).filter(
        chat_id=chat_id, pk__lt=message_id, sender_kind=SenderKind.CLIENT, is_internal=False
    )
    found = said.order_by("-pk").values_list("pk", "body").first()
    return (found[0], Redaction().hide(found[1])) if found else (0, "")
