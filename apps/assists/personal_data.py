"""Drafts and summaries of a contact's chats: they go with them, and are in no copy of their data."""

from collections.abc import Iterator

from apps.assists.models import Assist, ChatSummary, PastQuestion
from apps.chats.actions.personal_data import PersonalData, PersonalRows


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Drafts and summaries are operators' words for each other: no copy has them."""
    of_chats = {"chat__contact_id": contact_id}
    yield PersonalRows(name="assists", rows=Assist.objects.for_widget(widget_id).filter(**of_chats))
    yield PersonalRows(name="past_questions", rows=PastQuestion.objects.for_widget(widget_id).filter(**of_chats))
    yield PersonalRows(name="summaries", rows=ChatSummary.objects.for_widget(widget_id).filter(**of_chats))


PERSONAL_DATA = PersonalData(held_of_contact)
