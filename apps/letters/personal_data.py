"""The personal data that letters hold of a contact: threads, letters, wishes and addresses."""

from collections.abc import Iterator

from django.db.models import Q

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.chats.models import Contact
from apps.letters.models import Address, Correspondent, GatherJob, InLetter, LetterWish, OutLetter, Thread
from apps.letters.rules.addresses import digest_of


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Letters first: they are sent no more. The digest of a contact who wanted no letters stays."""
    came = InLetter.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    came_by = ("sender", "sender_name", "subject", "recipients", "copies", "proof", "received_at")
    yield PersonalRows(name="letters_in", rows=came, fields=came_by)
    correspondents = Correspondent.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="correspondents", rows=correspondents, fields=("address", "subject", "created_at"))
    gathering = GatherJob.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    yield PersonalRows(name="gathering", rows=gathering)
    letters = OutLetter.objects.for_widget(widget_id).filter(thread__chat__contact_id=contact_id)
    yield PersonalRows(name="letters", rows=letters, fields=("state", "queued_at", "sent_at", "opened_at"))
    threads = Thread.objects.for_widget(widget_id).filter(chat__contact_id=contact_id)
    addresses = {*threads.values_list("address", flat=True)}
    wishes = LetterWish.objects.for_widget(widget_id).filter(contact_id=contact_id)
    addresses |= {*wishes.values_list("email", flat=True)}
    addresses |= {*Contact.objects.for_widget(widget_id).filter(pk=contact_id).values_list("email", flat=True)}
    yield PersonalRows(name="letter_threads", rows=threads, fields=("address", "subject", "copies", "created_at"))
    yield PersonalRows(name="letter_wishes", rows=wishes, fields=("email", "asked_at"))
    digests = [digest_of(address) for address in addresses if address]
    known = Address.objects.for_widget(widget_id).filter(Q(digest__in=digests) | Q(contact_id=contact_id))
    yield PersonalRows(
        name="addresses", rows=known.filter(stopped_at=None), fields=("email", "proven_at", "proven_by", "dead_at")
    )


PERSONAL_DATA = PersonalData(held_of_contact)
