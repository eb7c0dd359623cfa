"""Articles under concurrency: of two deeds at once one wins, and AI's chunks are as its text. Real threads, on real
PostgreSQL.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from apps.accounts.models import Widget
from apps.articles.actions import tallies
from apps.articles.actions.knowledge import follow_articles, follow_center
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.search import search
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleReader, ArticleTally, ArticleText, HelpCenter, SearchableText
from apps.articles.rules.tallies import ReadingPlace
from apps.kb.models import Rule
from tests.factories.articles import an_article

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 6


def at_once(*calls: Callable[[], Any]) -> None:
    """All begun at the same moment."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> None:
        try:
            barrier.wait(20)
            call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        list(threads.map(run, calls))


def known(shop: Widget) -> list[str]:
    return list(Rule.objects.for_widget(shop.pk).values_list("content", flat=True))


def of(shop: Widget, article: Article) -> dict[str, Any]:
    return {"widget_id": shop.pk, "article_id": article.pk, "lang": "en"}


def test_publishing_beside_withdrawing(shop: Widget) -> None:
    article = an_article(shop, published=True, body="One.")
    for number in range(ROUNDS):
        text = put_text(**of(shop, article), title="Returns", body=f"Version {number}.")
        at_once(
            lambda version=text.version: publish(**of(shop, article), version=version),
            lambda: unpublish(**of(shop, article)),
        )
        shown = ArticleText.objects.for_widget(shop.pk).get().published_version
        assert known(shop) == ([] if shown is None else [f"Version {number}."])
        assert len(search(shop.pk, "returns", "en")) == (shown is not None)


def test_ai_switched_off_beside_publishing(shop: Widget) -> None:
    """Whichever comes first: with AI switched off no chunk is left."""

    def switch(is_on: bool) -> None:
        with transaction.atomic():
            HelpCenter.objects.update_or_create(widget=shop, defaults={"for_ai": is_on})
            follow_center(widget_id=shop.pk, changed=("for_ai",))

    article = an_article(shop, published=True, body="One.")
    for number in range(ROUNDS):
        switch(True)
        text = put_text(**of(shop, article), title="Returns", body=f"Version {number}.")
        at_once(lambda version=text.version: publish(**of(shop, article), version=version), lambda: switch(False))
        assert known(shop) == []
        switch(True)
        assert known(shop) == [f"Version {number}."]


def test_the_job_beside_publishing(shop: Widget) -> None:
    article = an_article(shop, published=True, body="One.")
    for number in range(ROUNDS):
        SearchableText.objects.for_widget(shop.pk).update(is_due=True)
        text = put_text(**of(shop, article), title="Returns", body=f"Version {number}.")
        publishes = lambda version=text.version: publish(**of(shop, article), version=version)  # noqa: E731
        at_once(publishes, follow_articles, follow_articles)
        follow_articles()
        assert known(shop) == [f"Version {number}."]


def test_counts_of_many_at_once_are_exact(shop: Widget) -> None:
    article = an_article(shop, published=True)
    view = lambda: tallies.count_view(**of(shop, article), place=ReadingPlace.PAGE)  # noqa: E731
    reads = lambda: tallies.read(**of(shop, article), key="a" * 32)  # noqa: E731
    says = lambda: tallies.give_feedback(**of(shop, article), key="a" * 32, helpful=True)  # noqa: E731
    at_once(*[view] * 6, reads, reads, says, says)
    assert ArticleTally.objects.for_widget(shop.pk).get().page == 6
    reader = ArticleReader.objects.for_widget(shop.pk).get()
    assert (reader.helpful, reader.read_at is not None) == (True, True)
