"""Changing a row that the caller has locked (`TenantQuerySet.locked`): what differs is set, and saved by name.

Two changes at once of different fields lose nothing, and one that changes nothing writes nothing.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils import timezone


def set_changes(row: models.Model, changes: Mapping[str, Any]) -> list[str]:
    """Sets those of the changes that differ from what the row has; returns their names."""
    changed = [name for name, value in changes.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, changes[name])
    return changed


def save_changed(row: models.Model, changed: Collection[str]) -> None:
    """Saves those fields, and when it was (`updated_at`, where the row has it); without any it saves nothing."""
    if not changed:
        return
    names = set(changed)
    try:
        row._meta.get_field("updated_at")
    except FieldDoesNotExist:
        pass
    else:
        row.updated_at = timezone.now()  # type: ignore[attr-defined]
        names.add("updated_at")
    row.save(update_fields=names)
