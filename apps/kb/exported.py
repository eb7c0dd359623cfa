"""What an export of a widget has of its knowledge base: rules with their vectors, sources, documents, the crawler."""

from collections.abc import Iterator

from apps.core.portable import Table
from apps.kb.models import Crawler, Embedding, KnowledgeBase, Rule, Source, Upload
from apps.kb.rules.uploads import UploadState


def exported_of_widget(widget_id: int) -> Iterator[Table]:
    """The counts are the trigger's. Documents that are being read, and what a crawl has found, stay."""
    yield Table(
        name="knowledge_base",
        rows=KnowledgeBase.objects.of(widget_id),
        without=("rules", "sources", "ready", "pending", "failed", "none"),
        later=("last_indexed_at",),
        is_due=True,
    )
    done = Upload.objects.of(widget_id).filter(state__in=[UploadState.READY, UploadState.FAILED])
    yield Table(name="uploads", rows=done, stored=("storage_key",))
    yield Table(name="sources", rows=Source.objects.of(widget_id), without=("chunks",), refers={"upload_id": "uploads"})
    yield Table(name="embeddings", rows=Embedding.objects.of(widget_id))
    yield Table(name="rules", rows=Rule.objects.of(widget_id))
    yield Table(name="crawler", rows=Crawler.objects.of(widget_id))
