"""The cabinet's page of a widget's own hours."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.forms import ModelForm, Script
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.agents.actions.hours import change_widget_week
from apps.agents.forms import DAY_LABELS, WidgetWeekForm, state_line
from apps.agents.models import Department, WidgetWeek
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.weeks import read_week
from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin


@admin.register(WidgetWeek)
class WidgetWeekAdmin(WidgetPageAdmin):
    """The hours that hold for chats without a department, and the time zone of all departments without one."""

    menu = MenuTab(Department, 5, _("The widget's hours"))
    purpose = _("When the widget is open for chats without a department.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    form = WidgetWeekForm
    lines_from = ("accounts.widget", "agents.widgetweek")
    titles = (_("the widget's hours"), _("the widget's hours"))
    labels = {"widget": _("widget"), "schedule": _("hours")}
    list_display = ("widget",)
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")
    readonly_fields = ("widget", "open_now")

    class Media:
        js = (Script("agents/hours.js", defer=True),)

    @admin.display(description=pgettext_lazy("what holds", "now"))
    def open_now(self, row: WidgetWeek) -> str:
        """Whether the widget is open, and until when."""
        return state_line(hours_of_widget(row.widget_id).hours.now(timezone.now()))

    def get_fields(self, request: HttpRequest, obj: WidgetWeek | None = None) -> tuple[str, ...]:
        if not self.has_change_permission(request, obj):
            return self.readonly_fields
        return ("open_now", "has_own", "time_zone", *DAY_LABELS)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        """The days are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    def write(self, request: HttpRequest, obj: WidgetWeek, form: ModelForm[Any], change: bool) -> None:
        wanted = form.cleaned_data
        week = read_week({day: wanted[day] for day in DAY_LABELS}) if wanted["has_own"] else None
        change_widget_week(widget_id=obj.widget_id, time_zone=wanted["time_zone"], week=week)
