"""What the audit trail says of articles: titles, versions and publishing, and the text never."""

import json
from typing import Any

import pytest

from apps.accounts.models import AuditEntry, Widget
from apps.articles.actions.articles import change_article, delete_article
from apps.articles.actions.centers import change_center
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.texts import put_text
from apps.articles.models import ArticleText
from tests.factories.articles import an_article

pytestmark = pytest.mark.django_db


def lines_of(shop: Widget, model: str) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(account_id=shop.account_id, content_type__model=model).order_by("pk"))


def changed(lines: list[AuditEntry]) -> list[set[str]]:
    return [set(line.changes or {}) for line in lines]


def test_a_text_is_told_by_its_title_and_versions_and_never_with_its_body(shop: Widget) -> None:
    article = an_article(shop, title="Returns", body="Never in the trail.")
    of_text: dict[str, Any] = {"widget_id": shop.pk, "article_id": article.pk, "lang": "en"}
    put_text(**of_text, title="Refunds", body="Never there either.")
    publish(**of_text)
    unpublish(**of_text)
    added, *later = lines_of(shop, "articletext")
    assert (added.action, set(added.changes or {}) >= {"lang", "title"}) == (0, True)
    assert later[0].changes == {
        "title": ["Returns", "Refunds"],
        "slug": ["returns", "refunds"],
        "version": ["1", "2"],
    }
    assert changed(later[1:]) == [{"published_version", "published_at"}] * 2
    every = AuditEntry.objects.values("changes", "changes_text", "serialized_data", "additional_data")
    assert "Never" not in json.dumps(list(every))


def test_an_equal_text_leaves_no_line(shop: Widget) -> None:
    article = an_article(shop)
    text = ArticleText.objects.get(article=article)
    before = AuditEntry.objects.count()
    put_text(widget_id=shop.pk, article_id=article.pk, lang="en", title=text.title, body=text.body)
    assert AuditEntry.objects.count() == before


def test_an_article_and_its_center_are_told_too(shop: Widget) -> None:
    article = an_article(shop)
    change_article(widget_id=shop.pk, article_id=article.pk, changes={"position": 3})
    delete_article(widget_id=shop.pk, article_id=article.pk)
    added, moved, gone = lines_of(shop, "article")
    assert (added.action, moved.changes, gone.action) == (0, {"position": ["0", "3"]}, 2)
    assert [line.action for line in lines_of(shop, "articletext")] == [0, 2]
    change_center(widget_id=shop.pk, changes={"is_public": True})
    assert "is_public" in changed(lines_of(shop, "helpcenter"))[-1]
