"""The personal data that articles hold of a contact: their browsers' readings, and their voices about them."""

from collections.abc import Iterator

from apps.articles.models import ArticleReader
from apps.chats.actions.personal_data import PersonalData, PersonalRows


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    readers = ArticleReader.objects.for_widget(widget_id).filter(contact_id=contact_id)
    fields = ("article_id", "lang", "read_at", "helpful", "reason", "text", "at")
    yield PersonalRows(name="articles", rows=readers, fields=fields)


PERSONAL_DATA = PersonalData(held_of_contact)
