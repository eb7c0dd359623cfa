"""The cabinet's forms of invitations and departments."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
)

from apps.accounts.models import Widget
from apps.agents.actions import remove_avatar, store_avatar
from apps.agents.forms import DAY_LABELS, add_days, refuse_overlaps, zone_choices
from apps.agents.models import Agent, Department
from apps.agents.questions import messengers
from apps.agents.rules import MAX_AVATAR_BYTES, departments, weeks
from apps.agents.serializers.requests import cabinet_ids
from apps.agents.serializers.responses import avatar_address
from apps.cabinet.menu import MenuGroup
from apps.cabinet.tenant_admin import TenantAdmin, only_choice
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.parsing.names import name_refusal
from apps.core.problems import Problem

PEOPLE = MenuGroup(50, _("People and hours"), "groups")


class AvatarForm(forms.Form):
    """A picture of an operator."""

    file = forms.ImageField(
        label=_("Picture"),
        widget=UnfoldAdminFileFieldWidget,
        help_text=_("JPEG, PNG, GIF or WebP, 2 MB at most. It is cut down to 512 × 512 pixels."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_AVATAR_BYTES:
            raise ValidationError(_("The file is too large."))
        return file


def avatar_page(page: TenantAdmin, request: HttpRequest, agent: Agent, back: str) -> HttpResponse:
    """The picture of an operator, or of an AI operator: shown, set and taken away."""
    form = AvatarForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and "remove" in request.POST:
        if agent.avatar:
            remove_avatar(widget_id=agent.widget_id, agent_id=agent.pk)
        return HttpResponseRedirect(request.path)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        claim = IdempotencyLock(agent.widget_id, f"cabinet-{uuid4().hex}")
        with ReceivedFile(file.name) as upload:
            file.seek(0)
            for chunk in file.chunks():
                upload.write(chunk)
            try:
                store_avatar(widget_id=agent.widget_id, agent_id=agent.pk, upload=upload, lock=claim)
            except Problem as refused:
                form.add_error("file", gettext(refused.type.explanation))
            else:
                return HttpResponseRedirect(request.path)
    context = {
        **page.admin_site.each_context(request),
        "opts": page.opts,
        "title": agent.full_name,
        "form": form,
        "picture": avatar_address(agent.pk, agent.avatar),
        "button": gettext("Save the picture"),
        "back": back,
    }
    return TemplateResponse(request, "admin/simple_form.html", context)


class InviteForm(forms.Form):
    """The form of an invitation: the address, the widget, and the department in which they are to be."""

    widget = forms.ModelChoiceField(Widget.objects.none(), label=capfirst(_("widget")), widget=UnfoldAdminSelectWidget)
    email = forms.EmailField(label=capfirst(_("e-mail")), max_length=254, widget=UnfoldAdminEmailInputWidget)
    department = forms.ModelChoiceField(
        Department.objects.none(),
        label=capfirst(_("department")),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Optional: they are in it from the first day."),
    )

    def __init__(self, data: Any = None, *, widgets: QuerySet[Widget], departments: QuerySet[Department]) -> None:
        super().__init__(data)
        self.fields["department"].queryset = departments.order_by("name", "pk")  # type: ignore[attr-defined]
        self.fields["widget"].queryset = widgets  # type: ignore[attr-defined]
        self.fields["widget"].initial = only_choice(widgets)

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        department, widget = found.get("department"), found.get("widget")
        if department is not None and widget is not None and department.widget_id != widget.pk:
            self.add_error("department", _("This department is of another widget."))
        return found


def _name(text: str) -> str:
    if refusal := name_refusal(text):
        raise ValidationError(refusal)
    return text


class AgentForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The form of an operator's public fields."""

    class Meta:
        model = Agent
        fields = ["name", "surname", "show_in_header"]

    def clean_name(self) -> str:
        return _name(self.cleaned_data["name"])

    def clean_surname(self) -> str:
        surname: str = self.cleaned_data["surname"]
        return surname and _name(surname)


def channel_choices() -> list[tuple[str, str]]:
    """The channels whose chats a department may take: the site's, and each messenger's."""
    named = [(each.code, gettext(each.name)) for each in messengers() if each.in_departments]
    return [(departments.ON_SITE, gettext("the website")), *named]


class DepartmentForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A department with its operators, who are of its widget, and the hours of each day."""

    channels = forms.MultipleChoiceField(
        label=capfirst(_("channels")),
        choices=channel_choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    members = forms.ModelMultipleChoiceField(
        Agent.objects.none(), label=capfirst(_("operators")), required=False, widget=forms.CheckboxSelectMultiple
    )

    time_zone = forms.ChoiceField(
        label=capfirst(_("time zone")),
        required=False,
        choices=[("", _("the widget's")), *zone_choices()],
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of the department's hours, where it is another one."),
    )

    class Meta:
        model = Department
        fields = ["name"]

    members_of: Sequence[Widget] = ()  # the widgets of whose operators a new department's are chosen

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        department: Department = self.instance
        self.fields["channels"].initial = department.channels
        if department._state.adding:
            self._offer(self.members_of)
        else:
            cabinets = [departments.cabinet_channel(id_) for id_ in sorted(cabinet_ids(department.widget_id))]
            named = [(channel, _("ad cabinet %(channel)s") % {"channel": channel}) for channel in cabinets]
            self.fields["channels"].choices = [*self.fields["channels"].choices, *named]  # type: ignore[attr-defined]
            self._offer([department.widget])
            self.fields["members"].initial = department.agents.all()
        self.fields["time_zone"].initial = department.time_zone
        add_days(self, weeks.week_of(department.schedule), help_text=self._zones())

    def _offer(self, widgets: Sequence[Widget]) -> None:
        """Offers the operators of these widgets, each with the widget's name where there are several."""
        self.offered_of = widgets
        rows = (
            Agent.objects.unscoped("of the widgets that the person may see")
            .filter(widget__in=widgets)
            .select_related("widget")
            .order_by("widget_id", "pk")
        )
        self.fields["members"].queryset = rows  # type: ignore[attr-defined]
        if len(widgets) > 1:
            self.fields["members"].label_from_instance = lambda agent: f"{agent} · {agent.widget}"  # type: ignore[attr-defined]

    def _zones(self) -> Any:
        if len({widget.time_zone for widget in self.offered_of}) != 1:
            return _("Times are of the widget's time zone.")
        return _("Times are of %(zone)s, the widget's time zone.") % {"zone": self.offered_of[0].time_zone}

    def clean(self) -> dict[str, Any]:
        """The members are of the department's widget; a new department keeps the hours of days that are not told."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.instance._state.adding:
            refuse_overlaps(self, cleaned)
            return cleaned
        widget = cleaned.get("widget")
        if any(agent.widget_id != getattr(widget, "pk", None) for agent in cleaned.get("members", ())):
            self.add_error("members", _("Choose operators of the department's widget."))
        for day in DAY_LABELS:
            if self.fields[day].widget.value_omitted_from_data(self.data, self.files, self.add_prefix(day)):
                cleaned[day] = self.fields[day].initial
        refuse_overlaps(self, cleaned)
        return cleaned

    def clean_name(self) -> str:
        return _name(self.cleaned_data["name"])
