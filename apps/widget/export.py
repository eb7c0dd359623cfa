"""The tables of settings, icons, translations and verified visitors in an export of a widget."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.import_fields import refusal_by
from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.core.parsing.names import control_refusal
from apps.widget.models import Icon, Translation, UnsubscribedEmail, VerifiedVisitor, WidgetSettings
from apps.widget.rules.fields import BY_NAME, TEXTS
from apps.widget.rules.icons import CUSTOM, PRESETS, TYPES, custom_id
from apps.widget.rules.languages import LANGUAGES
from apps.widget.rules.translations import text_refusal
from apps.widget.serializers.settings_requests import SettingsChangesBody


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Sessions and offline forms stay: browsers begin new ones, and no visitor is mailed by two installations."""
    yield ExportTable(
        name="icons",
        rows=Icon.objects.for_widget(widget_id),
        stored=("key", "still_key"),
        checks={"content_type": _type_refusal},
    )
    yield ExportTable(
        name="widget_settings",
        rows=WidgetSettings.objects.for_widget(widget_id),
        without=("previous_until",),
        renumbers=_renumber_icons,
        checks={"stored": refusal_by(SettingsChangesBody())},
        switches=("mail_answers",),
    )
    ready = Translation.objects.for_widget(widget_id).filter(state=Translation.State.READY)
    yield ExportTable(name="translations", rows=ready, row_refusals=_translation_refusals)
    yield ExportTable(
        name="verified_visitors",
        rows=VerifiedVisitor.objects.for_widget(widget_id),
        checks={"user_id": control_refusal},
    )
    yield ExportTable(name="stopped_addresses", rows=UnsubscribedEmail.objects.for_widget(widget_id))


def _type_refusal(type_: str) -> str | None:
    return None if type_ in TYPES else "No icon is of this type."


def _translation_refusals(row: dict[str, Any]) -> dict[str, str]:
    if row.get("locale") not in LANGUAGES:
        return {"locale": "There is no such language."}
    if row.get("field") not in TEXTS:
        return {"field": "No such text is translated."}
    refusal = text_refusal(row["text"], multiline=BY_NAME[row["field"]].multiline) if row.get("text") else None
    return {"text": refusal} if refusal else {}


def _renumber_icons(row: dict[str, Any], look_up: LookUp) -> None:
    if "stored" in row:
        row["stored"] = _renumbered(row["stored"], look_up)


def _renumbered(value: Any, look_up: LookUp) -> Any:
    """Settings, in which icons of the widget's own are named wherever an icon is chosen."""
    if isinstance(value, dict):
        return {name: _renumbered(each, look_up) for name, each in value.items()}
    if isinstance(value, list):
        return [_renumbered(each, look_up) for each in value]
    if isinstance(value, str) and (number := custom_id(value)) is not None:
        found = look_up("icons", number)
        return f"{CUSTOM}{found}" if found else PRESETS[0]
    return value


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    pending = Translation.objects.for_widget(widget_id).filter(state=Translation.State.PENDING)
    return {"translations": pending.count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
