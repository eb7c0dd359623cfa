from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.accounts.actions.backups import note_backup
from apps.core.endpoints.windows import parse_moment

MAX_NAME = 64


class Command(BaseCommand):
    help = "Notes that a backup was made, for the cabinet's page of the installation's health."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--at", metavar="TIME", help="when it was begun (default: now)")
        parser.add_argument("--name", metavar="NAME", default="backup", help="which backup it is (default: backup)")

    def handle(self, *args: Any, **options: Any) -> None:
        at = timezone.now() if options["at"] is None else parse_moment(options["at"])
        if at is None:
            raise CommandError(f"--at: {options['at']!r} is no date-time")
        if at > timezone.now():
            raise CommandError("--at lies in the future")
        if not 1 <= len(options["name"]) <= MAX_NAME:
            raise CommandError(f"--name has 1 to {MAX_NAME} characters")
        row = note_backup(name=options["name"], at=at)
        self.stdout.write(f"{row.name}: {row.at.isoformat()}")
