"""The personal data that automations hold of a contact: the runs and the events of their chats."""

from collections.abc import Iterator

from apps.automations.models import AutomationEvent, AutomationRun
from apps.chats.actions.personal_data import PersonalData, PersonalRows


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Rows in the order of their erasure."""
    of_chats = {"chat__contact_id": contact_id}
    runs = AutomationRun.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="automation_runs", rows=runs, fields=("name", "at", "trigger", "did", "state"))
    yield PersonalRows(name="automation_events", rows=AutomationEvent.objects.for_widget(widget_id).filter(**of_chats))


PERSONAL_DATA = PersonalData(held_of_contact)
