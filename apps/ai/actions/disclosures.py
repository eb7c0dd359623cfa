"""The sentence that a machine speaks, for whoever shows or sends its first message."""

from apps.ai.models import Conversation
from apps.ai.rules.disclosures import disclosure
from apps.ai.settings import settings_of
from apps.chats.models import Chat
from apps.chats.questions import contact_language, widget_language


def disclosure_in(widget_id: int, language: str) -> str:
    """The sentence of a widget in a language."""
    settings = settings_of(widget_id)
    return disclosure(language, settings.ai_disclosure, settings.ai_disclosure_i18n)


def disclosure_of(widget_id: int, chat_id: int) -> str:
    """The sentence in the language of a chat: the conversation's, else its visitor's, else the widget's."""
    noted = Conversation.objects.for_widget(widget_id).filter(pk=chat_id).values_list("language", flat=True).first()
    contact_id = Chat.objects.for_widget(widget_id).filter(pk=chat_id).values_list("contact_id", flat=True).first()
    language = noted or (contact_language(contact_id) if contact_id else None) or widget_language(widget_id)
    return disclosure_in(widget_id, language)
