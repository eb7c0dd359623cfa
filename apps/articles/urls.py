"""The public pages of help centers, and the pictures of articles."""

from django.urls import path

from apps.articles.views import domains, feedback, indexes, pages, pictures
from apps.core.endpoints import converters  # noqa: F401 - registers `guid`

HELP = "help/<slug:center>"

urlpatterns = [
    path("files/articles/<guid:guid>", pictures.picture, name="article-picture"),
    path("domains/ask", domains.ask, name="help-domain-ask"),
    path(HELP, pages.root),
    path(f"{HELP}/", pages.root, name="help-center"),
    path(f"{HELP}/sitemap.xml", indexes.sitemap),
    path(f"{HELP}/robots.txt", indexes.robots),
    path(f"{HELP}/llms.txt", indexes.llms),
    path(f"{HELP}/<slug:lang>/", pages.home),
    path(f"{HELP}/<slug:lang>/llms.txt", indexes.llms),
    path(f"{HELP}/<slug:lang>/search", pages.search),
    path(f"{HELP}/<slug:lang>/c/<str:name>", pages.category),
    path(f"{HELP}/<slug:lang>/<str:name>/feedback", feedback.feedback),
    path(f"{HELP}/<slug:lang>/<str:name>", pages.article),
    path(f"{HELP}/<path:rest>", pages.nothing),
]
