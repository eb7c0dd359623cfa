"""`manage.py play_model`: a vendor of models on this machine, for trying assistants out without paying anybody."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.demo.servers.language_models import BEHAVIOURS, Vendor, behaving

DEFAULT_PORT = 8098


class Command(BaseCommand):
    help = (
        "Answers as a vendor of models, on this machine, until Ctrl-C: the wire formats of openai_compatible, openai, "
        "anthropic and gemini. A credential can only name it when EGRESS_ALLOW of the service does: "
        "EGRESS_ALLOW=127.0.0.1:8098."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"default {DEFAULT_PORT}; 0: any free one")
        parser.add_argument(
            "--behaviour",
            choices=BEHAVIOURS,
            default="echo",
            help=(
                "echo the question; the same after ten seconds (slow); ask for a person (handoff); call the first tool "
                "that is offered (tools); think aloud first (thinking); fail (broken); change a number of what is "
                "translated (wrong-number). Operators are helped with drafts, summaries and translations"
            ),
        )
        parser.add_argument("--seconds", type=float, default=0.0, help="before each answer; default 0")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            vendor = Vendor(options["port"])
        except OSError as error:
            raise CommandError(f"port {options['port']}: {error.strerror}; see --port") from None
        vendor.answer = behaving(options["behaviour"], options["seconds"])
        vendor.serve(lambda: self._announce(vendor, options["behaviour"]))
        self.stdout.write("ended")

    def _announce(self, vendor: Vendor, behaviour: str) -> None:
        self.stdout.write(f"plays a model ({behaviour}): base_url {vendor.url}/v1 for openai_compatible and")
        self.stdout.write(f"openai, {vendor.url} for anthropic and gemini; any key; model m-1. Ctrl-C ends it.")
        self.stdout.flush()
