"""The link of a letter: it opens the chat from the first quoted message on, on any device."""

from dataclasses import dataclass

from django.conf import settings as installation
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.core.errors import INVALID_INPUT, RATE_LIMITED
from apps.core.quotas import Quota
from apps.letters.actions.addresses import note_sign_of_life
from apps.letters.models import LetterWish, OutLetter, Thread
from apps.letters.rules import limits
from apps.letters.rules.addresses import digest_of, normal

_SALT = "letters.open"
SHORTEST, LONGEST = 20, 200
SESSIONS = Quota("letters.sessions", 20, limits.HOUR, RATE_LIMITED, per="link")


class LetterOver(Exception):
    """The link is older than 30 days, the visitor gave another address since, or the chat is gone."""


@dataclass(frozen=True, slots=True)
class OpenedLetter:
    """The target of a link: a contact's chat, from a message on, for as long as the contact has that address."""

    widget_id: int
    contact_id: int
    chat_id: int
    first_id: int
    address: str


def letter_token(letter: OutLetter, thread: Thread) -> str:
    """The token of a letter's link: the letter, its addressee's digest and the time, signed."""
    return signing.dumps([letter.pk, digest_of(thread.address)[:8].hex()], salt=_SALT)


def letter_link(letter: OutLetter, thread: Thread, site: str) -> str:
    """The address behind a letter's button: the owner's page, or ours."""
    token = letter_token(letter, thread)
    return f"{site}#letter={token}" if site else installation.PUBLIC_URL + reverse("letter", args=[token])


def read_letter(token: str) -> OpenedLetter | None:
    """The target of a link; None for a token that is not ours. Raises LetterOver."""
    if not SHORTEST <= len(token) <= LONGEST:
        return None
    try:
        letter_id, whose = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    try:
        signing.loads(token, salt=_SALT, max_age=limits.LINK_LASTS)
    except signing.SignatureExpired:
        raise LetterOver from None
    letters = OutLetter.objects.unscoped("named by its signed link").select_related("thread__chat__contact")
    letter = letters.filter(pk=letter_id).first()
    if letter is None:
        raise LetterOver
    thread, contact = letter.thread, letter.thread.chat.contact
    is_same = digest_of(thread.address)[:8].hex() == whose
    if not is_same or thread.dead_at is not None or not _is_theirs(thread, contact.email):
        raise LetterOver
    return OpenedLetter(letter.widget_id, contact.pk, thread.chat_id, thread.first_id, thread.address)


def _is_theirs(thread: Thread, email: str) -> bool:
    wished = LetterWish.objects.for_widget(thread.widget_id).filter(pk=thread.chat.contact_id)
    return thread.address == normal(email) or wished.filter(email__iexact=thread.address).exists()


@transaction.atomic
def open_letter(*, widget_id: int, token: str) -> OpenedLetter:
    """Opens a link, which is a sign of life of its address, and no proof.

    Raises INVALID_INPUT (422) on `letter` for a token that is forged or another widget's; LetterOver;
    RATE_LIMITED (429) beyond 20 sessions an hour.
    """
    opened = read_letter(token)
    if opened is None or opened.widget_id != widget_id:
        raise INVALID_INPUT(errors={"letter": ["This is no letter's link of this widget."]})
    letter_id = signing.loads(token, salt=_SALT)[0]
    SESSIONS.spend(letter_id)
    note_sign_of_life(widget_id=widget_id, email=opened.address)
    OutLetter.objects.for_widget(widget_id).filter(pk=letter_id, opened_at=None).update(opened_at=timezone.now())
    return opened
