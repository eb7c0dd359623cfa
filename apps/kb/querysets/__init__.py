"""Named reads of rules, sources and vectors; each starts from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db.models import CharField, OuterRef, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.kb.models import CrawlPage, Embedding, KnowledgeBase, Rule, Source, Upload  # noqa: F401 - named in the bases below


class KnowledgeBaseQuerySet(TenantQuerySet["KnowledgeBase"]):
    """The one row of a widget that has, or had, rules."""

    def waiting_for_nothing(self) -> Self:
        """The knowledge bases of every widget with rules of which none waits to be embedded."""
        return self.filter(due_at=None, rules__gt=0)


class SourceQuerySet(TenantQuerySet["Source"]):
    def filled(self) -> Self:
        """The sources with rules. Index: kb_source_list."""
        return self.filter(chunks__gt=0)


class RuleQuerySet(TenantQuerySet["Rule"]):
    """Rules of a widget."""

    def for_widget(self, widget_id: int) -> Self:
        """The rules of a widget, without what full text search reads of them."""
        return super().for_widget(widget_id).defer("searched")

    def for_api(self) -> Self:
        return self.select_related("source")

    def pending(self) -> Self:
        """The rules that wait for a vector, newest first. Index: kb_rule_pending."""
        return self.filter(embedding_status="pending").order_by("-pk")


class EmbeddingQuerySet(TenantQuerySet["Embedding"]):
    """Vectors of a widget's texts."""


class UploadQuerySet(TenantQuerySet["Upload"]):
    """Uploaded documents. Indexes: kb_upload_list, kb_upload_by_state."""

    def for_api(self) -> Self:
        """Each with the `chunks` that are there of it, which its source counts. Index: kb_source_ref."""
        from apps.kb.models import Source

        ref = Concat(Value("upload:"), Cast(OuterRef("pk"), CharField()))
        source = Source.objects.unscoped("each document's own source").filter(widget_id=OuterRef("widget_id"), ref=ref)
        return self.annotate(chunks=Coalesce(Subquery(source.values("chunks")), 0))


class CrawlPageQuerySet(TenantQuerySet["CrawlPage"]):
    """Pages that a crawl has found."""

    def frontier(self, run_id: int) -> Self:
        """The pages that the run has still to fetch, the nearest first. Index: kb_crawlpage_frontier."""
        return self.filter(run_id=run_id, state="queued").order_by("depth", "id")
