"""An export of a widget is put into a new one, of this installation or any other.

It goes in batches, each with how far that came in one transaction: what was interrupted is finished by the same call.
Until all is there the widget has no account: its guid is unknown, its API is closed, no operator of it signs in
anywhere, and `abandon_import` takes all of it away.

An export is data from outside: it may have been made by anybody, and a manager of another installation can write into
one. So all of it is checked before the first row is written: its files are its own (`export_folder`), each value is one
that the API or a form would take (`import_fields`), and what only the installation or a person gives, seats and
switches, stays out unless it is asked for.
"""

import re
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from zoneinfo import available_timezones

import orjson
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction

from apps.accounts.actions.export_folder import ExportFolder, ImportFailed
from apps.accounts.actions.exports import WIDGET_COLUMNS
from apps.accounts.actions.import_fields import Check, FieldRefused, checked_value
from apps.accounts.actions.numbers import Numbers, NumberTaken, require_keepable
from apps.accounts.actions.rows import RowRefused, Rows, check_row
from apps.accounts.actions.widget_export import (
    BATCH,
    ExportTable,
    batches,
    exported_of_widget,
    references,
    refusal_of_widget,
)
from apps.accounts.audit.records import record_export
from apps.accounts.events import WidgetChanged, WidgetPutIn
from apps.accounts.models import Account, ImportedNumber, Widget, WidgetImport
from apps.accounts.rules import Answerer, origin_of
from apps.core import bus, database
from apps.core.files import storage
from apps.core.parsing.names import name_refusal
from apps.core.problems import Problem

MAX_LINE = 64 * 1024 * 1024
# Rows with bytes in the storage that are put in at a time: their files are open meanwhile.
BATCH_OF_STORED = 20
_DELETION_S = 600.0
# What is wrong in an export, or in the way of it, shows as one of these.
_FAILURES = (
    *(IntegrityError, DataError, ValidationError, NumberTaken, Problem, LookupError, TypeError, ValueError),
    *(RowRefused, OSError),
)
# Those who come along. A bot of a customer's own has secrets, and is connected anew.
_ANSWERERS = (Answerer.AI, Answerer.AI_IN_SHADOW)
# What sets a widget to work, beside the switches of its tables.
_SWITCHES = ("api_enabled", "answerers")
_GUID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Imported:
    """The new widget, how many rows named others that the export has not, and how many values were kept elsewhere, as
    the API would not take them for their columns (`ExportTable.aside`)."""

    widget: Widget
    left_out: int
    set_aside: int = 0


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The parts that come along only if they are asked for.

    keep_numbers: rows keep their own numbers, to restore a widget that is gone, or to move one from another cell.
    with_seats: the widget has as many seats as it had. with_switches: what was at work is at work.
    """

    keep_numbers: bool = False
    with_seats: bool = False
    with_switches: bool = False


NOTHING_BESIDES = ImportOptions()
# What the commands call them, and say of them.
OPTIONS = {
    "keep-numbers": "rows keep their numbers, which must be free",
    "with-seats": "the widget has as many seats as it had",
    "with-switches": "what was switched on there is on here",
}


def chosen(arguments: Mapping[str, Any]) -> ImportOptions:
    """The options of a command's arguments."""
    return ImportOptions(**{name: arguments[name] for name in (each.replace("-", "_") for each in OPTIONS)})


def import_widget(*, account: Account, directory: Path, options: ImportOptions = NOTHING_BESIDES) -> Imported:
    """Puts an export into a new widget of the account, or goes on with what was begun of it.

    All of a new one is checked first: what is refused has written nothing.

    Rows get new numbers, which `numbers-<guid>.jsonl` beside the export tells, or keep their own. Guids stay where they
    are free.

    Raises ImportFailed.
    """
    export = ExportFolder(directory)
    try:
        importing = _begun(export, account)
        if importing is None:
            check_export(export, options)
            importing = _begin(export, account, keep_numbers=options.keep_numbers)
    except _FAILURES as error:
        raise ImportFailed(f"the widget: {error}".strip()) from None
    work = _ImportWork(export, importing, options)
    try:
        while importing.step < len(work.steps):
            work.put_batch()
        _write_numbers(export, importing)
        return Imported(_finish(export, importing, options), importing.left_out, _set_aside(export))
    except (*_FAILURES, storage.StorageFailed) as error:
        raise ImportFailed(f"{work.place}: {error}".strip()) from None


def check_export(export: ExportFolder, options: ImportOptions) -> None:
    """Reads all of an export, and writes nothing. Raises ImportFailed, naming the row and the field."""
    _widget_values(export, options)
    tables, _ = exported_of_widget(0)
    columns = references(tables)
    for table in tables:
        line = 0
        with export.table(table.name) as file:
            while rows := _rows(file, BATCH, table.name):
                for row in rows:
                    line += 1
                    try:
                        check_row(table, columns[table.name], row)
                        for key in _keys(table, row):
                            with suppress(FileNotFoundError):
                                export.stored(key).close()
                    except (RowRefused, ImportFailed) as refused:
                        raise ImportFailed(f"{table.name}, line {line}, {refused}") from None


def _set_aside(export: ExportFolder) -> int:
    """How many values of an export are kept elsewhere than in their columns."""
    count = 0
    for table in exported_of_widget(0)[0]:
        if table.aside is not None:
            with export.table(table.name) as file:
                while rows := _rows(file, BATCH, table.name):
                    count += sum(len(table.aside(row)) for row in rows)
    return count


def _widget_values(export: ExportFolder, options: ImportOptions) -> dict[str, Any]:
    """The widget's own columns of the manifest that come along. Raises ImportFailed."""
    said, found = export.manifest["widget"], {}
    stays = {*(() if options.with_seats else ("seats",)), *(() if options.with_switches else _SWITCHES)}
    for name in WIDGET_COLUMNS:
        if name in said and name not in stays:
            try:
                found[name] = checked_value(Widget._meta.get_field(name), said[name], _CHECKS.get(name))
            except FieldRefused as refused:
                raise ImportFailed(f"the widget, {name}: {refused}") from None
    if said.get("guid") and not _GUID.fullmatch(str(said["guid"])):
        raise ImportFailed("the widget, guid: It has 32 hexadecimal digits.")
    return found


def _origins_refusal(origins: list[str]) -> str | None:
    for origin in origins:
        try:
            origin_of(origin)
        except ValueError:
            return f"{origin[:40]!r} is no origin such as https://shop.example."
    return None


_CHECKS: dict[str, Check] = {
    "name": name_refusal,
    "allowed_origins": _origins_refusal,
    "time_zone": lambda name: None if name in available_timezones() else "There is no such time zone.",
}


def abandon_import(*, account: Account, directory: Path) -> None:
    """Deletes what was put in of an export that is not finished. Raises ImportFailed where nothing was begun."""
    importing = _begun(ExportFolder(directory), account)
    if importing is None:
        raise ImportFailed("nothing of this export is under way")
    with transaction.atomic(), database.statements_may_take(_DELETION_S):
        importing.widget.delete()


def _begun(export: ExportFolder, account: Account) -> WidgetImport | None:
    known = (
        WidgetImport.objects.unscoped("of the account that owns the widget")
        .select_related("widget")
        .filter(widget__account=account, digest=export.digest)
    )
    return known.first()


@transaction.atomic
def _begin(export: ExportFolder, account: Account, *, keep_numbers: bool) -> WidgetImport:
    database.lock(f"import {export.digest.hex()}")
    if (known := _begun(export, account)) is not None:  # by another process, just now
        return known
    said = export.manifest["widget"]
    widget = Widget(account=account, name=str(said.get("name", ""))[:255])
    if keep_numbers:
        widget.pk = said["id"]
        require_keepable(Widget._meta.db_table, "id", [widget.pk])
    widget.save(force_insert=True)
    return WidgetImport.objects.create(widget=widget, digest=export.digest, keeps_numbers=keep_numbers)


class _ImportWork:
    """The tables of an export in their order, then those whose rows refer to others that came behind."""

    def __init__(self, folder: ExportFolder, widget_import: WidgetImport, options: ImportOptions) -> None:
        self.export, self.importing, self.options = folder, widget_import, options
        tables, _ = exported_of_widget(widget_import.widget_id)
        self.references = references(tables)
        self.steps = [(table, False) for table in tables] + [(table, True) for table in tables if table.later]

    @property
    def place(self) -> str:
        """The place at which the import works, in words."""
        if self.importing.step == len(self.steps):
            return "the widget"
        return f"{self.steps[self.importing.step][0].name}, from byte {self.importing.position} on"

    def put_batch(self) -> None:
        """Puts in the next rows, and what says so, in one transaction; at a table's end, goes on to the next."""
        table, is_later = self.steps[self.importing.step]
        size = BATCH_OF_STORED if table.stored and not is_later else BATCH
        with self.export.table(table.name) as file:
            file.seek(self.importing.position)
            rows = _rows(file, size, table.name)
            end = file.tell()
        with ExitStack() as stack:
            stored = self._stored(stack, table, rows) if not is_later else {}
            stack.enter_context(transaction.atomic())
            self._claim()
            numbers = Numbers(self.importing)
            with_switches = self.options.with_switches
            put = Rows(table, self.references[table.name], self.importing, numbers, with_switches=with_switches)
            if is_later:
                put.complete(rows)
            else:
                self.importing.left_out += put.store(rows, stored)
            if len(rows) < size:
                self.importing.step, self.importing.position = self.importing.step + 1, 0
            else:
                self.importing.position = end
            self.importing.save(update_fields=["step", "position", "left_out"])

    def _claim(self) -> None:
        """Raises ImportFailed if another process has gone on with it."""
        kept = WidgetImport.objects.for_widget(self.importing.widget_id).select_for_update().first()
        if kept is None or (kept.step, kept.position) != (self.importing.step, self.importing.position):
            raise ImportFailed("another process puts this export in")

    def _stored(self, stack: ExitStack, table: ExportTable, rows: list[dict[str, Any]]) -> dict[str, str]:
        """The new names of the bytes that the rows name, by the old ones. Bytes that are not there stay so."""
        files: dict[str, BinaryIO] = {}
        for row in rows:
            for key in _keys(table, row):
                with suppress(FileNotFoundError):
                    files[key] = stack.enter_context(self.export.stored(key))
        names = stack.enter_context(storage.stored_together(list(files.values())))
        return dict(zip(files, names, strict=True))


def _keys(table: ExportTable, row: dict[str, Any]) -> list[str]:
    """The names of the bytes that a row has."""
    return [row[column] for column in table.stored if row.get(column)]


def _rows(file: BinaryIO, most: int, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    while len(rows) < most and (line := file.readline(MAX_LINE)):
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise ImportFailed(f"{name} has a line that is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise ImportFailed(f"{name} has a line that is no object")
        rows.append(row)
    return rows


def _write_numbers(folder: ExportFolder, widget_import: WidgetImport) -> None:
    """Tells beside the export which number each row has got."""
    known = ImportedNumber.objects.unscoped("of the import's new widget").filter(importing=widget_import)
    columns = {name: name for name in ("table", "was", "now")}
    try:
        with folder.write(f"numbers-{widget_import.widget.guid}.jsonl") as file:
            for rows in batches(known, columns):
                file.writelines(orjson.dumps(row) + b"\n" for row in rows)
    except OSError as error:
        raise ImportFailed(f"the new numbers cannot be written: {error}") from None


def _finish(export: ExportFolder, widget_import: WidgetImport, options: ImportOptions) -> Widget:
    """Opens the widget, as it was. Its guid is the old one, if that is free."""
    with transaction.atomic(), database.statements_may_take(_DELETION_S):
        widget = Widget.objects.select_for_update().get(pk=widget_import.widget_id)
        for name, value in _widget_values(export, options).items():
            setattr(widget, name, value)
        widget.answerers = [each for each in widget.answerers if each in _ANSWERERS]
        guid = str(export.manifest["widget"].get("guid", ""))
        if guid and not Widget.objects.filter(guid=guid).exists():
            widget.guid = guid
        widget.save()
        if refusal := refusal_of_widget(widget.pk):
            raise ImportFailed(f"the widget: {refusal}")
        widget_import.delete()
        bus.publish(WidgetChanged(widget_id=widget.pk, widget_guid=widget.guid), WidgetPutIn(widget_id=widget.pk))
        record_export(widget, "put in", by=None)
    return widget
