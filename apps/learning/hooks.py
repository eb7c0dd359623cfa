"""Answers to other apps: the questions asked in vain."""

from apps.core.plugins import Hooks
from apps.learning.querysets import asked_in_vain

HOOKS = Hooks(asked_in_vain=asked_in_vain)
