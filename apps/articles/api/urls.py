from django.urls import path

from apps.articles.api.search import ArticleResultsViewSet, ArticleSearchViewSet

urlpatterns = [
    path("articles/search", ArticleSearchViewSet.as_view({"get": "list"})),
    path("article-results", ArticleResultsViewSet.as_view({"get": "retrieve"})),
]
