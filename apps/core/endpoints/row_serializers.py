"""Row serializers: the form of objects on the wire. A serializer is the one list of an answer's fields.

Each field says by its `source` where its value is found: a field of the model, of a related row (`contact.guid`), or of
what a JSON column holds (`details.file.name`). The columns that are read, the answer and the OpenAPI component follow.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from operator import itemgetter
from typing import Any, ClassVar, Self

import orjson
from django.db import models
from rest_framework import serializers

from apps.core.endpoints.serializers import Boolean, Choice, Date, Integer, Number, Text

Row = Sequence[Any]
Path = tuple[str, ...]


class Time(serializers.DateTimeField):
    """A moment, which JSON writes in UTC with `Z`."""

    def to_representation(self, value: Any) -> Any:
        return value


class Url(serializers.URLField):
    """An address, as it is kept."""


class TextOrNull(Text):
    """A text that is kept blank, and shown as null, while it is not known."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_null=True, **options)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]
        return value or None


class Secret(Text):
    """A text that gives access to something."""

    is_secret = True


class TextList(serializers.ListField):
    """A list of strings."""

    child = Text()

    def to_representation(self, value: Any) -> Any:
        return value


class IntegerList(serializers.ListField):
    """A list of whole numbers, such as ids."""

    child = Integer()

    def to_representation(self, value: Any) -> Any:
        return value


class Json(serializers.DictField):
    """A JSON object, as it is kept."""

    def to_representation(self, value: Any) -> Any:
        return value


class MethodField(serializers.Field[Any, Any, Any, Any]):
    """A value that a function makes of several columns: `MethodField(Url(), columns=("id", "avatar"), from_=address)`.

    `shown` is the field that it is shown as. The columns are look-ups of the ORM, as `RowSerializer.columns` has them.
    """

    def __init__(
        self, shown: serializers.Field[Any, Any, Any, Any], *, columns: Sequence[str], from_: Callable[..., Any]
    ) -> None:
        super().__init__(required=shown.required, allow_null=shown.allow_null, help_text=shown.help_text)
        self.shown, self.columns, self.from_ = shown, tuple(columns), from_
        self.is_secret = getattr(shown, "is_secret", False)

    def to_representation(self, value: Any) -> Any:
        return self.from_(*value)


# Their values are shown as they are read.
_AS_READ = (Integer, Number, Boolean, Choice, Date, Time, TextList, IntegerList, Json, Url)


class RowSerializer(serializers.Serializer[Any]):
    """The base of every serializer.

    A nested serializer is a related row's, or, with `source="*"`, made of the same row: `prefix` is what the names of
    its columns then begin with, and without a value in its field `absent_without` it is null. Within a JSON column
    (`json_columns`) it is shown as it is kept.

    A serializer of what no row holds (a statistic) only documents: its handler answers a mapping.
    """

    json_columns: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, prefix: str = "", absent_without: str | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.prefix, self.absent_without = prefix, absent_without

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The columns of a row to be shown, as look-ups of the ORM, in order."""
        return cls._declared()._plan.columns

    @classmethod
    @cache
    def relations(cls) -> tuple[str, ...]:
        """The relations that the columns lead through, for `select_related`."""
        return tuple(dict.fromkeys(name.rpartition("__")[0] for name in cls.columns() if "__" in name))

    @classmethod
    def writer(cls) -> Callable[[Row], dict[str, Any]]:
        """A function that makes an answer of a row with the columns (and perhaps more behind them)."""
        return cls._declared()._plan.write

    @classmethod
    def show(cls, row: models.Model) -> dict[str, Any]:
        """The answer for an object of the model."""
        plan = cls._declared()._plan
        return plan.write([_value(row, name.split("__")) for name in plan.columns])

    @classmethod
    @cache
    def _declared(cls) -> Self:
        """The serializer's one instance: nothing of an answer is kept in it."""
        return cls()

    @cached_property
    def _plan(self) -> "_Plan":
        return _Plan(self)


def secrets_in(serializer: RowSerializer, below: Path = ()) -> list[str]:
    """The dotted paths of the fields that open something by themselves: their class says `is_secret`."""
    found = []
    for name, field in serializer.fields.items():
        nested = getattr(field, "child", field)
        if isinstance(nested, RowSerializer):
            found += secrets_in(nested, (*below, name))
        elif getattr(field, "is_secret", False):
            found.append(".".join((*below, name)))
    return found


def select_list(serializer: type[RowSerializer], table: str, **expressions: str) -> str:
    """A serializer's columns for a statement in SQL: of `table`, and of related tables, joined under their relation's
    names.

    `expressions` are SQL for columns that no table has.
    """
    return ", ".join(expressions.get(name) or _sql_name(name, table) for name in serializer.columns())


def _sql_name(column: str, table: str) -> str:
    relation, _, name = column.rpartition("__")
    return f"{relation or table}.{name}"


class _Plan:
    """How a serializer reads and writes: its columns, and for each field what takes its value out of a row of them."""

    def __init__(self, serializer: RowSerializer) -> None:
        self._places: dict[str, int] = {}
        self._json = serializer.json_columns
        members = self._members(serializer, ())
        self.columns = tuple(self._places)
        self.write = _object_writer(members)
        for name in self._json:
            self.write = _reading_json(self._places[name], self.write)

    def _members(self, serializer: RowSerializer, below: Path) -> list[tuple[str, Callable[[Row], Any]]]:
        return [(name, self._getter(field, serializer, below)) for name, field in serializer.fields.items()]

    def _getter(self, field: Any, serializer: RowSerializer, below: Path) -> Callable[[Row], Any]:
        if isinstance(field, MethodField):
            places = [self._place((*below, *name.split("__"))) for name in field.columns]
            return lambda row: field.from_(*[row[place] for place in places])
        source: Path = () if field.source == "*" else tuple(field.source.split("."))
        if source and serializer.prefix:
            source = (serializer.prefix + source[0], *source[1:])
        column, keys = self._split((*below, *source))
        is_json = column[-1:] != () and column[-1] in self._json
        if isinstance(field, RowSerializer) and not is_json:
            return self._nested_getter(field, column)
        place = self._place(column)
        if is_json:
            return _json_getter(place, keys, _conversion(field))
        convert = _conversion(field)
        return itemgetter(place) if convert is None else _converting(itemgetter(place), convert)

    def _place(self, column: Path) -> int:
        return self._places.setdefault("__".join(column), len(self._places))

    def _split(self, path: Path) -> tuple[Path, Path]:
        """A path's part in the tables, and its part within a JSON column."""
        for number, name in enumerate(path, 1):
            if name in self._json:
                return path[:number], path[number:]
        return path, ()

    def _nested_getter(self, nested: RowSerializer, below: Path) -> Callable[[Row], Any]:
        members = self._members(nested, below)
        write = _object_writer(members)
        if not nested.allow_null:
            return write
        key = nested.absent_without or members[0][0]
        present = dict(members)[key]
        return lambda row: None if present(row) is None else write(row)


def _object_writer(members: Iterable[tuple[str, Callable[[Row], Any]]]) -> Callable[[Row], dict[str, Any]]:
    members = tuple(members)
    return lambda row: {name: get(row) for name, get in members}


def _conversion(field: Any) -> Callable[[Any], Any] | None:
    """The function that makes a field's answer of its value, where that is not the value itself."""
    if isinstance(field, (RowSerializer, *_AS_READ)) or type(field) in (Text, Secret):
        return None
    convert: Callable[[Any], Any] = field.to_representation
    return convert


def _converting(get: Callable[[Row], Any], convert: Callable[[Any], Any]) -> Callable[[Row], Any]:
    return lambda row: None if (value := get(row)) is None else convert(value)


def _reading_json(place: int, write: Callable[[Row], dict[str, Any]]) -> Callable[[Row], dict[str, Any]]:
    """Reads what a statement in SQL answers of a JSON column, which is text, once for all members made of it."""

    def read_and_write(row: Row) -> dict[str, Any]:
        if isinstance(row[place], str):
            row = [*row[:place], orjson.loads(row[place]), *row[place + 1 :]]
        return write(row)

    return read_and_write


def _json_getter(place: int, keys: Path, convert: Callable[[Any], Any] | None) -> Callable[[Row], Any]:
    """Takes a value out of a JSON column's objects; None where the path breaks off."""

    def get(row: Row) -> Any:
        value = row[place]
        for key in keys:
            if value is None:
                return None
            value = value.get(key)
        return value

    return get if convert is None else _converting(get, convert)


def _value(found: Any, names: Iterable[str]) -> Any:
    """The value at the end of a path of names, through related objects; None where it breaks off."""
    for name in names:
        if found is None:
            return None
        found = getattr(found, name)
    return found
