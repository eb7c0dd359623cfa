import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import Widget
from apps.widget.actions.previews import new_preview


class Command(BaseCommand):
    help = "Makes a token with which a widget's owner looks at invitations on a page: #parley-preview=TOKEN."

    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--widget", required=True, metavar="GUID")
        parser.add_argument("--json", action="store_true", help='as JSON: {"token": "…"}')

    def handle(self, *args: Any, **options: Any) -> None:
        widget_id = Widget.objects.filter(guid=options["widget"]).values_list("pk", flat=True).first()
        if widget_id is None:
            raise CommandError("There is no such widget.")
        token = new_preview(widget_id)
        self.stdout.write(json.dumps({"token": token}) if options["json"] else token)
