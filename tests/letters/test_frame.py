"""Every HTML letter stands in one frame: head, preheader, button and foot, in both schemes, within 320 px."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test.signals import template_rendered
from playwright.sync_api import Browser, Page
from pytest_django import Settings

from apps.chats.questions import Brand
from apps.letters.rules.words import MARKERS
from apps.widget.rules.skins import ink_on
from config.environment import PROJECT_ROOT
from tests.letters.frames import FRAMES, LINK, NAME, answers, html_of, mailbox

MOST_BYTES = 102_000
LANGUAGES = ("en", "ru", "ar", "de", "zh-hans")
PERSONS = "letters/mailbox_mail"  # a person's own letter: no head, no button (design of letters, 7)
EACH = pytest.mark.parametrize("template", FRAMES)
SIGNS = ".,:;()«»“”·>-—"  # around words
_TAG = re.compile(r"<[^>]+>")
_UNSEEN = re.compile(r"<(style|title)>.*?</\1>|<div class=\"preheader\".*?</div>|<!--.*?-->", re.DOTALL)


@pytest.fixture(autouse=True)
def address(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://chat.shop.test"


def preheader(html: str) -> str:
    (found,) = re.findall(r'<div class="preheader" style="display: none;[^>]*>(.*?)</div>', html, re.DOTALL)
    return unescape(found).strip("\u034f\u200c\xa0 \n")


def words_of(html: str) -> list[str]:
    return unescape(_TAG.sub(" ", _UNSEEN.sub("", html))).split()


def test_every_letter_is_looked_at() -> None:
    """A new template of a letter gets its place in `frames.py`."""
    stand = {path.relative_to(PROJECT_ROOT).as_posix() for path in PROJECT_ROOT.glob("apps/*/templates/**/*_mail.html")}
    assert {path.partition("/templates/")[2].removesuffix(".html") for path in stand} == set(FRAMES)
    source = "".join(path.read_text() for path in PROJECT_ROOT.glob("apps/**/*.py"))
    named = set(re.findall(r"mail\.render\(\s*\"([\w/]+)\"", source))
    assert named == set(FRAMES)
    assert len(re.findall(r"\.attach_alternative\(", source)) == 2, "HTML is made by `core.mail` alone"


@EACH
def test_it_is_made_of_the_one_frame(template: str) -> None:
    rendered: list[str] = []

    def note(*, template: Any, **_: Any) -> None:
        rendered.append(template.name)

    template_rendered.connect(note)
    try:
        html = html_of(FRAMES[template].make("en"))
    finally:
        template_rendered.disconnect(note)
    assert {f"{template}.html", "letters/base.html"} <= set(rendered)
    for expected in (
        '<meta name="viewport"',
        '<meta name="color-scheme" content="light dark">',
        "prefers-color-scheme",
    ):
        assert expected in html
    assert "<img" not in html
    assert "url(" not in html


@EACH
@pytest.mark.parametrize(("language", "opening"), [("en", 'lang="en" dir="ltr"'), ("ar", 'lang="ar" dir="rtl"')])
def test_it_says_its_language_and_its_direction(template: str, language: str, opening: str) -> None:
    assert f"<html {opening}>" in html_of(FRAMES[template].make(language))


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_preheader_is_the_letters_first_words_and_never_the_marker(template: str, language: str) -> None:
    html = html_of(FRAMES[template].make(language))
    shown = preheader(html)
    assert shown
    assert not any(marker in shown for marker in MARKERS.values())
    assert len(shown) <= 300
    if template == "letters/answers_mail":
        assert shown == f"{NAME} is in stock. Come tomorrow"


@EACH
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_text_part_says_the_same(template: str, language: str) -> None:
    letter = FRAMES[template].make(language)
    text = {each.strip(SIGNS) for each in str(letter.body).split()}
    assert [word for each in words_of(html_of(letter)) if (word := each.strip(SIGNS)) and word not in text] == []


@EACH
def test_a_letter_with_a_link_to_follow_has_the_button(template: str) -> None:
    frame, html = FRAMES[template], html_of(FRAMES[template].make("en"))
    assert html.count('class="button"') == bool(frame.link)
    if frame.link:
        assert html.count(f'href="{frame.link}"') == 2  # the button, and the bare address under it
        assert frame.link in str(frame.make("en").body)


@EACH
def test_no_letter_is_cut_off_by_its_size(template: str) -> None:
    assert len(html_of(FRAMES[template].make("ru")).encode()) <= MOST_BYTES


@pytest.mark.parametrize("sign", ["ж", "茶", "&", "'", "\n"])
@pytest.mark.parametrize("count", [1, 20])
def test_the_longest_answers_are_within_it(sign: str, count: int) -> None:
    letter = answers(texts=tuple(f"x{sign * (30_000 // count)}x" for _ in range(count)))
    assert 10_000 < len(html_of(letter).encode()) <= MOST_BYTES
    assert f"{sign * 20}" in str(letter.body) or sign == "\n"


def test_a_persons_own_words_are_never_cut_but_the_quote_is() -> None:
    letter = mailbox(body="ж" * 40_000, quoted="ж" * 30_000)
    html = html_of(letter)
    assert "ж" * 40_000 in html
    assert "<blockquote" not in html
    assert len(html.encode()) <= MOST_BYTES


def test_ai_is_named_in_the_letters_language() -> None:
    said = {code: html_of(answers(code)) for code in ("en", "ru")}
    assert ("· AI</span>" in said["en"], "· ИИ</span>" in said["ru"], "· AI" in said["ru"]) == (True, True, False)


# --- In a browser ------------------------------------------------------------------------------------------------------

# Elements that run out of the window, and targets that a thumb misses.
RUNS_OUT = """() => [...document.body.querySelectorAll("*")].filter(each => each.checkVisibility())
    .filter(each => each.getBoundingClientRect().right > innerWidth + .5 || each.getBoundingClientRect().left < -.5)
    .map(each => each.outerHTML.slice(0, 120))"""
# Texts whose contrast with the ground under them is less than 4.5, from computed colours.
PALE = """() => {
    const read = value => value.match(/[\\d.]+/g).map(Number)
    const light = ([red, green, blue]) => [red, green, blue].map(each => each / 255)
        .map(each => each <= .04045 ? each / 12.92 : ((each + .055) / 1.055) ** 2.4)
        .reduce((sum, each, place) => sum + each * [.2126, .7152, .0722][place], 0)
    const ground = each => {
        for (; each; each = each.parentElement) {
            const colour = read(getComputedStyle(each).backgroundColor)
            if (colour.length === 3 || colour[3] > 0) return colour
        }
        return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]
    }
    const found = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const each = texts.currentNode.parentElement
        if (!texts.currentNode.data.trim() || !each.checkVisibility()) continue
        const [high, low] = [light(read(getComputedStyle(each).color)), light(ground(each))].sort((a, b) => b - a)
        const contrast = (high + .05) / (low + .05)
        if (contrast < 4.5) found.push(`${texts.currentNode.data.trim().slice(0, 40)}: ${contrast.toFixed(2)}`)
    }
    return found
}"""
SMALL = """() => [...document.body.querySelectorAll("*")].filter(each => each.checkVisibility() && each.innerText?.trim())
    .filter(each => parseFloat(getComputedStyle(each).fontSize) < 12).map(each => each.outerHTML.slice(0, 120))"""

Shown = Callable[[str, str, int], Page]


@pytest.fixture
def show(browser: Browser) -> Any:
    contexts = []

    def go(html: str, scheme: Any, width: int) -> Page:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.set_content(html)
        return page

    yield go
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_runs_out_and_all_can_be_read(show: Shown, scheme: str, width: int) -> None:
    faults = {}
    for template, frame in FRAMES.items():
        for language in ("en", "ru", "ar"):
            page = show(html_of(frame.make(language)), scheme, width)
            found = [*page.evaluate(RUNS_OUT), *page.evaluate(PALE), *page.evaluate(SMALL)]
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append("the page is wider than its window")
            if found:
                faults[template, language] = found
            page.close()
    assert faults == {}


@pytest.mark.parametrize("width", [320, 1280])
def test_the_head_has_the_name_and_the_button_44_px(show: Shown, width: int) -> None:
    for template, frame in FRAMES.items():
        page = show(html_of(frame.make("ru")), "light", width)
        head = page.locator(".head")
        assert head.count() == (template != PERSONS)
        if template != PERSONS:
            assert head.inner_text() == frame.head
            assert page.locator(".card").bounding_box()["width"] <= 560  # type: ignore[index]
        if frame.link:
            box = page.locator(".button a").bounding_box()
            assert box is not None
            assert box["height"] >= 44
        page.close()


@pytest.mark.parametrize("accent", ["#ffffff", "#000000", "#ffff00", "#767676"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_any_accent_of_a_shop_leaves_its_button_seen(show: Shown, accent: str, scheme: str) -> None:
    ink = ink_on(accent)
    page = show(html_of(answers(brand=Brand("Shop", accent, ink, edge=ink))), scheme, 390)
    assert page.evaluate(PALE) == []


def test_a_link_that_cannot_be_pressed_can_be_copied(show: Shown) -> None:
    page = show(html_of(answers()), "light", 320)
    bare = page.get_by_text(LINK)
    assert bare.evaluate("each => getComputedStyle(each.parentElement).wordBreak") == "break-all"
    assert bare.evaluate("each => getComputedStyle(each).fontSize") == "12px"
