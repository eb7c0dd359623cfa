"""The acts of automations and macros: their members, and how they are refused. Pure.

An act is a line of ACTS here and a function in `actions/acts/`.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from apps.automations.rules.refusals import (
    KnownIds,
    Refusal,
    id_refusals,
    is_whole,
    member_refusals,
    one_of,
    shown,
    text_refusal,
)
from apps.automations.rules.variables import MAX_REPLY, fallback_refusal, variable_refusal
from apps.chats.rules.contacts import MAX_TAG, attribute_refusals, tag_refusal
from apps.chats.rules.priorities import Priority
from apps.chats.rules.snoozes import LONGEST

MAX_ACTS = 10
MAX_SNOOZE_MINUTES = int(LONGEST.total_seconds()) // 60
MAX_CLOSE_REASON, MAX_REASON, MAX_WEBHOOK_NAME, MAX_NOTICE = 255, 32, 40, 500  # characters
MAX_TEXTS, MAX_NOTIFIED = 40, 50
GROUPS_OF_PEOPLE = ("owner", "department", "managers")
NOTIFIED_BY = ("console", "mail")

_SLUG = re.compile(r"[a-z0-9]+(?:[_.-][a-z0-9]+)*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?")


class ActContext(NamedTuple):
    """The automation or the macro that acts. `inputs` are the keys of a macro's questions.

    An automation has nobody to ask: its variables have fallbacks, and it has no canned replies.
    """

    known: KnownIds
    is_macro: bool = False
    inputs: Collection[str] = ()


class Act(NamedTuple):
    """The members of an act beside `do`, the optional ones among them, and how they are refused."""

    members: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    refusals: Callable[[Mapping[str, Any], ActContext, str], list[Refusal]] = lambda act, context, path: []


def then_refusals(then: Any, context: ActContext, path: str = "then") -> list[Refusal]:
    """Why these are no acts of an automation or a macro, by path; empty when they are."""
    if not isinstance(then, list) or not 1 <= len(then) <= MAX_ACTS:
        return [(path, f"A list of 1 to {MAX_ACTS} acts is expected.")]
    found = [each for place, act in enumerate(then) for each in act_refusals(act, context, f"{path}.{place}")]
    if context.is_macro and not found:
        replies = [place for place, act in enumerate(then) if act["do"] == "reply"]
        found += [(f"{path}.{place}.do", "A macro has one reply.") for place in replies[1:]]
    return found


def act_refusals(act: Any, context: ActContext, path: str) -> list[Refusal]:
    """Why this is no act, by path."""
    if not isinstance(act, Mapping):
        return [(path, "An object with do is expected.")]
    if refusal := one_of(act.get("do"), ACTS, f"{path}.do"):
        return refusal
    kind = ACTS[act["do"]]
    if refusal := member_refusals(act, ("do", *kind.members, *kind.optional), path):
        return refusal
    missing = [(f"{path}.{name}", "This member is required.") for name in kind.members if name not in act]
    return missing or kind.refusals(act, context, path)


def _agent(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return id_refusals(act["agent_id"], context.known.agents, "an operator", f"{path}.agent_id")


def _department(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return id_refusals(act["department_id"], context.known.departments, "a department", f"{path}.department_id")


def _priority(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return one_of(act["value"], tuple(Priority), f"{path}.value")


def _snooze(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    if act["minutes"] is None or is_whole(act["minutes"], 1, MAX_SNOOZE_MINUTES):
        return []
    return [(f"{path}.minutes", f"Must be from 1 to {MAX_SNOOZE_MINUTES} minutes, or null until the visitor writes.")]


def _close(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return _text(act, "reason", MAX_CLOSE_REASON, path) if act.get("reason") is not None else []


def _tag(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    name = act["name"]
    refusal = text_refusal(name, MAX_TAG) or tag_refusal(name)
    return [(f"{path}.name", refusal)] if refusal else []


def _attribute(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    key = act["key"]
    if not isinstance(key, str):
        return [(f"{path}.key", "A text is expected.")]
    refusal = attribute_refusals({key: None}).get(key)
    if refusal:
        return [(f"{path}.key", refusal)]
    refusal = attribute_refusals({key: act["value"]}).get(key)
    return [(f"{path}.value", refusal)] if refusal else []


def _note(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return _words(act["text"], context, f"{path}.text") + _texts(act, context, path)


def _reply(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    if not context.is_macro or "reply_id" not in act:
        if "text" not in act:
            return [(f"{path}.text", "This member is required.")]
        if "reply_id" in act:
            return [(f"{path}.reply_id", "Only macros have canned replies.")]
        return _note(act, context, path)
    if "text" in act or "texts" in act:
        return [(f"{path}.reply_id", "A reply has a text or the number of a canned reply, not both.")]
    return id_refusals(act["reply_id"], context.known.replies, "a canned reply", f"{path}.reply_id")


def _texts(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    texts = act.get("texts")
    if texts is None:
        return []
    if not isinstance(texts, Mapping) or len(texts) > MAX_TEXTS:
        return [(f"{path}.texts", f"An object of at most {MAX_TEXTS} texts by language is expected.")]
    found: list[Refusal] = []
    for language, text in texts.items():
        where = f"{path}.texts.{shown(language)}"
        is_language = len(language) <= 16 and _LANGUAGE.fullmatch(language)
        found += _words(text, context, where) if is_language else [(where, "A language such as en is expected.")]
    return found


def _words(text: Any, context: ActContext, path: str) -> list[Refusal]:
    refusal = text_refusal(text, MAX_REPLY) or variable_refusal(text, context.inputs)
    if refusal is None and not context.is_macro:
        refusal = fallback_refusal(text)
    return [(path, refusal)] if refusal else []


def _to_person(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return _slug(act["reason"], MAX_REASON, f"{path}.reason")


def _webhook(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    return _slug(act["name"], MAX_WEBHOOK_NAME, f"{path}.name")


def _notify(act: Mapping[str, Any], context: ActContext, path: str) -> list[Refusal]:
    found = _whom(act["whom"], context, f"{path}.whom")
    by = act["by"]
    if not isinstance(by, list) or not 1 <= len(by) <= len(NOTIFIED_BY):
        found.append((f"{path}.by", f"A list of {' and '.join(NOTIFIED_BY)} is expected."))
    else:
        found += [each for place, way in enumerate(by) for each in one_of(way, NOTIFIED_BY, f"{path}.by.{place}")]
    return found + _text(act, "text", MAX_NOTICE, path)


def _whom(whom: Any, context: ActContext, path: str) -> list[Refusal]:
    if not isinstance(whom, Mapping):
        return [] if isinstance(whom, str) and whom in GROUPS_OF_PEOPLE else [(path, _EXPECTED_WHOM)]
    if refusal := member_refusals(whom, ("agent_ids",), path):
        return refusal
    ids = whom.get("agent_ids")
    if not isinstance(ids, list) or not 1 <= len(ids) <= MAX_NOTIFIED:
        return [(f"{path}.agent_ids", f"A list of 1 to {MAX_NOTIFIED} operators is expected.")]
    return [
        refusal
        for place, each in enumerate(ids)
        for refusal in id_refusals(each, context.known.agents, "an operator", f"{path}.agent_ids.{place}")
    ]


_EXPECTED_WHOM = f"Must be one of {', '.join(GROUPS_OF_PEOPLE)}, or an object with agent_ids."


def _text(act: Mapping[str, Any], name: str, longest: int, path: str) -> list[Refusal]:
    refusal = text_refusal(act[name], longest)
    return [(f"{path}.{name}", refusal)] if refusal else []


def _slug(value: Any, longest: int, path: str) -> list[Refusal]:
    if isinstance(value, str) and len(value) <= longest and _SLUG.fullmatch(value):
        return []
    return [(path, f"At most {longest} small letters, digits and _ . - between them are expected.")]


ACTS: Mapping[str, Act] = {
    "assign": Act(("agent_id",), refusals=_agent),
    "unassign": Act(),
    "send_to": Act(("department_id",), refusals=_department),
    "priority": Act(("value",), refusals=_priority),
    "snooze": Act(("minutes",), refusals=_snooze),
    "close": Act((), ("reason",), _close),
    "tag": Act(("name",), refusals=_tag),
    "untag": Act(("name",), refusals=_tag),
    "attribute": Act(("key", "value"), refusals=_attribute),
    "note": Act(("text",), ("texts",), _note),
    "reply": Act((), ("text", "texts", "reply_id"), _reply),
    "to_ai": Act(),
    "to_person": Act(("reason",), refusals=_to_person),
    "ask_rating": Act(),
    "notify": Act(("whom", "by", "text"), refusals=_notify),
    "webhook": Act(("name",), refusals=_webhook),
}


def named_rows(then: Sequence[Mapping[str, Any]], path: str = "then") -> Iterator[tuple[str, str, int]]:
    """The rows that acts name: the path of each, `agent`, `department` or `reply`, and its number."""
    for place, act in enumerate(then):
        where = f"{path}.{place}"
        for name, rows in (("agent_id", "agent"), ("department_id", "department"), ("reply_id", "reply")):
            if name in act:
                yield f"{where}.{name}", rows, act[name]
        if isinstance(act.get("whom"), Mapping):
            for number, agent_id in enumerate(act["whom"]["agent_ids"]):
                yield f"{where}.whom.agent_ids.{number}", "agent", agent_id
