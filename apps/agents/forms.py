"""The cabinet's forms of hours: of a day, of dates with other hours, and the public holidays to choose from."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from apps.accounts.models import Widget
from apps.agents.models import Holiday, WidgetWeek
from apps.agents.rules import departments, holidays, weeks
from apps.agents.rules.hours import ALWAYS, HoursNow, Week
from apps.agents.rules.public_holidays import PublicHoliday, countries, public_holidays
from apps.cabinet.tenant_admin import only_choice
from apps.core.parsing.names import control_refusal

CLOSED, ALL_DAY, FROM_TO = "", departments.FULL, "hours"
PERIODS_OF_A_FORM = departments.MAX_PERIODS // 2
_TIME = {"type": "time", "step": 60}

DAY_LABELS = {
    "Monday": _("Monday"),
    "Tuesday": _("Tuesday"),
    "Wednesday": _("Wednesday"),
    "Thursday": _("Thursday"),
    "Friday": _("Friday"),
    "Saturday": _("Saturday"),
    "Sunday": _("Sunday"),
}

Periods = Sequence[Mapping[str, str]]
WHOLE_DAY = ({"from": "00:00", "to": weeks.MIDNIGHT},)


class HoursWidget(forms.MultiWidget):
    """A day's hours to be picked: closed, open all day, or some periods from one time to another.

    A period until 00:00 ends with the day.
    """

    template_name = "agents/hours.html"

    def __init__(self, label: Any) -> None:
        kinds = [(CLOSED, _("closed")), (ALL_DAY, _("all day")), (FROM_TO, _("from, to"))]
        times = [
            UnfoldAdminTextInputWidget(attrs={**_TIME, "aria-label": name})
            for _place in range(PERIODS_OF_A_FORM)
            for name in (_("from"), _("to"))
        ]
        super().__init__([UnfoldAdminSelectWidget(attrs={"aria-label": label}, choices=kinds), *times])

    def decompress(self, value: str | None) -> list[str]:
        """The parts of hours that `HoursField.prepare_value` has written."""
        if not value or value == written_periods(WHOLE_DAY):
            return [ALL_DAY if value else CLOSED, *[""] * 2 * PERIODS_OF_A_FORM]
        times = [time.replace(weeks.MIDNIGHT, "00:00") for period in value.split(", ") for time in period.split("–")]
        return [FROM_TO, *times, *[""] * (2 * PERIODS_OF_A_FORM - len(times))]


class HoursField(forms.MultiValueField):
    """A day's hours; becomes the periods that begin on it."""

    def __init__(self, *, label: Any, **options: Any) -> None:
        fields = [forms.CharField(required=False, max_length=16) for _part in range(1 + 2 * PERIODS_OF_A_FORM)]
        super().__init__(fields, require_all_fields=False, widget=HoursWidget(label), label=label, **options)

    def prepare_value(self, value: Any) -> Any:
        """Periods as people read them, `09:00–13:00, 14:00–18:00`; what a form has sent stays as it is."""
        if isinstance(value, Mapping):
            return written_periods([value])
        return written_periods(value) if _is_periods(value) else value

    def clean(self, value: Any) -> Any:
        return list(value) if _is_periods(value) else super().clean(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        if isinstance(data, str):
            return bool(self.prepare_value(initial or []) != data)
        try:
            return bool(self.clean(data) != list(initial or ()))
        except ValidationError:
            return True

    def compress(self, data_list: list[str]) -> list[dict[str, str]]:
        kind, *times = data_list or [CLOSED]
        pairs = [(begins[:5], ends[:5]) for begins, ends in zip(times[::2], times[1::2], strict=True) if begins or ends]
        if kind != FROM_TO:
            if kind not in (CLOSED, ALL_DAY):
                raise ValidationError(_("Choose one of the kinds of hours."))
            if pairs:
                raise ValidationError(_("Times are given, too: choose “from, to”, or take the times out."))
            return [dict(period) for period in WHOLE_DAY] if kind else []
        periods = [{"from": begins, "to": _end(ends)} for begins, ends in sorted(pairs)]
        if not periods or weeks.periods_refusals(periods):
            raise ValidationError(
                _("Give both times of each period, and no time twice; one that ends before it begins is a night.")
            )
        return weeks.shown_periods(weeks.read_periods(periods))


def written_periods(periods: Periods) -> str:
    """Periods as people read them: `09:00–13:00, 14:00–18:00`."""
    return ", ".join(f"{period['from']}–{period['to']}" for period in periods)


def _is_periods(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def _end(clock: str) -> str:
    return weeks.MIDNIGHT if clock == "00:00" else clock


def zone_choices() -> list[tuple[str, str]]:
    """The time zones to choose from: those of places."""
    return [(name, name) for name in sorted(available_timezones()) if "/" in name]


def add_days(form: forms.BaseForm, week: Week, *, help_text: Any = "") -> None:
    """Adds the fields of the seven days; the help stands at the first."""
    shown = weeks.shown_week(week)
    for place, (day, label) in enumerate(DAY_LABELS.items()):
        form.fields[day] = HoursField(
            label=str(capfirst(label)), required=False, help_text="" if place else help_text, initial=shown[day]
        )


def refuse_overlaps(form: forms.BaseForm, cleaned: Mapping[str, Any]) -> None:
    """A night ends before the next day's hours begin."""
    if all(day in cleaned for day in DAY_LABELS):
        for path in weeks.week_refusals({day: cleaned[day] for day in DAY_LABELS}):
            form.add_error(path.partition(".")[0], _("The night before is still open when these hours begin."))


class WidgetWeekForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A widget's hours of its own, for chats without a department; without them it follows its departments."""

    has_own = forms.BooleanField(
        label=_("Hours of its own"),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        help_text=_("Off: open while one of its departments is, or always without any."),
    )
    time_zone = forms.ChoiceField(
        label=capfirst(_("time zone")),
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of all its departments, too, which have no other one."),
    )

    class Meta:
        model = WidgetWeek
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        row: WidgetWeek = self.instance
        zone = row.widget.time_zone
        self.fields["has_own"].initial = not row._state.adding
        self.fields["time_zone"].initial = zone
        self.fields["time_zone"].choices = sorted({*zone_choices(), (zone, zone)})  # type: ignore[attr-defined]
        add_days(self, ALWAYS if row._state.adding else weeks.week_of(row.schedule))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        refuse_overlaps(self, cleaned)
        return cleaned


class HolidayForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """Dates with other hours: one, or several in a row; closed, unless periods are told."""

    periods = HoursField(label=capfirst(_("hours on these dates")), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "department" in self.fields:
            self.fields["department"].empty_label = gettext("all departments")  # type: ignore[attr-defined]

    class Meta:
        model = Holiday
        fields = ["widget", "department", "day", "until", "every_year", "periods", "text"]
        help_texts = {
            "until": _("The last day; nothing for one day alone."),
            "every_year": _("The same dates in each year that follows."),
            "text": _("Shown in the widget on those days, such as: We are back on January 9th."),
        }

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].strip()
        if control_refusal(text):
            raise ValidationError(_("Write a text of one line."))
        return text

    def clean(self) -> dict[str, Any]:
        """The last day follows the first, within MAX_DAYS, and is to come, unless it comes every year."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        department, widget = cleaned.get("department"), cleaned.get("widget")
        if department is not None and widget is not None and department.widget_id != widget.pk:
            self.add_error("department", _("This department is of another widget."))
        day, until = cleaned.get("day", self.instance.day), cleaned.get("until")
        if day is None or "until" in self.errors:
            return cleaned
        last = until or day
        if last < day:
            self.add_error("until", _("The last day is before the first."))
        elif (last - day).days >= holidays.MAX_DAYS:
            self.add_error("until", _("A holiday has %(days)d days at most.") % {"days": holidays.MAX_DAYS})
        elif not cleaned.get("every_year") and last < timezone.localdate() - timedelta(days=1):
            self.add_error("until" if until else "day" if "day" in self.fields else None, _("The date has passed."))
        return cleaned


class PublicHolidaysForm(forms.Form):
    """The country and the year whose public holidays are offered, and the widget that they are for."""

    widget = forms.ModelChoiceField(Widget.objects.none(), label=capfirst(_("widget")), widget=UnfoldAdminSelectWidget)
    country = forms.ChoiceField(
        label=capfirst(_("country")), widget=UnfoldAdminSelectWidget(attrs={"data-countries": ""})
    )
    year = forms.TypedChoiceField(label=capfirst(_("year")), coerce=int, widget=UnfoldAdminSelectWidget)

    def __init__(self, data: Any = None, *, widgets: QuerySet[Widget]) -> None:
        super().__init__(data)
        self.fields["widget"].queryset = widgets  # type: ignore[attr-defined]
        self.fields["widget"].initial = only_choice(widgets)
        self.fields["country"].choices = [(code, code) for code in countries()]  # type: ignore[attr-defined]
        year = timezone.localdate().year
        self.fields["year"].choices = [(each, str(each)) for each in range(year, year + 3)]  # type: ignore[attr-defined]

    def holidays(self) -> list[PublicHoliday]:
        """Reads the chosen country's holidays of the year that are still to come."""
        today, wanted = timezone.localdate(), self.cleaned_data
        return [each for each in public_holidays(wanted["country"], wanted["year"]) if each.date >= today]


def state_line(now: HoursNow) -> str:
    """Whether it is open, in words: "Open until 18:00 on Friday"."""
    moment = now.closes_at if now.is_open else now.opens_at
    if moment is None:
        return gettext("Open around the clock.") if now.is_open else gettext("Closed.")
    shown = date_format(moment.astimezone(ZoneInfo(now.time_zone)), "j E, H:i")
    return (gettext("Open until %(time)s.") if now.is_open else gettext("Closed, opens on %(time)s.")) % {"time": shown}


def people_line(here: int, everybody: int) -> str:
    """How many of a department's operators are here."""
    return gettext("%(here)d of %(everybody)d operators are here.") % {"here": here, "everybody": everybody}
