"""What a visitor sees, measured: boxes, computed colours, and what is asked when."""

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from apps.widget.rules.skins import SKINS, contrast, themes
from tests.widget.frontend.chat import bodies, open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
TINY = {"viewport": {"width": 320, "height": 568}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 720}}
LONG_NAME = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt"
COLOR = """(node, [name, pseudo]) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = getComputedStyle(node, pseudo)[name];
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return "#" + [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
}"""


def box_of(node: Locator) -> dict[str, float]:
    box = node.bounding_box()
    assert box is not None
    return dict(box)


def color_of(node: Locator, name: str, pseudo: str | None = None) -> str:
    color: str = node.evaluate(COLOR, [name, pseudo])
    return color


def talk(page: Page, server: StandIn) -> Locator:
    log = open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"] and bool(server.sockets))
    return log


# The head.


@pytest.mark.parametrize(("screen", "most"), [(DESK, 72), (PHONE, 64), (TINY, 64)])
@pytest.mark.parametrize("name", ["Teapot & Co", LONG_NAME])
def test_the_head_is_low_and_its_name_has_one_line(
    visit: Visit, server: StandIn, screen: dict[str, Any], most: int, name: str
) -> None:
    server.settings["widget_name"] = name
    page = visit(**screen)
    talk(page, server)
    head = page.locator(".head")
    expect(head.get_by_role("button", name="More")).to_be_visible()
    assert box_of(head)["height"] <= most
    title = head.locator("h2")
    assert box_of(title)["height"] <= 24
    expect(title).to_have_attribute("title", name)
    assert box_of(head.locator(".face").first)["width"] == 32


@pytest.mark.parametrize("mode", ["faces_and_names", "hidden"])
def test_the_dot_of_presence_is_whole(visit: Visit, server: StandIn, mode: str) -> None:
    server.settings["operators_display_mode"] = mode
    page = visit(**DESK)
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    home, pseudo = (".faces", "::after") if mode != "hidden" else (".head p.online", "::before")
    node = page.locator(home)
    shown = node.evaluate(
        "(node, pseudo) => { const s = getComputedStyle(node, pseudo);"
        " return [s.width, s.height, s.position, s.bottom, s.insetInlineEnd, s.content] }",
        pseudo,
    )
    assert shown[:2] == ["10px", "10px"]
    if mode != "hidden":
        assert shown[2:5] == ["absolute", "0px", "0px"], "within the box of the last face"
    ink = color_of(node, "borderTopColor", pseudo)
    assert contrast(color_of(node, "backgroundColor", pseudo), ink) >= 3
    assert contrast(ink, color_of(page.locator(".head"), "backgroundColor")) >= 4.5


def test_the_signature_stands_in_the_log_until_the_first_message_then_behind_the_dots(
    visit: Visit, server: StandIn
) -> None:
    page = visit(**PHONE)
    log = open_chat(page)
    more = page.get_by_role("button", name="More")
    expect(log.get_by_text("Tea experts")).to_be_visible()
    expect(more).to_have_count(0)
    write(page, "Hello")
    expect(log.get_by_text("Tea experts")).to_have_count(0)
    more.click()
    expect(page.locator(".head").get_by_text("Tea experts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".head").get_by_text("Tea experts")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_log_away_from_its_end_has_a_line_below_the_head(visit: Visit, server: StandIn) -> None:
    page = visit(**PHONE)
    log = talk(page, server)
    for number in range(12):
        server.says(f"Line {number} " * 20)
    expect(log.get_by_text("Line 11")).to_be_visible()
    head = page.locator(".head")
    rest = head.evaluate("(node) => getComputedStyle(node).borderBottomColor")
    log.evaluate("(node) => (node.scrollTop = -300)")
    page.locator(".panel.up").wait_for()
    assert head.evaluate("(node) => getComputedStyle(node).borderBottomColor") != rest
    log.evaluate("(node) => (node.scrollTop = 0)")
    page.locator(".panel:not(.up)").wait_for()


# The composer.


@pytest.mark.parametrize("screen", [DESK, PHONE, TINY])
def test_the_composer_is_one_box_whose_parts_stand_apart(visit: Visit, server: StandIn, screen: dict[str, Any]) -> None:
    page = visit(**screen)
    open_chat(page)
    composer, field = page.locator(".composer"), page.locator(".composer textarea")
    outer = box_of(composer)
    parts = [
        box_of(part) for part in (composer.get_by_role("button").first, field, composer.get_by_role("button").last)
    ]
    for before, after in pairwise(parts):
        assert after["x"] - before["x"] - before["width"] >= 8
    for part in parts:
        assert part["x"] >= outer["x"]
        assert part["x"] + part["width"] <= outer["x"] + outer["width"]
    for button in (parts[0], parts[2]):
        assert min(button["width"], button["height"]) >= 44
    field.fill("line\n" * 40)
    assert box_of(composer)["height"] <= 0.4 * screen["viewport"]["height"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("skin", [each.id for each in SKINS])
@pytest.mark.parametrize("accent", [None, "#ffffff", "#000000"])
def test_every_skin_keeps_its_contrast(
    visit: Visit, server: StandIn, skin: str, scheme: str, accent: str | None
) -> None:
    server.settings |= {"theme": themes(skin, accent), "widget_color_scheme": scheme}
    page = visit(**DESK)
    open_chat(page)
    surface = color_of(page.locator(".panel"), "backgroundColor")
    composer = page.locator(".composer")
    send = composer.get_by_role("button").last
    assert contrast(color_of(composer, "borderTopColor"), surface) >= 3
    assert contrast(color_of(composer, "outlineColor"), surface) >= 3
    assert contrast(color_of(send, "color"), color_of(send, "backgroundColor")) >= 4.5
    page.keyboard.type("Hello")
    assert contrast(color_of(send, "color"), color_of(send, "backgroundColor")) >= 4.5
    assert contrast(color_of(page.locator("h2"), "color"), color_of(page.locator(".head"), "backgroundColor")) >= 4.5


# Asks.


def test_nothing_is_asked_before_a_minute_or_a_persons_answer(visit: Visit, server: StandIn) -> None:
    server.letters = {"mode": "on", "address": None, "state": "none"}
    server.settings["email_codes"] = {"ask": "Confirm your e-mail", "code": "Code"}
    page = visit(**PHONE)
    page.clock.install()
    talk(page, server)
    page.clock.fast_forward(50_000)
    expect(page.locator(".ask")).to_have_count(0)
    page.clock.fast_forward(12_000)
    expect(page.locator(".ask")).to_have_count(1)


def test_nothing_is_asked_while_ai_answers(visit: Visit, server: StandIn) -> None:
    server.letters = {"mode": "on", "address": None, "state": "none"}
    server.settings |= {"email_codes": {"ask": "Confirm your e-mail", "code": "Code"}, "ai": {}, "online": False}
    page = visit(**PHONE)
    page.clock.install()
    talk(page, server)
    server.says("Roses are 90.", sender={"kind": "ai", "name": "Ada"})
    expect(page.get_by_text("Roses are 90.")).to_be_visible()
    page.clock.fast_forward(120_000)
    server.push("rating.requested", {})
    server.says("Tulips, too.", sender={"kind": "ai", "name": "Ada"})
    expect(page.get_by_text("Tulips, too.")).to_be_visible()
    expect(page.locator(".ask")).to_have_count(0)


def test_one_ask_at_a_time_and_one_put_off_stays_away(visit: Visit, server: StandIn) -> None:
    server.letters = {"mode": "on", "address": None, "state": "none"}
    server.settings |= {"email_codes": {"ask": "Confirm your e-mail", "code": "Code"}, "online": False}
    page = visit(**DESK)
    talk(page, server)
    asks = page.locator(".ask")
    expect(page.locator(".away")).to_be_visible()
    expect(asks).to_have_count(1)
    server.push("rating.requested", {})
    expect(page.locator(".rating")).to_be_visible()
    expect(asks).to_have_count(1)
    asks.get_by_role("button", name="Skip").click()
    expect(page.locator(".away")).to_be_visible()
    asks.get_by_role("button", name="Not now").click()
    expect(page.locator(".proof")).to_be_visible()
    asks.get_by_role("button", name="Not now").click()
    expect(asks).to_have_count(0)
    write(page, "Still here")
    until(page, lambda: len(bodies(server)) == 2)
    server.push("rating.requested", {})
    page.reload()
    expect(page.get_by_text("Still here")).to_be_visible()
    until(page, lambda: bool(server.sockets))
    server.push("rating.requested", {})
    server.push("typing", {"state": "start", "name": "Anna"})
    expect(page.get_by_text("Anna is typing…")).to_be_visible()
    expect(asks).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "ends", "fourth"), [("en", ["Bad", "Great"], "4 of 5"), ("ru", ["Плохо", "Отлично"], "4 из 5")]
)
def test_the_rating_has_named_ends_and_named_marks(
    visit: Visit, server: StandIn, language: str, ends: list[str], fourth: str
) -> None:
    server.settings["language"] = language
    page = visit(**TINY)
    log = talk(page, server)
    server.says("Hi")
    server.push("rating.requested", {})
    rating = log.locator(".rating")
    expect(rating.locator(".marks span")).to_have_text(ends)
    marks = rating.locator(".marks button")
    expect(marks.nth(3)).to_have_attribute("aria-label", fourth)
    boxes = [box_of(mark) for mark in marks.all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert min(after["x"] - before["x"] - before["width"] for before, after in pairwise(boxes)) >= 8


# The log.


def test_a_face_stands_at_the_last_of_a_run_and_names_where_more_than_one_spoke(visit: Visit, server: StandIn) -> None:
    page = visit(**DESK)
    log = talk(page, server)
    server.says("One")
    server.says("Two")
    expect(log.get_by_text("Two")).to_be_visible()
    theirs = log.locator(".row.theirs:not(:first-child)")
    assert [row.locator(".face").count() for row in theirs.all()] == [0, 1]
    assert box_of(theirs.last.locator(".face"))["width"] == 28
    expect(theirs.locator(".who")).to_have_count(0)
    server.says("Three", sender={"kind": "agent", "agent_id": 8, "name": "Boris"})
    expect(theirs.locator(".who")).to_have_text(["Anna", "Boris"])


@pytest.mark.parametrize(("language", "size"), [("ru", "40 КБ"), ("en", "40 KB")])
def test_a_file_is_a_tile_whose_name_keeps_its_end(visit: Visit, server: StandIn, language: str, size: str) -> None:
    server.settings["language"] = language
    page = visit(**TINY)
    log = talk(page, server)
    name = "Rechnung-2026-" + "Oktober-" * 20 + "final.pdf"
    server.sends(name, b"x" * 40_000, "application/pdf")
    tile = log.locator(".tile")
    expect(tile).to_have_attribute("title", name)
    end = box_of(tile.get_by_text("final.pdf", exact=True))
    outer = box_of(log.locator(".bubble.file"))
    assert end["x"] + end["width"] <= outer["x"] + outer["width"]
    expect(tile).to_contain_text(size)


def test_a_picture_that_does_not_load_is_a_tile(visit: Visit, server: StandIn) -> None:
    page = visit(**PHONE)
    log = talk(page, server)
    url = f"{server.base}/nowhere.png"
    server.says("", type="image", url=url, file={"name": "tea.png", "size": 2048})
    expect(log.get_by_role("link", name="tea.png 2 KB")).to_have_attribute("href", url)
    expect(log.locator("img")).to_have_count(0)


def test_a_long_address_is_shortened_in_its_middle_and_whole_in_its_title(visit: Visit, server: StandIn) -> None:
    page = visit(**PHONE)
    log = talk(page, server)
    address = "https://shop.example/catalogue/" + "oolong/" * 20 + "spring-2026"
    server.says(f"See {address}")
    link = log.get_by_role("link")
    expect(link).to_have_attribute("title", address)
    expect(link).to_have_attribute("href", address)
    text = link.inner_text()
    assert len(text) <= 48
    assert (text[:20], text[-11:]) == (address[:20], "spring-2026")


@pytest.mark.parametrize(("language", "words"), [("en", ["Yesterday", "Today"]), ("ru", ["Вчера", "Сегодня"])])
def test_days_are_words_while_they_are_near(visit: Visit, server: StandIn, language: str, words: list[str]) -> None:
    server.settings["language"] = language
    page = visit(timezone_id="UTC")
    page.clock.install(time="2026-03-10T12:00:00Z")
    page.reload()
    log = talk(page, server)
    for day in ("08", "09", "10"):
        server.says(day, created_at=f"2026-03-{day}T11:00:00Z")
    expect(log.get_by_text("10", exact=True)).to_be_visible()
    notes = log.locator(".note").all_inner_texts()
    assert [note for note in notes if note in words] == words
    assert any("8" in note for note in notes)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Will be sent when you are online again"), ("ru", "Отправится, когда появится связь")],
)
def test_what_waits_for_the_network_says_so(visit: Visit, server: StandIn, language: str, told: str) -> None:
    server.settings["language"] = language
    page = visit(**PHONE)
    talk(page, server)
    page.context.set_offline(True)
    write(page, "second")
    expect(page.get_by_text(told)).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(told)).to_have_count(0)
    until(page, lambda: bodies(server) == ["Hello", "second"])


# Everywhere.


def full(page: Page, server: StandIn) -> None:
    log = talk(page, server)
    server.says("Three kinds of it. " * 10)
    server.says("90 each", sender={"kind": "ai", "name": "Ada"})
    server.sends("price-list-of-the-spring.pdf", b"x" * 4000, "application/pdf")
    server.says("Anna again")
    server.push("rating.requested", {})
    expect(log.locator(".rating")).to_be_visible()
    expect(log.locator(".tile")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ru", "ar"])
@pytest.mark.parametrize("screen", [TINY, PHONE])
def test_on_a_phone_targets_are_large_apart_and_nothing_runs_out(
    visit: Visit, server: StandIn, screen: dict[str, Any], language: str
) -> None:
    server.settings |= {"language": language, "widget_name": LONG_NAME}
    page = visit(**screen)
    full(page, server)
    controls = page.locator("parley-widget .panel").locator("button, a[href], select, textarea, input:not([type=file])")
    boxes = [
        (node.evaluate("(n) => n.outerHTML.slice(0, 90)"), box_of(node)) for node in controls.all() if node.is_visible()
    ]
    small = {html: box for html, box in boxes if min(box["width"], box["height"]) < 43.9 and "</a>" not in html}
    assert small == {}
    # What is scrolled below the head touches nothing.
    of = "(n) => n.closest('.head, .log, .composer').className.split(' ')[0]"
    parts = [node.evaluate(of) for node in controls.all() if node.is_visible()]
    touching = []
    for (part, (one, a)), (other_part, (other, b)) in combinations(zip(parts, boxes, strict=True), 2):
        if part != other_part:
            continue
        across = max(a["x"], b["x"]) - min(a["x"] + a["width"], b["x"] + b["width"])
        down = max(a["y"], b["y"]) - min(a["y"] + a["height"], b["y"] + b["height"])
        if max(across, down) < 7.9:
            touching.append((one, other, across, down))
    assert touching == []
    width = screen["viewport"]["width"]
    out = page.locator("parley-widget .panel").evaluate(
        "(panel, width) => [...panel.querySelectorAll('*')].filter((node) => {"
        " const { left, right, width: w } = node.getBoundingClientRect();"
        " return w && node.localName !== 'bdi' && (left < -1 || right > width + 1) })"
        ".map((node) => node.outerHTML.slice(0, 90))",
        width,
    )
    assert out == []
    log = page.get_by_role("log")
    assert log.evaluate("(node) => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("forced", ["active", "none"])
def test_the_focus_is_seen_with_forced_colours_too(visit: Visit, server: StandIn, forced: str) -> None:
    page = visit(**DESK, forced_colors=forced)
    open_chat(page)
    composer = page.locator(".composer")
    style = composer.evaluate("(n) => { const s = getComputedStyle(n); return [s.outlineStyle, s.outlineWidth] }")
    assert style == ["solid", "2px"]
    page.keyboard.press("Tab")
    button = composer.get_by_role("button").last
    expect(button).to_be_focused()
    style = button.evaluate("(n) => { const s = getComputedStyle(n); return [s.outlineStyle, s.outlineWidth] }")
    assert style == ["solid", "2px"]


def test_no_text_is_smaller_than_12(visit: Visit, server: StandIn) -> None:
    page = visit(**PHONE)
    full(page, server)
    sizes = page.locator("parley-widget .panel").evaluate(
        "(panel) => [...panel.querySelectorAll('*')].map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(sizes) >= 12


def test_nothing_moves_for_who_wants_no_motion(visit: Visit, server: StandIn) -> None:
    still = visit(**DESK, reduced_motion="reduce")
    open_chat(still)
    read = "(n) => getComputedStyle(n).animationName"
    assert still.locator(".panel").evaluate(read) == "none"
    moving = visit(**DESK, reduced_motion="no-preference")
    open_chat(moving)
    assert moving.locator(".panel").evaluate(read) == "rise"
