"""How urgent chats are, as statements read it."""

from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    Value,
    When,
)
from django.db.models.functions import Extract, Floor

from apps.chats.rules.priorities import AGING, Priority


def queue_rank(as_of: datetime) -> Any:
    """The rank of a chat that waits in a queue, by its priority; each AGING of waiting counts as one more."""
    ranks = [When(priority=each.value, then=Value(each.rank)) for each in Priority]
    waited = ExpressionWrapper(Value(as_of, DateTimeField()) - F("queued_at"), output_field=DurationField())
    aged = Floor(
        Extract(waited, "epoch", output_field=FloatField()) / AGING.total_seconds(), output_field=IntegerField()
    )
    return Case(*ranks, output_field=IntegerField()) + aged
