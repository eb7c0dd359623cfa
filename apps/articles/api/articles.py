"""Articles and their texts over REST (design of the first word, 3)."""

from typing import Any

from apps.articles.actions import articles as actions
from apps.articles.actions import publishing, texts
from apps.articles.errors import ARTICLE_CHANGED, LAST_TEXT, TOO_MANY_ARTICLES
from apps.articles.models import Article, ArticleText, ArticleVersion
from apps.articles.querysets.actors import token_name
from apps.articles.rules.states import TextState
from apps.articles.serializers.articles import (
    MAX_BODY_BYTES,
    ArticleBody,
    ArticleChanges,
    ArticleSerializer,
    ArticlesQuery,
    ArticleTextBody,
    ArticleVersionSerializer,
    ListedArticleSerializer,
    PublishingBody,
    WholeVersionSerializer,
)
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet
from apps.kb.errors import KB_FULL

PUBLISHES = ("articles:publish",)
EXAMPLE = {
    "lang": "en",
    "title": "How to return a bouquet",
    "summary": "Within a day, with a photo.",
    "body": "Send us a photo within a day.\n\n## What we do\n\nWe bring another one, or give the money back.",
}
_TEXT = {"title": EXAMPLE["title"], "body": EXAMPLE["body"], "base_version": 1}


def _writer(context: RequestContext) -> str:
    return token_name(context.widget_id, context.caller.token_id)


class ArticleViewSet(ApiViewSet):
    target = Article
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(summary="List articles", filters=ArticlesQuery, answers=ListedArticleSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first, with their texts but without bodies. `state`, `lang` and `q` are of one text of an article."""
        filters = context.filters
        state = filters.pop("state", None)
        of_text: dict[str, Any] = {"lang": filters.pop("lang", None), "title": filters.pop("q", None)}
        rows = Article.objects.for_widget(context.widget_id)
        return context.page(rows.with_text(state=TextState(state) if state else None, **of_text))

    @operation(
        summary="Add an article",
        takes=ArticleBody,
        answers=ArticleSerializer,
        status=201,
        problems=(TOO_MANY_ARTICLES,),
        max_body=MAX_BODY_BYTES,
        example=EXAMPLE,
    )
    def create(self, context: RequestContext) -> Answer:
        """With its first text, a draft that readers do not see. A widget has 10,000 articles at most."""
        return actions.create_article(widget_id=context.widget_id, actor=_writer(context), **context.body)

    @operation(summary="Read an article", answers=ArticleSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """With the newest version of each of its texts."""
        return context.target

    @operation(summary="Move an article", takes=ArticleChanges, answers=ArticleSerializer, example={"position": 3})
    def partial_update(self, context: RequestContext) -> Answer:
        """Into another category, or to another place in it."""
        actions.change_article(widget_id=context.widget_id, article_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Delete an article", status=204, scopes=PUBLISHES)
    def destroy(self, context: RequestContext) -> None:
        """With its texts and their versions. Readers, the widget and AI have it no longer."""
        actions.delete_article(widget_id=context.widget_id, article_id=context.target_id)


class ArticleTextViewSet(ApiViewSet):
    target = Article
    shared_arguments = ("lang",)
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(
        summary="Write an article's text",
        takes=ArticleTextBody,
        answers=ArticleSerializer,
        problems=(ARTICLE_CHANGED,),
        max_body=MAX_BODY_BYTES,
        example=_TEXT,
    )
    def put(self, context: RequestContext) -> Answer:
        """A draft in that language: a new version, unless the text is as it was. Readers see it once it is published.

        With `base_version`, a change that somebody has made meanwhile is not overwritten: 409 names the newest version.
        """
        texts.put_text(
            widget_id=context.widget_id,
            article_id=context.target_id,
            lang=context.path["lang"],
            actor=_writer(context),
            **context.body,
        )
        return context.target

    @operation(summary="Delete an article's text", status=204, scopes=PUBLISHES, problems=(LAST_TEXT,))
    def destroy(self, context: RequestContext) -> None:
        """With its versions. An article's last text stays: delete the article."""
        texts.delete_text(widget_id=context.widget_id, article_id=context.target_id, lang=context.path["lang"])

    @operation(
        summary="Publish an article's text",
        takes=PublishingBody,
        answers=ArticleSerializer,
        scopes=PUBLISHES,
        problems=(KB_FULL,),
        example={"version": 3},
    )
    def publish(self, context: RequestContext) -> Answer:
        """Readers, the widget and AI have that version from now on, or from the moment `at` on."""
        publishing.publish(
            widget_id=context.widget_id,
            article_id=context.target_id,
            lang=context.path["lang"],
            **context.body,
        )
        return context.target

    @operation(summary="Withdraw an article's text", answers=ArticleSerializer, scopes=PUBLISHES)
    def unpublish(self, context: RequestContext) -> Answer:
        """Readers, the widget and AI have it no longer, and a planned publication is given up."""
        publishing.unpublish(widget_id=context.widget_id, article_id=context.target_id, lang=context.path["lang"])
        return context.target


class ArticleVersionsViewSet(ApiViewSet):
    target = ArticleText
    target_within = ("article_id",)
    target_field = "lang"
    reads = ("kb:read",)

    @operation(summary="List a text's versions", answers=ArticleVersionSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first. The newest 200 are kept, and the published one."""
        versions = ArticleVersion.objects.for_widget(context.widget_id).newest_first()
        return context.page(
            versions.filter(text__article_id=context.path["article_id"], text__lang=context.path["lang"])
        )


class ArticleVersionViewSet(ApiViewSet):
    target = ArticleVersion
    target_within = ("text__article_id", "text__lang")
    target_field = "version"
    reads = ("kb:read",)

    @operation(summary="Read a version of a text", answers=WholeVersionSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """With its body."""
        return context.target
