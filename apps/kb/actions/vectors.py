"""Vectors: asked for, kept by the text that they are of, and what the rules of that text become."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.egress.call_budget import CallBudget, SpentError
from apps.kb import questions
from apps.kb.actions.bases import bind_if_empty, is_of, set_model, space_of_model
from apps.kb.models import Embedding, KnowledgeBase, Rule
from apps.kb.questions import Embedder, ModelFailed, NoEmbeddings
from apps.kb.rules.texts import EmbeddingStatus


class MadeVectors(NamedTuple):
    """Vectors, and who made them."""

    by: Embedder
    vectors: Sequence[Sequence[float]]


def embedded(
    widget_id: int, texts: Sequence[str], *, task: Literal["document", "query"], budget: CallBudget
) -> MadeVectors:
    """The texts' vectors. Raises NoEmbeddings, BudgetExhausted, ModelFailed; a meter that is spent is a `timeout`."""
    embeddings = questions.embeddings()
    if embeddings is None:
        raise NoEmbeddings
    try:
        made = embeddings.embed(widget_id, texts, task=task, budget=budget)
    except SpentError:
        raise ModelFailed("timeout") from None
    # Only now it is known: the first credential's server may make none, and a model may have been found.
    by = embeddings.which(widget_id)
    if by is None or by.model != made.model:
        raise NoEmbeddings
    return MadeVectors(by, made.vectors)


def keep(base: KnowledgeBase, embedder: Embedder, made: Mapping[bytes, Sequence[float]]) -> None:
    """Keeps vectors by the digest of their text, and has its rules be `ready`. The base is locked.

    A model that begins to make vectors of another length is as good as another one: its old ones go.
    """
    space = space_of_model(embedder)
    dimension = len(next(iter(made.values())))
    is_of_base = _is_in_use(base, embedder)
    if is_of_base and base.dimension not in (None, dimension):
        _forget_vectors(base, space)
    rows = [
        Embedding(widget_id=base.widget_id, digest=digest, space=space, vector=list(vector), created_at=timezone.now())
        for digest, vector in made.items()
    ]
    Embedding.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["widget", "digest"],
        update_fields=["space", "vector", "created_at"],
    )
    if is_of_base and base.dimension != dimension:
        base.dimension = dimension
        base.save(update_fields=["dimension"])
    _make_ready(base.widget_id, list(made))


def _is_in_use(base: KnowledgeBase, embedder: Embedder) -> bool:
    """Whether the rules' statuses are about the model; of a base without any vector so far they are from now on."""
    if not base.provider:
        set_model(base, embedder)
    bind_if_empty(base, embedder)
    return is_of(base, embedder)


def _forget_vectors(base: KnowledgeBase, space: str) -> None:
    Embedding.objects.for_widget(base.widget_id).filter(space=space).delete()
    Rule.objects.for_widget(base.widget_id).filter(embedding_status=EmbeddingStatus.READY).update(
        embedding_status=EmbeddingStatus.PENDING
    )


def _make_ready(widget_id: int, digests: Collection[bytes]) -> None:
    waiting = (
        Rule.objects.for_widget(widget_id).filter(digest__in=digests).exclude(embedding_status=EmbeddingStatus.READY)
    )
    waiting.update(embedding_status=EmbeddingStatus.READY)


def mark(widget_id: int, *, after: int, until: int, space: str | None) -> None:
    """Sets the status of the rules of these ids (after, until] again: `ready` with a vector of the space, else
    `pending`; without a space `none`. The base is locked.
    """
    rules = Rule.objects.for_widget(widget_id).filter(pk__gt=after, pk__lte=until)
    if space is None:
        rules.exclude(embedding_status=EmbeddingStatus.NONE).update(embedding_status=EmbeddingStatus.NONE)
        return
    known = Embedding.objects.for_widget(widget_id).filter(space=space, digest=OuterRef("digest"))
    has_vector = Exists(known)
    rules.filter(has_vector).exclude(embedding_status=EmbeddingStatus.READY).update(
        embedding_status=EmbeddingStatus.READY
    )
    rules.filter(~has_vector).exclude(embedding_status=EmbeddingStatus.PENDING).update(
        embedding_status=EmbeddingStatus.PENDING
    )
