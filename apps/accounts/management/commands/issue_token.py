import json
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from apps.accounts import actions, rules
from apps.accounts.models import Widget
from apps.core import plugins


class Command(BaseCommand):
    help = "Issues an API token for a widget and prints its plain text, once: only a hash of it is kept."

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID")
        parser.add_argument("--scopes", metavar="A,B", help="Scopes, comma-separated; an empty text is no scope.")
        parser.add_argument("--name", default="", metavar="N")
        parser.add_argument("--expires", metavar="ISO", help="Moscow time unless it has an offset; default: never.")
        parser.add_argument(
            "--preset", choices=[each.name for each in plugins.scope_presets()], help="Replaces --scopes."
        )
        parser.add_argument("--json", action="store_true", help="Print {id, token} as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.with_guid(options["widget"])
        if widget is None:
            raise CommandError(f"there is no widget with the guid {options['widget']!r}")
        try:
            issued = actions.issue_token(
                widget=widget,
                scopes=_scopes(options["scopes"], options["preset"]),
                name=_name(options["name"]),
                expires_at=_moment(options["expires"]) if options["expires"] else None,
            )
        except actions.UnknownScopes as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps({"id": issued.token.pk, "token": issued.plain_text}))
        else:
            self.stdout.write(issued.plain_text)
            self.stderr.write(f"token {issued.token.pk} of widget {widget}; it is not shown again")


def _scopes(given: str | None, preset: str | None) -> list[str]:
    if preset:
        return rules.preset_scopes(preset, plugins.scopes())
    if given is None:
        raise CommandError("give --scopes or --preset")
    return [name.strip() for name in given.split(",") if name.strip()]


def _name(name: str) -> str:
    if len(name) > rules.MAX_NAME_LENGTH or not name.isprintable():
        raise CommandError(f"--name takes at most {rules.MAX_NAME_LENGTH} printable characters")
    return name


def _moment(text: str) -> datetime:
    try:
        moment = parse_datetime(text)
        if moment is None and (day := parse_date(text)):
            moment = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - made aware below
    except ValueError:
        moment = None
    if moment is None:
        raise CommandError(f"--expires is no ISO 8601 date-time: {text!r}")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
