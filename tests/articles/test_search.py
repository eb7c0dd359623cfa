"""Search in published articles: words, misspelt ones, languages; nothing is kept (design of the first word, 3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.search import search
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, HelpCenter
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.articles import an_article

pytestmark = pytest.mark.django_db


def in_russian(shop: Widget, article: Article, title: str, body: str, **more: Any) -> None:
    put_text(widget_id=shop.pk, article_id=article.pk, lang="ru", title=title, body=body, **more)
    publish(widget_id=shop.pk, article_id=article.pk, lang="ru")


@pytest.fixture
def delivery(shop: Widget) -> Article:
    body = "Couriers bring bouquets from nine to nine.\n\n## Price\n\nWithin the city it costs 300 roubles."
    article = an_article(shop, published=True, title="Delivery", body=body, summary="When and how much.")
    in_russian(shop, article, "Доставка", "Курьеры привозят букеты с девяти. По городу стоит **300 рублей**.")
    return article


@pytest.fixture
def returns(shop: Widget) -> Article:
    article = an_article(shop, published=True, title="Returns", body="Send flowers back within seven days. AX-4417.")
    in_russian(shop, article, "Возврат денег", "Вернуть букет можно в течение семи дней при наличии чека.")
    return article


@pytest.fixture
def articles(delivery: Article, returns: Article) -> list[int]:
    return [delivery.pk, returns.pk]


def titles(shop: Widget, q: str, lang: str = "", **more: Any) -> list[str]:
    return [hit.title for hit in search(shop.pk, q, lang, **more)]


@pytest.mark.usefixtures("articles")
class TestWords:
    @pytest.mark.parametrize(
        ("q", "lang", "first"),
        [
            ("how much is delivery", "en", "Delivery"),
            ("couriers", "en", "Delivery"),
            ("sending flowers back", "en", "Returns"),
            ("сколько стоит доставка", "ru", "Доставка"),
            ("вернуть букеты", "ru", "Возврат денег"),
            ("ax 4417", "en", "Returns"),
        ],
    )
    def test_words_are_found_in_any_form(self, shop: Widget, q: str, lang: str, first: str) -> None:
        assert titles(shop, q, lang)[0] == first

    @pytest.mark.parametrize(
        ("q", "lang", "first"),
        [
            ("delivry", "en", "Delivery"),
            ("retuns", "en", "Returns"),
            ("даставка", "ru", "Доставка"),
            ("вазврат", "ru", "Возврат денег"),
            ("возрват", "ru", "Возврат денег"),
            ("dostavka", "ru", "Доставка"),
            ("ljcnfdrf", "ru", "Доставка"),
        ],
    )
    def test_misspelt_words_are_found(self, shop: Widget, q: str, lang: str, first: str) -> None:
        assert titles(shop, q, lang)[0] == first

    @pytest.mark.parametrize("q", ["космонавтика", "и в на", "%_%'; DROP", "  \u200b ", "<script>", "\U0001f600" * 200])
    def test_nothing_in_common_is_nothing(self, shop: Widget, q: str) -> None:
        assert titles(shop, q, "ru") == []

    def test_a_title_counts_more(self, shop: Widget) -> None:
        an_article(shop, published=True, title="Wrapping", body="About paper. Warranty, warranty.")
        an_article(shop, published=True, title="Warranty", body="About all that we sell.")
        assert titles(shop, "warranty", "en") == ["Warranty", "Wrapping"]

    def test_a_long_article_does_not_crowd_others_out(self, shop: Widget) -> None:
        body = "\n\n".join(f"## Delivery {n}\n\nDelivery of bouquets, part {n}." for n in range(500))
        an_article(shop, published=True, title="All about delivery", body=body)
        assert set(titles(shop, "delivery", "en")) == {"Delivery", "All about delivery"}


class TestLanguages:
    """The language first, then the default one; one hit an article."""

    def test_the_language_comes_first_then_the_default(self, shop: Widget, delivery: Article) -> None:
        HelpCenter.objects.create(widget=shop, default_language="en")
        other = an_article(shop, published=True, title="Express доставка", body="Доставка, доставка, доставка.")
        hits = search(shop.pk, "доставка", "ru")
        assert [(hit.article_id, hit.lang) for hit in hits] == [(delivery.pk, "ru"), (other.pk, "en")]
        assert [hit.lang for hit in search(shop.pk, "доставка", "de")] == ["en"]

    def test_one_hit_an_article(self, shop: Widget, delivery: Article) -> None:
        assert [hit.lang for hit in search(shop.pk, "delivery доставка 300", "ru")] == ["ru"]

    def test_no_third_language_is_found(self, shop: Widget, delivery: Article) -> None:
        HelpCenter.objects.create(widget=shop, default_language="en")
        assert titles(shop, "привозят", "de") == []


class TestReaders:
    """Readers find the published version alone."""

    def test_drafts_are_not_found(self, shop: Widget) -> None:
        an_article(shop, title="Secret plans")
        assert titles(shop, "secret plans", "en") == []

    def test_a_draft_of_a_published_one_is_not_found(self, shop: Widget, delivery: Article) -> None:
        put_text(widget_id=shop.pk, article_id=delivery.pk, lang="en", title="Drones", body="Drones will bring them.")
        assert titles(shop, "drones", "en") == []
        (hit,) = search(shop.pk, "couriers", "en")
        assert (hit.title, hit.summary) == ("Delivery", "When and how much.")
        publish(widget_id=shop.pk, article_id=delivery.pk, lang="en")
        assert titles(shop, "drones", "en") == ["Drones"]
        assert titles(shop, "couriers", "en") == []

    def test_a_withdrawn_one_is_not_found(self, shop: Widget, delivery: Article) -> None:
        unpublish(widget_id=shop.pk, article_id=delivery.pk, lang="en")
        assert titles(shop, "couriers", "en") == []
        assert titles(shop, "курьеры", "ru") == ["Доставка"]

    def test_the_rivals_are_not_found(self, shop: Widget, rival: Rival) -> None:
        an_article(rival.widget, published=True, title="Orchids")
        assert titles(shop, "orchids orchidz", "en") == []

    def test_it_is_found_while_ai_has_none(self, shop: Widget) -> None:
        HelpCenter.objects.create(widget=shop, for_ai=False)
        an_article(shop, published=True, title="Orchids")
        assert titles(shop, "orchids", "en") == ["Orchids"]


@pytest.mark.usefixtures("articles")
class TestCall:
    """`GET /v1/articles/search`."""

    def test_rows(self, api: ApiClient, delivery: Article) -> None:
        response = api.get("/articles/search", query={"q": "стоимость: 300 рублей", "lang": "ru"})
        (row,) = response.json()["data"]
        assert row.pop("score") > 0
        assert row == {
            "article_id": delivery.pk,
            "lang": "ru",
            "title": "Доставка",
            "summary": "",
            "snippet": "Курьеры привозят букеты с девяти. По городу стоит 300 рублей.",
            "url": None,
        }

    def test_the_public_address(self, api: ApiClient, shop: Widget, delivery: Article) -> None:
        HelpCenter.objects.create(widget=shop, is_public=True, slug="flowers")
        row = api.get("/articles/search", query={"q": "couriers", "lang": "en"}).json()["data"][0]
        assert row["url"].endswith(f"/help/flowers/en/{delivery.pk}-delivery")

    @pytest.mark.parametrize(
        ("query", "path"),
        [
            ({}, "q"),
            ({"q": ""}, "q"),
            ({"q": "\u200b"}, "q"),
            ({"q": "x" * 201}, "q"),
            ({"q": "x", "limit": 21}, "limit"),
            ({"q": "x", "limit": 0}, "limit"),
            ({"q": "x", "lang": "tlh"}, "lang"),
        ],
    )
    def test_bad_questions(self, api: ApiClient, query: dict[str, Any], path: str) -> None:
        problem = assert_problem(api.get("/articles/search", query=query), 422, "invalid_input")
        assert list(problem["errors"]) == [path]

    def test_the_limit(self, api: ApiClient) -> None:
        assert (
            len(api.get("/articles/search", query={"q": "bouquets flowers", "lang": "en", "limit": 1}).json()["data"])
            == 1
        )

    def test_statements_do_not_grow(self, shop: Widget) -> None:
        def counted(q: str) -> int:
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert search(shop.pk, q, "en", 20)
            return len(queries)

        before = counted("delivery flowers")
        for number in range(30):
            an_article(shop, published=True, title=f"Delivery {number}")
        assert counted("delivery flowers") == before <= 6


class TestSuggestions:
    """Only where half of the words are known."""

    def test_half_known(self, shop: Widget, delivery: Article) -> None:
        assert titles(shop, "delivery tomorrow", "en", purpose="suggestion") == ["Delivery"]
        assert titles(shop, "delivery tomorrow evening please hurry", "en", purpose="suggestion") == []
        assert titles(shop, "delivery tomorrow evening please hurry", "en") == ["Delivery"]
