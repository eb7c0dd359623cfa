"""The cabinet's forms of invitations and departments."""

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
from apps.agents.serializers.requests import cabinet_ids
from apps.core.parsing.names import name_refusal


class InviteForm(forms.Form):
    """The form of an invitation: the address, and the widget."""

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
    """The form of an operator's public fields."""

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
CHANNEL_NAMES = {
    "smb": _("the website"),
    "tg": "Telegram",
    "vk": _("VK"),
    "wa": "WhatsApp",
    "vb": "Viber",
    "fb": "Facebook Messenger",
    "ok": _("Odnoklassniki"),
    "mx": "MAX",
    "cian": _("Cian"),
    "ali": "AliExpress",
    "apple": "Apple Messages",
}
CLOSED, ALL_DAY, FROM_TO = "", departments.FULL, "hours"
_TIME = {"type": "time", "step": 60}


class HoursWidget(forms.MultiWidget):
    """A day's hours to be picked: closed, open all day, or from one time to another."""

    template_name = "agents/hours.html"

    def __init__(self, label: str) -> None:
        kinds = [(CLOSED, _("closed")), (ALL_DAY, _("all day")), (FROM_TO, _("from, to"))]
        super().__init__(
            [
                UnfoldAdminSelectWidget(attrs={"aria-label": label}, choices=kinds),
                UnfoldAdminTextInputWidget(attrs={**_TIME, "aria-label": _("from")}),
                UnfoldAdminTextInputWidget(attrs={**_TIME, "aria-label": _("to")}),
            ]
        )

    def decompress(self, value: departments.Hours) -> list[str]:
        if value is None or isinstance(value, str):
            return [value or CLOSED, "", ""]
        return [FROM_TO, value["from"], value["to"]]


class HoursField(forms.MultiValueField):
    """A day's hours; becomes what a schedule holds for the day."""

    def __init__(self, *, label: str, **options: Any) -> None:
        fields = [forms.CharField(required=False, max_length=16) for _part in range(3)]
        super().__init__(fields, require_all_fields=False, widget=HoursWidget(label), label=label, **options)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Times beside a day that is closed, or open all day, are no change."""
        try:
            return bool(self.clean(data) != initial)
        except ValidationError:
            return True

    def compress(self, data_list: list[str]) -> departments.Hours:
        kind, begins, ends = data_list or [CLOSED, "", ""]
        hours: departments.Hours = {"from": begins[:5], "to": ends[:5]} if kind == FROM_TO else kind or None
        if departments.schedule_refusals({"Monday": hours}):
            raise ValidationError(_("Give both times, the first earlier than the second; past midnight are two days."))
        return hours


class DepartmentForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A department with its operators, who are of its widget, and the hours of each day."""

    channels = forms.MultipleChoiceField(
        label=capfirst(_("channels")),
        choices=[(channel, CHANNEL_NAMES[channel]) for channel in departments.CHANNELS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
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
        cabinets = [departments.cabinet_channel(id_) for id_ in sorted(cabinet_ids(department.widget_id))]
        named = [(channel, _("ad cabinet %(channel)s") % {"channel": channel}) for channel in cabinets]
        self.fields["channels"].choices = [*self.fields["channels"].choices, *named]  # type: ignore[attr-defined]
        self.fields["members"].queryset = Agent.objects.for_widget(department.widget_id).order_by("pk")  # type: ignore[attr-defined]
        self.fields["members"].initial = department.agents.all()
        zone = _("Times are of %(zone)s, the widget's time zone.") % {"zone": department.widget.time_zone}
        for day, label in DAY_LABELS.items():
            self.fields[day] = HoursField(
                label=str(capfirst(label)),
                required=False,
                help_text=zone if day == "Monday" else "",
                initial=department.schedule.get(day),
            )

    def clean_name(self) -> str:
        return _name(self.cleaned_data["name"])
