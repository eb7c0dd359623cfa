"""Demand signals over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from django.utils import timezone

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Choice, QueryInteger
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import PeriodQuery, window_asked_for
from apps.learning.actions.topics import demand_of
from apps.learning.rules.states import DemandCategory
from apps.learning.serializers.demand import DemandSerializer


class DemandQuery(PeriodQuery):
    """The window, and what narrows the signals."""

    period = None  # type: ignore[assignment]
    category = Choice(required=False, choices=[one.value for one in DemandCategory])
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)


class DemandSignalViewSet(ApiViewSet):
    reads = ("ai:read",)

    @operation(summary="Read what visitors asked for in vain", filters=DemandQuery, answers=DemandSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Questions without an answer, chats that went to people, low ratings and forms, by topic: what is worded much
        alike. The trailing 30 days unless told otherwise.
        """
        window = window_asked_for(context.filters, now=timezone.now())
        return demand_of(
            widget_id=context.widget_id,
            window=window,
            category=context.filters.get("category"),
            limit=context.filters["limit"],
        )
