"""Imports of articles: what becomes a draft, what is left out alone, and that all of it counts once."""

import json
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.articles.actions import import_runs
from apps.articles.models import Article, ArticleCategory, ArticleImport, ArticlePicture, ArticleText
from apps.articles.tasks import IMPORT_QUEUE
from apps.core.models import OrphanedObject
from apps.leases import Lease, claims
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.kb.sites import Given, Site
from tests.uploads import FORM, form, part, picture

pytestmark = pytest.mark.django_db

RETURNS = "---\ntitle: Returns\ncategory: Orders\nsummary: All of it\n---\n\nWithin *14 days*.\n"


def archive(entries: Mapping[str, bytes | str], *, packed_by: int = zipfile.ZIP_STORED) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", packed_by) as made:
        for name, content in entries.items():
            made.writestr(name, content)
    return packed.getvalue()


def sent(api: ApiClient, content: bytes, name: str = "help.zip", **texts: str) -> Any:
    parts = [
        part(content, filename=name),
        *(part(text.encode(), name=key, filename=None) for key, text in texts.items()),
    ]
    return api.post("/article-imports", data=form(*parts), content_type=FORM)


def worked() -> None:
    for lease in claims.claim(IMPORT_QUEUE, wanted=4):
        lease.run()


def imported(api: ApiClient, content: bytes, name: str = "help.zip", **texts: str) -> dict[str, Any]:
    """What has come of an import, once a worker has done it."""
    answer = sent(api, content, name, **texts)
    assert answer.status_code == 202, answer.json()
    worked()
    data: dict[str, Any] = api.get(f"/article-imports/{answer.json()['data']['id']}").json()["data"]
    return data


def figures(data: dict[str, Any]) -> tuple[int, ...]:
    return tuple(data[name] for name in ("created", "updated", "unchanged", "refused", "pictures"))


def texts(widget: Widget) -> dict[tuple[str, str], ArticleText]:
    return {(each.lang, each.title): each for each in ArticleText.objects.for_widget(widget.pk)}


class TestFiles:
    def test_a_text_becomes_a_draft(self, api: ApiClient, shop: Widget) -> None:
        queued = sent(api, RETURNS.encode(), "returns.md").json()["data"]
        assert (queued["state"], queued["error"], queued["finished_at"], figures(queued)) == (
            "queued",
            None,
            None,
            (0, 0, 0, 0, 0),
        )
        worked()
        data = api.get(f"/article-imports/{queued['id']}").json()["data"]
        assert (data["state"], figures(data), data["problems"]) == ("done", (1, 0, 0, 0, 0), [])
        (text,) = texts(shop).values()
        shown = (text.lang, text.title, text.summary, text.body, text.slug, text.published_version)
        assert shown == ("en", "Returns", "All of it", "Within *14 days*.\n", "returns", None)
        assert text.article.category is not None
        assert text.article.category.name == {"en": "Orders"}

    def test_its_bytes_are_given_up(self, api: ApiClient, shop: Widget) -> None:
        sent(api, RETURNS.encode(), "returns.md")
        key = ArticleImport.objects.for_widget(shop.pk).get().storage_key
        worked()
        assert ArticleImport.objects.for_widget(shop.pk).get().storage_key == ""
        assert OrphanedObject.objects.filter(key=key).exists()

    def test_those_of_an_unfinished_one_go_with_the_widget(self, api: ApiClient, shop: Widget) -> None:
        sent(api, RETURNS.encode(), "returns.md")
        key = ArticleImport.objects.for_widget(shop.pk).get().storage_key
        shop.delete()
        assert OrphanedObject.objects.filter(key=key).exists()

    def test_folders_name_the_language_and_the_category(self, api: ApiClient, shop: Widget) -> None:
        entries = {
            "en/Delivery/times.md": "# Times\n\nTwo days.",
            "ru/Delivery/times.md": "# Сроки\n\nДва дня.",
            "pay.md": "Text\n\n# Payment\n",
            "__MACOSX/en/._pay.md": "x",
            "notes.txt": "x",
        }
        data = imported(api, archive(entries))
        assert (figures(data), data["problems"]) == ((3, 0, 0, 0, 0), [])
        found = texts(shop)
        assert set(found) == {("en", "Times"), ("ru", "Сроки"), ("en", "Payment")}
        times = found["en", "Times"]
        assert (times.body, times.article_id) == ("Two days.", found["ru", "Сроки"].article_id)
        assert [each.name for each in ArticleCategory.objects.for_widget(shop.pk)] == [{"en": "Delivery"}]

    def test_front_matter_says_otherwise_than_the_folder(self, api: ApiClient, shop: Widget) -> None:
        imported(
            api, archive({"en/A/x.md": '---\ntitle: "Цены: все"\nlang: ru\nslug: prices\ncategory: Б\n---\nТекст'})
        )
        ((key, text),) = texts(shop).items()
        assert (key, text.slug) == (("ru", "Цены: все"), "prices")
        assert ArticleCategory.objects.for_widget(shop.pk).get().name == {"ru": "Б"}

    def test_the_imports_language_and_category_are_of_texts_that_name_none(self, api: ApiClient, shop: Widget) -> None:
        category = ArticleCategory.objects.create(widget=shop, name={"ru": "Всё"})
        imported(api, b"# \xd0\xa6\xd0\xb5\xd0\xbd\xd1\x8b", "a.md", lang="ru", category_id=str(category.pk))
        text = texts(shop)["ru", "Цены"]
        assert text.article.category_id == category.pk

    def test_the_same_path_again_is_a_draft_of_that_article(self, api: ApiClient, shop: Widget) -> None:
        entries = {"a.md": "# A\n\nOne", "b.md": "# B\n\nTwo"}
        imported(api, archive(entries))
        before = {key: text.article_id for key, text in texts(shop).items()}
        assert figures(imported(api, archive(entries))) == (0, 0, 2, 0, 0)
        assert figures(imported(api, archive({**entries, "a.md": "# A\n\nMore"}))) == (0, 1, 1, 0, 0)
        after = texts(shop)
        assert {key: text.article_id for key, text in after.items()} == before
        assert (after["en", "A"].version, after["en", "A"].body) == (2, "More")

    def test_a_dry_run_counts_and_writes_nothing(self, api: ApiClient, shop: Widget) -> None:
        content = archive({"A/a.md": "# A\n\n![x](x.png)", "A/x.png": picture("PNG")})
        data = imported(api, content, dry_run="true")
        assert (data["dry_run"], data["state"], figures(data)) == (True, "done", (1, 0, 0, 0, 1))
        assert not Article.objects.for_widget(shop.pk).exists()
        assert not ArticleCategory.objects.for_widget(shop.pk).exists()
        assert not ArticlePicture.objects.for_widget(shop.pk).exists()
        assert figures(imported(api, content)) == (1, 0, 0, 0, 1)
        assert figures(imported(api, content, dry_run="true")) == (0, 0, 1, 0, 0)

    def test_publishing_needs_its_scope_and_shows_readers(self, api: ApiClient, shop: Widget) -> None:
        writer = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["kb:read", "kb:write"])))
        refused = sent(writer, RETURNS.encode(), "returns.md", publish="true")
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
        assert not ArticleImport.objects.for_widget(shop.pk).exists()
        data = imported(api, archive({"a.md": RETURNS, "b.md": "# Empty"}), publish="true")
        assert (figures(data)[0], data["problems"]) == (2, [{"path": "b.md", "reason": "empty"}])
        assert {key[1]: text.published_version for key, text in texts(shop).items()} == {"Returns": 1, "Empty": None}

    def test_links_between_files_lead_to_articles(self, api: ApiClient, shop: Widget) -> None:
        entries = {"en/a.md": "# A\n\n[b](B/b%201.md#how) [c](gone.md)", "en/B/b 1.md": "# B\n\n[a](../a.md)"}
        data = imported(api, archive(entries))
        assert (data["state"], figures(data)) == ("done", (2, 0, 0, 0, 0))
        found = texts(shop)
        a, b = found["en", "A"], found["en", "B"]
        assert (a.body, b.body) == (f"[b](article:{b.article_id}#how) [c](gone.md)", f"[a](article:{a.article_id})")
        assert figures(imported(api, archive(entries))) == (0, 0, 2, 0, 0)


class TestPictures:
    def test_pictures_of_the_archive_become_uploads_once(self, api: ApiClient, shop: Widget) -> None:
        entries = {
            "en/a.md": "# A\n\n![one](../img/x.png) ![two](../img/y.png) ![far](https://x.test/z.png)",
            "img/x.png": picture("PNG"),
            "img/y.png": picture("PNG"),
        }
        data = imported(api, archive(entries))
        assert (figures(data), data["problems"]) == ((1, 0, 0, 0, 1), [])
        kept = ArticlePicture.objects.for_widget(shop.pk).get()
        path = f"/files/articles/{kept.guid.hex}"
        assert texts(shop)["en", "A"].body == f"![one]({path}) ![two]({path}) ![far](https://x.test/z.png)"
        assert figures(imported(api, archive(entries))) == (0, 0, 1, 0, 0)

    def test_one_that_is_none_or_missing_refuses_itself_alone(self, api: ApiClient, shop: Widget) -> None:
        content = archive({"a.md": "# A\n\n![](x.png) ![](y.png) ![](../../etc/passwd)", "x.png": b"GIF89a..."})
        data = imported(api, content)
        assert (data["state"], figures(data)) == ("done", (1, 0, 0, 2, 0))
        assert sorted((each["path"], each["reason"]) for each in data["problems"]) == [
            ("x.png", "not_a_picture"),
            ("y.png", "no_such_picture"),
        ]
        assert texts(shop)["en", "A"].body == "![](x.png) ![](y.png) ![](../../etc/passwd)"


class TestRefusals:
    @pytest.mark.parametrize(
        "path", ["/etc/a.md", "../a.md", "b/../../a.md", "b\\a.md", "C:a.md", "a\0.md", "b/./\u202ea.md"]
    )
    def test_a_bad_path_refuses_itself_alone(self, api: ApiClient, shop: Widget, path: str) -> None:
        content = BytesIO()
        with zipfile.ZipFile(content, "w") as made:
            made.writestr("good.md", "# Good")
            info = zipfile.ZipInfo("x" * len(path))
            info.filename = info.orig_filename = path
            made.writestr(info, "# Bad")
        data = imported(api, content.getvalue())
        assert (data["state"], figures(data)) == ("done", (1, 0, 0, 1, 0))
        assert [each["reason"] for each in data["problems"]] == ["bad_path"]
        assert set(texts(shop)) == {("en", "Good")}

    def test_a_link_is_not_followed(self, api: ApiClient, shop: Widget) -> None:
        content = BytesIO()
        with zipfile.ZipFile(content, "w") as made:
            link = zipfile.ZipInfo("a.md")
            link.external_attr = 0o120777 << 16
            made.writestr(link, "/etc/passwd")
        data = imported(api, content.getvalue())
        assert data["problems"] == [{"path": "a.md", "reason": "bad_path"}]
        assert not Article.objects.for_widget(shop.pk).exists()

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("No heading", "no_title"),
            (f"# {'t' * 201}", "too_long"),
            (f"# A\n\n{'b' * 200_001}", "too_long"),
            (f"---\nsummary: {'s' * 301}\n---\n# A", "too_long"),
            ("# A\n\n\x07", "bad_text"),
            ("# A\0", "bad_text"),
            ("---\nlang: fi\n---\n# A", "bad_language"),
            ("# Good", "duplicate"),
        ],
    )
    def test_each_text_refuses_itself_alone(self, api: ApiClient, shop: Widget, text: str, reason: str) -> None:
        data = imported(api, archive({"good.md": "# Good", "en/good.md" if reason == "duplicate" else "bad.md": text}))
        assert (data["state"], figures(data)) == ("done", (1, 0, 0, 1, 0))
        assert [each["reason"] for each in data["problems"]] == [reason]
        assert set(texts(shop)) == {("en", "Good")}

    def test_the_longest_line_is_read_in_time(self, api: ApiClient, shop: Widget) -> None:
        data = imported(api, archive({"a.md": f"# A\n\n{'![](' * 40_000}"}))
        assert figures(data) == (1, 0, 0, 0, 0)

    def test_names_of_russian_windows(self, api: ApiClient, shop: Widget) -> None:
        content = archive({"Dostavka/x.md": "# A"}).replace(b"Dostavka", "Доставка".encode("cp866"))
        imported(api, content)
        assert ArticleCategory.objects.for_widget(shop.pk).get().name == {"en": "Доставка"}

    @pytest.mark.parametrize(
        ("content", "name"),
        [
            (archive({"a.md": b"\0" * 5_000_000}, packed_by=zipfile.ZIP_DEFLATED), "help.zip"),
            (b"PK\x03\x04 broken", "help.zip"),
            (b"\x89PNG\r\n\x1a\n", "a.png"),
            (b"%PDF-1.4", "a.pdf"),
        ],
    )
    def test_bombs_and_other_files_are_refused_at_once(
        self, api: ApiClient, shop: Widget, content: bytes, name: str
    ) -> None:
        answer = sent(api, content, name)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["file"])
        assert not ArticleImport.objects.for_widget(shop.pk).exists()

    @pytest.mark.parametrize(
        ("text", "value"),
        [("lang", "fi"), ("category_id", "x"), ("category_id", "1"), ("dry_run", "maybe"), ("x", "1")],
    )
    def test_the_other_parts_are_refused_by_name(self, api: ApiClient, shop: Widget, text: str, value: str) -> None:
        answer = sent(api, RETURNS.encode(), "a.md", **{text: value})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [text])
        assert not ArticleImport.objects.for_widget(shop.pk).exists()

    def test_one_is_under_way_at_a_time(self, api: ApiClient, rival_api: ApiClient, shop: Widget, rival: Rival) -> None:
        sent(api, RETURNS.encode(), "a.md")
        answer = sent(api, RETURNS.encode(), "a.md")
        assert (answer.status_code, answer.json()["code"]) == (409, "import_running")
        assert sent(rival_api, RETURNS.encode(), "a.md").status_code == 202

    def test_another_widgets_is_none(self, api: ApiClient, rival_api: ApiClient, rival: Rival) -> None:
        theirs = sent(rival_api, RETURNS.encode(), "a.md").json()["data"]["id"]
        assert api.get(f"/article-imports/{theirs}").status_code == 404

    def test_an_archive_without_articles_fails(self, api: ApiClient, shop: Widget) -> None:
        data = imported(api, archive({"a.txt": "x"}))
        assert (data["state"], data["error"]) == ("failed", "no_articles")


class TestListings:
    def test_articles_as_chatwoot_lists_them(self, api: ApiClient, shop: Widget) -> None:
        rows = [
            {
                "id": 12,
                "title": "Returns",
                "content": "<p>Within <b>14 days</b>, see <a href='https://x.test/a'>this</a></p><ul><li>One</li></ul>",
                "description": "All of it",
                "status": "published",
                "category": {"id": 1, "name": "Orders", "slug": "orders", "locale": "en"},
            },
            {"id": 13, "title": "Возврат", "content": "**14** дней", "locale": "ru", "associated_article_id": 12},
            {"id": 14, "title": "Secret", "content": "x", "status": "draft"},
            {"title": "No id"},
        ]
        data = imported(api, json.dumps({"payload": rows, "meta": {}}).encode(), "articles.json", publish="true")
        assert (figures(data), data["problems"]) == ((3, 0, 0, 1, 0), [{"path": "articles.3", "reason": "bad_text"}])
        found = texts(shop)
        returns = found["en", "Returns"]
        assert returns.body == "Within **14 days**, see [this](https://x.test/a)\n\n- One"
        assert found["ru", "Возврат"].article_id == returns.article_id
        assert {key[1]: text.published_version for key, text in found.items()} == {
            "Returns": 1,
            "Возврат": 1,
            "Secret": None,
        }

    def test_another_document_fails(self, api: ApiClient, shop: Widget) -> None:
        data = imported(api, b'{"a": 1}', "articles.json")
        assert (data["state"], data["error"]) == ("failed", "unreadable")


class TestOnce:
    def test_a_worker_that_is_lost_is_taken_up_behind_what_counts(
        self, api: ApiClient, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent(api, archive({f"{number}.md": f"# T{number}\n\n[next]({number + 1}.md)" for number in range(4)}))
        (lease,) = claims.claim(IMPORT_QUEUE, wanted=1)
        work = import_runs._ImportPass(lease, cage=None)  # type: ignore[arg-type]
        done = 0

        def stop() -> None:
            nonlocal done
            done += 1
            if done == 3:
                raise KeyboardInterrupt

        monkeypatch.setattr(Lease, "must_stop", property(lambda lease: stop()))
        with pytest.raises(KeyboardInterrupt):
            work.work()
        monkeypatch.undo()
        row = ArticleImport.objects.for_widget(shop.pk).get()
        assert (row.position, row.created) == (2, 2)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE articles_articleimport SET lease_until = now() - interval '1 second'")
        worked()
        row.refresh_from_db()
        assert (row.state, row.created, row.updated, row.refused) == ("done", 4, 0, 0)
        assert Article.objects.for_widget(shop.pk).count() == 4
        # Whoever comes late writes nothing.
        with pytest.raises(import_runs.LeaseLost), work._writing():
            raise AssertionError

    def test_given_up_is_failed(self, api: ApiClient, shop: Widget) -> None:
        sent(api, RETURNS.encode(), "a.md")
        (lease,) = claims.claim(IMPORT_QUEUE, wanted=1)
        import_runs.given_up(lease, "crashed")
        row = ArticleImport.objects.for_widget(shop.pk).get()
        assert (row.state, row.error, row.due_at) == ("failed", "crashed", None)


class TestCommand:
    def test_a_folder_is_imported_and_told(self, shop: Widget, tmp_path: Path) -> None:
        (tmp_path / "ru").mkdir()
        (tmp_path / "ru" / "a.md").write_text("# Цены", encoding="utf-8")
        (tmp_path / "b.md").write_text("No title")
        with pytest.raises(CommandError, match="no widget"):
            call_command("import_articles", "--widget", "0" * 32, str(tmp_path))
        with pytest.raises(CommandError, match="Markdown"):
            call_command("import_articles", "--widget", shop.guid, str(Path(__file__)))
        assert not ArticleImport.objects.for_widget(shop.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_the_command_waits_for_the_import(shop: Widget, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Prices")
    (tmp_path / "b.md").write_text("No title")
    out = StringIO()
    call_command("import_articles", "--widget", shop.guid, str(tmp_path), "--publish", "--json", stdout=out)
    found = json.loads(out.getvalue())
    assert (found["state"], found["created"], found["refused"]) == ("done", 1, 2)
    assert found["problems"] == [{"path": "a.md", "reason": "empty"}, {"path": "b.md", "reason": "no_title"}]


class TestSites:
    @pytest.fixture
    def site(self, settings: Settings) -> Iterator[Site]:
        with Site() as site:
            settings.EGRESS_ALLOW = [site.host]
            settings.KB_CRAWL_PAUSE = 0
            yield site

    def test_pages_below_the_address_become_drafts(self, api: ApiClient, shop: Widget, site: Site) -> None:
        site.pages["/help/"] = Given("<h1>Help</h1><p>See <a href='a'>one</a>, <a href='/shop'>shop</a></p>")
        site.pages["/help/a"] = Given("<h1>One</h1><p>Back to <a href='/help/'>help</a></p><ul><li>x</li></ul>")
        site.pages["/shop"] = Given("<h1>Shop</h1><p>Not of the help</p>")
        answer = api.post("/article-imports", json={"url": site.url("/help/")})
        assert answer.status_code == 202, answer.json()
        worked()
        data = api.get(f"/article-imports/{answer.json()['data']['id']}").json()["data"]
        assert (data["state"], figures(data)) == ("done", (2, 0, 0, 0, 0)), data
        found = texts(shop)
        first, one = found["en", "Help"], found["en", "One"]
        assert first.body == f"See [one](article:{one.article_id}), [shop]({site.url('/shop')})"
        assert one.body == f"Back to [help](article:{first.article_id})\n\n- x"

    def test_an_address_of_ones_own_network_is_none(self, api: ApiClient, shop: Widget) -> None:
        answer = api.post("/article-imports", json={"url": "http://127.0.0.1/"})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["url"])
        assert not ArticleImport.objects.for_widget(shop.pk).exists()
