"""Writes of articles at once: real threads, each with its own connection, on real PostgreSQL."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.models import Widget
from apps.articles.actions.articles import create_article, delete_article
from apps.articles.actions.categories import create_category, delete_category
from apps.articles.actions.centers import change_center
from apps.articles.actions.publishing import publish, publish_due, unpublish
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleText, ArticleVersion, HelpCenter
from apps.articles.querysets.articles import published
from apps.core.problems import Problem
from apps.kb.models import Rule
from tests.cast import Rival
from tests.factories.articles import an_article

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 6


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What each gives, or the code of its refusal, all begun at the same moment."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return call()
        except Problem as problem:
            return problem.type.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def chunks_of(article: Article) -> list[str]:
    rules = Rule.objects.filter(source__ref=f"article:{article.pk}:en")
    return list(rules.order_by("chunk_index").values_list("content", flat=True))


def chunks_follow(article: Article) -> bool:
    """Whether AI knows what readers see, and nothing else."""
    seen = published(article.widget_id, article.pk, "en")
    return chunks_of(article) == ([] if seen is None else [seen.body])


@pytest.mark.parametrize("time", range(4))
def test_publishing_beside_withdrawing(shop: Widget, time: int) -> None:
    """One is the later one, and AI's chunks are as it says."""
    article = an_article(shop, published=bool(time % 2))
    put_text(widget_id=shop.pk, article_id=article.pk, lang="en", title="Returns", body="Within 30 days.")
    of_text = {"widget_id": shop.pk, "article_id": article.pk, "lang": "en"}
    at_once(*[partial(publish, **of_text), partial(unpublish, **of_text)] * 2)
    assert ArticleText.objects.get().published_version in (None, 2)
    assert chunks_follow(article)


def test_publishing_beside_ai_switched_off(shop: Widget) -> None:
    article = an_article(shop)
    at_once(
        partial(publish, widget_id=shop.pk, article_id=article.pk, lang="en"),
        partial(change_center, widget_id=shop.pk, changes={"for_ai": False}),
    )
    assert ArticleText.objects.get().published_version == 1
    assert chunks_of(article) == []


def test_writers_of_one_version_win_once(shop: Widget) -> None:
    article = an_article(shop)

    def write(number: int) -> Any:
        return put_text(
            widget_id=shop.pk,
            article_id=article.pk,
            lang="en",
            title="Returns",
            body=f"By writer {number}.",
            base_version=1,
        ).version

    found = Counter(at_once(*(partial(write, number) for number in range(CALLERS))))
    assert found == {2: 1, "article_changed": CALLERS - 1}
    assert list(ArticleVersion.objects.order_by("version").values_list("version", flat=True)) == [1, 2]


def test_writers_without_a_version_lose_nothing(shop: Widget) -> None:
    article = an_article(shop)
    of_text = {"widget_id": shop.pk, "article_id": article.pk, "lang": "ru", "title": "Возврат"}
    at_once(*(partial(put_text, **of_text, body=f"Раз {number}.") for number in range(CALLERS)))
    versions = ArticleVersion.objects.filter(text__lang="ru")
    assert list(versions.order_by("version").values_list("version", flat=True)) == list(range(1, CALLERS + 1))
    assert {each.body for each in versions} == {f"Раз {number}." for number in range(CALLERS)}


def test_two_jobs_publish_once(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop)
    at = timezone.now() + timedelta(hours=1)
    publish(widget_id=shop.pk, article_id=article.pk, lang="en", at=at)
    assert sum(at_once(*[partial(publish_due, as_of=at)] * 3)) == 1
    assert [each.version for each in told] == [1]


def test_deleting_beside_publishing_leaves_no_chunk(shop: Widget) -> None:
    article = an_article(shop)
    of_article = {"widget_id": shop.pk, "article_id": article.pk}
    at_once(partial(publish, **of_article, lang="en"), partial(delete_article, **of_article))
    assert not Article.objects.exists()
    assert not Rule.objects.exists()


def test_a_widget_never_has_more_than_it_may(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.articles.actions.articles.MAX_ARTICLES", 2)

    def create() -> str:
        create_article(widget_id=shop.pk, lang="en", title="Returns")
        return "made"

    assert Counter(at_once(*[create] * CALLERS)) == {"made": 2, "too_many_articles": CALLERS - 2}


def test_a_category_is_not_deleted_under_an_article(shop: Widget) -> None:
    category = create_category(widget_id=shop.pk, name={"en": "Delivery"})
    at_once(
        partial(create_article, widget_id=shop.pk, lang="en", title="Returns", category_id=category.pk),
        partial(delete_category, widget_id=shop.pk, category_id=category.pk),
    )
    assert not Article.objects.filter(category=None).exists()


def test_a_slug_is_one_help_centers(shop: Widget, rival: Rival) -> None:
    found = at_once(
        *(partial(change_center, widget_id=widget.pk, changes={"slug": "flowers"}) for widget in (shop, rival.widget))
    )
    assert "slug_taken" in found
    assert HelpCenter.objects.filter(slug="flowers").count() == 1
