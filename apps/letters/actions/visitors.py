"""The state of letters for a visitor, and the address that they give or take back."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.chats.models import Contact
from apps.letters.actions.addresses import address_of, is_dead
from apps.letters.actions.answers import has_mail_server
from apps.letters.models import Address, LetterWish, Thread
from apps.letters.models.outgoing import Answers
from apps.letters.rules.addresses import masked
from apps.letters.settings import settings_of


def mode_of(widget_id: int) -> str:
    """Whether a widget mails answers, and asks before: `off`, `ask` or `on`."""
    return settings_of(widget_id).answers if has_mail_server() else Answers.OFF


def letters_for(contact: Contact, *, is_letter_session: bool = False) -> dict[str, Any]:
    """The state of letters for a visitor's session: `{mode, address, state}`.

    The address is masked unless the visitor told it, and in a letter's session.
    """
    mode = mode_of(contact.widget_id)
    told = Contact.objects.for_widget(contact.widget_id).values_list("email", flat=True).get(pk=contact.pk)
    wish = LetterWish.objects.for_widget(contact.widget_id).filter(pk=contact.pk).first()
    email = (wish.email or told) if wish and mode == Answers.ASK else told
    if not email:
        return {"mode": mode, "address": None, "state": "none"}
    address = address_of(contact.widget_id, email)
    hides = is_letter_session or address.proven_by == Address.Proof.OWNER
    return {"mode": mode, "address": masked(email) if hides else email, "state": _state(mode, wish, address)}


def _state(mode: str, wish: LetterWish | None, address: Address) -> str:
    wants = bool(wish and wish.email) if mode == Answers.ASK else not (wish and not wish.email)
    if mode == Answers.OFF or not wants:
        return "stopped" if address.stopped_at else "none"
    if address.stopped_at:
        return "stopped"
    return "dead" if is_dead(address, timezone.now()) else "will"


@transaction.atomic
def note_wish(*, contact: Contact, email: str, after_id: int = 0) -> None:
    """The visitor wants letters to that address, of what comes behind a message; to "" they want none."""
    said = {"email": email, "after_id": after_id, "asked_at": timezone.now()}
    LetterWish.objects.for_widget(contact.widget_id).update_or_create(
        pk=contact.pk, defaults=said, create_defaults={**said, "widget_id": contact.widget_id}
    )


@transaction.atomic
def forget_threads(*, contact: Contact, but: str) -> None:
    """The visitor gave another address: whoever reads the one before opens their chat no more."""
    threads = Thread.objects.for_widget(contact.widget_id).filter(chat__contact=contact, dead_at=None)
    threads.exclude(address=but).update(dead_at=timezone.now())
    threads = Thread.objects.for_widget(contact.widget_id).filter(chat__contact=contact, address=but)
    threads.exclude(dead_at=None).update(dead_at=None)
