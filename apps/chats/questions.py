"""The questions about a chat and its visitor that apps ask each other without an import, and the answers' types.

Without an app that answers, a widget speaks English, no message is taken and no letter is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from django.conf import settings

from apps.chats.rules.translations import known_language
from apps.core.database import fetch_one
from apps.core.plugins import HookSet, hooked

if TYPE_CHECKING:
    from apps.chats.models import Chat

# The languages of the service's own sentences.
SPOKEN = frozenset(code.split("-")[0] for code, _ in settings.LANGUAGES)
# The chat that the hooks in SQL ask about. A statement that reads more of it may have a `chat` of its own.
OF_CHAT = """chat AS MATERIALIZED (
    SELECT id, widget_id, contact_id, channel FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s
)"""
_ASKED = """
SELECT id, via FROM chats_message
WHERE id = ANY (%(ids)s) AND chat_id = %(chat_id)s AND widget_id = %(widget_id)s"""
# In how many seconds to ask again of a chat that is being judged.
JUDGED_IN_S = 0.2


class Brand(NamedTuple):
    """The head of a widget's letters: its name on its accent, in its ink; `edge` is a button's border, if it needs one.

    Colours are `#rrggbb`; those of nobody are the installation's.
    """

    name: str
    accent: str = ""
    ink: str = ""
    edge: str = ""


class PageLook(NamedTuple):
    """A page of a widget's own: the colours of its theme (`#rrggbb` by name), light and dark; the address of the script
    that loads the widget, and the sources that a Content-Security-Policy allows for it.
    """

    light: Mapping[str, str]
    dark: Mapping[str, str]
    script_url: str
    policy: Mapping[str, Sequence[str]]


class QuestionWords(NamedTuple):
    """A question that visitors are asked: its label by language, and the labels of its values."""

    label: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatHooks(HookSet):
    """The answers of an app to these questions (its `hooks.py`)."""

    # By widget, days for each kind and now: deletes a batch of what is kept no longer, and answers how much that was.
    forgets: Callable[[int, Mapping[str, int], datetime], int] | None = None
    # By channel: whether what operators write in its chats is sent on, so that what becomes of it is shown.
    delivers: Callable[[str], bool] | None = None
    # By widgets: the names of the channels that are rows of the app's own, by their codes.
    channel_names: Callable[[Collection[int]], Mapping[str, str]] | None = None
    # An SQL query over `chat` (id, widget_id, contact_id, channel, snoozed_at) and `widget`, its row, for one JSON
    # value: what the app's handlers of `chats.MessagePosted` need of a chat; no row, or null, for a chat that is none
    # of its own.
    read_with_chat: str | None = None
    # By widget, message and the chat's channel, in the transaction of an operator's edit or deletion: whether what was
    # sent on can be changed.
    changes_sent: Callable[[int, int, str], bool] | None = None
    # By widget and contacts: the members of the console's `VisitorSerializer`, for the contacts that the app knows.
    visitor_facts: Callable[[int, Collection[int]], dict[int, dict[str, Any]]] | None = None
    # By widget, a chat and now: whether words to its visitor do not reach them now; None for a chat whose
    # channel is none of the app's.
    is_unreachable: Callable[[int, Chat, datetime], bool | None] | None = None
    # By widget and chats: the values of the console's `MarkSerializer`, for the chats that the app has in hand.
    chat_marks: Callable[[int, Collection[int]], dict[int, list[dict[str, Any]]]] | None = None
    # By widget, chats whose answers are due, and chats in a queue: `sla`, `why` and `place` of the console's rows.
    waiting_facts: Callable[[int, Collection[int], Collection[int]], dict[int, dict[str, Any]]] | None = None
    # By widget and language: members of the config that visitors are served.
    served_config: Callable[[int, str], Mapping[str, Any]] | None = None
    # The language that a widget, or one of its visitors, is spoken to in.
    widget_language: WidgetLanguage | None = None
    # By widget and language: the name that the widget is shown under.
    shown_name: Callable[[int, str], str] | None = None
    # By widget and the name that is shown: the head of its letters to visitors.
    shown_brand: Callable[[int, str], Brand] | None = None
    # By widget: the colours of its public pages, and how these load it.
    page_look: Callable[[int], PageLook] | None = None
    # By widget and contacts: whether each looks at a page with the widget (`questions.VisitorPresence`).
    visitor_presence: Callable[[int, Collection[int]], Mapping[int, VisitorPresence]] | None = None
    # An SQL query over `chat` (id, widget_id, contact_id, channel) for the network address of its contact, as rate
    # limits count it.
    contact_address: str | None = None
    # Addresses that want no mail of a widget.
    mail_stops: MailStops | None = None
    # The support desk, for visitors.
    visitor_desk: VisitorDesk | None = None
    # An SQL condition on `chat`: whether something of it waits to be judged, so that nobody is asked or answers now.
    is_being_judged: str | None = None
    # By widget and messages: those of the visitor's side that a program wrote, such as an automatic letter.
    automatic_messages: Callable[[int, Collection[int]], Collection[int]] | None = None
    # An SQL query over `chat` and `asked` (id, via), messages of its visitor's side, for the ids of those that another
    # app answers, such as a code that was asked for. AI does not. Its parameters are `widget_id` and `chat_id`.
    taken_messages: str | None = None
    # By widget, contact and channel: the address at which they go on with their chat there, once; None without one.
    continues: Callable[[int, int, str], str | None] | None = None
    # By widget and chat: the sentence, in the chat's language, that a machine speaks.
    ai_disclosure: Callable[[int, int], str] | None = None
    # By widget: the names of its assistants, by their ids.
    assistant_names: Callable[[int], Mapping[int, str]] | None = None
    # By widget and keys of questions that its visitors answered: the questions in words, for operators.
    question_words: Callable[[int, Collection[str]], Mapping[str, QuestionWords]] | None = None
    # By widget and chat: title and plain text (2,000 characters at most) of the fresh cards from the shop's own system,
    # where it is proved who the contact is.
    fresh_cards: Callable[[int, int], Sequence[tuple[str, str]]] | None = None


class WidgetLanguages(NamedTuple):
    """The languages of a widget in their order, and the one of visitors who speak none of them."""

    supported: Sequence[str]
    fallback: str


class WidgetLanguage(Protocol):
    """In which language a widget, or one of its visitors, is spoken to."""

    def effective(self, widget_id: int) -> str:
        """The widget's fixed language; where it follows its visitors, the one that it falls back on."""

    def of_widget(self, widget_id: int) -> WidgetLanguages:
        """The languages that a widget supports, and the one that it falls back on."""

    def of_aliases(self, widget_ids: Collection[int]) -> Mapping[int, str]:
        """By widget: the language of its visitors' aliases."""

    def of_contact(self, contact_id: int) -> str | None:
        """The language of a contact's newest session, if the widget supports it."""

    def of_visit(self, contact_id: int) -> str | None:
        """The language that a contact's newest session names, supported by the widget or not."""


def widget_language(widget_id: int) -> str:
    """The language that a widget speaks by itself: `en` where no app knows."""
    for language in hooked(lambda app: app.widget_language, ChatHooks):
        return language.effective(widget_id)
    return "en"


def widget_languages(widget_id: int) -> WidgetLanguages:
    """The languages that a widget supports: those of the service where no app knows."""
    for language in hooked(lambda app: app.widget_language, ChatHooks):
        return language.of_widget(widget_id)
    return WidgetLanguages(sorted(SPOKEN), "en")


def alias_languages(widget_ids: Collection[int]) -> Mapping[int, str]:
    """By widget: the language that its visitors without a name are called in; `en` where no app knows."""
    for language in hooked(lambda app: app.widget_language, ChatHooks):
        return language.of_aliases(widget_ids)
    return {}


def contact_language(contact_id: int) -> str | None:
    """The language in which a contact is served; None where it is not known."""
    return next(iter(_asked(lambda language: language.of_contact(contact_id))), None)


def _asked(question: Callable[[WidgetLanguage], str | None]) -> list[str | None]:
    return [question(language) for language in hooked(lambda app: app.widget_language, ChatHooks)]


def visitor_language(chat: Chat, *, heard: str = "") -> str | None:
    """The language of a chat's visitor by the surest sign (`rules.translations.known_language`): the one question
    of AI, letters, support and console. `heard`: the language of their words, as the app tells it. None where
    nothing names
    one.
    """
    return _known_language(chat, heard, next(iter(_asked(lambda language: language.of_visit(chat.contact_id))), None))


def spoken_language(chat: Chat, *, heard: str = "") -> str:
    """The language in which programs speak to a chat's visitor: theirs, if the service has it; else the widget's.

    A browser's language counts if the widget supports it.
    """
    language = _known_language(chat, heard, contact_language(chat.contact_id))
    return language if language in SPOKEN else widget_language(chat.widget_id)


def _known_language(chat: Chat, heard: str, served: str | None) -> str | None:
    told = chat.contact.attributes.get(f"{chat.channel}_language")
    known = known_language(chat.translation, heard=heard, served=served, messenger=told)
    return known and known[0]


def shown_name(widget_id: int, language: str, otherwise: str) -> str:
    """The name under which visitors know a widget, in that language; `otherwise` where no app shows widgets."""
    for ask in hooked(lambda app: app.shown_name, ChatHooks):
        return ask(widget_id, language)
    return otherwise


def shown_brand(widget_id: int, name: str) -> Brand:
    """The head of a widget's letters to its visitors; in the installation's colours where no app paints widgets."""
    for ask in hooked(lambda app: app.shown_brand, ChatHooks):
        return ask(widget_id, name)
    return Brand(name)


def page_look(widget_id: int) -> PageLook | None:
    """The colours of a widget's public pages, and how these load it; None where no app shows widgets."""
    return next((ask(widget_id) for ask in hooked(lambda app: app.page_look, ChatHooks)), None)


class VisitorPresence(NamedTuple):
    """Whether a visitor looks at a page with the widget: `here`, `left` (`since` then) or `unknown`."""

    state: Literal["here", "left", "unknown"]
    since: datetime | None = None


UNKNOWN = VisitorPresence("unknown")


def visitor_presence(widget_id: int, contact_ids: Collection[int]) -> dict[int, VisitorPresence]:
    """The presence of each of these contacts; UNKNOWN where no app knows it."""
    found = dict.fromkeys(contact_ids, UNKNOWN)
    if contact_ids:
        for ask in hooked(lambda app: app.visitor_presence, ChatHooks):
            found |= ask(widget_id, contact_ids)
    return found


def contact_address(widget_id: int, chat_id: int) -> str | None:
    """The network address of a chat's contact in their newest session, as rate limits count it; None where no app
    knows one.
    """
    return _asked_of_chat(contact_address_sql(), widget_id, chat_id) or None


def contact_address_sql() -> str:
    """The same as an expression over `chat` (`OF_CHAT`)."""
    return next((f"({query})" for query in hooked(lambda app: app.contact_address, ChatHooks)), "NULL::text")


def visitor_facts(widget_id: int, contact_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The facts of visits, by contact: as the apps of channels know them."""
    found: dict[int, dict[str, Any]] = {}
    if contact_ids:
        for ask in hooked(lambda app: app.visitor_facts, ChatHooks):
            found |= ask(widget_id, contact_ids)
    return found


class MailStops(Protocol):
    """The addresses whose owners want no more mail of a widget."""

    def link(self, widget_id: int, email: str) -> str:
        """The address by which a letter's reader ends the widget's mail to theirs."""

    def is_stopped(self, widget_id: int, email: str) -> bool:
        """Whether they did."""

    def note_code(self, widget_id: int, email: str, contact_id: int) -> None:
        """The contact typed a code that was mailed to the address: it is theirs."""


def mail_stop_link(widget_id: int, email: str) -> str | None:
    """The link that ends a widget's mail to an address; None where no app takes such wishes."""
    for stops in hooked(lambda app: app.mail_stops, ChatHooks):
        return stops.link(widget_id, email)
    return None


def is_mail_stopped(widget_id: int, email: str) -> bool:
    """Whether the owner of an address wants no more mail of a widget."""
    return any(stops.is_stopped(widget_id, email) for stops in hooked(lambda app: app.mail_stops, ChatHooks))


def note_mailed_code(widget_id: int, email: str, contact_id: int) -> None:
    """A contact typed a code that was mailed to an address: it is theirs. Part of the caller's transaction."""
    for stops in hooked(lambda app: app.mail_stops, ChatHooks):
        stops.note_code(widget_id, email, contact_id)


class VisitorDesk(Protocol):
    """The support desk for visitors: to prove a mailbox by a code, or to choose the assistant rather than a person."""

    def ask_for_mailbox(
        self, widget_id: int, chat_id: int | None
    ) -> Literal["asked", "off", "no_chat", "agent_handles_chat"]:
        """Waits for a mailbox in the visitor's chat, or says why not; the first that applies."""

    def choose_assistant(self, widget_id: int, chat_id: int | None) -> Literal["chosen", "no_chat"]:
        """A person's word holds the chat no longer."""


def visitor_desk() -> VisitorDesk | None:
    """The support desk; None where no app has one."""
    for desk in hooked(lambda app: app.visitor_desk, ChatHooks):
        return desk
    return None


def question_words(widget_id: int, keys: Collection[str]) -> dict[str, QuestionWords]:
    """The questions in words, by key, as far as an app still asks them. None is looked up without keys."""
    asked = hooked(lambda app: app.question_words, ChatHooks) if keys else []
    return {key: words for ask in asked for key, words in ask(widget_id, keys).items()}


def continuation(widget_id: int, contact_id: int, channel: str) -> str | None:
    """The address at which a contact goes on with their chat in a messenger; None where none can be."""
    links = (link(widget_id, contact_id, channel) for link in hooked(lambda app: app.continues, ChatHooks))
    return next(filter(None, links), None)


def taken_messages(widget_id: int, chat_id: int, message_ids: Sequence[int]) -> frozenset[int]:
    """The messages of a chat that another app answers; none if no app takes any."""
    if not message_ids:
        return frozenset()
    asked = f"asked AS MATERIALIZED ({_ASKED})"
    parameters = {"widget_id": widget_id, "chat_id": chat_id, "ids": list(message_ids)}
    found = fetch_one(f"WITH {OF_CHAT}, {asked} SELECT {taken_messages_sql()} FROM chat", parameters)  # noqa: S608
    return frozenset(found[0] if found else ())


def taken_messages_sql() -> str:
    """The same as an expression over `chat` (`OF_CHAT`) and `asked` (id, via): an array of ids."""
    queries = hooked(lambda app: app.taken_messages, ChatHooks)
    return f"ARRAY({' UNION ALL '.join(queries)})" if queries else "'{}'::bigint[]"


def automatic_messages(widget_id: int, message_ids: Collection[int]) -> frozenset[int]:
    """The messages of the visitor's side among these that a program wrote; none if no app knows of any."""
    asked = hooked(lambda app: app.automatic_messages, ChatHooks)
    return frozenset(found for ask in asked for found in ask(widget_id, message_ids))


def is_unreachable(chat: Chat, now: datetime) -> bool:
    """Whether the visitor is known not to see words to them now, such as behind a vendor's window."""
    return any(ask(chat.widget_id, chat, now) for ask in hooked(lambda app: app.is_unreachable, ChatHooks))


def is_being_judged(widget_id: int, chat_id: int) -> bool:
    """Whether another app is to judge what has just happened in a chat before it is offered or answered."""
    return bool(_asked_of_chat(is_being_judged_sql(), widget_id, chat_id))


def is_being_judged_sql() -> str:
    """The same as a condition on `chat` (`OF_CHAT`)."""
    return " OR ".join(hooked(lambda app: app.is_being_judged, ChatHooks)) or "false"


def _asked_of_chat(expression: str, widget_id: int, chat_id: int) -> Any:
    """The value of an expression over `chat`; None without the chat."""
    sql = f"WITH {OF_CHAT} SELECT {expression} FROM chat"  # noqa: S608 - of constants
    found = fetch_one(sql, {"widget_id": widget_id, "chat_id": chat_id})
    return found and found[0]


def ai_disclosure(widget_id: int, chat_id: int) -> str:
    """The sentence, in the chat's language, that a machine speaks; empty where no app has machines."""
    for ask in hooked(lambda app: app.ai_disclosure, ChatHooks):
        return ask(widget_id, chat_id)
    return ""


def assistant_names(widget_id: int) -> dict[int, str]:
    """The names of a widget's assistants; none where no app has any."""
    named = hooked(lambda app: app.assistant_names, ChatHooks)
    return {pk: name for names_of in named for pk, name in names_of(widget_id).items()}


def channel_names(widget_ids: Collection[int]) -> dict[str, str]:
    """The names of these widgets' channels that are rows of some app, in the reader's language."""
    named = hooked(lambda app: app.channel_names, ChatHooks)
    return {code: name for names_of in named for code, name in names_of(widget_ids).items()}
