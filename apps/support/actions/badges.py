"""The console's marks of the support agents' work."""

from collections.abc import Collection
from typing import Any

from django.db.models import BooleanField, CharField, DateTimeField, Value
from django.db.models.functions import Cast

from apps.support.models import ChatHold, Ticket


def chat_marks(widget_id: int, chat_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The open ticket and the live hold of each of these chats of the widget, by chat. One statement."""
    tickets = Ticket.objects.for_widget(widget_id).open().filter(chat_id__in=chat_ids)
    holds = ChatHold.objects.unscoped("read with their widget before").live().filter(chat_id__in=chat_ids)
    no_end, no_hold = Value(None, DateTimeField()), Value(None, BooleanField())
    of_tickets = tickets.order_by().values_list("chat_id", "held_for_owner", Cast("number", CharField()), no_end)
    found: dict[int, list[dict[str, Any]]] = {}
    rows = of_tickets.union(holds.values_list("chat_id", no_hold, Cast("agent", CharField()), "expires_at"), all=True)
    for chat_id, is_held, about, until in rows:
        kind = "lease" if until is not None else "held" if is_held else "ticket"
        found.setdefault(chat_id, []).append({"kind": kind, "about": about, "until": until})
    return found
