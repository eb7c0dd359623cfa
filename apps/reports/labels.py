"""The words of reports for people: names and definitions of figures, and of the values that they are grouped by."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import date_format, number_format
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.cabinet.coded_values import display_value

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NONE = "none"
# By the names of the figures, in the order of the pages: their titles.
TITLES: Mapping[str, "StrOrPromise"] = {
    "episodes": pgettext_lazy("figure", "Episodes"),
    "people": pgettext_lazy("figure", "People"),
    "answered": pgettext_lazy("figure", "Answered"),
    "unanswered": pgettext_lazy("figure", "Never answered"),
    "by_person": pgettext_lazy("figure", "Handled by people"),
    "by_ai": pgettext_lazy("figure", "Handled by AI"),
    "dismissed": pgettext_lazy("figure", "Closed without an answer"),
    "open": pgettext_lazy("figure", "Open"),
    "first_reply": pgettext_lazy("figure", "First answer"),
    "person_reply": pgettext_lazy("figure", "Answer of a person"),
    "longest_wait": pgettext_lazy("figure", "Longest wait"),
    "duration": pgettext_lazy("figure", "From question to end"),
    "ai_involved": pgettext_lazy("figure", "With AI"),
    "handed_over": pgettext_lazy("figure", "Handed over to people"),
    "ai_settled": pgettext_lazy("figure", "With AI, over for 7 days"),
    "ai_resolved": pgettext_lazy("figure", "Resolved by AI"),
    "settled": pgettext_lazy("figure", "Over for 7 days"),
    "durable": pgettext_lazy("figure", "Without a return"),
    "reopened": pgettext_lazy("figure", "Came back within 7 days"),
    "asked": pgettext_lazy("figure", "Asked for a rating"),
    "responded": pgettext_lazy("figure", "Asked and rated"),
    "rated": pgettext_lazy("figure", "Rated"),
    "rated_person": pgettext_lazy("figure", "People rated"),
    "rated_ai": pgettext_lazy("figure", "AI rated"),
    "good": pgettext_lazy("figure", "Good ratings"),
    "good_person": pgettext_lazy("figure", "Good ratings of people"),
    "good_ai": pgettext_lazy("figure", "Good ratings of AI"),
    "low": pgettext_lazy("figure", "Low ratings"),
}

_HALF = _("Half waited no longer than the first time, nine of ten no longer than the second.")
# The meaning of each figure; a click away from it.
DEFINITIONS: Mapping[str, "StrOrPromise"] = {
    "episodes": _(
        "An episode begins when a visitor writes and none is open. "
        "It ends when it is closed, or after 24 hours of silence with nobody waiting."
    ),
    "people": _("Visitors with an episode. Contacts that were joined are one person."),
    "answered": _("Episodes with an answer of a person or of AI."),
    "unanswered": _("Episodes whose visitor waited for 30 days in vain."),
    "by_person": _("Episodes that are over and in which a person wrote an answer."),
    "by_ai": _("Episodes that are over and that AI alone answered."),
    "dismissed": _("Episodes that were closed without an answer."),
    "open": _("Episodes that are not over."),
    "first_reply": _("From the visitor's first message to the first answer of a person or of AI."),
    "person_reply": _("From the handover to people, or from the begin of the wait, to the first answer of a person."),
    "longest_wait": _("The longest time that the visitor waited for an answer, of waits that are over."),
    "duration": _("From the visitor's first message to the end, of episodes that people or AI answered."),
    "ai_involved": _("Episodes in which AI answered or handed over."),
    "handed_over": _("Episodes that AI handed over to people."),
    "ai_settled": _("Episodes with AI that ended at least 7 days ago."),
    "ai_resolved": _(
        "Episodes that AI alone answered, without a handover, and whose visitor did not come back within 7 days."
    ),
    "settled": _("Answered episodes that ended at least 7 days ago: it is known whether the visitor came back."),
    "durable": _("Of these, those whose visitor did not write again within 7 days."),
    "reopened": _("Of these, those whose visitor wrote again within 7 days, in any chat."),
    "asked": _("Episodes whose visitor was asked for a rating."),
    "responded": _("Of those who were asked, those who gave a rating."),
    "rated": _("Episodes with a rating; the last one counts."),
    "rated_person": _("Ratings of episodes whose last answer before them was a person's."),
    "rated_ai": _("Ratings of episodes whose last answer before them was AI's."),
    "good": _("Ratings of 4 and 5."),
    "good_person": _("Ratings of 4 and 5, of people."),
    "good_ai": _("Ratings of 4 and 5, of AI."),
    "low": _("Ratings that are low by the settings of ratings."),
}
TIMES = ("first_reply", "person_reply", "longest_wait", "duration")

GROUPS: Mapping[str, "StrOrPromise"] = {
    "day": pgettext_lazy("group", "Day"),
    "week": pgettext_lazy("group", "Week"),
    "month": pgettext_lazy("group", "Month"),
    "weekday_hour": pgettext_lazy("group", "Hour of the week"),
    "channel": pgettext_lazy("group", "Channel"),
    "department": pgettext_lazy("group", "Department"),
    "agent": pgettext_lazy("group", "Operator"),
    "assistant": pgettext_lazy("group", "Assistant"),
    "tag": pgettext_lazy("group", "Tag"),
    "language": pgettext_lazy("group", "Language"),
    "page": pgettext_lazy("group", "Page"),
    "handover": pgettext_lazy("group", "Reason of the handover"),
    "outcome": pgettext_lazy("group", "Outcome"),
    "ended_by": pgettext_lazy("group", "Ended by"),
    "rating": pgettext_lazy("group", "Rating"),
}
TIME_GROUPS = ("day", "week", "month")

OUTCOMES: Mapping[str, "StrOrPromise"] = {
    "open": pgettext_lazy("outcome", "Open"),
    "person": pgettext_lazy("outcome", "Handled by people"),
    "ai": pgettext_lazy("outcome", "Handled by AI"),
    "dismissed": pgettext_lazy("outcome", "Closed without an answer"),
    "unanswered": pgettext_lazy("outcome", "Never answered"),
}
ENDS: Mapping[str, "StrOrPromise"] = {
    "operator": pgettext_lazy("end", "an operator"),
    "api": pgettext_lazy("end", "a rule or the API"),
    "silence": pgettext_lazy("end", "24 hours of silence"),
    "nobody": pgettext_lazy("end", "30 days without an answer"),
}
BEGINS: Mapping[str, "StrOrPromise"] = {
    "visitor": pgettext_lazy("begin", "the visitor"),
    "operator": pgettext_lazy("begin", "an operator"),
}
KINDS: Mapping[str, "StrOrPromise"] = {"person": pgettext_lazy("side", "person"), "ai": pgettext_lazy("side", "AI")}
_VALUES: Mapping[str, Mapping[str, "StrOrPromise"]] = {"outcome": OUTCOMES, "ended_by": ENDS, "opened_by": BEGINS}


def definition(figure: str) -> str:
    """The meaning of a figure, in a sentence or two."""
    said = str(DEFINITIONS[figure])
    return f"{said} {_HALF}" if figure in TIMES else said


def group_label(group: str, key: str, label: str) -> str:
    """The name of a group's key: `label` where the report has a name for it."""
    if group == "weekday_hour":
        weekday, _dash, hour = key.partition("-")
        return hour_of_week(int(weekday), int(hour))
    if group in TIME_GROUPS:
        return day_label(group, key)
    if key == NONE:
        return pgettext("group", "none")
    if group in _VALUES:
        return capfirst(str(_VALUES[group].get(key, key)))
    if group == "handover" or (group == "channel" and label in ("", key)):
        return str(capfirst(display_value(key)))
    return label or key


def day_label(group: str, key: str) -> str:
    """The name of a day, of a week by its Monday, or of a month."""
    if group == "month":
        return capfirst(date_format(date.fromisoformat(f"{key}-01"), "F Y"))
    day = date.fromisoformat(key)
    if group == "week":
        return gettext("week of %(day)s") % {"day": date_format(day, pgettext("format of a day", "j M Y"))}
    return date_format(day, "D, j E Y")


def hour_of_week(weekday: int, hour: int) -> str:
    """An hour of a weekday, such as "Tue 14:00"."""
    return f"{WEEKDAYS_ABBR[weekday - 1]} {hour:02}:00"


def chats_in_words(count: int) -> str:
    """How many, as lists and bars say it: "12 chats"."""
    return ngettext("%(count)d chat", "%(count)d chats", count) % {"count": count}


def rate_in_words(rate: float | None) -> str:
    """A share in percent, with one place; a dash where there is none."""
    return "—" if rate is None else f"{number_format(round(100 * rate, 1), 1)} %"


def wait_in_words(seconds: int | None) -> str:
    """A wait: "45 s", "12 min", "3 h 20 min", "4 d 3 h"; whole units, rounded down."""
    if seconds is None:
        return "—"
    if seconds < 60:
        return gettext("%(count)d s") % {"count": seconds}
    if seconds < 3600:
        return gettext("%(count)d min") % {"count": seconds // 60}
    hours, minutes = divmod(seconds // 60, 60)
    if hours < 24:
        return gettext("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    return gettext("%(days)d d %(hours)d h") % {"days": hours // 24, "hours": hours % 24}
