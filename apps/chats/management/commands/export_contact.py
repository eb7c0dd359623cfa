from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.chats import actions
from apps.core.problems import Problem


class Command(BaseCommand):
    help = "Writes a zip of all that is held of a contact of a widget."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("widget", metavar="GUID", help="the widget's guid")
        parser.add_argument("contact", metavar="CONTACT", help="the contact's guid")
        parser.add_argument("path", metavar="FILE", help="the zip to write, which must not be there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.filter(guid=options["widget"]).first()
        if widget is None:
            raise CommandError(f"there is no widget {options['widget']}")
        try:
            pieces = actions.copy_of_contact(widget_id=widget.pk, guid=options["contact"])
        except Problem:
            raise CommandError(f"the widget has no contact {options['contact']}") from None
        try:
            with Path(options["path"]).open("xb") as file:
                file.writelines(pieces)
        except OSError as error:
            raise CommandError(f"the file cannot be written: {error}") from None
        self.stdout.write(f"the copy is in {options['path']}")
