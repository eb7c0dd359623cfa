"""The translation of chats as operators are shown it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps as django_apps
from django.db.models import OuterRef

from apps.agents.actions.choices import choices_of
from apps.agents.models import Agent
from apps.chats.models import Message
from apps.chats.rules.desk import TranslationMode
from apps.chats.rules.translations import TRANSLATIONS, ChatTranslation, LanguageSource, translations_of
from apps.console.rules import spoken

# How many of a chat's newest messages are looked at.
NEWEST = 50


@dataclass(frozen=True, slots=True)
class TranslationReader:
    """A reader of chats: the languages that they read, and whether chats are translated at all."""

    reads: Sequence[str]
    offers: TranslationMode

    def wants(self, translation: Mapping[str, Any]) -> bool:
        """Whether a translation is offered to them."""
        is_off = self.offers is TranslationMode.OFF or translation["on"]
        return not is_off and translation["visitor_language"] not in self.reads

    def shown(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """The card as they see it."""
        translation = card["translation"]
        shown = {name: value for name, value in translation.items() if name != "was_switched"}
        return {**card, "translation": {**shown, "is_offered": self.wants(translation)}}


def translation_reader(operator: Agent, language: str | None = None) -> TranslationReader:
    """The operator as a reader. `language` is the page's, where they have chosen none to read."""
    choices = choices_of(operator.widget_id, operator.pk)
    page = language or (operator.user.language if operator.user else "")
    return TranslationReader(choices.reads or [spoken(page)], offers_of(operator.widget_id))


def offers_of(widget_id: int) -> TranslationMode:
    """Whether chats of a widget can be translated: its settings say so, and a model can be asked."""
    if not django_apps.is_installed("apps.assists"):
        return TranslationMode.OFF
    from apps.assists.actions.asking import available_kinds
    from apps.assists.rules.kinds import AssistKind
    from apps.chats.actions.desk import desk_settings

    if AssistKind.TRANSLATION not in available_kinds(widget_id):
        return TranslationMode.OFF
    return TranslationMode(desk_settings(widget_id).translation)


def card_translation(
    stored: Mapping[str, Any] | None,
    *,
    channel: str,
    visit: Mapping[str, Any] | None,
    attributes: Mapping[str, Any],
    otherwise: str,
) -> dict[str, Any]:
    """A chat's translation, and the visitor's language by the surest of what is known; nothing is offered yet."""
    known = ChatTranslation.of(stored)
    language, source = _language(known, channel, visit, attributes) or (otherwise, LanguageSource.DEFAULT)
    return {
        "on": known.on,
        "is_offered": False,
        "visitor_language": language,
        "from": source,
        "to": list(known.to),
        "was_switched": stored is not None,
    }


def _language(
    known: ChatTranslation, channel: str, visit: Mapping[str, Any] | None, attributes: Mapping[str, Any]
) -> tuple[str, str] | None:
    if known.language and known.source:
        return known.language, known.source
    if code := (visit or {}).get("lang"):
        # The widget's own languages have no country.
        return code[:2].lower(), LanguageSource.BROWSER if "-" in code else LanguageSource.WIDGET
    of_messenger = str(attributes.get(f"{channel}_language") or "")[:2].lower()
    return (of_messenger, LanguageSource.MESSENGER) if of_messenger.isalpha() else None


def message_translations(widget_id: int, chat_ids: Collection[int]) -> list[tuple[int, int, list[dict[str, Any]]]]:
    """The translations of the newest messages of chats: chat, message, translations. Index: chats_message_in_chat."""
    if not chat_ids:
        return []
    newest = (
        Message.objects.unscoped("read with its widget before")
        .filter(chat=OuterRef("chat_id"))
        .order_by("-id")
        .values("id")[:NEWEST]
    )
    rows = Message.objects.for_widget(widget_id).filter(
        chat_id__in=chat_ids, id__in=newest, details__has_key=TRANSLATIONS
    )
    found = rows.order_by("id").values_list("chat_id", "id", "details")
    return [(chat_id, message_id, translations_of(details)) for chat_id, message_id, details in found]
