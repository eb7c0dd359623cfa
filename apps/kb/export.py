"""The tables of the knowledge base in an export of a widget: rules with their vectors, sources, documents, the
crawler.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from apps.accounts.actions.import_fields import as_sent, at_most
from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.core.parsing.names import control_refusal
from apps.kb.models import Crawler, Embedding, KnowledgeBase, Rule, Source, Upload
from apps.kb.rules.crawling import MAX_START_URL, MAX_START_URLS
from apps.kb.rules.texts import MAX_CONTENT, SourceType, doc_id_refusal
from apps.kb.rules.uploads import FINISHED, upload_ref
from apps.kb.serializers.requests import CrawlerBody

_OF_CRAWLER = ("max_pages", "max_depth", "include_paths", "exclude_paths", "recrawl_every_hours")


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """The counts are the trigger's. Documents that are being read, and what a crawl has found, stay; rules of articles
    are written anew where the articles come to.
    """
    yield ExportTable(
        name="knowledge_base",
        rows=KnowledgeBase.objects.for_widget(widget_id),
        without=("rules", "sources", "ready", "pending", "failed", "none"),
        later=("last_indexed_at",),
        is_due=True,
    )
    done = Upload.objects.for_widget(widget_id).filter(state__in=FINISHED)
    yield ExportTable(name="uploads", rows=done, stored=("storage_key",), checks={"name": control_refusal})
    yield ExportTable(
        name="sources",
        rows=Source.objects.for_widget(widget_id).exclude(type=SourceType.ARTICLE),
        without=("chunks",),
        refers={"upload_id": "uploads"},
        renumbers=_renumber_document,
        checks={"url": _url_refusal, "doc_id": doc_id_refusal, "title": control_refusal},
    )
    yield ExportTable(name="embeddings", rows=Embedding.objects.for_widget(widget_id))
    yield ExportTable(
        name="rules",
        rows=Rule.objects.for_widget(widget_id).exclude(source__type=SourceType.ARTICLE),
        without=("languages",),  # an article's alone
        checks={"content": at_most(MAX_CONTENT), "doc_id": doc_id_refusal, "title": control_refusal},
    )
    yield ExportTable(
        name="crawler",
        rows=Crawler.objects.for_widget(widget_id),
        checks={**as_sent(CrawlerBody(), *_OF_CRAWLER), "start_urls": _starts_refusal},
        switches=("next_run_at",),
    )


def _url_refusal(url: str) -> str | None:
    """Why readers of an answer are led to no such page."""
    if not url.isprintable() or " " in url:
        return "Spaces and control characters are not allowed."
    try:
        parts = urlsplit(url)
    except ValueError:
        return "This is no address."
    return None if parts.scheme in ("http", "https") and parts.hostname else "An http or https address is expected."


def _starts_refusal(urls: list[str]) -> str | None:
    """Whether a page may be called is looked up when it is."""
    if len(urls) > MAX_START_URLS:
        return f"There are more than {MAX_START_URLS}."
    long = "An address is too long." if any(len(url) > MAX_START_URL for url in urls) else None
    return long or next((refusal for url in urls if (refusal := _url_refusal(url))), None)


def _renumber_document(row: dict[str, Any], look_up: LookUp) -> None:
    """A document's source is called by its upload. One whose upload has gone bears no number that may be another's."""
    was = row.get("upload_id")
    if was is not None:
        number = look_up("uploads", was)
        row["ref"] = upload_ref(number) if number is not None else f"{upload_ref(0)}:{was}"


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Rules without vectors get them there, and a crawl is started again."""
    return {"documents to read": Upload.objects.for_widget(widget_id).exclude(state__in=FINISHED).count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
