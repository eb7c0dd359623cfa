"""The queue over REST."""

from typing import Any

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.routing.querysets.board import queue_of
from apps.routing.serializers import QueueSerializer


class QueueViewSet(ApiViewSet):
    reads = ("chats:read",)

    @operation(summary="Show the queue", answers=QueueSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The departments, the operators with their places, the chats that wait in order, and the last hour's waits."""
        return queue_of(context.widget_id)
