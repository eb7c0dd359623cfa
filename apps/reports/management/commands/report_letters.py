"""Queues the weekly letters that are due, to everybody who has none of that week yet; a second run queues nothing."""

import json
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.accounts.models import Widget
from apps.reports.actions.letters import QueuedLetter, queue_letters
from apps.reports.serializers import shown_figures


class Command(BaseCommand):
    help = "Queues the weekly letters of the newest week that is over, once to each reader."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as-of", metavar="ISO", help="as of this moment, such as 2026-11-30T09:00:00+03:00")
        parser.add_argument("--widget", metavar="GUID", help="of this widget alone")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        widget_id = None
        if options["widget"]:
            widget = Widget.objects.filter(guid=options["widget"]).first()
            if widget is None:
                raise CommandError(f"There is no widget {options['widget']}.")
            widget_id = widget.pk
        letters = queue_letters(as_of=_moment(options["as_of"]), widget_id=widget_id)
        if options["json"]:
            self.stdout.write(json.dumps({"letters": [_shown(letter) for letter in letters]}, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(letter.to for letter in letters) or "no letter is due")


def _moment(text: str | None) -> datetime:
    """The moment that is named, in UTC where it names no offset."""
    if text is None:
        return timezone.now()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text} is no moment. Example: 2026-11-30T09:00:00+03:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _shown(letter: QueuedLetter) -> dict[str, Any]:
    query = letter.report.query
    start, end = (moment.astimezone(query.zone) for moment in (query.window.start, query.window.end))
    return {
        "to": letter.to,
        "language": letter.language,
        "subject": letter.subject,
        "text": letter.text,
        "from": start.isoformat(),
        "until": end.isoformat(),
        "figures": shown_figures(letter.report.figures),
    }
