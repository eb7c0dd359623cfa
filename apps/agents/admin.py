"""The cabinet's pages of operators, who can be named there, and of departments, to be read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.accounts.cabinet import OwnRowsAdmin, Who, called
from apps.agents.actions import update_profile
from apps.agents.models import Agent, Department

# What the stored values are called.
VALUES = (
    *(pgettext_lazy("value", "Human"), pgettext_lazy("value", "Ai"), pgettext_lazy("value", "Webhook")),
    *(pgettext_lazy("value", "Active"), pgettext_lazy("value", "Relaxation"), pgettext_lazy("value", "Banned")),
    *(pgettext_lazy("value", "Owner"), pgettext_lazy("value", "Operator")),
)


@admin.register(Agent)
class AgentAdmin(OwnRowsAdmin):
    """An operator becomes one by an invitation; here the account's staff name them."""

    account_path = "widget__account_id"
    may_change = Who.ACCOUNT
    titles = (_("operator"), _("operators"))
    labels = {
        "widget": _("widget"),
        "name": _("name"),
        "surname": _("surname"),
        "email": _("e-mail"),
        "type": _("kind"),
        "role": _("role"),
        "status": _("status"),
        "user": _("signs in as"),
        "show_in_header": _("shown in the widget's header"),
        "created_at": _("created"),
    }
    list_display = ("full_name", "email", "widget", "type_name", "role_name", "status_name")
    list_filter = ("widget", "type", "status")
    list_select_related = ("widget",)
    search_fields = ("name", "surname", "email")
    ordering = ("widget", "id")
    fields = (
        "name",
        "surname",
        "show_in_header",
        "status_name",
        "type_name",
        "role_name",
        "email",
        "user",
        "widget",
        "created_at",
    )
    readonly_fields = ("status_name", "type_name", "role_name", "email", "user", "widget", "created_at")

    @admin.display(description=_("name"), ordering="name")
    def full_name(self, agent: Agent) -> str:
        return agent.full_name

    @admin.display(description=_("kind"), ordering="type")
    def type_name(self, agent: Agent) -> str:
        return called(Agent.Type(agent.type).label)

    @admin.display(description=_("role"), ordering="role")
    def role_name(self, agent: Agent) -> str:
        return called(Agent.Role(agent.role).label)

    @admin.display(description=_("status"), ordering="status")
    def status_name(self, agent: Agent) -> str:
        return called(Agent.Status(agent.status).label)

    def write(self, request: HttpRequest, obj: Agent, form: ModelForm[Any], change: bool) -> None:
        update_profile(
            widget_id=obj.widget_id,
            agent_id=obj.pk,
            name=obj.name,
            surname=obj.surname,
            show_in_header=obj.show_in_header,
        )


@admin.register(Department)
class DepartmentAdmin(OwnRowsAdmin):
    account_path = "widget__account_id"
    titles = (_("department"), _("departments"))
    labels = {
        "widget": _("widget"),
        "name": pgettext_lazy("of a thing", "name"),
        "channels": _("channels"),
        "agents": _("operators"),
        "schedule": _("hours"),
        "internal": _("internal"),
        "created_at": _("created"),
        "updated_at": _("changed"),
    }
    list_display = ("name", "widget", "internal")
    list_filter = ("widget", "internal")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "id")
    fields = ("widget", "name", "channels", "agents", "schedule", "internal", "created_at", "updated_at")
