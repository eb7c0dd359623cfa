import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from apps.routing.actions.looks import look_at_due
from apps.routing.actions.router import route_all


class Command(BaseCommand):
    help = "Gives the free places of operators to the chats that wait, in one pass (workers do the same by themselves)."

    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help='as JSON: {"given": N, "waiting": N}')

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        look_at_due(as_of=now)
        decision = route_all(as_of=now)
        found = {"given": decision.given, "waiting": decision.waiting}
        self.stdout.write(json.dumps(found) if options["json"] else f"{found['given']} given, {found['waiting']} wait")
