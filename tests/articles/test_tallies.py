"""What is counted of articles, and which of them answer: silence is no success (design of the first word, 3 and 4)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.accounts.models import Widget
from apps.articles.actions import tallies
from apps.articles.actions.results import most_read
from apps.articles.actions.retention import forget_old
from apps.articles.events import ArticleRated
from apps.articles.models import Article, ArticleReader, ArticleSearch, ArticleTally
from apps.articles.rules.tallies import ReadingPlace, is_robot, kept_query, verdict_of
from apps.chats.models import Chat, Contact, Message
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.articles import an_article
from tests.factories.chats import ChatFactory, MessageFactory
from tests.handlers import also
from tests.hooks import hook

pytestmark = pytest.mark.django_db
KEY, OTHER = "a" * 32, "b" * 32
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36"


@pytest.fixture
def article(shop: Widget) -> Article:
    return an_article(shop, published=True)


def results(api: ApiClient, **query: Any) -> dict[str, Any]:
    response = api.get("/article-results", query=query)
    assert response.status_code == 200, response.content
    found: dict[str, Any] = response.json()["data"]
    return found


def row(api: ApiClient, **query: Any) -> dict[str, Any]:
    (found,) = results(api, **query)["articles"]
    assert isinstance(found, dict)
    return found


class TestViews:
    def test_views_are_counted_by_place(self, api: ApiClient, shop: Widget, article: Article) -> None:
        of_it: dict[str, Any] = {"widget_id": shop.pk, "article_id": article.pk, "lang": "en"}
        for place, times in ((ReadingPlace.PAGE, 3), (ReadingPlace.WIDGET, 2), (ReadingPlace.MARKDOWN, 1)):
            for _ in range(times):
                tallies.count_view(**of_it, place=place, user_agent=CHROME)
        tallies.count_suggested(widget_id=shop.pk, texts=[(article.pk, "en")])
        assert row(api) == {
            "article_id": article.pk,
            "lang": "en",
            "title": "Returns",
            "views": {"page": 3, "widget": 2, "markdown": 1},
            "suggested": 1,
            "opened": 0,
            "cited": 0,
            "helpful": 0,
            "not_helpful": 0,
            "reasons": {"wrong": 0, "unclear": 0, "missing": 0, "other": 0},
            "chatted_after": 0,
            "silent": 0,
            "verdict": "too_few",
        }

    def test_robots_do_not_count(self, shop: Widget, article: Article) -> None:
        for agent in (
            "",
            "Googlebot/2.1 (+http://www.google.com/bot.html)",
            "curl/8.0",
            "Mozilla/5.0 (compatible; YandexBot/3.0)",
        ):
            tallies.count_view(
                widget_id=shop.pk, article_id=article.pk, lang="en", place=ReadingPlace.PAGE, user_agent=agent
            )
        assert not ArticleTally.objects.for_widget(shop.pk).exists()
        assert not is_robot(CHROME)

    def test_they_are_in_the_metrics(self, shop: Widget, article: Article) -> None:
        def counted(name: str, **labels: str) -> float:
            return REGISTRY.get_sample_value(f"parley_article_{name}_total", labels) or 0

        before = counted("views", place="widget"), counted("searches", place="widget", found="no")
        tallies.count_view(widget_id=shop.pk, article_id=article.pk, lang="en", place=ReadingPlace.WIDGET)
        tallies.keep_search(widget_id=shop.pk, q="x", lang="en", key=KEY, found=[], place=ReadingPlace.WIDGET)
        assert counted("views", place="widget") == before[0] + 1
        assert counted("searches", place="widget", found="no") == before[1] + 1


class TestVoices:
    @pytest.fixture
    def rated(self, monkeypatch: pytest.MonkeyPatch) -> list[ArticleRated]:
        events: list[ArticleRated] = []
        also(monkeypatch, events.append, ArticleRated)
        return events

    def say(self, shop: Widget, article: Article, helpful: bool | None, **more: Any) -> None:
        told = {"key": KEY, **more}
        tallies.give_feedback(widget_id=shop.pk, article_id=article.pk, lang="en", helpful=helpful, **told)

    def test_one_voice_a_browser(
        self, api: ApiClient, shop: Widget, article: Article, rated: list[ArticleRated]
    ) -> None:
        self.say(shop, article, True)
        self.say(shop, article, True)
        self.say(shop, article, False, reason="unclear", text="Call +7 901 123-45-67 or mail ivan@mail.test")
        self.say(shop, article, True, key=OTHER)
        assert [event.helpful for event in rated] == [True, False, True]
        found = row(api)
        assert (found["helpful"], found["not_helpful"], found["reasons"]["unclear"]) == (1, 1, 1)
        said = ArticleReader.objects.for_widget(shop.pk).get(helpful=False)
        assert said.text == "Call [PHONE] or mail [EMAIL]"

    def test_a_voice_is_taken_back(
        self, api: ApiClient, shop: Widget, article: Article, rated: list[ArticleRated]
    ) -> None:
        self.say(shop, article, None)
        assert not ArticleReader.objects.for_widget(shop.pk).exists()
        self.say(shop, article, False, reason="wrong", text="No.")
        self.say(shop, article, None)
        found = ArticleReader.objects.for_widget(shop.pk).get()
        assert (found.helpful, found.reason, found.text) == (None, "", "")
        assert len(rated) == 1
        assert row(api)["not_helpful"] == 0

    def test_a_page_has_one_voice_an_address_and_day(self, api: ApiClient, shop: Widget, article: Article) -> None:
        of_it: dict[str, Any] = {"widget_id": shop.pk, "article_id": article.pk, "lang": "en"}
        for address, helpful in (("192.0.2.1", True), ("192.0.2.1", False), ("192.0.2.2", True)):
            tallies.give_page_feedback(**of_it, address=address, helpful=helpful)
        found = row(api)
        assert (found["helpful"], found["not_helpful"]) == (1, 1)
        assert b"192.0.2" not in b"".join(
            bytes(key) for key in ArticleReader.objects.for_widget(shop.pk).values_list("key", flat=True)
        )

    def test_the_verdict(self) -> None:
        assert verdict_of(helpful=9, not_helpful=0, chatted_after=0) == "too_few"
        assert verdict_of(helpful=7, not_helpful=3, chatted_after=0) == "answers"
        assert verdict_of(helpful=7, not_helpful=2, chatted_after=2) == "mixed"
        assert verdict_of(helpful=3, not_helpful=0, chatted_after=7) == "fails"
        assert verdict_of(helpful=0, not_helpful=0, chatted_after=10) == "fails"


class TestReaders:
    def read(self, shop: Widget, article: Article, key: str = KEY, contact: Contact | None = None) -> None:
        tallies.read(widget_id=shop.pk, article_id=article.pk, lang="en", key=key, contact=contact)

    def test_who_reads_and_says_nothing_is_silent(self, api: ApiClient, shop: Widget, article: Article) -> None:
        self.read(shop, article)
        self.read(shop, article)
        self.read(shop, article, OTHER)
        tallies.give_feedback(widget_id=shop.pk, article_id=article.pk, lang="en", key=OTHER, helpful=True)
        found = row(api)
        assert (found["opened"], found["silent"], found["helpful"], found["chatted_after"]) == (2, 1, 1, 0)

    def test_who_writes_within_a_day_was_not_answered(
        self, api: ApiClient, shop: Widget, article: Article, ivan: Contact
    ) -> None:
        chat = ChatFactory.create(contact=ivan)
        before = timezone.now()
        self.read(shop, article)
        tallies.note_reader(contact=ivan, key=KEY)
        assert (row(api)["chatted_after"], row(api)["silent"]) == (0, 1)
        MessageFactory.create(chat=chat, sender_kind="client", created_at=before - timedelta(hours=1))
        MessageFactory.create(chat=chat, sender_kind="ai", created_at=timezone.now() + timedelta(hours=1))
        MessageFactory.create(chat=chat, sender_kind="client", created_at=timezone.now() + timedelta(hours=25))
        assert row(api)["chatted_after"] == 0
        MessageFactory.create(chat=chat, sender_kind="client", created_at=timezone.now() + timedelta(hours=23))
        assert (row(api)["chatted_after"], row(api)["silent"]) == (1, 0)

    def test_a_reader_who_is_known_already(self, api: ApiClient, shop: Widget, article: Article, chat: Chat) -> None:
        self.read(shop, article, contact=chat.contact)
        MessageFactory.create(chat=chat, sender_kind="client", created_at=timezone.now() + timedelta(minutes=1))
        assert row(api)["chatted_after"] == 1

    def test_answers_of_ai_that_rest_on_it(
        self, api: ApiClient, shop: Widget, article: Article, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hook(monkeypatch, cited_sources=lambda *_: {f"article:{article.pk}:en": 4, "manual": 9})
        assert row(api)["cited"] == 4


class TestSearches:
    def test_figures(self, api: ApiClient, shop: Widget, article: Article) -> None:
        def keep(q: str, found: list[int], key: str = KEY) -> None:
            tallies.keep_search(widget_id=shop.pk, q=q, lang="en", key=key, found=found, place=ReadingPlace.WIDGET)

        keep("returns", [article.pk])
        keep("Returns ", [article.pk])
        keep("returns", [article.pk], OTHER)
        keep("orchids", [])
        keep(" \u200b ", [])
        assert results(api)["searches"] == {"asked": 3, "found": 2, "opened": 0, "nothing": 1}
        tallies.read(widget_id=shop.pk, article_id=article.pk, lang="en", key=KEY)
        assert results(api)["searches"] == {"asked": 3, "found": 2, "opened": 1, "nothing": 1}
        assert results(api, lang="ru")["searches"] == {"asked": 0, "found": 0, "opened": 0, "nothing": 0}

    def test_a_search_is_kept_redacted_and_folded(self, shop: Widget) -> None:
        q = "Где ЗАКАЗ Ивана, ivan@mail.test +7 901 123-45-67?"
        tallies.keep_page_search(widget_id=shop.pk, q=q, lang="ru", address="192.0.2.1", found=[])
        kept = ArticleSearch.objects.for_widget(shop.pk).get()
        assert kept.query == "где заказ ивана, [email] [phone]?"
        assert kept.place == "page"
        assert kept_query("x" * 300) == "x" * 200

    def test_a_page_that_a_search_led_to_is_opened(self, api: ApiClient, shop: Widget, article: Article) -> None:
        found = [article.pk]
        tallies.keep_page_search(widget_id=shop.pk, q="returns", lang="en", address="192.0.2.1", found=found)
        tallies.read_page(widget_id=shop.pk, article_id=article.pk, address="192.0.2.2")
        assert results(api)["searches"]["opened"] == 0
        tallies.read_page(widget_id=shop.pk, article_id=article.pk, address="192.0.2.1")
        assert results(api)["searches"]["opened"] == 1

    def test_a_robots_search_is_not_kept(self, shop: Widget) -> None:
        tallies.keep_page_search(
            widget_id=shop.pk, q="returns", lang="en", address="192.0.2.1", found=[], user_agent="Googlebot/2.1"
        )
        assert not ArticleSearch.objects.for_widget(shop.pk).exists()


class TestCall:
    """`GET /v1/article-results`."""

    def test_the_window_and_the_language(self, api: ApiClient, shop: Widget, article: Article) -> None:
        tallies.count_view(widget_id=shop.pk, article_id=article.pk, lang="en", place=ReadingPlace.PAGE)
        tallies.read(widget_id=shop.pk, article_id=article.pk, lang="en", key=KEY)
        assert results(api, to="2026-01-01")["articles"] == []
        assert results(api, lang="ru")["articles"] == []
        assert len(results(api, lang="en", limit=1)["articles"]) == 1

    def test_the_rivals_figures_are_not_shown(self, api: ApiClient, rival: Rival) -> None:
        theirs = an_article(rival.widget, published=True)
        tallies.count_view(widget_id=rival.widget.pk, article_id=theirs.pk, lang="en", place=ReadingPlace.PAGE)
        tallies.keep_page_search(widget_id=rival.widget.pk, q="x", lang="en", address="192.0.2.1", found=[])
        assert results(api) == {"searches": {"asked": 0, "found": 0, "opened": 0, "nothing": 0}, "articles": []}

    @pytest.mark.parametrize("query", [{"limit": 101}, {"lang": "tlh"}, {"period": "week"}, {"from": "soon"}])
    def test_bad_questions(self, api: ApiClient, query: dict[str, Any]) -> None:
        assert list(assert_problem(api.get("/article-results", query=query), 422, "invalid_input")["errors"]) == list(
            query
        )

    def test_what_is_read_most(self, shop: Widget) -> None:
        first, second, third = (
            an_article(shop, published=True, title=f"Article {n}", position=9 - n) for n in range(3)
        )
        an_article(shop, title="A draft")
        for _ in range(2):
            tallies.count_view(widget_id=shop.pk, article_id=first.pk, lang="en", place=ReadingPlace.PAGE)
        tallies.count_view(widget_id=shop.pk, article_id=second.pk, lang="en", place=ReadingPlace.WIDGET)
        assert [hit.article_id for hit in most_read(shop.pk, "en")] == [first.pk, second.pk, third.pk]
        assert [hit.article_id for hit in most_read(shop.pk, "ru", 2)] == [first.pk, second.pk]


class TestRetention:
    def test_forgotten_readers_stay_in_the_figures(
        self, api: ApiClient, shop: Widget, article: Article, chat: Chat
    ) -> None:
        tallies.read(widget_id=shop.pk, article_id=article.pk, lang="en", key=KEY, contact=chat.contact)
        tallies.give_feedback(
            widget_id=shop.pk, article_id=article.pk, lang="en", key=OTHER, helpful=False, reason="wrong"
        )
        ago = timezone.now() - timedelta(days=89)
        ArticleReader.objects.for_widget(shop.pk).update(at=ago)
        ArticleReader.objects.for_widget(shop.pk).exclude(read_at=None).update(read_at=ago)
        MessageFactory.create(chat=chat, sender_kind="client", created_at=ago + timedelta(hours=1))
        window = {"from": (ago - timedelta(days=2)).date().isoformat(), "to": timezone.now().date().isoformat()}
        before = row(api, **window)
        assert (before["chatted_after"], before["reasons"]["wrong"], before["opened"]) == (1, 1, 1)
        assert forget_old(as_of=timezone.now()) == 0
        Message.objects.for_widget(shop.pk).delete()  # what was settled stays
        assert row(api, **window) == before
        assert forget_old(as_of=timezone.now() + timedelta(days=2)) == 2
        assert not ArticleReader.objects.for_widget(shop.pk).exists()
        assert row(api, **window) == before

    def test_figures_and_searches_live_for_400_days(self, shop: Widget, article: Article) -> None:
        tallies.count_view(widget_id=shop.pk, article_id=article.pk, lang="en", place=ReadingPlace.PAGE)
        tallies.keep_search(widget_id=shop.pk, q="x", lang="en", key=KEY, found=[], place=ReadingPlace.WIDGET)
        assert forget_old(as_of=timezone.now() + timedelta(days=399)) == 0
        assert forget_old(as_of=timezone.now() + timedelta(days=402)) == 2
        assert not ArticleTally.objects.for_widget(shop.pk).exists()
        assert not ArticleSearch.objects.for_widget(shop.pk).exists()
