"""Rules of articles: given by the visitor's language, changed with the article alone (design: first word, 3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Account, Widget
from apps.egress.call_budget import CallBudget
from apps.kb.actions.documents import delete_source, replace_document, set_languages
from apps.kb.actions.retrieval import retrieve
from apps.kb.models import KnowledgeBase, Rule, Source
from apps.kb.rules.crawling import is_below
from apps.kb.rules.documents import Chunk
from apps.kb.rules.texts import SourceType, article_ref
from tests.client import ApiClient, assert_problem
from tests.factories import StaffFactory

RU, EN = "Доставка стоит 300 рублей.", "Delivery costs 300 roubles, доставка."


def published(shop: Widget, lang: str, *texts: str, languages: list[str] | None = None) -> None:
    replace_document(
        widget_id=shop.pk,
        source_ref=article_ref(7, lang),
        source_type=SourceType.ARTICLE,
        title="Delivery",
        doc_id=None,
        url=None,
        chunks=[Chunk("Delivery", text) for text in texts],
        languages=languages,
    )


def given(shop: Widget, language: str, query: str = "доставка") -> list[str]:
    meter = CallBudget(operations=10, seconds=45)
    found = retrieve(widget_id=shop.pk, assistant_id=1, operator_id=None, query=query, language=language, budget=meter)
    return [piece.content for piece in found.chunks]


@pytest.fixture
def article(shop: Widget) -> None:
    published(shop, "ru", RU, languages=["ru"])
    published(shop, "en", EN, languages=["en", "de", "es", "el", "ar", "zh"])


@pytest.mark.usefixtures("article")
class TestLanguages:
    def test_only_the_visitors_language_is_given_else_the_defaults(self, shop: Widget) -> None:
        assert given(shop, "ru") == [RU]
        assert given(shop, "en") == given(shop, "de") == [EN]

    def test_misspelt_words_find_the_visitors_language_alone(self, shop: Widget) -> None:
        assert given(shop, "ru", "даставка") == [RU]
        assert given(shop, "de", "даставка") == [EN]

    def test_other_languages_are_given_once_theirs_is_gone(self, shop: Widget) -> None:
        delete_source(widget_id=shop.pk, source_ref=article_ref(7, "ru"))
        set_languages(widget_id=shop.pk, source_ref=article_ref(7, "en"), languages=["en", "ru"])
        assert given(shop, "ru") == [EN]
        assert given(shop, "de") == []

    def test_equal_chunks_keep_their_rule_with_new_languages(self, shop: Widget) -> None:
        before = Rule.objects.for_widget(shop.pk).get(content=EN).pk
        published(shop, "en", EN, "More.", languages=["en"])
        rules = Rule.objects.for_widget(shop.pk).filter(source__ref=article_ref(7, "en")).order_by("chunk_index")
        assert [(rule.pk == before, rule.languages) for rule in rules] == [(True, ["en"]), (False, ["en"])]

    def test_the_preview_has_a_language(self, api: ApiClient) -> None:
        def found(**query: Any) -> list[str]:
            chunks = api.get("/kb/search", query={"q": "доставка", **query}).json()["data"]["chunks"]
            return sorted(chunk["content"] for chunk in chunks)

        assert found(lang="ru") == [RU]
        assert found(lang="de") == [EN]
        assert found() == sorted([RU, EN])


@pytest.fixture
def staff(client: Client, shop: Widget) -> Client:
    account: Account = shop.account
    client.force_login(StaffFactory.create(account=account))
    return client


@pytest.mark.usefixtures("article")
class TestRuleOfArticle:
    """`/v1/kb` lists and finds them; writes there are 409 `rule_of_article`."""

    def test_it_is_listed_and_found(self, api: ApiClient) -> None:
        (rule,) = api.get("/kb/rules", query={"source_ref": "article:7:ru"}).json()["data"]
        assert (rule["source_type"], rule["title"], rule["content"]) == ("article", "Delivery", RU)
        listed = api.get("/kb/rules", query={"source_type": "article"}).json()["data"]
        assert len(listed) == 2
        sources = api.get("/kb/sources", query={"type": "article"}).json()["data"]
        assert sorted(source["source_ref"] for source in sources) == ["article:7:en", "article:7:ru"]

    def test_writes_are_refused_and_nothing_changes(self, api: ApiClient, shop: Widget) -> None:
        rule = Rule.objects.for_widget(shop.pk).get(content=RU)
        for response in (
            api.patch(f"/kb/rules/{rule.pk}", json={"content": "Other."}),
            api.patch(f"/kb/rules/{rule.pk}", json={"doc_id": "mine"}),
            api.delete(f"/kb/rules/{rule.pk}"),
            api.delete("/kb/rules", query={"source_ref": "article:7:ru"}),
        ):
            assert_problem(response, 409, "rule_of_article")
        assert Rule.objects.for_widget(shop.pk).filter(pk=rule.pk, content=RU, doc_id=None).exists()
        base = KnowledgeBase.objects.for_widget(shop.pk).get()
        assert (base.rules, base.sources, base.none) == (2, 2, 2)

    def test_the_cabinet_offers_no_change(self, shop: Widget, staff: Client) -> None:
        rule = Rule.objects.for_widget(shop.pk).get(content=RU)
        source = Source.objects.for_widget(shop.pk).get(ref=article_ref(7, "ru"))
        page = staff.get(f"/admin/kb/rule/{rule.pk}/change/")
        assert page.status_code == 200
        assert b'name="content"' not in page.content
        for address in (f"/admin/kb/rule/{rule.pk}/delete/", f"/admin/kb/source/{source.pk}/delete/"):
            assert staff.post(address, {"post": "yes"}).status_code == 403
        assert Rule.objects.for_widget(shop.pk).count() == 2


@pytest.mark.parametrize(
    ("url", "is_own"),
    [
        ("https://shop.test/help/flowers", True),
        ("https://shop.test/help/flowers/ru/1-dostavka", True),
        ("https://shop.test/help/flowers-2/ru/", False),
        ("https://shop.test/", False),
    ],
)
def test_own_pages_are_known_by_their_beginning(url: str, is_own: bool) -> None:
    assert is_below(url, ["https://shop.test/help/flowers/"]) is is_own
