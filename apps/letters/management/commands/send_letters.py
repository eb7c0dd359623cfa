import json
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from apps.core.management.periodic import PeriodicCommand
from apps.letters.actions.answers import mail_unseen_answers
from apps.letters.actions.waiting import wake_operators


class Command(PeriodicCommand):
    help = "Queues letters once, now or as of a moment: unseen answers, and operators who are to be woken."
    judges = "judge what waits by"
    as_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json = options["json"]
        super().handle(*args, **options)

    def run(self, as_of: datetime) -> str:
        queued = {"answers": mail_unseen_answers(as_of=as_of), "waiting": wake_operators(as_of=as_of)}
        return json.dumps(queued) if self.as_json else ", ".join(f"{name} {count}" for name, count in queued.items())
