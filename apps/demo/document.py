"""The document of the demo data, and the rows that it tells of, as they are handed from app to app."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)

_NAMESPACE = uuid.UUID("9f2f9f5e-5d7c-4f0a-8f0e-6d656d6f0001")


class Demo:
    """The rows made so far, by kind and short name, and the JSON document that tells of them.

    `known_tokens` are API tokens in plain text that an earlier run printed, and that are to live on. `made_rows` has
    the ids of rows that no unique key finds again, by the name of each: of the runs before, and of this one.
    """

    def __init__(
        self,
        *,
        now: datetime,
        document: dict[str, Any],
        known_tokens: frozenset[str] = frozenset(),
        known_rows: Mapping[str, int] | None = None,
    ) -> None:
        self.now = now
        self.document = document
        self.known_tokens = known_tokens
        self.made_rows: dict[str, int] = dict(known_rows or {})
        self._rows: dict[type[models.Model], dict[str, models.Model]] = {}
        self._parts: dict[models.Model, dict[str, Any]] = {}

    def keep(self, name: str, row: Row, part: dict[str, Any] | None = None) -> Row:
        """Keeps a row for the apps above; `part` is the piece of the document that describes it."""
        self._rows.setdefault(type(row), {})[name] = row
        if part is not None:
            self._parts[row] = part
        return row

    def find_or_create(
        self, name: str, rows: models.QuerySet[Row], defaults: Mapping[str, Any], /, **look_up: Any
    ) -> tuple[Row, bool]:
        """The row of that name among `rows`, and whether it was made now.

        It is the one that was remembered, whatever has become of its members; else the oldest that the look-up finds;
        else a new one. People may have made others that are alike.
        """
        key = f"{rows.model._meta.label_lower} {name}"
        found = rows.filter(pk=self.made_rows.get(key)).first() or rows.filter(**look_up).order_by("pk").first()
        row = found or rows.model._default_manager.create(**look_up, **defaults)
        self.made_rows[key] = row.pk
        return row, found is None

    def row(self, kind: type[Row], name: str) -> Row:
        """The row of that kind and name. Raises KeyError."""
        return self.rows(kind)[name]

    def rows(self, kind: type[Row]) -> Mapping[str, Row]:
        """Every kept row of that kind, by name, in the order of making."""
        return self._rows.get(kind, {})  # type: ignore[return-value]

    def part(self, row: models.Model) -> dict[str, Any]:
        """The piece of the document that describes the row, to be added to. Raises KeyError."""
        return self._parts[row]


def stable_guid(name: str) -> str:
    """The same 32-character guid for the same name, on every installation."""
    return uuid.uuid5(_NAMESPACE, name).hex
