"""Markdown as HTML: what a text may do in a page, and what it may not."""

import pytest

from apps.documentation.rules.markdown import LONGEST_ADDRESS, Heading, render


def links(address: str) -> str | None:
    return address if address.startswith(("https://", "#")) else None


def pictures(address: str) -> dict[str, str] | None:
    return {"src": address, "width": "4"} if address.startswith("/files/") else None


def html(text: str) -> str:
    return render(text, links=links, pictures=pictures).html.strip()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**a** *b* `c`", "<p><strong>a</strong> <em>b</em> <code>c</code></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("a  \nb", "<p>a<br />\nb</p>"),
        ("[a](https://x.example 'b')", '<p><a href="https://x.example" title="b">a</a></p>'),
        ("[a][1]\n\n[1]: https://x.example", '<p><a href="https://x.example">a</a></p>'),
        ("[a](#b)", '<p><a href="#b">a</a></p>'),
        ("![a](/files/1)", '<p><img src="/files/1" alt="a" width="4" /></p>'),
    ],
)
def test_a_text_is_shown_with_its_marks(text: str, shown: str) -> None:
    assert html(text) == shown


def test_a_table_stands_in_a_frame_that_scrolls_and_has_no_style_of_its_own() -> None:
    shown = html("|a|b|\n|-|-:|\n|1|2|")
    assert shown.startswith('<div class="wide" tabindex="0">\n<table>')
    assert '<td class="right">2</td>' in shown
    assert "style=" not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"),
        ("[a](javascript:alert(1))", "<p>a</p>"),
        ("[a](JaVaScRiPt&colon;alert(1))", "<p>a</p>"),
        ("[a](data:text/html;base64,PHM+)", "<p>a</p>"),
        ("<javascript:alert(1)>", "<p>javascript:alert(1)</p>"),
        ("[a](//x.example)", "<p>a</p>"),
        ("![a](https://x.example/p.png)", '<p><a href="https://x.example/p.png">a</a></p>'),
        ("![](https://x.example/p.png)", '<p><a href="https://x.example/p.png">https://x.example/p.png</a></p>'),
        ("![a](data:image/png;base64,AA)", "<p>a</p>"),
        ("[![a](https://x.example/p)](https://y.example)", '<p><a href="https://y.example">a</a></p>'),
        ("![a](/files/1'onerror=1)", '<p><img src="/files/1\'onerror=1" alt="a" width="4" /></p>'),
        ('![a"b<](/files/1 "x\\"y")', '<p><img src="/files/1" alt="a&quot;b&lt;" title="x&quot;y" width="4" /></p>'),
        ('```"><script>\nx\n```', '<pre><code class="language-&quot;&gt;&lt;script&gt;">x\n</code></pre>'),
    ],
)
def test_hostile_text_stays_text(text: str, shown: str) -> None:
    assert html(text) == shown


def test_headings_begin_at_the_second_level_and_leave_none_out() -> None:
    made = render("# a\n\n#### b\n\n### c\n\n## d\n", links=links)
    assert [line for line in made.html.splitlines() if line] == [
        '<h2 id="a">a</h2>',
        '<h3 id="b">b</h3>',
        '<h4 id="c">c</h4>',
        '<h3 id="d">d</h3>',
    ]
    assert made.headings == (Heading(2, "a", "a"), Heading(3, "b", "b"), Heading(3, "d", "d"))
    assert render("### a", links=links).html.strip() == '<h2 id="a">a</h2>'


def test_each_anchor_is_there_once() -> None:
    made = render("# A\n# A-1\n# A\n# A\n# !\n", links=links)
    assert [heading.anchor for heading in made.headings] == ["a", "a-1", "a-2", "a-3", "section"]


def test_the_title_is_taken_out_where_it_is_asked_for() -> None:
    made = render("# T\n\n## a\n", links=links, takes_title=True)
    assert (made.title, made.html.strip()) == ("T", '<h2 id="a">a</h2>')
    assert render("a\n\n# T", links=links, takes_title=True).title == ""


def test_a_definition_that_many_links_use_does_not_swell_the_page() -> None:
    address = "https://x.example/" + "a" * (LONGEST_ADDRESS - 40)
    text = f"[a]: {address}\n\n" + "[a] " * 50_000
    assert len(html(text)) < 3 * len(text)


def test_an_address_that_is_too_long_is_no_link() -> None:
    assert html(f"[a](https://x.example/{'a' * LONGEST_ADDRESS})") == "<p>a</p>"


def test_a_line_of_200_000_characters_is_shown() -> None:
    for unit in ("a", "*a* ", "[a](", "<b>", "|"):
        text = unit * (200_000 // len(unit))
        assert len(html(text)) >= len(text) // 2
