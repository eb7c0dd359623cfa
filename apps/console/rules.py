"""Tickets, canned replies, and how open chats are counted. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict

from apps.accounts.rules import random_base62
from apps.agents.rules.choices import language_refusal
from apps.chats.rules import OPEN, Status

TICKET_PREFIX, TICKET_BODY_LENGTH = "ot_", 40
TICKET_LASTS = timedelta(seconds=60)

PAGE_LENGTH = 50  # rows of the inbox, unless the call says otherwise

# Browsers in which an operator is told of visitors by push messages; bytes of the keys of one (RFC 8291, 3.2).
MAX_BROWSERS, MAX_ENDPOINT = 20, 1_000
KEY_BYTES, AUTH_BYTES = 65, 16

MAX_SHORTCUT, MAX_REPLY = 32, 4_000  # characters
MAX_SHARED_REPLIES, MAX_OWN_REPLIES = 500, 200  # of a widget, and of an operator there

MIN_WISH, MAX_WISH = 3, 2_000  # characters of what an assistant should have done, as the API takes them

_BASE64URL = re.compile("[A-Za-z0-9_-]+={0,2}")
_TICKET = re.compile(rf"{TICKET_PREFIX}[0-9A-Za-z]{{{TICKET_BODY_LENGTH}}}")


def spoken(language: str | None) -> str:
    """The language that the console speaks to somebody whose cabinet or browser has this one."""
    return "ru" if (language or "").startswith("ru") else "en"


def new_ticket() -> str:
    """A fresh ticket: `ot_` and 40 random base62 characters."""
    return TICKET_PREFIX + random_base62(TICKET_BODY_LENGTH)


def is_ticket(text: str) -> bool:
    """Whether a text has the form of a ticket."""
    return _TICKET.fullmatch(text) is not None


def endpoint_refusal(text: str) -> str | None:
    """The refusal of a push service's address; None for nothing. Its target is checked at each message."""
    return None if text.startswith("https://") and text.isascii() else "An https:// address is expected."


def key_refusal(text: str) -> str | None:
    """The refusal of a browser's public key; None for nothing."""
    return None if _decoded_length(text) == KEY_BYTES else f"{KEY_BYTES} bytes in base64url are expected."


def auth_refusal(text: str) -> str | None:
    """The refusal of a browser's secret; None for nothing."""
    return None if _decoded_length(text) == AUTH_BYTES else f"{AUTH_BYTES} bytes in base64url are expected."


def _decoded_length(text: str) -> int:
    if not _BASE64URL.fullmatch(text):
        return -1
    bare = text.rstrip("=")
    return len(bare) * 3 // 4 if len(bare) % 4 != 1 else -1


# --- The inbox --------------------------------------------------------------------------------------------------------

MAX_TEXT_LENGTH = 10_000  # characters of one message; in any script they fit into a frame


class CountedChat(NamedTuple):
    """A chat as it is counted: how far it has come, whose it is, and whether its visitor waits for an answer.

    It is open, or was closed while its visitor waited: then only the wait counts. A chat that is put aside is only
    that.
    """

    version: int
    status: Status
    channel: str
    agent_id: int | None
    department_id: int | None
    is_unanswered: bool
    is_snoozed: bool = False


class Counts:
    """How many chats there are of each kind, kept up as they come and go."""

    def __init__(self) -> None:
        self._numbers: Counter[tuple[str, Any]] = Counter()

    def add(self, chat: CountedChat) -> None:
        self._numbers.update(_kinds(chat))

    def remove(self, chat: CountedChat) -> None:
        self._numbers.subtract(_kinds(chat))

    def of(self, agent_id: int, department_ids: Collection[int]) -> dict[str, Any]:
        """As an operator is shown them: `mine` are those that they own, `department` those of their departments."""
        numbers = self._numbers
        channels = {code: count for (kind, code), count in numbers.items() if kind == "channel" and count}
        return {
            "unanswered": numbers["unanswered", True],
            "mine": numbers["agent", agent_id],
            "department": sum(numbers["department", id_] for id_ in department_ids),
            "open": sum(numbers["status", status] for status in OPEN),
            "snoozed": numbers["snoozed", True],
            "statuses": {str(status): numbers["status", status] for status in OPEN},
            "channels": dict(sorted(channels.items())),
        }


def _kinds(chat: CountedChat) -> list[tuple[str, Any]]:
    if chat.is_snoozed:
        return [("snoozed", True)]
    if chat.status not in OPEN:
        return [("unanswered", chat.is_unanswered)]
    return [
        ("status", chat.status),
        ("channel", chat.channel),
        ("agent", chat.agent_id),
        ("department", chat.department_id),
        ("unanswered", chat.is_unanswered),
    ]


def shortcut_refusal(text: str) -> str | None:
    """Why a text is no shortcut of a canned reply; None when it is one."""
    if any(character.isspace() or not character.isprintable() for character in text):
        return "A shortcut has no spaces and no control characters."
    return None


def number_refusal(*, is_shared: bool, count: int) -> str | None:
    """Why there can be no more replies than `count`; None when there can."""
    if is_shared and count >= MAX_SHARED_REPLIES:
        return f"A widget has at most {MAX_SHARED_REPLIES} shared replies."
    if not is_shared and count >= MAX_OWN_REPLIES:
        return f"An operator has at most {MAX_OWN_REPLIES} replies of their own."
    return None


# --- Variables of canned replies: `{visitor.name|there}` --------------------------------------------------------------

# A name has Latin letters, digits, `_` and `.`; braces around anything else are text.
_VARIABLE = re.compile(r"\{([A-Za-z0-9_.]{1,80})(?:\|([^{}|]{0,200}))?\}")
VARIABLES = (
    "visitor.name",
    "visitor.first_name",
    "visitor.email",
    "visitor.phone",
    "visitor.language",
    "operator.name",
    "operator.first_name",
    "widget.name",
    "chat.id",
    "page.url",
    "today",
    "weekday",
)
ATTRIBUTE = "attr."


class FilledText(NamedTuple):
    """A canned reply for a chat, and the names that nothing is known for: they stay in it."""

    text: str
    missing: list[str]


def variable_refusal(body: str) -> str | None:
    """Why a canned reply's variables can't be filled in; None if they can."""
    for name, _ in _VARIABLE.findall(body):
        if name not in VARIABLES and not (name.startswith(ATTRIBUTE) and name != ATTRIBUTE):
            return f"There is no variable {{{name}}}. Known are {', '.join(VARIABLES)} and attr.<name>."
    return None


def filled(body: str, values: Mapping[str, str]) -> FilledText:
    """A canned reply with the values by name, and fallbacks where there are none. Values are not read again."""
    missing: list[str] = []

    def value_of(found: re.Match[str]) -> str:
        name, fallback = found[1], found[2]
        known = values.get(name) or fallback
        if known is None:
            missing.append(name)
            return f"{{{name}}}"
        return known

    text = _VARIABLE.sub(value_of, body)
    return FilledText(text, list(dict.fromkeys(missing)))


# --- Translations of canned replies -----------------------------------------------------------------------------------

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


def without_variables(body: str) -> str:
    """A canned reply's own words."""
    return _VARIABLE.sub(" ", body)


def translated_variables_refusal(body: str, text: str) -> str | None:
    """Why a text is no translation of a canned reply: each of the two has the same variables."""
    wanted, found = ({name for name, _ in _VARIABLE.findall(each)} for each in (body, text))
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
