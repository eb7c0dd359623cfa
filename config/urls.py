"""The project's URLs: each installed app's, and the cabinet."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from apps.core import plugins

API_BASE = "api/v1/"

urlpatterns: list[URLPattern | URLResolver] = [
    *(path(API_BASE, include(module)) for module in plugins.url_modules("api/urls.py")),
    *(path("", include(module)) for module in plugins.url_modules("urls.py")),
    path("admin/", admin.site.urls),
]

handler403 = "apps.cabinet.error_pages.refused"
handler404 = "apps.core.views.not_found"
handler500 = "apps.cabinet.error_pages.failed"
