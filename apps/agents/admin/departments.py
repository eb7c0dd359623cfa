"""The cabinet's pages of departments and holidays."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm, Script
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.agents.actions.departments import (
    change_department,
    change_hours,
    create_department,
    delete_department,
    replace_agents,
)
from apps.agents.actions.holidays import delete_holiday, write_holiday
from apps.agents.cabinet import PEOPLE, DepartmentForm
from apps.agents.forms import DAY_LABELS, HolidayForm, PublicHolidaysForm, people_line, state_line, written_periods
from apps.agents.models import Department, Holiday
from apps.agents.querysets.hours import hours_of_department
from apps.agents.rules.weeks import MAX_TEXT, read_week, schedule_of
from apps.cabinet.chosen_widget import current_widget
from apps.cabinet.menu import MenuPlace, MenuTab, RowTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of, user_of

NOBODY_ANSWERS = gettext_noop("Nobody answers in this department: it has no operators.")
NAMED = 3  # operators of a department whom the list names


@admin.register(Department)
class DepartmentAdmin(TenantAdmin):
    """A department with its operators and hours. It is for visitors or for colleagues from its beginning on."""

    menu = MenuPlace(PEOPLE, 20, _("Departments and hours"))
    row_tab = RowTab(Department, 0, _("Hours and operators"))
    purpose = _("Groups of operators with their channels and hours.")
    found_at = 50
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    form = DepartmentForm

    class Media:
        js = (Script("agents/hours.js", defer=True),)

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
    list_display = ("name", "widget", "who_answers", "internal")
    list_filter = ("widget", "internal")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "id")
    readonly_fields = ("internal", "created_at", "updated_at", "who_answers", "open_now")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("agents")

    @admin.display(description=_("who answers"))
    def who_answers(self, department: Department) -> str:
        """The names of the operators; of a department without any, that nobody answers in it."""
        names = [agent.full_name for agent in department.agents.all()]
        if not names:
            return gettext(NOBODY_ANSWERS)
        more = len(names) - NAMED
        return ", ".join(names[:NAMED]) + (f" + {more}" if more > 0 else "")

    @admin.display(description=pgettext_lazy("what holds", "now"))
    def open_now(self, department: Department) -> str:
        """Whether it is open, until when, and how many of its operators are here."""
        hours = hours_of_department(department.widget_id, department.pk)
        if hours is None:
            return ""
        told, everybody = hours.now(timezone.now()), department.agents.people()
        return " ".join((state_line(told), people_line(everybody.available().count(), everybody.count())))

    def get_fields(self, request: HttpRequest, obj: Department | None = None) -> tuple[str, ...]:
        if obj is None:
            return ("widget", "name", "channels", "members", "time_zone", *DAY_LABELS, "internal")
        if not self.has_change_permission(request, obj):
            return ("widget", "name", "channels", "who_answers", "open_now", "internal", "created_at", "updated_at")
        return (
            *("widget", "name", "channels", "members", "open_now", "time_zone", *DAY_LABELS),
            *("internal", "created_at", "updated_at"),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Department | None = None) -> tuple[str, ...]:
        return ("created_at", "updated_at") if obj is None else ("widget", *self.readonly_fields)

    def _members_of(self, request: HttpRequest) -> list[Widget]:
        """The widgets of whose operators those of a new department are chosen; of an installation, the chosen one."""
        if (widget := current_widget(request)) is not None:
            return [widget]
        return list(self.own_choices(Widget, request)) if user_of(request).account_id is not None else []

    def get_form(self, request: HttpRequest, obj: Department | None = None, change: bool = False, **kwargs: Any) -> Any:
        """The days are fields of the form, and no fields of the model."""
        kwargs["fields"] = ["name"] if obj else ["widget", "name", "internal"]
        form = super().get_form(request, obj, change, **kwargs)
        if obj is None:
            form.members_of = self._members_of(request)
        return form

    def write(self, request: HttpRequest, obj: Department, form: ModelForm[Any], change: bool) -> None:
        wanted = form.cleaned_data
        if not wanted["members"]:
            messages.warning(request, gettext(NOBODY_ANSWERS))
        if not change:
            obj.pk = create_department(
                widget_id=wanted["widget"].pk,
                name=wanted["name"],
                channels=wanted["channels"],
                agent_ids=[agent.pk for agent in wanted["members"]],
                schedule=schedule_of(read_week({day: wanted[day] for day in DAY_LABELS})),
                internal=wanted["internal"],
                time_zone=wanted["time_zone"],
            ).pk
            return
        changes, where = changes_of(form), {"widget_id": obj.widget_id, "department_id": obj.pk}
        own: dict[str, Any] = {name: changes[name] for name in ("name", "channels", "time_zone") if name in changes}
        if own:
            change_department(**where, changes=own)
        if "members" in changes:
            replace_agents(**where, agent_ids=[agent.pk for agent in changes["members"]])
        if hours := {day: changes[day] for day in DAY_LABELS if day in changes}:
            change_hours(**where, hours=hours)

    def remove(self, request: HttpRequest, obj: Department) -> None:
        delete_department(widget_id=obj.widget_id, department_id=obj.pk)


@admin.register(Holiday)
class HolidayAdmin(TenantAdmin):
    """Dates on which all departments of a widget are closed."""

    menu = MenuTab(Department, 10, _("Holidays"))
    purpose = _("Dates with other hours, and the words for visitors.")
    account_path = "widget__account_id"
    may_add = may_change = may_delete = AccessLevel.ACCOUNT
    form = HolidayForm
    titles = (_("holiday"), _("holidays"))
    labels = {
        "widget": _("widget"),
        "department": _("department"),
        "periods": _("hours on these dates"),
        "day": _("first day"),
        "until": _("last day"),
        "every_year": _("every year"),
        "text": _("what visitors read"),
    }
    list_display = ("day", "until", "every_year", "department_name", "hours_on", "text", "widget")
    actions_list = ("public_holidays",)

    class Media:
        js = (Script("agents/hours.js", defer=True),)

    list_filter = ("widget",)
    list_select_related = ("widget", "department")
    ordering = ("day", "id")

    def get_readonly_fields(self, request: HttpRequest, obj: Holiday | None = None) -> tuple[str, ...]:
        return ("widget", "department", "day") if obj else ()

    @admin.display(description=_("department"), ordering="department__name")
    def department_name(self, holiday: Holiday) -> str:
        return holiday.department.name if holiday.department is not None else gettext("all departments")

    @admin.display(description=_("hours on these dates"))
    def hours_on(self, holiday: Holiday) -> str:
        return written_periods(holiday.periods) or gettext("closed")

    @unfold_action(description=_("Public holidays…"), url_path="public")  # type: ignore[untyped-decorator]
    def public_holidays(self, request: HttpRequest) -> HttpResponse:
        """The public holidays of a country and a year, to be ticked; a POST closes the ticked dates."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        chosen = PublicHolidaysForm(request.GET or None, widgets=self.own_choices(Widget, request))
        found = list(chosen.holidays()) if chosen.is_bound and chosen.is_valid() else []
        if request.method == "POST" and found:
            wanted = set(request.POST.getlist("date"))
            closed = [each for each in found if each.date.isoformat() in wanted]
            widget_id = chosen.cleaned_data["widget"].pk
            for each in closed:
                write_holiday(widget_id=widget_id, day=each.date, text=each.name[:MAX_TEXT])
            count = len(closed)
            added = ngettext("%(count)d date is added.", "%(count)d dates are added.", count) % {"count": count}
            messages.success(request, added)
            return HttpResponseRedirect(reverse("admin:agents_holiday_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Public holidays"),
            "form": chosen,
            "found": found,
            "is_asked": chosen.is_bound and chosen.is_valid(),
        }
        return TemplateResponse(request, "admin/agents/public_holidays.html", context)

    def write(self, request: HttpRequest, obj: Holiday, form: ModelForm[Any], change: bool) -> None:
        told = {name: form.cleaned_data[name] for name in ("until", "every_year", "periods", "text")}
        obj.pk = write_holiday(widget_id=obj.widget_id, department_id=obj.department_id, day=obj.day, **told).pk

    def remove(self, request: HttpRequest, obj: Holiday) -> None:
        delete_holiday(widget_id=obj.widget_id, holiday_id=obj.pk)
