"""The project's URLs: each installed app's, and the API's documentation."""

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularRedocView, SpectacularSwaggerSplitView

from apps.core import plugins
from apps.core.views import SchemaView

API_BASE = "api/v1/"

# Both put styles into their pages, and pictures into their styles; Redoc searches in a worker that it makes itself.
documentation = csp_update({"style-src": [UNSAFE_INLINE], "img-src": ["data:"], "worker-src": [SELF, "blob:"]})

urlpatterns: list[URLPattern | URLResolver] = [
    *(path(API_BASE, include(module)) for module in plugins.url_modules("api_urls")),
    *(path("", include(module)) for module in plugins.url_modules("site_urls")),
    path("api/schema", SchemaView.as_view(), name="schema"),
    path("api/docs", documentation(SpectacularSwaggerSplitView.as_view(url_name="schema")), name="api-docs"),
    path("api/redoc", documentation(SpectacularRedocView.as_view(url_name="schema")), name="api-redoc"),
    path("admin/", admin.site.urls),
]

handler404 = "apps.core.views.not_found"
handler500 = "apps.core.views.server_error"
