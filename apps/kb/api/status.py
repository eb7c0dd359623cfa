"""The status over REST (specification, Endpoints, "Knowledge base")."""

from typing import Any

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.kb.actions.status import status_of
from apps.kb.serializers.status import KnowledgeStatusSerializer


class StatusViewSet(ApiViewSet):
    reads = ("kb:read",)

    @operation(summary="Read whether the knowledge base is indexed and in use", answers=KnowledgeStatusSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """`reason` is the first thing that stands against its use."""
        return status_of(context.widget_id)
