"""Embedding in the background: rules that wait for a vector, and rules that another model must embed again."""

import time
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from apps.core import bus
from apps.core.questions import Embedder, ModelFailed, NoEmbeddings
from apps.egress.call_budget import CallBudget
from apps.kb.actions.bases import embedder_of, is_of, locked_base, set_model
from apps.kb.actions.vectors import embedded, keep, mark
from apps.kb.events import EmbeddingFailed
from apps.kb.models import Embedding, KnowledgeBase, Rule
from apps.kb.rules.batches import EVERY_S, MAX_TEXTS, fitting, is_about_what_was_sent, wait_s
from apps.kb.rules.spaces import space_of
from apps.kb.rules.texts import EmbeddingStatus, embedded_text
from apps.leases import Lease, wake_workers

SECONDS_EACH = 20.0
# A run gives the worker back then, and the widget's turn comes again.
LONGEST_RUN_S = 200.0
_MARKED_AT_ONCE = 500
_WIDGETS_AT_ONCE = 200


def queue_embedding(base: KnowledgeBase) -> None:
    """Has the widget's rules embedded in the background, once the transaction commits.

    A row that waits after a failure goes on waiting, and one that is worked on is looked at again under the lock before
    its end: so nothing is missed. The row is locked.
    """
    if KnowledgeBase.objects.for_widget(base.widget_id).filter(due_at=None).update(due_at=Now(), waiting_since=Now()):
        wake_workers()


def notice_changes() -> None:
    """Queues re-embedding for widgets whose embedding model has changed."""
    after = 0
    while True:
        rows = (
            KnowledgeBase.objects.unscoped("every widget's rows")
            .waiting_for_nothing()
            .filter(pk__gt=after)
            .order_by("pk")[:_WIDGETS_AT_ONCE]
        )
        bases = list(rows)
        for base in bases:
            if _must_be_marked(base, embedder_of(base.widget_id)):
                with transaction.atomic():
                    queue_embedding(locked_base(base.widget_id))
        if len(bases) < _WIDGETS_AT_ONCE:
            return
        after = bases[-1].pk


def _must_be_marked(base: KnowledgeBase, embedder: Embedder | None) -> bool:
    if not base.rules:
        return False
    if embedder is None:
        return base.none != base.rules
    return base.none > 0 or not is_of(base, embedder)


def work(lease: Lease[KnowledgeBase]) -> None:
    """Embeds the widget's rules, one call at a time, until none is pending."""
    widget_id = lease.row.widget_id
    began = time.monotonic()
    while not lease.must_stop and time.monotonic() < began + LONGEST_RUN_S:
        embedder = embedder_of(widget_id)
        base = KnowledgeBase.objects.for_widget(widget_id).get()
        if _must_be_marked(base, embedder) and (embedder is None or embedder.model):
            _mark_all(widget_id, embedder)
            continue
        texts = _next_texts(widget_id, embedder) if embedder else {}
        if not texts or embedder is None:
            if _ended(lease, embedder):
                return
            continue
        try:
            _embed(widget_id, texts)
        except NoEmbeddings:
            continue  # the server makes none, which is remembered: another credential, or none
        except ModelFailed as failure:
            _failed(lease, failure)
            return
    lease.later(0)


def _ended(lease: Lease[KnowledgeBase], embedder: Embedder | None) -> bool:
    with transaction.atomic():
        base = locked_base(lease.row.widget_id)
        if base.pending or _must_be_marked(base, embedder):
            return False
        lease.done()
        return True


def _failed(lease: Lease[KnowledgeBase], failure: ModelFailed) -> None:
    message = "The provider makes no embeddings now: what is new in the knowledge base is found by its text alone."
    with transaction.atomic():
        bus.publish(EmbeddingFailed(widget_id=lease.row.widget_id, message=message))
        lease.failed(wait_s(failure.retry_after))


def given_up(lease: Lease[KnowledgeBase], reason: str) -> None:
    """Nothing is given up for good: it is tried every hour."""
    lease.later(EVERY_S)


def _mark_all(widget_id: int, embedder: Embedder | None) -> None:
    """Has each rule's status be about this model, in portions; then the base is of it."""
    space = None if embedder is None else space_of(embedder.provider, embedder.endpoint, embedder.model)
    after, last = 0, Rule.objects.for_widget(widget_id).aggregate(last=Max("pk"))["last"] or 0
    while after < last:
        with transaction.atomic():
            locked_base(widget_id)
            portion = (
                Rule.objects.for_widget(widget_id).filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)
            )
            until = max(portion[:_MARKED_AT_ONCE], default=last)
            mark(widget_id, after=after, until=until, space=space)
        after = until
    if embedder is None:
        return
    with transaction.atomic():
        base = locked_base(widget_id)
        if not is_of(base, embedder):
            set_model(base, embedder, _dimension_in(widget_id, space))


def _dimension_in(widget_id: int, space: str | None) -> int | None:
    found = Embedding.objects.for_widget(widget_id).filter(space=space).first()
    return None if found is None else len(found.vector)


def _next_texts(widget_id: int, embedder: Embedder) -> Mapping[bytes, str]:
    """The newest texts that wait for a vector, as many as go into one call, by their digest."""
    wanted = (
        Rule.objects.for_widget(widget_id).pending()
        if embedder.model
        else Rule.objects.for_widget(widget_id).order_by("-pk")
    )
    rows = wanted.values_list("digest", "title", "content")[:MAX_TEXTS]
    texts = {bytes(digest): embedded_text(title, content) for digest, title, content in rows}
    return dict(list(texts.items())[: fitting([len(text) for text in texts.values()])])


def _embed(widget_id: int, texts: Mapping[bytes, str]) -> None:
    """Makes the texts' vectors in one call; where the provider refuses what was sent, in halves.

    A single text that is refused is `failed`. Raises NoEmbeddings, ModelFailed.
    """
    meter = CallBudget(operations=4, seconds=SECONDS_EACH)
    try:
        made = embedded(widget_id, list(texts.values()), task="document", meter=meter)
    except ModelFailed as failure:
        if not is_about_what_was_sent(failure.status):
            raise
        if len(texts) == 1:
            _refuse(widget_id, list(texts))
            return
        items = list(texts.items())
        for half in (items[: len(items) // 2], items[len(items) // 2 :]):
            _embed(widget_id, dict(half))
        return
    with transaction.atomic():
        keep(locked_base(widget_id), made.by, dict(zip(texts, made.vectors, strict=True)))


def _refuse(widget_id: int, digests: Sequence[bytes]) -> None:
    with transaction.atomic():
        locked_base(widget_id)
        refused = Rule.objects.for_widget(widget_id).filter(
            digest__in=digests, embedding_status=EmbeddingStatus.PENDING
        )
        refused.update(embedding_status=EmbeddingStatus.FAILED)
