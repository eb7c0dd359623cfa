"""The project's URLs: each installed app's, and the API's documentation."""

from typing import Any

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularRedocView, SpectacularSwaggerSplitView

from apps.core import plugins
from apps.core.endpoints.parts import REST, RenderedPart, parts
from apps.core.views import SchemaView

API_BASE = "api/v1/"

# Both put styles into their pages, and pictures into their styles; Redoc searches in a worker that it makes itself.
documentation = csp_update({"style-src": [UNSAFE_INLINE], "img-src": ["data:"], "worker-src": [SELF, "blob:"]})


def pages_of(part: RenderedPart) -> list[URLPattern]:
    """A part of the OpenAPI document and its two pages: the REST API's are the ones without a name behind them."""
    below, suffix = ("", "") if part.name == REST else (f"/{part.name}", f"-{part.name}")
    shown: Any = {"url_name": f"schema-{part.name}", "title": part.title}
    swagger, redoc = SpectacularSwaggerSplitView.as_view(**shown), SpectacularRedocView.as_view(**shown)
    return [
        path(f"api/schema/{part.name}", SchemaView.as_view(part=part.name), name=shown["url_name"]),
        path(f"api/docs{below}", documentation(swagger), name=f"api-docs{suffix}"),
        path(f"api/redoc{below}", documentation(redoc), name=f"api-redoc{suffix}"),
    ]


urlpatterns: list[URLPattern | URLResolver] = [
    *(path(API_BASE, include(module)) for module in plugins.url_modules("api/urls.py")),
    *(path("", include(module)) for module in plugins.url_modules("urls.py")),
    path("api/schema", SchemaView.as_view(), name="schema"),
    *(address for part in parts().values() for address in pages_of(part)),
    path("admin/", admin.site.urls),
]

handler404 = "apps.core.views.not_found"
handler500 = "apps.core.views.server_error"
