"""Automations and macros as sentences: "When a visitor waits 10 minutes and the department is Sales: urgent".

Pure: the names of ids come with `Names`. A stored automation always has a sentence, also where no rule admits it any
more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Any

from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext, npgettext, pgettext

from apps.automations.cabinet import words
from apps.automations.rules.fields import ATTRIBUTE

SHOWN_TEXT = 60  # characters of a text in a sentence
HOUR, DAY = 60, 24 * 60
Members = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a widget's rows, by their ids; of channels by their codes."""

    departments: Mapping[int, str] = field(default_factory=dict)
    agents: Mapping[int, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)

    def department(self, key: Any) -> str:
        return self.departments.get(key) or gettext("a deleted department")

    def agent(self, key: Any) -> str:
        return self.agents.get(key) or gettext("an operator who is gone")


def sentence(
    when: Members, condition: Members | None, then: Sequence[Members], names: Names, *, stop: bool = False
) -> str:
    """An automation whole: when, if, then."""
    begins = when_words(when)
    if condition:
        begins = gettext("%(when)s and %(condition)s") % {"when": begins, "condition": _inside(condition, names, "all")}
    ends = acts_words(then, names)
    if stop:
        ends = gettext("%(acts)s; no later rule") % {"acts": ends}
    return f"{begins}: {ends}"


def when_words(when: Members) -> str:
    if "event" in when:
        return str(words.EVENTS.get(when["event"], when["event"]))
    minutes = when.get("minutes", 0)
    said = str(words.WAITS.get(when.get("wait", ""), "%(time)s")) % {"time": duration(minutes)}
    return gettext("%(wait)s in open hours") % {"wait": said} if when.get("clock") == "open" else said


def duration(minutes: int) -> str:
    """A time as long as it takes, in its largest whole unit: "10 minutes", "1 day"."""
    if minutes and minutes % DAY == 0:
        count = minutes // DAY
        return npgettext("for so long", "%(count)d day", "%(count)d days", count) % {"count": count}
    if minutes and minutes % HOUR == 0:
        count = minutes // HOUR
        return npgettext("for so long", "%(count)d hour", "%(count)d hours", count) % {"count": count}
    return npgettext("for so long", "%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def condition_words(condition: Members | None, names: Names) -> str:
    """A condition alone; empty where there is none."""
    return _inside(condition, names, "") if condition else ""


def _inside(tree: Members, names: Names, outer: str) -> str:
    """A part of a condition; in brackets where its outer part is joined in another way."""
    if "not" in tree:
        return gettext("not (%(condition)s)") % {"condition": _inside(tree["not"], names, "")}
    for kind in ("all", "any"):
        if kind in tree:
            parts = [_inside(part, names, kind if len(tree[kind]) > 1 else outer) for part in tree[kind]]
            joined = (gettext(" and ") if kind == "all" else gettext(" or ")).join(parts)
            return f"({joined})" if outer and outer != kind and len(parts) > 1 else joined
    return leaf_words(tree, names)


def leaf_words(leaf: Members, names: Names) -> str:
    """One comparison of a condition."""
    name, op, value = leaf.get("field", ""), leaf.get("op", ""), leaf.get("value")
    if name in words.FLAGS:
        return str(words.FLAGS[name][0 if value else 1])
    subject = field_words(name)
    form = str(words.COMPARED.get(op, "%(field)s: %(value)s"))
    if op == "between" and isinstance(value, list) and len(value) == 2:
        return form % {"field": subject, "low": value_words(name, value[0], names), "high": _shown(value[1])}
    return form % {"field": subject, "value": value_words(name, value, names), "low": "", "high": ""}


def field_words(name: str) -> str:
    if name.startswith(ATTRIBUTE):
        key = name.removeprefix(ATTRIBUTE)
        return gettext("%(field)s “%(key)s”") % {"field": words.FIELDS["contact.attributes"], "key": key}
    return str(words.FIELDS.get(name, name))


def value_words(name: str, value: Any, names: Names) -> str:
    """A value of a field: the names of ids and codes, texts in quotes."""
    if isinstance(value, list):
        return ", ".join(value_words(name, each, names) for each in value)
    base = name.removeprefix("previous.")
    by_id: dict[str, Callable[[Any], str]] = {"department_id": names.department, "agent_id": names.agent}
    if base in by_id:
        return by_id[base](value)
    if base == "channel":
        return names.channels.get(value, str(value))
    if name in words.VALUES:
        return str(words.VALUES[name].get(value, value))
    return quoted(value) if isinstance(value, str) and name not in ("time", "language") else _shown(value)


def _shown(value: Any) -> str:
    return "" if value is None else str(value)


def quoted(text: Any) -> str:
    """A text between quotes, shortened."""
    # Whole words, as far as there are any.
    shown = shorten(str(text), SHOWN_TEXT, placeholder="…")
    return gettext("“%(text)s”") % {"text": Truncator(str(text)).chars(SHOWN_TEXT) if shown == "…" else shown}


def acts_words(then: Sequence[Members], names: Names) -> str:
    return ", ".join(act_words(act, names) for act in then)


def act_words(act: Members, names: Names) -> str:
    """One act, as a sentence goes on with it."""
    do = act.get("do", "")
    if do in _PLAIN:
        return _PLAIN[do]()
    return _WITH[do](act, names) if do in _WITH else str(do)


_PLAIN: Mapping[str, Callable[[], str]] = {
    "unassign": lambda: pgettext("an act", "take it from its operator"),
    "to_ai": lambda: pgettext("an act", "hand it to AI"),
    "to_person": lambda: pgettext("an act", "call a person"),
    "ask_rating": lambda: pgettext("an act", "ask for a rating"),
    "close": lambda: pgettext("an act", "close the chat"),
    "note": lambda: pgettext("an act", "leave a note"),
}


def _assign(act: Members, names: Names) -> str:
    return pgettext("an act", "assign to %(name)s") % {"name": names.agent(act.get("agent_id"))}


def _send_to(act: Members, names: Names) -> str:
    return pgettext("an act", "send to %(name)s") % {"name": names.department(act.get("department_id"))}


def _priority(act: Members, names: Names) -> str:
    return str(words.PRIORITY_ACTS.get(act.get("value", ""), act.get("value", "")))


def _snooze(act: Members, names: Names) -> str:
    minutes = act.get("minutes")
    if not minutes:
        return pgettext("an act", "snooze until the visitor writes")
    return pgettext("an act", "snooze for %(time)s") % {"time": duration(minutes)}


def _tag(act: Members, names: Names) -> str:
    return pgettext("an act", "add the tag %(name)s") % {"name": quoted(act.get("name", ""))}


def _untag(act: Members, names: Names) -> str:
    return pgettext("an act", "remove the tag %(name)s") % {"name": quoted(act.get("name", ""))}


def _attribute(act: Members, names: Names) -> str:
    said = pgettext("an act", "set %(key)s to %(value)s")
    return said % {"key": quoted(act.get("key", "")), "value": quoted(_shown(act.get("value")))}


def _reply(act: Members, names: Names) -> str:
    if not act.get("text"):
        return pgettext("an act", "reply with a canned reply")
    return pgettext("an act", "reply %(text)s") % {"text": quoted(act["text"])}


def _notify(act: Members, names: Names) -> str:
    whom = act.get("whom")
    if isinstance(whom, Mapping):
        told = ", ".join(names.agent(key) for key in whom.get("agent_ids", ()))
    else:
        told = str(_TOLD[whom]() if whom in _TOLD else whom)
    said = pgettext("an act", "tell %(people)s") % {"people": told}
    if "mail" not in act.get("by", ()):
        return said
    by = gettext("by e-mail") if "console" not in act["by"] else gettext("in the console and by e-mail")
    return f"{said} {by}"


_TOLD: Mapping[Any, Callable[[], str]] = {
    "managers": lambda: pgettext("tell them", "the managers"),
    "owner": lambda: pgettext("tell them", "its operator"),
    "department": lambda: pgettext("tell them", "the department"),
}


def _webhook(act: Members, names: Names) -> str:
    return pgettext("an act", "send the event %(name)s") % {"name": quoted(act.get("name", ""))}


_WITH: Mapping[str, Callable[[Members, Names], str]] = {
    "assign": _assign,
    "send_to": _send_to,
    "priority": _priority,
    "snooze": _snooze,
    "tag": _tag,
    "untag": _untag,
    "attribute": _attribute,
    "reply": _reply,
    "notify": _notify,
    "webhook": _webhook,
}


def begun(text: str) -> str:
    """A sentence's first letter, where a part of one stands alone."""
    return str(capfirst(text))
