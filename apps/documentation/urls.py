from django.urls import URLPattern, path
from django.views.generic import RedirectView

from apps.documentation import views
from apps.documentation.parts import REST, parts


def _pages_of(name: str) -> list[URLPattern]:
    """A document, its page, and that page's older address: the REST API's page has no name behind it."""
    below, suffix = ("", "") if name == REST else (f"/{name}", f"-{name}")
    return [
        path(f"api/schema/{name}", views.SchemaView.as_view(part=name), name=f"schema-{name}"),
        path(f"api/docs{below}", views.viewer, {"name": name}, name=f"api-docs{suffix}"),
        path(f"api/redoc{below}", RedirectView.as_view(pattern_name=f"api-docs{suffix}", permanent=True)),
    ]


urlpatterns = [
    path("api/schema", views.SchemaView.as_view(), name="schema"),
    *(address for name in parts() for address in _pages_of(name)),
    path("api/docs/guides/", views.guides, name="guides"),
    path("api/docs/guides", RedirectView.as_view(pattern_name="guides", permanent=True)),
    path("api/docs/guides/<slug:name>", views.guide, name="guide"),
    path("api/docs/samples/<path:name>", views.sample, name="sample"),
    path("problems/", views.problem_index, name="problem-index"),
    path("problems/<slug:code>", views.problem_page, name="problem"),
]
