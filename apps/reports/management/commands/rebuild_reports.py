import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.reports.actions.episodes import DerivedChats, check, rebuild, widgets_of


class Command(BaseCommand):
    help = (
        "Derives the episodes of all chats anew (workers keep them by themselves); with --check it only compares, and "
        "fails if a row differs."
    )

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", metavar="GUID", help="of this widget alone")
        parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a row differs")
        parser.add_argument("--json", action="store_true", help='as JSON: {"chats": N, "episodes": N, "differ": N}')

    def handle(self, *args: Any, **options: Any) -> None:
        widgets = widgets_of(options["widget"])
        if options["widget"] and not widgets:
            raise CommandError(f"there is no widget {options['widget']}")
        total = DerivedChats()
        for widget_id in widgets:
            total = total.plus(check(widget_id) if options["check"] else rebuild(widget_id))
        if options["json"]:
            self.stdout.write(json.dumps(total._asdict()))
        else:
            self.stdout.write(f"{total.chats} chats, {total.episodes} episodes, {total.differ} differ")
        if options["check"] and total.differ:
            raise SystemExit(1)
