"""Contacts, chats, messages and files."""

from apps.chats.models.blocks import Block
from apps.chats.models.chats import Chat, ChatActivity, Rating, Transfer
from apps.chats.models.contacts import Contact, ContactTag, Tag
from apps.chats.models.desk import DeskSettings
from apps.chats.models.messages import File, Message, MessageEdit
from apps.chats.models.people import ContactJoin, ContactNote
from apps.chats.models.retention import Retention
from apps.chats.models.tallies import ChatTally, MessageTally, ResponseTally, StaleHour, TallyProgress

__all__ = [
    "Block",
    "Chat",
    "ChatActivity",
    "ChatTally",
    "Contact",
    "ContactJoin",
    "ContactNote",
    "ContactTag",
    "DeskSettings",
    "File",
    "Message",
    "MessageEdit",
    "MessageTally",
    "Rating",
    "ResponseTally",
    "Retention",
    "StaleHour",
    "Tag",
    "TallyProgress",
    "Transfer",
]
