"""The cabinet's pages of operators and departments, to be read."""

from django.contrib import admin

from apps.accounts.cabinet import OwnRowsAdmin
from apps.agents.models import Agent, Department


@admin.register(Agent)
class AgentAdmin(OwnRowsAdmin):
    account_path = "widget__account_id"
    list_display = ("full_name", "email", "widget", "type", "role", "status")
    list_filter = ("widget", "type", "status")
    list_select_related = ("widget",)
    search_fields = ("name", "surname", "email")
    ordering = ("widget", "id")
    fields = (
        "widget",
        "type",
        "role",
        "status",
        "name",
        "surname",
        "email",
        "user",
        "show_in_header",
        "created_at",
    )


@admin.register(Department)
class DepartmentAdmin(OwnRowsAdmin):
    account_path = "widget__account_id"
    list_display = ("name", "widget", "internal")
    list_filter = ("widget", "internal")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "id")
    fields = ("widget", "name", "channels", "agents", "schedule", "internal", "created_at", "updated_at")
