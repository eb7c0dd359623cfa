"""Sources over REST (specification, Endpoints, "Knowledge base")."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.kb.authentication import BodilessAuthenticator
from apps.kb.models import Source
from apps.kb.serializers.rules import SOURCE_TYPES, SourceSerializer


class SourceQuery(PageQuery):
    """The filters of the list of sources."""

    type = Choice(required=False, choices=SOURCE_TYPES)


class SourceViewSet(ApiViewSet):
    authenticator = BodilessAuthenticator()
    reads = ("kb:read",)

    @operation(summary="List sources", answers=SourceSerializer, lists=True, filters=SourceQuery)
    def list(self, context: RequestContext) -> Page:
        """Documents that rules are of, with how many, newest first."""
        return context.page(Source.objects.for_widget(context.widget_id).filled())
