"""The questions before a chat as rows of a form, and back.

A row has texts by language. Options are lines: `value = label`, or a label that is its own value; the lines of the
other languages name the same options in the same order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, override

from apps.chats.rules.languages import NAMES
from apps.core.parsing.normal_forms import normalize
from apps.widget.cabinet.question_words import KINDS, LABELS
from apps.widget.rules.questions import (
    MAX_KEY,
    MAX_OPTION,
    MAX_QUESTIONS,
    ONCE,
    Question,
    QuestionKind,
    days_by_default,
)

TEXTS = ("label", "help", "options")
_SEPARATOR = " = "
_YES, _NO = ("yes", "да", "true", "+"), ("no", "нет", "false", "-")
_LATIN = [
    "a",
    "b",
    "v",
    "g",
    "d",
    "e",
    "e",
    "zh",
    "z",
    "i",
    "y",
    "k",
    "l",
    "m",
    "n",
    "o",
    "p",
    "r",
    "s",
    "t",
    "u",
    "f",
    "kh",
    "ts",
    "ch",
    "sh",
    "sch",
    "-",
    "y",
    "-",
    "e",
    "yu",
    "ya",
]
_RUSSIAN = {letter: latin.strip("-") for letter, latin in zip("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", _LATIN, strict=True)}


@dataclass(slots=True)
class QuestionRow:
    """A question as the form has it. `place` names its fields; `number` orders the rows.

    Its condition: `only_if` is the place of another question, `only_is` its answers; `more_when` is one that no field
    shows, as JSON.
    """

    place: int
    number: int
    kind: str = ""
    key: str = ""
    texts: dict[str, dict[str, str]] = field(default_factory=lambda: {name: {} for name in TEXTS})
    is_required: bool = False
    only_if: str = ""
    only_is: str = ""
    more_when: str = ""
    days: str = ""
    error: str = ""

    @property
    def is_open(self) -> bool:
        """Whether its rarer fields say something."""
        return bool(self.days or self.more_when or any(self.texts["help"].values()))

    def languages(self, codes: Sequence[str]) -> list[dict[str, str]]:
        """Its texts by language, in that order."""
        return [
            {"code": code, "name": NAMES[code], **{name: self.texts[name].get(code, "") for name in TEXTS}}
            for code in codes
        ]

    @property
    def title(self) -> str:
        return next(filter(None, self.texts["label"].values()), "") or str(KINDS.get(self.kind, ""))


def rows_of(questions: Sequence[Question], codes: Sequence[str]) -> list[QuestionRow]:
    """The rows of the questions that are stored, for a form in these languages."""
    places = {question["key"]: place for place, question in enumerate(questions)}
    return [_row_of(place, question, codes, places) for place, question in enumerate(questions)]


def _row_of(place: int, question: Question, codes: Sequence[str], places: Mapping[str, int]) -> QuestionRow:
    row = QuestionRow(place, place + 1, question["kind"], question["key"], is_required=question["required"])
    row.texts["label"] = dict(question["label"])
    row.texts["help"] = dict(question["help"] or {})
    row.texts["options"] = _option_lines(question, codes)
    if question["ask_again_days"] != days_by_default(question["kind"]):
        row.days = str(question["ask_again_days"])
    when = question["when"] or {}
    if len(when) == 1:
        ((key, values),) = when.items()
        row.only_if, row.only_is = str(places[key]), ", ".join(map(_told, values))
    elif when:
        row.more_when = json.dumps(when, ensure_ascii=False)
    return row


def _option_lines(question: Question, codes: Sequence[str]) -> dict[str, str]:
    """By language; the first one says an option's value, where that is not its label."""
    lines = {code: [option["label"].get(code, "") for option in question["options"]] for code in codes}
    first = lines[codes[0]]
    for place, option in enumerate(question["options"]):
        if first[place] != option["value"]:
            first[place] = f"{option['value']}{_SEPARATOR}{first[place]}"
    return {code: "\n".join(found) for code, found in lines.items() if any(found)}


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def rows_sent(data: Any, codes: Sequence[str]) -> list[QuestionRow]:
    """The rows of a form that was sent, in their order; those without a kind are left out."""
    found = []
    for place in range(MAX_QUESTIONS):
        given = {name: data.get(f"q{place}_{name}", "").strip() for name in ("kind", "key", "if", "is", "more", "days")}
        if given["kind"] not in KINDS:
            continue
        row = QuestionRow(place, _number(data.get(f"q{place}_number", ""), place + 1), given["kind"], given["key"])
        for name in TEXTS:
            texts = {code: data.get(f"q{place}_{name}_{code}", "").replace("\r\n", "\n").rstrip() for code in codes}
            row.texts[name] = {
                code: text if name == "options" else text.strip() for code, text in texts.items() if text
            }
        row.is_required = bool(data.get(f"q{place}_required"))
        row.only_if, row.only_is, row.more_when, row.days = given["if"], given["is"], given["more"], given["days"]
        found.append(row)
    return sorted(found, key=lambda row: row.number)


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else otherwise


def questions_of(
    rows: Sequence[QuestionRow], language: str, department_of: Callable[[str], int | None]
) -> list[dict[str, Any]]:
    """The questions that the rows say, as the API takes them. `language` is the first one of the form."""
    taken: set[str] = {row.key for row in rows if row.key}
    for row in rows:
        if not row.texts["label"] and row.kind in LABELS and language in ("en", "ru"):
            with override(language):
                row.texts["label"] = {language: str(LABELS[row.kind])}
        if not row.key:
            row.key = _free_key(row, taken)
            taken.add(row.key)
    by_place = {str(row.place): row for row in rows}
    return [
        {
            "key": row.key,
            "kind": row.kind,
            "label": row.texts["label"],
            "help": row.texts["help"] or None,
            "required": row.is_required,
            "when": _when(row, by_place, department_of),
            "options": _options(row) if row.kind == QuestionKind.CHOICE else [],
            "ask_again_days": int(row.days) if row.days.isascii() and row.days.isdecimal() else _days(row),
        }
        for row in rows
    ]


def _days(row: QuestionRow) -> Any:
    return row.days or days_by_default(row.kind)


def _free_key(row: QuestionRow, taken: set[str]) -> str:
    """A key that says something: the kind's, of which there is one, else the first words of the label."""
    begins = row.kind if row.kind in ONCE or row.kind == QuestionKind.CONSENT else _slug(row.title) or row.kind
    numbers = (f"{begins[: MAX_KEY - 3]}_{number}" for number in range(2, MAX_QUESTIONS + 2))
    return next(key for key in (begins, *numbers) if key not in taken)


def _slug(text: str) -> str:
    latin = "".join(_RUSSIAN.get(each, each) for each in text.lower())
    plain = normalize("NFKD", latin).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", plain).lstrip("_0123456789").rstrip("_")[:24].rstrip("_")


def _options(row: QuestionRow) -> list[dict[str, Any]]:
    first, *others = row.texts["options"].items() or [("", "")]
    found = []
    for place, line in enumerate(filter(None, map(str.strip, first[1].split("\n")))):
        value, separator, label = line.partition(_SEPARATOR.rstrip())
        labels = {first[0]: label.strip() if separator else line}
        for code, text in others:
            labels[code] = next(iter(text.split("\n")[place : place + 1]), "").strip()
        named = {code: label for code, label in labels.items() if label}
        found.append({"value": (value if separator else line).strip()[:MAX_OPTION], "label": named})
    return found


def _when(
    row: QuestionRow, by_place: Mapping[str, QuestionRow], department_of: Callable[[str], int | None]
) -> dict[str, Any] | None:
    if row.more_when and not row.only_if:
        try:
            found: dict[str, Any] = json.loads(row.more_when)
        except ValueError:
            return None
        return found
    other = by_place.get(row.only_if)
    if other is None:
        return None
    return {other.key: [_value(other, text, department_of) for text in _told_values(other, row.only_is)]}


def _told_values(other_row: QuestionRow, text: str) -> list[str]:
    """The answers that a field names, between commas; an option's label may have commas of its own."""
    names = {each for option in _options(other_row) for each in (option["value"], *option["label"].values())}
    return [text] if text in names else list(filter(None, map(str.strip, text.split(","))))


def _value(other_row: QuestionRow, text: str, department_of: Callable[[str], int | None]) -> Any:
    if other_row.kind in (QuestionKind.YES_NO, QuestionKind.CONSENT):
        return True if text.lower() in _YES else False if text.lower() in _NO else text
    if other_row.kind == QuestionKind.NUMBER:
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            return text
        return int(number) if number.is_integer() else number
    if other_row.kind == QuestionKind.DEPARTMENT:
        return department_of(text) or text
    if other_row.kind == QuestionKind.CHOICE:
        named = (
            option["value"] for option in _options(other_row) if text in (option["value"], *option["label"].values())
        )
        return next(named, text)
    return text
