"""Rules that are written by hand: each is embedded before it is answered (specification, "Knowledge base")."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Value
from django.utils import timezone

from apps.agents.models import Agent
from apps.core.database.changes import save_changed, set_changes
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import AI_BUDGET_EXHAUSTED, PROVIDER_BUSY
from apps.egress import BulkheadFull
from apps.egress.call_budget import CallBudget
from apps.kb.actions.background import OPERATIONS, queue_embedding
from apps.kb.actions.bases import embedder_of, locked_base, require_room, space_of_model, statuses
from apps.kb.actions.vectors import MadeVectors, embedded, keep
from apps.kb.errors import KB_EMBED_PROVIDER_FAILED, RULE_OF_ARTICLE
from apps.kb.models import Embedding, KnowledgeBase, Rule, Source
from apps.kb.questions import BudgetExhausted, ModelFailed, NoEmbeddings
from apps.kb.rules.texts import EmbeddingStatus, SourceType, digest_of, embedded_text, manual_ref

SECONDS = 8.0
RETRY_AFTER_S = 1


def create_rule(
    *, content: str, doc_id: str | None = None, operator: Agent | None = None, outbound: ExternalCall
) -> Rule:
    """Stores a rule with its vector; without a credential that embeds it is found by its text alone.

    Raises KB_FULL, IDEMPOTENCY_KEY_REUSED (409), PROVIDER_BUSY (429), KB_EMBED_PROVIDER_FAILED (502): then nothing is
    stored, and the key is free again.
    """
    base = KnowledgeBase.objects.for_widget(outbound.widget_id).first()
    if base is not None:
        require_room(base, 1)
    text = _Text("", content)
    made = _made(text, outbound)
    with outbound.write():
        base = locked_base(outbound.widget_id)
        require_room(base, 1)
        status = _status(base, text, made)
        rule = Rule.objects.create(
            widget_id=base.widget_id,
            source=_manual_source(base.widget_id, doc_id),
            content=content,
            doc_id=doc_id,
            operator=operator,
            digest=text.digest,
            embedding_status=status,
        )
        outbound.made(rule.pk)
        return _read(rule)


def change_rule(*, rule_id: int, changes: Mapping[str, Any], outbound: ExternalCall) -> Rule:
    """Changes `content`, which is embedded again, or `doc_id`, which moves a rule by hand to the source of that name;
    `operator`, the AI operator that alone may be given it.

    Equal values change nothing, and no provider is called. Raises NOT_FOUND (404), RULE_OF_ARTICLE (409) and as
    `create_rule`.
    """
    rules = Rule.objects.for_widget(outbound.widget_id)
    rule = rules.select_related("source").get_or_404(pk=rule_id)
    _require_own(rule)
    text = _Text(rule.title, changes.get("content", rule.content))
    is_new = text.content != rule.content
    made = _made(text, outbound) if is_new else None
    with outbound.write():
        base = locked_base(outbound.widget_id)
        rule = rules.get_for_update(pk=rule_id)
        changed = set_changes(rule, changes)
        if "content" in changed:
            rule.digest, rule.embedding_status = text.digest, _status(base, text, made)
            changed += ["digest", "embedding_status"]
        old = rule.source_id
        if "doc_id" in changed and rule.source.type == SourceType.MANUAL:
            rule.source = _manual_source(base.widget_id, rule.doc_id)
            changed.append("source")
        save_changed(rule, changed)
        _forget_if_empty(base.widget_id, old)
        return _read(rule)


@transaction.atomic
def delete_rule(*, widget_id: int, rule_id: int) -> None:
    """Deletes a rule; one that was crawled comes back when its page is crawled next.

    Raises NOT_FOUND (404), RULE_OF_ARTICLE (409).
    """
    locked_base(widget_id)
    rule = Rule.objects.for_widget(widget_id).get_for_update(pk=rule_id)
    _require_own(rule)
    rule.delete()
    _forget_if_empty(widget_id, rule.source_id)


def _require_own(rule: Rule) -> None:
    if rule.source.type == SourceType.ARTICLE:
        raise RULE_OF_ARTICLE()


class _Text(NamedTuple):
    title: str
    content: str

    @property
    def digest(self) -> bytes:
        return digest_of(self.title, self.content)


def _made(text: _Text, outbound: ExternalCall) -> MadeVectors | None:
    """The text's vector; None without a model, or if the text has been embedded before.

    The claim is committed first, so that of simultaneous calls with one key one alone reaches the provider.
    """
    embedder = embedder_of(outbound.widget_id)
    if embedder is None:
        return None
    known = Embedding.objects.for_widget(outbound.widget_id).filter(digest=text.digest)
    if embedder.model and known.filter(space=space_of_model(embedder)).exists():
        return None
    with outbound.reserve():
        pass
    meter = CallBudget(operations=OPERATIONS, seconds=SECONDS)
    try:
        with outbound.slot():
            return embedded(outbound.widget_id, [embedded_text(*text)], task="document", budget=meter)
    except NoEmbeddings:
        return None
    except BulkheadFull:
        raise PROVIDER_BUSY(headers={"Retry-After": str(RETRY_AFTER_S)}) from None
    except BudgetExhausted as failure:
        raise AI_BUDGET_EXHAUSTED(headers=failure.headers) from None
    except ModelFailed as failure:
        raise KB_EMBED_PROVIDER_FAILED(provider_reason=failure.reason) from None


def _status(base: KnowledgeBase, text: _Text, vectors: MadeVectors | None) -> EmbeddingStatus:
    """Keeps the vector, and says what becomes of the rule."""
    if vectors is not None:
        keep(base, vectors.by, {text.digest: vectors.vectors[0]})
    status = EmbeddingStatus.READY if vectors else statuses(base, [text.digest])[text.digest]
    if status is EmbeddingStatus.PENDING:
        queue_embedding(base)
    return status


def _manual_source(widget_id: int, doc_id: str | None) -> Source:
    written = {"title": doc_id or "", "doc_id": doc_id, "updated_at": timezone.now()}
    source, _ = Source.objects.for_widget(widget_id).update_or_create(
        ref=manual_ref(doc_id),
        defaults=written,
        create_defaults={**written, "widget_id": widget_id, "type": SourceType.MANUAL},
    )
    return source


def _forget_if_empty(widget_id: int, source_id: int) -> None:
    """An upload's, too: its file has a row of its own."""
    Source.objects.for_widget(widget_id).filter(pk=source_id, chunks=Value(0)).delete()


def _read(rule: Rule) -> Rule:
    """The rule as the database has it, with its source."""
    return Rule.objects.for_widget(rule.widget_id).for_api().get(pk=rule.pk)
