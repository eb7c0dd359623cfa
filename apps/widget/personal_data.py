"""The personal data that the visitor's side holds of a contact: answers, consents, browsers and visits."""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.widget.models import (
    ChatAnswers,
    ContactConsent,
    InvitationOffer,
    OfflineForm,
    VerifiedVisitor,
    VisitorSession,
)

_OFFER = ("text", "is_held", "created_at", "opened_at", "dismissed_at", "answered_at", "converted_at")


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Sessions last: an erasure begins with them, and nothing new is said."""
    answers = ChatAnswers.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(name="answers", rows=answers, fields=("chat_id", "message_id", "answers", "at"))
    consents = ContactConsent.objects.for_widget(widget_id).filter(contact_id=contact_id)
    of_consent = ("key", "given", "text_sha256", "lang", "at")
    yield PersonalRows(name="consents", rows=consents, fields=of_consent)
    forms = OfflineForm.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="away_forms", rows=forms, fields=("email", "left_at"))
    verified = VerifiedVisitor.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="identities", rows=verified, fields=("user_id", "created_at"))
    offers = InvitationOffer.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="invitations", rows=offers, fields=_OFFER)
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
