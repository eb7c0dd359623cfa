import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.cards.actions.settings import remove_cards, set_cards, settings_of, vetted
from apps.cards.rules.settings import read_card
from apps.core.problems import Problem


class Command(BaseCommand):
    help = "Sets the cards that a shop's own program shows operators; prints a new secret, once."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID")
        parser.add_argument("--url", metavar="URL", help="Where the program is called. Without it, it stays.")
        parser.add_argument(
            "--card", action="append", default=[], metavar="KEY:TITLE[:TTL]", help="Such as order:Order:60."
        )
        parser.add_argument("--rotate", action="store_true", help="Make another secret; the old one signs no more.")
        parser.add_argument("--remove", action="store_true", help="The widget has no cards any more.")
        parser.add_argument("--json", action="store_true", help="Print the settings as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.with_guid(options["widget"])
        if widget is None:
            raise CommandError(f"there is no widget with the guid {options['widget']!r}")
        if options["remove"]:
            remove_cards(widget_id=widget.pk)
            self._tell({"url": None, "secret": None, "cards": []}, as_json=options["json"])
            return
        before = settings_of(widget.pk)
        url = options["url"] or (before.url if before else None)
        if url is None:
            raise CommandError("--url: where the program is called")
        cards = [read_card(line) for line in options["card"]] or (before.cards if before else [])
        target, refusal = vetted(url)
        if refusal:
            raise CommandError(f"--url: {refusal}")
        try:
            secret = set_cards(widget_id=widget.pk, url=url, target=target, cards=cards, rotates=options["rotate"])
        except Problem as refused:
            raise CommandError(" ".join(f"--card: {text}" for text in refused.errors["cards"])) from None
        self._tell({"url": url, "secret": secret, "cards": cards}, as_json=options["json"])

    def _tell(self, said: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(said, ensure_ascii=False))
            return
        for name, value in said.items():
            self.stdout.write(f"{name}: {json.dumps(value, ensure_ascii=False)}")
        if said["secret"]:
            self.stderr.write("The secret is not shown again.")
