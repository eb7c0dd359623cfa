"""Articles, their texts by language, their versions, and categories."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.articles.querysets.rows import ArticleQuerySet, ArticleTextQuerySet, ArticleVersionQuerySet, CategoryQuerySet
from apps.articles.rules.limits import MAX_ACTOR, MAX_SLUG, MAX_SUMMARY, MAX_TITLE
from apps.articles.rules.states import DraftState
from apps.chats.models.choices import choices


class ArticleCategory(models.Model):
    """A category of articles; `name` is texts by language."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    name = models.JSONField()
    position = models.PositiveIntegerField(db_default=0, default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CategoryQuerySet.as_manager()

    class Meta:
        verbose_name = "category of articles"
        verbose_name_plural = "categories of articles"
        indexes = [models.Index(fields=["widget", "position", "id"], name="articles_categories")]

    def __str__(self) -> str:
        return next(iter(self.name.values()), f"#{self.pk}")


class Article(models.Model):
    """An article: one text a language.

    `origin_key` is the path, id or address that an import had it under. `gap_key` names the question in vain and
    `asked` {count, chats, since} says how often, where it was written for one.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    category = models.ForeignKey(ArticleCategory, models.SET_NULL, null=True, blank=True, related_name="articles")
    position = models.PositiveIntegerField(db_default=0, default=0)
    origin_key = models.CharField(max_length=500, null=True, blank=True, editable=False)  # noqa: DJ001 - null: written here
    gap_key = models.CharField(max_length=200, null=True, blank=True, editable=False)  # noqa: DJ001 - null: of no gap
    asked = models.JSONField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ArticleQuerySet.as_manager()

    class Meta:
        verbose_name = "article"
        verbose_name_plural = "articles"
        constraints = [
            models.UniqueConstraint(fields=["widget", "origin_key"], name="articles_origin_once"),
            models.UniqueConstraint(fields=["widget", "gap_key"], name="articles_gap_once"),
        ]
        indexes = [models.Index(fields=["widget", "-created_at", "-id"], name="articles_list")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class ArticleText(models.Model):
    """The newest text of an article in a language. Readers see the version `published_version` alone.

    At `publish_at` the version `publish_version` is published. `unsupported` has the facts of a worker's draft that
    nothing proves: {text, reason}.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    article = models.ForeignKey(Article, models.CASCADE, related_name="texts", db_index=False)
    lang = models.CharField(max_length=8)
    slug = models.CharField(max_length=MAX_SLUG, blank=True, db_default="", default="")
    title = models.CharField(max_length=MAX_TITLE)
    summary = models.CharField(max_length=MAX_SUMMARY, blank=True, db_default="", default="")
    body = models.TextField(blank=True, db_default="", default="")
    version = models.PositiveIntegerField(db_default=1, default=1, editable=False)
    published_version = models.PositiveIntegerField(null=True, editable=False)
    published_at = models.DateTimeField(null=True, editable=False)
    publish_at = models.DateTimeField(null=True, editable=False)
    publish_version = models.PositiveIntegerField(null=True, editable=False)
    draft_state = models.CharField(
        max_length=8,
        choices=choices(DraftState),
        db_default=DraftState.NONE.value,
        default=DraftState.NONE.value,
        editable=False,
    )
    unsupported = models.JSONField(db_default=[], default=list, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ArticleTextQuerySet.as_manager()

    class Meta:
        verbose_name = "text of an article"
        verbose_name_plural = "texts of articles"
        constraints = [models.UniqueConstraint(fields=["article", "lang"], name="articles_text_once")]
        indexes = [
            models.Index(
                fields=["widget", "lang", "article"],
                condition=Q(published_version__isnull=False),
                name="articles_published",
            ),
            models.Index(fields=["publish_at"], condition=Q(publish_at__isnull=False), name="articles_due"),
            models.Index(fields=["widget", "lang"], name="articles_by_lang"),
        ]

    def __str__(self) -> str:
        return self.title


class ArticleVersion(models.Model):
    """A text as it was in one of its versions; `actor` is who wrote it, by name."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    text = models.ForeignKey(ArticleText, models.CASCADE, related_name="versions", db_index=False)
    version = models.PositiveIntegerField()
    slug = models.CharField(max_length=MAX_SLUG, blank=True, db_default="", default="")
    title = models.CharField(max_length=MAX_TITLE)
    summary = models.CharField(max_length=MAX_SUMMARY, blank=True, db_default="", default="")
    body = models.TextField(blank=True, db_default="", default="")
    actor = models.CharField(max_length=MAX_ACTOR, blank=True, db_default="", default="")
    at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ArticleVersionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["text", "version"], name="articles_version_once")]

    def __str__(self) -> str:
        return f"{self.text_id}/{self.version}"
