from django.urls import URLPattern, path
from django.views.generic import RedirectView

from apps.core.endpoints.parts import REST, parts
from apps.documentation import views


def _pages_of(name: str) -> list[URLPattern]:
    """The page of a document, and its older address: the REST API's are the ones without a name behind them."""
    below, suffix = ("", "") if name == REST else (f"/{name}", f"-{name}")
    return [
        path(f"api/docs{below}", views.viewer, {"name": name}, name=f"api-docs{suffix}"),
        path(f"api/redoc{below}", RedirectView.as_view(pattern_name=f"api-docs{suffix}", permanent=True)),
    ]


urlpatterns = [
    *(address for name in parts() for address in _pages_of(name)),
    path("api/docs/guides/", views.guides, name="guides"),
    path("api/docs/guides", RedirectView.as_view(pattern_name="guides", permanent=True)),
    path("api/docs/guides/<slug:name>", views.guide, name="guide"),
    path("api/docs/samples/<path:name>", views.sample, name="sample"),
    path("problems/", views.problem_index, name="problem-index"),
    path("problems/<slug:code>", views.problem_page, name="problem"),
]
