"""`manage.py rotate_field_keys`: brings every encrypted column under the first of FIELD_ENCRYPTION_KEYS."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, models, transaction
from django.db.models.functions import Cast

from apps.core.database.encryption import DecryptionFailed, rotate
from apps.core.database.fields import EncryptedTextField, SealedTextField
from apps.core.database.tenants import unscoped

Encrypted = EncryptedTextField | SealedTextField


@dataclass(slots=True)
class RotationOutcome:
    """The result of a run for one column; every row that holds a token is counted once."""

    rotated: int = 0
    current: int = 0
    undecryptable: int = 0


class Command(BaseCommand):
    help = (
        "Re-encrypts every encrypted column under the first of FIELD_ENCRYPTION_KEYS. Safe on a live database and safe "
        "to run again. Afterwards the other keys may be dropped, unless it says that a row could not be decrypted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--batch", type=int, default=500, help="rows a transaction (default 500)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["batch"] < 1:
            raise CommandError("--batch must be at least 1")
        if left_out := apps_left_out_with_tables():
            raise CommandError(
                f"PARLEY_WITHOUT_APPS leaves out {', '.join(left_out)}, whose tables are there and may hold what the "
                "old keys encrypt: run this with none of them left out"
            )
        failed = 0
        for model, field in encrypted_columns(apps.get_models(include_auto_created=True)):
            outcome = rotate_column(model, field, batch=options["batch"])
            failed += outcome.undecryptable
            self.stdout.write(
                f"{model._meta.label}.{field.name}: {outcome.rotated} rotated, {outcome.current} already current, "
                f"{outcome.undecryptable} could not be decrypted"
            )
        if failed:
            raise CommandError(f"{failed} value(s) could not be decrypted with any key: keep every key", returncode=1)


def apps_left_out_with_tables() -> list[str]:
    """The apps that are not installed now and have been: their models are not known, so nothing of theirs is seen."""
    tables = connection.introspection.table_names()
    return [
        app
        for app in settings.WITHOUT_APPS
        if any(table.startswith(f"{app.removeprefix('apps.')}_") for table in tables)
    ]


def encrypted_columns(
    candidates: Iterable[type[models.Model]],
) -> Iterator[tuple[type[models.Model], Encrypted]]:
    """Every encrypted column of the given models, each with the model whose table it stands in."""
    for model in candidates:
        if model._meta.proxy or model._meta.swapped:
            continue
        for field in model._meta.local_concrete_fields:
            if isinstance(field, Encrypted):
                yield model, field


def rotate_column(model: type[models.Model], field: Encrypted, *, batch: int) -> RotationOutcome:
    """Walks one column by primary key, `batch` rows a transaction.

    A row is written only while it still holds the token that was read (compare and set), so that a concurrent write is
    never lost; such a row is read and tried again.
    """
    outcome = RotationOutcome()
    rows = (
        unscoped(model._base_manager.all(), "every widget's rows")
        .annotate(stored_token=Cast(field.name, models.TextField()))
        .filter(stored_token__isnull=False)
        .order_by("pk")
    )
    if isinstance(field, SealedTextField):
        rows = rows.filter(**{field.sealed_by: True})
    tokens = rows.values_list("pk", "stored_token")
    page = list(tokens[:batch])
    while page:
        last_key = page[-1][0]
        while page:
            outrun = _rotate_page(rows, field, page, outcome)
            page = list(tokens.filter(pk__in=outrun)) if outrun else []
        page = list(tokens.filter(pk__gt=last_key)[:batch])
    return outcome


def _rotate_page(
    rows: models.QuerySet[Any], field: Encrypted, page: list[tuple[Any, str]], outcome: RotationOutcome
) -> list[Any]:
    """Rotates the rows of one page; returns the keys of those that were written or deleted since they were read."""
    changes = []
    for key, token in page:
        try:
            fresh = rotate(token)
        except DecryptionFailed:
            outcome.undecryptable += 1
            continue
        if fresh == token:
            outcome.current += 1
        else:
            changes.append((key, token, fresh))
    outrun = []
    with transaction.atomic(using=rows.db):
        for key, token, fresh in changes:
            if rows.filter(pk=key, stored_token=token).update(**{field.name: _as_stored(fresh)}):
                outcome.rotated += 1
            else:
                outrun.append(key)
    return outrun


def _as_stored(token: str) -> models.Value:
    """The token as the column's value, past the field's own encryption."""
    return models.Value(token, output_field=models.TextField())
