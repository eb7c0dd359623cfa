"""Articles, categories, pictures and the help center over REST."""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from PIL import Image

from apps.accounts.models import Widget
from apps.articles.models import Article, ArticleCategory, ArticlePicture, ArticleText, HelpCenter
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.factories.articles import an_article
from tests.uploads import FORM, form, part, picture

pytestmark = pytest.mark.django_db

RETURNS = {"lang": "en", "title": "Returns", "body": "Within 14 days.", "summary": "All of it."}


def text_of(data: dict[str, Any], lang: str = "en") -> dict[str, Any]:
    return data["texts"][lang]  # type: ignore[no-any-return]


class TestArticles:
    def test_a_new_one_is_a_draft_written_by_the_token(self, api: ApiClient, shop: Widget) -> None:
        answer = api.post("/articles", json=RETURNS)
        data = answer.json()["data"]
        assert (answer.status_code, data["category_id"], data["position"], data["asked"]) == (201, None, 0, None)
        text = text_of(data)
        assert {name: text[name] for name in RETURNS} == RETURNS
        assert (text["slug"], text["state"], text["version"], text["published_version"]) == (
            "returns",
            "draft",
            1,
            None,
        )
        assert (text["has_changes"], text["url"], text["draft_state"], text["unsupported"]) == (False, None, "none", [])
        assert api.get(f"/articles/{data['id']}").json()["data"] == data
        versions = api.get(f"/articles/{data['id']}/texts/en/versions").json()["data"]
        assert [(each["version"], each["title"], each["is_published"]) for each in versions] == [(1, "Returns", False)]
        assert versions[0]["actor"]

    def test_a_list_has_no_bodies_and_is_narrowed_by_one_text(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        an_article(rival.widget)
        draft = an_article(shop, title="Delivery")
        seen = an_article(shop, title="Возврат", lang="ru", published=True)
        of = {
            "": [seen.pk, draft.pk],
            "state=draft": [draft.pk],
            "state=published": [seen.pk],
            "lang=ru": [seen.pk],
            "lang=en&state=published": [],
            "q=deliv": [draft.pk],
        }
        found = {query: api.get(f"/articles?{query}").json()["data"] for query in of}
        assert {query: [each["id"] for each in data] for query, data in found.items()} == of
        assert "body" not in text_of(found[""][1])
        assert text_of(found[""][1]) | {"body": "Send it back within 14 days."} == text_of(
            api.get(f"/articles/{draft.pk}").json()["data"]
        )

    def test_a_list_takes_one_statement_whatever_its_length(
        self, api: ApiClient, shop: Widget, django_assert_num_queries: Any
    ) -> None:
        for number in range(3):
            an_article(shop, title=f"Article {number}", published=True)
        api.get("/articles")
        with django_assert_num_queries(1):
            assert len(api.get("/articles").json()["data"]) == 3

    def test_a_change_is_a_draft_beside_what_readers_see(self, api: ApiClient, shop: Widget) -> None:
        article = an_article(shop, published=True)
        body = {"title": "Refunds", "body": "Within 30 days.", "base_version": 1}
        data = api.put(f"/articles/{article.pk}/texts/en", json=body).json()["data"]
        text = text_of(data)
        assert (text["title"], text["state"], text["version"], text["published_version"], text["has_changes"]) == (
            ("Refunds", "published", 2, 1, True)
        )
        answer = api.put(f"/articles/{article.pk}/texts/en", json={**body, "body": "Never."})
        assert (answer.status_code, answer.json()["code"], answer.json()["version"]) == (409, "article_changed", 2)
        one = api.get(f"/articles/{article.pk}/texts/en/versions/1").json()["data"]
        assert (one["body"], one["slug"], one["is_published"]) == ("Send it back within 14 days.", "returns", True)

    def test_publishing_is_another_scope_than_writing(self, shop: Widget) -> None:
        article = an_article(shop)
        writer = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["kb:read", "kb:write"])))
        for call in (
            lambda: writer.post(f"/articles/{article.pk}/texts/en/publish", json={}),
            lambda: writer.post(f"/articles/{article.pk}/texts/en/unpublish"),
            lambda: writer.delete(f"/articles/{article.pk}"),
            lambda: writer.delete(f"/articles/{article.pk}/texts/en"),
            lambda: writer.patch("/help-center", json={"is_public": True}),
        ):
            answer = call()
            assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")
        assert ArticleText.objects.get().published_version is None

    def test_publishing_shows_its_public_address(self, api: ApiClient, shop: Widget) -> None:
        article = an_article(shop)
        assert api.patch("/help-center", json={"is_public": True, "slug": "flowers"}).status_code == 200
        text = text_of(api.post(f"/articles/{article.pk}/texts/en/publish", json={}).json()["data"])
        assert (text["state"], text["published_version"], text["has_changes"]) == ("published", 1, False)
        assert text["url"] == f"{settings.PUBLIC_URL}/help/flowers/en/{article.pk}-returns"
        api.put(f"/articles/{article.pk}/texts/en", json={"title": "Refunds", "body": "New."})
        assert text_of(api.get(f"/articles/{article.pk}").json()["data"])["url"] == text["url"]
        text = text_of(api.post(f"/articles/{article.pk}/texts/en/unpublish").json()["data"])
        assert (text["state"], text["url"]) == ("draft", None)

    def test_a_moment_to_publish(self, api: ApiClient, shop: Widget) -> None:
        article = an_article(shop)
        at = (timezone.now() + timedelta(days=3)).replace(microsecond=0)
        answer = api.post(f"/articles/{article.pk}/texts/en/publish", json={"at": at.isoformat()})
        text = text_of(answer.json()["data"])
        assert datetime.fromisoformat(text["publish_at"]) == at.astimezone(UTC)
        assert (text["state"], text["published_version"]) == ("draft", None)
        for bad, path in (
            ({"at": "2020-01-01T00:00:00Z"}, "at"),
            ({"at": "soon"}, "at"),
            ({"version": 9}, "version"),
        ):
            answer = api.post(f"/articles/{article.pk}/texts/en/publish", json=bad)
            assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])
        assert datetime.fromisoformat(text_of(api.get(f"/articles/{article.pk}").json()["data"])["publish_at"]) == at

    def test_a_language_that_nobody_knows_is_no_address(self, api: ApiClient, shop: Widget) -> None:
        article = an_article(shop)
        for path in ("texts/xx", "texts/EN", "texts/en/versions/9", "texts/ru/versions"):
            assert api.get(f"/articles/{article.pk}/{path}").status_code in (404, 405), path
        assert api.get(f"/articles/{article.pk}/texts/ru/versions").status_code == 404
        assert api.delete(f"/articles/{article.pk}/texts/ru").status_code == 404

    def test_one_is_moved_and_deleted(self, api: ApiClient, shop: Widget) -> None:
        article = an_article(shop)
        category = api.post("/article-categories", json={"name": {"en": "Delivery"}}).json()["data"]
        changes = {"category_id": category["id"], "position": 4}
        data = api.patch(f"/articles/{article.pk}", json=changes).json()["data"]
        assert {name: data[name] for name in changes} == changes
        answer = api.delete(f"/article-categories/{category['id']}")
        assert (answer.status_code, answer.json()["code"]) == (409, "category_in_use")
        answer = api.delete(f"/articles/{article.pk}/texts/en")
        assert (answer.status_code, answer.json()["code"]) == (409, "last_text")
        assert api.delete(f"/articles/{article.pk}").status_code == 204
        assert api.delete(f"/article-categories/{category['id']}").status_code == 204
        assert (Article.objects.count(), ArticleCategory.objects.count()) == (0, 0)

    @pytest.mark.parametrize("body", ["x" * 200_001, 4, None])
    def test_a_bad_body_is_refused_and_nothing_is_stored(self, api: ApiClient, shop: Widget, body: Any) -> None:
        answer = api.post("/articles", json={**RETURNS, "body": body})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["body"])
        assert not Article.objects.exists()

    def test_the_longest_body_is_taken(self, api: ApiClient, shop: Widget) -> None:
        answer = api.post("/articles", json={**RETURNS, "body": "я" * 200_000})
        assert answer.status_code == 201


class TestCategories:
    def test_texts_are_refused_by_path(self, api: ApiClient, shop: Widget) -> None:
        for name, path in (({"en": "x" * 81}, "name.en"), ({"xx": "a"}, "name.xx"), ({}, "name"), ("a", "name")):
            answer = api.post("/article-categories", json={"name": name})
            assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])
        assert not ArticleCategory.objects.exists()

    def test_they_are_in_order(self, api: ApiClient, shop: Widget) -> None:
        for name, position in (("Last", 3), ("First", 1)):
            api.post("/article-categories", json={"name": {"en": name}, "position": position})
        names = [each["name"]["en"] for each in api.get("/article-categories").json()["data"]]
        assert names == ["First", "Last"]

    def test_a_widget_has_so_many(self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("apps.articles.actions.categories.MAX_CATEGORIES", 1)
        assert api.post("/article-categories", json={"name": {"en": "One"}}).status_code == 201
        answer = api.post("/article-categories", json={"name": {"en": "Two"}})
        assert (answer.status_code, answer.json()["code"]) == (409, "too_many_categories")


class TestHelpCenter:
    def test_the_defaults(self, api: ApiClient, shop: Widget) -> None:
        assert api.get("/help-center").json()["data"] == {
            "is_public": False,
            "slug": "flower-shop",
            "intro": None,
            "home_url": None,
            "indexing": True,
            "in_widget": "off",
            "for_ai": True,
            "show_chat": True,
            "title": {"en": "Flower shop"},
            "default_language": "en",
            "footer": [],
            "url": None,
            "domain": None,
        }
        assert not HelpCenter.objects.exists()

    def test_the_first_change_keeps_the_slug(self, api: ApiClient, shop: Widget, told: list[Any]) -> None:
        data = api.patch("/help-center", json={"is_public": True}).json()["data"]
        assert (data["slug"], data["url"]) == ("flower-shop", f"{settings.PUBLIC_URL}/help/flower-shop")
        shop.name = "Other"
        shop.save(update_fields=["name"])
        assert api.get("/help-center").json()["data"]["slug"] == "flower-shop"
        assert [set(each.changed) for each in told] == [{"is_public", "slug"}]

    def test_a_slug_is_one_help_centers(self, api: ApiClient, rival_api: ApiClient, shop: Widget, rival: Rival) -> None:
        assert rival_api.patch("/help-center", json={"slug": "flower-shop"}).status_code == 200
        assert api.get("/help-center").json()["data"]["slug"] == f"flower-shop-{shop.guid[:8]}"
        answer = api.patch("/help-center", json={"slug": "flower-shop"})
        assert (answer.status_code, answer.json()["code"]) == (409, "slug_taken")
        assert not HelpCenter.objects.filter(widget=shop).exists()

    @pytest.mark.parametrize(
        ("changes", "path"),
        [
            ({"slug": "ab"}, "slug"),
            ({"slug": "With Capitals"}, "slug"),
            ({"slug": "a" * 41}, "slug"),
            ({"title": {"en": "x" * 81}}, "title.en"),
            ({"title": {}}, "title"),
            ({"intro": {"en": "x" * 301}}, "intro.en"),
            ({"default_language": "xx"}, "default_language"),
            ({"home_url": "http://shop.example"}, "home_url"),
            ({"home_url": "javascript:alert(1)"}, "home_url"),
            ({"footer": [{"label": {"en": "Terms"}, "url": "http://shop.example"}]}, "footer"),
            ({"footer": [{"label": {"en": "Terms"}}]}, "footer.0.url"),
            ({"in_widget": "yes"}, "in_widget"),
            ({"url": "https://shop.example"}, "url"),
        ],
    )
    def test_a_change_is_refused_by_path(self, api: ApiClient, shop: Widget, changes: Any, path: str) -> None:
        answer = api.patch("/help-center", json={"is_public": True, **changes})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])
        assert not HelpCenter.objects.exists()

    def test_all_of_it_is_changed_and_cleared(self, api: ApiClient, shop: Widget) -> None:
        changes = {
            "title": {"en": "Help", "ru": "Помощь"},
            "intro": {"en": "Ask us."},
            "default_language": "ru",
            "home_url": "https://shop.example/",
            "footer": [{"label": {"en": "Terms"}, "url": "https://shop.example/terms"}],
            "indexing": False,
            "in_widget": "suggest",
            "for_ai": False,
            "show_chat": False,
        }
        data = api.patch("/help-center", json=changes).json()["data"]
        assert {name: data[name] for name in changes} == changes
        cleared = {"title": None, "intro": None, "default_language": None, "home_url": None, "footer": []}
        data = api.patch("/help-center", json=cleared).json()["data"]
        assert (data["title"], data["intro"], data["default_language"]) == ({"en": "Flower shop"}, None, "en")
        assert (data["home_url"], data["footer"]) == (None, [])


class TestPictures:
    def upload(self, api: ApiClient, content: bytes) -> Any:
        return api.post("/article-pictures", data=form(part(content, filename="a.png")), content_type=FORM)

    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
    def test_a_picture_is_written_anew(self, api: ApiClient, shop: Widget, kind: str) -> None:
        answer = self.upload(api, picture(kind))
        row = ArticlePicture.objects.get()
        assert answer.status_code == 201
        assert answer.json()["data"] == {
            "id": row.guid.hex,
            "url": f"{settings.PUBLIC_URL}/files/articles/{row.guid.hex}",
            "width": row.width,
            "height": row.height,
            "size": row.size,
        }
        assert (row.content_type, row.widget_id) == ("image/webp", shop.pk)

    @pytest.mark.parametrize("content", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"\x89PNG\r\n\x1a\n", b"text"])
    def test_what_is_none_is_refused_by_its_content(self, api: ApiClient, shop: Widget, content: bytes) -> None:
        answer = self.upload(api, content)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["file"])
        assert not ArticlePicture.objects.exists()

    def test_a_side_has_so_many_pixels(self, api: ApiClient, shop: Widget) -> None:
        answer = self.upload(api, _drawn(4097))
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["file"])
        assert self.upload(api, _drawn(4096)).status_code == 201


def _drawn(width: int) -> bytes:
    made = BytesIO()
    Image.new("RGB", (width, 2)).save(made, "PNG")
    return made.getvalue()
