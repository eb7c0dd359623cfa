"""The sentence that tells a visitor that a machine speaks, before its first message (EU AI Act, article 50). Pure."""

from collections.abc import Mapping
from typing import Any

from apps.ai.rules.languages import LANGUAGES
from apps.ai.rules.phrases import MAX_PHRASE, cleaned

DISCLOSURES = {
    "ru": "Вам отвечает ИИ. Он может ошибаться.",
    "en": "An AI is answering you. It can make mistakes.",
    "el": "Σας απαντά τεχνητή νοημοσύνη. Μπορεί να κάνει λάθη.",
    "de": "Ihnen antwortet eine KI. Sie kann sich irren.",
    "es": "Le responde una IA. Puede equivocarse.",
    "ar": "يجيبك ذكاء اصطناعي، وقد يخطئ.",
    "zh": "正在回复您的是人工智能，它可能会出错。",
}
"""What is said by default, by language."""


def disclosure(language: str, worded: str, worded_i18n: Mapping[str, str]) -> str:
    """The sentence in a language: as the owner words it there, else as they word it anywhere, else the default."""
    return worded_i18n.get(language) or worded or DISCLOSURES.get(language) or DISCLOSURES["en"]


def is_wording(text: Any) -> bool:
    """Whether a text can be the sentence: it has letters. Without, it would take the sentence away."""
    return isinstance(text, str) and len(text) <= MAX_PHRASE and any(map(str.isalpha, text))


def are_wordings(texts: Any) -> bool:
    """Whether these can be the sentence by language; null takes a wording back."""
    if not isinstance(texts, dict) or not texts.keys() <= set(LANGUAGES):
        return False
    return all(text is None or (isinstance(text, str) and is_wording(cleaned(text))) for text in texts.values())
