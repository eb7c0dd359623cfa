"""Invitations to chat in a clerk's words: rules as sentences, and results as a judgement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext, npgettext
from django.utils.translation import gettext_lazy as _

from apps.chats.rules.languages import NAMES

STATES = {"draft": _("Draft"), "live": _("Shown to visitors"), "paused": _("Paused")}
DEVICES = {"desktop": _("on a computer"), "mobile": _("on a phone")}
VISITORS = {
    "new": _("who never wrote from this browser"),
    "returning": _("who wrote before"),
    "identified": _("whom the website has named"),
}
ANSWERING = {
    "people": _("an operator is at work"),
    "ai": _("AI answers"),
    "anyone": _("an operator is at work, or AI answers"),
    "nobody": _("nobody is there to answer"),
}
HOURS = {"open": _("in open hours"), "closed": _("outside open hours")}


def rule_sentences(rule: Mapping[str, Any]) -> list[str]:
    """The conditions of a rule, a sentence each; the last is of those in `any`."""
    said = [condition_words(name, value) for name, value in rule.items() if name != "any"]
    if branches := rule.get("any"):
        parts = [" + ".join(rule_sentences(branch)) or gettext("always") for branch in branches]
        said.append(gettext("one of these: %(parts)s") % {"parts": gettext(" — or — ").join(parts)})
    return said


def words_by_condition(rule: Mapping[str, Any]) -> dict[str, str]:
    """The sentence of each condition, by its path: `page`, `any.0.page`."""
    said = {name: condition_words(name, value) for name, value in rule.items() if name != "any"}
    for place, branch in enumerate(rule.get("any", ())):
        said |= {f"any.{place}.{name}": condition_words(name, value) for name, value in branch.items()}
    return said


def rule_words(rule: Mapping[str, Any]) -> str:
    """A rule as one line; one without conditions holds everywhere."""
    return "; ".join(rule_sentences(rule)) or gettext("On every page, at once")


def condition_words(name: str, value: Any) -> str:
    """One condition as a sentence."""
    words = _WORDS.get(name)
    return str(words(value)) if words else f"{name}: {value}"


def _lines(text: Any, value: Any) -> str:
    return str(text) % {"value": ", ".join(str(each) or "—" for each in value)}


def _seconds(text: Any, value: int) -> str:
    if value and value % 60 == 0:
        time = npgettext("for so long", "%(count)d minute", "%(count)d minutes", value // 60) % {"count": value // 60}
    else:
        time = npgettext("for so long", "%(count)d second", "%(count)d seconds", value) % {"count": value}
    return str(text) % {"time": time}


def _span(text: Any, value: Mapping[str, int]) -> str:
    low, high = value.get("min"), value.get("max")
    if low == high or high is None:
        form = "%(low)s" if low == high else gettext("%(low)s or more")
    else:
        form = gettext("at most %(high)s") if low is None else gettext("%(low)s to %(high)s")
    return str(text) % {"value": form % {"low": low, "high": high}}


def _event(value: Mapping[str, Any]) -> str:
    times = value.get("times", 1)
    said = ngettext(
        "the page reported “%(name)s” %(count)d time", "the page reported “%(name)s” %(count)d times", times
    ) % {"name": value.get("name"), "count": times}
    within = value.get("within_s")
    return said if within is None else " ".join((said, _seconds(_("within %(time)s"), within)))


def _pairs(text: Any, value: Mapping[str, Any]) -> str:
    shown = [f"{name} = {_shown(wanted)}" for name, wanted in value.items()]
    return str(text) % {"value": ", ".join(shown)}


def _shown(value: Any) -> str:
    if value is None:
        return gettext("not told")
    return gettext(" or ").join(map(str, value)) if isinstance(value, list) else str(value)


_WORDS: Mapping[str, Callable[[Any], str]] = {
    "page": lambda value: _lines(_("the page is %(value)s"), value),
    "not_page": lambda value: _lines(_("the page is none of %(value)s"), value),
    "seconds": lambda value: _seconds(_("the page has been in sight for %(time)s"), value),
    "seconds_visit": lambda value: _seconds(_("the visit lasts for %(time)s"), value),
    "scroll": lambda value: str(_("%(value)s %% of the page was in sight")) % {"value": value},
    "leave": lambda value: gettext("the mouse leaves by the window's top edge"),
    "visits": lambda value: _span(_("number of the visit: %(value)s"), value),
    "pages": lambda value: _span(_("pages of the visit: %(value)s"), value),
    "referrer": lambda value: _lines(_("the visitor came from %(value)s"), value),
    "param": lambda value: _pairs(_("the address has %(value)s"), value),
    "attribute": lambda value: _pairs(_("the website told %(value)s"), value),
    "event": _event,
    "language": lambda value: _lines(_("the language is %(value)s"), [NAMES.get(code, code) for code in value]),
    "device": lambda value: str(DEVICES.get(value, value)),
    "visitor": lambda value: gettext("visitors %(value)s") % {"value": VISITORS.get(value, value)},
    "answering": lambda value: str(ANSWERING.get(value, value)),
    "hours": lambda value: str(HOURS.get(value, value)),
}


def effect_words(results: Mapping[str, Any], *, has_goal: bool, holdout: int) -> str:
    """The results in words: whether it helps, or that it is too early to say."""
    if not has_goal:
        return gettext("Without a goal nothing is compared: say what visitors shall do.")
    if not holdout and not results["held"]:
        return gettext("Nobody is held back, so there is nothing to compare with: set a share of visitors.")
    effect = results["effect"]
    if effect is None:
        return gettext(
            "Too few to say. It was shown %(shown)s times and held back %(held)s times; from 100 visitors of both on "
            "its use is told."
        ) % {"shown": results["shown"], "held": results["held"]}
    rates = {name: percent(value) for name, value in results["rate"].items()}
    said = {**rates, "low": percent(effect["low"]), "high": percent(effect["high"])}
    if effect["low"] > 0:
        judged = gettext("It helps.")
    else:
        judged = gettext("It does harm.") if effect["high"] < 0 else gettext("No use is seen yet.")
    figures = gettext(
        "%(shown)s of those who saw it reached the goal, and %(held)s of those who did not. The difference is between "
        "%(low)s and %(high)s, with a certainty of 95 percent."
    )
    return f"{judged} {figures % said}"


def percent(share: float | None) -> str:
    """A share with one digit."""
    return "—" if share is None else f"{number_format(share * 100, 1)} %"
