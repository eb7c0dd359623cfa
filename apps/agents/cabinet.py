"""The cabinet's forms of invitations and departments."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.accounts.cabinet import only_choice
from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.agents.rules import departments
from apps.core.parsing.names import name_refusal


class InviteForm(forms.Form):
    """Whom the cabinet's staff invite, and to which of their widgets."""

    widget = forms.ModelChoiceField(Widget.objects.none(), label=capfirst(_("widget")), widget=UnfoldAdminSelectWidget)
    email = forms.EmailField(label=capfirst(_("e-mail")), max_length=254, widget=UnfoldAdminEmailInputWidget)

    def __init__(self, data: Any = None, *, widgets: QuerySet[Widget]) -> None:
        super().__init__(data)
        self.fields["widget"].queryset = widgets  # type: ignore[attr-defined]
        self.fields["widget"].initial = only_choice(widgets)


def _name(text: str) -> str:
    if refusal := name_refusal(text):
        raise ValidationError(refusal)
    return text


class AgentForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """What visitors see of an operator."""

    class Meta:
        model = Agent
        fields = ["name", "surname", "show_in_header"]

    def clean_name(self) -> str:
        return _name(self.cleaned_data["name"])

    def clean_surname(self) -> str:
        surname: str = self.cleaned_data["surname"]
        return surname and _name(surname)


DAY_LABELS = {
    "Monday": _("Monday"),
    "Tuesday": _("Tuesday"),
    "Wednesday": _("Wednesday"),
    "Thursday": _("Thursday"),
    "Friday": _("Friday"),
    "Saturday": _("Saturday"),
    "Sunday": _("Sunday"),
}
_HOURS = re.compile(r"\s*(\S+?)\s*[-–—]\s*(\S+)\s*")


def hours_text(hours: departments.Hours) -> str:
    """A day's hours as the cabinet writes them: `full`, `09:00-18:00`, or nothing when closed."""
    if hours is None or isinstance(hours, str):
        return hours or ""
    return f"{hours['from']}-{hours['to']}"


class HoursField(forms.CharField):
    """A day's hours as text; becomes what a schedule holds for the day."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Two ways to write the same hours are no change."""
        try:
            return bool(hours_text(self.to_python(data)) != (initial or ""))
        except ValidationError:
            return True

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        if text in ("", departments.FULL):
            return text or None
        found = _HOURS.fullmatch(str(text))
        hours = {"from": found[1], "to": found[2]} if found else text
        if departments.schedule_refusals({"Monday": hours}):
            raise ValidationError(_("Hours are written 09:00-18:00, or full; an empty line means closed."))
        return hours


class DepartmentForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A department with its operators, who are of its widget, and the hours of each day."""

    channels = forms.MultipleChoiceField(
        label=capfirst(_("channels")),
        choices=[(channel, channel) for channel in departments.CHANNELS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("smb is the website's widget."),
    )
    members = forms.ModelMultipleChoiceField(
        Agent.objects.none(), label=capfirst(_("operators")), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Department
        fields = ["name"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        department: Department = self.instance
        self.fields["channels"].initial = department.channels
        if department._state.adding:
            del self.fields["members"]
            return
        self.fields["members"].queryset = Agent.objects.of(department.widget_id).order_by("pk")  # type: ignore[attr-defined]
        self.fields["members"].initial = department.agents.all()
        for day, label in DAY_LABELS.items():
            self.fields[day] = HoursField(
                label=capfirst(label),
                required=False,
                initial=hours_text(department.schedule.get(day)),
                max_length=16,
                widget=UnfoldAdminTextInputWidget,
            )

    def clean_name(self) -> str:
        return _name(self.cleaned_data["name"])
