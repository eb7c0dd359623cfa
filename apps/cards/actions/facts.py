"""The facts of a chat that the shop is told: who writes, whether that is proved, and where."""

from typing import Any, NamedTuple

from django.apps import apps as django_apps

from apps.chats.models import Chat


class ChatFacts(NamedTuple):
    """The facts of a chat, as a call tells them."""

    widget_guid: str
    is_proved: bool
    data: dict[str, Any]


def facts_of(widget_id: int, chat_id: int) -> ChatFacts | None:
    """The facts of a chat; None where the widget has no such chat. Two statements at most."""
    columns = ("channel", "contact_id", "contact__guid", "contact__external_id", "contact__email", "contact__phone")
    found = Chat.objects.for_widget(widget_id).filter(pk=chat_id).values_list(*columns, "widget__guid").first()
    if found is None:
        return None
    channel, contact_id, guid, external_id, email, phone, widget_guid = found
    is_proved = external_id is not None or _has_proved_mailbox(widget_id, contact_id, email)
    contact = {
        "id": guid,
        "external_id": external_id,
        "email": email or None,
        "phone": phone or None,
        "is_proved": is_proved,
    }
    return ChatFacts(widget_guid, is_proved, {"chat_id": chat_id, "channel": channel, "contact": contact})


def _has_proved_mailbox(widget_id: int, contact_id: int, email: str) -> bool:
    """Whether the contact typed a code that was mailed to the address in their record now. A letter from there proves
    who reads the mail, and not who typed the address into the chat.
    """
    if not email or not django_apps.is_installed("apps.letters"):
        return False
    from apps.letters.models import Address
    from apps.letters.rules.addresses import digest_of

    return (
        Address.objects.for_widget(widget_id)
        .filter(digest=digest_of(email), contact_id=contact_id, proven_by=Address.Proof.CODE)
        .exists()
    )
