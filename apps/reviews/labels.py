"""The words of reviews for people: members of a scorecard, flags, origins and states."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.reviews.rules.scorecards import DEFAULTS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SCORECARD_WORDS: Mapping[str, "StrOrPromise"] = {
    "version": _("version"),
    "criteria": _("criteria"),
    "per_operator": _("chats a week of each operator"),
    "ai": _("chats a week of AI"),
    "flags": _("flagged chats"),
    "prefill": _("suggested scores"),
}
FLAGS: Mapping[str, "StrOrPromise"] = {
    "low_rating": pgettext_lazy("flag", "low rating"),
    "thumb_down": pgettext_lazy("flag", "thumb down"),
    "reopened": pgettext_lazy("flag", "came back within 7 days"),
    "slow": pgettext_lazy("flag", "among the longest waits"),
    "untrusted_handoff": pgettext_lazy("flag", "AI wanted a person without a reason"),
    "facts_removed": pgettext_lazy("flag", "facts were taken out of an answer"),
    "safety": pgettext_lazy("flag", "a threat to somebody's life"),
}
ORIGINS: Mapping[str, "StrOrPromise"] = {
    "sample": pgettext_lazy("origin of a review", "sample"),
    "flag": pgettext_lazy("origin of a review", "flagged"),
    "person": pgettext_lazy("origin of a review", "chosen by hand"),
}
STATES: Mapping[str, "StrOrPromise"] = {
    "open": pgettext_lazy("state of a review", "to be scored"),
    "done": pgettext_lazy("state of a review", "scored"),
    "answered": pgettext_lazy("state of a review", "answered by the operator"),
    "settled": pgettext_lazy("state of a review", "settled"),
}
# By key: the name of a criterion of the first day, and its description.
CRITERIA: Mapping[str, tuple["StrOrPromise", "StrOrPromise"]] = {
    "correct": (
        _("What was answered is right"),
        _("Prices, dates, terms and promises are true, and nothing is made up."),
    ),
    "complete": (
        _("All that was asked is answered"),
        _("The visitor need not ask the same again, and knows what comes next."),
    ),
    "clear": (
        _("The answers are easy to understand"),
        _("Short sentences, in the visitor's language, without words of the trade."),
    ),
    "friendly": (
        _("The tone is friendly"),
        _("Polite and calm, also where the visitor is not."),
    ),
    "right_hands": (
        _("The chat was in the right hands"),
        _("Who could not help handed the chat over, and nobody was asked to repeat the question."),
    ),
}


def default_criteria() -> list[dict[str, Any]]:
    """The criteria of the first version, in the language of the moment."""
    return [
        {**each.as_json(), "title": str(CRITERIA[each.key][0]), "about": str(CRITERIA[each.key][1])}
        for each in DEFAULTS
    ]
