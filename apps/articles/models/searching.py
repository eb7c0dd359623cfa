"""The published texts as searches compare them, and the words that they are made of."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Q

from apps.accounts.models import Widget
from apps.articles.models.articles import Article, ArticleText
from apps.core.database.tenants import TenantQuerySet


class SearchableText(models.Model):
    """The published version of a text, as searches compare it: made of it when it is published.

    `titled` are the words of its title, `searched` of all of it; `marks` its numbers, codes and letters of scripts
    without spaces (kb/functions.sql). Snippets are cut out of `excerpt`. `is_due`: AI's rules of it are to be written
    anew.
    """

    text = models.OneToOneField(ArticleText, models.CASCADE, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    article = models.ForeignKey(Article, models.CASCADE, related_name="+", db_index=False)
    lang = models.CharField(max_length=8)
    version = models.PositiveIntegerField()
    titled = SearchVectorField()
    searched = SearchVectorField()
    marks = ArrayField(models.TextField())
    excerpt = models.TextField()
    is_due = models.BooleanField(db_default=False, default=False)

    objects = TenantQuerySet["SearchableText"].as_manager()

    class Meta:
        indexes = [
            GinIndex(F("widget"), F("searched"), name="articles_words"),
            GinIndex(F("widget"), F("marks"), name="articles_marks"),
            models.Index(fields=["widget", "article", "lang"], name="articles_searchable"),
            models.Index(fields=["widget", "id"], condition=Q(is_due=True), name="articles_due_for_ai"),
        ]

    def __str__(self) -> str:
        return f"{self.article_id}:{self.lang}"


class ArticleWord(models.Model):
    """A word of a widget's published texts, once: misspelt ones are looked for among these (functions.sql)."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    lexeme = models.CharField(max_length=64)
    spelling = models.CharField(max_length=128)

    objects = TenantQuerySet["ArticleWord"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "lexeme"], name="articles_word_once")]
        indexes = [GinIndex(F("widget"), OpClass(F("spelling"), name="gin_trgm_ops"), name="articles_spelt")]

    def __str__(self) -> str:
        return self.lexeme
