"""Reviews over REST, with their scores, for programs."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet
from apps.reviews.models import Review
from apps.reviews.serializers import ReviewRowSerializer


class ReviewViewSet(ApiViewSet):
    reads = ("stats:read",)

    @operation(summary="List reviews", answers=ReviewRowSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first. Scores, notes and suggestions stay in the console."""
        return context.page(Review.objects.for_widget(context.widget_id))
