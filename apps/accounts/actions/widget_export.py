"""The export of a whole widget, and its import: the rows of tables in one order, and sheets to read.

Each app declares a `WidgetExport` in its `export.py`, a table behind those that its rows refer to. Secrets are never
exported: an encrypted column is no part of a table, even if the app forgets to leave it out.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import QuerySet

from apps.accounts.actions.import_fields import Check
from apps.core import plugins
from apps.core.database.fields import EncryptedTextField, SealedTextField
from apps.leases import Leased

# Rows that are read, and put in, at a time.
BATCH = 500
# Whose rows they are: put in again, it is the new one.
TENANTS = ("widget", "account")

_OF_A_QUEUE = {each.attname for each in Leased._meta.local_fields}

# The number that a row of a table has got, by the one it had; None for a row that is not there.
LookUp = Callable[[str, int], int | None]
# Gives the numbers within JSON columns of a row anew.
Renumber = Callable[[dict[str, Any], LookUp], None]


@dataclass(frozen=True, kw_only=True)
class ExportTable:
    """The rows that a widget has in one table.

    without: columns that stay here. refers: columns that are no foreign keys, with the table whose numbers they hold.
    later: references to rows that come behind. stored: columns that name bytes in the storage. once: of rows of the
    account, the column by which one that is there is taken. besides: what is exported beside the columns. renumbers:
    see `Renumber`. made: is told of the new rows, each with what was exported, and of their account, before they are
    stored. is_due: rows of a queue are worked on at once. checks: by column, what the API or a form would refuse beside
    the model's own limits. aside: moves values of a row that `checks` would refuse to where they are kept all the same,
    and answers their columns. row_refusals: the refusals of a whole row, by column. switches: columns that set
    something to work; they come along only where they are asked for.
    """

    name: str
    rows: QuerySet[Any, Any]
    without: tuple[str, ...] = ()
    refers: Mapping[str, str] = field(default_factory=dict)
    later: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()
    once: str = ""
    besides: Mapping[str, str] = field(default_factory=dict)
    renumbers: Renumber | None = None
    made: Callable[[list[tuple[Any, dict[str, Any]]], int], None] | None = None
    is_due: bool = False
    checks: Mapping[str, Check] = field(default_factory=dict)
    aside: Callable[[dict[str, Any]], list[str]] | None = None
    row_refusals: Callable[[dict[str, Any]], Mapping[str, str]] = lambda row: {}
    switches: tuple[str, ...] = ()

    @property
    def model(self) -> type[models.Model]:
        return self.rows.model

    @property
    def number(self) -> str | None:
        """The column of its own numbers, by which others refer to its rows."""
        key = self.model._meta.pk
        return key.attname if isinstance(key, models.AutoField) else None

    @cached_property
    def columns(self) -> dict[str, Any]:
        """The fields that are exported, by column."""
        of_a_queue = _OF_A_QUEUE if issubclass(self.model, Leased) else set()
        return {
            each.attname: each
            for each in self.model._meta.concrete_fields
            if not each.generated
            and each.name not in TENANTS
            and each.attname not in {*self.without, *of_a_queue}
            and not isinstance(each, EncryptedTextField | SealedTextField)
        }

    def lines(self) -> Iterator[list[dict[str, Any]]]:
        """The rows as they are exported, oldest first, in batches."""
        return batches(self.rows, {**{name: name for name in self.columns}, **self.besides})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSheet:
    """A table to be read in a spreadsheet: what its columns are called, and where their values stand.

    read: batches of rows by column, where they are no queryset's.
    """

    name: str
    columns: Mapping[str, str]
    rows: QuerySet[Any, Any] | None = None
    read: Callable[[], Iterable[list[dict[str, Any]]]] = lambda: ()

    def lines(self) -> Iterable[list[dict[str, Any]]]:
        """The rows, in batches."""
        return self.read() if self.rows is None else batches(self.rows, self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetExport:
    """An app's part of the export of a widget, and how much of its work is to be done first, by what it is.

    refusal: why a widget cannot be opened as it was imported, once all is there; None if it can.
    """

    tables: Callable[[int], Iterable[ExportTable | ExportSheet]] = lambda _: ()
    unfinished: Callable[[int], Mapping[str, int]] = lambda _: {}
    refusal: Callable[[int], str | None] = lambda _: None


def _exports() -> list[WidgetExport]:
    return [each for of_app in plugins.declared("export", WidgetExport).values() for each in of_app]


def exported_of_widget(widget_id: int) -> tuple[list[ExportTable], list[ExportSheet]]:
    """The tables and sheets that all apps export of a widget, lowest app first."""
    found = [each for export in _exports() for each in export.tables(widget_id)]
    return [each for each in found if isinstance(each, ExportTable)], [
        each for each in found if isinstance(each, ExportSheet)
    ]


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """How much work of a widget all apps have under way, by what it is; what there is none of is left out.

    An export has none of it, and the installation that the widget goes to does not know of it: it is waited for.
    """
    return {name: count for export in _exports() for name, count in export.unfinished(widget_id).items() if count}


def refusal_of_widget(widget_id: int) -> str | None:
    """Why a widget cannot be opened as it was imported; None if it can."""
    return next((refusal for export in _exports() if (refusal := export.refusal(widget_id))), None)


def references(tables: Iterable[ExportTable]) -> dict[str, dict[str, str]]:
    """For each table, by name: its columns that refer to rows of a table, with that one's name.

    Raises LookupError for a foreign key that leads out of the export.
    """
    tables = list(tables)
    names = {each.model._meta.concrete_model: each.name for each in tables}
    found: dict[str, dict[str, str]] = {}
    for table in tables:
        found[table.name] = dict(table.refers)
        for column, each in table.columns.items():
            if each.is_relation and column not in table.refers:
                name = names.get(each.related_model._meta.concrete_model)
                if name is None:
                    raise LookupError(f"{table.name}.{column} leads out of the export")
                found[table.name][column] = name
    return found


def batches(rows: QuerySet[Any, Any], columns: Mapping[str, str]) -> Iterator[list[dict[str, Any]]]:
    """Values of rows under names of their own, oldest first."""
    last: Any = None
    ordered = rows.order_by("pk")
    while True:
        found = list((ordered if last is None else ordered.filter(pk__gt=last)).values("pk", *columns.values())[:BATCH])
        if found:
            last = found[-1]["pk"]
            yield [{name: row[source] for name, source in columns.items()} for row in found]
        if len(found) < BATCH:
            return


def plain(value: Any) -> Any:
    """A value as JSON has it: bytes in base64, a vector as its numbers, all else as it is written."""
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return value.to_list() if hasattr(value, "to_list") else str(value)
