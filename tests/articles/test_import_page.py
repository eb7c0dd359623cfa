"""The cabinet's page of imports: it shows first, then writes drafts."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from apps.accounts.models import Widget
from apps.articles.models import Article, ArticleImport
from tests.articles.test_cabinet import errors_of, words
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db
PAGE = "/admin/articles/article/import/"


def sent(**more: object) -> dict[str, object]:
    file = SimpleUploadedFile("delivery.md", b"# Delivery\n\nTwo days.", "text/markdown")
    return {"file": file, "lang": "en", "does": "look", **more}


def test_it_is_looked_at_first(cabinet: Client, shop: Widget) -> None:
    assert cabinet.post(PAGE, sent()).status_code == 302
    row = ArticleImport.objects.for_widget(shop.pk).get()
    assert (row.dry_run, row.lang, row.actor) == (True, "en", "olga@shop.test")
    assert "delivery.md" in words(cabinet.get(PAGE))
    assert not Article.objects.for_widget(shop.pk).exists()


def test_then_it_is_written(cabinet: Client, shop: Widget) -> None:
    cabinet.post(PAGE, sent(does="import"))
    assert ArticleImport.objects.for_widget(shop.pk).get().dry_run is False


def test_what_came_of_it_is_told_in_words(cabinet: Client, shop: Widget) -> None:
    problems = [{"path": "../x.md", "reason": "bad_path"}]
    ArticleImport.objects.create(widget=shop, name="help.zip", state="done", dry_run=True, created=3, problems=problems)
    shown = words(cabinet.get(PAGE))
    told = ("Nothing is written yet. This would be:", "New articles 3", "../x.md the name leads out of the archive")
    for said in told:
        assert said in shown


def test_nothing_and_both_are_refused(cabinet: Client, shop: Widget) -> None:
    for form in ({"lang": "en", "does": "look"}, sent(url="https://shop.example")):
        assert errors_of(cabinet.post(PAGE, form)) == ["Choose a file, or write an address: one of both."]
    assert not ArticleImport.objects.for_widget(shop.pk).exists()


def test_who_only_reads_may_not(shop: Widget, rival: Rival) -> None:
    reader = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    assert reader.get(PAGE).status_code == 403
    assert reader.post(PAGE, sent()).status_code == 403
