"""The tables of the knowledge base in an export of a widget: rules with their vectors, sources, documents, the
crawler.
"""

from collections.abc import Iterator
from typing import Any

from apps.core.export import LookUp, Table
from apps.kb.models import Crawler, Embedding, KnowledgeBase, Rule, Source, Upload
from apps.kb.rules.uploads import FINISHED, upload_ref


def exported_of_widget(widget_id: int) -> Iterator[Table]:
    """The counts are the trigger's. Documents that are being read, and what a crawl has found, stay."""
    yield Table(
        name="knowledge_base",
        rows=KnowledgeBase.objects.of(widget_id),
        without=("rules", "sources", "ready", "pending", "failed", "none"),
        later=("last_indexed_at",),
        is_due=True,
    )
    done = Upload.objects.of(widget_id).filter(state__in=FINISHED)
    yield Table(name="uploads", rows=done, stored=("storage_key",))
    yield Table(
        name="sources",
        rows=Source.objects.of(widget_id),
        without=("chunks",),
        refers={"upload_id": "uploads"},
        renumbers=_renumber_document,
    )
    yield Table(name="embeddings", rows=Embedding.objects.of(widget_id))
    yield Table(name="rules", rows=Rule.objects.of(widget_id))
    yield Table(name="crawler", rows=Crawler.objects.of(widget_id))


def _renumber_document(row: dict[str, Any], look_up: LookUp) -> None:
    """A document's source is called by its upload, unless that has gone."""
    number = look_up("uploads", row["upload_id"]) if row["upload_id"] is not None else None
    if number is not None:
        row["ref"] = upload_ref(number)


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Rules without vectors get them there, and a crawl is started again."""
    return {"documents to read": Upload.objects.of(widget_id).exclude(state__in=FINISHED).count()}
