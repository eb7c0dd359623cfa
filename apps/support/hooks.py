"""Answers to other apps: the desk's part in chats."""

from apps.chats.questions import ChatHooks
from apps.support.actions.badges import chat_marks
from apps.support.actions.codes import served_config, visitor_desk
from apps.support.actions.interception import TAKEN_MESSAGES

TO_CHATS = ChatHooks(
    chat_marks=chat_marks,
    served_config=served_config,
    taken_messages=TAKEN_MESSAGES,
    visitor_desk=visitor_desk,
)
