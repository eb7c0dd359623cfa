"""The tables and sheets of contacts and chats in an export of a widget."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportSheet, ExportTable, LookUp, WidgetExport
from apps.chats.models import (
    Block,
    Chat,
    ChatActivity,
    Contact,
    ContactTag,
    File,
    Message,
    Rating,
    Retention,
    Tag,
    Transfer,
)


def exported_of_widget(widget_id: int) -> Iterator[ExportTable | ExportSheet]:
    """Retention last: nothing is forgotten before all is there."""
    yield ExportTable(name="contacts", rows=Contact.objects.for_widget(widget_id))
    tagged = ContactTag.objects.for_widget(widget_id)
    yield ExportTable(name="tags", rows=Tag.objects.filter(pk__in=tagged.values("tag_id")), once="name")
    yield ExportTable(name="contact_tags", rows=tagged)
    yield ExportTable(
        name="files", rows=File.objects.for_widget(widget_id), without=("token_id",), stored=("storage_key",)
    )
    yield ExportTable(
        name="chats",
        rows=Chat.objects.for_widget(widget_id),
        refers={"last_message_id": "messages", "dealt_with_message_id": "messages"},
        later=("last_message_id", "dealt_with_message_id"),
    )
    yield ExportTable(name="messages", rows=Message.objects.for_widget(widget_id), renumbers=_renumber_file)
    yield ExportTable(name="ratings", rows=Rating.objects.for_widget(widget_id))
    yield ExportTable(name="transfers", rows=Transfer.objects.for_widget(widget_id))
    yield ExportTable(
        name="steps", rows=ChatActivity.objects.for_widget(widget_id), refers={"after_message_id": "messages"}
    )
    yield ExportTable(name="blocks", rows=Block.objects.for_widget(widget_id))
    yield ExportTable(name="retention", rows=Retention.objects.for_widget(widget_id))
    yield from _sheets(widget_id)


def _renumber_file(row: dict[str, Any], look_up: LookUp) -> None:
    file = (row.get("details") or {}).get("file")
    if file:
        file["id"] = look_up("files", file["id"]) or 0  # one that has gone is named all the same


def _sheets(widget_id: int) -> Iterator[ExportSheet]:
    who = {"contact": "contact__guid", "name": "contact__name", "email": "contact__email", "phone": "contact__phone"}
    chat = {"number": "id", **who, "channel": "channel", "status": "status", "handling": "handling"}
    whose = {"operator": "agent__name", "department": "department__name", "rating": "rating__value"}
    when = {"created_at": "created_at", "last_message_at": "last_message_at"}
    yield ExportSheet(name="chats", rows=Chat.objects.for_widget(widget_id), columns={**chat, **whose, **when})
    rating = {"chat": "chat_id", "contact": "chat__contact__guid", "rating": "value", "comment": "comment"}
    given = {"operator": "agent__name", "rated_at": "rated_at"}
    yield ExportSheet(name="ratings", rows=Rating.objects.for_widget(widget_id), columns={**rating, **given})


EXPORT = WidgetExport(tables=exported_of_widget)
