"""Answers to other apps: the visitors, where they are, the language they are spoken to in, and who wants no mail."""

from apps.core.plugins import Hooks
from apps.widget.actions.offline_mail import MAIL_STOPS
from apps.widget.querysets import contact_address, visitor_facts
from apps.widget.querysets.settings import LANGUAGES

HOOKS = Hooks(
    visitor_facts=visitor_facts,
    contact_address=contact_address,
    mail_stops=MAIL_STOPS,
    widget_language=LANGUAGES,
)
