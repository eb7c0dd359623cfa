"""Answers to other apps: the fresh cards of a chat, for drafts."""

from apps.cards.actions.reading import fresh_cards
from apps.chats.questions import ChatHooks

TO_CHATS = ChatHooks(fresh_cards=fresh_cards)
