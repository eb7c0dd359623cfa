"""`manage.py webhook_listen`: a receiver of webhooks for developers. It checks each delivery and shows it."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.demo.servers.listener import WebhookListener

DEFAULT_PORT = 8099


class Command(BaseCommand):
    help = (
        "Receives webhooks on this machine, for developers: checks the signature of each delivery and shows it, until "
        "Ctrl-C. A subscription can only name it when EGRESS_ALLOW of the service does: EGRESS_ALLOW=127.0.0.1:8099."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=port, default=DEFAULT_PORT, help=f"where to listen (default {DEFAULT_PORT}; 0: any free one)"
        )
        parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help="default 127.0.0.1: this machine")
        parser.add_argument("--secret", metavar="S", help="the subscription's; without it no signature is checked")
        parser.add_argument(
            "--answer",
            type=status,
            default=200,
            metavar="STATUS",
            help="what genuine deliveries are answered with (default 200); another than 2xx to see retries",
        )
        parser.add_argument("--compact", action="store_true", help="show each delivery on one line")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            listener = WebhookListener(
                options["port"],
                address=options["bind"],
                secret=options["secret"],
                answer=options["answer"],
                compact=options["compact"],
                say=self.say,
            )
        except OSError as error:
            raise CommandError(f"port {options['port']} of {options['bind']}: {error.strerror}; see --port") from None
        checked = "checked" if options["secret"] else "not checked (see --secret)"
        says = f"webhooks are received at {listener.url}/, signatures are {checked}"
        listener.serve(lambda: self.say(says))
        self.say("stopped")

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def port(text: str) -> int:
    """A port given as an option; 0 is any that is free."""
    if not (text.isascii() and text.isdigit() and int(text) <= 65_535):
        raise ArgumentTypeError("a port is a whole number from 0 to 65535")
    return int(text)


def status(text: str) -> int:
    """A status code given as an option."""
    if not re.fullmatch(r"[2-5][0-9][0-9]", text):
        raise ArgumentTypeError("a status is a number from 200 to 599")
    return int(text)
