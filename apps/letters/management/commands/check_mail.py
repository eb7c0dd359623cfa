"""Writes a letter to the own address, the installation's or a mailbox's, and tells whether and how it came back."""

import json
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.core.validators import validate_email

from apps.letters.actions.checks import CheckState, own_address, take_step
from apps.letters.models import Mailbox

LOOKS_EVERY_S = 1.0


class Command(BaseCommand):
    help = "Mails the installation's own reply address (or --to), and tells what the receiver saw of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mailbox", type=int, metavar="ID", help="the mailbox that writes to itself")
        parser.add_argument("--to", metavar="ADDRESS", help="another address, such as that of a mail tester")
        parser.add_argument("--wait", type=int, default=60, metavar="SECONDS", help="how long to wait (default: 60)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        mailboxes = Mailbox.objects.unscoped("named by whoever runs the installation")
        mailbox = mailboxes.filter(pk=options["mailbox"]).first() if options["mailbox"] else None
        if options["mailbox"] and mailbox is None:
            self.stderr.write(f"There is no mailbox {options['mailbox']}.")
            sys.exit(1)
        to = options["to"] or own_address(mailbox)
        if not to:
            self.stderr.write("There are no reply addresses (MAIL_REPLY_ADDRESS): name one by --to.")
            sys.exit(1)
        validate_email(to)
        state = CheckState(to=to, mailbox=mailbox)
        while not take_step(state, wait_s=options["wait"]):
            time.sleep(LOOKS_EVERY_S)
        if options["json"]:
            self.stdout.write(json.dumps(state.told))
        else:
            self.stdout.write(", ".join(f"{name} {value}" for name, value in state.told.items()))
        if not state.told["sent"]:
            sys.exit(1)
