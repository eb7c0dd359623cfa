"""Questions of apps to models of language and to knowledge, whichever app has them (slots of `core.plugins`).

`chat_model`, `embeddings`, `answering` and `alerts` are the app `ai`'s, `knowledge` is the knowledge base's,
`taken_messages` the support desk's, `wishes` self-learning's. Without an app that plugs in, a model is not available,
knowledge is `unavailable`, no AI answers, an alert is dropped, no message is taken, and no wish is taken.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from apps.core import plugins
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.core.problems import Problem

if TYPE_CHECKING:
    from apps.egress.call_budget import CallBudget


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
    """The slot `knowledge`. Never raises for what its providers do: then it is `unavailable`."""

    def __call__(
        self,
        *,
        widget_id: int,
        assistant_id: int,
        operator_id: int | None,
        query: str,
        language: str,
        limit: int = 8,
        max_tokens: int = 3_000,
        meter: "CallBudget",
    ) -> Knowledge: ...


class ModelReply(NamedTuple):
    """A model's words, which model said them, and what that cost."""

    text: str
    model: str
    prompt_tokens: int
    completion_tokens: int


class NoModel(Exception):
    """No active credential of the widget can be used."""


class ModelFailed(Exception):
    """Every credential failed; `reason` is for programs (`timeout`, `unreachable`, `rejected_key`, …).

    `status` is what the provider answered with, None if it did not; `retry_after` the seconds that a 429 asks to wait.
    """

    def __init__(self, reason: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.status, self.retry_after = reason, status, retry_after


class BudgetExhausted(ModelFailed):
    """The call does not fit into the widget's tokens of the day (UTC). Nothing was sent, and no credential is tried.

    `refusal` is the problem for a caller who waits.
    """

    def __init__(self, retry_after: int) -> None:
        super().__init__("budget_exhausted", retry_after=retry_after)

    @property
    def refusal(self) -> Problem:
        return AI_BUDGET_EXHAUSTED(headers={"Retry-After": f"{self.retry_after:.0f}"})


class ChatModel(Protocol):
    """The slot `chat_model`: without an `assistant_id`, widget-wide credentials alone count."""

    def available(self, widget_id: int, assistant_id: int | None = None) -> bool:
        """Whether a model could be asked. No model is asked."""

    def complete(
        self,
        widget_id: int,
        *,
        purpose: str,
        system: str,
        messages: Sequence[tuple[Literal["user", "assistant"], str]],
        max_tokens: int,
        meter: "CallBudget",
        assistant_id: int | None = None,
    ) -> ModelReply:
        """Raises NoModel, BudgetExhausted, ModelFailed, and `SpentError` of the meter."""


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
    """The slot `embeddings`."""

    def which(self, widget_id: int) -> Embedder | None:
        """The model that would embed, None without one. No vendor is asked."""

    def embed(
        self, widget_id: int, texts: Sequence[str], *, task: Literal["document", "query"], meter: "CallBudget"
    ) -> Vectors:
        """Raises NoEmbeddings, BudgetExhausted, ModelFailed, and `SpentError` of the meter."""


class AnsweringAssistant(NamedTuple):
    """An assistant, as far as others need to know whether it answers."""

    id: int
    enabled: bool
    rag_enabled: bool


class Answering(NamedTuple):
    """Whether a widget's AI answers, and by whom (slot `answering`: `(widget_id) -> Answering`)."""

    enabled: bool
    rag_enabled: bool
    assistants: Sequence[AnsweringAssistant]


class Report(Protocol):
    """The slot `alerts`: opens an alert of the widget, or counts it once more."""

    def __call__(self, widget_id: int, code: str, message: str, **ids: int | None) -> None: ...


class TakenMessages(Protocol):
    """The slot `taken_messages`: the messages of a chat that another app answers, such as a code that was asked for.

    AI does not.
    """

    def __call__(self, widget_id: int, chat_id: int, message_ids: Sequence[int]) -> Collection[int]: ...


class TakesText(Protocol):
    """The slot `takes_text`: whether a text that a client writes is taken by an app that fills `taken_messages`.

    It is asked before the text is stored, by an app that would carry it on at once.
    """

    def __call__(self, widget_id: int, chat_id: int, text: str) -> bool: ...


NOBODY = Answering(enabled=False, rag_enabled=False, assistants=())
NOTHING_KNOWN = Knowledge("unavailable", ())


class WishTaken(NamedTuple):
    """A wish that was submitted, and for whom."""

    id: int
    assistant_id: int
    status: str


class TakeWish(Protocol):
    """The slot `wishes`. The wish is for the assistant that wrote the message, else for the default one."""

    def __call__(
        self, *, widget_id: int, user_id: int, text: str, chat_id: int, message_id: int | None
    ) -> WishTaken | None: ...


def retriever() -> Retrieve | None:
    """The function that finds knowledge; None where no app plugs one in."""
    found: list[Retrieve] = plugins.plugged_in("knowledge")
    return found[0] if found else None


def chat_model() -> ChatModel | None:
    """The object that asks models; None where no app plugs one in."""
    found: list[ChatModel] = plugins.plugged_in("chat_model")  # type: ignore[assignment]
    return found[0] if found else None


def embeddings() -> Embeddings | None:
    """The object that makes embeddings; None where no app plugs one in."""
    found: list[Embeddings] = plugins.plugged_in("embeddings")  # type: ignore[assignment]
    return found[0] if found else None


def answering(widget_id: int) -> Answering:
    """Whether a widget's AI answers, and by whom."""
    for ask in plugins.plugged_in("answering"):
        said: Answering = ask(widget_id)
        return said
    return NOBODY


def taken_messages(widget_id: int, chat_id: int, message_ids: Sequence[int]) -> frozenset[int]:
    """The messages of a chat that another app answers; none if no app takes any."""
    if not message_ids:
        return frozenset()
    takers: list[TakenMessages] = plugins.plugged_in("taken_messages")
    return frozenset(taken for ask in takers for taken in ask(widget_id, chat_id, message_ids))


def submit_wish(*, widget_id: int, user_id: int, text: str, chat_id: int, message_id: int | None) -> WishTaken | None:
    """Keeps what a person says that the assistant should have done in a chat; None where there is no assistant.

    Raises NOT_FOUND (404) for a foreign chat.
    """
    takers: list[TakeWish] = plugins.plugged_in("wishes")
    for take in takers:
        return take(widget_id=widget_id, user_id=user_id, text=text, chat_id=chat_id, message_id=message_id)
    return None


def takes_text(widget_id: int, chat_id: int, text: str) -> bool:
    """Whether an app takes a client's text, so that it is not carried on."""
    takers: list[TakesText] = plugins.plugged_in("takes_text")
    return any(ask(widget_id, chat_id, text) for ask in takers)


def report_alert(widget_id: int, code: str, message: str, **ids: int | None) -> None:
    """Opens an alert, or counts it once more."""
    for report in plugins.plugged_in("alerts"):
        report(widget_id, code, message, **ids)
