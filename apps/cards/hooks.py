"""Answers to other apps: the fresh cards of a chat, for drafts."""

from apps.cards.actions.reading import fresh_cards
from apps.core.plugins import Hooks

HOOKS = Hooks(fresh_cards=fresh_cards)
