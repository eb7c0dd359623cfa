"""Prints a signed `curl` line of a widget's application, to compare with one's own."""

import secrets
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.support.models import Binding
from apps.support.rules.envelope import NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, signature_of

BASE = "/api/v1/ai/assistant/"


class Command(BaseCommand):
    help = "Prints a signed curl line of a widget's application."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID", help="the widget")
        parser.add_argument("--path", default="turn", help="below /api/v1/ai/assistant/, with its query")
        parser.add_argument("--body", default="-", metavar="FILE", help="a file with the body; - is the standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        binding = (
            Binding.objects.unscoped("a command of the installation").filter(widget__guid=options["widget"]).first()
        )
        if binding is None:
            raise CommandError("the widget has no integration")
        body = sys.stdin.buffer.read() if options["body"] == "-" else Path(options["body"]).read_bytes()
        target, timestamp, nonce = BASE + options["path"], str(int(time.time())), secrets.token_urlsafe(24)
        signature = signature_of(
            binding.secret, timestamp=timestamp, nonce=nonce, method="POST", target=target, body=body
        )
        headers = {
            "Authorization": "Bearer $TOKEN",
            "Content-Type": "application/json",
            TIMESTAMP_HEADER: timestamp,
            NONCE_HEADER: nonce,
            SIGNATURE_HEADER: signature,
        }
        sent = " ".join(f'-H "{name}: {value}"' for name, value in headers.items())
        self.stdout.write(f"curl {sent} --data-binary {shlex.quote(body.decode())} {settings.PUBLIC_URL}{target}")
