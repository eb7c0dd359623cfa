"""Translations of messages: what a chat's switch says, and what stands beside a message. Pure.

A message's `body` is what the visitor wrote or was shown. Translations lie in its details, so they live and die with
it. One that `is_source` holds the words of the operator who wrote a message whose `body` is the translation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from apps.agents.rules.choices import language_refusal

# Of a message's details.
TRANSLATIONS = "translations"
MAX_SOURCE, MAX_TO, MAX_READ_WORDS = 10_000, 4, 3
# How many of a chat's newest messages are translated when it is switched on; and how many wait at most.
EARLIER, MOST_WAITING = 30, 200


class TranslationState(StrEnum):
    """The state of a translation."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class LanguageSource(StrEnum):
    """How a visitor's language is known, the surest first."""

    OPERATOR = "operator"
    MODEL = "model"
    HEARD = "heard"
    WIDGET = "widget"
    BROWSER = "browser"
    MESSENGER = "messenger"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTranslation:
    """The switch of a chat. `language` is the visitor's, where an operator set it or a model said it (`source`);
    `doubt` is another one that the model has said once since. `to`: the languages of who reads.
    """

    on: bool = False
    to: tuple[str, ...] = ()
    language: str | None = None
    source: str | None = None
    doubt: str | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> "ChatTranslation":
        known = {name: value for name, value in (stored or {}).items() if name in cls.__dataclass_fields__}
        return cls(**{**known, "to": tuple(known.get("to", ()))})

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "to": list(self.to)}

    def told(self, language: str) -> "ChatTranslation":
        """The switch after a model has said the language of the visitor's words: to change it takes two running."""
        if self.source == LanguageSource.OPERATOR or language == self.language:
            return replace(self, doubt=None)
        if self.source == LanguageSource.MODEL and self.doubt != language:
            return replace(self, doubt=language)
        return replace(self, language=language, source=LanguageSource.MODEL.value, doubt=None)


def known_language(
    stored: Mapping[str, Any] | None, *, heard: str, served: str | None, messenger: Any
) -> tuple[str, LanguageSource] | None:
    """A visitor's language by the surest sign, and which one that was; None where nothing names one.

    `heard`: by their words; `served`: by their browser or the widget, with the country if it is the browser;
    `messenger`: by the messenger's app. An operator's word and a model's are surer.
    """
    chosen = ChatTranslation.of(stored)
    if chosen.language and chosen.source:
        return chosen.language, LanguageSource(chosen.source)
    if heard:
        return heard, LanguageSource.HEARD
    if served:
        # The widget's own languages have no country.
        return served[:2].lower(), LanguageSource.BROWSER if "-" in served else LanguageSource.WIDGET
    told = str(messenger or "")[:2].lower()
    return (told, LanguageSource.MESSENGER) if told.isalpha() else None


def readers(reads: Iterable[Sequence[str]], visitor_language: str | None) -> tuple[str, ...]:
    """The languages that a visitor's words are translated to: the first of each person's who does not read theirs."""
    wanted = (codes[0] for codes in reads if codes and visitor_language not in codes)
    return tuple(dict.fromkeys(wanted))[:MAX_TO]


def says_something(body: str) -> bool:
    """Whether there is anything to translate."""
    return any(character.isalpha() for character in body)


def waiting(languages: Iterable[str]) -> list[dict[str, Any]]:
    """Translations that are to come."""
    state = TranslationState.PENDING.value
    return [{"lang": lang, "text": "", "is_source": False, "state": state, "differs": []} for lang in languages]


def with_waiting(content: Mapping[str, Any], to: Sequence[str]) -> Mapping[str, Any]:
    """A message's content with the translations that it waits for, where somebody reads one."""
    if not to or not says_something(content.get("body", "")):
        return content
    return {**content, "details": {**(content.get("details") or {}), TRANSLATIONS: waiting(to)}}


def own_words(text: str, lang: str) -> dict[str, Any]:
    """The words of who wrote a translated message, as they stand among its translations."""
    return {"lang": lang, "text": text, "is_source": True, "state": TranslationState.DONE.value, "differs": []}


def with_source(content: Mapping[str, Any], text: str, lang: str) -> Mapping[str, Any]:
    """A translated message's content with the words of who wrote it."""
    return {**content, "details": {**(content.get("details") or {}), TRANSLATIONS: [own_words(text, lang)]}}


def translations_of(details: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """All translations of a message, those that wait among them."""
    return list((details or {}).get(TRANSLATIONS) or ())


def done_translations_of(details: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The translations that are there."""
    return [each for each in translations_of(details) if each["state"] == TranslationState.DONE]


def translated_from(details: Mapping[str, Any] | None) -> str | None:
    """The language in which a message was written whose body is a translation; None for any other."""
    return next((str(each["lang"]) for each in translations_of(details) if each["is_source"]), None)


def pending_of(details: Mapping[str, Any] | None) -> list[str]:
    """The languages of the translations that a message waits for."""
    return [str(each["lang"]) for each in translations_of(details) if each["state"] == TranslationState.PENDING]


def with_made(details: Mapping[str, Any] | None, lang: str, made: Mapping[str, Any]) -> dict[str, Any]:
    """A message's details in which the translation to a language has these members."""
    translations = [{**each, **made} if each["lang"] == lang else each for each in translations_of(details)]
    return {**(details or {}), TRANSLATIONS: translations}


def translations_refusal(found: Any) -> str | None:
    """Why these are no translations of an imported message, or None when they are."""
    if not isinstance(found, list) or len(found) > 2 * MAX_TO:
        return "A list of translations is expected."
    for each in found:
        if not isinstance(each, dict) or each.keys() != {"lang", "text", "is_source", "state", "differs"}:
            return "An object of lang, text, is_source, state and differs is expected."
        if not isinstance(each["lang"], str) or not isinstance(each["text"], str) or len(each["text"]) > 4 * MAX_SOURCE:
            return "A language and a text are expected."
        if not isinstance(each["is_source"], bool) or each["state"] not in tuple(TranslationState):
            return "A state is expected."
        if not isinstance(each["differs"], list):
            return "A list of differences is expected."
    return None


def switch_refusal(found: Any) -> str | None:
    """Why this is no switch of an imported chat, or None when it is."""
    if found is None:
        return None
    if not isinstance(found, dict) or not found.keys() <= ChatTranslation.__dataclass_fields__.keys():
        return "An object of on, to, language, source and doubt is expected."
    codes = [*found.get("to", []), *(found[name] for name in ("language", "doubt") if found.get(name))]
    if not isinstance(found.get("on", False), bool) or not all(isinstance(code, str) for code in codes):
        return "A switch and codes of languages are expected."
    return next(filter(None, map(language_refusal, codes)), None)
