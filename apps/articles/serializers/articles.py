"""Articles, their texts, versions and pictures, as they are answered, and the bodies that change them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from rest_framework import serializers

from apps.articles.rules.addresses import article_url, center_base, picture_path
from apps.articles.rules.limits import (
    MAX_BODY,
    MAX_POSITION,
    MAX_SLUG,
    MAX_SUMMARY,
    MAX_TITLE,
)
from apps.articles.rules.states import DomainState, DraftState, TextState
from apps.chats.rules.languages import LANGUAGES
from apps.core.endpoints.paging import PageQuery
from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, PatchBody, QueryInteger, Text
from apps.core.endpoints.windows import Moment

MAX_ID, MAX_VERSION = 2**63 - 1, 2**31 - 1
MAX_BODY_BYTES = 2 * 1024 * 1024
_MOMENTS = ("publish_at", "published_at", "updated_at")
# The columns of members that are made of an article's texts (`querysets.rows`).
_COLUMNS = ("id", "texts_shown", "center_is_public", "center_slug", "center_domain", "center_domain_state")


class ListedTextSerializer(RowSerializer):
    """An article's text in a language."""

    lang = Choice(choices=list(LANGUAGES))
    slug = Text(help_text="The last part of its address.")
    title = Text()
    summary = Text()
    state = Choice(choices=list(TextState))
    version = Integer(help_text="The newest one.")
    published_version = Integer(allow_null=True, help_text="The one that readers see.")
    has_changes = Boolean(help_text="Whether it is published, and a newer version is there.")
    publish_at = Time(allow_null=True, help_text="When a version is published by itself.")
    published_at = Time(allow_null=True)
    updated_at = Time()
    url = Url(allow_null=True, help_text="Its public address; null unless readers see it there.")
    draft_state = Choice(choices=list(DraftState), help_text="How far a worker's draft is.")
    unsupported = serializers.ListField(child=Json(), help_text="Facts of a worker's draft that nothing proves.")


class ArticleTextSerializer(ListedTextSerializer):
    """An article's text in a language, with its body."""

    body = Text(help_text="Markdown: the newest version.")


class AskedSerializer(RowSerializer):
    """How often it was asked in vain, before the article was written for it."""

    count = Integer()
    chats = Integer()
    since = Time(allow_null=True)


def listed_texts(
    article_id: int,
    texts: Sequence[dict[str, Any]],
    is_public: bool | None,
    slug: str | None,
    domain: str | None,
    domain_state: str | None,
) -> dict[str, Any]:
    """The texts of an article by language, without bodies."""
    is_own = domain_state == DomainState.VERIFIED
    base = center_base(settings.PUBLIC_URL, slug, domain if is_own else None) if is_public and slug else None
    return {text["lang"]: _text_shown(article_id, text, base) for text in texts}


def whole_texts(bodies: Sequence[str], *columns: Any) -> dict[str, Any]:
    """The texts of an article by language, with their bodies."""
    texts = listed_texts(*columns)
    return {lang: {**text, "body": body} for (lang, text), body in zip(texts.items(), bodies, strict=True)}


def _text_shown(article_id: int, text: dict[str, Any], base: str | None) -> dict[str, Any]:
    seen, lang = text["published_version"], text["lang"]
    shown = {name: value for name, value in text.items() if name != "published_slug"}
    shown |= {name: datetime.fromisoformat(text[name]) for name in _MOMENTS if text[name] is not None}
    return shown | {
        "state": TextState.DRAFT if seen is None else TextState.PUBLISHED,
        "has_changes": seen is not None and seen != text["version"],
        "url": article_url(base, lang, article_id, text["published_slug"]) if base and seen is not None else None,
    }


class ListedArticleSerializer(RowSerializer):
    """An article, with its texts by language."""

    json_columns = ("asked",)

    id = Integer()
    category_id = Integer(allow_null=True)
    position = Integer(help_text="Among the articles of its category, the lower first.")
    asked = AskedSerializer(allow_null=True, help_text="The question in vain, if it was written for one.")
    texts = MethodField(serializers.DictField(child=ListedTextSerializer()), columns=_COLUMNS, from_=listed_texts)
    created_at = Time()
    updated_at = Time()


class ArticleSerializer(ListedArticleSerializer):
    """An article, with its texts by language and their bodies."""

    texts = MethodField(
        serializers.DictField(child=ArticleTextSerializer()), columns=("bodies", *_COLUMNS), from_=whole_texts
    )


class ArticleVersionSerializer(RowSerializer):
    """A version of a text."""

    version = Integer()
    title = Text()
    actor = TextOrNull(help_text="Its writer, by name.")
    at = Time()
    is_published = Boolean(help_text="Whether readers see it.")


class WholeVersionSerializer(ArticleVersionSerializer):
    """A version of a text, with its body."""

    slug = Text()
    summary = Text()
    body = Text(help_text="Markdown.")


class ArticlePictureSerializer(RowSerializer):
    """A picture that articles may show by its address."""

    id = MethodField(Text(), columns=("guid",), from_=lambda guid: guid.hex)
    url = MethodField(Url(), columns=("guid",), from_=lambda guid: settings.PUBLIC_URL + picture_path(guid))
    width = Integer()
    height = Integer()
    size = Integer(help_text="Bytes.")


class ArticlesQuery(PageQuery):
    """The filters of the list: of one text of an article, all that are said hold."""

    state = Choice(required=False, choices=list(TextState))
    lang = Choice(required=False, choices=list(LANGUAGES))
    category_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)
    q = Text(required=False, max_length=MAX_TITLE, help_text="Words of a title.")


class ArticleTextBody(Body):
    """A new draft of a text."""

    title = Text(min_length=1, max_length=MAX_TITLE)
    body = Text(allow_blank=True, max_length=MAX_BODY, help_text="Markdown.")
    summary = Text(required=False, allow_blank=True, default="", max_length=MAX_SUMMARY)
    slug = Text(
        required=False,
        allow_blank=True,
        allow_null=True,
        default=None,
        max_length=MAX_SLUG,
        help_text="Small letters a to z, digits and hyphens; made of the title if not said.",
    )
    base_version = Integer(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=MAX_VERSION,
        help_text="The version that was read before, 0 for none: if another one is the newest, 409.",
    )


class ArticleBody(Body):
    """A new article with its first text."""

    lang = Choice(choices=list(LANGUAGES))
    title = Text(min_length=1, max_length=MAX_TITLE)
    body = Text(required=False, allow_blank=True, default="", max_length=MAX_BODY)
    summary = Text(required=False, allow_blank=True, default="", max_length=MAX_SUMMARY)
    slug = Text(required=False, allow_blank=True, allow_null=True, default=None, max_length=MAX_SLUG)
    category_id = Integer(required=False, default=None, allow_null=True, min_value=1, max_value=MAX_ID)
    position = Integer(required=False, default=0, min_value=0, max_value=MAX_POSITION)


class ArticleChanges(PatchBody):
    """The place of an article."""

    of = ArticleBody
    without = ("lang", "title", "body", "summary", "slug")


class PublishingBody(Body):
    """The published version, and its time."""

    version = Integer(
        required=False,
        default=None,
        allow_null=True,
        min_value=1,
        max_value=MAX_VERSION,
        help_text="Default: the newest.",
    )
    at = Moment(required=False, default=None, allow_null=True, help_text="Default: now. Within a year.")
