from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.kb.api.crawler import CrawlerViewSet
from apps.kb.api.knowledge import RulesViewSet, RuleViewSet
from apps.kb.api.search import SearchViewSet
from apps.kb.api.sources import SourceViewSet
from apps.kb.api.status import StatusViewSet
from apps.kb.api.uploads import UploadViewSet

urlpatterns = [
    path("kb/rules", RulesViewSet.as_view({"get": "list", "post": "create", "delete": "destroy"})),
    path(
        "kb/rules/<id:rule_id>",
        RuleViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("kb/search", SearchViewSet.as_view({"get": "retrieve"})),
    path("kb/sources", SourceViewSet.as_view({"get": "list"})),
    path("kb/crawler", CrawlerViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"})),
    path("kb/status", StatusViewSet.as_view({"get": "retrieve"})),
    path("kb/uploads", UploadViewSet.as_view({"get": "list", "post": "create"})),
    path("kb/uploads/<id:upload_id>", UploadViewSet.as_view({"get": "retrieve", "delete": "destroy"})),
]
