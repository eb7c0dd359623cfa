import json
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from apps.core.management.periodic import PeriodicCommand
from apps.reports.actions.ratings import ask_for_ratings


class Command(PeriodicCommand):
    help = (
        "Decides once, now or as of a moment, about the ended conversations whose visitors may be asked to rate them."
    )
    judges = "judge what has ended by"
    as_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json = options["json"]
        super().handle(*args, **options)

    def run(self, as_of: datetime) -> str:
        asking = ask_for_ratings(as_of=as_of)
        if self.as_json:
            return json.dumps({"asked": asking.asked, "not_asked": asking.not_asked})
        return f"asked {len(asking.asked)}, not asked {len(asking.not_asked)}"
