"""Rules, their sources and vectors, and for each widget the row that counts them and has them embedded."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.database.tenants import TenantQuerySet
from apps.kb.querysets import (
    CrawlPageQuerySet,
    EmbeddingQuerySet,
    KnowledgeBaseQuerySet,
    RuleQuerySet,
    SourceQuerySet,
    UploadQuerySet,
)
from apps.kb.rules import crawling
from apps.kb.rules.texts import MAX_DOC_ID, MAX_SOURCE_REF, MAX_TITLE, EmbeddingStatus, SourceType
from apps.kb.rules.uploads import MAX_NAME, UploadState


class KnowledgeBase(leases.Leased):
    """A widget's knowledge base: its counts, the model that embeds it, and the queue of rules to embed.

    The trigger `kb_rules_counted` keeps the counts, for every writer. Writers of rules lock this row first. `provider`,
    `endpoint` and `model` are of the space that the rules' statuses are about, `dimension` of the vectors that it made.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, related_name="knowledge_base", editable=False)
    rules = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    sources = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    ready = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    pending = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    failed = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    none = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    provider = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    endpoint = models.CharField(max_length=2048, blank=True, db_default="", default="", editable=False)
    model = models.CharField(max_length=200, blank=True, db_default="", default="", editable=False)
    dimension = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    last_indexed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = KnowledgeBaseQuerySet.as_manager()

    class Meta:
        verbose_name = "knowledge base"
        indexes = leases.indexes("kb_knowledgebase")

    def __str__(self) -> str:
        return str(self.widget)


class Source(models.Model):
    """A document: a page, a file, or what was written by hand under one name. `chunks` is kept by the trigger."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="kb_sources", db_index=False)
    ref = models.CharField(max_length=MAX_SOURCE_REF)
    type = models.CharField(max_length=7, choices=[(one.value, one.value) for one in SourceType])
    title = models.CharField(max_length=MAX_TITLE, blank=True, db_default="", default="")
    doc_id = models.CharField(max_length=MAX_DOC_ID, null=True, blank=True)  # noqa: DJ001 - null: it has no name
    url = models.TextField(null=True, blank=True)  # noqa: DJ001 - null: it is no page
    upload_id = models.BigIntegerField(null=True, blank=True, editable=False)
    regenerates = models.BooleanField(db_default=False, default=False)
    chunks = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = SourceQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "ref"], name="kb_source_ref")]
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], condition=Q(chunks__gt=0), name="kb_source_list"),
            models.Index(
                fields=["widget", "type", "-created_at", "-id"], condition=Q(chunks__gt=0), name="kb_source_by_type"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.ref


# Ё is written е by many: the same letter, on both sides.
_SEARCHED = (
    "setweight(to_tsvector('russian', translate(title, 'ёЁ', 'еЕ')), 'A') || "
    "setweight(to_tsvector('russian', translate(content, 'ёЁ', 'еЕ')), 'B')"
)
# Numbers, codes and the letters of scripts without spaces (functions.sql).
_MARKS = Func(template="kb_marks_of(title, content)", output_field=ArrayField(models.TextField()))


class Rule(models.Model):
    """A chunk of knowledge. The source holds the document's URL.

    `digest` names its vector (`Embedding`). `operator`: the AI operator that alone may be given it. `languages`: the
    languages of the visitors whose chats alone are given it; null: all.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="kb_rules", db_index=False)
    source = models.ForeignKey(Source, models.CASCADE, related_name="rules", db_index=False)
    content = models.TextField()
    title = models.CharField(max_length=MAX_TITLE, blank=True, db_default="", default="")
    doc_id = models.CharField(max_length=MAX_DOC_ID, null=True, blank=True)  # noqa: DJ001 - null: it has no name
    chunk_index = models.PositiveIntegerField(db_default=0, default=0)
    operator = models.ForeignKey(
        Agent,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="kb_rules",
        help_text=_("The AI operator that alone may be given it; empty: all."),
    )
    languages = ArrayField(models.CharField(max_length=8), null=True, blank=True, editable=False)
    digest = models.BinaryField(max_length=32)
    embedding_status = models.CharField(
        max_length=7,
        choices=[(one.value, one.value) for one in EmbeddingStatus],
        db_default=EmbeddingStatus.NONE.value,
        default=EmbeddingStatus.NONE.value,
    )
    # Why its text is `failed`: what the provider's refusal meant (`questions.ModelFailed.reason`).
    embedding_error = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    searched = models.GeneratedField(
        expression=Func(template=_SEARCHED, output_field=SearchVectorField()),
        output_field=SearchVectorField(),
        db_persist=True,
        editable=False,
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = RuleQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="kb_rule_list"),
            models.Index(fields=["source", "-created_at", "-id"], name="kb_rule_by_source"),
            models.Index(
                fields=["widget", "doc_id", "-created_at", "-id"],
                condition=Q(doc_id__isnull=False),
                name="kb_rule_by_doc",
            ),
            models.Index(fields=["widget", "digest"], name="kb_rule_by_digest"),
            models.Index(
                fields=["widget", "-id"],
                condition=Q(embedding_status=EmbeddingStatus.PENDING.value),
                name="kb_rule_pending",
            ),
            GinIndex(F("widget"), F("searched"), name="kb_rule_words"),
            GinIndex(F("widget"), _MARKS, name="kb_rule_marks"),
        ]

    def __str__(self) -> str:
        return self.content[:80]


class Embedding(models.Model):
    """The vector of a text, by the model in use when it was made: `space` names driver, endpoint and model.

    Vectors of two spaces are never compared. The first migration keeps vectors beside their row, not out of line: a
    search reads all of a widget.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField(max_length=32)
    space = models.CharField(max_length=32, db_collation="C")
    vector = HalfVectorField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = EmbeddingQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "digest"], name="kb_embedding_text")]

    def __str__(self) -> str:
        return f"{self.space} {self.digest.hex()[:8]}"


class Upload(leases.Leased):
    """An uploaded document: its bytes are stored under `storage_key`. Due while it is read, or waits for vectors."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="kb_uploads", db_index=False, editable=False)
    name = models.CharField(max_length=MAX_NAME, editable=False)
    size = models.PositiveIntegerField(editable=False)
    content_type = models.CharField(max_length=100, editable=False)
    storage_key = models.CharField(max_length=255, editable=False)
    state = models.CharField(
        max_length=10,
        choices=[(one.value, one.value) for one in UploadState],
        db_default=UploadState.QUEUED.value,
        default=UploadState.QUEUED.value,
        editable=False,
    )
    error_code = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    error_detail = models.CharField(max_length=255, blank=True, db_default="", default="", editable=False)
    characters = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    # What was not read of it, and where: a list of `place`, `reason`, `count`.
    notes = models.JSONField(db_default=[], default=list, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    chunks: int  # of rows that `for_api` has read

    objects = UploadQuerySet.as_manager()

    class Meta:
        indexes = [
            *leases.indexes("kb_upload"),
            models.Index(fields=["widget", "-created_at", "-id"], name="kb_upload_list"),
            models.Index(fields=["widget", "state", "-created_at", "-id"], name="kb_upload_by_state"),
        ]

    def __str__(self) -> str:
        return self.name


class Crawler(models.Model):
    """The site that is crawled, and how often. A widget has one."""

    widget = models.OneToOneField(Widget, models.CASCADE, related_name="kb_crawler", primary_key=True, editable=False)
    start_urls = ArrayField(models.TextField())
    max_pages = models.PositiveIntegerField(db_default=crawling.DEFAULT_PAGES, default=crawling.DEFAULT_PAGES)
    max_depth = models.PositiveSmallIntegerField(db_default=crawling.DEFAULT_DEPTH, default=crawling.DEFAULT_DEPTH)
    include_paths = ArrayField(models.TextField(), default=list, blank=True)
    exclude_paths = ArrayField(models.TextField(), default=list, blank=True)
    use_sitemap = models.BooleanField(db_default=True, default=True)
    recrawl_every_hours = models.PositiveSmallIntegerField(null=True, blank=True, default=crawling.DEFAULT_HOURS)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    next_run_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Digests of the lines that most of the site's pages have, and that are knowledge once.
    repeated = ArrayField(models.CharField(max_length=16), db_default=[], default=list, blank=True, editable=False)
    # Those of `repeated` that stood on all pages.
    everywhere = ArrayField(models.CharField(max_length=16), db_default=[], default=list, blank=True, editable=False)

    objects = TenantQuerySet["Crawler"].as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["next_run_at"], condition=Q(next_run_at__isnull=False), name="kb_crawler_next_run")
        ]

    def __str__(self) -> str:
        return ", ".join(self.start_urls)


class CrawlRun(leases.Leased):
    """One crawl of the site. `robots` keeps what each host's robots.txt said: `{host: {text, refusal}}`."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="kb_crawl_runs", db_index=False, editable=False)
    state = models.CharField(
        max_length=9,
        choices=[(one.value, one.value) for one in crawling.CrawlRunState],
        default=crawling.CrawlRunState.QUEUED.value,
        editable=False,
    )
    trigger = models.CharField(
        max_length=8, choices=[(one.value, one.value) for one in crawling.Trigger], editable=False
    )
    queued_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)
    found = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    fetched = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    changed = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    unchanged = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    skipped = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    failed = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    removed = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    rules_written = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    received_bytes = models.PositiveBigIntegerField(db_default=0, default=0, editable=False)
    error_code = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    problems = models.JSONField(default=list, editable=False)
    hosts = models.JSONField(default=list, editable=False)
    robots = models.JSONField(default=dict, editable=False)
    has_read_sitemaps = models.BooleanField(db_default=False, default=False, editable=False)
    lacks_sitemaps = models.BooleanField(db_default=False, default=False, editable=False)

    objects = TenantQuerySet["CrawlRun"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["widget"], condition=Q(state__in=[*crawling.ACTIVE]), name="kb_crawlrun_one_active"
            )
        ]
        indexes = [*leases.indexes("kb_crawlrun"), models.Index(fields=["widget", "-id"], name="kb_crawlrun_last")]

    def __str__(self) -> str:
        return f"{self.state} {self.queued_at:%Y-%m-%d %H:%M}"


class CrawlPage(models.Model):
    """A page that a crawl has found: what the run that saw it last makes of it, and what the next needs to know.

    `links` are the pages that it leads to, for when it has not changed and is not sent again. `content_hash` is of the
    text that its rules are of; empty: it has none. `note` says more of the reason. `listed_at`: when it changed last,
    as its sitemap says; `read_at`: when its text was had last.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    url = models.TextField()
    run = models.ForeignKey(CrawlRun, models.CASCADE, related_name="+", db_index=False)
    state = models.CharField(max_length=6, choices=[(one.value, one.value) for one in crawling.PageState])
    depth = models.PositiveSmallIntegerField()
    redirects = models.PositiveSmallIntegerField(db_default=0, default=0)
    reason = models.CharField(max_length=20, blank=True, db_default="", default="")
    etag = models.TextField(blank=True, db_default="", default="")
    last_modified = models.TextField(blank=True, db_default="", default="")
    content_hash = models.CharField(max_length=64, blank=True, db_default="", default="")
    links = ArrayField(models.TextField(), default=list)
    note = models.CharField(max_length=32, blank=True, db_default="", default="")
    listed_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    objects = CrawlPageQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "url"], name="kb_crawlpage_url")]
        indexes = [
            models.Index(fields=["run", "depth", "id"], condition=Q(state="queued"), name="kb_crawlpage_frontier"),
            models.Index(fields=["widget", "content_hash"], name="kb_crawlpage_by_hash"),
            models.Index(fields=["widget", "run"], name="kb_crawlpage_by_run"),
        ]

    def __str__(self) -> str:
        return self.url
