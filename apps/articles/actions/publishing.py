"""Publishing the texts of articles, now or at a moment, and withdrawing them."""

import logging
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.articles.events import ArticlePublished, ArticleUnpublished
from apps.articles.models import Article, ArticleText, ArticleVersion
from apps.articles.rules.texts import publishing_refusals
from apps.core import bus
from apps.core.database.changes import set_changes
from apps.core.errors import INVALID_INPUT
from apps.core.problems import Problem

logger = logging.getLogger(__name__)

BATCH = 500
_NOT_SCHEDULED = {"publish_at": None, "publish_version": None}


@transaction.atomic
def publish(
    *,
    widget_id: int,
    article_id: int,
    lang: str,
    version: int | None = None,
    at: datetime | None = None,
    now: datetime | None = None,
) -> ArticleText:
    """Shows readers a version of a text, the newest if not said: from now on, or from the moment `at` on.

    A planned publication is given up for it. The version that readers see already changes nothing.

    Raises NOT_FOUND (404); INVALID_INPUT (422) by name: an empty text, an unknown version, a moment that is past or
    more than a year away; KB_FULL (409) where the knowledge has no room for it.
    """
    now = now or timezone.now()
    text = _locked(widget_id, article_id, lang)
    wanted = text.version if version is None else version
    found = ArticleVersion.objects.for_widget(widget_id).filter(text=text, version=wanted).only("body").first()
    if found is None:
        raise INVALID_INPUT(errors={"version": ["There is no such version."]})
    if refusals := publishing_refusals(body=found.body, at=at, now=now):
        raise INVALID_INPUT(errors={path: [why] for path, why in refusals.items()})
    if at is not None:
        _save(text, {"publish_at": at, "publish_version": wanted})
    else:
        _show(text, wanted, now)
    return text


@transaction.atomic
def unpublish(*, widget_id: int, article_id: int, lang: str) -> ArticleText:
    """Shows readers a text no longer, and gives up its planned publication. Raises NOT_FOUND (404)."""
    text = _locked(widget_id, article_id, lang)
    seen = text.published_version
    _save(text, {"published_version": None, "published_at": None, **_NOT_SCHEDULED})
    if seen is not None:
        bus.publish(ArticleUnpublished(widget_id=widget_id, article_id=article_id, lang=lang, version=seen))
    return text


def publish_due(*, as_of: datetime) -> int:
    """Publishes the texts whose moment has come; returns how many. Harmless when run twice at once.

    Each is a transaction of its own. One that the knowledge has no room for waits.
    """
    texts = ArticleText.objects.unscoped("every widget's texts that are due").due(as_of)
    rows = texts.order_by("publish_at", "pk").values_list("widget_id", "article_id", "lang")[:BATCH]
    return sum(_publish_if_due(*row, now=as_of) for row in rows)


def _publish_if_due(widget_id: int, article_id: int, lang: str, *, now: datetime) -> bool:
    try:
        with transaction.atomic():
            article = Article.objects.for_widget(widget_id).filter(pk=article_id)
            if article.select_for_update(of=("self",), no_key=True).first() is None:
                return False
            texts = ArticleText.objects.for_widget(widget_id).filter(article_id=article_id, lang=lang)
            text = texts.due(now).first()
            if text is None or text.publish_version is None:
                return False
            _show(text, text.publish_version, now)
            return True
    except Problem as problem:
        logger.warning("article %s (%s) waits to be published: %s", article_id, lang, problem.type.code)
        return False


def _show(text: ArticleText, version: int, now: datetime) -> None:
    is_new = text.published_version != version
    of_reader = {"published_version": version, "published_at": now} if is_new else {}
    _save(text, {**of_reader, **_NOT_SCHEDULED})
    if is_new:
        bus.publish(
            ArticlePublished(widget_id=text.widget_id, article_id=text.article_id, lang=text.lang, version=version)
        )


def _locked(widget_id: int, article_id: int, lang: str) -> ArticleText:
    """The text, behind the lock of its article: of two writes at once, one is the later."""
    Article.objects.for_widget(widget_id).get_for_update(pk=article_id)
    return ArticleText.objects.for_widget(widget_id).filter(article_id=article_id).get_or_404(lang=lang)


def _save(text: ArticleText, columns: dict[str, object]) -> None:
    """When a text was published is no change of the text: its `updated_at` stays."""
    changed = set_changes(text, columns)
    if changed:
        text.save(update_fields=changed)
