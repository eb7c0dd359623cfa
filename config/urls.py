"""The project's URLs: each installed app's, the OpenAPI documents, and the cabinet."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from apps.core import plugins
from apps.core.endpoints.parts import parts
from apps.core.views import SchemaView

API_BASE = "api/v1/"

urlpatterns: list[URLPattern | URLResolver] = [
    *(path(API_BASE, include(module)) for module in plugins.url_modules("api/urls.py")),
    *(path("", include(module)) for module in plugins.url_modules("urls.py")),
    path("api/schema", SchemaView.as_view(), name="schema"),
    *(path(f"api/schema/{name}", SchemaView.as_view(part=name), name=f"schema-{name}") for name in parts()),
    path("admin/", admin.site.urls),
]

handler403 = "apps.accounts.error_pages.refused"
handler404 = "apps.core.views.not_found"
handler500 = "apps.accounts.error_pages.failed"
