"""The project's URLs: each installed app's, and the API's documentation."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularRedocView, SpectacularSwaggerView

from apps.core import plugins
from apps.core.views import SchemaView

API_BASE = "api/v1/"

urlpatterns: list[URLPattern | URLResolver] = [
    *(path(API_BASE, include(module)) for module in plugins.url_modules("api_urls")),
    *(path("", include(module)) for module in plugins.url_modules("site_urls")),
    path("api/schema", SchemaView.as_view(), name="schema"),
    path("api/docs", SpectacularSwaggerView.as_view(url_name="schema"), name="api-docs"),
    path("api/redoc", SpectacularRedocView.as_view(url_name="schema"), name="api-redoc"),
    path("admin/", admin.site.urls),
]

handler404 = "apps.core.views.not_found"
handler500 = "apps.core.views.server_error"
