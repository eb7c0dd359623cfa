"""An article's Markdown as a page and as a text for programs; its addresses."""

from datetime import UTC, datetime

import pytest

from apps.articles.rules import addresses, words
from apps.articles.rules.pages import (
    article_html,
    article_markdown,
    description_of,
    front_matter,
    linked_articles,
    shown_pictures,
    theme_css,
)
from apps.chats.rules.languages import NAMES

GUID = "0123456789abcdef0123456789abcdef"
OURS = "https://chat.example"


def html(body: str) -> str:
    links = {7: "/help/shop/en/7-returns"}
    return article_html(body, links=links, pictures={GUID: (40, 30)}, origins=(OURS,)).html.strip()


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("[a](https://x.example)", '<p><a href="https://x.example">a</a></p>'),
        ("[a](mailto:a@x.example) [b](tel:+1)", '<p><a href="mailto:a@x.example">a</a> <a href="tel:+1">b</a></p>'),
        ("[a](article:7)", '<p><a href="/help/shop/en/7-returns">a</a></p>'),
        ("[a](article:7#days)", '<p><a href="/help/shop/en/7-returns#days">a</a></p>'),
        ("[a](article:8)", "<p>a</p>"),
        ("[a](article:7/../8)", "<p>a</p>"),
        ("[a](ftp://x.example) [b](/admin/) [c](javascript:alert(1)) [d](//x.example)", "<p>a b c d</p>"),
        ("# a", '<h2 id="a">a</h2>'),
        ("<b>a</b>", "<p>&lt;b&gt;a&lt;/b&gt;</p>"),
    ],
)
def test_a_body_leads_where_it_may(body: str, shown: str) -> None:
    assert html(body) == shown


def test_our_pictures_are_shown_and_others_become_links() -> None:
    own = f'<p><img src="/files/articles/{GUID}" alt="a" width="40" height="30" loading="lazy" /></p>'
    assert html(f"![a](/files/articles/{GUID})") == own
    assert html(f"![a]({OURS}/files/articles/{GUID})") == own
    other = f"https://x.example/files/articles/{GUID}"
    assert html(f"![a]({other})") == f'<p><a href="{other}">a</a></p>'
    assert html(f"![a](/files/articles/{'f' * 32})") == "<p>a</p>"


def test_what_a_body_names_is_found() -> None:
    body = f"[a](article:7) [b](<article:8>)\n\n[c]: article:9\n\n![](/files/articles/{GUID}) article:10"
    assert linked_articles(body) == {7, 8, 9}
    assert shown_pictures(body) == {GUID}


def test_programs_are_given_whole_addresses() -> None:
    made = article_markdown(
        f"[a](article:7) [b](article:8)\n![c](/files/articles/{GUID})\n", links={7: f"{OURS}/7"}, origin=OURS
    )
    assert made == f"[a]({OURS}/7) [b](article:8)\n![c]({OURS}/files/articles/{GUID})\n"
    head = front_matter(title='A "b"\nc: d', url=OURS, language="en", updated=datetime(2026, 11, 30, 9, tzinfo=UTC))
    assert head == (
        f'---\ntitle: "A \\"b\\"\\nc: d"\nurl: "{OURS}"\nlanguage: "en"\nupdated: "2026-11-30T09:00:00+00:00"\n---\n\n'
    )


def test_a_description_is_the_summary_or_the_beginning_of_the_text() -> None:
    assert description_of("Short", "Long") == "Short"
    assert description_of("", "# A\n\n**b** [c](https://x.example)") == "A b c (https://x.example)"
    assert len(description_of("", "word " * 100)) <= 160


def test_a_theme_becomes_colours_of_both_schemes() -> None:
    theme = dict.fromkeys(("surface", "text", "muted", "line", "bubble", "bubble_text", "accent"), "#ffffff")
    made = theme_css({**theme, "accent_text": "#111111"}, {**theme, "accent_text": "#222222"})
    assert made.startswith(":root{--surface:light-dark(#ffffff,#ffffff);")
    assert made.endswith("--accent-text:light-dark(#111111,#222222);}")
    assert theme_css({}, {}).startswith(":root{--surface:var(--p-surface);")


def test_addresses() -> None:
    base = addresses.center_base(OURS, "shop", None)
    assert addresses.article_url(base, "en", 7, "returns") == f"{OURS}/help/shop/en/7-returns"
    assert addresses.article_path("zh", 7, "") == "/zh/7"
    assert addresses.category_path("en", 3, "money") == "/en/c/3-money"
    assert addresses.center_base(OURS, "shop", "help.shop.example") == "https://help.shop.example"
    assert [addresses.read_name(name) for name in ("7-a-b", "7", "7-", "a", "-7", "7a", "٧")] == [
        (7, "a-b"),
        (7, ""),
        (7, ""),
        None,
        None,
        None,
        None,
    ]


def test_every_language_of_the_widget_has_the_words_of_pages() -> None:
    assert words.WORDS.keys() == NAMES.keys()
    assert all(all(each) for each in words.WORDS.values())
    assert (words.words_of("zh").yes, words.words_of("xx").yes, words.locale_of("zh")) == ("有", "Yes", "zh-hans")
