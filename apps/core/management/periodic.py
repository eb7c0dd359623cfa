"""The base of commands that do once, now or as of a moment, the work that beat has done again and again."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.core.endpoints.windows import parse_moment


class PeriodicCommand(BaseCommand):
    """A command with `--as-of`. A subclass says what is done (`run`), and by its `judges` what the moment is for."""

    judges = "judge by"

    def run(self, as_of: datetime) -> str:
        """Does the work as of that moment; returns the line that says what was done."""
        raise NotImplementedError

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as-of", metavar="ISO", help=f"the moment to {self.judges} (default: now)")

    def handle(self, *args: Any, **options: Any) -> None:
        given = options["as_of"]
        as_of = timezone.now() if given is None else parse_moment(given)
        if as_of is None:
            raise CommandError(f"--as-of: {given!r} is no date-time")
        self.stdout.write(self.run(as_of))
