"""The personal data that apps hold of one contact of a widget: for the copy that the contact may ask for, and for their
erasure.

Each app declares a `PersonalData` in its `personal_data.py`, in the order in which one row rests on another.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from apps.core import plugins
from apps.core.database.tenants import unscoped

# Rows that one transaction of an erasure, or one read of a copy, takes: well under 100 ms.
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalRows:
    """Rows of one table that hold data of a contact.

    name: what the copy calls them. fields: what it shows of each; none keeps them out of it.
    becomes: what their columns are set to, instead of the rows' deletion. erase: what does it otherwise.
    """

    name: str
    rows: QuerySet[Any, Any]
    fields: tuple[str, ...] = ()
    becomes: Mapping[str, Any] | None = None
    erase: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class PersonalData:
    """An app's data of a contact, by widget and contact."""

    held_of_contact: Callable[[int, int], Iterable[PersonalRows]]


def held_of_contact(widget_id: int, contact_id: int) -> list[PersonalRows]:
    """The personal data that all apps hold of a contact, lowest app first."""
    apps = plugins.declared("personal_data", PersonalData).values()
    return [held for of_app in apps for each in of_app for held in each.held_of_contact(widget_id, contact_id)]


def rows_of(held: PersonalRows) -> Iterator[dict[str, Any]]:
    """The rows as the copy shows them, oldest first, read in batches."""
    last: Any = None
    while True:
        rows = held.rows.order_by("pk") if last is None else held.rows.order_by("pk").filter(pk__gt=last)
        batch = list(rows.values("pk", *held.fields)[:BATCH])
        for row in batch:
            last = row.pop("pk")
            yield row
        if len(batch) < BATCH:
            return


def erase(held: PersonalRows) -> None:
    """Deletes the rows, or what they hold, a batch a transaction. Run twice, it goes on where it was."""
    if held.erase is not None:
        held.erase()
        return
    if held.becomes is not None:
        held.rows.update(**held.becomes)
        return
    while True:
        with transaction.atomic():
            keys = list(held.rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
            unscoped(held.rows.model._base_manager.all(), "of one contact of the widget").filter(pk__in=keys).delete()
        if len(keys) < BATCH:
            return
