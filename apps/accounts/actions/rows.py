"""Rows of an export are checked, and a batch of them becomes rows of this database (`imports`)."""

import secrets
from typing import Any

from django.db import models

from apps.accounts.actions.import_fields import FieldRefused, checked_value
from apps.accounts.actions.numbers import Numbers, require_keepable
from apps.accounts.actions.widget_export import ExportTable
from apps.accounts.models import WidgetImport
from apps.core.database.tenants import unscoped
from apps.leases import Leased

Row = dict[str, Any]


class RowRefused(Exception):
    """A row that an import does not take; the text names the column, and says why."""


def check_row(table: ExportTable, references: dict[str, str], row: Row) -> None:
    """Checks a row before anything is written. Raises RowRefused."""
    if table.aside is not None:
        table.aside(row)
    number = row.get(table.number) if table.number else None
    if number is not None and not _is_number(number):
        raise RowRefused(f"{table.number}: A number from 1 on is expected.")
    for name in table.columns:
        if name in row and name != table.number:
            _checked(table, references, name, row[name])
    for name, refusal in table.row_refusals(row).items():
        raise RowRefused(f"{name}: {refusal}")


def _checked(table: ExportTable, references: dict[str, str], name: str, value: Any) -> Any:
    """A value as its column has it; of a reference, the number that it was. Raises RowRefused."""
    field = table.columns[name]
    if name in references or field.is_relation:
        if value is not None and value != 0 and not _is_number(value):
            raise RowRefused(f"{name}: A number from 1 on is expected.")
        return value
    try:
        return checked_value(field, value, table.checks.get(name))
    except FieldRefused as refused:
        raise RowRefused(f"{name}: {refused}") from None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63


class Rows:
    """Puts rows of one table in. The numbers that they hold become those that the import has given before."""

    def __init__(
        self,
        table: ExportTable,
        references: dict[str, str],
        widget_import: WidgetImport,
        numbers: Numbers,
        *,
        with_switches: bool,
    ) -> None:
        self.table, self.references = table, references
        self.stays = {table.number, *table.later, *(() if with_switches else table.switches)}
        self.importing, self.numbers = widget_import, numbers

    def store(self, rows: list[Row], stored: dict[str, str]) -> int:
        """Stores the rows, and answers how many had to be left out: they refer to rows that are not there."""
        self._read_numbers(rows)
        made = [(made, row) for row in rows if (made := self._made(row, stored)) is not None]
        if self.table.made is not None:
            self.table.made(made, self.importing.widget.account_id)
        self._renew_guids([each for each, _ in made])
        self._insert([each for each, _ in made])
        if self.table.number is not None:
            number = self.table.number
            self.numbers.add(self.table.name, [(row[number], each.pk) for each, row in made])
        return len(rows) - len(made)

    def complete(self, rows: list[Row]) -> None:
        """Sets the columns that waited for rows behind."""
        number = self.table.number or ""  # only rows with numbers are found again
        for row in rows:
            self.numbers.want(self.table.name, row.get(number))
        self._read_numbers(rows)
        found: list[Any] = []
        for row in rows:
            own = self.numbers.of_row(self.table.name, row.get(number))
            if own is not None and any(row.get(column) is not None for column in self.table.later):
                found.append(self.table.model(pk=own, **{name: self._value(name, row) for name in self.table.later}))
        if found:
            unscoped(self.table.model._base_manager.all(), "of the import's new widget").bulk_update(
                found, list(self.table.later)
            )

    def _read_numbers(self, rows: list[Row]) -> None:
        for row in rows:
            for column, table in self.references.items():
                self.numbers.want(table, row.get(column))
            if self.table.renumbers is not None:
                self.table.renumbers(row, self.numbers.want)
        self.numbers.read()

    def _made(self, row: Row, stored: dict[str, str]) -> Any:
        """A new row; None if one that it needs is not there."""
        if self.table.aside is not None:
            self.table.aside(row)
        if self.table.renumbers is not None:
            self.table.renumbers(row, self.numbers.within)
        values: Row = {}
        for name, field in self.table.columns.items():
            if name in self.stays or name not in row:
                continue
            value = _stored(row[name], stored) if name in self.table.stored else self._value(name, row)
            if value is None and row[name] is not None and _goes_with(field):
                return None
            values[name] = value
        made: Any = self.table.model(**values)
        for field in self.table.model._meta.concrete_fields:
            if field.name == "widget":
                made.widget_id = self.importing.widget_id
            elif field.name == "account":
                made.account_id = self.importing.widget.account_id
        if isinstance(made, Leased) and not self.table.is_due:
            made.due_at = None
        if self.table.number is not None and self.importing.keeps_numbers:
            made.pk = row[self.table.number]
        return made

    def _value(self, name: str, row: Row) -> Any:
        """The value of a column: a reference is the new number of that row."""
        field, table = self.table.columns[name], self.references.get(name)
        value = _checked(self.table, self.references, name, row.get(name))
        if table is None:
            return value
        if field.is_relation:
            return self.numbers.of_row(table, value)
        found = self.numbers.within(table, value)
        return 0 if found is None and not field.null else found

    def _renew_guids(self, made: list[Any]) -> None:
        """Keeps unique random values that are free, and draws new ones for a copy in the same installation."""
        for name, field in self.table.columns.items():
            if not field.unique or field.primary_key or field.is_relation or name in self.table.stored:
                continue
            given = [getattr(each, name) for each in made]
            rows = unscoped(self.table.model._base_manager.all(), "guids are unique over every widget")
            taken = set(rows.filter(**{f"{name}__in": given}).values_list(name, flat=True))
            for each in made:
                if getattr(each, name) in taken:
                    setattr(each, name, field.get_default())

    def _insert(self, made: list[Any]) -> None:
        model = self.table.model
        if self.table.once:
            self._take_or_insert(made)
            return
        if self.importing.keeps_numbers and self.table.number is not None:
            require_keepable(model._meta.db_table, self.table.number, [each.pk for each in made])
        # A field that notes when a row is stored has its old value again.
        noted = [name for name, field in self.table.columns.items() if getattr(field, "auto_now", False)]
        before = [[getattr(each, name) for name in noted] for each in made]
        model._base_manager.bulk_create(made)
        if noted and made:
            for each, values in zip(made, before, strict=True):
                for name, value in zip(noted, values, strict=True):
                    setattr(each, name, value)
            unscoped(model._base_manager.all(), "of the import's new widget").bulk_update(made, noted)

    def _take_or_insert(self, made: list[Any]) -> None:
        """Rows of the account, which its other widgets may have already."""
        name = self.table.once
        rows = unscoped(self.table.model._base_manager.all(), "of the account that owns the widget")
        for each in made:
            each.pk = None
        rows.bulk_create(made, ignore_conflicts=True)
        known = rows.filter(
            account_id=self.importing.widget.account_id, **{f"{name}__in": [getattr(each, name) for each in made]}
        )
        numbers = dict(known.values_list(name, "pk"))
        for each in made:
            each.pk = numbers[getattr(each, name)]


def _goes_with(field: Any) -> bool:
    """Whether a row goes with the one that the column refers to."""
    return field.is_relation and (not field.null or field.remote_field.on_delete is models.CASCADE)


def _stored(key: str, stored: dict[str, str]) -> str:
    """The new name of bytes. Lost bytes get a name that leads nowhere: the old one may be another row's."""
    if not key or key in stored:
        return stored.get(key, "")
    name = secrets.token_hex(16)
    return f"{name[:2]}/{name[2:]}"
