"""The cabinet's forms of routing: of a widget, of a department whose empty fields are the widget's, of an operator."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget, UnfoldBooleanSwitchWidget

from apps.agents.models import Agent, Department
from apps.routing.actions.settings import routing_of
from apps.routing.models import OperatorPlaces, RoutingSettings
from apps.routing.models.pages import DepartmentRouting, OperatorRouting, WidgetRouting
from apps.routing.rules import settings as rules

MODES = {
    rules.RoutingMode.MANUAL.value: _("It rings for all, the first operator takes it"),
    rules.RoutingMode.ROUTED.value: _("It is offered to one operator after the other"),
}
LANGUAGES = {
    rules.LanguageRule.IGNORE.value: _("are like all others"),
    rules.LanguageRule.PREFER.value: _("come first"),
    rules.LanguageRule.ONLY.value: _("are the only ones asked"),
}
CLOCKS = {
    rules.Clock.OPEN.value: _("In open hours alone"),
    rules.Clock.ALWAYS.value: _("Round the clock"),
}
YES_NO = {"true": _("yes"), "false": _("no")}

# The names of fields: the minutes of each priority stand in one field.
TIMES = {
    None: _("Answer times, in minutes"),
    "urgent": _("Of urgent chats"),
    "high": _("Of chats with a high priority"),
    "normal": _("Of chats with a normal priority"),
    "low": _("Of chats with a low priority"),
}
METRIC_LABELS = {
    "first_reply": pgettext_lazy("an answer time", "first answer"),
    "next_reply": pgettext_lazy("an answer time", "next answers"),
    "resolution": pgettext_lazy("an answer time", "end of the chat"),
}
SEEN = ("mode", "accept_seconds")
MORE_OF_WIDGET = ("silent_minutes", "prefer_last", "languages", "misses", "show_place", "show_expected")
MORE_OF_DEPARTMENT = ("silent_minutes", "prefer_last", "languages", "overflow_department_id", "overflow_minutes")


def times_name(priority: str | None) -> str:
    """The name of the field with the answer times of a priority."""
    return f"times_{priority or 'all'}"


SEEN_TIMES = (times_name(None),)
MORE_TIMES = (*(times_name(each) for each in TIMES if each), "warn_percent", "clock")


class MinutesWidget(forms.MultiWidget):
    """The three answer times of a priority, side by side."""

    template_name = "routing/minutes.html"

    def __init__(self) -> None:
        inputs = [
            UnfoldAdminIntegerFieldWidget(attrs={"min": 1, "max": rules.MAX_ANSWER_MINUTES, "aria-label": label})
            for label in METRIC_LABELS.values()
        ]
        super().__init__(inputs)

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        parts = context["widget"]["subwidgets"]
        context["parts"] = list(zip(METRIC_LABELS.values(), parts, strict=True))
        return context

    def decompress(self, value: Any) -> list[Any]:
        """The parts of a text of `MinutesField.prepare_value`."""
        return value.split("/") if isinstance(value, str) and value else [""] * len(rules.METRICS)


class MinutesField(forms.MultiValueField):
    """Answer times of a priority; none where all are empty."""

    def __init__(self, **options: Any) -> None:
        parts = [
            forms.IntegerField(min_value=1, max_value=rules.MAX_ANSWER_MINUTES, required=False) for _ in rules.METRICS
        ]
        super().__init__(parts, require_all_fields=False, required=False, widget=MinutesWidget(), **options)

    def prepare_value(self, value: Any) -> Any:
        """Minutes as one text, `30/60/`; the text of a form stays as it is."""
        if not isinstance(value, Mapping):
            return value
        return "/".join("" if value[name] is None else str(value[name]) for name in rules.METRICS)

    def clean(self, value: Any) -> Any:
        return value if value is None or isinstance(value, Mapping) else super().clean(value)

    def compress(self, data_list: Sequence[int | None]) -> dict[str, int | None] | None:
        given = dict(zip(rules.METRICS, data_list or [None] * 3, strict=True))
        return given if any(given.values()) else None

    def has_changed(self, initial: Any, data: Any) -> bool:
        if isinstance(data, str):
            return bool((self.prepare_value(initial) or "") != data)
        try:
            return bool(self.clean(data) != initial)
        except ValidationError:
            return True


class RoutingForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The common parts of the forms of a widget and of a department. `stored` are the settings of their own."""

    is_of_department: ClassVar[bool] = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.widget_id: int = self.instance.widget_id if self.is_of_department else self.instance.pk
        self.of_widget = routing_of(self.widget_id, None)
        which = Q(department=self.instance.pk) if self.is_of_department else Q(department=None)
        row = RoutingSettings.objects.for_widget(self.widget_id).filter(which).first()
        self.stored = row or RoutingSettings()
        self._choice("mode", _("Who gets a chat"), MODES)
        self._number(
            "accept_seconds",
            _("Seconds of an offer"),
            (0, rules.MAX_ACCEPT_SECONDS),
            _("Then the next operator is asked. 0: the chat is theirs at once."),
        )
        self._number(
            "silent_minutes",
            _("Minutes of a silent owner"),
            (0, rules.MAX_SILENT_MINUTES),
            _("The owner is here, the visitor waits: others are offered the chat. 0: never."),
        )
        self._switch("prefer_last", _("A chat that comes back: last operator first"))
        self._choice("languages", _("Operators who read the visitor's language"), LANGUAGES)
        self._add_times()

    def _value(self, name: str) -> Any:
        return getattr(self.stored if self.is_of_department else self.of_widget, name)

    def _choice(self, name: str, label: Any, words: Mapping[str, Any], help_text: Any = "") -> None:
        choices: list[tuple[str, Any]] = list(words.items())
        if self.is_of_department:
            value = getattr(self.of_widget, name)
            word = words[str(value).lower() if isinstance(value, bool) else str(value)]
            choices.insert(0, ("", gettext("As the widget: %(value)s") % {"value": word}))
        self.fields[name] = forms.TypedChoiceField(
            label=label,
            choices=choices,
            required=not self.is_of_department,
            empty_value=None,
            initial=self._value(name),
            widget=UnfoldAdminSelectWidget,
            help_text=help_text,
        )

    def _number(self, name: str, label: Any, limits: tuple[int, int], help_text: Any = "") -> None:
        placeholder = {"placeholder": str(getattr(self.of_widget, name))} if self.is_of_department else {}
        self.fields[name] = forms.IntegerField(
            label=label,
            min_value=limits[0],
            max_value=limits[1],
            required=not self.is_of_department,
            initial=self._value(name),
            widget=UnfoldAdminIntegerFieldWidget(attrs=placeholder),
            help_text=help_text,
        )

    def _switch(self, name: str, label: Any) -> None:
        if not self.is_of_department:
            self.fields[name] = forms.BooleanField(
                label=label, required=False, initial=self._value(name), widget=UnfoldBooleanSwitchWidget
            )
            return
        self._choice(name, label, YES_NO)
        own = self._value(name)
        field: Any = self.fields[name]
        field.initial = None if own is None else str(own).lower()
        field.coerce = lambda value: value == "true"

    def _add_times(self) -> None:
        rows = self.stored.answer_times or []
        by_priority = {row["priority"]: {name: row[name] for name in rules.METRICS} for row in rows}
        for priority, label in TIMES.items():
            self.fields[times_name(priority)] = MinutesField(label=label, initial=by_priority.get(priority))
        self.fields[times_name(None)].help_text = _("Of all chats. Empty: no time is set. A missed time rings for all.")
        self._number(
            "warn_percent",
            _("Warn at, percent of the time"),
            (rules.MIN_WARN_PERCENT, rules.MAX_WARN_PERCENT),
        )
        self._choice("clock", _("The time runs"), CLOCKS)

    def clean_accept_seconds(self) -> int | None:
        seconds: int | None = self.cleaned_data["accept_seconds"]
        if seconds and seconds < rules.MIN_ACCEPT_SECONDS:
            least = {"least": rules.MIN_ACCEPT_SECONDS}
            raise ValidationError(_("An offer stands for %(least)d seconds at least, or 0."), params=least)
        return seconds

    def changes(self) -> dict[str, Any]:
        """The settings that the form changes, as `change_routing` takes them."""
        names = [name for name in self.changed_data if not name.startswith("times_") and name != "own_times"]
        changes = {name: self.cleaned_data[name] for name in names}
        if any(name.startswith("times_") or name == "own_times" for name in self.changed_data):
            changes["answer_times"] = self._times()
        return changes

    def _times(self) -> list[dict[str, Any]] | None:
        rows = [(priority, self.cleaned_data[times_name(priority)]) for priority in TIMES]
        return [{"priority": priority, **minutes} for priority, minutes in rows if minutes]


class WidgetRoutingForm(RoutingForm):
    """The settings of a widget: for the chats without a department, and for departments without their own."""

    class Meta:
        model = WidgetRouting
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._number(
            "capacity",
            _("Places of an operator"),
            (0, rules.MAX_CAPACITY),
            _("So many chats are offered to one operator at once. By hand an operator takes more."),
        )
        self._number(
            "misses",
            _("Missed offers until a break"),
            (1, rules.MAX_MISSES),
            _("In a row. Then the operator is on a break until they say that they are back."),
        )
        self._switch("show_place", _("Visitors see their place in the queue"))
        self._switch("show_expected", _("Visitors see how long it usually takes"))


class DepartmentRoutingForm(RoutingForm):
    """The settings of a department; an empty field is the widget's."""

    is_of_department = True

    class Meta:
        model = DepartmentRouting
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        others = (
            Department.objects.for_widget(self.widget_id)
            .filter(internal=False)
            .exclude(pk=self.instance.pk)
            .order_by("name", "pk")
        )
        self.fields["overflow_department_id"] = forms.TypedChoiceField(
            label=_("Department that helps out"),
            choices=[("", _("none")), *others.values_list("pk", "name")],
            coerce=int,
            empty_value=None,
            required=False,
            initial=self.stored.overflow_department_id,
            widget=UnfoldAdminSelectWidget,
            help_text=_("Chats go there when nobody here had a place so long."),
        )
        self.fields["overflow_minutes"] = forms.IntegerField(
            label=_("Minutes until it helps out"),
            min_value=1,
            max_value=rules.MAX_OVERFLOW_MINUTES,
            required=False,
            initial=self.stored.overflow_minutes,
            widget=UnfoldAdminIntegerFieldWidget,
        )
        self.fields["own_times"] = forms.BooleanField(
            label=_("Answer times of its own"),
            required=False,
            initial=self.stored.answer_times is not None,
            widget=UnfoldBooleanSwitchWidget,
            help_text=_("Off: those of the widget hold."),
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        helper, minutes = cleaned.get("overflow_department_id"), cleaned.get("overflow_minutes")
        if (helper is None) != (minutes is None) and not self.errors.keys() & {
            "overflow_department_id",
            "overflow_minutes",
        }:
            wrong = "overflow_minutes" if minutes is None else "overflow_department_id"
            self.add_error(wrong, _("Choose the department and the minutes together."))
        return cleaned

    def _times(self) -> list[dict[str, Any]] | None:
        return super()._times() if self.cleaned_data["own_times"] else None


class OperatorRoutingForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """The places of an operator: in all, and in each of their departments."""

    class Meta:
        model = OperatorRouting
        fields: ClassVar[list[str]] = []

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        agent: Agent = self.instance
        own: dict[int | None, int | None] = dict(
            OperatorPlaces.objects.for_widget(agent.widget_id)
            .filter(agent=agent.pk)
            .values_list("department_id", "capacity")
        )
        usual = routing_of(agent.widget_id, None).capacity
        self._places("capacity", _("Places"), own.get(None), str(usual))
        self.fields["capacity"].help_text = _("So many chats at once. Empty: as many as the widget says. 0: none.")
        self.departments = {places_name(each.pk): each for each in agent.departments.order_by("name", "pk")}
        for name, department in self.departments.items():
            label = gettext("Places in %(department)s") % {"department": department.name}
            self._places(name, label, own.get(department.pk), "")

    def _places(self, name: str, label: Any, value: int | None, placeholder: str) -> None:
        self.fields[name] = forms.IntegerField(
            label=capfirst(str(label)),
            min_value=0,
            max_value=rules.MAX_CAPACITY,
            required=False,
            initial=value,
            widget=UnfoldAdminIntegerFieldWidget(attrs={"placeholder": placeholder} if placeholder else {}),
        )


def places_name(department_id: int) -> str:
    """The name of the field with an operator's places in a department."""
    return f"places_{department_id}"
