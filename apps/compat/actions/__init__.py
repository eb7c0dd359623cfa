"""The actions of bots and channels of the other platform, and the messages to a widget's bot."""

from apps.compat.actions.bots import (
    Told,
    close_chat,
    delete_bot,
    queue_bot_event,
    register_bot,
    replace_secret,
    set_bot,
    take_chat,
    telling_cte,
)
from apps.compat.actions.talks import ask_for_rating, invite_agent, receive_message, send_bot_message

__all__ = [
    "Told",
    "ask_for_rating",
    "close_chat",
    "delete_bot",
    "invite_agent",
    "queue_bot_event",
    "receive_message",
    "register_bot",
    "replace_secret",
    "send_bot_message",
    "set_bot",
    "take_chat",
    "telling_cte",
]
