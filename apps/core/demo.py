"""The demo data: what `seed_demo` hands from app to app, lowest layer first.

Each app's `Plugin.demo` names a function `(demo: Demo) -> None`. It finds the rows of lower apps with `demo.row`, makes
its own (only those not there yet: a second run changes nothing but API tokens), keeps them under short names with
`demo.keep`, and adds what a reader of the JSON needs to `demo.part(row)`.

The document of the last run is kept in PARLEY_HOME, readable by its owner alone, so that `make run` can print tokens
again that are still valid.
"""

import json
import uuid
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeVar

from auditlog.context import disable_auditlog
from django.conf import settings
from django.db import connection, models, transaction
from django.utils import timezone

from apps.core import plugins

Row = TypeVar("Row", bound=models.Model)

_LOCK = 0x5EED
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


def seed(*, keep_tokens: bool = False) -> dict[str, Any]:
    """Makes the demo data of all installed apps, in one transaction, one run at a time; returns the document.

    New API tokens are issued; with `keep_tokens`, only those that are no longer as the last document has them.
    """
    kept = settings.PARLEY_HOME / "demo.json"
    document = _seed(_tokens_of(kept) if keep_tokens else frozenset())
    _write_private(kept, json.dumps(document, ensure_ascii=False, indent=1))
    return document


@transaction.atomic
def _seed(known_tokens: frozenset[str]) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    document: dict[str, Any] = {
        "base_url": f"{settings.PUBLIC_URL}/api/v1",
        "realtime_url": settings.REALTIME_URL,
        "accounts": [],
    }
    demo = Demo(now=timezone.now(), document=document, known_tokens=known_tokens)
    with disable_auditlog():  # nobody has changed anything
        for seeder in plugins.plugged_in("demo"):
            seeder(demo)
    return document


def _tokens_of(path: Path) -> frozenset[str]:
    """The tokens of a kept document; none if there is none that can be read."""
    try:
        document = json.loads(path.read_bytes())
        widgets = [widget for account in document["accounts"] for widget in account["widgets"]]
        return frozenset(token for widget in widgets for token in widget["tokens"].values())
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()


def _write_private(path: Path, text: str) -> None:
    """Writes a file that its owner alone can read, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.", delete=False) as unfinished:
        unfinished.write(text)
    Path(unfinished.name).replace(path)
