"""The settings of how a widget's operators work."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.chats.models import DeskSettings
from apps.core.database.changes import save_changed, set_changes


def desk_settings(widget_id: int) -> DeskSettings:
    """The widget's settings, or the defaults without a row."""
    return DeskSettings.objects.for_widget(widget_id).first() or DeskSettings(widget_id=widget_id)


@transaction.atomic
def change_desk_settings(*, widget_id: int, changes: Mapping[str, Any]) -> DeskSettings:
    """Changes the settings that are named; the others stay."""
    DeskSettings.objects.bulk_create([DeskSettings(widget_id=widget_id)], ignore_conflicts=True)
    settings = DeskSettings.objects.for_widget(widget_id).get_for_update()
    save_changed(settings, set_changes(settings, changes))
    return settings
