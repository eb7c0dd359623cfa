"""`manage.py messenger_address`: where a provider delivers, to be pasted where no registration can be made."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Widget
from apps.messengers.actions.accounts import app_callback, ensure_app
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.adapters import ADAPTERS, CONNECTED
from apps.messengers.models import Connection


class Command(BaseCommand):
    help = "Prints a widget's callback addresses of a provider: secrets, to be pasted into the provider's dashboard."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("provider", choices=CONNECTED)
        parser.add_argument("--widget", required=True, help="the widget's guid")
        parser.add_argument("--json", action="store_true", help="print it as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        widget = Widget.objects.filter(guid=options["widget"]).first()
        if widget is None:
            raise CommandError(f"there is no widget {options['widget']}")
        app, adapter = ensure_app(options["provider"]), ADAPTERS[options["provider"]]
        found = [
            {
                "provider": one.provider,
                "id": one.pk if adapter.about.page != "connection" else None,
                "callback_url": callback_address(one),
                "verify_token": one.verify_token if adapter.by_app else None,
                "app_callback_url": app_callback(app) if app else None,
                "app_verify_token": app.app_verify_token if app else None,
            }
            for one in Connection.objects.for_widget(widget.pk).of_provider(options["provider"])
        ]
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        for one in found:
            for name, value in one.items():
                if value is not None:
                    self.stdout.write(f"{name}: {value}")
