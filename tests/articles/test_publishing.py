"""Publishing texts, now and at a moment, and withdrawing them."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import orjson
import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.articles.actions.publishing import publish, publish_due, unpublish
from apps.articles.actions.texts import put_text
from apps.articles.events import ArticlePublished, ArticleUnpublished
from apps.articles.models import Article, ArticleText
from apps.articles.querysets.articles import published
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from tests.cast import Rival
from tests.factories.articles import an_article
from tests.factories.webhooks import SubscriptionFactory

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


def text_of(article: Article, lang: str = "en") -> ArticleText:
    return ArticleText.objects.get(article=article, lang=lang)


def published_of(article: Article, **members: Any) -> ArticleText:
    return publish(widget_id=article.widget_id, article_id=article.pk, **{"lang": "en", "now": NOW, **members})


def draft(article: Article, body: str) -> None:
    put_text(widget_id=article.widget_id, article_id=article.pk, lang="en", title="Returns", body=body)


def body_seen(article: Article, lang: str = "en") -> str | None:
    found = published(article.widget_id, article.pk, lang)
    return found.body if found else None


def test_readers_see_the_published_version_alone(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop, body="One.")
    assert body_seen(article) is None
    text = published_of(article)
    assert (text.published_version, text.published_at, text.version) == (1, NOW, 1)
    draft(article, "Two.")
    assert body_seen(article) == "One."
    published_of(article, now=LATER)
    assert (body_seen(article), text_of(article).published_at) == ("Two.", LATER)
    published_of(article, version=1)
    assert body_seen(article) == "One."
    assert [(type(each), each.version) for each in told] == [(ArticlePublished, version) for version in (1, 2, 1)]


def test_the_same_version_is_published_once(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop)
    published_of(article)
    assert published_of(article, now=LATER).published_at == NOW
    assert len(told) == 1


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"at": NOW}, "at"),
        ({"at": NOW - timedelta(days=1)}, "at"),
        ({"at": NOW + timedelta(days=366)}, "at"),
        ({"version": 2}, "version"),
    ],
)
def test_what_can_not_be_published_is_refused_by_name(
    shop: Widget, told: list[Any], members: dict[str, Any], path: str
) -> None:
    article = an_article(shop)
    with pytest.raises(Problem) as refused:
        published_of(article, **members)
    assert set(refused.value.errors) == {path}
    assert (text_of(article).published_version, text_of(article).publish_at, told) == (None, None, [])


def test_an_empty_text_is_not_published(shop: Widget) -> None:
    article = an_article(shop, body=" \n")
    with pytest.raises(Problem) as refused:
        published_of(article)
    assert set(refused.value.errors) == {"body"}
    assert body_seen(article) is None


def test_a_scheduled_version_is_published_at_its_moment(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop, body="One.")
    text = published_of(article, at=LATER)
    assert (text.publish_at, text.publish_version, text.published_version) == (LATER, 1, None)
    draft(article, "Two.")
    assert publish_due(as_of=LATER - timedelta(seconds=1)) == 0
    assert publish_due(as_of=LATER) == 1
    assert publish_due(as_of=LATER) == 0
    text = text_of(article)
    assert (text.published_version, text.publish_at, text.publish_version) == (1, None, None)
    assert (body_seen(article), [each.version for each in told]) == ("One.", [1])


def test_publishing_now_gives_up_what_was_to_come(shop: Widget) -> None:
    article = an_article(shop)
    published_of(article, at=LATER)
    assert published_of(article).publish_at is None
    assert publish_due(as_of=LATER) == 0


def test_withdrawing_gives_up_both(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop)
    published_of(article)
    published_of(article, at=LATER)
    text = unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
    assert (text.published_version, text.published_at, text.publish_at) == (None, None, None)
    assert body_seen(article) is None
    assert publish_due(as_of=LATER) == 0
    assert told[-1] == ArticleUnpublished(widget_id=shop.pk, article_id=article.pk, lang="en", version=1)
    unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
    assert len(told) == 2


def test_a_reader_has_their_language_else_the_default(shop: Widget) -> None:
    article = an_article(shop, title="Возврат", lang="ru", body="По-русски.", published=True)
    an_article(shop, published=True)
    assert body_seen(article, "ru") == "По-русски."
    assert body_seen(article, "de") is None
    put_text(widget_id=shop.pk, article_id=article.pk, lang="en", title="Returns", body="In English.")
    assert body_seen(article, "de") is None
    published_of(article)
    assert (body_seen(article, "de"), body_seen(article, "ru")) == ("In English.", "По-русски.")


def test_another_widgets_text_is_none(shop: Widget, rival: Rival) -> None:
    foreign = an_article(rival.widget, published=True)
    for call in (publish, unpublish):
        with pytest.raises(Problem) as refused:
            call(widget_id=shop.pk, article_id=foreign.pk, lang="en")
        assert refused.value.type == NOT_FOUND
    assert published(shop.pk, foreign.pk, "en") is None
    assert text_of(foreign).published_version == 1


def test_a_text_waits_while_the_knowledge_is_full(shop: Widget, settings: Settings) -> None:
    article, other = an_article(shop), an_article(shop, title="Delivery")
    published_of(article, at=LATER)
    published_of(other, at=LATER)
    settings.KB_MAX_RULES = 1
    assert publish_due(as_of=LATER) == 1
    waiting = ArticleText.objects.get(published_version=None)
    assert waiting.publish_at == LATER
    settings.KB_MAX_RULES = 100
    assert publish_due(as_of=LATER + timedelta(minutes=1)) == 1
    assert not ArticleText.objects.filter(published_version=None).exists()


def test_the_command_publishes_what_is_due_and_says_how_much(shop: Widget) -> None:
    published_of(an_article(shop), at=LATER)
    out = StringIO()
    call_command("publish_articles", as_of=LATER.isoformat(), json=True, stdout=out)
    assert json.loads(out.getvalue()) == {"published": 1}
    out = StringIO()
    call_command("publish_articles", as_of=LATER.isoformat(), stdout=out)
    assert out.getvalue() == "published 0\n"
    with pytest.raises(CommandError, match="no date-time"):
        call_command("publish_articles", as_of="soon")


def test_subscribers_are_told_by_ids_alone(shop: Widget, rival: Rival) -> None:
    for name in ("article.published", "article.unpublished"):
        set_event_enabled(name=name, enabled=True)
    for widget in (shop, rival.widget):
        SubscriptionFactory.create(widget=widget, events=["article.published", "article.unpublished"])
    article = an_article(shop, published=True)
    unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
    told = [orjson.loads(event.body) for event in Event.objects.filter(widget=shop).order_by("id")]
    data = {"article_id": article.pk, "lang": "en", "version": 1, "button_guid": shop.guid}
    assert [(each["type"], each["data"]) for each in told] == [
        ("article.published", data),
        ("article.unpublished", data),
    ]
    assert not Event.objects.filter(widget=rival.widget).exists()
