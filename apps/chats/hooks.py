"""Answers to other apps: how chats, files and contacts are forgotten."""

from apps.chats.actions.retention import forget_batch
from apps.core.plugins import Hooks

HOOKS = Hooks(forgets=forget_batch)
