"""The platform-wide switch of each event type."""

from apps.webhooks.models import EventSwitch
from apps.webhooks.rules import CATALOGUE


def make_switches() -> None:
    """Gives each event type of the catalogue that has no switch yet one, as the catalogue says; leaves the others."""
    EventSwitch.objects.bulk_create(
        [EventSwitch(name=event.name, enabled=event.is_live) for event in CATALOGUE.values()], ignore_conflicts=True
    )
