"""The personal data that routing holds of a contact: to whom their chats were offered."""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.routing.models import Assignment, QueueRow, SlaClock, ToldEstimate


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Rows in the order of their erasure."""
    of_chats = {"chat__contact_id": contact_id}
    offers = Assignment.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="assignments", rows=offers, fields=("agent_id", "given_at", "outcome", "ended_at"))
    clocks = SlaClock.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="answer_times", rows=clocks, fields=("metric", "since", "due_at", "ended_at", "ended_by"))
    told = ToldEstimate.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="told_times", rows=told, fields=("waits_since", "told_at", "to_min"))
    yield PersonalRows(name="queue", rows=QueueRow.objects.for_widget(widget_id).filter(**of_chats))


PERSONAL_DATA = PersonalData(held_of_contact)
