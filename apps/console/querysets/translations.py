"""The translation of chats as operators are shown it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps as django_apps
from django.db.models import OuterRef

from apps.agents.actions.choices import choices_of
from apps.agents.models import Agent
from apps.chats.models import Message
from apps.chats.rules.console_settings import TranslationMode
from apps.chats.rules.translations import TRANSLATIONS, ChatTranslation, LanguageSource, known_language, translations_of
from apps.console.rules.limits import spoken

# How many of a chat's newest messages are looked at.
NEWEST = 50


@dataclass(frozen=True, slots=True)
class TranslationReader:
    """A reader of chats: the languages that they read, the one that the console speaks to them, and whether chats are
    translated at all.
    """

    reads: Sequence[str]
    speaks: str
    offers: TranslationMode

    @property
    def may_translate(self) -> bool:
        """Whether they may have a chat translated, whatever its language."""
        return self.offers is not TranslationMode.OFF

    def understands(self, language: str) -> bool:
        """Whether they need no translation of it: the one who reads the console in it needs none."""
        return language in self.reads or language == self.speaks

    def wants(self, translation: Mapping[str, Any]) -> bool:
        """Whether a translation is offered to them."""
        is_off = not self.may_translate or translation["on"]
        return not is_off and not self.understands(translation["visitor_language"])

    def shown(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """The card as they see it."""
        translation = card["translation"]
        shown = {name: value for name, value in translation.items() if name != "was_switched"}
        return {
            **card,
            "translation": {**shown, "is_offered": self.wants(translation), "is_possible": self.may_translate},
        }


def translation_reader(operator: Agent, language: str | None = None) -> TranslationReader:
    """The operator as a reader. `language` is the page's; without it, the one that they were seen with counts."""
    choices = choices_of(operator.widget_id, operator.pk)
    speaks = spoken(language or (operator.user.mail_language if operator.user else ""))
    return TranslationReader(choices.reads or [speaks], speaks, offers_of(operator.widget_id))


def offers_of(widget_id: int) -> TranslationMode:
    """Whether chats of a widget can be translated: its settings say so, and a model can be asked."""
    if not django_apps.is_installed("apps.assists"):
        return TranslationMode.OFF
    from apps.assists.actions.asking import available_kinds
    from apps.assists.rules.kinds import AssistKind
    from apps.chats.settings import console_settings

    if AssistKind.TRANSLATION not in available_kinds(widget_id):
        return TranslationMode.OFF
    return TranslationMode(console_settings(widget_id).translation)


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
    found = known_language(
        stored, heard="", served=(visit or {}).get("lang"), messenger=attributes.get(f"{channel}_language")
    )
    language, source = found or (otherwise, LanguageSource.DEFAULT)
    return {
        "on": known.on,
        "is_offered": False,
        "visitor_language": language,
        "from": source,
        "to": list(known.to),
        "was_switched": stored is not None,
    }


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
