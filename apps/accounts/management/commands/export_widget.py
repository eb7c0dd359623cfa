from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actions import exports
from apps.accounts.models import Widget


class Command(BaseCommand):
    help = "Writes all of a widget, without its secrets, into a folder that is empty or not there yet."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("widget", metavar="GUID", help="the widget's guid")
        parser.add_argument("directory", metavar="DIR", type=Path, help="the folder")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.with_guid(options["widget"])
        if widget is None:
            raise CommandError(f"there is no widget {options['widget']}")
        try:
            exports.export_widget(widget=widget, directory=options["directory"])
        except exports.ExportFailed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"the export is in {options['directory']}")
