"""The summary, as a chat's card has it."""

from collections.abc import Collection
from typing import Any

from apps.assists.models import ChatSummary
from apps.assists.rules.summing import MOST_TAGS
from apps.chats.models import ContactTag


def summaries_of(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """By chat: `summary`, and `suggested_tags` that its contact lacks. Two statements at most."""
    found = {one.pk: one for one in ChatSummary.objects.for_widget(widget_id).filter(pk__in=chat_ids)}
    tagged = [pk for pk, one in found.items() if one.tags]
    names: dict[int, set[str]] = {}
    if tagged:
        rows = ContactTag.objects.for_widget(widget_id).filter(contact__chats__in=tagged)
        for chat_id, name in rows.values_list("contact__chats", "tag__name"):
            names.setdefault(chat_id, set()).add(name.casefold())
    return {
        pk: {
            "summary": {
                "id": one.assist_id,
                "wants": one.wants,
                "done": one.done,
                "open": one.open,
                "promised": one.promised,
                "language": one.language,
                "up_to_message_id": one.up_to_message_id,
                "at": one.at,
            },
            "suggested_tags": [tag for tag in one.tags if tag.casefold() not in names.get(pk, ())][:MOST_TAGS],
        }
        for pk, one in found.items()
    }
