"""The fields that conditions ask, and their operators. Pure.

A field is one line here, and a line of facts in a test. A fact is None where nothing
is known; else a text is `str` (an attribute any scalar), a choice `str` or a number of a row, a number `int` or
`float`, a set any collection of texts, a flag `bool`, and a time of day `datetime.time` in the department's zone.
"""

from enum import StrEnum
from typing import NamedTuple

from apps.agents.rules.departments import DAYS
from apps.chats.rules import Handling, MessageType, Status
from apps.chats.rules.contacts import MAX_ATTRIBUTE_NAME
from apps.chats.rules.priorities import Priority

ATTRIBUTE = "contact.attributes."


class FieldKind(StrEnum):
    TEXT = "text"
    CHOICE = "choice"
    NUMBER = "number"
    SET = "set"
    FLAG = "flag"
    TIME = "time"


class ConditionOperator(StrEnum):
    IS = "is"
    IS_NOT = "is_not"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    STARTS_WITH = "starts_with"
    HAS_WORD = "has_word"
    IS_EMPTY = "is_empty"
    IS_SET = "is_set"
    IN = "in"
    NOT_IN = "not_in"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    BETWEEN = "between"
    HAS_ANY = "has_any"
    HAS_ALL = "has_all"
    HAS_NONE = "has_none"


_O = ConditionOperator
OPERATORS: dict[FieldKind, tuple[ConditionOperator, ...]] = {
    FieldKind.TEXT: (
        *(_O.IS, _O.IS_NOT, _O.CONTAINS, _O.NOT_CONTAINS, _O.STARTS_WITH, _O.HAS_WORD),
        *(_O.IS_EMPTY, _O.IS_SET),
    ),
    FieldKind.CHOICE: (_O.IS, _O.IS_NOT, _O.IN, _O.NOT_IN, _O.IS_EMPTY, _O.IS_SET),
    FieldKind.NUMBER: (_O.IS, _O.GT, _O.GTE, _O.LT, _O.LTE, _O.BETWEEN),
    FieldKind.SET: (_O.HAS_ANY, _O.HAS_ALL, _O.HAS_NONE),
    FieldKind.FLAG: (_O.IS,),
    FieldKind.TIME: (_O.BETWEEN,),
}
WITHOUT_VALUE = (_O.IS_EMPTY, _O.IS_SET)


class NamedRows(StrEnum):
    """The rows of a widget whose numbers a choice has."""

    AGENT = "agent"
    DEPARTMENT = "department"


class ConditionField(NamedTuple):
    """A fact that a condition may ask. `choices` are all values of a choice, `rows` those whose numbers it has.

    Without either a choice is any short text. In a trial a field without a history is judged by now.
    """

    name: str
    kind: FieldKind
    choices: tuple[str, ...] = ()
    rows: NamedRows | None = None
    has_history: bool = True


def _choices(values: type[StrEnum]) -> tuple[str, ...]:
    return tuple(map(str, values))


_K = FieldKind
_FIELDS = (
    ConditionField("text", _K.TEXT),
    ConditionField("page_url", _K.TEXT, has_history=False),
    ConditionField("contact.name", _K.TEXT, has_history=False),
    ConditionField("contact.email", _K.TEXT, has_history=False),
    ConditionField("contact.phone", _K.TEXT, has_history=False),
    ConditionField("handover_reason", _K.TEXT, has_history=False),
    ConditionField("channel", _K.CHOICE),
    ConditionField("department_id", _K.CHOICE, rows=NamedRows.DEPARTMENT),
    ConditionField("agent_id", _K.CHOICE, rows=NamedRows.AGENT),
    ConditionField("priority", _K.CHOICE, _choices(Priority)),
    ConditionField("status", _K.CHOICE, _choices(Status)),
    ConditionField("handling", _K.CHOICE, _choices(Handling)),
    ConditionField("language", _K.CHOICE, has_history=False),
    ConditionField("message_type", _K.CHOICE, _choices(MessageType)),
    ConditionField("started_by", _K.CHOICE, ("visitor", "operator")),
    ConditionField("weekday", _K.CHOICE, DAYS),
    ConditionField("previous.department_id", _K.CHOICE, rows=NamedRows.DEPARTMENT),
    ConditionField("previous.agent_id", _K.CHOICE, rows=NamedRows.AGENT),
    ConditionField("previous.priority", _K.CHOICE, _choices(Priority)),
    ConditionField("previous.status", _K.CHOICE, _choices(Status)),
    ConditionField("messages", _K.NUMBER),
    ConditionField("rating", _K.NUMBER),
    ConditionField("waits_minutes", _K.NUMBER),
    ConditionField("contact.tags", _K.SET, has_history=False),
    ConditionField("is_open", _K.FLAG),
    ConditionField("is_staffed", _K.FLAG, has_history=False),
    ConditionField("is_returning", _K.FLAG),
    ConditionField("is_automatic", _K.FLAG),
    ConditionField("time", _K.TIME),
)
FIELDS = {field.name: field for field in _FIELDS}


def field_of(name: object) -> ConditionField | None:
    """The field of that name; `contact.attributes.<key>` is a text for any key. None: there is none."""
    if not isinstance(name, str):
        return None
    if name.startswith(ATTRIBUTE):
        key = name.removeprefix(ATTRIBUTE)
        return ConditionField(name, FieldKind.TEXT, has_history=False) if 1 <= len(key) <= MAX_ATTRIBUTE_NAME else None
    return FIELDS.get(name)
