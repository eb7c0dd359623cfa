"""Answers to other apps: the visitors, where they are, and the language and name by which they know the widget, and
its questions."""

from apps.chats.questions import ChatHooks
from apps.widget.presence import is_unreachable, visitor_presence
from apps.widget.querysets import CONTACT_ADDRESS, visitor_facts
from apps.widget.querysets.public_config import page_look
from apps.widget.querysets.questions import question_words
from apps.widget.querysets.settings import LANGUAGES, shown_brand, shown_name

TO_CHATS = ChatHooks(
    visitor_facts=visitor_facts,
    visitor_presence=visitor_presence,
    is_unreachable=is_unreachable,
    contact_address=CONTACT_ADDRESS,
    question_words=question_words,
    widget_language=LANGUAGES,
    shown_name=shown_name,
    shown_brand=shown_brand,
    page_look=page_look,
)
