"""The public pages of a help center: for people, search engines and programs."""

import re
from typing import Any
from unittest.mock import ANY

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.articles.actions.publishing import publish, unpublish
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleCategory, ArticleReader, ArticleSearch, ArticleTally, HelpCenter
from apps.widget.models import WidgetSettings
from tests.cast import Rival
from tests.client import client
from tests.factories.articles import an_article

ROBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"
BASE = f"{settings.PUBLIC_URL}/help/shop"


@pytest.fixture
def center(shop: Widget) -> HelpCenter:
    return HelpCenter.objects.create(
        widget=shop, is_public=True, slug="shop", title={"en": "Shop <help>", "ru": "Справка"}, default_language="en"
    )


@pytest.fixture
def article(shop: Widget, center: HelpCenter) -> Article:
    return an_article(shop, published=True)


@pytest.fixture
def both(shop: Widget, article: Article) -> Article:
    """The article in Russian, too."""
    put_text(widget_id=shop.pk, article_id=article.pk, lang="ru", title="Возврат", body="За 14 дней.")
    publish(widget_id=shop.pk, article_id=article.pk, lang="ru")
    return article


def get(path: str, **headers: str) -> Any:
    sent = {"User-Agent": BROWSER, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client().get(f"/help/shop{path}", headers=sent)


def shown(path: str, **headers: str) -> str:
    response = get(path, **headers)
    assert response.status_code == 200, (response.status_code, response.headers)
    return str(response.content.decode())


def leads_to(response: Any, status: int) -> str:
    assert response.status_code == status
    return str(response.headers["Location"])


# --- What is there ----------------------------------------------------------------------------------------------------


def test_a_help_center_that_is_not_public_is_404(shop: Widget, article: Article) -> None:
    HelpCenter.objects.for_widget(shop.pk).update(is_public=False)
    for path in ("/", "/en/", f"/en/{article.pk}-returns", "/sitemap.xml", "/llms.txt", "/en/search?q=a"):
        assert get(path).status_code == 404
    assert client().get("/help/nobody/en/").status_code == 404


def test_the_root_leads_to_the_readers_language(both: Article) -> None:
    for accepted, lang in (("ru-RU,ru;q=0.9", "ru"), ("de, en;q=0.5", "en"), ("zh", "en"), ("", "en")):
        response = get("/", Accept_Language=accepted)
        assert leads_to(response, 302) == f"/help/shop/{lang}/"
        assert response.headers["Vary"] == "Accept-Language"
    assert leads_to(client().get("/help/shop"), 302) == "/help/shop/en/"
    assert leads_to(get("/en"), 301) == "/help/shop/en/"


def test_an_article_is_a_whole_page(both: Article) -> None:
    response = get(f"/en/{both.pk}-returns")
    page = response.content.decode()
    assert '<html lang="en" dir="ltr">' in page
    assert page.count("<h1>") == 1
    assert "<h1>Returns</h1>" in page
    assert "<title>Returns · Shop &lt;help&gt;</title>" in page
    assert "<p>Send it back within 14 days.</p>" in page
    for line in (
        '<meta name="description" content="Send it back within 14 days.">',
        f'<link rel="canonical" href="{BASE}/en/{both.pk}-returns">',
        f'<link rel="alternate" hreflang="en" href="{BASE}/en/{both.pk}-returns">',
        f'<link rel="alternate" hreflang="ru" href="{BASE}/ru/{both.pk}-vozvrat">',
        f'<link rel="alternate" hreflang="x-default" href="{BASE}/en/{both.pk}-returns">',
        f'<link rel="alternate" type="text/markdown" href="{BASE}/en/{both.pk}-returns.md">',
        '<meta property="og:title" content="Returns">',
        '<meta property="og:type" content="article">',
        '<meta property="og:site_name" content="Shop &lt;help&gt;">',
        f'<meta property="og:url" content="{BASE}/en/{both.pk}-returns">',
        '<a class="skip" href="#content">Skip to the content</a>',
        '<main id="content" tabindex="-1">',
        '<form role="search" action="/help/shop/en/search" method="get">',
    ):
        assert line in page
    assert "noindex" not in page


def test_a_page_in_arabic_is_written_from_right_to_left(shop: Widget, center: HelpCenter) -> None:
    WidgetSettings.objects.create(widget=shop, stored={"widget_supported_languages": ["ar", "en"]})
    article = an_article(shop, published=True, lang="ar", title="الإرجاع", body="خلال 14 يومًا")
    page = shown(f"/ar/{article.pk}")
    assert '<html lang="ar" dir="rtl">' in page
    assert "هل أفادك هذا المقال؟" in page


def test_the_headers_of_a_page(article: Article) -> None:
    response = get(f"/en/{article.pk}-returns")
    policy = dict(part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))
    own = settings.PUBLIC_URL
    assert policy == {
        "default-src": "'none'",
        "style-src": ANY,
        "img-src": f"'self' {own} data:",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "script-src": own,
        "connect-src": f"{own} {settings.REALTIME_URL}",
    }
    assert re.fullmatch(r"'self' 'sha256-[\w+/=]{44}'", policy["style-src"])
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    told = {name: response.headers.get(name) for name in ("Cache-Control", "X-Content-Type-Options", "Set-Cookie")}
    assert told == {"Cache-Control": "public, max-age=60", "X-Content-Type-Options": "nosniff", "Set-Cookie": None}
    assert response.headers["Content-Language"] == "en"
    again = get(f"/en/{article.pk}-returns", If_None_Match=response.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_without_the_chat_a_page_has_no_script(shop: Widget, article: Article) -> None:
    loader = f'<script async src="{settings.PUBLIC_URL}/widget/{shop.guid}/embed.js"></script>'
    assert shown(f"/en/{article.pk}-returns").count("<script") == 1
    assert loader in shown(f"/en/{article.pk}-returns")
    HelpCenter.objects.for_widget(shop.pk).update(show_chat=False)
    response = get(f"/en/{article.pk}-returns")
    assert "<script" not in response.content.decode()
    assert "script-src" not in response.headers["Content-Security-Policy"]


def test_readers_see_the_published_version_alone(shop: Widget, article: Article) -> None:
    put_text(widget_id=shop.pk, article_id=article.pk, lang="en", title="Secret", body="Not yet.")
    page = shown(f"/en/{article.pk}-returns")
    assert "Secret" not in page + shown("/en/") + shown("/llms.txt")
    assert "Not yet." not in page
    unpublish(widget_id=shop.pk, article_id=article.pk, lang="en")
    assert get(f"/en/{article.pk}-returns").status_code == 404


def test_another_slug_leads_to_the_articles_own(article: Article) -> None:
    for name in (f"{article.pk}", f"{article.pk}-other", f"{article.pk}-%3Cscript%3E"):
        assert leads_to(get(f"/en/{name}"), 301) == f"/help/shop/en/{article.pk}-returns"
    assert leads_to(get(f"/en/{article.pk}-x.md"), 301) == f"/help/shop/en/{article.pk}-returns.md"


def test_an_article_that_is_not_in_a_language_leads_to_the_default_ones(shop: Widget, article: Article) -> None:
    assert leads_to(get(f"/ru/{article.pk}-returns"), 302) == f"/help/shop/en/{article.pk}-returns"
    HelpCenter.objects.for_widget(shop.pk).update(default_language="ru")
    response = get(f"/ru/{article.pk}-returns")
    assert response.status_code == 404
    assert "Такой страницы нет" in response.content.decode()
    assert 'role="search" action="/help/shop/ru/search"' in response.content.decode()


@pytest.mark.parametrize(
    "path", ["/en/x", "/xx/", "/en/c/1", "/en/c/x", "/en/a/b/c", "/admin/", "/en/999999999999999999", "/robots.txt"]
)
def test_an_address_that_is_not_there_is_404_with_the_search(center: HelpCenter, path: str) -> None:
    response = get(path)
    assert response.status_code == 404
    assert 'role="search"' in response.content.decode()
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert response.headers["Cache-Control"] == "no-store"


def test_another_widgets_article_is_not_there(rival: Rival, center: HelpCenter) -> None:
    foreign = an_article(rival.widget, published=True)
    assert get(f"/en/{foreign.pk}-returns").status_code == 404
    assert get(f"/en/{foreign.pk}-returns.md").status_code == 404
    assert client().post(f"/help/shop/en/{foreign.pk}-returns/feedback", {"helpful": "yes"}).status_code == 404


def test_other_methods_are_405(article: Article) -> None:
    response = client().post(f"/help/shop/en/{article.pk}-returns")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")


# --- Lists ------------------------------------------------------------------------------------------------------------


def test_home_has_the_categories_and_the_articles_of_none(shop: Widget, article: Article) -> None:
    money = ArticleCategory.objects.create(widget=shop, name={"en": "Money", "ru": "Деньги"}, position=1)
    ArticleCategory.objects.create(widget=shop, name={"en": "Empty"})
    paid = an_article(shop, published=True, title="Cards", category_id=money.pk)
    page = shown("/en/")
    assert "<h1>Shop &lt;help&gt;</h1>" in page
    assert f'<a href="/help/shop/en/c/{money.pk}-money">' in page
    assert "Articles: 1" in page
    assert "Empty" not in page
    assert f'<a href="/help/shop/en/{article.pk}-returns">' in page
    assert "Cards" not in page
    there = shown(f"/en/c/{money.pk}-money")
    assert f'<a href="/help/shop/en/{paid.pk}-cards">' in there
    assert f'<link rel="canonical" href="{BASE}/en/c/{money.pk}-money">' in there
    assert leads_to(get(f"/en/c/{money.pk}"), 301) == f"/help/shop/en/c/{money.pk}-money"


def test_a_long_list_has_pages(shop: Widget, center: HelpCenter) -> None:
    for number in range(51):
        an_article(shop, published=True, title=f"Article {number}", position=number)
    first, second = shown("/en/"), shown("/en/?page=2")
    assert first.count("<li><a href=") == 50
    assert 'rel="next" href="/help/shop/en/?page=2"' in first
    assert "Article 50" in second
    assert f'<link rel="canonical" href="{BASE}/en/?page=2">' in second
    assert get("/en/?page=3").status_code == 404
    for wrong in ("0", "-1", "x", "٢", "9" * 5000):
        assert "Article 0" in shown(f"/en/?page={wrong}")


def test_the_owners_texts_are_texts(shop: Widget, article: Article) -> None:
    HelpCenter.objects.for_widget(shop.pk).update(
        intro={"en": "<img src=x onerror=1>\nSecond"},
        home_url="https://shop.example",
        footer=[{"label": {"en": "<b>Rules</b>"}, "url": "https://shop.example/rules?a=1&b=2"}],
    )
    page = shown("/en/")
    assert "&lt;img src=x onerror=1&gt;<br>Second" in page
    assert '<a class="site" href="https://shop.example">' in page
    assert '<a href="https://shop.example/rules?a=1&amp;b=2">&lt;b&gt;Rules&lt;/b&gt;</a>' in page


# --- Search -----------------------------------------------------------------------------------------------------------


def test_search_shows_hits_and_is_kept_by_nobody(shop: Widget, article: Article) -> None:
    response = get("/en/search?q=returns")
    page = response.content.decode()
    assert f'<a href="/help/shop/en/{article.pk}-returns">' in page
    assert 'value="returns"' in page
    assert '<meta name="robots" content="noindex">' in page
    assert (response.headers["X-Robots-Tag"], response.headers["Cache-Control"]) == ("noindex", "no-store")
    assert [(row.query, row.found) for row in ArticleSearch.objects.for_widget(shop.pk)] == [("returns", [article.pk])]


@pytest.mark.parametrize("query", ["", "%20", "%00", "%3Cscript%3Ealert(1)%3C/script%3E", "a" * 4000, "%27%22%20--"])
def test_hostile_words_are_shown_as_words(article: Article, query: str) -> None:
    page = shown(f"/en/search?q={query}")
    assert "<script>" not in page


def test_an_opened_hit_is_noted(shop: Widget, article: Article) -> None:
    get("/en/search?q=returns")
    get(f"/en/{article.pk}-returns", Referer=f"{BASE}/en/search?q=returns")
    assert [row.is_opened for row in ArticleSearch.objects.for_widget(shop.pk)] == [True]


# --- For programs -----------------------------------------------------------------------------------------------------


def test_an_article_has_a_twin_in_markdown(shop: Widget, article: Article) -> None:
    body = f"See [that](article:{article.pk}).\n\n![a](/files/articles/{'0' * 32})"
    other = an_article(shop, published=True, title='Linked "well"', body=body)
    for response in (get(f"/en/{other.pk}-linked-well.md"), get(f"/en/{other.pk}-linked-well", Accept="text/markdown")):
        assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
        head, _, text = response.content.decode().removeprefix("---\n").partition("\n---\n\n")
        assert head.splitlines()[:3] == [
            'title: "Linked \\"well\\""',
            f'url: "{BASE}/en/{other.pk}-linked-well"',
            'language: "en"',
        ]
        assert re.fullmatch(r'updated: "[\d-]+T[\d:]+\+00:00"', head.splitlines()[3])
        picture = f"![a]({settings.PUBLIC_URL}/files/articles/{'0' * 32})"
        assert text == f"See [that]({BASE}/en/{article.pk}-returns).\n\n{picture}\n"
    assert get(f"/en/{other.pk}-linked-well", Accept="text/html, text/markdown;q=0.5").headers["Content-Type"] == (
        "text/html; charset=utf-8"
    )


def test_llms_txt_lists_the_texts_of_a_language_by_category(shop: Widget, both: Article) -> None:
    money = ArticleCategory.objects.create(widget=shop, name={"en": "Money"})
    paid = an_article(shop, published=True, title="[Cards]", summary="Which cards", category_id=money.pk)
    HelpCenter.objects.for_widget(shop.pk).update(intro={"en": "How we\nwork"})
    expected = f"""# Shop <help>

> How we work

## Money

- [\\[Cards\\]]({BASE}/en/{paid.pk}-cards.md): Which cards

## Articles

- [Returns]({BASE}/en/{both.pk}-returns.md)

## Languages

- [Русский]({BASE}/ru/llms.txt)
"""
    assert shown("/llms.txt") == shown("/en/llms.txt") == expected
    assert f"- [Возврат]({BASE}/ru/{both.pk}-vozvrat.md)" in shown("/ru/llms.txt")
    assert get("/llms.txt").headers["Content-Type"] == "text/plain; charset=utf-8"


def test_the_sitemap_has_each_page_with_its_languages(both: Article) -> None:
    response = get("/sitemap.xml")
    text = response.content.decode()
    assert response.headers["Content-Type"] == "application/xml; charset=utf-8"
    assert re.findall(r"<loc>(.*?)</loc>", text) == [
        f"{BASE}/ru/",
        f"{BASE}/en/",
        f"{BASE}/en/{both.pk}-returns",
        f"{BASE}/ru/{both.pk}-vozvrat",
    ]
    assert f'<xhtml:link rel="alternate" hreflang="ru" href="{BASE}/ru/{both.pk}-vozvrat"/>' in text
    assert len(re.findall(r"<lastmod>\d{4}-\d\d-\d\dT[\d:]+\+00:00</lastmod>", text)) == 2


def test_a_long_sitemap_is_a_list_of_files(both: Article, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.articles.views.indexes.MAX_ADDRESSES", 3)
    assert re.findall(r"<loc>(.*?)</loc>", shown("/sitemap.xml")) == [
        f"{BASE}/sitemap.xml?part=0",
        f"{BASE}/sitemap.xml?part=1",
    ]
    assert re.findall(r"<loc>(.*?)</loc>", shown("/sitemap.xml?part=1")) == [f"{BASE}/ru/{both.pk}-vozvrat"]


def test_without_indexing_every_answer_says_so(shop: Widget, article: Article) -> None:
    HelpCenter.objects.for_widget(shop.pk).update(indexing=False)
    for path in ("/en/", f"/en/{article.pk}-returns", f"/en/{article.pk}-returns.md", "/sitemap.xml", "/llms.txt"):
        assert get(path).headers["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in shown("/en/")


# --- What is counted --------------------------------------------------------------------------------------------------


def views(shop: Widget) -> list[tuple[int, int]]:
    return list(ArticleTally.objects.for_widget(shop.pk).values_list("page", "markdown"))


def test_views_are_counted_but_those_of_robots(shop: Widget, article: Article) -> None:
    get(f"/en/{article.pk}-returns")
    get(f"/en/{article.pk}-returns.md")
    get(f"/en/{article.pk}-returns", User_Agent=ROBOT)
    client().head(f"/help/shop/en/{article.pk}-returns", headers={"User-Agent": BROWSER})
    assert views(shop) == [(1, 1)]


# --- Voices -----------------------------------------------------------------------------------------------------------


def say(article: Article, address: str = "192.0.2.1", origin: str | None = settings.PUBLIC_URL, **form: str) -> Any:
    headers = {} if origin is None else {"Origin": origin}
    path = f"/help/shop/en/{article.pk}-returns/feedback"
    body = "&".join(f"{name}={value}" for name, value in form.items())
    form_type = "application/x-www-form-urlencoded"
    return client().generic("POST", path, body, content_type=form_type, headers=headers, REMOTE_ADDR=address)


def voices(shop: Widget) -> list[tuple[bool | None, str, str]]:
    return list(ArticleReader.objects.for_widget(shop.pk).order_by("id").values_list("helpful", "reason", "text"))


def test_a_reader_says_whether_it_helped(shop: Widget, article: Article) -> None:
    response = say(article, helpful="yes")
    assert leads_to(response, 303) == f"/help/shop/en/{article.pk}-returns?thanks=1#feedback"
    assert "Set-Cookie" not in response.headers
    assert "Thank you for your answer." in shown(f"/en/{article.pk}-returns?thanks=1")
    say(article, "192.0.2.2", helpful="no", reason="unclear", text="Which%20days%3F")
    say(article, "192.0.2.3", None, helpful="no")
    assert voices(shop) == [(True, "", ""), (False, "unclear", "Which days?"), (False, "", "")]


def test_an_address_has_one_voice_an_article_and_day(shop: Widget, article: Article) -> None:
    say(article, helpful="yes")
    say(article, helpful="no", reason="wrong")
    assert voices(shop) == [(False, "wrong", "")]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{settings.PUBLIC_URL}.evil.example"])
def test_another_sites_form_is_403(shop: Widget, article: Article, origin: str) -> None:
    assert say(article, origin=origin, helpful="yes").status_code == 403
    assert voices(shop) == []


@pytest.mark.parametrize(
    "form",
    [
        {"reason": "wrong"},
        {"helpful": "maybe"},
        {"helpful": "no", "reason": "x"},
        {"helpful": "no", "text": "a" * 501},
        {"helpful": "no", "text": "a" * 17_000},
    ],
)
def test_a_wrong_form_changes_nothing(shop: Widget, article: Article, form: dict[str, str]) -> None:
    assert say(article, **form).status_code in (413, 422)
    assert voices(shop) == []


def test_an_address_gives_20_voices_an_hour(shop: Widget, article: Article) -> None:
    for _ in range(20):
        assert say(article, helpful="yes").status_code == 303
    response = say(article, helpful="no")
    assert (response.status_code, int(response.headers["Retry-After"]) > 0) == (429, True)
    assert voices(shop) == [(True, "", "")]
    assert say(article, "192.0.2.9", helpful="yes").status_code == 303


# --- Figures ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def many(shop: Widget, center: HelpCenter) -> Article:
    text = "A sentence of an ordinary length, with **marks** and [a link](https://shop.example). "
    body = "\n\n".join(f"## Part {number}\n\n{text * 8}" for number in range(10))
    for number in range(30):
        an_article(shop, published=True, title=f"Article number {number}", summary=text[:80], body=body)
    return Article.objects.for_widget(shop.pk).order_by("id")[0]


def test_a_page_asks_no_more_of_the_database_for_more_articles(
    shop: Widget, many: Article, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    get("/en/")
    with django_assert_num_queries(6):
        get("/en/")
    get(f"/en/{many.pk}-article-number-0")
    with django_assert_num_queries(5):
        get(f"/en/{many.pk}-article-number-0")
    with django_assert_num_queries(4):
        get("/sitemap.xml")


def test_a_page_with_its_style_sheets_has_30_kb_at_most(many: Article) -> None:
    sheets = ("apps/core/static/core/tokens.css", "apps/articles/static/articles/help.css")
    styles = sum((settings.BASE_DIR / sheet).stat().st_size for sheet in sheets)
    for path in ("/en/", f"/en/{many.pk}-article-number-0"):
        assert len(get(path).content) + styles <= 30_000
