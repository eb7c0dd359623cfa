"""The cabinet's pages of accounts, people, widgets and API tokens."""

from django.contrib import admin
from django.contrib.auth.models import Group

from apps.accounts.models import AuditEntry
from apps.cabinet.admin.health import HealthAdmin
from apps.cabinet.admin.people import AccountAdmin, UserAdmin
from apps.cabinet.admin.widgets import ApiTokenAdmin, WidgetAdmin
from apps.cabinet.audit.page import AuditEntryAdmin

__all__ = ["AccountAdmin", "ApiTokenAdmin", "HealthAdmin", "UserAdmin", "WidgetAdmin"]

# Permissions are not given by group: see `cabinet`. The library's page of the audit trail shows it to everybody.
admin.site.unregister([Group, AuditEntry])
admin.site.register(AuditEntry, AuditEntryAdmin)
