"""Contacts as operators see them: two that are one person are one row."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Value
from django.db.models.aggregates import Max
from django.db.models.functions import Coalesce
from django.db.models.lookups import LessThan

from apps.chats.actions.people import group_of
from apps.chats.models import Chat, Contact, ContactJoin, ContactNote, ContactTag, Tag
from apps.chats.querysets.contacts import search_contacts
from apps.chats.questions import visitor_facts
from apps.chats.rules import OPEN
from apps.chats.rules.people import united
from apps.console.querysets.contact_panel import contact_rows
from apps.core.endpoints.paging import Page, RowValue, read_cursor, write_cursor

# How many contacts a search by words gives to the other filters, the newest.
FOUND = 500
_KNOWN = Q(name__gt="") | Q(email__gt="") | Q(phone__gt="")


def people_page(*, widget_id: int, filters: Mapping[str, Any], cursor: str | None, limit: int) -> Page:
    """One page of the widget's contacts, the latest activity first: those who wrote, or of whom something is known.

    `filters`: q, tag, attribute (key and value) and open, combined by and. Raises INVALID_INPUT (422) for a cursor of
    another list.
    """
    list_name = f"console:contacts:{widget_id}"
    chats = Chat.objects.unscoped("each contact's own rows")
    own = Q(contact=OuterRef("pk")) | Q(contact__join__first=OuterRef("pk"))
    rows: Any = (
        Contact.objects.for_widget(widget_id).filter(join__isnull=True).filter(_KNOWN | Exists(chats.filter(own)))
    )
    if "q" in filters:
        found = _found(widget_id, filters["q"])
        rows = rows.filter(Q(pk__in=found) | Q(pk__in=_firsts(widget_id, found)))
    if "tag" in filters:
        account_id = Tag.objects.filter(account__widgets=widget_id).values_list("account_id", flat=True).first()
        tags = Tag.objects.by_spelling(account_id, [filters["tag"]]).values() if account_id else ()
        tagged = ContactTag.objects.unscoped("each contact's own rows").filter(own, tag__in=tags)
        rows = rows.filter(Exists(tagged))
    if "attribute" in filters:
        key, value = filters["attribute"]
        same = Contact.objects.unscoped("each contact's own rows").filter(_has(key, value))
        rows = rows.filter(Exists(same.filter(Q(pk=OuterRef("pk")) | Q(join__first=OuterRef("pk")))))
    if filters.get("open"):
        rows = rows.filter(Exists(chats.filter(own, status__in=OPEN)))
    rows = rows.annotate(active_at=Coalesce(Max("chats__last_message_at"), F("created_at")))
    if (after := read_cursor(list_name, cursor)) is not None:
        rows = rows.filter(LessThan(RowValue(F("active_at"), F("id")), RowValue(*map(Value, after))))
    keys = list(rows.order_by("-active_at", "-id").values_list("active_at", "id")[: limit + 1])
    shown = people(widget_id, [pk for _, pk in keys[:limit]])
    more = keys[limit - 1] if len(keys) > limit else None
    return Page(shown, write_cursor(list_name, more) if more else None)


def _found(widget_id: int, term: str) -> list[int]:
    return [row[-1] for row in search_contacts(widget_id=widget_id, query=term, after=None, limit=FOUND).rows]


def _firsts(widget_id: int, contact_ids: Collection[int]) -> Any:
    joins = ContactJoin.objects.for_widget(widget_id).filter(contact_id__in=contact_ids)
    return joins.values_list("first_id", flat=True)


def _has(key: str, value: str) -> Q:
    """An attribute whose value reads so, whatever its kind."""
    condition = Q(attributes__contains={key: value})
    if value in ("true", "false"):
        condition |= Q(attributes__contains={key: value == "true"})
    with suppress(ValueError):
        condition |= Q(attributes__contains={key: int(value)})
    with suppress(ValueError):
        if isfinite(number := float(value)):
            condition |= Q(attributes__contains={key: number})
    return condition


def people(widget_id: int, contact_ids: Collection[int]) -> list[dict[str, Any]]:
    """The rows of contacts in the order of the ids, each with what is joined to it."""
    joins = ContactJoin.objects.for_widget(widget_id).filter(first_id__in=contact_ids).order_by("contact_id")
    group: dict[int, list[int]] = {pk: [pk] for pk in contact_ids}
    for first_id, contact_id in joins.values_list("first_id", "contact_id"):
        group[first_id].append(contact_id)
    everybody = [pk for pks in group.values() for pk in pks]
    contacts, facts = contact_rows(widget_id, everybody), visitor_facts(widget_id, everybody)
    chats = Chat.objects.for_widget(widget_id).filter(contact_id__in=everybody).values_list("contact_id")
    open_chats = dict(chats.filter(status__in=OPEN).annotate(Count("pk")))
    last = dict(chats.annotate(Max("last_message_at")))
    rows = []
    for pks in group.values():
        first, *others = (contacts[one] for one in pks if one in contacts)
        seen = [facts[one]["last_seen_at"] for one in pks if one in facts] + [last[one] for one in pks if last.get(one)]
        rows.append(
            {
                **united(first, others),
                "open_chats": sum(open_chats.get(one, 0) for one in pks),
                "last_seen_at": max(seen, default=None),
                "joined": [other["id"] for other in others],
            }
        )
    return rows


def person(widget_id: int, guid: str) -> dict[str, Any]:
    """A contact with the chats and notes of all who are joined to it. Raises NOT_FOUND (404)."""
    contact, *joined = group_of(widget_id, guid)
    everybody = [contact.pk, *(one.pk for one in joined)]
    chats = Chat.objects.for_widget(widget_id).filter(contact_id__in=everybody).order_by("-created_at", "-id")
    notes = ContactNote.objects.for_widget(widget_id).filter(contact_id__in=everybody)
    rows = contact_rows(widget_id, everybody)
    return {
        "contact": people(widget_id, [contact.pk])[0],
        "chats": list(chats.values("id", "status", "channel", "created_at", "last_message_at")),
        "notes": [note_row(note) for note in notes.select_related("agent").order_by("-id")],
        "joined": [rows[one.pk] for one in joined],
    }


def note_row(note: ContactNote) -> dict[str, Any]:
    return {
        "id": note.pk,
        "text": note.text,
        "agent_id": note.agent_id,
        "by": note.agent.full_name if note.agent else None,
        "created_at": note.created_at,
    }
