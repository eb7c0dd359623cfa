"""The only writers of contacts, chats and messages."""

from apps.chats.actions.contacts import describe_contact, tag_contact, update_contact
from apps.chats.actions.messages import PostedMessage, mark_seen, post_agent_message, post_client_message
from apps.chats.actions.states import close_chat, set_chat_state
from apps.chats.actions.sweep import Swept, sweep_chats

__all__ = [
    "PostedMessage",
    "Swept",
    "close_chat",
    "describe_contact",
    "mark_seen",
    "post_agent_message",
    "post_client_message",
    "set_chat_state",
    "sweep_chats",
    "tag_contact",
    "update_contact",
]
