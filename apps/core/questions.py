"""The questions that apps ask each other without an import, and the types of their answers (`plugins.Hooks`).

Without an app that answers, a plan allows everything, a widget speaks English, no AI answers, nothing makes vectors and
no message is taken.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from apps.core.plugins import hooked

if TYPE_CHECKING:
    from apps.egress.call_budget import CallBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class Entitlements:
    """`paid`: there is a paid plan. `ad_slots`: how many ad-marketplace cabinets may be enabled; None is no limit."""

    paid: bool
    ad_slots: int | None


EVERYTHING = Entitlements(paid=True, ad_slots=None)


def entitlements_of(widget_id: int) -> Entitlements:
    """The entitlements of the widget's plan at this moment. `accounts.PlanChanged` tells that one was bought, or
    ended."""
    for entitlements in hooked(lambda app: app.entitlements):
        return entitlements(widget_id)
    return EVERYTHING


def is_moving(widget_id: int) -> bool:
    """Whether the widget's account moves to another installation at this moment, so that its data only is read."""
    return any(moves(widget_id) for moves in hooked(lambda app: app.is_moving))


class WidgetLanguage(Protocol):
    """In which language a widget, or one of its visitors, is spoken to."""

    def effective(self, widget_id: int) -> str:
        """The widget's fixed language; where it follows its visitors, the one that it falls back on."""

    def of_contact(self, contact_id: int) -> str | None:
        """The language of a contact's newest session, if the widget supports it."""


def widget_language(widget_id: int) -> str:
    """The language that a widget speaks by itself: `en` where no app knows."""
    for language in hooked(lambda app: app.widget_language):
        return language.effective(widget_id)
    return "en"


def contact_language(contact_id: int) -> str | None:
    """The language in which a contact is served; None where it is not known."""
    for language in hooked(lambda app: app.widget_language):
        return language.of_contact(contact_id)
    return None


def shown_name(widget_id: int, language: str, otherwise: str) -> str:
    """The name under which visitors know a widget, in that language; `otherwise` where no app shows widgets."""
    for ask in hooked(lambda app: app.shown_name):
        return ask(widget_id, language)
    return otherwise


class VisitorPresence(NamedTuple):
    """Whether a visitor looks at a page with the widget: `here`, `left` (`since` then) or `unknown`."""

    state: Literal["here", "left", "unknown"]
    since: datetime | None = None


UNKNOWN = VisitorPresence("unknown")


def visitor_presence(widget_id: int, contact_ids: Collection[int]) -> dict[int, VisitorPresence]:
    """The presence of each of these contacts; UNKNOWN where no app knows it."""
    found = dict.fromkeys(contact_ids, UNKNOWN)
    if contact_ids:
        for ask in hooked(lambda app: app.visitor_presence):
            found |= ask(widget_id, contact_ids)
    return found


def contact_address(widget_id: int, contact_id: int) -> str | None:
    """The network address of a contact's newest session, as rate limits count it; None where no app knows one."""
    for ask in hooked(lambda app: app.contact_address):
        return ask(widget_id, contact_id)
    return None


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
    for stops in hooked(lambda app: app.mail_stops):
        return stops.link(widget_id, email)
    return None


def is_mail_stopped(widget_id: int, email: str) -> bool:
    """Whether the owner of an address wants no more mail of a widget."""
    return any(stops.is_stopped(widget_id, email) for stops in hooked(lambda app: app.mail_stops))


def note_mailed_code(widget_id: int, email: str, contact_id: int) -> None:
    """A contact typed a code that was mailed to an address: it is theirs. Part of the caller's transaction."""
    for stops in hooked(lambda app: app.mail_stops):
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
    for desk in hooked(lambda app: app.visitor_desk):
        return desk
    return None


def continuation(widget_id: int, contact_id: int, channel: str) -> str | None:
    """The address at which a contact goes on with their chat in a messenger; None where none can be."""
    links = (link(widget_id, contact_id, channel) for link in hooked(lambda app: app.continues))
    return next(filter(None, links), None)


class AnsweringAssistant(NamedTuple):
    """An assistant, as far as others need to know whether it answers."""

    id: int
    enabled: bool
    rag_enabled: bool


class Answering(NamedTuple):
    """Whether a widget's AI answers, and by whom."""

    enabled: bool
    rag_enabled: bool
    assistants: Sequence[AnsweringAssistant]


def answering(widget_id: int) -> Answering:
    """Whether a widget's AI answers, and by whom."""
    for ask in hooked(lambda app: app.answering):
        return ask(widget_id)
    return Answering(enabled=False, rag_enabled=False, assistants=())


def taken_messages(widget_id: int, chat_id: int, message_ids: Sequence[int]) -> frozenset[int]:
    """The messages of a chat that another app answers; none if no app takes any."""
    if not message_ids:
        return frozenset()
    takers = hooked(lambda app: app.taken_messages)
    return frozenset(taken for ask in takers for taken in ask(widget_id, chat_id, message_ids))


def ai_disclosure(widget_id: int, chat_id: int) -> str:
    """The sentence, in the chat's language, that a machine speaks; empty where no app has machines."""
    for ask in hooked(lambda app: app.ai_disclosure):
        return ask(widget_id, chat_id)
    return ""


class ModelFailed(Exception):
    """Every credential failed; `reason` is for programs (`timeout`, `unreachable`, `rejected_key`, …).

    `status` is what the provider answered with, None if it did not; `retry_after` the seconds that a 429 asks to wait.
    """

    def __init__(self, reason: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.status, self.retry_after = reason, status, retry_after


class BudgetExhausted(ModelFailed):
    """The call does not fit into the widget's tokens of the day (UTC). Nothing was sent, and no credential is tried.

    `headers` are those of the refusal for a caller who waits, AI_BUDGET_EXHAUSTED.
    """

    def __init__(self, retry_after: int) -> None:
        super().__init__("budget_exhausted", retry_after=retry_after)

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": f"{self.retry_after:.0f}"}


class NoModel(Exception):
    """No active credential of the widget can be used."""


class NoEmbeddings(Exception):
    """No active credential of the widget makes embeddings."""


class Embedder(NamedTuple):
    """The model that embeds for a widget now; only its own vectors are compared. `model` is "" until it was asked."""

    credential_id: int
    provider: str
    endpoint: str
    model: str
    assistant_id: int | None = None


class Vectors(NamedTuple):
    """A vector for each text, and which model made them."""

    vectors: Sequence[Sequence[float]]
    model: str
    dimension: int


class Embeddings(Protocol):
    """The models that make vectors of texts."""

    def which(self, widget_id: int) -> Embedder | None:
        """The model that would embed, None without one. No vendor is asked."""

    def embed(
        self, widget_id: int, texts: Sequence[str], *, task: Literal["document", "query"], meter: "CallBudget"
    ) -> Vectors:
        """Raises NoEmbeddings, BudgetExhausted, ModelFailed, and `SpentError` of the meter."""


def embeddings() -> Embeddings | None:
    """The object that makes embeddings; None where no app has one."""
    for found in hooked(lambda app: app.embeddings):
        return found
    return None


class KnowledgePiece(NamedTuple):
    """A piece of knowledge that a model is given."""

    id: int
    content: str
    source_ref: str
    title: str
    url: str | None
    score: float


class Knowledge(NamedTuple):
    """The knowledge that was found for a question."""

    status: Literal["empty", "included", "unavailable"]
    chunks: Sequence[KnowledgePiece]


class Retrieve(Protocol):
    """Finds the knowledge that an answer may rest on."""

    def __call__(
        self,
        *,
        widget_id: int,
        assistant_id: int,
        operator_id: int | None,
        query: str,
        language: str,
        meter: "CallBudget",
    ) -> Knowledge:
        """Fails for no reason of its own: what can't be read leaves `unavailable`."""


def retriever() -> Retrieve | None:
    """The function that finds knowledge; None where no app has any."""
    for found in hooked(lambda app: app.knowledge):
        return found
    return None
