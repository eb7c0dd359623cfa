"""Whether visitors are there, and how the next answer reaches them."""

from collections.abc import Collection
from typing import Any

from apps.chats.models import Chat
from apps.chats.questions import VisitorPresence, visitor_presence
from apps.console.querysets.page import HAS_LETTERS

_SITE = "widget"


def presences(widget_id: int, chat_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """`{presence: {state, since}, reach}` of those chats that are the widget's, by chat."""
    columns = ("id", "contact_id", "channel", "contact__email")
    chats = list(Chat.objects.for_widget(widget_id).filter(pk__in=chat_ids).values_list(*columns))
    found = visitor_presence(widget_id, {contact_id for _, contact_id, channel, _ in chats if channel == _SITE})
    unknown = VisitorPresence("unknown")
    known = {contact_id: found.get(contact_id, unknown) for _, contact_id, *_ in chats}
    reaches = _reaches(widget_id, chats, known)
    return {
        chat_id: {
            "presence": {"state": known[contact_id].state, "since": known[contact_id].since},
            "reach": reaches[chat_id],
        }
        for chat_id, contact_id, *_ in chats
    }


def _reaches(
    widget_id: int, chats: list[tuple[int, int, str, str]], known: dict[int, VisitorPresence]
) -> dict[int, dict[str, Any]]:
    if not HAS_LETTERS:
        return {
            chat_id: {
                "by": "messenger" if channel != _SITE else "here" if known[contact_id].state == "here" else "nothing",
                **dict.fromkeys(("address", "minutes", "detail")),
                "proven": False,
                "reason": "off" if channel == _SITE and known[contact_id].state != "here" else None,
                "copies": 0,
            }
            for chat_id, contact_id, channel, _ in chats
        }
    from apps.letters.actions.reach import WatchedChat, reaches

    return reaches(widget_id, [WatchedChat(*chat) for chat in chats], known)


def mailed_among(widget_id: int, chat_ids: Collection[int]) -> set[int]:
    """The on-site chats among these of which letters went out, so that deliveries are shown in them."""
    if not chat_ids or not HAS_LETTERS:
        return set()
    from apps.letters.actions.outbox import chats_with_letters

    return chats_with_letters(widget_id, list(chat_ids))
