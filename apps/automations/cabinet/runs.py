"""A run in words: its trigger, its conditions, its acts and their undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext

from apps.automations.cabinet import words
from apps.automations.cabinet.sentences import Names, begun, leaf_words, value_words, when_words

GOOD, BAD, SOFT = "good", "bad", "soft"  # how a line looks
Line = tuple[str, str]


def trigger_words(trigger: Mapping[str, Any]) -> str:
    """The event or the wait that a run followed; of a macro that a person asked for it."""
    if trigger.get("event") in words.EVENTS or trigger.get("wait") in words.WAITS:
        return when_words(trigger)
    return gettext("An operator ran it")


def checked_words(why: Sequence[Mapping[str, Any]], names: Names) -> list[Line]:
    """Each condition as it was judged, with the value then where it is no text of a visitor."""
    lines = []
    for each in why:
        said = begun(leaf_words(each, names))
        if each.get("was") is not None and each["field"] not in words.FLAGS:
            said = gettext("%(condition)s (it was %(value)s)") % {
                "condition": said,
                "value": value_words(each["field"], each["was"], names) or "—",
            }
        lines.append((GOOD if each.get("held") else SOFT, said))
    return lines


def done_words(did: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Each act with its result."""
    return [(GOOD if each["result"] == "done" else BAD, _done(each)) for each in did]


def _done(each: Mapping[str, Any]) -> str:
    said = f"{words.ACTS.get(each['do'], each['do'])}: {words.RESULTS.get(each['result'], each['result'])}"
    return f"{said} ({reason_words(each['why'])})" if each.get("why") else said


def reason_words(code: str) -> str:
    """Why an act was skipped, or stays; a code that has no words here as it is."""
    return str(words.REASONS.get(code, code.replace("_", " ")))


def undone_words(done: Mapping[str, Any]) -> list[str]:
    """The acts that an undoing took back, and those that it left."""
    acts = [str(words.ACTS.get(do, do)) for do in done["undone"]]
    lines = [gettext("Undone: %(acts)s.") % {"acts": ", ".join(acts)}] if acts else []
    kept = [f"{words.ACTS.get(each['do'], each['do'])} ({reason_words(each['why'])})" for each in done["kept"]]
    if kept:
        lines.append(gettext("Stays: %(acts)s.") % {"acts": ", ".join(kept)})
    return [str(capfirst(line)) for line in lines]
