"""A table of a widget's settings: the rows that declare them, and where the values are kept.

An app declares its table in its `settings.py`. The body, the answer, the export and the audit trail are made here,
writes in `actions.settings`, the command in `cabinet/settings_command.py`, the page in
`cabinet/settings_pages.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rest_framework import serializers

from apps.accounts.rules.settings import Setting, refusals
from apps.core.endpoints.row_serializers import IntegerList, Json, RowSerializer, TextList, TextOrNull
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Items, PatchBody, Text

Changes = Mapping[str, Any]


def _nothing(*args: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, kw_only=True)
class SettingsTable:
    """The settings that a model keeps for each widget: a column each, or all in the JSON column `json_column`.

    `sections` are the tabs of the cabinet's page, with the names in each. `further_refusals` are checks that read the
    database, of a row and good changes of it. `derived` are values of other columns that follow from a change, of the
    row before it, the changes, and whether the row is new. `then` is called with the row and the names of its columns
    that were changed, in the same transaction.
    """

    model: Any
    rows: tuple[Setting, ...]
    sections: tuple[tuple[Any, tuple[str, ...]], ...] = ()
    json_column: str = ""
    further_refusals: Callable[[Any, Changes], dict[str, str]] = _nothing
    derived: Callable[[Any, Changes, bool], dict[str, Any]] = _nothing
    then: Callable[[Any, list[str]], object] = _nothing

    @cached_property
    def by_name(self) -> dict[str, Setting]:
        return {row.name: row for row in self.rows}

    @cached_property
    def labels(self) -> dict[str, Any]:
        """The settings' names in the cabinet and in the audit trail."""
        return {row.name: row.label for row in self.rows}

    def row_of(self, widget_id: int) -> Any:
        """The widget's row, or the defaults without one."""
        return self.model.objects.for_widget(widget_id).first() or self.model(widget_id=widget_id)

    def value_of(self, row: Any, name: str) -> Any:
        """The value in effect, as it is shown."""
        setting = self.by_name[name]
        value = getattr(row, self.json_column).get(name, setting.default) if self.json_column else getattr(row, name)
        return setting.shown(value)

    def values(self, row: Any, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
        """The values in effect by name."""
        return {name: self.value_of(row, name) for name in self.by_name if name not in without}

    def refusals(self, row: Any, changes: Changes) -> dict[str, str]:
        """The refusals of a change, by name; the row stays as it is."""
        return refusals(self.by_name, changes) or self.further_refusals(row, changes)

    def columns_of(self, row: Any, changes: Changes) -> dict[str, Any]:
        """The columns that a change sets. A member of the JSON column that becomes null is cleared."""
        columns = {name: self.by_name[name].stored(value) for name, value in changes.items()}
        if not self.json_column:
            return columns
        together = {**getattr(row, self.json_column), **columns}
        return {self.json_column: {name: value for name, value in together.items() if value is not None}}

    def body(self, name: str, about: str, *, without: tuple[str, ...] = (), **own: Any) -> type[PatchBody]:
        """The body of a PATCH: a field for each setting, but for `without`; `own` are fields of the app's making."""
        fields = {row.name: _sent_field(row) for row in self.rows if row.name not in without}
        return type(name, (type(name, (PatchBody,), fields),), {"__doc__": about, **own})

    def serializer(self, name: str, about: str, *, without: tuple[str, ...] = (), **own: Any) -> type[RowSerializer]:
        """The answer: a field for each setting, but for `without`, and `own` fields. It is given `values`."""
        fields = {row.name: _shown_field(row) for row in self.rows if row.name not in without}
        return type(name, (type(name, (RowSerializer,), fields),), {"__doc__": about, **own})

    def export(self, *, switches: tuple[str, ...] = ()) -> dict[str, Any]:
        """The arguments of an `ExportTable`; `switches` are columns beside the settings'.

        Settings in JSON go together: with one that stays here, all stay.
        """
        columns = [(self.json_column or row.name, row) for row in self.rows]
        return {
            "checks": {name: self._json_refusal if self.json_column else row.refusal_of for name, row in columns},
            "without": tuple(dict.fromkeys(name for name, row in columns if not row.exported)),
            "switches": (*switches, *dict.fromkeys(name for name, row in columns if row.sets_to_work)),
        }

    def _json_refusal(self, stored: Changes) -> str | None:
        return "; ".join(f"{name}: {text}" for name, text in refusals(self.by_name, stored).items()) or None


def _sent_field(setting: Setting) -> Any:
    """The field that a setting is sent as; beyond its type, the row's own check refuses."""

    def check(value: Any) -> None:
        if refusal := setting.refusal_of(value):
            raise serializers.ValidationError(refusal)

    def check_entry(value: str) -> None:
        if setting.bad_entries([value]):
            raise serializers.ValidationError(setting.refusal)

    options: dict[str, Any] = {"required": False, **({"help_text": setting.about} if setting.about else {})}
    if setting.nullable:
        options["allow_null"] = True
    if setting.kind == "boolean":
        return Boolean(**options)
    if setting.choices and setting.kind == "string":
        return Choice(choices=list(setting.choices), **options)
    options["validators"] = [check]
    if setting.kind == "integer":
        return Integer(**options)
    if setting.kind == "array":
        named = Choice(choices=list(setting.choices)) if setting.choices else None
        entry = named or (Text(validators=[check_entry]) if setting.is_good_entry else Integer())
        return Items(child=entry, max_length=setting.most, **options)
    if setting.kind == "object":
        return serializers.JSONField(**options)
    return Text(allow_blank=not setting.nullable, **options)


def _shown_field(setting: Setting) -> Any:
    """The field that a setting is shown as."""
    options: dict[str, Any] = {"help_text": setting.about} if setting.about else {}
    if setting.kind == "string" and setting.nullable:
        return TextOrNull(**options)
    if setting.nullable:
        options["allow_null"] = True
    if setting.kind == "string" and setting.choices:
        return Choice(choices=list(setting.choices), **options)
    kinds = {"boolean": Boolean, "integer": Integer, "string": Text, "object": Json}
    if setting.kind == "array":
        return (TextList if setting.is_good_entry else IntegerList)(**options)
    return kinds[setting.kind](**options)
