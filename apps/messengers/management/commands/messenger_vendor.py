"""`manage.py messenger_vendor`: how a vendor of messengers is called by this installation."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.egress import EgressRefused
from apps.messengers.actions.accounts import app_callback, ensure_app
from apps.messengers.actions.provider_calls import vendor
from apps.messengers.actions.vendors import change_vendor, reset_vendor
from apps.messengers.adapters import ADAPTERS, CONNECTED
from apps.messengers.rules.providers import Updates

_OPTIONS = ("base", "updates", "app_secret", "client_id", "client_secret")


class Command(BaseCommand):
    help = "Shows or changes how a vendor is called: its address, Telegram's updates, and the secrets it shares."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("provider", choices=[code for code in CONNECTED if not ADAPTERS[code].has_own_address])
        parser.add_argument("--base", help="the API's address, in place of the vendor's own; EGRESS_ALLOW for private")
        parser.add_argument("--updates", choices=[one.value for one in Updates], help="Telegram's")
        parser.add_argument("--app-secret", help="signs what wa and fb post; `-` reads standard input")
        parser.add_argument("--client-id", help="Avito's")
        parser.add_argument("--client-secret", help="Avito's; `-` reads standard input")
        parser.add_argument("--reset", action="store_true", help="forget all of it first")
        parser.add_argument("--json", action="store_true", help="print it as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        provider = options["provider"]
        if options["reset"]:
            reset_vendor(provider=provider)
        changes = {name: _value(options[name]) for name in _OPTIONS if options[name] is not None}
        try:
            row = change_vendor(provider=provider, changes=changes) if changes else vendor(provider)
            row = ensure_app(provider) or row
        except EgressRefused as error:
            raise CommandError(f"--base: {error}") from None
        shown = {
            "provider": provider,
            "base": row.base or ADAPTERS[provider].base,
            "updates": row.updates,
            "has_app_secret": bool(row.app_secret),
            "client_id": row.client_id or None,
            "has_client_secret": bool(row.client_secret),
        }
        if ADAPTERS[provider].by_app:
            shown |= {"callback_url": app_callback(row), "verify_token": row.app_verify_token}
        if options["json"]:
            self.stdout.write(json.dumps(shown))
        else:
            for name, value in shown.items():
                self.stdout.write(f"{name}: {value}")


def _value(given: str) -> str:
    return sys.stdin.read().strip() if given == "-" else given
