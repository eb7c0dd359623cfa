"""Answers to other apps: the visitors, where they are, and the language and name by which they know the widget."""

from apps.core.plugins import Hooks
from apps.widget.presence import visitor_presence
from apps.widget.querysets import contact_address, visitor_facts
from apps.widget.querysets.settings import LANGUAGES, shown_name

HOOKS = Hooks(
    visitor_facts=visitor_facts,
    visitor_presence=visitor_presence,
    contact_address=contact_address,
    widget_language=LANGUAGES,
    shown_name=shown_name,
)
