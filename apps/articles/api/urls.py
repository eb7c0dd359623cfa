from django.apps import apps as django_apps
from django.urls import path

from apps.articles.api.articles import (
    ArticleTextViewSet,
    ArticleVersionsViewSet,
    ArticleVersionViewSet,
    ArticleViewSet,
)
from apps.articles.api.centers import (
    ArticleCategoryViewSet,
    ArticlePictureViewSet,
    HelpCenterViewSet,
    HelpDomainViewSet,
)
from apps.articles.api.gaps import ArticleGapViewSet, ArticleTellingViewSet
from apps.articles.api.imports import ArticleImportViewSet
from apps.articles.api.search import ArticleResultsViewSet, ArticleSearchViewSet
from apps.chats.rules.languages import LANGUAGES
from apps.core.endpoints import converters

converters.register_keys("lang", LANGUAGES)

TEXT = "articles/<id:article_id>/texts/<lang:lang>"

urlpatterns = [
    path("help-center", HelpCenterViewSet.as_view({"get": "retrieve", "patch": "partial_update"})),
    path("help-center/domain/check", HelpDomainViewSet.as_view({"post": "check"})),
    path("help-center/domain", HelpDomainViewSet.as_view({"put": "put"})),
    path("articles", ArticleViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "articles/<id:article_id>",
        ArticleViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path(TEXT, ArticleTextViewSet.as_view({"put": "put", "delete": "destroy"})),
    path(f"{TEXT}/publish", ArticleTextViewSet.as_view({"post": "publish"})),
    path(f"{TEXT}/unpublish", ArticleTextViewSet.as_view({"post": "unpublish"})),
    path(f"{TEXT}/versions", ArticleVersionsViewSet.as_view({"get": "list"})),
    path(f"{TEXT}/versions/<id:version>", ArticleVersionViewSet.as_view({"get": "retrieve"})),
    path("article-categories", ArticleCategoryViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "article-categories/<id:category_id>",
        ArticleCategoryViewSet.as_view({"patch": "partial_update", "delete": "destroy"}),
    ),
    path("article-imports", ArticleImportViewSet.as_view({"post": "create"})),
    path("article-imports/<id:import_id>", ArticleImportViewSet.as_view({"get": "retrieve"})),
    path("article-pictures", ArticlePictureViewSet.as_view({"post": "create"})),
    path("articles/<id:article_id>/tell", ArticleTellingViewSet.as_view({"post": "tell"})),
    path("articles/search", ArticleSearchViewSet.as_view({"get": "list"})),
    path("article-results", ArticleResultsViewSet.as_view({"get": "retrieve"})),
]

if django_apps.is_installed("apps.ai"):  # whose scope they ask for
    urlpatterns += [
        path("article-gaps", ArticleGapViewSet.as_view({"get": "list"})),
        path("article-gaps/<str:gap>/draft", ArticleGapViewSet.as_view({"post": "draft"})),
    ]
