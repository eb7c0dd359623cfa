"""The demo data, made of all installed apps: what `seed_demo` and `make run` call.

The document of the last run is kept in PARLEY_HOME, readable by its owner alone, so that `make run` can print tokens
again that are still valid; beside it the ids of the rows that no unique key finds again.
"""

import json
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from auditlog.context import disable_auditlog
from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from apps.demo.data.accounts import is_seeded
from apps.demo.document import Demo

# Lower apps first: each finds the rows of those before it.
SEEDED = (
    *("accounts", "agents", "chats", "routing", "automations", "webhooks", "billing", "messengers", "letters", "kb"),
    *("ai", "learning", "cards", "assists", "reviews", "support", "widget", "articles", "console"),
)
_LOCK = 0x5EED


def seed(*, keep_tokens: bool = False) -> dict[str, Any]:
    """Makes the demo data of all installed apps, in one transaction, one run at a time; returns the document.

    New API tokens are issued; with `keep_tokens`, only those that are no longer as the last document has them.
    """
    kept, kept_rows = settings.PARLEY_HOME / "demo.json", settings.PARLEY_HOME / "demo-rows.json"
    demo = _seed(_tokens_of(kept) if keep_tokens else frozenset(), _rows_of(kept_rows))
    _write_private(kept, json.dumps(demo.document, ensure_ascii=False, indent=1))
    _write_private(kept_rows, json.dumps(demo.made_rows, ensure_ascii=False, indent=1))
    return demo.document


def last_document() -> dict[str, Any]:
    """The document of the last run; one without accounts if there is none that can be read."""
    try:
        document: dict[str, Any] = json.loads((settings.PARLEY_HOME / "demo.json").read_bytes())
    except (OSError, ValueError):
        return {"accounts": [], "is_installed": True, "is_seeded": is_seeded()}
    return document


@transaction.atomic
def _seed(known_tokens: frozenset[str], known_rows: dict[str, int]) -> Demo:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    document: dict[str, Any] = {
        "base_url": f"{settings.PUBLIC_URL}/api/v1",
        "realtime_url": settings.REALTIME_URL,
        "accounts": [],
    }
    demo = Demo(now=timezone.now(), document=document, known_tokens=known_tokens, known_rows=known_rows)
    with disable_auditlog():  # nobody has changed anything
        for name in SEEDED:
            if apps.is_installed(f"apps.{name}"):  # else its models can't be imported
                import_module(f"apps.demo.data.{name}").seed(demo)
    return demo


def _tokens_of(path: Path) -> frozenset[str]:
    """The tokens of a kept document; none if there is none that can be read."""
    try:
        document = json.loads(path.read_bytes())
        widgets = [widget for account in document["accounts"] for widget in account["widgets"]]
        return frozenset(token for widget in widgets for token in widget["tokens"].values())
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()


def _rows_of(path: Path) -> dict[str, int]:
    """The ids of the rows that earlier runs made; none if no file can be read: then rows are found by what they are."""
    try:
        found = json.loads(path.read_bytes())
        return {str(name): int(row_id) for name, row_id in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _write_private(path: Path, text: str) -> None:
    """Writes a file that its owner alone can read, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.", delete=False) as unfinished:
        unfinished.write(text)
    Path(unfinished.name).replace(path)
