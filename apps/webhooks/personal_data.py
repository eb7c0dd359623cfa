"""The personal data that deliveries hold of a contact: the bodies that name them, or one of their chats."""

from collections.abc import Iterator
from typing import Any

import orjson
from django.db import transaction

from apps.chats.actions.personal_data import BATCH, PersonalData, PersonalRows
from apps.chats.models import Chat, Contact
from apps.core.database import encryption
from apps.webhooks.models import Attempt, Delivery, Event


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Bodies repeat what the copy has already, so they are no part of it; what is not sent yet is not sent any more."""
    yield PersonalRows(name="deliveries", rows=Event.objects.none(), erase=lambda: _erase(widget_id, contact_id))


def _erase(widget_id: int, contact_id: int) -> None:
    """Bodies are sealed, so each of the widget's is read, a batch a transaction."""
    contact = Contact.objects.for_widget(widget_id).get(pk=contact_id)
    names = {contact.guid, *Chat.objects.for_widget(widget_id).filter(contact=contact).values_list("pk", flat=True)}
    last = 0
    while True:
        with transaction.atomic():
            rows = Event.objects.for_widget(widget_id).filter(pk__gt=last).order_by("pk")
            events = list(rows.values_list("pk", "body", "is_sealed")[:BATCH])
            doomed = [pk for pk, body, is_sealed in events if names & named_in(body, is_sealed=is_sealed)]
            deliveries = Delivery.objects.unscoped("of one contact of the widget").filter(event_id__in=doomed)
            Attempt.objects.unscoped("of one contact of the widget").filter(
                delivery__in=deliveries.values("pk")
            ).delete()
            deliveries.delete()
            Event.objects.unscoped("of one contact of the widget").filter(pk__in=doomed).delete()
        if len(events) < BATCH:
            return
        last = events[-1][0]


def named_in(body: str, *, is_sealed: bool) -> set[Any]:
    """The values by which a body may name a contact or a chat: each text, and each number of a member named after
    chats.
    """
    found: set[Any] = set()
    waiting: list[Any] = [("", orjson.loads(encryption.decrypt(body) if is_sealed else body))]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.items())
        elif isinstance(value, list):
            waiting.extend((name, each) for each in value)
        elif isinstance(value, str) and not value.isdecimal():
            found.add(value)
        elif "chat" in name and str(value).isdecimal():
            found.add(int(value))
    return found


PERSONAL_DATA = PersonalData(held_of_contact)
