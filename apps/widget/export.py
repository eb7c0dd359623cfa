"""The tables of settings, icons, translations and verified visitors in an export of a widget."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.widget.models import Icon, Translation, UnsubscribedEmail, VerifiedVisitor, WidgetSettings
from apps.widget.rules.icons import CUSTOM, custom_id


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Sessions and offline forms stay: browsers begin new ones, and no visitor is mailed by two installations."""
    yield ExportTable(name="icons", rows=Icon.objects.for_widget(widget_id), stored=("key", "still_key"))
    yield ExportTable(
        name="widget_settings",
        rows=WidgetSettings.objects.for_widget(widget_id),
        without=("previous_until",),
        renumbers=_renumber_icons,
    )
    ready = Translation.objects.for_widget(widget_id).filter(state=Translation.State.READY)
    yield ExportTable(name="translations", rows=ready)
    yield ExportTable(name="verified_visitors", rows=VerifiedVisitor.objects.for_widget(widget_id))
    yield ExportTable(name="stopped_addresses", rows=UnsubscribedEmail.objects.for_widget(widget_id))


def _renumber_icons(row: dict[str, Any], look_up: LookUp) -> None:
    row["stored"] = _renumbered(row["stored"], look_up)


def _renumbered(value: Any, look_up: LookUp) -> Any:
    """Settings, in which icons of the widget's own are named wherever an icon is chosen."""
    if isinstance(value, dict):
        return {name: _renumbered(each, look_up) for name, each in value.items()}
    if isinstance(value, list):
        return [_renumbered(each, look_up) for each in value]
    if isinstance(value, str) and (number := custom_id(value)) is not None:
        return f"{CUSTOM}{look_up('icons', number) or number}"
    return value


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    pending = Translation.objects.for_widget(widget_id).filter(state=Translation.State.PENDING)
    return {"translations": pending.count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
