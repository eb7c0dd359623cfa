"""Operators' calls of a message."""

from typing import Any

from django.utils import timezone

from apps.chats.actions.delivery import send_message_again
from apps.chats.actions.own_messages import delete_message
from apps.chats.errors import (
    CHANNEL_CANNOT_DELETE,
    CHANNEL_CANNOT_EDIT,
    CHAT_IS_SPAM,
    MESSAGE_DELETED,
    MESSAGE_NOT_FAILED,
    NOT_YOURS,
    TOO_LATE,
)
from apps.chats.models import Message, MessageEdit
from apps.chats.serializers.chats import OperatorMessageSerializer
from apps.console.actions.sending import edit_own_message
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import TRANSLATION_DIFFERS
from apps.console.querysets.page import HAS_LETTERS
from apps.console.serializers.requests import EditBody, formatted
from apps.console.serializers.responses import FormerTextSerializer, LetterSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND


class ConsoleMessageViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Message

    @operation(
        summary="Send a message again", answers=OperatorMessageSerializer, problems=(CHAT_IS_SPAM, MESSAGE_NOT_FAILED)
    )
    def resend(self, context: RequestContext) -> Any:
        """Queues a failed message to a messenger again; a message that has not failed is refused."""
        send_message_again(widget_id=context.widget_id, message_id=context.target_id, now=timezone.now())
        return context.target

    @operation(
        summary="Edit an own message",
        takes=EditBody,
        answers=OperatorMessageSerializer,
        problems=(NOT_YOURS, TOO_LATE, MESSAGE_DELETED, CHANNEL_CANNOT_EDIT, TRANSLATION_DIFFERS),
        example={"body": "The tea is back on Monday."},
    )
    def partial_update(self, context: RequestContext) -> Any:
        """Text messages and notes that the caller wrote in the console, for 15 minutes.

        `markdown` in place of `body` gives the text with marks; `source` is the caller's own words where the text is
        their translation. Visitors see the new text, and that it was edited.
        """
        if context.body:
            edit_own_message(
                operator=context.caller.agent,
                message_id=context.target_id,
                source=context.body.get("source"),
                **formatted(context.body),
            )
        return Message.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)

    @operation(
        summary="Delete an own message",
        status=204,
        problems=(NOT_YOURS, TOO_LATE, CHANNEL_CANNOT_DELETE),
    )
    def destroy(self, context: RequestContext) -> None:
        """Messages and notes that the caller wrote in the console, for 15 minutes; deleting one again changes nothing.

        A visitor whom it answered waits again, since they asked.
        """
        delete_message(widget_id=context.widget_id, message_id=context.target_id, agent_id=context.caller.agent.pk)

    @operation(summary="List a message's former texts", answers=FormerTextSerializer, lists="whole")
    def edits(self, context: RequestContext) -> Any:
        """The texts before each edit, the first one first; that of a deleted message is for managers alone."""
        edits = MessageEdit.objects.for_widget(context.widget_id).filter(message_id=context.target_id)
        if not context.caller.is_manager and "deleted_at" in (context.target.details or {}):
            edits = edits.none()
        return context.whole(edits.order_by("id"))

    @operation(summary="Get the letter that a message came by", answers=LetterSerializer)
    def letter(self, context: RequestContext) -> Any:
        """The whole letter, with what it quotes; its markup has no scripts, styles and pictures."""
        if not HAS_LETTERS:
            raise NOT_FOUND()
        from apps.letters.actions.receiving.showing import letter_of_message

        return letter_of_message(widget_id=context.widget_id, message_id=context.target_id)
