"""The questions about models and knowledge that apps ask each other without an import, and the types of their answers.

Without an app that answers, no AI answers and nothing makes vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from apps.core.plugins import HookSet, hooked
from apps.kb.rules.texts import article_of

if TYPE_CHECKING:
    from datetime import datetime

    from apps.egress.call_budget import CallBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeHooks(HookSet):
    """The answers of an app to these questions (its `hooks.py`)."""

    # By widget: whether its AI answers, and by whom.
    answering: Callable[[int], Answering] | None = None
    # The models that make vectors.
    embeddings: Embeddings | None = None
    # The knowledge that an answer may rest on.
    knowledge: Retrieve | None = None
    # An SQL query, by the parameter `widget_id`, for one JSON value that `knowledge` takes as `ReadBase`.
    knowledge_base: str | None = None
    # By widget: how many answers of late were given each piece of knowledge, by its id.
    used_knowledge: Callable[[int], Mapping[int, int]] | None = None
    # By widget: the address of the cabinet's page of all that was asked in vain.
    gaps_page: Callable[[int], str] | None = None
    # By widget: the questions that the knowledge had no answer to of late, and how often, the most frequent first.
    asked_in_vain: Callable[[int], Sequence[tuple[str, int]]] | None = None
    # By widget: the beginnings of addresses of its own pages whose text is knowledge already, each up to a slash.
    own_pages: Callable[[int], Sequence[str]] | None = None
    # By widget, from a moment until another: how many answers named each source, by its name.
    cited_sources: Callable[[int, datetime, datetime], Mapping[str, int]] | None = None


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
    for ask in hooked(lambda app: app.answering, KnowledgeHooks):
        return ask(widget_id)
    return Answering(enabled=False, rag_enabled=False, assistants=())


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
        self, widget_id: int, texts: Sequence[str], *, task: Literal["document", "query"], budget: CallBudget
    ) -> Vectors:
        """Raises NoEmbeddings, BudgetExhausted, ModelFailed, and `SpentError` of the meter."""


def embeddings() -> Embeddings | None:
    """The object that makes embeddings; None where no app has one."""
    for found in hooked(lambda app: app.embeddings, KnowledgeHooks):
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

    @property
    def article_id(self) -> int | None:
        """The article that it is of, which the visitor may read in the chat; None of other knowledge."""
        return article_of(self.source_ref)


class Knowledge(NamedTuple):
    """The knowledge that was found for a question."""

    status: Literal["empty", "included", "unavailable"]
    chunks: Sequence[KnowledgePiece]


class ReadBase(NamedTuple):
    """A widget's knowledge base as it was read with something else (`knowledge_base_sql`); None: it has none."""

    row: Mapping[str, Any] | None


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
        budget: CallBudget,
        base: ReadBase | None = None,
    ) -> Knowledge:
        """Fails for no reason of its own: what can't be read leaves `unavailable`.

        `base`: where it was read already.
        """


def own_pages(widget_id: int) -> tuple[str, ...]:
    """The beginnings of addresses of the widget's own pages, which no crawl reads: their text is knowledge already."""
    return tuple(each for pages in hooked(lambda app: app.own_pages, KnowledgeHooks) for each in pages(widget_id))


def cited_sources(widget_id: int, since: datetime, until: datetime) -> Mapping[str, int]:
    """How many answers from a moment until another named each source, by its name; empty without AI."""
    for cited in hooked(lambda app: app.cited_sources, KnowledgeHooks):
        return cited(widget_id, since, until)
    return {}


def retriever() -> Retrieve | None:
    """The function that finds knowledge; None where no app has any."""
    for found in hooked(lambda app: app.knowledge, KnowledgeHooks):
        return found
    return None


def knowledge_base_sql() -> str:
    """An expression, by the parameter `widget_id`, for the row of `ReadBase`."""
    return next((f"({query})" for query in hooked(lambda app: app.knowledge_base, KnowledgeHooks)), "NULL::json")
