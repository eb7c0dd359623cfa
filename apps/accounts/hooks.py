"""Answers to other apps: whether an account moves."""

from apps.accounts.actions.moves import is_moving
from apps.core.plugins import Hooks

HOOKS = Hooks(is_moving=is_moving)
