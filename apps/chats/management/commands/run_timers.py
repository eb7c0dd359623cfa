import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.chats.actions.timers import run_due
from apps.core.endpoints.windows import parse_moment


class Command(BaseCommand):
    help = "Tells of what is due in chats by now, or as of a moment, in one pass (workers do the same by themselves)."

    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as-of", metavar="ISO", help="the moment to judge by (default: now)")
        parser.add_argument("--chat", type=int, metavar="ID", help="of this chat alone")
        parser.add_argument("--json", action="store_true", help='as JSON: {"fired": {kind: N}}')

    def handle(self, *args: Any, **options: Any) -> None:
        given = options["as_of"]
        as_of = None if given is None else parse_moment(given)
        if given is not None and as_of is None:
            raise CommandError(f"--as-of: {given!r} is no date-time")
        fired = run_due(as_of=as_of, chat_id=options["chat"])
        if options["json"]:
            self.stdout.write(json.dumps({"fired": fired}))
        else:
            self.stdout.write(", ".join(f"{kind} {count}" for kind, count in sorted(fired.items())) or "nothing is due")
