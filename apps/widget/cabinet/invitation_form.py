"""The form of an invitation to chat: its rule as fields, and back. It works without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from apps.agents.models import Agent, Department
from apps.cabinet.forms import LocalTimeInput
from apps.cabinet.refusals import in_readers_words, words_of
from apps.chats.rules.languages import NAMES
from apps.core.problems import Problem
from apps.widget.cabinet.invitation_words import ANSWERING, DEVICES, HOURS, VISITORS
from apps.widget.models import ChatInvitation
from apps.widget.querysets.settings import Settings
from apps.widget.rules.fields import SUPPORTED
from apps.widget.rules.invitations import GOAL_HOURS, MAX_BUTTON, MAX_BUTTONS, MAX_NAME, MAX_TEXT, InvitationSpeaker

GOALS = {"": _("none"), "event": _("the page reports an event"), "page": _("the visitor opens a page")}
_NUMBERS = {
    "seconds": (_("After so many seconds on the page"), 0, 3600),
    "seconds_visit": (_("After so many seconds of the visit"), 0, 7200),
    "scroll": (_("When so many percent of the page were in sight"), 1, 100),
}
_SPANS = {
    "visits": (_("Visits: from"), _("Visits: to")),
    "pages": (_("Pages of the visit: from"), _("Pages of the visit: to")),
}
_CHOICES: Mapping[str, tuple[Any, Mapping[str, Any]]] = {
    "answering": (_("Who answers"), ANSWERING),
    "hours": (_("Hours"), HOURS),
    "device": (_("Device"), DEVICES),
    "visitor": (_("Which visitors"), VISITORS),
}
_LISTS = ("page", "not_page", "referrer")
NO_REFERRER = "-"
_PATTERN_HELP = _("One a line: <code>/prices*</code>, <code>shop.example/sale</code>. A star stands for anything.")
# Where the refusal of a member is shown, by the beginning of its path.
_PLACES = {
    **{f"rule.{name}": name for name in (*_LISTS, *_NUMBERS, *_CHOICES, "param", "attribute", "language", "any")},
    "rule.visits": "visits_min",
    "rule.pages": "pages_min",
    "rule.event": "event_name",
    "rule.leave": "leave",
    "per_visitor.times": "times",
    "per_visitor.days": "days",
    "from": "speaker",
    "goal": "goal_value",
    **{name: name for name in ("name", "priority", "holdout", "per_day", "starts_at", "ends_at")},
    "department_id": "department",
}


class InvitationForm(forms.Form):
    """An invitation as a clerk writes it; `values` has the members of the API."""

    def __init__(self, data: Any = None, *, settings: Settings, invitation: ChatInvitation | None = None) -> None:
        super().__init__(data, initial=initial_of(invitation) if invitation else {"holdout": 10, "times": 1})
        self.languages = list(settings.values[SUPPORTED])
        self.main_language = settings.language
        text, area = UnfoldAdminTextInputWidget, UnfoldAdminTextareaWidget
        self.fields["name"] = forms.CharField(
            label=pgettext_lazy("of a thing", "name"),
            max_length=MAX_NAME,
            widget=text,
            help_text=_("Visitors never see it."),
        )
        for code in self.languages:
            named = {"language": NAMES[code]}
            self.fields[f"text_{code}"] = forms.CharField(
                label=gettext("Text: %(language)s") % named,
                max_length=MAX_TEXT,
                required=False,
                widget=area(attrs={"rows": 2, "lang": code}),
            )
        for code in self.languages:
            for place in range(MAX_BUTTONS):
                said = {"language": NAMES[code], "number": place + 1}
                self.fields[f"button_{code}_{place}"] = forms.CharField(
                    label=gettext("Button %(number)s: %(language)s") % said,
                    max_length=MAX_BUTTON,
                    required=False,
                    widget=text(attrs={"lang": code}),
                )
        self._add_speaker(settings.widget_id)
        self._add_rule()
        self._add_limits(settings.widget_id)

    def _add_speaker(self, widget_id: int) -> None:
        people = Agent.objects.for_widget(widget_id).not_banned().filter(type=Agent.Type.HUMAN).order_by("pk")
        named = [(f"agent:{agent.pk}", agent.full_name) for agent in people]
        choices = [("widget", _("The shop itself")), ("ai", _("The AI operator, while it answers")), *named]
        self.fields["speaker"] = forms.ChoiceField(
            label=_("In whose name"),
            choices=choices,
            widget=UnfoldAdminSelectWidget,
            help_text=_("Who is not at work is not shown: the shop speaks then."),
        )

    def _add_rule(self) -> None:
        for name, label in (("page", _("On these pages")), ("not_page", _("Not on these pages"))):
            self.fields[name] = _area(label, _PATTERN_HELP)
        for name, (label, low, high) in _NUMBERS.items():
            self.fields[name] = _number(label, low, high)
        leaves = _("When the mouse leaves by the window's top edge")
        self.fields["leave"] = forms.BooleanField(label=leaves, required=False, widget=UnfoldBooleanSwitchWidget)
        for name, (of_min, of_max) in _SPANS.items():
            self.fields[f"{name}_min"], self.fields[f"{name}_max"] = _number(of_min, 1, 1000), _number(of_max, 1, 1000)
        for name, (label, words) in _CHOICES.items():
            choices = [("", _("does not matter")), *words.items()]
            self.fields[name] = forms.ChoiceField(
                label=label, choices=choices, required=False, widget=UnfoldAdminSelectWidget
            )
        self.fields["language"] = _line(_("Languages"), _("Codes with commas, such as ru, en."))
        self.fields["referrer"] = _area(
            _("The visitor came from these sites"), _("One a line: *.google.com; a dash for visits without one.")
        )
        self.fields["param"] = _area(_("The address has (UTM marks)"), _("One a line: <code>utm_source = news*</code>"))
        self.fields["attribute"] = _area(
            _("The website told of the visitor"),
            _("One a line: <code>plan = pro, gold</code>. Nothing behind the sign: not told."),
        )
        self.fields["event_name"] = _line(
            _("The page reported the event"), _("By <code>Parley.track</code>, such as <code>cart.changed</code>.")
        )
        self.fields["event_times"] = _number(_("So often"), 1, 100)
        self.fields["event_within_s"] = _number(_("Within so many seconds"), 1, 86_400)
        self.fields["any"] = _area(
            _("One of these, as JSON"), _('Such as <code>[{"scroll": 50}, {"seconds": 30}]</code>.')
        )

    def _add_limits(self, widget_id: int) -> None:
        self.fields["goal_kind"] = forms.ChoiceField(
            label=_("Goal"), choices=list(GOALS.items()), required=False, widget=UnfoldAdminSelectWidget
        )
        self.fields["goal_value"] = _area(_("Event, or pages"), _("The event's name; or pages, one a line."))
        self.fields["goal_hours"] = _number(_("Counts for so many hours"), 1, 720)
        self.fields["holdout"] = _number(_("Held back, in percent"), 0, 50)
        self.fields["holdout"].help_text = _("So many are not invited, for comparison: only so its use is known.")
        self.fields["times"] = _number(_("A visitor sees it at most"), 1, 10)
        self.fields["days"] = _number(_("In so many days"), 1, 365)
        self.fields["per_day"] = _number(_("Shown a day at most"), 1, 1_000_000)
        self.fields["priority"] = _number(_("Priority: the higher comes first"), 0, 100)
        departments = Department.objects.for_widget(widget_id).filter(internal=False).order_by("pk")
        self.fields["department"] = forms.TypedChoiceField(
            label=_("The chat goes to"),
            choices=[("", _("nobody in particular")), *departments.values_list("pk", "name")],
            coerce=int,
            empty_value=None,
            required=False,
            widget=UnfoldAdminSelectWidget,
        )
        for name, label in (("starts_at", _("From")), ("ends_at", _("Until"))):
            self.fields[name] = forms.DateTimeField(label=label, required=False, widget=LocalTimeInput)

    def groups(self) -> Iterator[tuple[Any, Any, list[Any], bool]]:
        """The fields as the page shows them: title, note, fields, and whether they are folded."""
        written = [code for code in self.languages if code == self.main_language or self[f"text_{code}"].value()]
        others = [f"text_{code}" for code in self.languages if code not in written]
        buttons = [f"button_{code}_{place}" for code in self.languages for place in range(MAX_BUTTONS)]
        yield _("What it says"), "", self._of("name", *(f"text_{code}" for code in written), "speaker"), False
        if others:
            yield (
                _("In other languages"),
                _("Without its own text a language reads another one."),
                self._of(*others),
                True,
            )
        yield _("Buttons"), _("A click sends the words as the visitor's."), self._of(*buttons), True
        shown = ("page", "not_page", "seconds", "scroll", "leave", "answering", "hours")
        yield _("When it is shown"), _("All that is filled in must hold."), self._of(*shown), False
        more = ("device", "visitor", "seconds_visit", "visits_min", "visits_max", "pages_min", "pages_max", "language")
        told = ("referrer", "param", "attribute", "event_name", "event_times", "event_within_s", "any")
        yield _("More conditions"), "", self._of(*more, *told), True
        yield _("Goal and comparison"), "", self._of("goal_kind", "goal_value", "goal_hours", "holdout"), False
        rest = ("times", "days", "per_day", "priority", "department", "starts_at", "ends_at")
        yield _("How often, and when"), "", self._of(*rest), True

    def _of(self, *names: str) -> list[Any]:
        return [self[name] for name in names]

    def clean_any(self) -> Any:
        try:
            return json.loads(self.cleaned_data["any"]) if self.cleaned_data["any"].strip() else None
        except ValueError:
            raise ValidationError(_("This is no JSON.")) from None

    def values(self) -> dict[str, Any]:
        """The members of the API, of a valid form."""
        data = self.cleaned_data
        kind, _colon, agent_id = data["speaker"].partition(":")
        buttons = [
            {code: text for code in self.languages if (text := data[f"button_{code}_{place}"].strip())}
            for place in range(MAX_BUTTONS)
        ]
        defaults = {"priority": 50, "holdout": 0}
        return {
            "name": data["name"],
            "texts": {code: data[f"text_{code}"].strip() for code in self.languages if data[f"text_{code}"].strip()},
            "buttons": [texts for texts in buttons if texts],
            "from": {"kind": InvitationSpeaker(kind), "agent_id": int(agent_id) if agent_id else None},
            "rule": self._rule(),
            "goal": self._goal(),
            "per_visitor": {"times": data["times"] or 1, "days": data["days"] or 30},
            **{name: default if data[name] is None else data[name] for name, default in defaults.items()},
            **{name: data[name] for name in ("per_day", "starts_at", "ends_at")},
            "department_id": data["department"],
        }

    def _rule(self) -> dict[str, Any]:
        data = self.cleaned_data
        rule: dict[str, Any] = {}
        rule |= {name: lines for name in _LISTS if (lines := _lines_of(data[name]))}
        if "referrer" in rule:
            rule["referrer"] = ["" if host == NO_REFERRER else host for host in rule["referrer"]]
        rule |= {name: data[name] for name in _NUMBERS if data[name] is not None}
        rule |= {name: data[name] for name in _CHOICES if data[name]}
        if data["leave"]:
            rule["leave"] = True
        for name in _SPANS:
            ends = {end: data[f"{name}_{end}"] for end in ("min", "max") if data[f"{name}_{end}"] is not None}
            rule |= {name: ends} if ends else {}
        if codes := [code.strip() for code in data["language"].split(",") if code.strip()]:
            rule["language"] = codes
        rule |= {name: pairs for name in ("param",) if (pairs := dict(_pairs_of(data[name])))}
        if told := {name: _told(text) for name, text in _pairs_of(data["attribute"])}:
            rule["attribute"] = told
        if name := data["event_name"].strip():
            rule["event"] = {"name": name, "times": data["event_times"] or 1, "within_s": data["event_within_s"]}
        return rule | ({"any": data["any"]} if data["any"] is not None else {})

    def _goal(self) -> dict[str, Any] | None:
        data = self.cleaned_data
        hours = {"hours": data["goal_hours"] or GOAL_HOURS}
        if data["goal_kind"] == "event":
            return {"event": data["goal_value"].strip(), **hours}
        return {"page": _lines_of(data["goal_value"]), **hours} if data["goal_kind"] == "page" else None

    def refuse(self, problem: Problem) -> None:
        """Puts the refusals of a call beside the fields that they are of, and the rest above the form."""
        if problem.type.code != "invalid_input" or not problem.errors:
            self.add_error(None, words_of(problem))
            return
        for path, texts in problem.errors.items():
            said = " ".join(in_readers_words(text) for text in texts)
            self.add_error(self._place_of(path), said)

    def _place_of(self, path: str) -> str | None:
        parts = path.split(".")
        if parts[0] == "texts":
            return f"text_{parts[1] if len(parts) > 1 else self.main_language}"
        if parts[0] == "buttons" and len(parts) == 3:
            return f"button_{parts[2]}_{parts[1]}"
        return _PLACES.get(".".join(parts[:2])) or _PLACES.get(parts[0])


def initial_of(invitation: ChatInvitation) -> dict[str, Any]:
    """The fields of an invitation as it is stored."""
    rule, goal = invitation.rule, invitation.goal or {}
    event = rule.get("event") or {}
    texts = {f"text_{code}": text for code, text in invitation.texts.items()}
    buttons = {
        f"button_{code}_{place}": text
        for place, button in enumerate(invitation.buttons)
        for code, text in button.items()
    }
    spans = {f"{name}_{end}": value for name in _SPANS for end, value in (rule.get(name) or {}).items()}
    pairs = {name: _shown_pairs(rule.get(name) or {}) for name in ("param", "attribute")}
    columns = ("name", "priority", "holdout", "times", "days", "per_day", "starts_at", "ends_at")
    return {
        **{name: getattr(invitation, name) for name in columns},
        **{name: "\n".join(line or NO_REFERRER for line in rule.get(name, ())) for name in _LISTS},
        **{name: rule.get(name) for name in (*_NUMBERS, *_CHOICES, "leave")},
        **texts,
        **buttons,
        **spans,
        **pairs,
        "event_name": event.get("name"),
        "event_times": event.get("times"),
        "event_within_s": event.get("within_s"),
        "language": ", ".join(rule.get("language", ())),
        "any": json.dumps(rule["any"], ensure_ascii=False, indent=1) if "any" in rule else "",
        "speaker": f"agent:{invitation.agent_id}" if invitation.agent_id else _nobodys(invitation.speaker),
        "goal_kind": next((kind for kind in ("event", "page") if kind in goal), ""),
        "goal_value": goal.get("event") or "\n".join(goal.get("page", ())),
        "goal_hours": goal.get("hours"),
        "department": invitation.department_id,
    }


def _nobodys(speaker: str) -> str:
    """The speaker of an invitation without an operator: one who is gone leaves it to the shop."""
    return InvitationSpeaker.WIDGET if speaker == InvitationSpeaker.AGENT else speaker


def _number(label: Any, low: int, high: int) -> forms.IntegerField:
    widget = UnfoldAdminIntegerFieldWidget(attrs={"min": low, "max": high})
    return forms.IntegerField(label=label, min_value=low, max_value=high, required=False, widget=widget)


def _line(label: Any, note: Any) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=500, required=False, widget=UnfoldAdminTextInputWidget, help_text=note
    )


def _area(label: Any, note: Any) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 3, "spellcheck": "false"})
    return forms.CharField(label=label, max_length=12_000, required=False, widget=widget, help_text=note)


def _lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _pairs_of(text: str) -> Iterator[tuple[str, str]]:
    for line in _lines_of(text):
        name, _sign, value = line.partition("=")
        yield name.strip(), value.strip()


def _shown_pairs(pairs: Mapping[str, Any]) -> str:
    lines = []
    for name, value in pairs.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        lines.append(f"{name} = {', '.join(each if isinstance(each, str) else json.dumps(each) for each in values)}")
    return "\n".join(lines)


def _told(text: str) -> Any:
    """The value of an attribute as it was typed: null, one, or a list with commas."""
    values = [_scalar(part.strip()) for part in text.split(",") if part.strip()]
    if not values:
        return None
    return values[0] if len(values) == 1 else values


def _scalar(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, bool | int | float) else text
