"""The new numbers of an export's rows (`imports`)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.conf import settings

from apps.accounts.models import ImportedNumber, WidgetImport
from apps.core.database import fetch_all
from apps.core.database.numbers import NUMBERS_OF_A_CELL

_LAST_NUMBER = """
SELECT coalesce(last_value, 0) FROM pg_sequences
 WHERE schemaname = current_schema() AND sequencename = %(name)s"""


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

    def __init__(self, importing: WidgetImport) -> None:
        self._importing = importing
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
