"""The personal data that the visitor's side holds of a contact: browsers, visits and the address for mails."""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.widget.models import OfflineNotification, VerifiedVisitor, VisitorSession


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Sessions last: an erasure begins with them, and nothing new is said."""
    forms = OfflineNotification.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="away_forms", rows=forms, fields=("email", "left_at"))
    verified = VerifiedVisitor.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="identities", rows=verified, fields=("user_id", "created_at"))
    visit = (
        "page_url",
        "lang",
        "user_agent",
        "referrer",
        "time_zone",
        "address",
        "pages",
        "created_at",
        "last_seen_at",
    )
    sessions = VisitorSession.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="visits", rows=sessions, fields=visit)


PERSONAL_DATA = PersonalData(held_of_contact)
