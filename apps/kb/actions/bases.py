"""The row of a widget's knowledge base: writers of rules lock it first."""

from collections.abc import Iterable

from django.conf import settings

from apps.kb import questions
from apps.kb.errors import KB_FULL
from apps.kb.models import Embedding, KnowledgeBase
from apps.kb.questions import Embedder
from apps.kb.rules.spaces import space_of
from apps.kb.rules.texts import EmbeddingStatus


def locked_base(widget_id: int) -> KnowledgeBase:
    """The widget's row, made where there is none, locked until the transaction ends."""
    rows = KnowledgeBase.objects.for_widget(widget_id).select_for_update(of=("self",), no_key=True)
    found = rows.first()
    if found is None:
        KnowledgeBase.objects.bulk_create([KnowledgeBase(widget_id=widget_id, due_at=None)], ignore_conflicts=True)
        found = rows.get()
    return found


def require_room(base: KnowledgeBase, more: int) -> None:
    """Raises KB_FULL (409) where so many rules more do not go in. The row is locked."""
    if more > 0 and base.rules + more > settings.KB_MAX_RULES:
        raise KB_FULL()


def embedder_of(widget_id: int) -> Embedder | None:
    """The model that would embed for the widget now. Asks no vendor."""
    embeddings = questions.embeddings()
    return None if embeddings is None else embeddings.which(widget_id)


def is_of(base: KnowledgeBase, embedder: Embedder) -> bool:
    """Whether the statuses of the base's rules are about this model."""
    return (base.provider, base.endpoint, base.model) == (embedder.provider, embedder.endpoint, embedder.model)


def space_of_model(embedder: Embedder) -> str:
    return space_of(embedder.provider, embedder.endpoint, embedder.model)


def set_model(base: KnowledgeBase, embedder: Embedder) -> None:
    """Says which model the statuses are about from now on. The row is locked."""
    base.provider, base.endpoint, base.model = embedder.provider, embedder.endpoint, embedder.model
    known = Embedding.objects.for_widget(base.widget_id).filter(space=space_of_model(embedder)).first()
    base.dimension = None if known is None else len(known.vector)
    base.save(update_fields=["provider", "endpoint", "model", "dimension"])


def bind_if_empty(base: KnowledgeBase, embedder: Embedder) -> None:
    """An emptied base is bound to no model: the first rule's is its own. The row is locked."""
    if not base.rules and embedder.model and not is_of(base, embedder):
        set_model(base, embedder)


def space_in_use(base: KnowledgeBase, embedder: Embedder | None) -> str | None:
    """The space whose vectors count; None without a model, or while it has made none."""
    if embedder is None or base.dimension is None or not is_of(base, embedder):
        return None
    return space_of(base.provider, base.endpoint, base.model)


def statuses(base: KnowledgeBase, digests: Iterable[bytes]) -> dict[bytes, EmbeddingStatus]:
    """The embedding status of rules with these texts: `ready` where the model in use has embedded the text before,
    `pending` while it will, `none` without one.
    """
    embedder = embedder_of(base.widget_id)
    if embedder is None:
        return dict.fromkeys(digests, EmbeddingStatus.NONE)
    bind_if_empty(base, embedder)
    found = dict.fromkeys(digests, EmbeddingStatus.PENDING)
    if embedder.model and found:
        space = space_of_model(embedder)
        vectors = Embedding.objects.for_widget(base.widget_id).filter(space=space, digest__in=list(found))
        found.update((bytes(each), EmbeddingStatus.READY) for each in vectors.values_list("digest", flat=True))
    return found
