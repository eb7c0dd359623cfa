"""`manage.py play_vendors`: all vendors of messengers on this machine, for trying them out without an account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import called_back
from apps.messengers.adapters import CONNECTED

DEFAULT_PORT = 8099


class Command(BaseCommand):
    help = (
        "Answers as every vendor of messengers, on this machine, until Ctrl-C. The service calls it when EGRESS_ALLOW "
        "names it (EGRESS_ALLOW=127.0.0.1:8099), and `messenger_vendor PROVIDER --base` each base that is printed."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"default {DEFAULT_PORT}; 0: any free one")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            vendors = Vendors(options["port"])
        except OSError as error:
            raise CommandError(f"port {options['port']}: {error.strerror}; see --port") from None
        vendors.deliver = called_back
        vendors.serve(lambda: self._announce(vendors))
        self.stdout.write("ended")

    def _announce(self, vendors: Vendors) -> None:
        for code in CONNECTED:
            self.stdout.write(f"manage.py messenger_vendor {code} --base {vendors.base(code)}")
        self.stdout.write(
            "Write to a Telegram bot that is fetched (long poll) as a customer: "
            f"curl -d text=hello {vendors.base('tg')}/say/TOKEN. Ctrl-C ends it."
        )
        self.stdout.flush()
