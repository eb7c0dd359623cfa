"""What bots and channels of the other platform do here, and what a widget's bot is told."""

from apps.compat.actions.bots import (
    bot_of,
    close_chat,
    delete_bot,
    register_bot,
    replace_secret,
    set_bot,
    take_chat,
    taking_cte,
    tell_bot,
)
from apps.compat.actions.talks import ask_for_rating, invite_agent, receive_message, send_bot_message

__all__ = [
    "ask_for_rating",
    "bot_of",
    "close_chat",
    "delete_bot",
    "invite_agent",
    "receive_message",
    "register_bot",
    "replace_secret",
    "send_bot_message",
    "set_bot",
    "take_chat",
    "taking_cte",
    "tell_bot",
]
