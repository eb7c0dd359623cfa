"""The seats of a widget, under its lock."""

from typing import NamedTuple

from apps.accounts.models import Widget
from apps.agents.models import Agent


class Seats(NamedTuple):
    """How many human agents may be active, and how many are."""

    seats: int
    taken: int


def lock_seats(widget_id: int) -> Seats:
    """The widget's seats, held until the transaction ends: two who want the last one come one after the other.

    Writers of rows that only refer to the widget (every message does) need not wait.
    """
    seats = Widget.objects.select_for_update(no_key=True).values_list("seats", flat=True).get(pk=widget_id)
    return Seats(seats, Agent.objects.for_widget(widget_id).seated().count())
