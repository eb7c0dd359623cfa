"""Which numbers rows of an export have got (`imports`)."""

from collections import defaultdict
from collections.abc import Iterable

from apps.accounts.models import ImportedNumber, WidgetImport


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
            known = ImportedNumber.objects.filter(importing=self._importing, table=table, was__in=wanted)
            self._known[table] = dict(known.values_list("was", "now"))

    def of_row(self, table: str, was: int | None) -> int | None:
        """The new number of a row; None for one that is not there."""
        return self._known.get(table, {}).get(was) if was is not None else None

    def within(self, table: str, was: int | None) -> int | None:
        """The same for a number that no key holds: where numbers are kept, one of a row that is gone stays too."""
        found = self.of_row(table, was)
        return was if found is None and self._importing.keeps_numbers else found

    def add(self, table: str, pairs: Iterable[tuple[int, int]]) -> None:
        ImportedNumber.objects.bulk_create(
            [ImportedNumber(importing=self._importing, table=table, was=was, now=now) for was, now in pairs]
        )
