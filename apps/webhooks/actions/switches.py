"""The platform-wide switch of each event type."""

from django.db import transaction

from apps.webhooks.models import EventSwitch
from apps.webhooks.rules import CATALOGUE


@transaction.atomic
def set_event_enabled(*, name: str, enabled: bool) -> None:
    """Flips the switch of an event type. While it is off nothing new is queued, and what is queued is dropped."""
    for switch in EventSwitch.objects.filter(name=name):
        switch.enabled = enabled
        switch.save(update_fields=["enabled"])


def make_switches() -> None:
    """Gives each event type of the catalogue that has no switch yet one, as the catalogue says; leaves the others."""
    EventSwitch.objects.bulk_create(
        [EventSwitch(name=event.name, enabled=event.is_live) for event in CATALOGUE.values()], ignore_conflicts=True
    )
