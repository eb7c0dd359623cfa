"""Imports of articles, with their figures."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.articles.models.articles import ArticleCategory
from apps.articles.rules.imports import FINISHED, MAX_URL, ImportState
from apps.articles.rules.limits import MAX_ACTOR
from apps.chats.models.choices import choices
from apps.core.database.tenants import TenantQuerySet


class ArticleImport(leases.Leased):
    """A file, or a site, whose texts become articles' drafts. One of a widget is under way at a time.

    `position` of its entries are done; `linked` are the texts whose links to others of it are still to be set
    [article id, language, path]; `found` is how far a site is read {waiting, known}. The file's bytes are kept until
    it is finished.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    state = models.CharField(
        max_length=7,
        choices=choices(ImportState),
        db_default=ImportState.QUEUED.value,
        default=ImportState.QUEUED.value,
        editable=False,
    )
    name = models.CharField(max_length=255, blank=True, db_default="", default="", editable=False)
    storage_key = models.CharField(max_length=255, blank=True, db_default="", default="", editable=False)
    url = models.CharField(max_length=MAX_URL, blank=True, db_default="", default="", editable=False)
    lang = models.CharField(max_length=8, blank=True, db_default="", default="", editable=False)
    category = models.ForeignKey(ArticleCategory, models.SET_NULL, null=True, related_name="+", editable=False)
    dry_run = models.BooleanField(db_default=False, default=False, editable=False)
    publish = models.BooleanField(db_default=False, default=False, editable=False)
    actor = models.CharField(max_length=MAX_ACTOR, blank=True, db_default="", default="", editable=False)
    created = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    updated = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    unchanged = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    refused = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    pictures = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    problems = models.JSONField(db_default=[], default=list, editable=False)
    error = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    position = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    linked = models.JSONField(db_default=[], default=list, editable=False)
    found = models.JSONField(db_default={}, default=dict, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    objects = TenantQuerySet["ArticleImport"].as_manager()

    class Meta:
        verbose_name = "import of articles"
        verbose_name_plural = "imports of articles"
        constraints = [
            models.UniqueConstraint(
                fields=["widget"], condition=~Q(state__in=FINISHED), name="articles_one_import_at_a_time"
            )
        ]
        indexes = [
            *leases.indexes("articles_articleimport"),
            models.Index(fields=["widget", "-id"], name="articles_imports"),
        ]

    def __str__(self) -> str:
        return self.name or self.url
