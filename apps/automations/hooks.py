"""Answers to other apps: facts that automations ask about are read with the chat that is posted into; who waits for
them; the messages that a reply answered, so that AI does not.
"""

from apps.automations.actions.acts.words import TAKEN_MESSAGES
from apps.automations.actions.capture import IS_ON
from apps.automations.actions.worker import IS_BEING_JUDGED
from apps.chats.questions import ChatHooks

TO_CHATS = ChatHooks(read_with_chat=IS_ON, is_being_judged=IS_BEING_JUDGED, taken_messages=TAKEN_MESSAGES)
