"""Questions before a chat: the ones that an owner may ask. Pure.

A question is a JSON object, as bodies and the table have it; `options` are of a choice, empty for every other kind.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, TypedDict

from apps.chats.rules.attribute_kinds import AttributeKind, DeclaredAttribute
from apps.chats.rules.contacts import MAX_ATTRIBUTES
from apps.chats.rules.texts import language_refusals, link_refusal

MAX_QUESTIONS, MAX_KEY = 12, 40
MAX_INTRO, MAX_LABEL, MAX_HELP = 500, 200, 300  # characters
MIN_OPTIONS, MAX_OPTIONS, MAX_OPTION = 2, 20, 100
MAX_ANSWER = 1_000  # characters
MAX_WHEN = 20  # values of one question in a condition
MAX_DAYS = 365
KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")


class QuestionKind(StrEnum):
    NAME = "name"
    EMAIL = "email"
    PHONE = "phone"
    DEPARTMENT = "department"
    TEXT = "text"
    LONG_TEXT = "long_text"
    NUMBER = "number"
    DATE = "date"
    CHOICE = "choice"
    YES_NO = "yes_no"
    CONSENT = "consent"


OF_CONTACT = (QuestionKind.NAME, QuestionKind.EMAIL, QuestionKind.PHONE)
ONCE = (*OF_CONTACT, QuestionKind.DEPARTMENT)
# Their answers become the contact's attributes.
ATTRIBUTE_KINDS: Mapping[str, AttributeKind] = {
    QuestionKind.TEXT: AttributeKind.TEXT,
    QuestionKind.LONG_TEXT: AttributeKind.TEXT,
    QuestionKind.NUMBER: AttributeKind.NUMBER,
    QuestionKind.DATE: AttributeKind.DATE,
    QuestionKind.CHOICE: AttributeKind.CHOICE,
    QuestionKind.YES_NO: AttributeKind.BOOLEAN,
}
_SWITCHES = (QuestionKind.YES_NO, QuestionKind.CONSENT)


class Option(TypedDict):
    value: str
    label: Mapping[str, str]


class Question(TypedDict):
    key: str
    kind: str
    label: Mapping[str, str]
    help: Mapping[str, str] | None
    required: bool
    when: Mapping[str, Sequence[Any]] | None
    options: Sequence[Option]
    ask_again_days: int


def days_by_default(kind: str) -> int:
    """For how many days an answer of that kind is not asked for again; 0: whenever a chat begins."""
    return MAX_DAYS if kind in OF_CONTACT else 0


def set_refusals(
    intro: Mapping[str, str] | None, questions: Sequence[Question], supported: Sequence[str]
) -> dict[str, str]:
    """Why these can't be a widget's questions, by path. Each member by itself was looked at before."""
    refusals = language_refusals(intro or {}, supported, "intro")
    for place, question in enumerate(questions):
        path, before = f"questions.{place}", questions[:place]
        refusals |= _language_refusals(question, supported, path)
        if any(question["key"] == other["key"] for other in before):
            refusals[f"{path}.key"] = "Another question has this key."
        if question["kind"] in ONCE and any(question["kind"] == other["kind"] for other in before):
            refusals[f"{path}.kind"] = "There is a question of this kind already."
        refusals |= _option_refusals(question, path) | _when_refusals(question, before, path)
        if question["kind"] == QuestionKind.CONSENT:
            links = {f"{path}.label.{code}": link_refusal(text) for code, text in question["label"].items()}
            refusals |= {where: why for where, why in links.items() if why}
    return refusals


def _language_refusals(question: Question, supported: Sequence[str], path: str) -> dict[str, str]:
    refusals = language_refusals(question["label"], supported, f"{path}.label")
    refusals |= language_refusals(question["help"] or {}, supported, f"{path}.help")
    for place, option in enumerate(question["options"]):
        refusals |= language_refusals(option["label"], supported, f"{path}.options.{place}.label")
    return refusals


def _option_refusals(question: Question, path: str) -> dict[str, str]:
    values = [option["value"] for option in question["options"]]
    if question["kind"] != QuestionKind.CHOICE:
        return {f"{path}.options": "Only a choice has options."} if values else {}
    if not MIN_OPTIONS <= len(values) <= MAX_OPTIONS:
        return {f"{path}.options": f"A choice has {MIN_OPTIONS} to {MAX_OPTIONS} options."}
    again = [place for place, value in enumerate(values) if value in values[:place]]
    return {f"{path}.options.{place}.value": "Another option has this value." for place in again}


def _when_refusals(question: Question, before: Sequence[Question], path: str) -> dict[str, str]:
    when, known = question["when"], {other["key"]: other for other in before}
    refusals = {}
    for key, values in (when or {}).items():
        where = f"{path}.when.{key}"
        if key not in known:
            refusals[where] = "No question before it has this key."
        elif not isinstance(values, list) or not 1 <= len(values) <= MAX_WHEN:
            refusals[where] = f"A list of 1 to {MAX_WHEN} values is expected."
        else:
            found = {f"{where}.{place}": value_refusal(known[key], value) for place, value in enumerate(values)}
            refusals |= {place: why for place, why in found.items() if why}
    return refusals


def value_refusal(question: Question, value: object) -> str | None:
    """Why a value is no answer of the question's kind.

    Whether a department is there, and how an address or a number is written, is asked elsewhere.
    """
    kind = question["kind"]
    if kind in _SWITCHES:
        return None if isinstance(value, bool) else "True or false is expected."
    if kind == QuestionKind.NUMBER:
        return None if _is_finite(value) else "A number is expected."
    if kind == QuestionKind.DEPARTMENT:
        is_id = isinstance(value, int) and not isinstance(value, bool)
        return None if is_id else "The number of a department is expected."
    if kind == QuestionKind.CHOICE:
        values = [option["value"] for option in question["options"]]
        return None if isinstance(value, str) and value in values else f"One of {', '.join(values)} is expected."
    if kind == QuestionKind.DATE:
        return None if _is_date(value) else "A date such as 2026-11-21 is expected."
    if not isinstance(value, str):
        return "A text is expected."
    return None if len(value) <= MAX_ANSWER else f"At most {MAX_ANSWER:,} characters are expected."


def _is_finite(value: object) -> bool:
    """Whether it is a number that a double can hold: JSON's may be of any size."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float(2**1023)


def _is_date(value: object) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def declared_with(declared: Sequence[DeclaredAttribute], questions: Sequence[Question]) -> list[DeclaredAttribute]:
    """The attributes' kinds for operators, with those of the questions that have none yet, as far as there is room."""
    found, keys = list(declared), {one["key"] for one in declared}
    for question in questions:
        kind = ATTRIBUTE_KINDS.get(question["kind"])
        if kind is not None and question["key"] not in keys and len(found) < MAX_ATTRIBUTES:
            choices = [option["value"] for option in question["options"]]
            found.append(DeclaredAttribute(key=question["key"], kind=kind.value, choices=choices))
    return found


def renumber_questions(questions: Sequence[Question], look_up: Callable[[str, int], int | None]) -> set[str]:
    """Gives the departments that imported conditions name their new numbers; answers the keys that ask for one.

    A department that is not there becomes 0, which none is.
    """
    keys = {question["key"] for question in questions if question["kind"] == QuestionKind.DEPARTMENT}
    for question in questions:
        for key in keys & (question["when"] or {}).keys():
            values = (question["when"] or {})[key]
            question["when"] = {**(question["when"] or {}), key: [look_up("departments", one) or 0 for one in values]}
    return keys
