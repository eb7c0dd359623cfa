"""Whether a widget's knowledge base is indexed and in use (specification, Endpoints, "Knowledge base")."""

from typing import Any

from django.conf import settings
from django.db.models import Count

from apps.kb import questions
from apps.kb.actions.bases import embedder_of, is_of, space_in_use
from apps.kb.models import Crawler, CrawlRun, KnowledgeBase, Upload
from apps.kb.questions import Embedder
from apps.kb.rules.crawling import ACTIVE, MAX_PAGES
from apps.kb.rules.status import unused_because
from apps.kb.rules.texts import MAX_CONTENT
from apps.kb.rules.uploads import MAX_BYTES, UploadState

UNDER_WAY = (UploadState.QUEUED, UploadState.EXTRACTING, UploadState.EMBEDDING)


def status_of(widget_id: int, base: KnowledgeBase | None = None) -> dict[str, Any]:
    """The members of the status. Rules, sources and vectors are counted as they change, not here: `base` is the
    widget's row where it was read already, so that a page tells one count however many sites are read meanwhile.
    """
    base = base or KnowledgeBase.objects.for_widget(widget_id).first() or KnowledgeBase(widget_id=widget_id)
    embedder = embedder_of(widget_id)
    uploads, crawler = _uploads(widget_id), _crawler(widget_id)
    reason = unused_because(questions.answering(widget_id), rules=base.rules)
    is_quiet = crawler["state"] not in ACTIVE and not any(uploads[state] for state in UNDER_WAY)
    return {
        "indexed": bool(base.rules) and not base.pending and is_quiet,
        "in_use": reason is None,
        "reason": reason,
        "retrieval": "hybrid" if base.ready and space_in_use(base, embedder) else "text",
        "rules": base.rules,
        "sources": base.sources,
        "embeddings": {"ready": base.ready, "pending": base.pending, "failed": base.failed, "none": base.none},
        "embedding": None if embedder is None else _embedding(base, embedder),
        "crawler": crawler,
        "uploads": uploads,
        "last_indexed_at": base.last_indexed_at,
        "limits": {
            "rules": settings.KB_MAX_RULES,
            "rule_characters": MAX_CONTENT,
            "upload_bytes": MAX_BYTES,
            "crawl_pages": MAX_PAGES,
        },
    }


def _embedding(base: KnowledgeBase, embedder: Embedder) -> dict[str, Any]:
    return {
        "provider": embedder.provider,
        "model": embedder.model or None,
        "dimension": base.dimension if base.rules and is_of(base, embedder) else None,
        "credential_id": embedder.credential_id,
        "assistant_id": embedder.assistant_id,
    }


def _uploads(widget_id: int) -> dict[str, int]:
    counted = Upload.objects.for_widget(widget_id).order_by().values_list("state").annotate(n=Count("pk"))
    return dict.fromkeys((state.value for state in UploadState), 0) | dict(counted)


def _crawler(widget_id: int) -> dict[str, Any]:
    last = list(CrawlRun.objects.for_widget(widget_id).order_by("-pk")[:2])  # one at most is not finished
    return {
        "configured": Crawler.objects.for_widget(widget_id).exists(),
        "state": last[0].state if last else None,
        "last_finished_at": next((run.finished_at for run in last if run.finished_at), None),
    }
