"""Picks the episodes of the week before that are reviewed; a second run picks none that is there already."""

import json
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from apps.reviews.actions.picking import pick_reviews


class Command(BaseCommand):
    help = "Picks the episodes that ended in the newest week that is over, each once: a sample, and what is flagged."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as-of", metavar="ISO", help="as of this moment, such as 2026-11-30T09:00:00+03:00")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        reviews = pick_reviews(as_of=_moment(options["as_of"]))
        picked = [
            {
                "review_id": review.pk,
                "chat_id": review.chat_id,
                "episode_id": review.episode_id,
                "origin": str(review.origin),
                "flags": review.flags,
            }
            for review in reviews
        ]
        if options["json"]:
            self.stdout.write(json.dumps({"picked": picked}))
        else:
            self.stdout.write("\n".join(f"#{each['review_id']}" for each in picked) or "nothing is to be reviewed")


def _moment(text: str | None) -> datetime:
    """The moment that is named, in UTC where it names no offset."""
    if text is None:
        return timezone.now()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text} is no moment. Example: 2026-11-30T09:00:00+03:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
