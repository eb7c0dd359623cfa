"""Answers to other apps: the visitors, and the language they are spoken to in."""

from apps.core.plugins import Hooks
from apps.widget.querysets import visitor_facts
from apps.widget.querysets.settings import LANGUAGES

HOOKS = Hooks(visitor_facts=visitor_facts, widget_language=LANGUAGES)
