"""Texts of the tenant's: which are shown in a language, which are translated, and what a translation may be. Pure."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from apps.chats.rules.texts import text_refusal
from apps.widget.rules.fields import AUTO_TRANSLATE, BY_NAME, SOURCE, SUPPORTED, TEXTS, TRANSLATIONS
from apps.widget.rules.languages import GREETINGS

NAME, GREETING = "widget_name", "widget_greeting"
RESERVATIONS_AN_HOUR = 42
# Of a translation beside its source, in characters.
MOST_TIMES, MORE = 3, 40

Cell = tuple[str, str]  # the field and the locale


class State(StrEnum):
    """The state of a text in a language."""

    MANUAL = "manual"
    READY = "ready"
    STALE = "stale"
    PENDING = "pending"
    FAILED = "failed"
    MISSING = "missing"


class Shown(StrEnum):
    """The source of the shown text, the first that there is (specification, "Language resolution order")."""

    MANUAL = "manual"
    AI = "ai"
    SOURCE = "source"
    CATALOGUE = "catalogue"


@dataclass(frozen=True, slots=True)
class StoredTranslation:
    """A row of the store: the last validated text, and how its job is."""

    text: str
    source_hash: str
    wanted_hash: str
    state: str
    error: str
    updated_at: datetime


Store = Mapping[Cell, StoredTranslation]


def source_hash(language: str, text: str) -> str:
    """The hash by which a translation is matched to its source."""
    return hashlib.sha256(f"{language}\0{text}".encode()).hexdigest()


def hash_of(values: Mapping[str, Any], field: str) -> str:
    """The hash of a text's source now."""
    return source_hash(values[SOURCE], values[field])


def manual(values: Mapping[str, Any], field: str, locale: str) -> str | None:
    found: str | None = values[TRANSLATIONS].get(locale, {}).get(field)
    return found


def cells(values: Mapping[str, Any]) -> list[Cell]:
    """The cells to translate: texts with a source, in supported languages but the source's, without an own text."""
    return [
        (field, locale)
        for field in TEXTS
        if values[field] is not None
        for locale in values[SUPPORTED]
        if locale != values[SOURCE] and manual(values, field, locale) is None
    ]


def state_of(values: Mapping[str, Any], cell: Cell, store: Store) -> State:
    """The state of a cell, of a manual or a made text."""
    field, locale = cell
    if manual(values, field, locale) is not None:
        return State.MANUAL
    made = store.get(cell)
    if made is None or values[field] is None:
        return State.MISSING
    now = hash_of(values, field)
    if made.state == State.PENDING:
        return State.PENDING
    if made.state == State.FAILED and made.wanted_hash == now:
        return State.FAILED
    if not made.text:
        return State.MISSING
    return State.READY if made.source_hash == now else State.STALE


def shown(values: Mapping[str, Any], field: str, locale: str, store: Store, *, name: str) -> tuple[Shown, str | None]:
    """The text that visitors of a language see, and where it comes from. `name` is the widget's."""
    if (own := manual(values, field, locale)) is not None:
        return Shown.MANUAL, own
    source = values[field]
    if source is not None and values[AUTO_TRANSLATE] and locale != values[SOURCE]:
        made = store.get((field, locale))
        if made is not None and made.text and made.source_hash == hash_of(values, field):
            return Shown.AI, made.text
    if source is not None:
        return Shown.SOURCE, source
    return Shown.CATALOGUE, {NAME: name, GREETING: GREETINGS.get(locale)}.get(field)


_TAG = re.compile(r"</?[a-zA-Z!?][^>]*>?")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_KEPT = re.compile(r"https?://[^\s<>\"')]+|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]+)+|\{[^{}\s]*+\}")
_SCRIPTS = {
    "ru": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "zh": re.compile("[\u3400-\u9fff]"),
}


def is_valid(text: object, *, source: str, field: str, locale: str) -> bool:
    """Whether what a model answered may be shown as the translation of a source."""
    setting = BY_NAME[field]
    if not isinstance(text, str) or text_refusal(text, multiline=setting.multiline) is not None:
        return False
    if len(text) > min(setting.max_length or 0, MOST_TIMES * len(source) + MORE):
        return False
    if any(_besides(pattern, text, source) for pattern in (_TAG, _BIDI)):
        return False
    if sorted(_links(text)) != sorted(_links(source)):
        return False
    script = _SCRIPTS.get(locale)
    has_letters = any(each.isalpha() for each in _KEPT.sub("", source))
    return field == NAME or script is None or not has_letters or script.search(text) is not None


def _besides(pattern: re.Pattern[str], text: str, source: str) -> bool:
    return not set(pattern.findall(text)) <= set(pattern.findall(source))


def _links(text: str) -> Iterator[str]:
    return (each.rstrip(".,;:!?") for each in _KEPT.findall(text))


def counts(values: Mapping[str, Any], store: Store) -> dict[str, int]:
    """How many cells are in each state, a cell once; what was never asked for is in none."""
    found = [state_of(values, cell, store) for cell in cells(values)]
    return {state: found.count(State(state)) for state in ("ready", "stale", "pending", "failed")}


def wanting(values: Mapping[str, Any], store: Store) -> list[Cell]:
    """The cells that are asked for by themselves: those never asked for, and those of an older source."""
    found: Collection[State] = (State.MISSING, State.STALE)
    return [cell for cell in cells(values) if state_of(values, cell, store) in found]
