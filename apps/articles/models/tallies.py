"""Counts of articles: views by day, readers and their voices, searches. None of it is exported."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.articles.models.articles import Article
from apps.articles.rules.tallies import MAX_FEEDBACK, MAX_QUERY, FeedbackReason, ReadingPlace
from apps.chats.models import Contact
from apps.chats.models.choices import choices
from apps.core.database.tenants import TenantQuerySet


class ArticleTally(models.Model):
    """The counts of an article's text on a day (UTC); 400 days.

    `page`, `widget_views` and `markdown` are views; `suggested` how often it stood among suggestions. The others are of
    readers whose rows are forgotten, on the day of their reading: until then they are counted by the rows.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    article = models.ForeignKey(Article, models.CASCADE, related_name="+", db_index=False)
    lang = models.CharField(max_length=8)
    day = models.DateField()
    page = models.PositiveIntegerField(db_default=0, default=0)
    widget_views = models.PositiveIntegerField(db_default=0, default=0)
    markdown = models.PositiveIntegerField(db_default=0, default=0)
    suggested = models.PositiveIntegerField(db_default=0, default=0)
    opened = models.PositiveIntegerField(db_default=0, default=0)
    helpful = models.PositiveIntegerField(db_default=0, default=0)
    not_helpful = models.PositiveIntegerField(db_default=0, default=0)
    wrong = models.PositiveIntegerField(db_default=0, default=0)
    unclear = models.PositiveIntegerField(db_default=0, default=0)
    missing = models.PositiveIntegerField(db_default=0, default=0)
    other = models.PositiveIntegerField(db_default=0, default=0)
    chatted_after = models.PositiveIntegerField(db_default=0, default=0)
    silent = models.PositiveIntegerField(db_default=0, default=0)

    objects = TenantQuerySet["ArticleTally"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["article", "lang", "day"], name="articles_tally_once")]
        indexes = [
            models.Index(fields=["widget", "day"], name="articles_tally_days"),
            models.Index(fields=["day"], name="articles_tally_age"),
        ]

    def __str__(self) -> str:
        return f"{self.article_id}:{self.lang} {self.day}"


class ArticleReader(models.Model):
    """A browser that read an article inside the chat, or said whether it helped; 90 days.

    `key` is the digest of the browser's own key; of a public page's voice, of its address and the day. `read_at`: when
    it was opened inside the chat last. `contact`: whose browser it is, once that is known. `chatted`: whether they
    wrote within a day after, once that day is over.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    article = models.ForeignKey(Article, models.CASCADE, related_name="+", db_index=False)
    lang = models.CharField(max_length=8)
    key = models.BinaryField(max_length=32, editable=False)
    place = models.CharField(max_length=8, choices=choices(ReadingPlace))
    at = models.DateTimeField(db_default=Now())
    read_at = models.DateTimeField(null=True)
    contact = models.ForeignKey(Contact, models.CASCADE, null=True, related_name="+", db_index=False)
    chatted = models.BooleanField(null=True)
    helpful = models.BooleanField(null=True)
    reason = models.CharField(max_length=8, choices=choices(FeedbackReason), blank=True, db_default="", default="")
    text = models.CharField(max_length=MAX_FEEDBACK, blank=True, db_default="", default="")

    objects = TenantQuerySet["ArticleReader"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["article", "lang", "key"], name="articles_reader_once")]
        indexes = [
            models.Index(fields=["widget", "at"], name="articles_reader_days"),
            models.Index(fields=["widget", "key"], name="articles_reader_of_key"),
            models.Index(fields=["contact"], condition=Q(contact__isnull=False), name="articles_reader_of_contact"),
            models.Index(fields=["at"], name="articles_reader_age"),
        ]

    def __str__(self) -> str:
        return f"{self.article_id}:{self.lang}"


class ArticleSearch(models.Model):
    """A search that was submitted, once a browser and day; 400 days. `query` is redacted and folded.

    `found` are the first articles that it found, `is_opened` whether one of them was read within a day.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    key = models.BinaryField(max_length=32, editable=False)
    place = models.CharField(max_length=8, choices=choices(ReadingPlace))
    lang = models.CharField(max_length=8)
    query = models.CharField(max_length=MAX_QUERY)
    day = models.DateField()
    at = models.DateTimeField(db_default=Now())
    found = ArrayField(models.BigIntegerField(), db_default=[], default=list)
    is_opened = models.BooleanField(db_default=False, default=False)

    objects = TenantQuerySet["ArticleSearch"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["widget", "key", "day", "lang", "query"], name="articles_search_once")
        ]
        indexes = [
            models.Index(fields=["widget", "at"], name="articles_search_days"),
            models.Index(fields=["at"], name="articles_search_age"),
        ]

    def __str__(self) -> str:
        return self.query
