import json
from datetime import datetime
from typing import Any

from django.core.management.base import CommandParser

from apps.articles.actions.publishing import publish_due
from apps.core.management.periodic import PeriodicCommand


class Command(PeriodicCommand):
    help = "Publishes once, now or as of a moment, the articles whose moment has come."
    judges = "publish what is due by"
    as_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json = options["json"]
        super().handle(*args, **options)

    def run(self, as_of: datetime) -> str:
        count = publish_due(as_of=as_of)
        return json.dumps({"published": count}) if self.as_json else f"published {count}"
