from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.core.endpoints.windows import parse_moment
from apps.learning.actions.probation import review_probations


class Command(BaseCommand):
    help = "Keeps or rolls back texts on probation, now or as of a moment (the beat job does the same every 5 minutes)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as-of", metavar="ISO", help="the moment to judge by (default: now)")

    def handle(self, *args: Any, **options: Any) -> None:
        as_of = timezone.now()
        if options["as_of"] is not None:
            moment = parse_moment(options["as_of"])
            if moment is None:
                raise CommandError(f"--as-of: {options['as_of']!r} is no date-time")
            as_of = moment
        self.stdout.write(f"ended {review_probations(as_of=as_of)}")
