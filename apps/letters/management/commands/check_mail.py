"""Sends a letter to the installation's own reply address, and tells whether and how it came back."""

import json
import sys
import time
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandParser
from django.core.validators import validate_email

from apps.core import mail
from apps.core.problems import Problem
from apps.letters.actions.checks import arrived
from apps.letters.rules import rights
from apps.letters.rules.addresses import Purpose, address_of, domain_of, message_id_of

LOOKS_EVERY_S = 1.0


class Command(BaseCommand):
    help = "Mails the installation's own reply address (or --to), and tells what the receiver saw of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mailbox", type=int, metavar="ID", help="the mailbox whose door is looked at")
        parser.add_argument("--to", metavar="ADDRESS", help="another address, such as that of a mail tester")
        parser.add_argument("--wait", type=int, default=60, metavar="SECONDS", help="how long to wait (default: 60)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        right, begun = rights.new_right(), time.monotonic()
        to = options["to"] or address_of(settings.MAIL_REPLY_ADDRESS, Purpose.REPLY, right)
        told: dict[str, Any] = {"sent": False, "back": False, "seconds": None, "spf": None, "dkim": None, "dmarc": None}
        if not to:
            self.stderr.write("There are no reply addresses (MAIL_REPLY_ADDRESS): name one by --to.")
            sys.exit(1)
        validate_email(to)
        message_id = message_id_of(right, domain_of(mail.sender_address()))
        letter = EmailMessage("Parley: a letter to itself", "It may be deleted.", to=[to])
        letter.extra_headers = {"Message-ID": message_id, **mail.AUTOMATIC}
        try:
            mail.send(letter)
            told["sent"] = True
        except (mail.MailFailed, Problem) as failed:
            self.stderr.write(f"not sent: {getattr(failed, 'code', '') or type(failed).__name__}")
        while told["sent"] and not told["back"] and time.monotonic() - begun < options["wait"]:
            if found := arrived(message_id):
                told |= {"back": True, "seconds": round(time.monotonic() - begun, 1), **found}
            else:
                time.sleep(LOOKS_EVERY_S)
        if options["json"]:
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(", ".join(f"{name} {value}" for name, value in told.items()))
        if not told["sent"]:
            sys.exit(1)
