"""Embedding in the background: rules that wait for a vector, and rules that another model must embed again."""

import time
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now

from apps.core import bus
from apps.egress.call_budget import CallBudget
from apps.kb.actions.bases import embedder_of, is_of, locked_base, set_model, space_of_model
from apps.kb.actions.vectors import embedded, keep, mark
from apps.kb.events import EmbeddingFailed, EmbeddingSucceeded
from apps.kb.models import KnowledgeBase, Rule
from apps.kb.questions import BudgetExhausted, Embedder, ModelFailed, NoEmbeddings
from apps.kb.rules.batches import EVERY_S, MAX_TEXTS, PROBE, fitting, may_be_about_a_text, wait_s
from apps.kb.rules.texts import EmbeddingStatus, embedded_text
from apps.leases import Lease, wake_workers

# Besides the texts: what the model is, and which settings it does not take.
OPERATIONS = 8
# A call is bounded by its credential's own time limit besides.
SECONDS_EACH = 90.0
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


def follow_model(widget_id: int) -> None:
    """Has the rules follow a model that was changed or mended: their statuses are about the one in use, and what waits
    after a failure is embedded at once. Inside a transaction.

    The rules of a large base are marked in the background, as is a model whose name must be asked for.
    """
    base = KnowledgeBase.objects.for_widget(widget_id).first()
    if base is None:
        return
    embedder = embedder_of(widget_id)
    if _must_be_marked(base, embedder):
        base = locked_base(widget_id)
        if base.rules <= _MARKED_AT_ONCE and (embedder is None or embedder.model):
            _mark_all(widget_id, embedder)
        queue_embedding(base)
    waiting = KnowledgeBase.objects.for_widget(widget_id).filter(due_at__gt=Now(), claim_id=None)
    if waiting.update(due_at=Now(), attempts=0):
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
    batch = _BatchEmbedding(lease)
    while not batch.must_stop:
        embedder = embedder_of(widget_id)
        base = KnowledgeBase.objects.for_widget(widget_id).get()
        if _must_be_marked(base, embedder) and (embedder is None or embedder.model):
            _mark_all(widget_id, embedder)
            continue
        texts = _next_texts(widget_id, embedder, batch.most) if embedder else {}
        if not texts or embedder is None:
            if _ended(lease, embedder):
                return
            continue
        try:
            batch.embed(texts)
        except NoEmbeddings:
            continue  # the server makes none, which is remembered: another credential, or none
        except BudgetExhausted:
            lease.later(EVERY_S)  # the owner may raise the limit before the day is over
            return
        except ModelFailed as failure:
            _failed(lease, failure)
            return
    lease.later(0)


def _ended(lease: Lease[KnowledgeBase], embedder: Embedder | None) -> bool:
    with transaction.atomic():
        base = locked_base(lease.row.widget_id)
        if base.pending or _must_be_marked(base, embedder):
            return False
        bus.publish(EmbeddingSucceeded(widget_id=lease.row.widget_id))
        lease.done()
        return True


def _failed(lease: Lease[KnowledgeBase], failure: ModelFailed) -> None:
    with transaction.atomic():
        bus.publish(EmbeddingFailed(widget_id=lease.row.widget_id, asked_for_answer=False, reason=failure.reason))
        lease.failed(wait_s(failure.retry_after))


def given_up(lease: Lease[KnowledgeBase], reason: str) -> None:
    """Nothing is given up for good: it is tried again and again."""
    lease.later(EVERY_S)


def _mark_all(widget_id: int, embedder: Embedder | None) -> None:
    """Has each rule's status be about this model, in portions; then the base is of it."""
    space = None if embedder is None else space_of_model(embedder)
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
            set_model(base, embedder)


def _next_texts(widget_id: int, embedder: Embedder, most: int) -> Mapping[bytes, str]:
    """The newest texts that wait for a vector, as many as go into one call, by their digest."""
    wanted = (
        Rule.objects.for_widget(widget_id).pending()
        if embedder.model
        else Rule.objects.for_widget(widget_id).order_by("-pk")
    )
    rows = wanted.values_list("digest", "title", "content")[:most]
    texts = {bytes(digest): embedded_text(title, content) for digest, title, content in rows}
    return dict(list(texts.items())[: fitting([len(text) for text in texts.values()])])


class _BatchEmbedding:
    """Batches of one run. The texts of one that a server refuses, for whatever reason, are tried in halves, down to the
    text that it refuses: that is `failed`, the others go on.

    A server that takes no text at all is down, and no text is to blame.
    """

    def __init__(self, lease: Lease[KnowledgeBase]) -> None:
        self._lease, self._widget_id = lease, lease.row.widget_id
        self._attempts = lease.row.attempts
        self._until = time.monotonic() + LONGEST_RUN_S
        self.most = MAX_TEXTS
        """How many texts the server takes at once, as far as this run knows."""

    @property
    def must_stop(self) -> bool:
        return self._lease.must_stop or time.monotonic() >= self._until

    def embed(self, texts: Mapping[bytes, str]) -> None:
        """Makes the texts' vectors. Raises NoEmbeddings, BudgetExhausted, ModelFailed."""
        failure = self._make(texts)
        if failure is None:
            return
        if not self._takes_any():
            raise failure
        if self._isolate(texts, failure, is_up=True) and len(texts) > 1:
            self.most = max(1, len(texts) // 2)  # it was their number

    def _isolate(self, texts: Mapping[bytes, str], failure: ModelFailed, *, is_up: bool = False) -> bool:
        """Tries refused texts in halves; whether all of them were taken then.

        is_up: the server has just taken another text. It is asked anew before a text is told to be `failed`.
        """
        if len(texts) == 1:
            if not is_up and not self._takes_any():
                raise failure
            _refuse(self._widget_id, list(texts), failure.reason)
            return False
        items, were_taken = list(texts.items()), True
        for half in (dict(items[: len(items) // 2]), dict(items[len(items) // 2 :])):
            if self.must_stop:
                return False
            refused = self._make(half)
            if refused is not None:
                were_taken &= self._isolate(half, refused)
        return were_taken

    def _make(self, texts: Mapping[bytes, str]) -> ModelFailed | None:
        """Makes and keeps the texts' vectors, in one call; gives the failure that a text may be the reason for."""
        meter = CallBudget(operations=OPERATIONS, seconds=SECONDS_EACH)
        try:
            made = embedded(self._widget_id, list(texts.values()), task="document", budget=meter)
        except BudgetExhausted:
            raise
        except ModelFailed as failure:
            if not may_be_about_a_text(failure.reason, failure.status, attempts=self._attempts):
                raise
            return failure
        with transaction.atomic():
            keep(locked_base(self._widget_id), made.by, dict(zip(texts, made.vectors, strict=True)))
        return None

    def _takes_any(self) -> bool:
        """Whether the server takes a text at all, just now."""
        meter = CallBudget(operations=OPERATIONS, seconds=SECONDS_EACH)
        try:
            embedded(self._widget_id, [PROBE], task="document", budget=meter)
        except BudgetExhausted:
            raise
        except ModelFailed:
            return False
        return True


def _refuse(widget_id: int, digests: Sequence[bytes], reason: str) -> None:
    with transaction.atomic():
        locked_base(widget_id)
        refused = Rule.objects.for_widget(widget_id).filter(
            digest__in=digests, embedding_status=EmbeddingStatus.PENDING
        )
        refused.update(embedding_status=EmbeddingStatus.FAILED, embedding_error=reason)
