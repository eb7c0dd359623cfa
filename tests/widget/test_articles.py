"""`/widget/{guid}/articles…`: what a chat shows of articles, and what is counted of its readers (first word, 3)."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.articles.actions.categories import create_category
from apps.articles.actions.centers import change_center
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.tallies import count_view
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleReader, ArticleSearch, ArticleTally
from apps.articles.rules.tallies import ReadingPlace
from apps.chats.models import Chat, Contact
from tests.cast import Rival
from tests.client import assert_problem
from tests.factories.articles import an_article
from tests.factories.invitations import KEY
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36"


def show(widget: Widget, mode: str = "suggest", **members: Any) -> None:
    change_center(widget_id=widget.pk, changes={"in_widget": mode, **members})


@pytest.fixture
def visitor(shop: Widget) -> VisitorClient:
    return VisitorClient(shop, User_Agent=CHROME)


@pytest.fixture
def article(shop: Widget) -> Article:
    """A published article, of a chat that shows articles and suggests them."""
    show(shop)
    return an_article(shop, published=True, summary="Within 14 days")


def titles(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["title"] for row in answer.json()["data"]]


def config(visitor: VisitorClient) -> dict[str, Any]:
    found: dict[str, Any] = visitor.get("config?lang=en").json()["data"]
    return found


def test_where_the_help_is_off_each_call_is_404_and_the_config_has_no_member(
    shop: Widget, visitor: VisitorClient
) -> None:
    article = an_article(shop, published=True)
    before = snapshot()
    for answer in (
        visitor.get("articles"),
        visitor.post("articles/search", {"q": "returns"}),
        visitor.get(f"articles/{article.pk}"),
        visitor.post(f"articles/{article.pk}/reads", {"key": KEY}),
        visitor.put(f"articles/{article.pk}/feedback", {"key": KEY, "helpful": True}),
    ):
        assert_problem(answer, 404, "not_found")
    assert snapshot() == before
    assert "help" not in config(visitor)


def test_the_config_tells_the_mode_and_the_public_address(
    shop: Widget, visitor: VisitorClient, settings: Settings
) -> None:
    show(shop, "search")
    assert config(visitor)["help"] == {"mode": "search", "url": None}
    show(shop, "suggest", is_public=True, slug="roses")
    assert config(visitor)["help"] == {"mode": "suggest", "url": f"{settings.PUBLIC_URL}/help/roses"}


def test_the_list_has_five_at_most_the_most_read_first_then_by_position(shop: Widget, visitor: VisitorClient) -> None:
    show(shop)
    made = [an_article(shop, published=True, title=f"Article {n}", position=9 - n) for n in range(7)]
    an_article(shop, title="A draft", position=0)
    count_view(widget_id=shop.pk, article_id=made[0].pk, lang="en", place=ReadingPlace.PAGE)
    assert titles(visitor.get("articles?lang=en")) == [f"Article {n}" for n in (0, 6, 5, 4, 3)]


def test_a_row_names_the_article_in_the_visitors_language_else_the_default(
    shop: Widget, visitor: VisitorClient, article: Article
) -> None:
    put_text(widget_id=shop.pk, article_id=article.pk, lang="ru", title="Возврат", body="Две недели.")
    assert titles(visitor.get("articles?lang=ru")) == ["Returns"], "a draft is nobody's"
    publish(widget_id=shop.pk, article_id=article.pk, lang="ru")
    (row,) = visitor.get("articles?lang=ru").json()["data"]
    assert row == {"id": article.pk, "lang": "ru", "title": "Возврат", "summary": "", "url": None}
    assert titles(visitor.get("articles?lang=de")) == ["Returns"]


def test_an_article_is_served_as_it_was_published(shop: Widget, visitor: VisitorClient, article: Article) -> None:
    put_text(widget_id=shop.pk, article_id=article.pk, lang="en", title="New", body="A draft.")
    found = visitor.get(f"articles/{article.pk}?lang=en").json()["data"]
    text = article.texts.get()
    assert found == {
        "id": article.pk,
        "lang": "en",
        "title": "Returns",
        "markdown": "Send it back within 14 days.",
        "url": None,
        "languages": ["en"],
        "updated_at": text.published_at.isoformat().replace("+00:00", "Z"),
    }
    unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
    assert_problem(visitor.get(f"articles/{article.pk}?lang=en"), 404, "not_found")


def test_another_widgets_article_is_the_same_404_as_none(
    rival: Rival, visitor: VisitorClient, article: Article
) -> None:
    show(rival.widget)
    foreign = an_article(rival.widget, published=True)
    for path in (f"articles/{foreign.pk}", "articles/999999999"):
        assert_problem(visitor.get(path), 404, "not_found")
    assert_problem(visitor.post(f"articles/{foreign.pk}/reads", {"key": KEY}), 404, "not_found")
    assert ArticleReader.objects.unscoped("all").count() == 0


def test_who_reads_is_nobody_and_is_counted_once_a_browser(visitor: VisitorClient, article: Article) -> None:
    for _ in range(2):
        visitor.get(f"articles/{article.pk}?lang=en")
        assert visitor.post(f"articles/{article.pk}/reads", {"key": KEY}).status_code == 204
    assert ArticleTally.objects.unscoped("all").get().widget_views == 2
    reader = ArticleReader.objects.unscoped("all").get()
    assert (reader.article_id, reader.lang, reader.contact_id) == (article.pk, "en", None)
    assert KEY.encode() not in bytes(reader.key)
    assert (Contact.objects.unscoped("all").count(), Chat.objects.unscoped("all").count()) == (0, 0)


def test_robots_do_not_count(shop: Widget, article: Article) -> None:
    VisitorClient(shop, User_Agent="Googlebot/2.1").get(f"articles/{article.pk}")
    assert not ArticleTally.objects.unscoped("all").exists()


def test_a_session_says_whose_the_reading_is_before_or_after_it(visitor: VisitorClient, article: Article) -> None:
    visitor.post(f"articles/{article.pk}/reads", {"key": KEY})
    contact = visitor.come(key=KEY)["contact_id"]
    assert ArticleReader.objects.unscoped("all").get().contact.guid == contact
    other = "f" * 32
    visitor.post(f"articles/{article.pk}/reads", {"key": other})
    assert {each.contact.guid for each in ArticleReader.objects.unscoped("all")} == {contact}


def test_a_voice_takes_the_place_of_the_one_before_and_null_takes_it_back(
    visitor: VisitorClient, article: Article
) -> None:
    def say(**said: Any) -> tuple[Any, ...]:
        answer = visitor.put(f"articles/{article.pk}/feedback", {"key": KEY, **said})
        assert answer.status_code == 204, answer.content
        reader = ArticleReader.objects.unscoped("all").get()
        return reader.helpful, reader.reason, reader.text

    text = "Price?\nCall +7 901 123-45-67"
    assert say(helpful=False, reason="missing", text=text) == (False, "missing", "Price?\nCall [PHONE]")
    assert say(helpful=True) == (True, "", "")
    assert say(helpful=None) == (None, "", "")


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        ("feedback", {"key": KEY, "helpful": "yes"}, "helpful"),
        ("feedback", {"key": KEY, "helpful": False, "reason": "ugly"}, "reason"),
        ("feedback", {"key": KEY, "helpful": False, "text": "x" * 501}, "text"),
        ("feedback", {"key": "short", "helpful": None}, "key"),
        ("reads", {}, "key"),
    ],
)
def test_wrong_members_are_422_by_name(
    visitor: VisitorClient, article: Article, path: str, body: dict[str, Any], name: str
) -> None:
    send = visitor.put if path == "feedback" else visitor.post
    answer = send(f"articles/{article.pk}/{path}", body)
    assert_problem(answer, 422, "invalid_input")
    assert list(answer.json()["errors"]) == [name]
    assert ArticleReader.objects.unscoped("all").count() == 0


def test_a_submitted_search_alone_is_kept_and_redacted(visitor: VisitorClient, article: Article) -> None:
    def search(**asked: Any) -> list[str]:
        return titles(visitor.post("articles/search", {"lang": "en", "key": KEY, **asked}))

    assert search(q="how do I send it back", purpose="suggestion") == ["Returns"]
    assert not ArticleSearch.objects.unscoped("all").exists()
    assert ArticleTally.objects.unscoped("all").get().suggested == 1
    assert search(q="send it back, I am ann@mail.test") == ["Returns"]
    kept = ArticleSearch.objects.unscoped("all").get()
    assert ("ann@mail.test" not in kept.query, kept.found) == (True, [article.pk])
    assert search(q="quantum") == []
    assert search(q="quantum") == []
    assert ArticleSearch.objects.unscoped("all").filter(found=[]).count() == 1, "once a key and day"


def test_a_suggestion_needs_half_of_its_words_known(visitor: VisitorClient, article: Article) -> None:
    asked = {"q": "send quantum gravity entanglement photons", "purpose": "suggestion", "lang": "en"}
    assert titles(visitor.post("articles/search", asked)) == []
    assert titles(visitor.post("articles/search", {**asked, "purpose": "search"})) == ["Returns"]


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"q": ""}, "q"),
        ({"q": "x" * 201}, "q"),
        ({"q": "x", "limit": 11}, "limit"),
        ({"q": "x", "purpose": "look"}, "purpose"),
    ],
)
def test_wrong_searches_are_422(visitor: VisitorClient, article: Article, wrong: dict[str, Any], name: str) -> None:
    answer = visitor.post("articles/search", wrong)
    assert_problem(answer, 422, "invalid_input")
    assert list(answer.json()["errors"]) == [name]


def test_typed_words_stand_in_no_log(
    visitor: VisitorClient, article: Article, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        visitor.post("articles/search", {"q": "zweitgeheimnis", "lang": "en", "key": KEY})
    ours = [record for record in caplog.records if not record.name.startswith("django.db")]
    assert "zweitgeheimnis" not in "".join(record.getMessage() for record in ours)


def test_an_address_has_a_quarter_of_the_calls(visitor: VisitorClient, article: Article, settings: Settings) -> None:
    settings.VISITOR_RATE_LIMIT, settings.TRUSTED_PROXIES = 12, 1
    visitor.headers["X-Forwarded-For"] = "192.0.2.77"
    asked = [visitor.post("articles/search", {"q": "send", "lang": "en"}).status_code for _ in range(4)]
    assert asked == [200, 200, 200, 429]
    assert visitor.get("articles").status_code == 200


def test_a_category_of_its_own_changes_nothing_of_the_list(shop: Widget, visitor: VisitorClient) -> None:
    show(shop)
    category = create_category(widget_id=shop.pk, name={"en": "Orders"}, position=0)
    an_article(shop, published=True, category_id=category.pk)
    assert titles(visitor.get("articles?lang=en")) == ["Returns"]


def test_the_statements_of_a_call_do_not_grow_with_the_articles(shop: Widget, visitor: VisitorClient) -> None:
    show(shop)

    def statements(path: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            assert visitor.get(path).status_code == 200
        return len(caught)

    first = an_article(shop, published=True)
    paths = ("articles?lang=en", f"articles/{first.pk}?lang=en", "config?lang=en")
    for path in paths:
        visitor.get(path)
    before = [statements(path) for path in paths]
    for n in range(8):
        an_article(shop, published=True, title=f"Article {n}")
    assert [statements(path) for path in paths] == before
