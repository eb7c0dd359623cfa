"""The cabinet's page of the installation's health."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import BackupNote
from apps.cabinet.health import health
from apps.cabinet.menu import INSTALLATION, MenuPlace
from apps.cabinet.tenant_admin import TenantAdmin


@admin.register(BackupNote)
class HealthAdmin(TenantAdmin):
    """One page for those who run the installation, in place of a list of the backups that were told."""

    menu = MenuPlace(INSTALLATION, 10, _("Health"))
    titles = (_("health of the installation"), _("health of the installation"))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Health of the installation"),
            "groups": health(timezone.now()),
        }
        return TemplateResponse(request, "admin/accounts/health.html", context)
