"""`manage.py receive_mail`: a letter on standard input, for the pipe of Postfix and Exim. Never a code that bounces."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError

from apps.core.problems import Problem
from apps.letters.actions.receiving.doors import accept
from apps.letters.models import Mailbox
from apps.letters.rules.mailboxes import Door
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES

LATER = 75  # EX_TEMPFAIL: the mail server keeps the letter, and comes again


class Command(BaseCommand):
    help = (
        "Takes a letter on standard input, as a mail server's pipe delivers it. Exits with 0, or with 75: come again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--mailbox", type=int, help="id of the mailbox whose door it is; by default the installation's"
        )
        parser.add_argument("--recipient", action="append", default=[], help="the envelope's recipient")
        parser.add_argument("--sender", help="the envelope's sender; empty for the null path")

    def handle(self, **options: Any) -> None:
        raw = sys.stdin.buffer.read(MAX_LETTER_BYTES + 1)
        try:
            mailbox = None
            if options["mailbox"] is not None:
                rows = Mailbox.objects.unscoped("named by who runs the installation")
                mailbox = rows.filter(pk=options["mailbox"]).first()
                if mailbox is None or mailbox.widget.is_moving:
                    self._later("there is no such mailbox" if mailbox is None else "its account moves")
            if raw.strip():
                accept(
                    raw,
                    door=Door.PIPE,
                    mailbox=mailbox,
                    recipients=options["recipient"],
                    envelope_sender=options["sender"],
                )
        except (DatabaseError, Problem, OSError) as error:
            self._later(type(error).__name__)

    def _later(self, why: str) -> None:
        self.stderr.write(f"The letter is not taken now: {why}.")
        raise SystemExit(LATER)
