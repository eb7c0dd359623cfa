"""The cabinet's forms of invitations and departments."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from apps.accounts.cabinet import TenantAdmin, only_choice
from apps.accounts.models import Widget
from apps.agents.actions import remove_avatar, store_avatar
from apps.agents.models import Agent, Department, Holiday
from apps.agents.rules import MAX_AVATAR_BYTES, departments
from apps.agents.serializers.requests import cabinet_ids
from apps.agents.serializers.responses import avatar_address
from apps.core.endpoints.idempotency import IdempotencyLock
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.parsing.names import control_refusal, name_refusal
from apps.core.problems import Problem


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


def avatar_page(of: TenantAdmin, request: HttpRequest, agent: Agent, back: str) -> HttpResponse:
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
                store_avatar(widget_id=agent.widget_id, agent_id=agent.pk, upload=upload, claim=claim)
            except Problem as refused:
                form.add_error("file", gettext(refused.type.explanation))
            else:
                return HttpResponseRedirect(request.path)
    context = {
        **of.admin_site.each_context(request),
        "opts": of.opts,
        "title": agent.full_name,
        "form": form,
        "picture": avatar_address(agent.pk, agent.avatar),
        "button": gettext("Save the picture"),
        "back": back,
    }
    return TemplateResponse(request, "admin/simple_form.html", context)


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
PERIODS_OF_A_FORM = departments.MAX_PERIODS // 2
_TIME = {"type": "time", "step": 60}


class HoursWidget(forms.MultiWidget):
    """A day's hours to be picked: closed, open all day, or some periods from one time to another."""

    template_name = "agents/hours.html"

    def __init__(self, label: str) -> None:
        kinds = [(CLOSED, _("closed")), (ALL_DAY, _("all day")), (FROM_TO, _("from, to"))]
        times = [
            UnfoldAdminTextInputWidget(attrs={**_TIME, "aria-label": name})
            for _place in range(PERIODS_OF_A_FORM)
            for name in (_("from"), _("to"))
        ]
        super().__init__([UnfoldAdminSelectWidget(attrs={"aria-label": label}, choices=kinds), *times])

    def decompress(self, value: departments.Hours) -> list[str]:
        if value is None or isinstance(value, str):
            return [value or CLOSED, *[""] * 2 * PERIODS_OF_A_FORM]
        times = [period[name] for period in departments.periods_of(value) for name in ("from", "to")]
        return [FROM_TO, *times, *[""] * (2 * PERIODS_OF_A_FORM - len(times))]


class HoursField(forms.MultiValueField):
    """A day's hours; becomes what a schedule holds for the day."""

    def __init__(self, *, label: str, **options: Any) -> None:
        fields = [forms.CharField(required=False, max_length=16) for _part in range(1 + 2 * PERIODS_OF_A_FORM)]
        super().__init__(fields, require_all_fields=False, widget=HoursWidget(label), label=label, **options)

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.clean(data) != initial)
        except ValidationError:
            return True

    def compress(self, data_list: list[str]) -> departments.Hours:
        kind, *times = data_list or [CLOSED]
        pairs = [(begins[:5], ends[:5]) for begins, ends in zip(times[::2], times[1::2], strict=True) if begins or ends]
        if kind != FROM_TO:
            if kind not in (CLOSED, ALL_DAY):
                raise ValidationError(_("Choose one of the kinds of hours."))
            if pairs:
                raise ValidationError(_("Times are given, too: choose “from, to”, or take the times out."))
            return kind or None
        periods = [{"from": begins, "to": ends} for begins, ends in sorted(pairs)]
        hours: departments.Hours = departments.of_periods(periods) if periods else {}
        if departments.schedule_refusals({"Monday": hours}):
            raise ValidationError(
                _(
                    "Give both times of each period, the first earlier than the second, and time between periods; past "
                    "midnight are two days."
                )
            )
        return hours


class HolidayForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A date on which nobody is there."""

    class Meta:
        model = Holiday
        fields = ["widget", "day", "text"]
        help_texts = {"text": _("Shown in the widget on that day, such as: We are back on January 9th.")}

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"].strip()
        if control_refusal(text):
            raise ValidationError(_("Write a text of one line."))
        return text

    def clean_day(self) -> Any:
        day = self.cleaned_data["day"]
        if day < timezone.localdate() - timedelta(days=1):
            raise ValidationError(_("The date has passed."))
        return day


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
