"""The texts of articles: drafts, versions, languages, and what is refused."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.articles.actions.articles import change_article, create_article, delete_article
from apps.articles.actions.texts import delete_text, put_text
from apps.articles.errors import ARTICLE_CHANGED, LAST_TEXT, TOO_MANY_ARTICLES
from apps.articles.events import ArticleUnpublished
from apps.articles.models import Article, ArticleText, ArticleVersion
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.problems import Problem
from tests.cast import Rival
from tests.factories.articles import an_article

pytestmark = pytest.mark.django_db


def put(article: Article, lang: str = "en", **members: Any) -> ArticleText:
    members = {"title": "Returns", "body": "Within 30 days.", **members}
    return put_text(widget_id=article.widget_id, article_id=article.pk, lang=lang, **members)


def versions_of(article: Article, lang: str = "en") -> list[tuple[int, str, str]]:
    rows = ArticleVersion.objects.filter(text__article=article, text__lang=lang).order_by("version")
    return list(rows.values_list("version", "body", "actor"))


def test_an_article_begins_as_a_draft_of_one_language(shop: Widget) -> None:
    article = an_article(shop, title=" Возврат денег ", lang="ru", body="Раз\r\nдва", actor="mary@example.com")
    text = ArticleText.objects.get(article=article)
    assert (text.lang, text.title, text.slug, text.body) == ("ru", "Возврат денег", "vozvrat-deneg", "Раз\nдва")
    assert (text.version, text.published_version, text.publish_at) == (1, None, None)
    assert versions_of(article, "ru") == [(1, "Раз\nдва", "mary@example.com")]


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"title": ""}, "title"),
        ({"title": " "}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"summary": "x" * 301}, "summary"),
        ({"body": "x" * 200_001}, "body"),
        ({"body": "a\x00b"}, "body"),
        ({"slug": "With space"}, "slug"),
        ({"slug": "x" * 81}, "slug"),
        ({"slug": "../x"}, "slug"),
        ({"lang": "xx"}, "lang"),
        ({"category_id": 10**9}, "category_id"),
        ({"position": -1}, "position"),
    ],
)
def test_a_member_is_refused_by_its_name_and_nothing_is_stored(
    shop: Widget, members: dict[str, Any], path: str
) -> None:
    with pytest.raises(Problem) as refused:
        an_article(shop, **members)
    assert refused.value.type == INVALID_INPUT
    assert set(refused.value.errors) == {path}
    assert (Article.objects.count(), ArticleText.objects.count(), ArticleVersion.objects.count()) == (0, 0, 0)


def test_a_change_is_a_version_and_an_equal_text_is_none(shop: Widget) -> None:
    article = an_article(shop)
    assert put(article, actor="bob").version == 2
    assert put(article, actor="eve").version == 2
    assert versions_of(article) == [(1, "Send it back within 14 days.", ""), (2, "Within 30 days.", "bob")]


def test_who_writes_on_an_old_version_is_told_the_newest(shop: Widget) -> None:
    article = an_article(shop)
    put(article, base_version=1)
    with pytest.raises(Problem) as refused:
        put(article, body="Mine.", base_version=1)
    assert refused.value.type == ARTICLE_CHANGED
    assert refused.value.members == {"version": 2}
    with pytest.raises(Problem) as refused:
        put(article, lang="ru", base_version=1)
    assert refused.value.members == {"version": 0}
    assert [version for version, _, _ in versions_of(article)] == [1, 2]
    assert put(article, lang="ru", base_version=0).version == 1


def test_a_slug_follows_the_title_until_it_is_chosen(shop: Widget) -> None:
    article = an_article(shop)
    assert put(article, title="Refunds").slug == "refunds"
    assert put(article, title="Refunds", slug="money-back").slug == "money-back"
    assert put(article, title="Your money back").slug == "money-back"
    assert put(article, title="Your money back", slug="").slug == ""


def test_a_language_is_one_that_the_widget_supports(shop: Widget) -> None:
    article = an_article(shop)
    with pytest.raises(Problem) as refused:
        put(article, lang="xx")
    assert set(refused.value.errors) == {"lang"}


def test_the_last_text_stays(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop, published=True)
    with pytest.raises(Problem) as refused:
        delete_text(widget_id=shop.pk, article_id=article.pk, lang="en")
    assert refused.value.type == LAST_TEXT
    put(article, lang="ru")
    told.clear()
    delete_text(widget_id=shop.pk, article_id=article.pk, lang="en")
    assert told == [ArticleUnpublished(widget_id=shop.pk, article_id=article.pk, lang="en", version=1)]
    assert list(article.texts.values_list("lang", flat=True)) == ["ru"]


def test_deleting_an_article_tells_of_each_text_that_readers_saw(shop: Widget, told: list[Any]) -> None:
    article = an_article(shop, published=True)
    put(article, lang="ru")
    told.clear()
    delete_article(widget_id=shop.pk, article_id=article.pk)
    assert told == [ArticleUnpublished(widget_id=shop.pk, article_id=article.pk, lang="en", version=1)]
    assert (Article.objects.count(), ArticleVersion.objects.count()) == (0, 0)


def test_another_widgets_article_is_none(shop: Widget, rival: Rival) -> None:
    foreign = an_article(rival.widget)
    for call in (
        lambda: put_text(widget_id=shop.pk, article_id=foreign.pk, lang="en", title="x", body="y"),
        lambda: change_article(widget_id=shop.pk, article_id=foreign.pk, changes={"position": 4}),
        lambda: delete_article(widget_id=shop.pk, article_id=foreign.pk),
        lambda: delete_text(widget_id=shop.pk, article_id=foreign.pk, lang="en"),
    ):
        with pytest.raises(Problem) as refused:
            call()
        assert refused.value.type == NOT_FOUND
    assert versions_of(foreign) == [(1, "Send it back within 14 days.", "")]


def test_a_widget_has_so_many_articles(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.articles.actions.articles.MAX_ARTICLES", 1)
    an_article(shop)
    with pytest.raises(Problem) as refused:
        create_article(widget_id=shop.pk, lang="en", title="Second")
    assert refused.value.type == TOO_MANY_ARTICLES
    assert Article.objects.count() == 1


def test_old_versions_go_but_what_readers_see_stays(shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.articles.actions.texts.KEPT_VERSIONS", 2)
    article = an_article(shop, published=True)
    for body in ("two", "three", "four", "five"):
        put(article, body=body)
    assert [version for version, _, _ in versions_of(article)] == [1, 4, 5]
