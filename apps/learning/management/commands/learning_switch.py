from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.learning.actions.gates import switch


class Command(BaseCommand):
    help = "Switches the tuning of all assistants off or on, at once and everywhere (docs/guides/learning.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("state", choices=["on", "off"])

    def handle(self, *args: Any, **options: Any) -> None:
        switch(is_on=options["state"] == "on")
        self.stdout.write(options["state"])
