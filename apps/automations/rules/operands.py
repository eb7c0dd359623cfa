"""The values that conditions compare with, and how they are refused. Pure."""

import math
import re
from collections.abc import Callable
from typing import Any

from apps.automations.rules.fields import ConditionField, ConditionOperator, FieldKind, NamedRows
from apps.automations.rules.refusals import KnownIds, Refusal, id_refusals, one_of, text_refusal
from apps.automations.rules.texts import folded_words, plain

MAX_TEXT, MAX_LIST = 200, 50
MAX_NUMBER = 1_000_000_000

_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])|24:00")


def operand_refusals(
    field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str
) -> list[Refusal]:
    """Why a field cannot be compared with this value by this operator, by path."""
    return _REFUSALS[field.kind](field, operator, value, known, path)


def read_time(text: str) -> int:
    """The minute of a day; 24:00 is its end."""
    return int(text[:2]) * 60 + int(text[3:])


def _text(field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str) -> list[Refusal]:
    if refusal := text_refusal(value, MAX_TEXT):
        return [(path, refusal)]
    compared = folded_words(value) if operator is ConditionOperator.HAS_WORD else plain(value)
    return [] if compared else [(path, "There is nothing in it that is compared.")]


def _choice(
    field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str
) -> list[Refusal]:
    if operator in (ConditionOperator.IN, ConditionOperator.NOT_IN):
        return _list(value, path, lambda each, where: _one_choice(field, each, known, where))
    return _one_choice(field, value, known, path)


def _one_choice(field: ConditionField, value: Any, known: KnownIds, path: str) -> list[Refusal]:
    if field.rows is NamedRows.AGENT:
        return id_refusals(value, known.agents, "an operator", path)
    if field.rows is NamedRows.DEPARTMENT:
        return id_refusals(value, known.departments, "a department", path)
    if field.choices:
        return one_of(value, field.choices, path)
    refusal = text_refusal(value, MAX_TEXT)
    return [(path, refusal)] if refusal else []


def _list(value: Any, path: str, each_of: Callable[[Any, str], list[Refusal]]) -> list[Refusal]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_LIST:
        return [(path, f"A list of 1 to {MAX_LIST} values is expected.")]
    return [refusal for place, each in enumerate(value) for refusal in each_of(each, f"{path}.{place}")]


def _number(
    field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str
) -> list[Refusal]:
    if operator is not ConditionOperator.BETWEEN:
        return [] if _is_number(value) else [(path, "A number is expected.")]
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)) or value[0] > value[1]:
        return [(path, "Two numbers are expected, the lower one first.")]
    return []


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and abs(value) <= MAX_NUMBER


def _set(field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str) -> list[Refusal]:
    return _list(value, path, lambda each, where: _text(field, ConditionOperator.IS, each, known, where))


def _flag(field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str) -> list[Refusal]:
    return [] if isinstance(value, bool) else [(path, "True or false is expected.")]


def _time(field: ConditionField, operator: ConditionOperator, value: Any, known: KnownIds, path: str) -> list[Refusal]:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_time, value)):
        return [(path, 'Two times of a day are expected, such as ["18:00", "09:00"].')]
    begin, end = map(read_time, value)
    return [(path, "The two times are one.")] if begin == end else []


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 5 and _TIME.fullmatch(value) is not None


_REFUSALS: dict[FieldKind, Callable[[ConditionField, ConditionOperator, Any, KnownIds, str], list[Refusal]]] = {
    FieldKind.TEXT: _text,
    FieldKind.CHOICE: _choice,
    FieldKind.NUMBER: _number,
    FieldKind.SET: _set,
    FieldKind.FLAG: _flag,
    FieldKind.TIME: _time,
}
