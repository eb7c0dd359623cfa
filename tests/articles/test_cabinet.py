"""The cabinet's pages of articles: an editor that works without scripts, versions, categories, the help center."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.articles.actions.articles import create_article
from apps.articles.actions.categories import create_category
from apps.articles.actions.publishing import publish
from apps.articles.actions.tallies import give_feedback
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleCategory, ArticlePicture, ArticleText, ArticleVersion, HelpCenter
from apps.widget.actions.settings import change_settings
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.uploads import picture

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/articles/article/", "/admin/articles/article/add/"
JSON = {"Accept": "application/json"}


def page_of(article: Article, lang: str = "en") -> str:
    return f"{LIST}{article.pk}/change/?lang={lang}"


def words(answer: Any) -> str:
    body = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", " ", answer.content.decode())
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def errors_of(answer: Any) -> list[str]:
    """The refusals at the fields of a page made by hand, or of a page of settings."""
    found = re.findall(
        r'<p class="form-error" role="alert">([^<]*)</p>|_error"><li>([^<]*)</li>', answer.content.decode()
    )
    return [by_hand or by_form for by_hand, by_form in found]


def text_of(article: Article, lang: str = "en") -> ArticleText:
    return ArticleText.objects.for_widget(article.widget_id).get(article=article, lang=lang)


@pytest.fixture
def article(shop: Widget) -> Article:
    return create_article(widget_id=shop.pk, lang="en", title="Delivery", body="We bring it in two days.")


@pytest.fixture
def reader(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="viewer"))


@pytest.fixture
def clerk(shop: Widget) -> Client:
    """Somebody who manages the shop, whose website is Russian, and reads Russian."""
    changes = {f"widget_{name}_language": "ru" for name in ("fallback", "default")}
    change_settings(widget_id=shop.pk, changes={"widget_supported_languages": ["ru", "en"], **changes})
    client = signed_in(StaffFactory.create(account=shop.account, role="manager"))
    client.cookies["django_language"] = "ru"
    return client


class TestWriting:
    def test_a_clerk_writes_and_publishes_in_russian(self, clerk: Client, shop: Widget) -> None:
        assert "Статьи" in words(clerk.get(LIST))
        shown = words(clerk.get(ADD))
        for said in ("Новая статья", "не написана", "Заголовок", "Так это увидят читатели", "Опубликовать"):
            assert said in shown
        sent = {
            "lang": "ru",
            "title": "Доставка",
            "body": "Везём *два* дня.\r\n\r\nПо субботам — нет.",
            "does": "publish",
        }
        answer = clerk.post(ADD, {**sent, "base_version": "0"})
        article = Article.objects.for_widget(shop.pk).get()
        assert answer["Location"] == page_of(article, "ru")
        text = text_of(article, "ru")
        assert (text.title, text.slug) == ("Доставка", "dostavka")
        assert text.body == "Везём *два* дня.\n\nПо субботам — нет."
        assert (text.version, text.published_version) == (1, 1)
        page = clerk.get(page_of(article, "ru"))
        assert "Опубликовано: читатели уже видят." in words(page)
        assert "<em>два</em>" in page.content.decode()

    def test_a_draft_is_saved_and_its_changes_wait(self, cabinet: Client, article: Article) -> None:
        publish(widget_id=article.widget_id, article_id=article.pk, lang="en")
        sent = {"title": "Delivery", "body": "In one day.", "does": "save", "base_version": "1"}
        assert cabinet.post(page_of(article), sent).status_code == 302
        text = text_of(article)
        assert (text.body, text.version, text.published_version) == ("In one day.", 2, 1)
        assert "published, with changes that are not" in words(cabinet.get(page_of(article)))

    def test_without_a_title_nothing_is_written(self, cabinet: Client, shop: Widget) -> None:
        assert errors_of(cabinet.post(ADD, {"lang": "en", "title": " ", "body": "Words", "does": "publish"})) == [
            "An article needs a title."
        ]
        assert not Article.objects.for_widget(shop.pk).exists()

    def test_an_empty_text_is_kept_and_not_published(self, cabinet: Client, shop: Widget) -> None:
        sent = {"lang": "en", "title": "Delivery", "body": "", "does": "publish"}
        assert "Saved, and not published: The text is empty." in words(cabinet.post(ADD, sent, follow=True))
        assert text_of(Article.objects.for_widget(shop.pk).get()).published_version is None

    def test_the_author_is_named(self, cabinet: Client, article: Article) -> None:
        cabinet.post(page_of(article), {"title": "Delivery", "body": "Anew.", "does": "save", "base_version": "1"})
        rows = ArticleVersion.objects.for_widget(article.widget_id).order_by("version")
        assert rows.values_list("actor", flat=True).last() == "olga@shop.test"

    def test_a_second_language_is_a_text_of_the_same_article(self, clerk: Client, article: Article) -> None:
        sent = {"lang": "ru", "title": "Доставка", "body": "Два дня.", "does": "save", "base_version": "0"}
        assert clerk.post(page_of(article, "ru"), sent).status_code == 302
        assert set(article.texts.values_list("lang", "title")) == {("en", "Delivery"), ("ru", "Доставка")}

    def test_category_and_place_are_the_articles(self, cabinet: Client, article: Article) -> None:
        category = create_category(widget_id=article.widget_id, name={"en": "Orders"})
        sent = {"title": "Delivery", "body": "Anew.", "category": str(category.pk), "position": "3", "does": "save"}
        assert cabinet.post(page_of(article), {**sent, "base_version": "1"}).status_code == 302
        article.refresh_from_db()
        assert (article.category_id, article.position) == (category.pk, 3)

    def test_a_slug_that_was_not_chosen_follows_the_title(self, cabinet: Client, article: Article) -> None:
        sent = {
            "title": "Delivery and pick-up",
            "body": "Anew.",
            "slug": "delivery",
            "does": "save",
            "base_version": "1",
        }
        cabinet.post(page_of(article), sent)
        assert text_of(article).slug == "delivery-and-pick-up"
        cabinet.post(page_of(article), {**sent, "slug": "how-we-bring-it", "base_version": "2"})
        assert text_of(article).slug == "how-we-bring-it"

    def test_a_moment_to_publish(self, cabinet: Client, article: Article) -> None:
        at = timezone.localtime(timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)
        sent = {"title": "Delivery", "body": "Anew.", "does": "schedule", "base_version": "1"}
        cabinet.post(page_of(article), {**sent, "at": at.strftime("%Y-%m-%dT%H:%M")})
        text = text_of(article)
        assert (text.publish_at, text.publish_version, text.published_version) == (at, 2, None)
        assert "will be published" in words(cabinet.get(page_of(article)))
        cabinet.post(page_of(article), {"does": "unpublish"})
        assert text_of(article).publish_at is None

    @pytest.mark.parametrize(
        ("at", "said"), [("2020-01-01T10:00", "This moment is over already."), ("", "Choose the moment.")]
    )
    def test_a_moment_that_is_none_is_refused(self, cabinet: Client, article: Article, at: str, said: str) -> None:
        sent = {"title": "Delivery", "body": "Anew.", "does": "schedule", "base_version": "1", "at": at}
        assert errors_of(cabinet.post(page_of(article), sent)) == [said]
        assert text_of(article).version == 1

    def test_it_is_taken_off_the_pages(self, cabinet: Client, article: Article) -> None:
        publish(widget_id=article.widget_id, article_id=article.pk, lang="en")
        assert "Take it off the pages" in words(cabinet.get(page_of(article)))
        cabinet.post(page_of(article), {"does": "unpublish"})
        assert text_of(article).published_version is None


class TestTwoPeople:
    """Somebody else has saved meanwhile: nothing is lost, and a person decides."""

    SENT = {"title": "Delivery", "body": "Mine.", "base_version": "1"}

    @pytest.fixture
    def changed(self, article: Article) -> Article:
        put_text(widget_id=article.widget_id, article_id=article.pk, lang="en", title="Delivery", body="Theirs.")
        return article

    def test_the_form_keeps_what_was_written(self, cabinet: Client, changed: Article) -> None:
        page = cabinet.post(page_of(changed), {**self.SENT, "does": "save"})
        assert errors_of(page) == [
            "Somebody else has changed this text meanwhile. Look at their version before you save."
        ]
        assert ">\nMine.</textarea>" in page.content.decode()
        assert text_of(changed).body == "Theirs."

    def test_mine_wins_where_a_person_says_so(self, cabinet: Client, changed: Article) -> None:
        assert cabinet.post(page_of(changed), {**self.SENT, "does": "mine"}).status_code == 302
        assert (text_of(changed).body, text_of(changed).version) == ("Mine.", 3)

    def test_the_script_is_told_the_newest_version(self, cabinet: Client, changed: Article) -> None:
        answer = cabinet.post(page_of(changed), {**self.SENT, "does": "keep"}, headers=JSON).json()
        assert answer == {
            "changed": "Somebody else has changed this text meanwhile. Look at their version before you save.",
            "version": 2,
        }


class TestSavingByItself:
    def test_the_first_words_make_the_article(self, cabinet: Client, shop: Widget) -> None:
        sent = {"lang": "en", "title": "Delivery", "body": "We", "does": "keep", "base_version": "0"}
        answer = cabinet.post(ADD, sent, headers=JSON).json()
        article = Article.objects.for_widget(shop.pk).get()
        assert (answer["version"], answer["address"]) == (1, page_of(article))
        assert answer["said"].startswith("Saved at ")
        again = cabinet.post(page_of(article), {**sent, "body": "We bring", "base_version": "1"}, headers=JSON).json()
        assert again["version"] == 2

    def test_a_refusal_is_told_in_words(self, cabinet: Client, article: Article) -> None:
        sent = {"title": "Delivery", "body": "x", "slug": "Bad slug", "does": "keep", "base_version": "1"}
        answer = cabinet.post(page_of(article), sent, headers=JSON).json()
        assert answer == {"refusal": "Small letters a to z, digits and hyphens are expected."}
        assert text_of(article).version == 1

    def test_the_preview_shows_formatting_and_html_as_typed(self, cabinet: Client, shop: Widget) -> None:
        sent = {"widget": shop.pk, "body": "**Two** days <script>alert(1)</script> [x](javascript:alert(1))"}
        drawn = cabinet.post(f"{LIST}preview/", sent).json()["html"]
        assert "<strong>Two</strong>" in drawn
        assert "&lt;script&gt;" in drawn
        assert "<script" not in drawn
        assert 'href="javascript' not in drawn

    def test_articles_are_found_by_words_of_their_title(
        self, cabinet: Client, shop: Widget, article: Article, rival: Rival
    ) -> None:
        create_article(widget_id=rival.widget.pk, lang="en", title="Delivery of the rival")
        found = cabinet.get(f"{LIST}find/?q=DELIV&widget={shop.pk}&lang=en").json()["articles"]
        assert found == [{"id": article.pk, "title": "Delivery", "told": "draft"}]
        assert cabinet.get(f"{LIST}find/?q=nothing&widget={shop.pk}").json() == {"articles": []}
        assert cabinet.get(f"{LIST}find/?q=deliv&widget={rival.widget.pk}").status_code == 404


class TestPictures:
    def test_the_script_keeps_one(self, cabinet: Client, shop: Widget) -> None:
        sent = {"widget": shop.pk, "file": SimpleUploadedFile("a.png", picture("PNG"), "image/png")}
        answer = cabinet.post(f"{LIST}pictures/", sent).json()
        assert answer == {"url": f"/files/articles/{ArticlePicture.objects.for_widget(shop.pk).get().guid.hex}"}
        shown = Client().get(answer["url"])
        assert (shown.status_code, shown["Content-Type"]) == (200, "image/webp")

    def test_a_form_without_scripts_puts_it_at_the_end(self, cabinet: Client, article: Article) -> None:
        sent = {"title": "Delivery", "body": "Look:", "does": "save", "base_version": "1"}
        cabinet.post(page_of(article), {**sent, "picture": SimpleUploadedFile("a.png", picture("PNG"), "image/png")})
        guid = ArticlePicture.objects.for_widget(article.widget_id).get().guid
        assert text_of(article).body == f"Look:\n\n![](/files/articles/{guid.hex})\n"

    def test_what_is_none_is_refused(self, cabinet: Client, shop: Widget, article: Article) -> None:
        bad = SimpleUploadedFile("a.png", b"<svg onload=alert(1)>", "image/png")
        assert "refusal" in cabinet.post(f"{LIST}pictures/", {"widget": shop.pk, "file": bad}).json()
        bad.seek(0)
        sent = {"title": "Delivery", "body": "Look:", "does": "save", "base_version": "1", "picture": bad}
        assert len(errors_of(cabinet.post(page_of(article), sent))) == 1
        assert not ArticlePicture.objects.for_widget(shop.pk).exists()
        assert text_of(article).version == 1


class TestVersions:
    @pytest.fixture
    def three(self, article: Article) -> Article:
        where: Any = {"widget_id": article.widget_id, "article_id": article.pk, "lang": "en", "title": "Delivery"}
        put_text(**where, body="We bring it in one day.", actor="olga@shop.test")
        publish(widget_id=article.widget_id, article_id=article.pk, lang="en")
        put_text(**where, body="We bring it in one hour.", actor="boris@shop.test")
        return article

    def test_what_readers_see_stands_beside_the_newest(self, reader: Client, three: Article) -> None:
        page = reader.get(f"{LIST}{three.pk}/versions/?lang=en").content.decode()
        assert "<del>day.</del>" in page
        assert "<ins>hour.</ins>" in page
        assert "readers see it" in page

    def test_any_two_are_compared(self, reader: Client, three: Article) -> None:
        page = reader.get(f"{LIST}{three.pk}/versions/?lang=en&from=1&to=2").content.decode()
        assert "<del>two days.</del>" in page
        assert "<ins>one day.</ins>" in page

    @pytest.mark.parametrize("query", ["from=x&to=9", "from=99999999999999", "lang=zz"])
    def test_impossible_ones_are_those_of_the_page(self, reader: Client, three: Article, query: str) -> None:
        assert "<ins>hour.</ins>" in reader.get(f"{LIST}{three.pk}/versions/?{query}").content.decode()

    def test_an_older_one_becomes_the_draft(self, cabinet: Client, reader: Client, three: Article) -> None:
        address = f"{LIST}{three.pk}/versions/?lang=en"
        assert reader.post(address, {"version": "1"}).status_code == 403
        assert cabinet.post(address, {"version": "77"}).status_code == 404
        assert text_of(three).version == 3
        cabinet.post(address, {"version": "1"})
        text = text_of(three)
        assert (text.body, text.version, text.published_version) == ("We bring it in two days.", 4, 2)


class TestDeleting:
    def test_a_language_and_then_the_article(self, clerk: Client, article: Article) -> None:
        put_text(widget_id=article.widget_id, article_id=article.pk, lang="ru", title="Доставка", body="Два дня.")
        address = f"{LIST}{article.pk}/remove_language/?lang=ru"
        assert clerk.get(address).status_code == 200
        assert article.texts.count() == 2
        clerk.post(address)
        assert list(article.texts.values_list("lang", flat=True)) == ["en"]
        clerk.post(f"{LIST}{article.pk}/remove_language/?lang=en")
        assert article.texts.count() == 1
        clerk.post(f"{LIST}{article.pk}/delete/", {"post": "yes"})
        assert not Article.objects.for_widget(article.widget_id).exists()


class TestAccess:
    def test_who_only_reads_sees_the_text_and_no_form(self, reader: Client, shop: Widget, article: Article) -> None:
        page = reader.get(page_of(article)).content.decode()
        assert "We bring it in two days." in page
        assert "data-article" not in page
        for address in (page_of(article), ADD, f"{LIST}preview/", f"{LIST}pictures/"):
            assert reader.post(address, {"title": "x", "widget": shop.pk}).status_code == 403, address
        assert reader.post(f"{LIST}{article.pk}/remove_language/?lang=en").status_code == 403
        assert text_of(article).version == 1

    def test_the_rivals_are_not_there(self, cabinet: Client, rival: Rival) -> None:
        theirs = create_article(widget_id=rival.widget.pk, lang="en", title="Secret", body="Theirs")
        for page in ("change", "versions", "remove_language", "delete"):
            assert cabinet.get(f"{LIST}{theirs.pk}/{page}/").status_code == 404, page
            assert cabinet.post(f"{LIST}{theirs.pk}/{page}/", {"title": "x", "does": "save"}).status_code == 404
        for page in ("preview", "pictures"):
            assert cabinet.post(f"{LIST}{page}/", {"widget": rival.widget.pk, "body": "x"}).status_code == 404
        assert text_of(theirs).version == 1

    def test_the_list_asks_a_number_of_statements_that_does_not_grow(self, cabinet: Client, shop: Widget) -> None:
        counts = []
        for number in range(1, 13):
            create_article(widget_id=shop.pk, lang="en", title=f"Article {number}")
            if number in (2, 3, 12):
                with CaptureQueriesContext(connection) as asked:
                    assert f"Article {number}" in words(cabinet.get(LIST))
                counts.append(len(asked))
        assert counts[1] == counts[2]  # the first time reads who is there


class TestCategories:
    PAGE = "/admin/articles/articlecategory/"

    def test_one_is_added_and_renamed(self, clerk: Client, shop: Widget) -> None:
        clerk.post(f"{self.PAGE}add/", {"name_ru": "Заказы", "name_en": "Orders", "position": "2"})
        category = ArticleCategory.objects.for_widget(shop.pk).get()
        assert (category.name, category.position) == ({"ru": "Заказы", "en": "Orders"}, 2)
        clerk.post(f"{self.PAGE}{category.pk}/change/", {"name_ru": "Покупки", "position": "1"})
        category.refresh_from_db()
        assert (category.name, category.position) == ({"ru": "Покупки"}, 1)
        assert "Покупки" in words(clerk.get(self.PAGE))

    def test_one_without_a_name_is_refused(self, cabinet: Client, shop: Widget) -> None:
        assert errors_of(cabinet.post(f"{self.PAGE}add/", {"position": "2"})) == ["A category needs a name."]
        assert not ArticleCategory.objects.for_widget(shop.pk).exists()

    def test_one_with_articles_stays(self, cabinet: Client, shop: Widget) -> None:
        category = create_category(widget_id=shop.pk, name={"en": "Orders"})
        create_article(widget_id=shop.pk, lang="en", title="Delivery", category_id=category.pk)
        answer = cabinet.post(f"{self.PAGE}{category.pk}/delete/", {"post": "yes"}, follow=True)
        assert "The category has articles." in words(answer)
        assert ArticleCategory.objects.for_widget(shop.pk).exists()


class TestHelpCenter:
    def page(self, widget: Widget) -> str:
        return f"/admin/articles/helpcenter/{widget.pk}/change/"

    SENT = {"does": "save", "is_public": "on", "slug": "flowers", "default_language": "en", "in_widget": "suggest"}

    def test_it_becomes_public(self, cabinet: Client, shop: Widget) -> None:
        assert "The help center is not public" in words(cabinet.get(self.page(shop)))
        footer = "Our shop https://shop.example\r\nImprint https://shop.example/imprint"
        cabinet.post(
            self.page(shop), {**self.SENT, "title_en": "Help with flowers", "footer_lines": footer, "for_ai": "on"}
        )
        row = HelpCenter.objects.for_widget(shop.pk).get()
        assert (row.is_public, row.slug, row.in_widget, row.indexing) == (True, "flowers", "suggest", False)
        assert row.title == {"en": "Help with flowers"}
        assert row.footer == [
            {"label": {"en": "Our shop"}, "url": "https://shop.example"},
            {"label": {"en": "Imprint"}, "url": "https://shop.example/imprint"},
        ]
        shown = cabinet.get(self.page(shop))
        assert "/help/flowers/" in words(shown)
        assert "Our shop https://shop.example\nImprint https://shop.example/imprint" in unescape(shown.content.decode())

    @pytest.mark.parametrize(
        ("name", "value"), [("slug", "No"), ("home_url", "http://shop.example"), ("footer_lines", "x y")]
    )
    def test_a_refusal_stands_at_its_field(self, cabinet: Client, shop: Widget, name: str, value: str) -> None:
        assert len(errors_of(cabinet.post(self.page(shop), {**self.SENT, name: value}))) == 1
        assert not HelpCenter.objects.for_widget(shop.pk).filter(is_public=True).exists()

    def test_anothers_slug_is_refused(self, cabinet: Client, shop: Widget, rival: Rival) -> None:
        HelpCenter.objects.create(widget=rival.widget, slug="flowers")
        assert errors_of(cabinet.post(self.page(shop), self.SENT)) == [
            "Another help center has this address. Choose another one."
        ]

    def test_who_only_reads_sees_the_settings(self, reader: Client, shop: Widget) -> None:
        page = reader.get(self.page(shop))
        assert "public pages: no" in words(page)
        assert 'name="slug"' not in page.content.decode()
        assert reader.post(self.page(shop), self.SENT).status_code == 403

    def test_the_rivals_is_not_there(self, cabinet: Client, rival: Rival) -> None:
        assert cabinet.get(self.page(rival.widget)).status_code == 404
        assert cabinet.post(self.page(rival.widget), self.SENT).status_code == 404

    def test_an_own_domain_is_named_and_taken_away(self, cabinet: Client, reader: Client, shop: Widget) -> None:
        page = f"/admin/articles/helpcenter/{shop.pk}/domain/"
        assert errors_of(cabinet.post(page, {"does": "set", "domain": "localhost"})) == [
            "A whole domain name is expected, such as help.shop.example."
        ]
        assert reader.post(page, {"does": "set", "domain": "help.shop.example"}).status_code == 403
        cabinet.post(page, {"does": "set", "domain": "help.shop.example"})
        row = HelpCenter.objects.for_widget(shop.pk).get()
        shown = words(cabinet.get(page))
        for said in ("waits for its record", "_parley.help.shop.example", f"parley-domain={row.domain_token}"):
            assert said in shown
        cabinet.post(page, {"does": "set", "domain": ""})
        assert HelpCenter.objects.for_widget(shop.pk).get().domain is None


class TestResults:
    def page(self, widget: Widget) -> str:
        return f"/admin/articles/widgetarticleresults/{widget.pk}/change/"

    def test_the_verdict_is_by_voices_and_silence_is_no_success(self, reader: Client, article: Article) -> None:
        shop = article.widget
        publish(widget_id=shop.pk, article_id=article.pk, lang="en")
        assert "Nobody has read an article in these days." in words(reader.get(self.page(shop)))
        for number in range(9):
            self.say(article, number, helpful=True)
        assert "too few voices" in words(reader.get(self.page(shop)))
        self.say(article, 9, helpful=False, reason="wrong")
        shown = words(reader.get(self.page(shop)))
        assert "Delivery English wrong: 1 answers 9 1 0" in shown

    def say(self, article: Article, number: int, **said: Any) -> None:
        give_feedback(widget_id=article.widget_id, article_id=article.pk, lang="en", key=f"{number:032x}", **said)

    @pytest.mark.parametrize("query", ["from=x", "from=2026-02-30", "from=2026-05-02&to=2026-05-01", "to=0001-01-01"])
    def test_impossible_days_are_refused(self, reader: Client, shop: Widget, query: str) -> None:
        answer = reader.get(f"{self.page(shop)}?{query}")
        assert answer.status_code == 422
        assert errors_of(answer) == ["Choose a first day that is not after the last one."]

    def test_the_rivals_are_not_there(self, cabinet: Client, rival: Rival) -> None:
        assert cabinet.get(self.page(rival.widget)).status_code == 404
