"""The base of pages that show what happened, and change nothing."""

from typing import Any

from django.http import HttpRequest

from apps.cabinet.tenant_admin import TenantAdmin


class LogAdmin(TenantAdmin):
    """Rows of a widget that a page lists, newest first, and shows; nobody adds, changes or deletes them there."""

    account_path = "widget__account_id"
    list_select_related: Any = ("widget",)
    ordering: Any = ("-id",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields
