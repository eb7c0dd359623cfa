"""The visitors' side of letters: the app that writes them may be left out."""

from typing import TYPE_CHECKING, Any

from django.apps import apps as django_apps
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from apps.chats import actions as chats
from apps.chats.models import Contact
from apps.chats.rules.contacts import MAX_EMAIL
from apps.core.errors import INVALID_INPUT
from apps.core.parsing.names import control_refusal
from apps.widget.errors import INVALID_EMAIL, LETTER_OVER

if TYPE_CHECKING:
    from apps.letters.actions.links import OpenedLetter

NO_LETTERS = {"mode": "off", "address": None, "state": "none"}


def _has_letters() -> bool:
    return django_apps.is_installed("apps.letters")


def letters_for(contact: Contact, *, is_letter_session: bool = False) -> dict[str, Any]:
    """The state of letters for a session."""
    if not _has_letters():
        return NO_LETTERS
    from apps.letters.actions import visitors

    return visitors.letters_for(contact, is_letter_session=is_letter_session)


def note_wish(contact: Contact, email: str, wants: bool | None, *, after_id: int) -> None:
    """Notes the form's answer about letters: true is the wish for them, false that none are wanted.

    Raises INVALID_INPUT (422) on `email` where letters are wanted and no address is known.
    """
    if wants is None or not _has_letters():
        return
    from apps.letters.actions import visitors

    if wants is False:
        visitors.note_wish(contact=contact, email="")
        return
    known = email or Contact.objects.for_widget(contact.widget_id).get(pk=contact.pk).email
    if not known:
        raise INVALID_INPUT(errors={"email": ["An address is needed, to mail answers to."]})
    visitors.note_wish(contact=contact, email=known, after_id=after_id)


@transaction.atomic
def give_address(*, contact: Contact, email: str | None) -> dict[str, Any]:
    """The visitor gives the address for letters, or none (null); returns what their session is told then.

    Raises INVALID_EMAIL (422).
    """
    given = (email or "").strip()
    if given:
        try:
            validate_email(given)
            refusal = len(given) > MAX_EMAIL or control_refusal(given)
        except ValidationError:
            refusal = True
        if refusal:
            raise INVALID_EMAIL(errors={"email": ["This is no e-mail address."]})
        row = Contact.objects.for_widget(contact.widget_id).select_for_update(no_key=True).get(pk=contact.pk)
        if changed := chats.set_contact_fields(row, {"email": given}):
            chats.save_contact(row, changed)
    if _has_letters():
        from apps.letters.actions import visitors

        visitors.note_wish(contact=contact, email=given)
        if given:
            visitors.forget_threads(contact=contact, but=given.lower())
    return letters_for(contact)


def open_letter(*, widget_id: int, token: str) -> "OpenedLetter":
    """The target of a letter's link. Raises LETTER_OVER (410), INVALID_INPUT (422), RATE_LIMITED (429)."""
    if not _has_letters():
        raise INVALID_INPUT(errors={"letter": ["This is no letter's link of this widget."]})
    from apps.letters.actions import links

    try:
        return links.open_letter(widget_id=widget_id, token=token)
    except links.LetterOver:
        raise LETTER_OVER() from None
