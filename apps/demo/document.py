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

    `known_tokens` are API tokens in plain text that an earlier run printed, and that are to live on.
    """

    def __init__(self, *, now: datetime, document: dict[str, Any], known_tokens: frozenset[str] = frozenset()) -> None:
        self.now = now
        self.document = document
        self.known_tokens = known_tokens
        self._rows: dict[type[models.Model], dict[str, models.Model]] = {}
        self._parts: dict[models.Model, dict[str, Any]] = {}

    def keep(self, name: str, row: Row, part: dict[str, Any] | None = None) -> Row:
        """Keeps a row for the apps above; `part` is the piece of the document that describes it."""
        self._rows.setdefault(type(row), {})[name] = row
        if part is not None:
            self._parts[row] = part
        return row

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
