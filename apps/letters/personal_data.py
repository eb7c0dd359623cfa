"""The personal data that letters hold of a contact: threads, letters, wishes and addresses."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import CharField, F, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.chats.models import Contact
from apps.letters.models import Address, Correspondent, GatherJob, InLetter, LetterWish, OutLetter, Thread
from apps.letters.rules.addresses import digest_of, normal


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Rows in the order of their erasure. The digest of a contact who wanted no letters stays."""
    correspondents = Correspondent.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="correspondents", rows=correspondents, fields=("address", "subject", "created_at"))
    gathering = GatherJob.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(name="gathering", rows=gathering)
    letters = OutLetter.objects.for_widget(widget_id).filter(thread__chat__contact_id=contact_id)
    yield PersonalRows(name="letters", rows=letters, fields=("state", "queued_at", "sent_at", "opened_at"))
    threads = Thread.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    addresses = {*threads.values_list("address", flat=True)}
    wishes = LetterWish.objects.for_widget(widget_id).filter(contact_id=contact_id)
    addresses |= {*wishes.values_list("email", flat=True), *correspondents.values_list("address", flat=True)}
    addresses |= {*Contact.objects.for_widget(widget_id).filter(pk=contact_id).values_list("email", flat=True)}
    yield PersonalRows(name="letter_threads", rows=threads, fields=("address", "subject", "copies", "created_at"))
    yield PersonalRows(name="letter_wishes", rows=wishes, fields=("email", "asked_at"))
    digests = [digest_of(address) for address in addresses if address]
    known = Address.objects.for_widget(widget_id).filter(Q(digest__in=digests) | Q(contact_id=contact_id))
    yield PersonalRows(
        name="addresses", rows=known.filter(stopped_at=None), fields=("email", "proven_at", "proven_by", "dead_at")
    )
    came = _came(widget_id, contact_id, addresses)
    raw = ("id", "name", "storage_key")
    about = ("sender", "sender_name", "subject", "recipients", "copies", "proof", "received_at")
    yield PersonalRows(name="letters_in", rows=came, fields=(*raw, *about))


def _came(widget_id: int, contact_id: int, addresses: Iterable[str]) -> "QuerySet[Any, Any]":
    """The letters that came into the contact's chats, or to their threads; and those in no chat of their addresses.

    Each has the name and the storage key of its raw form, as files have them.
    """
    theirs = Q(chat__contact_id=contact_id) | Q(thread__chat__contact_id=contact_id)
    senders = [normal(address) for address in addresses if address]
    theirs |= Q(chat=None, thread=None, sender__in=senders)
    name = Concat(Value("letter-"), Cast("id", CharField()), Value(".eml"))
    rows = InLetter.objects.for_widget(widget_id).filter(theirs)
    return rows.annotate(name=name, storage_key=F("raw_key"))


PERSONAL_DATA = PersonalData(held_of_contact)
