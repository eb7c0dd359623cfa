"""Translations of canned replies. Pure."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, TypedDict

from apps.agents.rules.choices import language_refusal
from apps.automations.rules.variables import MAX_REPLY, variables_in

MAX_TRANSLATIONS = 40  # languages of one reply


class ReplyTranslationState(StrEnum):
    """The state of a reply's translation: a model made it; a person approved it; the reply says something else now."""

    MACHINE = "machine"
    APPROVED = "approved"
    STALE = "stale"


class ReplyTranslation(TypedDict):
    """A canned reply in another language, with the same variables."""

    lang: str
    text: str
    state: str


def translated_variables_refusal(body: str, text: str) -> str | None:
    """Why a text is no translation of a canned reply: each of the two has the same variables."""
    wanted, found = variables_in(body), variables_in(text)
    if wanted == found:
        return None
    return f"The variables are not those of the reply: {', '.join(f'{{{name}}}' for name in sorted(wanted ^ found))}."


def with_translation(known: Sequence[ReplyTranslation], lang: str, text: str) -> list[ReplyTranslation]:
    """A reply's translations with one that a person has approved."""
    approved = ReplyTranslation(lang=lang, text=text, state=ReplyTranslationState.APPROVED.value)
    return sorted([*without_translation(known, lang), approved], key=lambda each: each["lang"])


def without_translation(known: Sequence[ReplyTranslation], lang: str) -> list[ReplyTranslation]:
    """A reply's translations but the one of that language."""
    return [each for each in known if each["lang"] != lang]


def stale_translations(known: Sequence[ReplyTranslation]) -> list[ReplyTranslation]:
    """The translations of a reply that says something else from now on."""
    return [{**each, "state": ReplyTranslationState.STALE.value} for each in known]


def translation_in(known: Sequence[ReplyTranslation], lang: str) -> str | None:
    """The text of a reply in a language; None without one that holds."""
    stale = ReplyTranslationState.STALE
    return next((each["text"] for each in known if each["lang"] == lang and each["state"] != stale), None)


def translations_refusal(found: Any) -> str | None:
    """Why these are no translations of an imported reply, or None when they are."""
    if not isinstance(found, list) or len(found) > MAX_TRANSLATIONS:
        return f"A list of at most {MAX_TRANSLATIONS} translations is expected."
    for each in found:
        if not isinstance(each, dict) or each.keys() != {"lang", "text", "state"}:
            return "An object of lang, text and state is expected."
        if not isinstance(each["lang"], str) or (refusal := language_refusal(each["lang"])):
            return refusal if isinstance(each["lang"], str) else "A language's code is expected."
        if not isinstance(each["text"], str) or not 1 <= len(each["text"]) <= MAX_REPLY:
            return f"A text of 1 to {MAX_REPLY} characters is expected."
        if each["state"] not in tuple(ReplyTranslationState):
            return "A state is expected."
    return None if len({each["lang"] for each in found}) == len(found) else "Each language stands once."
