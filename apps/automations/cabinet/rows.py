"""Conditions and acts as rows of a form, and back.

A condition that is one list of comparisons is rows; a deeper tree is shown as a sentence and changed as JSON. A value
that is chosen stands in the form as `department_id:3`, so that one list may offer the values of every field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from apps.automations.cabinet import words
from apps.automations.cabinet.sentences import Names
from apps.automations.rules.acts import MAX_ACTS
from apps.automations.rules.conditions import MAX_LEAVES
from apps.automations.rules.fields import ATTRIBUTE, FieldKind, field_of

# The acts whose value is typed, and the member that it becomes; of those that choose one, the member and its list.
TYPED = {"snooze": "minutes", "tag": "name", "untag": "name", "attribute": "value", "to_person": "reason"}
TYPED |= {"close": "reason", "webhook": "name"}
CHOSEN = {"assign": "agent_id", "send_to": "department_id", "priority": "value"}
LISTS = {"assign": "agent_id", "send_to": "department_id", "priority": "priority", "notify": "whom"}
WITH_TEXT = ("note", "reply", "notify")
# The members of acts that rows show; others (`texts`) go along unseen.
SHOWN = frozenset(
    {"do", "text", "whom", "by", "key", "value", "name", "minutes", "reason", "agent_id", "department_id"}
)


class RowError(ValueError):
    """A row says nothing that can be stored; the text is for its reader."""


@dataclass(slots=True)
class ConditionRow:
    """A comparison as the form has it: `choices` are values that are chosen, `value` is typed."""

    place: int
    name: str = ""
    key: str = ""
    op: str = ""
    choices: list[str] = field(default_factory=list)
    value: str = ""
    error: Any = ""

    @property
    def is_many(self) -> bool:
        return self.op in ("in", "not_in")


@dataclass(slots=True)
class ActRow:
    """An act as the form has it; `more` are its members that no field shows, as JSON."""

    place: int
    do: str = ""
    choices: list[str] = field(default_factory=list)
    key: str = ""
    value: str = ""
    by: str = "console"
    text: str = ""
    more: str = ""
    error: Any = ""

    @property
    def is_many(self) -> bool:
        return self.do == "notify"


def flat(condition: Mapping[str, Any] | None) -> tuple[str, list[Mapping[str, Any]]] | None:
    """How the comparisons of a condition are joined, and these; None where it is a deeper tree."""
    if not condition:
        return "all", []
    for joined in ("all", "any"):
        if joined in condition:
            parts = condition[joined]
            return (joined, list(parts)) if all("field" in part for part in parts) else None
    return ("all", [condition]) if "field" in condition else None


def row_of_leaf(place: int, leaf: Mapping[str, Any]) -> ConditionRow:
    name, op, value = leaf["field"], leaf["op"], leaf.get("value")
    row = ConditionRow(place, name=name, op=op)
    if name.startswith(ATTRIBUTE):
        row.name, row.key = ATTRIBUTE.rstrip("."), name.removeprefix(ATTRIBUTE)
    values = value if isinstance(value, list) else [] if value is None else [value]
    if is_chosen(row.name):
        row.choices = [coded(name, each) for each in values]
    else:
        row.value = ", ".join(map(str, values))
    return row


def is_chosen(name: str) -> bool:
    """Whether the values of a field are a list to choose from; languages are typed."""
    known = field_of(name)
    return known is not None and known.kind in (FieldKind.CHOICE, FieldKind.FLAG) and name != "language"


def coded(name: str, value: Any) -> str:
    """A value as the form's list has it: `department_id:3`, `is_open:true`."""
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name.removeprefix('previous.')}:{shown}"


def offered(names: Names) -> list[tuple[str, Any, list[tuple[str, Any]]]]:
    """The values of conditions to choose from: the field, its name, and each value with its words."""
    lists: list[tuple[str, Any, list[tuple[str, Any]]]] = [
        ("department_id", words.FIELDS["department_id"], _rows("department_id", names.departments)),
        ("agent_id", words.FIELDS["agent_id"], _rows("agent_id", names.agents)),
        ("channel", words.FIELDS["channel"], _rows("channel", names.channels)),
    ]
    lists += [
        (name, words.FIELDS[name], _rows(name, values))
        for name, values in words.VALUES.items()
        if not name.startswith("previous.")
    ]
    for name, (yes, no) in words.FLAGS.items():
        lists.append((name, words.FIELDS[name], [(f"{name}:true", yes), (f"{name}:false", no)]))
    return lists


def offered_acts(names: Names) -> list[tuple[str, Any, list[tuple[str, Any]]]]:
    """The values of acts to choose from, in the same way."""
    return [
        ("whom", words.ACTS["notify"], [*_rows("whom", words.WHOM), *_rows("agent", names.agents)]),
        ("agent_id", words.ACTS["assign"], _rows("agent_id", names.agents)),
        ("department_id", words.ACTS["send_to"], _rows("department_id", names.departments)),
        ("priority", words.ACTS["priority"], _rows("priority", words.PRIORITIES)),
    ]


def _rows(name: str, values: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    return [(f"{name}:{value}", word) for value, word in values.items()]


def rows_sent(data: Any, prefix: str, most: int) -> list[int]:
    """The places of the rows of a form that was sent, in order, `most` of them."""
    places = {int(found[1]) for name in data if (found := re.fullmatch(rf"{prefix}_(\d{{1,3}})_\w+", name))}
    return sorted(places)[:most]


def conditions_sent(data: Any) -> list[ConditionRow]:
    """The rows of conditions in which something was chosen."""
    rows = [
        ConditionRow(
            place,
            name=data.get(f"if_{place}_field", ""),
            key=data.get(f"if_{place}_key", "").strip(),
            op=data.get(f"if_{place}_op", ""),
            choices=data.getlist(f"if_{place}_choice"),
            value=data.get(f"if_{place}_value", "").strip(),
        )
        for place in rows_sent(data, "if", MAX_LEAVES)
    ]
    return [row for row in rows if row.name]


def acts_sent(data: Any) -> list[ActRow]:
    """The rows of acts in which one was chosen."""
    rows = [
        ActRow(
            place,
            do=data.get(f"then_{place}_do", ""),
            choices=data.getlist(f"then_{place}_choice"),
            key=data.get(f"then_{place}_key", "").strip(),
            value=data.get(f"then_{place}_value", "").strip(),
            by=data.get(f"then_{place}_by", ""),
            text=data.get(f"then_{place}_text", "").replace("\r\n", "\n").strip(),
            more=data.get(f"then_{place}_more", ""),
        )
        for place in rows_sent(data, "then", MAX_ACTS)
    ]
    return [row for row in rows if row.do]


def leaf_of(row: ConditionRow) -> dict[str, Any]:
    """The comparison of a row. Raises RowError."""
    name = f"{ATTRIBUTE}{row.key}" if row.name == ATTRIBUTE.rstrip(".") else row.name
    known = field_of(name)
    if known is None:
        raise RowError(_("Choose one of these fields."))
    leaf: dict[str, Any] = {"field": name, "op": row.op}
    if row.op not in ("is_empty", "is_set"):
        leaf["value"] = _chosen_value(row) if is_chosen(row.name) else _typed_value(row, known.kind)
    return leaf


def _chosen_value(row: ConditionRow) -> Any:
    base = row.name.removeprefix("previous.")
    values = [each.removeprefix(f"{base}:") for each in row.choices if each.startswith(f"{base}:")]
    if not values:
        raise RowError(_("Choose a value."))
    read = [_of_code(base, each) for each in values]
    return read if row.is_many else read[0]


def _of_code(name: str, code: str) -> Any:
    if name in words.FLAGS:
        return code == "true"
    return int(code) if name.endswith("_id") and code.isascii() and code.isdecimal() and len(code) < 19 else code


def _typed_value(row: ConditionRow, kind: Any) -> Any:
    split = re.split("[,;–]" if kind is FieldKind.TIME else "[,;]", row.value)
    parts = [part.strip() for part in split if part.strip()]
    if not parts:
        raise RowError(_("Say a value."))
    if kind is FieldKind.NUMBER:
        numbers = [_number(part) for part in parts]
        return numbers if row.op == "between" else numbers[0]
    many = kind in (FieldKind.SET, FieldKind.TIME) or row.op in ("in", "not_in")
    return parts if many else row.value


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise RowError(_("Say a number."))
    return int(text)


def row_of_act(place: int, act: Mapping[str, Any]) -> ActRow:
    do = act["do"]
    row = ActRow(place, do=do, key=act.get("key", ""), text=act.get("text", ""))
    if do in TYPED and act.get(TYPED[do]) is not None:
        row.value = str(act[TYPED[do]])
    if do in CHOSEN and CHOSEN[do] in act:
        row.choices = [f"{LISTS[do]}:{act[CHOSEN[do]]}"]
    if do == "notify":
        whom = act["whom"]
        row.choices = [f"agent:{key}" for key in whom["agent_ids"]] if isinstance(whom, Mapping) else [f"whom:{whom}"]
        row.by = "+".join(sorted(act.get("by") or ["console"]))
    if unseen := {name: value for name, value in act.items() if name not in SHOWN}:
        row.more = json.dumps(unseen, ensure_ascii=False)
    return row


def act_of(row: ActRow) -> dict[str, Any]:
    """The act of a row. Raises RowError."""
    if row.do not in words.ACTS:
        raise RowError(_("Choose one of these acts."))
    act: dict[str, Any] = {"do": row.do, **_unseen(row)}
    if row.do in CHOSEN:
        act[CHOSEN[row.do]] = _chosen_of_act(row)
    if row.do == "notify":
        act |= {"whom": _whom(row), "by": row.by.split("+") if row.by else ["console"]}
    if row.do == "attribute":
        act["key"] = row.key
    if row.do == "snooze":
        act["minutes"] = _number(row.value) if row.value else None
    elif row.do in TYPED and (row.value or row.do != "close"):
        act[TYPED[row.do]] = row.value
    if row.do in WITH_TEXT and (row.text or "reply_id" not in act):
        act["text"] = row.text
    return act


def _unseen(row: ActRow) -> dict[str, Any]:
    if not row.more:
        return {}
    try:
        found = json.loads(row.more)
    except ValueError:
        raise RowError(_("This is no JSON.")) from None
    return {name: value for name, value in found.items() if name not in SHOWN} if isinstance(found, dict) else {}


def _chosen_of_act(row: ActRow) -> Any:
    wanted = f"{LISTS[row.do]}:"
    for each in row.choices:
        if each.startswith(wanted):
            return _of_code(LISTS[row.do], each.removeprefix(wanted))
    raise RowError(_("Choose a value."))


def _whom(row: ActRow) -> Any:
    agents = [_of_code("agent_id", each.removeprefix("agent:")) for each in row.choices if each.startswith("agent:")]
    groups = [each.removeprefix("whom:") for each in row.choices if each.startswith("whom:")]
    if (groups and agents) or len(groups) > 1:
        raise RowError(_("Choose the managers, the operator, the department, or names."))
    if not groups and not agents:
        raise RowError(_("Choose a value."))
    return groups[0] if groups else {"agent_ids": agents}


def places_of(errors: Mapping[str, Sequence[str]], kind: str) -> dict[int, str]:
    """The refusals of a call, by the number of the comparison (`if`) or of the act (`then`) that they name."""
    found: dict[int, str] = {}
    for path, texts in errors.items():
        if place := re.match(rf"{kind}\.(?:(?:all|any)\.)?(\d+)(?:\.|$)", path):
            found.setdefault(int(place[1]), " ".join(texts))
    return found
