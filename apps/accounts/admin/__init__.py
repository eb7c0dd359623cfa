"""The cabinet's pages of accounts, people, widgets and API tokens."""

from django.contrib import admin
from django.contrib.auth.models import Group

from apps.accounts.admin.health import HealthAdmin
from apps.accounts.admin.people import AccountAdmin, UserAdmin
from apps.accounts.admin.widgets import ApiTokenAdmin, WidgetAdmin
from apps.accounts.audit.page import AuditEntryAdmin
from apps.accounts.models import AuditEntry

__all__ = ["AccountAdmin", "ApiTokenAdmin", "HealthAdmin", "UserAdmin", "WidgetAdmin"]

# Permissions are not given by group: see `cabinet`. The library's page of the audit trail shows it to everybody.
admin.site.unregister([Group, AuditEntry])
admin.site.register(AuditEntry, AuditEntryAdmin)
