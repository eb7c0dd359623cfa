"""Contacts, chats, messages and files."""

from apps.chats.models.blocks import Block
from apps.chats.models.chats import Chat, ChatActivity, Transfer
from apps.chats.models.console_settings import ConsoleSettings
from apps.chats.models.contacts import Contact, ContactTag, Tag
from apps.chats.models.messages import File, Message, MessageEdit
from apps.chats.models.people import ContactJoin, ContactNote
from apps.chats.models.ratings import Rating, RatingRequest
from apps.chats.models.retention import Retention
from apps.chats.models.searches import SearchedMessage, SearchProgress, UnsearchedMessage
from apps.chats.models.tallies import ChatTally, MessageTally, ResponseTally, StaleHour, TallyProgress
from apps.chats.models.timers import Timer

__all__ = [
    "Block",
    "Chat",
    "ChatActivity",
    "ChatTally",
    "ConsoleSettings",
    "Contact",
    "ContactJoin",
    "ContactNote",
    "ContactTag",
    "File",
    "Message",
    "MessageEdit",
    "MessageTally",
    "Rating",
    "RatingRequest",
    "ResponseTally",
    "Retention",
    "SearchProgress",
    "SearchedMessage",
    "StaleHour",
    "Tag",
    "TallyProgress",
    "Timer",
    "Transfer",
    "UnsearchedMessage",
]
