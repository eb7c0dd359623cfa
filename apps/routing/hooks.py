"""Answers to other apps: whether routing or answer times are on is read with the chat that is posted into."""

from apps.chats.questions import ChatHooks
from apps.routing.actions.looks import IS_ON
from apps.routing.querysets.facts import waiting_facts

TO_CHATS = ChatHooks(read_with_chat=IS_ON, waiting_facts=waiting_facts)
