"""The personal data that cards hold of a contact: what the shop answered, for a day, and the buttons pressed."""

from collections.abc import Iterator

from apps.cards.models import CardAction, ChatCards
from apps.chats.actions.personal_data import PersonalData, PersonalRows


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Nothing of it stands in the copy: it is the shop's own data, which the shop gives out itself."""
    of_chats = {"chat__contact_id": contact_id}
    yield PersonalRows(name="cards", rows=ChatCards.objects.for_widget(widget_id).filter(**of_chats))
    yield PersonalRows(name="card_actions", rows=CardAction.objects.for_widget(widget_id).filter(**of_chats))


PERSONAL_DATA = PersonalData(held_of_contact)
