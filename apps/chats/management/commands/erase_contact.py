from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.chats import actions
from apps.core.problems import Problem


class Command(BaseCommand):
    help = "Erases a contact of a widget, with all that is held of them, for good."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("widget", metavar="GUID", help="the widget's guid")
        parser.add_argument("contact", metavar="CONTACT", help="the contact's guid")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.filter(guid=options["widget"]).first()
        if widget is None:
            raise CommandError(f"there is no widget {options['widget']}")
        try:
            actions.erase_contact(widget_id=widget.pk, guid=options["contact"])
        except Problem:
            raise CommandError(f"the widget has no contact {options['contact']}") from None
        self.stdout.write(f"contact {options['contact']} is erased")
