"""Strict serializers: no coercion, no unknown member, nothing dropped in silence.

`Body` is the base of every request body, `Query` of every query string; what answers look like is in `serializers.py`.
One instance serves every request: its `run_validation` keeps no state.
"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import cached_property, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from django.core.exceptions import TooManyFieldsSent
from django.core.validators import ProhibitNullCharactersValidator
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.fields import SkipField, empty
from rest_framework.settings import api_settings
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from apps.core.errors import INVALID_INPUT
from apps.core.parsing.strict_json import MAX_NAMED, shortened, text_refusal
from apps.egress import BulkheadFull

READ_ONLY = "This member is read-only."
UNKNOWN_MEMBER = "There is no such member."
UNKNOWN_PARAMETER = "There is no such query parameter."
# How many characters of a refused value a refusal repeats.
MAX_ECHOED = 80
# DRF's words for a value of another type, and JSON's for the types.
_WRONG_TYPE = re.compile(
    r'(?:Invalid data\. )?Expected a (dictionary|list)(?: of items)?,? but got (?:type ")?(\w+)"?\.'
)
_TYPES = {
    "dictionary": "an object",
    "dict": "an object",
    "list": "an array",
    "str": "a string",
    "int": "a number",
    "float": "a number",
    "bool": "a boolean",
    "NoneType": "null",
}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


# DRF's own, of what `text_refusal` has refused.
_REFUSED_BEFORE = (ProhibitNullCharactersValidator, ProhibitSurrogateCharactersValidator)


def validator_of(refusal: Callable[[str], str | None]) -> Callable[[str], None]:
    """A validator that refuses what a rule refuses: it answers why, or None."""

    def validate(text: str) -> None:
        if reason := refusal(text):
            raise ValidationError(reason)

    return validate


class Text(serializers.CharField):
    """A string, kept as it was sent: not trimmed, and no number or boolean in its place.

    A text that is too long is refused before anything else looks at it. Characters that can't be stored were refused
    when the document or the query string was read (`text_refusal`): DRF's own look at each character takes 3.6 ms for
    65,000 of them.
    """

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)
        self.validators = [each for each in self.validators if not isinstance(each, _REFUSED_BEFORE)]

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if self.max_length is not None and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return super().to_internal_value(data)


class Integer(serializers.IntegerField):
    """A JSON integer: no string, boolean or fraction in its place."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.FloatField):
    """A JSON number."""

    def to_internal_value(self, data: Any) -> float:
        if not isinstance(data, int | float) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Boolean(serializers.BooleanField):
    """`true` or `false`: no 1, "yes" or "true" in its place."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    """A string of a closed set."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", input=str(data)[:MAX_ECHOED])
        return data


class Uuid(serializers.UUIDField):
    """A UUID, as a string."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)


class Date(serializers.DateField):
    """A day of the calendar, `2026-11-21`: sent so and no other way, and written so in an answer."""

    def to_internal_value(self, data: Any) -> date:
        if not isinstance(data, str) or not _DATE.fullmatch(data):
            self.fail("invalid", format="YYYY-MM-DD")
        value: date = super().to_internal_value(data)
        return value

    def to_representation(self, value: Any) -> Any:
        return value


class Items(serializers.ListField):
    """A list. Its length is looked at before its items are, and after MAX_NAMED refused items the rest is not."""

    def run_child_validation(self, data: Any) -> list[Any]:
        if self.max_length is not None and len(data) > self.max_length:
            raise ValidationError(self.error_messages["max_length"].format(max_length=self.max_length))
        value: list[Any] = []
        refused: dict[str, Any] = {}
        for position, item in enumerate(data):
            try:
                value.append(self.child.run_validation(item))
            except ValidationError as error:
                refused[str(position)] = error.detail
                if len(refused) == MAX_NAMED:
                    break
        if refused:
            raise ValidationError(refused)
        return value


class QueryInteger(serializers.IntegerField):
    """A whole number in a query string: ASCII digits only."""

    def to_internal_value(self, data: Any) -> int:
        if not data.isascii() or not data.isdigit():
            self.fail("invalid")
        return super().to_internal_value(data)


class QueryFlag(Choice):
    """`1` or `0` in a query string, read as a boolean."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=["1", "0"], **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(data) == "1"


class _Strict(serializers.Serializer[Any]):
    """Refuses members that are not declared, or are read-only, by name.

    `read_only_members` are those that an answer has beside the fields. With `passes_over_unknown` a member that is not
    declared does not count: for wire formats that are not ours.
    """

    unknown_member = UNKNOWN_MEMBER
    passes_over_unknown: ClassVar[bool] = False
    read_only_members: Collection[str] = ()

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """As DRF's, but for members that may be left out and are: they cost nothing.

        This saves 12 % of the instructions of a page of chats, and some 6 % of those of posting a message
        (docs/guides/benchmarks.md).
        """
        if not isinstance(data, Mapping):
            return dict(super().to_internal_value(data))  # refuses it
        members = self._members
        refused: dict[str, Any] = {}
        value: dict[str, Any] = {}
        full: BulkheadFull | None = None
        for name, member in members.items():
            if name not in data and member.may_be_missing:
                continue
            try:
                validated = member.field.run_validation(data.get(name, empty))
                checked = member.check(validated) if member.check else validated
            except ValidationError as error:
                refused[name] = error.detail
            except SkipField:
                pass
            except BulkheadFull as error:
                full = error  # what is wrong with the rest is said first
            else:
                value.update(checked if member.source == "*" else {member.source: checked})
        if not self.passes_over_unknown:
            unknown = (name for name in data if name not in members)
            others = {name: [self._refusal_of(name)] for name in islice(unknown, max(MAX_NAMED - len(refused), 0))}
            refused = {**others, **refused}
        if refused:
            raise ValidationError(refused)
        if full is not None:
            raise full
        return value

    def _refusal_of(self, name: str) -> str:
        is_read_only = name in self.fields or name in self.read_only_members
        return READ_ONLY if is_read_only else self.unknown_member

    @cached_property
    def _members(self) -> dict[str, "_Member"]:
        return {
            name: _Member(
                field,
                source=field.source or name,
                check=getattr(self, f"validate_{name}", None),
                may_be_missing=not field.required and field.default is empty,
            )
            for name, field in self.fields.items()
            if not field.read_only
        }


class _Member(NamedTuple):
    """A field that may be sent, where its value goes, and the serializer's own check of it."""

    field: serializers.Field[Any, Any, Any, Any]
    source: str
    check: Callable[[Any], Any] | None
    may_be_missing: bool


class Body(_Strict):
    """The base of every JSON request body.

    One instance serves all calls, but where a field asks who calls (`requires_context`): then each call has its own.
    """

    @cached_property
    def requires_context(self) -> bool:
        asked = (one for field in self.fields.values() for one in (field, getattr(field, "child", None)))
        return any(getattr(field, "requires_context", False) for field in asked)


class PatchBody(Body):
    """The base of the body of a PATCH: what is to be changed; a member that is not sent stays as it is.

    of: the body that makes such an object: its members may be sent, but those in `without`; none is required, and none
        has a default. Fields declared here override inherited ones.
    Every other member of the operation's answer is refused as read-only.
    """

    of: ClassVar[type[Body] | None] = None
    without: ClassVar[Collection[str]] = ()

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = self.of().get_fields() if self.of else {}
        for name in self.without:
            del fields[name]
        for field in fields.values():
            field.required, field.default = False, empty
        return fields | super().get_fields()


class Query(_Strict):
    """The base of every query string. A filter of a list names the ORM's look-up that it stands for as its `source`."""

    unknown_member = UNKNOWN_PARAMETER


class AnyQuery(Query):
    """A query string that does not count, whatever stands in it."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        return {}


def validated_body(serializer: Body, document: Mapping[str, Any]) -> dict[str, Any]:
    """The validated members of a body. Raises INVALID_INPUT (422), naming refused fields by their dotted paths."""
    try:
        value: dict[str, Any] = serializer.run_validation(document)
    except ValidationError as error:
        raise INVALID_INPUT(errors=first_of(flatten(error.detail))) from None
    return value


def validated_query(serializer: Query, query_string: str) -> dict[str, Any]:
    """The validated parameters of a query string, as WSGI hands it on.

    Raises INVALID_INPUT (422), naming each refused parameter.
    """
    is_short = len(query_string) <= _LONGEST_REMEMBERED
    given = (_parameters if is_short else _parameters.__wrapped__)(query_string)
    try:
        value: dict[str, Any] = serializer.run_validation(given)
    except ValidationError as error:
        raise INVALID_INPUT(errors=first_of(flatten(error.detail))) from None
    return value


_LONGEST_REMEMBERED = 200


@lru_cache(maxsize=4096)
def _parameters(query_string: str) -> Mapping[str, str]:
    """The parameters of a query string as text, which do not depend on the caller: so they are remembered.

    This saves 5 % of the instructions of a list (docs/guides/benchmarks.md). Their meaning is validated each time.
    Raises INVALID_INPUT (422).
    """
    try:
        parameters = QueryDict(query_string.encode("iso-8859-1", "replace"), encoding="utf-8")
    except TooManyFieldsSent:
        message = "The query string has too many parameters."
        raise INVALID_INPUT(message, errors={"": [message]}) from None
    given: dict[str, str] = {}
    refused: dict[str, list[str]] = {}
    for name, values in parameters.lists():
        given[name] = values[-1]
        if len(values) > 1:
            refused[shortened(name)] = ["The parameter may be sent once."]
        elif "\N{REPLACEMENT CHARACTER}" in values[-1]:
            refused[shortened(name)] = ["Must be in UTF-8."]
        elif refusal := text_refusal(values[-1]):
            refused[shortened(name)] = [refusal]
    if refused:
        raise INVALID_INPUT(errors=first_of(refused))
    return MappingProxyType(given)


def first_of(refused: Mapping[str, Any]) -> dict[str, Any]:
    """As many refusals as one answer names."""
    return dict(islice(refused.items(), MAX_NAMED))


def flatten(detail: Any, path: str = "") -> dict[str, list[str]]:
    """DRF's nested error detail as `{dotted path: [messages]}`; list indexes count from 0, long names are cut off."""
    if isinstance(detail, Mapping):
        flat: dict[str, list[str]] = {}
        for name, inner in detail.items():
            short = shortened(str(name))
            here = path if name == api_settings.NON_FIELD_ERRORS_KEY else f"{path}.{short}" if path else short
            flat.update(flatten(inner, here))
        return flat
    if isinstance(detail, list) and any(isinstance(item, Mapping) for item in detail):
        flat = {}
        for index, item in enumerate(detail):
            flat.update(flatten(item, f"{path}.{index}" if path else str(index)))
        return flat
    return {path: [_in_words_of_json(str(item)) for item in (detail if isinstance(detail, list) else [detail])]}


def _in_words_of_json(message: str) -> str:
    """The message, where DRF names types of Python: callers send JSON."""
    if found := _WRONG_TYPE.fullmatch(message):
        expected, given = found.groups()
        return f"Must be {_TYPES[expected]}, not {_TYPES.get(given, given)}."
    return message.replace("This dictionary may", "This object may")
