"""The cabinet's pages of routing and answer times: of a widget, of its departments, and operators' places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.agents.models import Agent, Department
from apps.cabinet.menu import MenuTab, RowTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.routing.actions.places import change_places
from apps.routing.actions.settings import change_routing, routing_of
from apps.routing.cabinet import load_line, now_line, told_line
from apps.routing.forms import (
    MODES,
    MORE_OF_DEPARTMENT,
    MORE_OF_WIDGET,
    MORE_TIMES,
    SEEN,
    SEEN_TIMES,
    DepartmentRoutingForm,
    OperatorRoutingForm,
    RoutingForm,
    WidgetRoutingForm,
    places_name,
)
from apps.routing.models import OperatorPlaces, RoutingSettings
from apps.routing.models.pages import DepartmentRouting, OperatorRouting, WidgetRouting
from apps.routing.querysets.estimates import estimate_figures

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django_stubs_ext import StrOrPromise

ROUTING, MORE = _("Routing"), _("More")
TIMES, MORE_OF_TIMES = _("Answer times"), _("More on answer times")
TOLD = _("Times told to visitors")


class _SettingsPage(TenantAdmin):
    """The common parts of the pages of a widget and of a department."""

    may_change = AccessLevel.ACCOUNT

    def sections(self) -> list[tuple[StrOrPromise, tuple[str, ...], bool]]:
        """The groups of fields: title, names, and whether it is folded."""
        raise NotImplementedError

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if not self.has_change_permission(request, obj):
            return [(None, {"fields": ("now", "chosen", "told")})]
        return [
            (title, {"fields": names, "classes": ["collapse"] if folded else []})
            for title, names, folded in self.sections()
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("now", "chosen", "told")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        """The settings are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    def settings_shown(self) -> Iterable[StrOrPromise]:
        return (ROUTING, TIMES)


@admin.register(WidgetRouting)
class WidgetRoutingAdmin(_SettingsPage, WidgetPageAdmin):
    """The routing of chats without a department, and of departments that say nothing else."""

    menu = MenuTab(Department, 6, _("Routing and answer times"))
    purpose = _("Who gets a chat, and in which time it is answered.")
    account_path = "account_id"
    form = WidgetRoutingForm
    titles = (_("routing and answer times"), _("routing and answer times"))
    list_display = ("name",)
    ordering = ("name",)

    def lines_of(self, row: Any) -> list[str]:
        return [f"routing.routingsettings:*:widget={row.pk}"]

    def sections(self) -> list[tuple[StrOrPromise, tuple[str, ...], bool]]:
        return [
            (ROUTING, ("now", "told", *SEEN, "capacity"), False),
            (MORE, MORE_OF_WIDGET, True),
            (TIMES, SEEN_TIMES, False),
            (MORE_OF_TIMES, MORE_TIMES, True),
        ]

    @admin.display(description=pgettext_lazy("what holds", "now"))
    def now(self, widget: WidgetRouting) -> str:
        """The line on a new chat without a department."""
        return now_line(widget.pk, None)

    @admin.display(description=_("Who gets a chat"))
    def chosen(self, widget: WidgetRouting) -> Any:
        return MODES[routing_of(widget.pk, None).mode.value]

    @admin.display(description=TOLD)
    def told(self, widget: WidgetRouting) -> str:
        """How many of the times held that visitors were told, in all departments."""
        return told_line(estimate_figures(widget.pk, timezone.now()).values())

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        _change(obj.pk, None, form)


@admin.register(DepartmentRouting)
class DepartmentRoutingAdmin(_SettingsPage):
    """The routing of a department; a field that is empty is the widget's."""

    menu = MenuTab(Department, 7, _("Routing of departments"))
    row_tab = RowTab(Department, 10, ROUTING)
    purpose = _("Departments in which chats are given or answered in another way than in the widget.")
    account_path = "widget__account_id"
    form = DepartmentRoutingForm
    titles = (_("routing of a department"), _("routing of departments"))
    list_display = ("name", "widget", "chosen")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("widget", "id")

    def lines_of(self, row: Any) -> list[str]:
        settings = RoutingSettings.objects.for_widget(row.widget_id).filter(department=row.pk)
        return [f"routing.routingsettings:{pk or 0}" for pk in [settings.values_list("pk", flat=True).first()]]

    def sections(self) -> list[tuple[StrOrPromise, tuple[str, ...], bool]]:
        return [
            (ROUTING, ("now", "told", *SEEN), False),
            (MORE, MORE_OF_DEPARTMENT, True),
            (TIMES, ("own_times", *SEEN_TIMES), False),
            (MORE_OF_TIMES, MORE_TIMES, True),
        ]

    @admin.display(description=pgettext_lazy("what holds", "now"))
    def now(self, department: DepartmentRouting) -> str:
        """The line on a new chat of the department."""
        return now_line(department.widget_id, department.pk)

    @admin.display(description=_("Who gets a chat"))
    def chosen(self, department: DepartmentRouting) -> Any:
        return MODES[routing_of(department.widget_id, department.pk).mode.value]

    @admin.display(description=TOLD)
    def told(self, department: DepartmentRouting) -> str:
        """How many of the times held that visitors of the department were told."""
        figures = estimate_figures(department.widget_id, timezone.now())
        return told_line(figures[pk] for pk in (department.pk,) if pk in figures)

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        _change(obj.widget_id, obj.pk, form)

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Stays on the page: its line tells of now."""
        return HttpResponseRedirect(request.path)


@admin.register(OperatorRouting)
class OperatorRoutingAdmin(TenantAdmin):
    """How many chats an operator is offered at once."""

    menu = MenuTab(Agent, 20, pgettext_lazy("of operators", "Places"))
    row_tab = RowTab(Agent, 10, pgettext_lazy("of operators", "Places"))
    purpose = _("How many chats an operator is offered at once.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    form = OperatorRoutingForm
    titles = (_("operator's places"), _("operators' places"))
    list_display = ("full_name", "widget")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name", "surname", "email")
    ordering = ("widget", "id")
    readonly_fields = ("now",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).filter(type=Agent.Type.HUMAN)

    def lines_of(self, row: Any) -> list[str]:
        places = OperatorPlaces.objects.for_widget(row.widget_id).filter(agent=row.pk)
        return [f"routing.operatorplaces:{pk}" for pk in places.values_list("pk", flat=True)] or [
            "routing.operatorplaces:0"
        ]

    @admin.display(description=_("name"), ordering="name")
    def full_name(self, operator: OperatorRouting) -> str:
        return operator.full_name

    @admin.display(description=pgettext_lazy("what holds", "now"))
    def now(self, operator: OperatorRouting) -> str:
        """The line that says how many chats the operator has, and why they are offered none."""
        return load_line(operator.widget_id, operator.pk)

    def get_fields(self, request: HttpRequest, obj: OperatorRouting | None = None) -> tuple[str, ...]:
        if obj is None or not self.has_change_permission(request, obj):
            return ("now",)
        return ("now", "capacity", *(places_name(each.pk) for each in obj.departments.order_by("name", "pk")))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        """The places are fields of the form, and no fields of the model."""
        options["fields"] = []
        return super().get_form(request, obj, change, **options)

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        changed = form.changed_data
        changes: dict[str, Any] = {"capacity": form.cleaned_data["capacity"]} if "capacity" in changed else {}
        changes["departments"] = {
            department.pk: form.cleaned_data[name] for name, department in form.departments.items() if name in changed
        }
        change_places(widget_id=obj.widget_id, agent_id=obj.pk, changes=changes)


def _change(widget_id: int, department_id: int | None, form: RoutingForm) -> None:
    if changes := form.changes():
        change_routing(widget_id=widget_id, department_id=department_id, changes=changes)
