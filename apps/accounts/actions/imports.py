"""An export of a widget is put into a new one, of this installation or any other.

It goes in batches, each with how far that came in one transaction: what was interrupted is finished by the same call.
Until all is there the widget has no account: its guid is unknown, its API is closed, no operator of it signs in
anywhere, and `abandon_import` takes all of it away.
"""

import hashlib
import io
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction

from apps.accounts.actions.exports import COMPLETE, FORMAT, MANIFEST, VERSION, WIDGET_COLUMNS, file_of
from apps.accounts.actions.numbers import Numbers, NumberTaken, require_keepable
from apps.accounts.actions.rows import Rows
from apps.accounts.actions.widget_export import BATCH, ExportTable, batches, exported_of_widget, references
from apps.accounts.audit.records import record_export
from apps.accounts.events import WidgetChanged
from apps.accounts.models import Account, ImportedNumber, Widget, WidgetImport
from apps.accounts.rules import Answerer
from apps.core import bus, database
from apps.core.files import storage
from apps.core.problems import Problem

MAX_LINE = 64 * 1024 * 1024
# Rows with bytes in the storage that are put in at a time: their files are open meanwhile.
BATCH_OF_STORED = 20
_DELETION_S = 600.0
# What is wrong in an export, or in the way of it, shows as one of these.
_FAILURES = (IntegrityError, DataError, ValidationError, NumberTaken, Problem, LookupError, TypeError, ValueError)
# Those who come along. A bot of a customer's own has secrets, and is connected anew.
_ANSWERERS = (Answerer.AI, Answerer.AI_IN_SHADOW)


class ImportFailed(Exception):
    """Why an export is not put in, as a sentence. The rows that were imported stay, for the next call to go on with."""


@dataclass(frozen=True)
class ExportFolder:
    """An export in a folder. Raises ImportFailed when it is read, where it is none, or is not complete."""

    directory: Path

    @cached_property
    def manifest(self) -> dict[str, Any]:
        found: Any = self._read(MANIFEST)
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("widget"), dict):
            raise ImportFailed(f"{self.directory} is no export of a widget")
        if found.get("version") != VERSION:
            raise ImportFailed(f"the export is of version {found.get('version')}; this release reads {VERSION}")
        manifest: dict[str, Any] = found
        return manifest

    @cached_property
    def digest(self) -> bytes:
        """By which the export is known again."""
        self._read(COMPLETE)
        parts = [(self.directory / name).read_bytes() for name in (MANIFEST, COMPLETE)]
        return hashlib.sha256(b"\0".join(parts)).digest()

    def table(self, name: str) -> BinaryIO:
        """The rows of a table; none, if the export has no such file."""
        try:
            return (self.directory / file_of(name)).open("rb")
        except FileNotFoundError:
            return io.BytesIO()

    def _read(self, name: str) -> Any:
        try:
            return orjson.loads((self.directory / name).read_bytes())
        except FileNotFoundError:
            raise ImportFailed(f"the export has no {name}: it was not made to its end") from None
        except (OSError, orjson.JSONDecodeError) as error:
            raise ImportFailed(f"{name} cannot be read: {error}") from None


@dataclass(frozen=True, slots=True)
class Imported:
    """The new widget, and how many rows named others that the export has not."""

    widget: Widget
    left_out: int


def import_widget(*, account: Account, directory: Path, keep_numbers: bool = False) -> Imported:
    """Puts an export into a new widget of the account, or goes on with what was begun of it.

    Rows get new numbers, which `numbers-<guid>.jsonl` beside the export tells, or (`keep_numbers`) keep their own: to
    restore a widget that is gone, or to move one from another cell. Guids stay where they are free.

    Raises ImportFailed.
    """
    export = ExportFolder(directory)
    try:
        importing = _begun(export, account) or _begin(export, account, keep_numbers=keep_numbers)
    except _FAILURES as error:
        raise ImportFailed(f"the widget: {error}".strip()) from None
    work = _ImportWork(export, importing)
    try:
        while importing.step < len(work.steps):
            work.put_batch()
        _write_numbers(export, importing)
        return Imported(_finish(export, importing), importing.left_out)
    except (*_FAILURES, storage.StorageFailed) as error:
        raise ImportFailed(f"{work.place}: {error}".strip()) from None


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

    def __init__(self, archive: ExportFolder, importing: WidgetImport) -> None:
        self.export, self.importing = archive, importing
        tables, _ = exported_of_widget(importing.widget_id)
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
            rows = _rows(file, size)
            end = file.tell()
        with ExitStack() as stack:
            stored = self._stored(stack, table, rows) if not is_later else {}
            stack.enter_context(transaction.atomic())
            self._claim()
            numbers = Numbers(self.importing)
            put = Rows(table, self.references[table.name], self.importing, numbers)
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
            for key in filter(None, (row.get(column) for column in table.stored)):
                with suppress(FileNotFoundError):
                    files[key] = stack.enter_context(self._path(key).open("rb"))
        names = stack.enter_context(storage.stored_together(list(files.values())))
        return dict(zip(files, names, strict=True))

    def _path(self, key: Any) -> Path:
        name = str(key).replace("/", "-")
        if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
            raise ImportFailed(f"no file can be called {name!r}")
        return self.export.directory / "files" / name


def _rows(file: BinaryIO, most: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    while len(rows) < most and (line := file.readline(MAX_LINE)):
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise ImportFailed(f"{file.name} has a line that is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise ImportFailed(f"{file.name} has a line that is no object")
        rows.append(row)
    return rows


def _write_numbers(archive: ExportFolder, importing: WidgetImport) -> None:
    """Tells beside the export which number each row has got."""
    path = archive.directory / f"numbers-{importing.widget.guid}.jsonl"
    known = ImportedNumber.objects.unscoped("of the import's new widget").filter(importing=importing)
    columns = {name: name for name in ("table", "was", "now")}
    try:
        with path.open("wb") as file:
            for rows in batches(known, columns):
                file.writelines(orjson.dumps(row) + b"\n" for row in rows)
    except OSError as error:
        raise ImportFailed(f"the new numbers cannot be written: {error}") from None


def _finish(export: ExportFolder, importing: WidgetImport) -> Widget:
    """Opens the widget, as it was. Its guid is the old one, if that is free."""
    said = export.manifest["widget"]
    with transaction.atomic(), database.statements_may_take(_DELETION_S):
        widget = Widget.objects.select_for_update().get(pk=importing.widget_id)
        for name in WIDGET_COLUMNS:
            if name in said:
                field: Any = Widget._meta.get_field(name)
                setattr(widget, name, field.to_python(said[name]))
        widget.answerers = [each for each in widget.answerers if each in _ANSWERERS]
        guid = str(said.get("guid", ""))
        if guid and not Widget.objects.filter(guid=guid).exists():
            widget.guid = guid
        widget.save()
        importing.delete()
        bus.publish(WidgetChanged(widget_id=widget.pk, widget_guid=widget.guid))
        record_export(widget, "put in", by=None)
    return widget
