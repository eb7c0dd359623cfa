"""The operators that a waiting chat rings for: the one rule behind rings, push messages, letters and marks in lists.

It reads facts that others write when a moment comes (`actions/timers.py`), and no clock; the first line that holds:

- `nobody`: its visitor does not wait;
- `all`: an answer time of it is missed (`answer_missed_at`);
- `offered`: it is offered to one operator (`offered_to`);
- `owner`: its owner is here, and was not noted as silent in this wait (`owner_silent_at`); or is away, and neither
  passes on waiting chats (`break_passes_on`), nor was noted as away for too long since both hold, they are away and the
  visitor waits (`owner_away_at`);
- `queue`: it waits for a place (`queued_at`);
- `all`: else.
"""

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
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest

from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES
from apps.chats.rules.ringing import RingsFor

# The chats whose owner is at work, with the console open; and those whose owner is an operator still.
OWNER_IS_HERE = Q(agent__online_since__isnull=False, agent__status="active")
HAS_OWNER = Q(agent__isnull=False) & ~Q(agent__status="banned")


def away_and_waiting_since() -> Any:
    """Since when both hold of a chat that is annotated with `waits_since`: its owner is away, and its visitor waits."""
    return Greatest(Coalesce(F("agent__away_since"), F("agent__created_at")), F("waits_since"))


def rings_for() -> Any:
    """A value of `RingsFor`, of chats that are annotated with `waits_since`."""
    is_silent = Q(owner_silent_at__isnull=False, owner_silent_at__gte=F("waits_since"))
    is_missed = Q(owner_away_at__isnull=False, owner_away_at__gte=away_and_waiting_since())
    is_patient = ~is_missed & Q(agent__break_passes_on=False)
    waits_for_owner = HAS_OWNER & ((OWNER_IS_HERE & ~is_silent) | (~OWNER_IS_HERE & is_patient))
    return Case(
        When(waits_since=None, then=Value(RingsFor.NOBODY)),
        When(answer_missed_at__isnull=False, then=Value(RingsFor.ALL)),
        When(offered_to__isnull=False, then=Value(RingsFor.OFFERED)),
        When(waits_for_owner, then=Value(RingsFor.OWNER)),
        When(queued_at__isnull=False, then=Value(RingsFor.QUEUE)),
        default=Value(RingsFor.ALL),
        output_field=CharField(),
    )


def rings_for_operator(agent_id: int) -> Q:
    """The chats, annotated with `rings`, that ring for this operator, alone or with all others."""
    of_one = Q(rings=RingsFor.OWNER, agent=agent_id) | Q(rings=RingsFor.OFFERED, offered_to=agent_id)
    return Q(rings=RingsFor.ALL) | of_one


def owed_by_absent(chats: QuerySet[Any]) -> QuerySet[Any]:
    """The chats that wait for an owner who is away, with the moment from which they ring for all (`patience_ends`).

    They are annotated with `waits_since`. None is of a widget that lets them wait for ever.
    """
    from apps.chats.models import ConsoleSettings

    of_widget = ConsoleSettings.objects.unscoped("each chat's own widget").filter(pk=OuterRef("widget_id"))
    minutes = Coalesce(Subquery(of_widget.values("away_minutes")), DEFAULT_AWAY_MINUTES, output_field=IntegerField())
    patience = Func(F("away_minutes"), template="make_interval(mins => %(expressions)s)", output_field=DurationField())
    ends = ExpressionWrapper(away_and_waiting_since() + patience, output_field=DateTimeField())
    owed = chats.filter(HAS_OWNER & ~OWNER_IS_HERE, waits_since__isnull=False)
    ending: QuerySet[Any] = owed.annotate(away_minutes=minutes).filter(away_minutes__gt=0).annotate(patience_ends=ends)
    return ending
