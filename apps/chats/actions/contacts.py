"""Changing and tagging contacts. Each write locks the contact's row, so that no change is lost.

Operators who look at a contact's chat see each change at once: it counts as one of the chat.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Account
from apps.chats.actions.changes import record_contact_change
from apps.chats.events import ContactTagged, ContactUpdated
from apps.chats.models import Contact, ContactTag, Tag
from apps.chats.rules import contacts as rules
from apps.chats.rules.folding import alike
from apps.core import bus
from apps.core.errors import INVALID_INPUT


def set_contact_fields(contact: Contact, about: Mapping[str, Any]) -> list[str]:
    """Sets fields of a contact, which the caller has locked and saves; returns the names of those that changed.

    `about` may have name, email and phone, which replace what is stored (null: removed), and attributes, which are
    merged by key: null removes a key, and in place of the object all keys.

    Raises INVALID_INPUT (422) when the attributes would become too many.
    """
    before = {name: getattr(contact, name) for name in about}
    after = {name: value or "" for name, value in about.items() if name != "attributes"}
    if "attributes" in about:
        merged = rules.merged_attributes(contact.attributes, about["attributes"])
        if refusal := rules.number_refusal(merged):
            raise INVALID_INPUT(errors={"attributes": [refusal]})
        after["attributes"] = merged
    changed = rules.changed_fields(before, after)
    for name in changed:
        setattr(contact, name, after[name])
    return changed


@transaction.atomic
def create_contact(*, widget_id: int, about: Mapping[str, Any]) -> Contact:
    """Makes a contact (see `set_contact_fields`). No event is published: a chat begins with the first message.

    Raises INVALID_INPUT (422).
    """
    contact = Contact(widget_id=widget_id)
    set_contact_fields(contact, about)
    contact.save(force_insert=True)
    return contact


@transaction.atomic
def update_contact(*, widget_id: int, guid: str, changes: Mapping[str, Any]) -> list[str]:
    """Updates a contact (see `set_contact_fields`) and tells of it, unless nothing changes; returns what changed.

    Raises NOT_FOUND (404), INVALID_INPUT (422).
    """
    contact = _locked(widget_id, guid)
    changed = set_contact_fields(contact, changes)
    if changed:
        save_contact(contact, changed)
        bus.publish(
            ContactUpdated(
                widget_id=widget_id,
                widget_guid=contact.widget.guid,
                contact_guid=guid,
                changed_fields=tuple(changed),
            )
        )
    return changed


@transaction.atomic
def tag_contact(*, widget_id: int, guid: str, names: Collection[str]) -> list[str]:
    """Attaches tags to a contact, making those that the account does not have; returns the names that were not on it.

    A name that looks like one of the account's tags (`folding.alike`) is that tag.

    Raises NOT_FOUND (404), INVALID_INPUT (422) when the contact or the account would have too many.
    """
    contact = _locked(widget_id, guid)
    attached = set(
        ContactTag.objects.unscoped("read with its widget before")
        .filter(contact=contact)
        .values_list("tag__name", flat=True)
    )
    spellings = {alike(name) for name in attached}
    missing = [name for name in rules.unique_tags(names) if alike(name) not in spellings]
    if not missing:
        return []
    if len(attached) + len(missing) > rules.MAX_TAGS_OF_CONTACT:
        raise _too_many(f"A contact has at most {rules.MAX_TAGS_OF_CONTACT} tags.")
    tags = _tags_of(contact.widget.account_id, missing)
    ContactTag.objects.bulk_create(ContactTag(contact=contact, tag=tag) for tag in tags)
    save_contact(contact, [])
    bus.publish(ContactTagged(widget_id=widget_id, contact_id=contact.pk, names=tuple(missing)))
    return missing


@transaction.atomic
def untag_contact(*, widget_id: int, guid: str, name: str) -> bool:
    """Takes a tag off a contact; returns whether it was on it. Raises NOT_FOUND (404) for a contact that is not there.

    The tag itself stays, for the account's other contacts.
    """
    contact = _locked(widget_id, guid)
    attached = (
        ContactTag.objects.unscoped("read with its widget before")
        .filter(contact=contact)
        .values_list("tag__name", "pk")
    )
    # Compared here: a name out of an address may hold what no text in the database can.
    found = [pk for attached_name, pk in attached if alike(attached_name) == alike(name)]
    if not found:
        return False
    ContactTag.objects.unscoped("read with its widget before").filter(pk__in=found).delete()
    save_contact(contact, [])
    return True


def _tags_of(account_id: int, names: Sequence[str]) -> list[Tag]:
    """The account's tags of those names; new ones are made under the account's lock, by which they are counted."""
    known = Tag.objects.by_spelling(account_id, names)
    if len(known) == len(names):
        return list(known.values())
    Account.objects.select_for_update(no_key=True).get(pk=account_id)
    known = Tag.objects.by_spelling(account_id, names)
    new = [Tag(account_id=account_id, name=name) for name in names if alike(name) not in known]
    if Tag.objects.filter(account_id=account_id).count() + len(new) > rules.MAX_TAGS_OF_ACCOUNT:
        raise _too_many(f"An account has at most {rules.MAX_TAGS_OF_ACCOUNT} different tags.")
    Tag.objects.bulk_create(new)
    return [*known.values(), *new]


def _locked(widget_id: int, guid: str) -> Contact:
    """The contact with its widget, locked until the transaction ends; its chats can still be written to."""
    return Contact.objects.for_widget(widget_id).select_related("widget").get_for_update(guid=guid)


def save_contact(contact: Contact, changed: Sequence[str]) -> None:
    """Saves those fields of a contact that the caller has locked, and tells who sees it beside its chats."""
    contact.updated_at = timezone.now()
    contact.save(update_fields=[*changed, "updated_at"])
    record_contact_change(contact)


def _too_many(text: str) -> Exception:
    return INVALID_INPUT(errors={"tags": [text]})
