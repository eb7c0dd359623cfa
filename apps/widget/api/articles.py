"""Articles of the help center in a page: the list, the search, one of them, and what its reader says.

Each of these calls is 404 where the widget shows no articles (`in_widget` is off).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings as installation

from apps.articles.actions.search import Hit
from apps.articles.actions.visitors import (
    list_articles,
    note_reading,
    note_voice,
    search_articles,
    show_article,
)
from apps.articles.models import Article
from apps.articles.rules.tallies import MAX_FEEDBACK, MAX_QUERY, FeedbackReason
from apps.chats.models import Contact
from apps.core.endpoints import addresses
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.row_serializers import RowSerializer, TextList, Time, Url
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, Query, Text
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND
from apps.widget.authentication import VisitorAuthenticator, require_budget
from apps.widget.querysets.settings import settings_of
from apps.widget.serializers.invitations import BrowserKey

_KEY = "6b1f0c9f4de2a1b87c5d3e2f1a0b9c8d"
_OF_TEXT = "The language of the text that was read; by default, the one that the visitor is served."
MOST_FOUND = 10


class ArticleQuery(Query):
    """The visitor's language, where the page knows it."""

    lang = Text(required=False, allow_blank=True, max_length=35, default="")


class ArticleSearchBody(Body):
    """Typed words. They stand in no address and in no log."""

    q = Text(min_length=1, max_length=MAX_QUERY)
    lang = Text(required=False, allow_blank=True, max_length=35, default="")
    limit = Integer(required=False, default=5, min_value=1, max_value=MOST_FOUND)
    purpose = Choice(
        required=False,
        default="search",
        choices=["search", "suggestion"],
        help_text="`search`: submitted, and kept, redacted. `suggestion`: while a message is written; nothing is kept.",
    )
    key = BrowserKey(required=False, help_text="The browser's own: a search counts once a key and day.")


class ReadingBody(Body):
    """The browser that an article was opened in."""

    key = BrowserKey()
    lang = Text(required=False, allow_blank=True, max_length=35, default="", help_text=_OF_TEXT)


class ArticleFeedbackBody(ReadingBody):
    """The voice of a reader: a thumb, and the reason of one that is down."""

    helpful = Boolean(allow_null=True, help_text="Whether it helped; null takes back what was said before.")
    reason = Choice(required=False, allow_null=True, choices=list(FeedbackReason))
    text = Text(required=False, allow_null=True, allow_blank=True, max_length=MAX_FEEDBACK)


class ArticleChoiceSerializer(RowSerializer):
    """An article to choose, in the visitor's language or the help center's."""

    id = Integer()
    lang = Text()
    title = Text()
    summary = Text(allow_blank=True)
    url = Url(allow_null=True, help_text="The public page; null where the help center is not public.")


class OpenedArticleSerializer(RowSerializer):
    """An article to read, as it was published."""

    id = Integer()
    lang = Text()
    title = Text()
    markdown = Text(allow_blank=True)
    url = Url(allow_null=True, help_text="The public page; null where the help center is not public.")
    languages = TextList(help_text="The languages in which it is published.")
    updated_at = Time()


class WidgetArticleViewSet(EndpointViewSet):
    """The reads of articles by a page. They make no contact, session or chat of who reads."""

    authenticator = VisitorAuthenticator(needs_session=False)

    @operation(
        summary="List articles",
        filters=ArticleQuery,
        answers=ArticleChoiceSerializer,
        lists="whole",
        problems=(NOT_FOUND,),
    )
    def list(self, context: RequestContext) -> Page:
        """At most five: those that were read most in thirty days, then by their position."""
        lang = language_of(context, context.filters["lang"])
        return context.whole(_rows(list_articles(widget_id=context.widget_id, lang=lang)))

    @operation(
        summary="Search articles",
        takes=ArticleSearchBody,
        answers=ArticleChoiceSerializer,
        lists="whole",
        problems=(NOT_FOUND,),
        example={"q": "How do I return a teapot?", "lang": "en", "purpose": "search", "key": _KEY},
    )
    def search(self, context: RequestContext) -> Page:
        """The articles that answer it, the best first. With the purpose `suggestion` only where half of the words are
        known. An address has a quarter of the calls that visitors have.
        """
        body, address = context.body, addresses.key_of(context.request)
        limit_calls(address)
        found = search_articles(
            widget_id=context.widget_id,
            q=body["q"],
            lang=language_of(context, body["lang"]),
            limit=body["limit"],
            purpose=body["purpose"],
            key=body.get("key") or address,
        )
        return context.whole(_rows(found))


class ReadArticleViewSet(EndpointViewSet):
    """The calls of a page about one article. A session's token may go along."""

    authenticator = VisitorAuthenticator(needs_session=False, takes_session=True)
    target = Article

    @operation(summary="Read an article", filters=ArticleQuery, answers=OpenedArticleSerializer, problems=(NOT_FOUND,))
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The published text in the visitor's language, else in the help center's; 404 where it is in neither."""
        return show_article(
            widget_id=context.widget_id,
            article_id=context.target_id,
            lang=language_of(context, context.filters["lang"]),
            user_agent=context.request.headers.get("User-Agent", ""),
        )

    @operation(
        summary="Tell that an article was opened",
        takes=ReadingBody,
        status=204,
        problems=(NOT_FOUND,),
        example={"key": _KEY},
    )
    def read(self, context: RequestContext) -> None:
        """Notes its reader, by the browser's key and, with a session's token, the visitor.

        A reader who writes within a day was not helped. An address has a quarter of the calls that visitors have.
        """
        limit_calls(addresses.key_of(context.request))
        note_reading(**_whose(context))

    @operation(
        summary="Say whether an article helped",
        takes=ArticleFeedbackBody,
        status=204,
        problems=(NOT_FOUND,),
        example={"key": _KEY, "helpful": False, "reason": "unclear"},
    )
    def feedback(self, context: RequestContext) -> None:
        """Keeps the voice of a browser in place of what it said before; null takes it back.

        An address has a quarter of the calls that visitors have.
        """
        limit_calls(addresses.key_of(context.request))
        body = context.body
        note_voice(**_whose(context), helpful=body["helpful"], reason=body.get("reason"), text=body.get("text"))


def _rows(hits: Sequence[Hit]) -> Iterator[dict[str, Any]]:
    for hit in hits:
        yield {"id": hit.id, "lang": hit.lang, "title": hit.title, "summary": hit.summary, "url": hit.url}


def _whose(context: RequestContext) -> dict[str, Any]:
    """The article, its reader's language and browser and, where a session's token came along, the visitor."""
    known = context.caller.known
    contact: Contact | None = known.contact if known else None
    lang = language_of(context, context.body["lang"])
    of_article = {"widget_id": context.widget_id, "article_id": context.target_id, "lang": lang}
    return {**of_article, "key": context.body["key"], "contact": contact}


def limit_calls(address: str) -> None:
    """Takes one of the calls about articles that an address has in a minute. Raises RATE_LIMITED (429)."""
    require_budget(address, "article", limit=max(1, installation.VISITOR_RATE_LIMIT // 4))


def language_of(context: RequestContext, wished: str) -> str:
    """The language that the visitor is served, as the config is."""
    return settings_of(context.widget_id).language_for(wished, context.request.headers.get("Accept-Language", ""))
