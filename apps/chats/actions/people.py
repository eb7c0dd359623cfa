"""Notes of contacts, and contacts that are one person."""

from django.db import transaction

from apps.chats.actions.changes import record_contact_change
from apps.chats.errors import ALREADY_JOINED
from apps.chats.models import Contact, ContactJoin, ContactNote
from apps.core.errors import INVALID_INPUT, NOT_FOUND


@transaction.atomic
def write_contact_note(*, widget_id: int, guid: str, agent_id: int, text: str) -> ContactNote:
    """Notes something of a contact, for operators alone. Raises NOT_FOUND (404)."""
    contact = Contact.objects.for_widget(widget_id).get_or_404(guid=guid)
    note = ContactNote.objects.create(widget_id=widget_id, contact=contact, agent_id=agent_id, text=text)
    return ContactNote.objects.for_widget(widget_id).select_related("agent").get(pk=note.pk)


@transaction.atomic
def delete_contact_note(*, widget_id: int, guid: str, note_id: int, by_agent_id: int | None) -> None:
    """Deletes a note: an operator their own, a manager (`by_agent_id` None) any. Raises NOT_FOUND (404)."""
    notes = ContactNote.objects.for_widget(widget_id).filter(contact__guid=guid, pk=note_id)
    if by_agent_id is not None:
        notes = notes.filter(agent_id=by_agent_id)
    if not notes.delete()[0]:
        raise NOT_FOUND()


@transaction.atomic
def join_contacts(*, widget_id: int, guid: str, other_guid: str, agent_id: int) -> ContactJoin:
    """Says that another contact is the same person as this one, which comes first. Nothing is moved, and no visitor is
    shown anything of the other's.

    Raises NOT_FOUND (404); INVALID_INPUT (422) on `contact` for the contact itself; ALREADY_JOINED (409) where either
    is joined already: there is one level.
    """
    if guid == other_guid:
        raise INVALID_INPUT(errors={"contact": ["A contact is not joined to itself."]})
    rows = Contact.objects.for_widget(widget_id).filter(guid__in=(guid, other_guid))
    # Locked in one order: an erasure comes before or after, and two joins wait for each other.
    found = {contact.guid: contact for contact in rows.select_for_update(no_key=True).order_by("pk")}
    if len(found) < 2:
        raise NOT_FOUND("There is no such contact.")
    first, other = found[guid], found[other_guid]
    joins = ContactJoin.objects.for_widget(widget_id)
    if joins.filter(contact__in=(first, other)).exists() or joins.filter(first=other).exists():
        raise ALREADY_JOINED()
    join = ContactJoin.objects.create(widget_id=widget_id, contact=other, first=first, agent_id=agent_id)
    for contact in (first, other):
        record_contact_change(contact)
    return join


@transaction.atomic
def undo_join(*, widget_id: int, guid: str, other_guid: str) -> None:
    """Says that two joined contacts are two again. Raises NOT_FOUND (404)."""
    joins = ContactJoin.objects.for_widget(widget_id).select_related("contact", "first")
    join = joins.get_for_update(first__guid=guid, contact__guid=other_guid)
    contacts = (join.first, join.contact)
    join.delete()
    for contact in contacts:
        record_contact_change(contact)


def group_of(widget_id: int, guid: str) -> list[Contact]:
    """A contact with those that are joined to it, itself first. Raises NOT_FOUND (404)."""
    rows = Contact.objects.for_widget(widget_id).select_related("widget")
    contact = rows.get_or_404(guid=guid)
    return [contact, *rows.filter(join__first=contact).order_by("pk")]
