"""The one writer of settings that a table declares (`accounts.settings`)."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from apps.accounts.settings import SettingsTable
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def change_settings(
    table: SettingsTable,
    *,
    widget_id: int,
    changes: Mapping[str, Any],
    then: Callable[[Any, list[str]], None] | None = None,
) -> Any:
    """Changes the named settings of a widget, all or none; returns the row. Raises INVALID_INPUT (422), by name.

    `then` is called with the row and the names of the columns, where any changed, in the same transaction.
    """
    rows = table.model.objects.for_widget(widget_id)
    is_new = not rows.exists()
    if is_new:
        table.model.objects.bulk_create([table.model(widget_id=widget_id)], ignore_conflicts=True)
    row = rows.get_for_update()
    if refused := table.refusals(row, changes):
        raise INVALID_INPUT(errors={name: [text] for name, text in refused.items()})
    columns = {**table.columns_of(row, changes), **table.derived(row, changes, is_new)}
    if changed := set_changes(row, columns):
        save_changed(row, changed)
        table.then(row, changed)
        if then is not None:
            then(row, changed)
    return row
