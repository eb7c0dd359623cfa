"""Operators' calls of a message."""

from typing import Any

from django.utils import timezone

from apps.chats.actions.delivery import send_message_again
from apps.chats.errors import CHAT_IS_SPAM, MESSAGE_NOT_FAILED
from apps.chats.models import Message
from apps.chats.serializers.chats import OperatorMessageSerializer
from apps.console.authentication import SessionAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet


class ConsoleMessageViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Message

    @operation(
        summary="Send a message again", answers=OperatorMessageSerializer, problems=(CHAT_IS_SPAM, MESSAGE_NOT_FAILED)
    )
    def resend(self, call: RequestContext) -> Any:
        """Queues a failed message to a messenger again; a message that has not failed is refused."""
        send_message_again(widget_id=call.widget_id, message_id=call.target_id, now=timezone.now())
        return call.target
