"""The form of a report: its window, its zone and clock, its groups and its filters, as the address has them."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.agents.models import Agent, Department
from apps.cabinet.coded_values import display_value
from apps.chats.questions import channel_names
from apps.core.problems import Problem
from apps.reports.labels import BEGINS, ENDS, GROUPS, OUTCOMES, hour_of_week
from apps.reports.querysets.channels import channel_codes

Choices = list[tuple[str, str]]
# Refusals in people's words; the rest is "There is no such value.".
_REFUSALS = {
    "from": _("Choose days in their order, at most 1,100 of them."),
    "to": _("Choose days in their order, at most 1,100 of them."),
    "zone": _("There is no such time zone."),
    "group": _("That would be over 366 groups: choose fewer days, or weeks or months."),
}
FIRST = ("from", "to", "group", "channel", "department_id", "agent_id")
MORE = (
    *("compare", "zone", "clock", "tag", "language", "page", "outcome", "ended_by", "opened_by"),
    *("handover", "rating", "assistant_id", "weekday", "hour", "chat_id"),
)


class FilterForm(forms.Form):
    """Fields of the address. Refusals are told beside their fields (`refuse`)."""

    def __init__(
        self,
        params: Mapping[str, str],
        *,
        widget_id: int,
        zone: str,
        names: Iterable[str],
        groups: Mapping[str, Any] = GROUPS,
    ) -> None:
        super().__init__(data={name: _as_typed(name, value) for name, value in params.items()})
        choices = _choices(widget_id, groups)
        for name in names:
            label, known = FILTER_NAMES[name], choices.get(name)
            given = self.data.get(name, "")
            if known is None:
                field: forms.Field = forms.CharField(label=label, required=False, widget=_input(name, given, zone))
            else:
                options = known if given in dict(known) else [*known, (given, given)]
                field = forms.CharField(label=label, required=False, widget=UnfoldAdminSelectWidget(choices=options))
            self.fields[name] = field

    def refuse(self, problem: Problem) -> None:
        """Tells a report's refusals, in the reader's language."""
        for name in problem.errors or ():
            said = _REFUSALS.get(name) or _("There is no such value.")
            self.add_error(name if name in self.fields else None, str(said))

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that are in sight."""
        return [self[name] for name in self.fields if name in FIRST]

    @property
    def more(self) -> list[forms.BoundField]:
        """The others, a click away."""
        return [self[name] for name in self.fields if name in MORE]

    @property
    def shows_more(self) -> bool:
        """Whether one of the others is set, or refused."""
        return any(self.data.get(name) or name in self.errors for name in self.fields if name in MORE[3:])


FILTER_NAMES: Mapping[str, Any] = {
    "from": pgettext_lazy("a day", "From"),
    "to": pgettext_lazy("a day", "Until (not included)"),
    "group": _("Group by"),
    "compare": _("Beside it"),
    "zone": _("Time zone"),
    "clock": _("Waits count"),
    "channel": pgettext_lazy("group", "Channel"),
    "department_id": pgettext_lazy("group", "Department"),
    "agent_id": pgettext_lazy("group", "Operator"),
    "assistant_id": _("Number of the assistant"),
    "tag": pgettext_lazy("group", "Tag"),
    "language": pgettext_lazy("group", "Language"),
    "page": pgettext_lazy("group", "Page"),
    "outcome": pgettext_lazy("group", "Outcome"),
    "ended_by": pgettext_lazy("group", "Ended by"),
    "opened_by": _("Begun by"),
    "handover": pgettext_lazy("group", "Reason of the handover"),
    "rating": pgettext_lazy("group", "Rating"),
    "weekday": _("Weekday"),
    "hour": _("Hour"),
    "chat_id": _("Number of the chat"),
}


def _input(name: str, given: str, zone: str) -> forms.Widget:
    attrs = {"placeholder": zone, "list": "report-zones"} if name == "zone" else {}
    if name == "page":
        attrs = {"placeholder": "shop.example/tea*"}
    if name in ("from", "to") and (not given or _is_day(given)):
        attrs = {"type": "date"}
    widget: forms.Widget = UnfoldAdminTextInputWidget(attrs=attrs)
    return widget


def _as_typed(name: str, value: str) -> str:
    """A midnight as the browser's field of days takes it; anything else as it stands in the address."""
    if name not in ("from", "to"):
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value
    is_midnight = (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)
    return moment.date().isoformat() if is_midnight else value


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _choices(widget_id: int, groups: Mapping[str, Any]) -> dict[str, Choices]:
    everything: tuple[str, str] = ("", gettext("all"))
    none: tuple[str, str] = ("none", gettext("none"))
    named = channel_names([widget_id])
    channels = [(code, capfirst(named.get(code) or display_value(code))) for code in channel_codes(widget_id)]
    departments = Department.objects.for_widget(widget_id).order_by("name").values_list("pk", "name")
    operators = Agent.objects.for_widget(widget_id).order_by("name", "surname", "id")
    return {
        "group": [("", gettext("all together")), *((name, str(title)) for name, title in groups.items())],
        "compare": [("", gettext("nothing")), ("before", gettext("the period before"))],
        "clock": [("", gettext("all hours")), ("open", gettext("open hours alone"))],
        "channel": [everything, *channels],
        "department_id": [everything, *((str(pk), name) for pk, name in departments), none],
        "agent_id": [everything, *((str(each.pk), str(each)) for each in operators), none],
        "outcome": [everything, *((code, str(name)) for code, name in OUTCOMES.items())],
        "ended_by": [everything, *((code, str(name)) for code, name in ENDS.items()), none],
        "opened_by": [everything, *((code, str(name)) for code, name in BEGINS.items())],
        "rating": [everything, *((str(value), str(value)) for value in range(5, 0, -1)), none],
        "weekday": [everything, *((str(day), hour_of_week(day, 0).split()[0]) for day in range(1, 8))],
        "hour": [everything, *((str(hour), f"{hour:02}:00") for hour in range(24))],
    }


def zones() -> list[str]:
    """The time zones that can be typed."""
    return sorted(name for name in available_timezones() if "/" in name and not name.startswith(("Etc", "SystemV")))


def periods(now: datetime, zone: ZoneInfo) -> list[tuple[str, date, date]]:
    """The days that a click chooses: the name of each, its first day, and the day after its last."""
    today = now.astimezone(zone).date()
    monday, first = today - timedelta(days=today.weekday()), today.replace(day=1)
    last_first = (first - timedelta(days=1)).replace(day=1)
    return [
        (gettext("28 days"), today - timedelta(days=27), today + timedelta(days=1)),
        (gettext("This week"), monday, monday + timedelta(days=7)),
        (gettext("Last week"), monday - timedelta(days=7), monday),
        (gettext("This month"), first, (first + timedelta(days=31)).replace(day=1)),
        (gettext("Last month"), last_first, first),
    ]
