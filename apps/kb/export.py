"""The tables of the knowledge base in an export of a widget: rules with their vectors, sources, documents, the
crawler.
"""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.kb.models import Crawler, Embedding, KnowledgeBase, Rule, Source, Upload
from apps.kb.rules.uploads import FINISHED, upload_ref


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """The counts are the trigger's. Documents that are being read, and what a crawl has found, stay."""
    yield ExportTable(
        name="knowledge_base",
        rows=KnowledgeBase.objects.for_widget(widget_id),
        without=("rules", "sources", "ready", "pending", "failed", "none"),
        later=("last_indexed_at",),
        is_due=True,
    )
    done = Upload.objects.for_widget(widget_id).filter(state__in=FINISHED)
    yield ExportTable(name="uploads", rows=done, stored=("storage_key",))
    yield ExportTable(
        name="sources",
        rows=Source.objects.for_widget(widget_id),
        without=("chunks",),
        refers={"upload_id": "uploads"},
        renumbers=_renumber_document,
    )
    yield ExportTable(name="embeddings", rows=Embedding.objects.for_widget(widget_id))
    yield ExportTable(name="rules", rows=Rule.objects.for_widget(widget_id))
    yield ExportTable(name="crawler", rows=Crawler.objects.for_widget(widget_id))


def _renumber_document(row: dict[str, Any], look_up: LookUp) -> None:
    """A document's source is called by its upload, unless that has gone."""
    number = look_up("uploads", row["upload_id"]) if row["upload_id"] is not None else None
    if number is not None:
        row["ref"] = upload_ref(number)


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Rules without vectors get them there, and a crawl is started again."""
    return {"documents to read": Upload.objects.for_widget(widget_id).exclude(state__in=FINISHED).count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
