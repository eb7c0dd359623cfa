"""The personal data that the support desk holds of a contact: tickets, identities, codes, and texts of unconfirmed
replies.
"""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.chats.models import Chat
from apps.support.models import (
    AppRoom,
    ClaimedMessage,
    EmailCode,
    Identity,
    SignedRequest,
    SupportAction,
    Ticket,
    Verification,
)


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """The record of agents' actions stays for its 180 days, without texts.

    Answers to signed calls are kept for 24 hours, to be given again; of an account of the application that is erased,
    its widget's are forgotten at once.
    """
    of_chats = {"chat__contact_id": contact_id}
    ticket = (
        "number",
        "state",
        "reason",
        "category",
        "subject",
        "context",
        "client",
        "refund",
        "opened_at",
        "closed_at",
    )
    yield PersonalRows(name="tickets", rows=Ticket.objects.for_widget(widget_id).filter(**of_chats), fields=ticket)
    identities = Identity.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="proofs", rows=identities, fields=("app_user_id", "email", "link_source", "expires_at"))
    codes = EmailCode.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="codes", rows=codes, fields=("email", "created_at", "sent_at", "used_at"))
    yield PersonalRows(name="verifications", rows=Verification.objects.for_widget(widget_id).filter(**of_chats))
    yield PersonalRows(name="taken_messages", rows=ClaimedMessage.objects.for_widget(widget_id).filter(**of_chats))
    rooms = AppRoom.objects.for_widget(widget_id).filter(**of_chats)
    yield PersonalRows(name="rooms", rows=rooms, fields=("user_id", "locale", "created_at"))
    answers = SignedRequest.objects.for_widget(widget_id)
    yield PersonalRows(name="answers", rows=answers if rooms.exists() else answers.none())
    chats = list(Chat.objects.for_widget(widget_id).filter(contact_id=contact_id).values_list("pk", flat=True))
    texts = SupportAction.objects.for_widget(widget_id).filter(chat_id__in=chats)
    blank = {"text": None, "wanted": None, "text_sha256": None}
    yield PersonalRows(name="agents_actions", rows=texts, becomes=blank)


PERSONAL_DATA = PersonalData(held_of_contact)
