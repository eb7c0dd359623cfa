"""The base of the commands that print the settings of a widget, and change some of them."""

import json
import sys
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandParser

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.accounts.settings import SettingsTable
from apps.core.problems import Problem


class SettingsCommand(BaseCommand):
    """Prints the settings of a table, and changes those that are named, all or none."""

    table: ClassVar[SettingsTable]
    example: ClassVar[str]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID", help="the widget")
        parser.add_argument(
            "--set", action="append", default=[], metavar="NAME=JSON", help=f"such as --set {self.example}"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> Any:
        widget = Widget.objects.filter(guid=options["widget"]).first()
        if widget is None:
            return self._refuse({"widget": "There is no such widget."})
        changes, unreadable = _changes(options["set"])
        if unreadable:
            return self._refuse(unreadable)
        try:
            row = (
                change_settings(self.table, widget_id=widget.pk, changes=changes)
                if changes
                else self.table.row_of(widget.pk)
            )
        except Problem as refused:
            return self._refuse({name: " ".join(texts) for name, texts in refused.errors.items()})
        values = self.table.values(row)
        if options["json"]:
            return self.stdout.write(json.dumps(values, ensure_ascii=False))
        for name, value in values.items():
            self.stdout.write(f"{name}={json.dumps(value, ensure_ascii=False)}")
        return None

    def _refuse(self, refused: dict[str, str]) -> Any:
        for name, text in refused.items():
            self.stderr.write(f"{name}: {text}")
        sys.exit(1)


def _changes(given: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings that are to change, and those whose value can't be read."""
    changes: dict[str, Any] = {}
    unreadable: dict[str, str] = {}
    for one in given:
        name, _, text = one.partition("=")
        try:
            changes[name] = json.loads(text)
        except ValueError:
            unreadable[name] = "Must be NAME=JSON."
    return changes, unreadable
