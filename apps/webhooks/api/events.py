"""The catalogue of events over REST (specification, "Events")."""

from apps.core.endpoints.calls import Call
from apps.core.endpoints.operations import Literally, operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.webhooks import rules
from apps.webhooks.models import EventSwitch
from apps.webhooks.shapes import CatalogueShape


class EventViewSet(ApiViewSet):
    @operation(scopes=("webhooks:read",), summary="List webhook events", answers=CatalogueShape, literal=True)
    def list(self, call: Call) -> Literally:
        """Every name that a subscription may list: first the native ones, then the legacy ones, all on one page.

        While a name is not `enabled`, subscriptions to it are accepted and nothing is delivered.
        """
        enabled = set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True))
        return Literally({"data": rules.catalogue(enabled=enabled), "next_cursor": None})
