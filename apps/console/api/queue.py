"""The queue, and offers that are let pass, for operators."""

from typing import Any

from django.apps import apps as django_apps

from apps.chats.models import Chat
from apps.console import querysets
from apps.console.authentication import SessionAuthenticator
from apps.console.serializers.responses import InboxChatSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND
from apps.routing.errors import NOT_OFFERED
from apps.routing.serializers import QueueSerializer

# Without the app nothing is offered, and there is no queue.
IS_INSTALLED = django_apps.is_installed("apps.routing")


class ConsoleQueueViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show the queue", answers=QueueSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """As the API shows it: departments, operators with their places, chats in order, and the last hour's waits."""
        if not IS_INSTALLED:
            raise NOT_FOUND()
        from apps.routing.querysets.board import queue_of

        return queue_of(context.widget_id)


class OfferViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(summary="Let an offered chat pass", answers=InboxChatSerializer, problems=(NOT_OFFERED,))
    def decline(self, context: RequestContext) -> dict[str, Any]:
        """The chat goes to the next operator, and is not offered to the caller again in this wait."""
        if not IS_INSTALLED:
            raise NOT_OFFERED()
        from apps.routing.actions.offers import decline

        decline(widget_id=context.widget_id, chat_id=context.target_id, agent_id=context.caller.agent.pk)
        for row in querysets.inbox_rows(context.widget_id, [context.target_id]):
            return row
        raise NOT_FOUND()
