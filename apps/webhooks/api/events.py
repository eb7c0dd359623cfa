"""The catalogue of events over REST (specification, "Events")."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet
from apps.webhooks import rules
from apps.webhooks.models import EventSwitch
from apps.webhooks.serializers import EventNameSerializer


class EventViewSet(ApiViewSet):
    reads = ("webhooks:read",)

    @operation(summary="List webhook events", answers=EventNameSerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """Every name that a subscription may list: first the native ones, then the legacy ones, all on one page.

        While a name is not `enabled`, subscriptions to it are accepted and nothing is delivered.
        """
        enabled = set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True))
        return context.whole(rules.catalogue(enabled=enabled))
