"""Answers to other apps: what is read with a chat to tell the widget's bot of a message."""

from apps.agents.querysets import AVAILABLE_SQL
from apps.chats.questions import ChatHooks

# Of a chat whose widget has an active bot. By hand: a part of the statement that reads a chat (bench: post).
_BOT = f"""
SELECT json_build_object(
    'bot_id', bot.id,
    'person_has_chat', EXISTS (SELECT FROM compat_takenchat WHERE chat_id = chat.id),
    'agents_online', EXISTS (SELECT FROM agents_agent WHERE widget_id = chat.widget_id AND {AVAILABLE_SQL})
)
FROM compat_legacybot bot
WHERE 'legacy_bot' = ANY (widget.answerers) AND bot.widget_id = chat.widget_id AND bot.is_active"""  # noqa: S608 - of constants

TO_CHATS = ChatHooks(read_with_chat=_BOT)
