"""An export of a whole widget: files of JSON lines, sheets and the bytes of files, in a folder or as a zip.

All is read in batches and written as it comes, so an export of any size takes the same memory (out of a bucket, that of
its largest file as well). It is of the time in which it was made: a row that was written during the export, and refers
to one that came too late for its file, is left out when the export is imported. The cabinet's button sends the zip
while it is made: a job would have to keep its result, and to clear it away.
"""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from django.db import transaction
from django.utils import timezone

from apps.accounts.actions import widget_export
from apps.accounts.actions.widget_export import ExportSheet, ExportTable
from apps.accounts.audit.records import record_export
from apps.accounts.mail import exported_mail
from apps.accounts.models import User, Widget
from apps.accounts.rules import OWNER
from apps.core import mail
from apps.core.files import storage
from apps.core.files.zipped import zipped
from apps.core.problems import Problem

FORMAT, VERSION = "parley-widget", 1
MANIFEST, COMPLETE = "manifest.json", "complete.json"
# The widget's own columns. Who answers beside people comes back with those who do.
WIDGET_COLUMNS = ("name", "api_enabled", "allowed_origins", "time_zone", "seats", "answerers", "created_at")
MOST_BYTES = 64 * 1024 * 1024  # of one file

_FORMULA = re.compile(r"[\s\x00-\x1f]*[=+\-@＝＋－＠]|[\t\r\n]")


class ExportFailed(Exception):
    """Why there is no export, as a sentence."""


def export_widget(*, widget: Widget, directory: Path) -> None:
    """Writes an export into a folder that is empty, or not there yet. Raises ExportFailed."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise ExportFailed(f"{directory} is not empty")
        (directory / "files").mkdir()
        record_export(widget, "made", by=None)
        for name, pieces in _files(widget):
            with (directory / name).open("xb") as file:
                file.writelines(pieces)
    except OSError as error:
        raise ExportFailed(f"the export cannot be written: {error}") from None
    except Problem as error:
        raise ExportFailed(f"a file cannot be read: {error}") from None


def zip_of_widget(*, widget: Widget, by: User) -> Iterator[bytes]:
    """An export as a zip, in pieces. It is on record who took it, and mailed to the owners."""
    with transaction.atomic():
        record_export(widget, "made", by=by)
        _tell_owners(widget, by)
    return zipped(_files(widget))


def _tell_owners(widget: Widget, by: User) -> None:
    """Queues a mail to each owner of the account: an export holds all their customers' words."""
    owners = User.objects.filter(account=widget.account_id, role=OWNER, is_staff=True, is_active=True)
    for owner in owners:
        letter = exported_mail(email=owner.email, widget_name=widget.name, who=by.email, language=owner.mail_language)
        mail.queue(letter)


def _files(widget: Widget) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The files by name, each to be read to its end before the next: `complete.json` says that nothing is missing."""
    tables, sheets = widget_export.exported_of_widget(widget.pk)
    counts: dict[str, int] = {}
    yield MANIFEST, iter([orjson.dumps(manifest_of(widget, [table.name for table in tables]))])
    for table in tables:
        yield file_of(table.name), _lines(table, counts)
        yield from _stored(table)
    for sheet in sheets:
        yield f"{sheet.name}.csv", sheet_lines(sheet)
    yield COMPLETE, (orjson.dumps(counts) for _ in range(1))


def file_of(table: str) -> str:
    """The name of a table's file."""
    return f"{table}.jsonl"


def manifest_of(widget: Widget, tables: list[str]) -> dict[str, Any]:
    """The manifest of an export. The widget may be one that is stored nowhere."""
    columns = {name: getattr(widget, name) for name in ("id", "guid", *WIDGET_COLUMNS)}
    return {"format": FORMAT, "version": VERSION, "made_at": timezone.now(), "tables": tables, "widget": columns}


def _lines(table: ExportTable, counts: dict[str, int]) -> Iterator[bytes]:
    counts[table.name] = 0
    for rows in table.lines():
        counts[table.name] += len(rows)
        yield b"".join(orjson.dumps(row, default=widget_export.plain) + b"\n" for row in rows)


def _stored(table: ExportTable) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The bytes that the rows name. Bytes that the storage has lost are left out."""
    for column in table.stored:
        for rows in widget_export.batches(table.rows.exclude(**{column: ""}), {column: column}):
            for row in rows:
                try:
                    content = storage.chunks_of(row[column], most=MOST_BYTES)
                except storage.StorageFailed:
                    continue
                yield f"files/{name_of_stored(row[column])}", content


def name_of_stored(key: str) -> str:
    """The name of the file with these bytes, in `files/`."""
    return key.replace("/", "-")


def sheet_lines(sheet: ExportSheet) -> Iterator[bytes]:
    """A sheet as CSV (RFC 4180), with the mark by which Excel knows UTF-8."""
    yield csv_of([list(sheet.columns)], begins=True)
    for rows in sheet.lines():
        yield csv_of([[cell(value) for value in row.values()] for row in rows])


def csv_of(rows: list[list[Any]], *, begins: bool = False) -> bytes:
    """Rows of cells as CSV; the beginning of a file has the mark by which Excel knows UTF-8."""
    written = io.StringIO(newline="")
    csv.writer(written).writerows(rows)
    return ("\ufeff" if begins else "").encode() + written.getvalue().encode()


def cell(value: Any) -> Any:
    """A value as a spreadsheet takes it: text that it would take for a formula begins with an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if _FORMULA.match(value) else value
    return value if isinstance(value, int | float) else widget_export.plain(value)
