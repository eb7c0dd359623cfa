"""The operators that a waiting chat rings for: the one rule behind rings, push messages, letters and marks in lists.

It rings for nobody while its visitor does not wait; for all where it has no owner, or the owner was away for the
widget's `away_minutes` while the visitor waited; else for its owner.
"""

from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    CharField,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest
from django.db.models.lookups import Exact, LessThanOrEqual

from apps.chats.rules.desk import DEFAULT_AWAY_MINUTES

OWNER, ALL, NOBODY = "owner", "all", "nobody"


def rings_for(now: datetime) -> Any:
    """`owner`, `all` or `nobody`, of chats that are annotated with `waits_since`."""
    from apps.chats.models import DeskSettings

    of_widget = DeskSettings.objects.unscoped("each chat's own widget").filter(pk=OuterRef("widget_id"))
    minutes = Coalesce(Subquery(of_widget.values("away_minutes")), DEFAULT_AWAY_MINUTES, output_field=IntegerField())
    patience = Func(minutes, template="make_interval(mins => %(expressions)s)", output_field=DurationField())
    latest = ExpressionWrapper(Value(now, DateTimeField()) - patience, output_field=DateTimeField())
    is_there = Q(agent__online_since__isnull=False, agent__status="active")
    both_since = Greatest(Coalesce(F("agent__away_since"), F("agent__created_at")), F("waits_since"))
    return Case(
        When(waits_since=None, then=Value(NOBODY)),
        When(Q(agent=None) | Q(agent__status="banned"), then=Value(ALL)),
        When(is_there, then=Value(OWNER)),
        When(Exact(minutes, 0), then=Value(OWNER)),
        When(LessThanOrEqual(both_since, latest), then=Value(ALL)),
        default=Value(OWNER),
        output_field=CharField(),
    )
