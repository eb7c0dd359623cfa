"""Published articles are AI's knowledge, in the transaction that shows or hides them (design of the first word, 3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.articles.actions.articles import delete_article
from apps.articles.actions.knowledge import follow_articles, follow_center
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.search import search
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleText, ArticleWord, HelpCenter, SearchableText
from apps.articles.rules.pieces import languages_given, pieces_of, searched_part
from apps.articles.tasks import forget_old
from apps.core.problems import Problem
from apps.egress.call_budget import CallBudget
from apps.kb.actions.retrieval import retrieve
from apps.kb.models import KnowledgeBase, Rule, Source
from apps.kb.questions import own_pages
from tests.factories.ai import CredentialFactory
from tests.factories.articles import an_article
from tests.factories.kb import RuleFactory, SourceFactory

pytestmark = pytest.mark.django_db
BODY = "Within 14 days.\n\n## Money\n\nWe pay it back.\n\n## By post\n\nSend it to the shop."


def pieces(shop: Widget, article: Article, lang: str = "en") -> list[tuple[str, str]]:
    rules = Rule.objects.for_widget(shop.pk).filter(source__ref=f"article:{article.pk}:{lang}")
    return list(rules.order_by("chunk_index").values_list("title", "content"))


def given(shop: Widget, language: str, query: str) -> list[tuple[str, str]]:
    """What an answer in that language may rest on: source and content."""
    meter = CallBudget(operations=10, seconds=45)
    found = retrieve(widget_id=shop.pk, assistant_id=1, operator_id=None, query=query, language=language, budget=meter)
    return [(piece.source_ref, piece.content) for piece in found.chunks]


def put(shop: Widget, article: Article, lang: str, title: str, body: str, *, shows: bool = True) -> None:
    put_text(widget_id=shop.pk, article_id=article.pk, lang=lang, title=title, body=body)
    if shows:
        publish(widget_id=shop.pk, article_id=article.pk, lang=lang)


def changed(shop: Widget, **settings: Any) -> None:
    """A change of the help center, as its action makes it."""
    with transaction.atomic():
        HelpCenter.objects.update_or_create(widget=shop, defaults=settings)
        follow_center(widget_id=shop.pk, changed=tuple(settings))


class TestPublishing:
    def test_a_published_text_is_a_source(self, shop: Widget) -> None:
        article = an_article(shop, body=BODY)
        assert not Source.objects.for_widget(shop.pk).exists()
        publish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert pieces(shop, article) == [
            ("Returns", "Within 14 days."),
            ("Returns › Money", "We pay it back."),
            ("Returns › By post", "Send it to the shop."),
        ]
        source = Source.objects.for_widget(shop.pk).get()
        assert (source.ref, source.type, source.title, source.url, source.doc_id) == (
            f"article:{article.pk}:en",
            "article",
            "Returns",
            None,
            None,
        )
        assert given(shop, "en", "pay back money")[0] == (f"article:{article.pk}:en", "We pay it back.")

    def test_equal_chunks_keep_their_rule(self, shop: Widget) -> None:
        article = an_article(shop, published=True, body=BODY)
        before = dict(Rule.objects.for_widget(shop.pk).values_list("content", "pk"))
        put(shop, article, "en", "Returns", BODY.replace("We pay it back.", "We pay it back at once."))
        after = dict(Rule.objects.for_widget(shop.pk).values_list("content", "pk"))
        assert set(after) - set(before) == {"We pay it back at once."}
        assert {text: after[text] for text in after if text in before} == {
            text: before[text] for text in ("Within 14 days.", "Send it to the shop.")
        }

    def test_a_draft_changes_nothing(self, shop: Widget) -> None:
        article = an_article(shop, published=True, body=BODY)
        before = pieces(shop, article)
        put(shop, article, "en", "Returns", "Never.", shows=False)
        assert pieces(shop, article) == before

    def test_unpublishing_and_deleting_take_it_out(self, shop: Widget) -> None:
        article = an_article(shop, published=True, body=BODY)
        unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert not Source.objects.for_widget(shop.pk).exists()
        publish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert len(pieces(shop, article)) == 3
        delete_article(widget_id=shop.pk, article_id=article.pk)
        assert not Source.objects.for_widget(shop.pk).exists()
        base = KnowledgeBase.objects.for_widget(shop.pk).get()
        assert (base.rules, base.sources) == (0, 0)
        assert not SearchableText.objects.for_widget(shop.pk).exists()

    def test_a_full_base_refuses_and_publishes_nothing(self, shop: Widget, settings: Settings) -> None:
        RuleFactory.create_batch(9, source=SourceFactory.create(widget=shop))
        settings.KB_MAX_RULES = 10
        article = an_article(shop, body=BODY)
        with pytest.raises(Problem, match="kb_full"):
            publish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert ArticleText.objects.for_widget(shop.pk).get().published_version is None
        assert search(shop.pk, "returns", "en") == []
        assert Rule.objects.for_widget(shop.pk).count() == 9

    def test_no_vendor_is_asked(self, shop: Widget) -> None:
        """With a model, here one that nobody can reach, they are `pending`: the background has them embedded."""
        address = {"base_url": "http://127.0.0.1:9/v1", "target": "http://127.0.0.1:9/v1"}
        CredentialFactory.create(widget=shop, provider="openai_compatible", embedding_model="e-1", **address)
        an_article(shop, published=True, body=BODY)
        base = KnowledgeBase.objects.for_widget(shop.pk).get()
        assert (base.pending, base.ready) == (3, 0)
        assert base.due_at is not None

    def test_a_text_of_nothing_but_a_picture_has_no_piece(self, shop: Widget) -> None:
        article = an_article(shop, published=True, title="Map", body="![](https://shop.test/map.png)")
        assert pieces(shop, article) == []
        assert [hit.title for hit in search(shop.pk, "map", "en")] == ["Map"]


class TestLanguages:
    """Of an article's languages only the visitor's is given, else the default's."""

    @pytest.fixture
    def article(self, shop: Widget) -> Article:
        HelpCenter.objects.create(widget=shop, default_language="en")
        article = an_article(shop, published=True, title="Delivery", body="Доставка costs 300 roubles.")
        put(shop, article, "ru", "Доставка", "Доставка стоит 300 рублей.")
        return article

    def test_who_is_given_which(self, shop: Widget, article: Article) -> None:
        assert given(shop, "ru", "доставка") == [(f"article:{article.pk}:ru", "Доставка стоит 300 рублей.")]
        for language in ("en", "de", "zh"):
            assert given(shop, language, "доставка") == [(f"article:{article.pk}:en", "Доставка costs 300 roubles.")]

    def test_a_language_that_goes_is_served_by_the_default(self, shop: Widget, article: Article) -> None:
        unpublish(widget_id=shop.pk, article_id=article.pk, lang="ru")
        assert [ref for ref, _ in given(shop, "ru", "доставка")] == [f"article:{article.pk}:en"]

    def test_without_the_default_others_are_given_none(self, shop: Widget, article: Article) -> None:
        unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert [len(given(shop, language, "доставка")) for language in ("ru", "de")] == [1, 0]

    def test_another_default(self, shop: Widget, article: Article) -> None:
        changed(shop, default_language="ru")
        assert [ref for ref, _ in given(shop, "de", "доставка")] == [f"article:{article.pk}:ru"]
        assert [ref for ref, _ in given(shop, "en", "доставка")] == [f"article:{article.pk}:en"]

    def test_the_rule(self) -> None:
        spoken = ["ar", "de", "en", "ru"]
        assert languages_given("ru", {"ru", "en"}, default="en", spoken=spoken) == ["ru"]
        assert languages_given("en", {"ru", "en"}, default="en", spoken=spoken) == ["ar", "de", "en"]


class TestHelpCenter:
    def test_for_ai_off_takes_all_out_and_on_brings_them_back(self, shop: Widget) -> None:
        article = an_article(shop, published=True, body=BODY)
        mine = RuleFactory.create(source=SourceFactory.create(widget=shop))
        changed(shop, for_ai=False)
        assert list(Rule.objects.for_widget(shop.pk).values_list("pk", flat=True)) == [mine.pk]
        assert len(search(shop.pk, "returns", "en")) == 1
        unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
        publish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert pieces(shop, article) == []
        changed(shop, for_ai=True)
        assert len(pieces(shop, article)) == 3

    def test_many_articles_come_by_the_job(self, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        HelpCenter.objects.create(widget=shop, for_ai=False)
        for number in range(4):
            an_article(shop, published=True, title=f"Article {number}")
        monkeypatch.setattr("apps.articles.actions.knowledge.AT_ONCE", 2)
        changed(shop, for_ai=True)
        assert Source.objects.for_widget(shop.pk).count() == 2
        follow_articles()
        follow_articles()
        assert Source.objects.for_widget(shop.pk).count() == 4
        assert not SearchableText.objects.for_widget(shop.pk).filter(is_due=True).exists()

    def test_the_public_address_is_the_citation(self, shop: Widget) -> None:
        article = an_article(shop, published=True)
        changed(shop, is_public=True, slug="flowers")
        source = Source.objects.for_widget(shop.pk).get()
        assert str(source.url).endswith(f"/help/flowers/en/{article.pk}-returns")
        changed(shop, domain="help.shop.test", domain_state="verified")
        source.refresh_from_db()
        assert source.url == f"https://help.shop.test/en/{article.pk}-returns"
        changed(shop, is_public=False)
        source.refresh_from_db()
        assert source.url is None

    def test_other_settings_write_nothing(self, shop: Widget) -> None:
        an_article(shop, published=True)
        before = Source.objects.for_widget(shop.pk).get().updated_at
        changed(shop, indexing=False)
        assert Source.objects.for_widget(shop.pk).get().updated_at == before

    def test_our_own_pages_are_told_to_the_crawler(self, shop: Widget, settings: Settings) -> None:
        HelpCenter.objects.create(widget=shop, slug="flowers", domain="help.shop.test")
        assert own_pages(shop.pk) == (f"{settings.PUBLIC_URL}/help/flowers/", "https://help.shop.test/")


class TestImports:
    def test_texts_that_an_import_brought_are_taken_up(self, shop: Widget) -> None:
        article = an_article(shop, body=BODY)
        ArticleText.objects.for_widget(shop.pk).update(published_version=1, published_at="2026-11-01T00:00Z")
        follow_articles()
        assert len(pieces(shop, article)) == 3
        assert len(search(shop.pk, "returns", "en")) == 1

    def test_words_that_no_article_has_are_forgotten(self, shop: Widget) -> None:
        article = an_article(shop, published=True, title="Orchids", body="Rare flowers.")
        put(shop, article, "en", "Tulips", "Rare flowers.")
        forget_old()
        assert set(ArticleWord.objects.for_widget(shop.pk).values_list("lexeme", flat=True)) == {
            "tulip",
            "rare",
            "flower",
        }


class TestPieces:
    def test_markdown_as_text(self) -> None:
        body = (
            "Intro with **bold** and [a link](https://shop.test).\n\n- one\n- two\n\n"
            "| City | Price |\n|---|---|\n| Moscow | 300 |\n| Tver | |\n\n"
            "```\ncode  here\n```\n\n![A map](x.png)\n\n### Deep\n\n<b>shown as typed</b>"
        )
        text = (
            "Intro with bold and a link.\n\n- one\n- two\nCity: Moscow; Price: 300\nCity: Tver\n\ncode  here\n\nA map"
        )
        found = pieces_of("Delivery", body)
        assert found.chunks == [
            ("Delivery", text),
            ("Delivery › Deep", "<b>shown as typed</b>"),
        ]

    def test_long_texts_are_cut(self) -> None:
        found = pieces_of("T", "word " * 39_999)
        assert max(len(content) for _, content in found.chunks) <= 1_200
        assert len(searched_part("я" * 200_000).encode()) == 300_000
