"""The first numbers of an installation (docs/guides/scale.md), and the new ones of an export's rows (`imports`)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.db import connections

from apps.accounts.models import ImportedNumber, WidgetImport
from apps.core.database import fetch_all

# So many numbers of each sequence are a cell's own. 2^53 is the greatest whole number that JavaScript holds exactly.
NUMBERS_OF_A_CELL = 2**44
MOST_CELLS = 2**53 // NUMBERS_OF_A_CELL

_BEGIN = """
SELECT format('ALTER SEQUENCE %%I.%%I RESTART WITH %%s', schemaname, sequencename, %(first)s)
  FROM pg_sequences
 WHERE schemaname = current_schema() AND data_type = 'bigint'::regtype AND coalesce(last_value, 0) < %(first)s
"""
_LAST_NUMBER = """
SELECT coalesce(last_value, 0) FROM pg_sequences
 WHERE schemaname = current_schema() AND sequencename = %(name)s"""


def begin_at_cell(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `post_migrate`: no sequence gives a number below those of this cell.

    So an account moves to another installation with the numbers that its customers know. A sequence with numbers of a
    higher cell goes on with them.
    """
    if settings.CELL == 0:
        return
    with connections[using].cursor() as cursor:
        cursor.execute(_BEGIN, {"first": settings.CELL * NUMBERS_OF_A_CELL + 1})
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)


class NumberTaken(Exception):
    """A number that is to be kept is one that this installation gives itself."""


def require_keepable(table: str, column: str, numbers: Sequence[int]) -> None:
    """Kept numbers are of another cell, or of those that this one has given before. Raises NumberTaken."""
    first = settings.CELL * NUMBERS_OF_A_CELL
    own = [number for number in numbers if first < number <= first + NUMBERS_OF_A_CELL]
    if not own:
        return
    ((last,),) = fetch_all(_LAST_NUMBER, {"name": f"{table}_{column}_seq"})
    if max(own) > last:
        raise NumberTaken(f"this installation will give the number {max(own)} itself: import with new numbers")


class Numbers:
    """The new numbers of the rows that one batch refers to: noted first, then read in a query a table."""

    def __init__(self, widget_import: WidgetImport) -> None:
        self._importing = widget_import
        self._wanted: dict[str, set[int]] = defaultdict(set)
        self._known: dict[str, dict[int, int]] = {}

    def want(self, table: str, was: int | None) -> int | None:
        """Notes a number, and answers it. 0 is none."""
        if isinstance(was, int) and was:
            self._wanted[table].add(was)
        return was

    def read(self) -> None:
        for table, wanted in self._wanted.items():
            known = ImportedNumber.objects.unscoped("of the import's new widget").filter(
                importing=self._importing, table=table, was__in=wanted
            )
            self._known[table] = dict(known.values_list("was", "now"))

    def of_row(self, table: str, was: int | None) -> int | None:
        """The new number of a row; None for one that is not there."""
        return self._known.get(table, {}).get(was) if was is not None else None

    def within(self, table: str, was: int | None) -> int | None:
        """The same for a number that no key holds, such as one within JSON: it leads to a row of the export or nowhere.

        This holds where numbers are kept, too: one of a row that is gone may be another tenant's by now.
        """
        return self.of_row(table, was) if isinstance(was, int) else None

    def add(self, table: str, pairs: Iterable[tuple[int, int]]) -> None:
        ImportedNumber.objects.bulk_create(
            [ImportedNumber(importing=self._importing, table=table, was=was, now=now) for was, now in pairs]
        )
