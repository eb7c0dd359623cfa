"""Named reads of tickets, and of who may work in the console; and, by noun, of what operators are shown."""

from apps.console.querysets.contact_panel import address_in_chat, answering, contact_panels, has_shop_cards, shop_cards
from apps.console.querysets.counted_chats import Staff, counted_chats, counted_versions, last_message_id, staff_of
from apps.console.querysets.deliveries import deliveries
from apps.console.querysets.inbox import (
    View,
    chats_of_visitors,
    inbox_first_page,
    inbox_page,
    inbox_rows,
    waiting_elsewhere,
)
from apps.console.querysets.message_search import matches
from apps.console.querysets.page import has_chats, is_first_widget
from apps.console.querysets.presence import presences
from apps.console.querysets.rows import CannedReplyQuerySet, PushSubscriptionQuerySet, SocketTicketQuerySet
from apps.console.querysets.sign_ins import SignIn, chosen, ended_among, operators_of
from apps.console.querysets.waiting import Waiting, waiting_for

__all__ = [
    "CannedReplyQuerySet",
    "PushSubscriptionQuerySet",
    "SignIn",
    "SocketTicketQuerySet",
    "Staff",
    "View",
    "Waiting",
    "address_in_chat",
    "answering",
    "chats_of_visitors",
    "chosen",
    "contact_panels",
    "counted_chats",
    "counted_versions",
    "deliveries",
    "ended_among",
    "has_chats",
    "has_shop_cards",
    "inbox_first_page",
    "inbox_page",
    "inbox_rows",
    "is_first_widget",
    "last_message_id",
    "matches",
    "online_in",
    "operators_of",
    "presences",
    "shop_cards",
    "staff_of",
    "waiting_elsewhere",
    "waiting_for",
]
