"""The states of an address: proven, dead, stopped; signs of life; the links that stop."""

from datetime import datetime

from django.conf import settings as installation
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from apps.letters.models import Address, LetterWish
from apps.letters.rules import limits
from apps.letters.rules.addresses import digest_of, normal

# Of the links of letters that were sent before there was this app.
_SALT = "widget.answer-mails"


def address_of(widget_id: int, email: str) -> Address:
    """A widget's row of an address; an unsaved one for an address that it does not know."""
    found = Address.objects.for_widget(widget_id).filter(digest=digest_of(email)).first()
    return found or Address(widget_id=widget_id, digest=digest_of(email), email=email)


def is_dead(address: Address, now: datetime) -> bool:
    """Whether letters to it come back; it is tried again after 30 days."""
    return address.dead_at is not None and address.dead_at > now - limits.DEAD_FOR


@transaction.atomic
def locked_address(widget_id: int, email: str, *, is_named: bool = True) -> Address:
    """The row of an address, made if there is none, until the transaction ends. It tells the address if `is_named`."""
    row = Address(widget_id=widget_id, digest=digest_of(email), email=email if is_named else "")
    Address.objects.bulk_create([row], ignore_conflicts=True)
    return Address.objects.for_widget(widget_id).select_for_update().get(digest=row.digest)


@transaction.atomic
def note_proof(*, widget_id: int, email: str, by: Address.Proof, contact_id: int | None = None) -> None:
    """The address is its owner's: by a letter, a code, or the word of the widget's owner.

    An address that a code proves is not written down here: its digest is enough. A letter proves who reads the mail, a
    code who typed the address, too: that stays of the contact who typed it.
    """
    row = locked_address(widget_id, email, is_named=by != Address.Proof.CODE)
    if by == Address.Proof.LETTER and row.proven_by == Address.Proof.CODE:
        return
    row.email, row.proven_at, row.proven_by = row.email if by == Address.Proof.CODE else email, timezone.now(), by
    row.contact_id = contact_id or row.contact_id
    row.save(update_fields=["email", "proven_at", "proven_by", "contact"])


def note_sign_of_life(*, widget_id: int, email: str) -> None:
    """A letter was opened, answered, or what it told of was seen."""
    rows = Address.objects.for_widget(widget_id).filter(digest=digest_of(email)).exclude(unopened=0)
    rows.update(unopened=0)


@transaction.atomic
def note_sent(*, widget_id: int, email: str) -> None:
    """One letter more without a sign of life."""
    row = locked_address(widget_id, email)
    Address.objects.for_widget(widget_id).filter(pk=row.pk).update(unopened=F("unopened") + 1, email=email)


@transaction.atomic
def note_dead(*, widget_id: int, email: str, detail: str) -> None:
    """Letters to the address come back for good."""
    row = locked_address(widget_id, email)
    row.dead_at, row.dead_detail, row.email = timezone.now(), detail[:500], email
    row.save(update_fields=["dead_at", "dead_detail", "email"])


def revive(*, widget_id: int, email: str) -> None:
    """Lets a dead address be tried again."""
    Address.objects.for_widget(widget_id).filter(digest=digest_of(email)).update(dead_at=None, unopened=0)


@transaction.atomic
def stop_letters(*, widget_id: int, email: str) -> None:
    """Ends the widget's letters to that address, for all visitors who give it."""
    row = locked_address(widget_id, email)
    Address.objects.for_widget(widget_id).filter(pk=row.pk, stopped_at=None).update(stopped_at=Now())
    LetterWish.objects.for_widget(widget_id).filter(email__iexact=email).update(email="")


def allow_letters(*, widget_id: int, email: str) -> None:
    """The owner of the address wants letters again: said on the stop page alone."""
    Address.objects.for_widget(widget_id).filter(digest=digest_of(email)).update(stopped_at=None)


def stop_proof(widget_id: int, email: str) -> str:
    """The content of a letter's link: it ends the letters of a widget to an address, and does nothing else."""
    return signing.dumps([widget_id, email], salt=_SALT, compress=True)


def read_stop_proof(proof: str) -> tuple[int, str] | None:
    """The widget and the address of a letter's link; None for a link that is not ours."""
    try:
        widget_id, email = signing.loads(proof, salt=_SALT)
    except signing.BadSignature:
        return None
    return widget_id, email


class LetterStops:
    """The addresses that want no more letters of a widget (`chats.questions.MailStops`)."""

    def link(self, widget_id: int, email: str) -> str:
        """The address of the page that ends the widget's letters to that address."""
        return installation.PUBLIC_URL + reverse("stop-mails", args=[stop_proof(widget_id, email)])

    def is_stopped(self, widget_id: int, email: str) -> bool:
        """Whether the owner of the address wants no more letters of the widget."""
        rows = Address.objects.for_widget(widget_id).filter(digest__in={digest_of(email), digest_of(normal(email))})
        return rows.filter(stopped_at__isnull=False).exists()

    def note_code(self, widget_id: int, email: str, contact_id: int) -> None:
        """A code proves the address, as a letter from it does."""
        note_proof(widget_id=widget_id, email=email, by=Address.Proof.CODE, contact_id=contact_id)


MAIL_STOPS = LetterStops()
