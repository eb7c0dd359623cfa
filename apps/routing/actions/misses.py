"""The offers that an operator missed in a row: after so many they are on a break. And when they were given one last."""

from datetime import datetime

from django.db.models import F

from apps.agents.actions.breaks import set_on_break
from apps.agents.models import Agent
from apps.agents.rules.absence import BreakReason
from apps.routing.models import OperatorPlaces


def note_given(*, widget_id: int, agent_id: int, at: datetime) -> None:
    """Notes that an operator is given a chat."""
    places = OperatorPlaces.objects.for_widget(widget_id).filter(agent_id=agent_id, department=None)
    if not places.update(last_given_at=at):
        OperatorPlaces.objects.update_or_create(
            widget_id=widget_id, agent_id=agent_id, department=None, defaults={"last_given_at": at}
        )


def count_miss(*, widget_id: int, agent_id: int) -> None:
    """Counts an offer that was missed."""
    place, _ = OperatorPlaces.objects.get_or_create(widget_id=widget_id, agent_id=agent_id, department=None)
    OperatorPlaces.objects.for_widget(widget_id).filter(pk=place.pk).update(misses=F("misses") + 1)


def give_breaks(*, widget_id: int, most: int) -> None:
    """Puts the operators on a break who missed so many offers in a row; 0: nobody.

    By the router alone: offers of one operator that end together would wait for each other.
    """
    if not most:
        return
    missing = OperatorPlaces.objects.for_widget(widget_id).filter(
        department=None, misses__gte=most, agent__status=Agent.Status.ACTIVE
    )
    for agent_id in missing.order_by("agent").values_list("agent", flat=True):
        set_on_break(widget_id=widget_id, agent_id=agent_id, on_break=True, reason=BreakReason.MISSED)


def forget_misses(*, widget_id: int, agent_id: int) -> None:
    """They are counted from 0 again."""
    OperatorPlaces.objects.for_widget(widget_id).filter(agent_id=agent_id, misses__gt=0).update(misses=0)
