"""Reviews of a contact's chats: they go with them, quotes and all, and are in no copy of their data."""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.reviews.models import Review, UnconfirmedScore


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Reviews are words of the staff about each other's work: no copy has them."""
    of_chats = {"chat__contact_id": contact_id}
    yield PersonalRows(name="reviews", rows=Review.objects.for_widget(widget_id).filter(**of_chats))
    yield PersonalRows(
        name="unconfirmed_scores", rows=UnconfirmedScore.objects.for_widget(widget_id).filter(**of_chats)
    )


PERSONAL_DATA = PersonalData(held_of_contact)
