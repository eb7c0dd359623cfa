"""Bad input to the eye: long words, other scripts, 400 % zoom, forced colours, large letters, no pictures, empty lists.

Each surface is filled once with the longest that people write, and measured under every condition: nothing is cut
without a way to read it, nothing lies on another, no page is wider than its window.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import ARGUMENTS, CHROMIUM, MAX_MILLISECONDS
from tests.e2e.console import ALICE, Desk, Open, Shop, Visitor
from tests.e2e.http import call
from tests.e2e.measures import GAP_OF_THE_WIDGET, Failures, measure
from tests.e2e.test_cabinet_pages import OLGA, Cabinet
from tests.run.service import Service
from tests.uploads import png

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff" + "W" * 25
LONG_ADDRESS = f"{'a' * 51}@mail.example"
LONG_FILE = "Rechnung" * 24 + "2026.pdf"
LONG_WORD = "Donaudampfschifffahrtsgesellschaft" * 4
ARABIC_NAME, ARABIC = "سلمى حداد", "مرحبًا، هل يمكن تغليف الشاي كهدية؟ رقم الطلب 20417."
SMALLEST_LETTERS = 20
WIDGET = "parley-widget"

Measured = Callable[[Page], Failures]


def as_it_is(page: Page, **options: Any) -> Failures:
    return measure(page, overlap=True, **options)


def at_400_percent(page: Page, **options: Any) -> Failures:
    """A window of 1280 by 1024 pixels, four times as large."""
    return measure(page, overlap=True, widths=(320,), height=256, **options)


def in_forced_colours(page: Page, **options: Any) -> Failures:
    page.emulate_media(forced_colors="active")
    try:
        return measure(page, widths=(390, 1280), **options)
    finally:
        page.emulate_media(forced_colors="none")


def judge(found: dict[str, Failures], *, but: Collection[str] = ()) -> None:
    """Fails with all that is wrong; `but` are kinds that test_eye.py knows of these pages, whatever is typed in."""
    wrong = {
        state: kinds
        for state, failures in found.items()
        if (kinds := {kind: lines for kind, lines in failures.items() if kind not in but})
    }
    assert wrong == {}, json.dumps(wrong, indent=1, ensure_ascii=False)


CONDITIONS = (as_it_is, at_400_percent, in_forced_colours)
each_condition = pytest.mark.parametrize("measured", CONDITIONS, ids=[each.__name__ for each in CONDITIONS])


@pytest.fixture(scope="module")
def large_letters(browser: Browser) -> Iterator[Browser]:
    """A browser whose person has asked for no letters below 20 px."""
    arguments = [*ARGUMENTS, f"--blink-settings=minimumFontSize={SMALLEST_LETTERS}"]
    chromium = browser.browser_type.launch(executable_path=CHROMIUM, args=arguments)
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def named(shop: Shop) -> Iterator[None]:
    """An operator and the shop's chat have names of 60 letters without a space."""
    agent = shop.widget["agents"][1]
    rename(shop, agent["id"], LONG_NAME)
    before = change(shop, "/widget/settings", {"widget_name": LONG_NAME})
    assert before["widget_name"] == LONG_NAME
    yield
    rename(shop, agent["id"], agent["name"])
    change(shop, "/widget/settings", {"widget_name": None})


def rename(shop: Shop, agent_id: int, name: str) -> None:
    """An operator's name is given with the invitation, and no call changes it."""
    renamed = f"from apps.agents.models import Agent; Agent.objects.filter(pk={agent_id}).update(name={name!r})"
    shop.service.manage("shell", "--no-imports", "-c", renamed)


def change(shop: Shop, path: str, body: dict[str, Any]) -> Any:
    return call("PATCH", f"{shop.service.url}/api/v1{path}", f"Bearer {shop.widget['tokens']['all']}", body)["data"]


def talk(page: Page, shop: Shop) -> None:
    """A chat in the widget of the page, with the longest of each kind."""
    page.goto(f"{shop.service.url}/demo/")
    page.locator(f"{WIDGET} .launcher").click()
    page.locator(f"{WIDGET} .composer textarea").fill(f"{LONG_WORD} {ARABIC}")
    page.keyboard.press("Enter")
    number = page.locator("[data-chat-id]").first
    expect(number).to_have_text(re.compile("[0-9]+"))
    file = {"name": LONG_FILE, "mimeType": "application/pdf", "buffer": b"%PDF-1.4"}
    page.locator(f"{WIDGET} .composer [type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(page.locator(f"{WIDGET} .tile")).to_be_visible()
    message = {"type": "keyboard", "body": LONG_WORD, "agent_id": shop.widget["agents"][1]["id"]}
    buttons = [{"label": LONG_NAME, "url": "https://shop.example/tea", "style": "primary"}]
    shop.post(f"/chats/{number.inner_text()}/messages", {**message, "keyboard": {"buttons": buttons}})
    expect(page.get_by_role("log").get_by_role("link", name=LONG_NAME)).to_be_visible()


@each_condition
def test_widget(
    running_service: Service,
    new_context: Callable[..., BrowserContext],
    shop: Shop,
    named: None,
    measured: Callable[..., Failures],
) -> None:
    page = new_context().new_page()
    talk(page, shop)
    judge({"talk": measured(page, gap=GAP_OF_THE_WIDGET, within=WIDGET)})


def test_widget_with_large_letters(shop: Shop, named: None, large_letters: Browser) -> None:
    context = large_letters.new_context(reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(MAX_MILLISECONDS)
    page = context.new_page()
    talk(page, shop)
    judge({"talk": as_it_is(page, gap=GAP_OF_THE_WIDGET, within=WIDGET)})
    context.close()


@pytest.fixture(scope="module")
def long_visitor(shop: Shop) -> Visitor:
    """A visitor whose name, address, words and file are the longest."""
    shop.clear_the_desk()
    shop.visitor(name=ARABIC_NAME).says(ARABIC)
    visitor = shop.visitor(name=LONG_NAME, email=LONG_ADDRESS).says(f"{LONG_WORD} {ARABIC}")
    visitor.sends_file(LONG_FILE, b"%PDF-1.4")
    shop.answers(visitor, LONG_WORD)
    return visitor.says(LONG_WORD)


def states_of_the_console(desk: Desk, chat_id: int) -> Iterator[tuple[str, Page]]:
    page, base = desk.page, f"{desk.service.url}/console/"
    expect(desk.row(LONG_NAME).first).to_be_visible()
    yield "list", page
    page.goto(f"{base}#/chats/{chat_id}")
    expect(page.get_by_role("log")).to_contain_text(LONG_WORD)
    page.locator(".composer textarea").fill(LONG_WORD)
    yield "chat", page
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".chat-header .details").click()
    expect(page.locator(".card input").first).to_have_value(LONG_NAME)
    yield "contact", page
    page.goto(f"{base}#/contacts")
    expect(page.locator(".people[aria-busy=false] li").first).to_be_visible()
    yield "contacts", page
    page.set_viewport_size({"width": 1280, "height": 844})
    page.goto(base)
    page.get_by_role("searchbox").first.fill(f"Nirgends{LONG_WORD}")  # the word alone is in chats
    expect(page.locator(".empty").get_by_text("No results")).to_be_visible()
    yield "nothing found", page


@each_condition
def test_console(open_desk: Open, named: None, long_visitor: Visitor, measured: Callable[..., Failures]) -> None:
    desk = open_desk(ALICE)
    found = {state: measured(page) for state, page in states_of_the_console(desk, long_visitor.chat_id or 0)}
    judge(found)


def test_an_arabic_name_begins_where_all_names_begin_in_an_english_console(
    open_desk: Open, long_visitor: Visitor
) -> None:
    desk = open_desk(ALICE)
    row = desk.row(ARABIC_NAME).first
    expect(row).to_be_visible()
    lefts = desk.page.locator(".rows .name").evaluate_all(
        """names => [...new Set(names.map(each => {
          const range = document.createRange()
          range.selectNodeContents(each)
          return Math.round(range.getBoundingClientRect().left)
        }))]"""
    )
    assert len(lefts) == 1, "one left edge"
    desk.page.goto(f"{desk.service.url}/console/{row.get_attribute('href')}")
    text = desk.page.get_by_role("log").locator(".text").first
    expect(text).to_contain_text("20417")
    assert text.evaluate("each => getComputedStyle(each).unicodeBidi") == "plaintext"


def test_a_picture_that_does_not_load_leaves_a_name_in_the_widget_and_no_hole(
    new_context: Callable[..., BrowserContext], shop: Shop
) -> None:
    page = new_context().new_page()
    page.route("**/*.png*", lambda route: route.abort())
    page.route("**/files/**", lambda route: route.abort())
    page.goto(f"{shop.service.url}/demo/")
    page.locator(f"{WIDGET} .launcher").click()
    file = {"name": "tea.png", "mimeType": "image/png", "buffer": png()}
    page.locator(f"{WIDGET} .composer [type=file]").set_input_files(file)  # type: ignore[arg-type]
    # Until the server has it, the tile stands for what is on its way, and the picture comes after it.
    expect(page.locator(f"{WIDGET} .row.mine .meta")).to_contain_text("Sent")
    expect(page.locator(f"{WIDGET} .bubble.image .tile[href]")).to_have_attribute("title", "tea.png")
    expect(page.locator(f"{WIDGET} .bubble img")).to_have_count(0)
    judge({"picture": as_it_is(page, gap=GAP_OF_THE_WIDGET, within=WIDGET)})


PAGES = ("chats/chat/", "chats/contact/", "agents/agent/", "agents/department/add/", "")
# Of each page, whatever is typed into it: test_eye.py measures them there.
OF_THE_EYE = ("contrast", "edge", "field", "focus", "target", "touching")
# Lists that the demo data leave empty.
EMPTY = ("chats/block/", "agents/holiday/", "letters/address/")


@each_condition
def test_cabinet(
    running_service: Service,
    new_context: Callable[..., BrowserContext],
    named: None,
    long_visitor: Visitor,
    measured: Callable[..., Failures],
) -> None:
    cabinet = Cabinet(running_service, new_context(), OLGA)
    found = {}
    for path in (*PAGES, *EMPTY, f"chats/chat/{long_visitor.chat_id}/change/"):
        cabinet.page.goto(cabinet.base + path)
        found[path] = measured(cabinet.page)
    judge(found, but=OF_THE_EYE)


DOORS = ("/", "/console/login/", "/admin/login/", "/password/forgotten", "/nothing-is-here")


@each_condition
def test_doors(
    running_service: Service, new_context: Callable[..., BrowserContext], measured: Callable[..., Failures]
) -> None:
    page = new_context().new_page()
    found = {}
    for path in DOORS:
        page.goto(running_service.url + path)
        found[path] = measured(page)
    judge(found)


@pytest.mark.parametrize("path", ["/demo/", "/console/", "/admin/"])
def test_nothing_moves_for_who_wants_no_motion(
    running_service: Service, new_context: Callable[..., BrowserContext], open_desk: Open, path: str
) -> None:
    if path == "/demo/":
        page = new_context().new_page()
        page.goto(running_service.url + path)
        page.locator(f"{WIDGET} .launcher").click()
    elif path == "/console/":
        page = open_desk(ALICE).page
    else:
        page = Cabinet(running_service, new_context(), OLGA).page
    assert page.evaluate(MOVING) == []


# What the computed style of an element would move for longer than an instant.
MOVING = """() => {
  const found = []
  const lasts = (times) => Math.max(...times.split(",").map(parseFloat)) > 0.01
  const MOVES = /all|transform|translate|rotate|scale|height|width|top|left|margin/
  const look = (each, pseudo) => {
    const style = getComputedStyle(each, pseudo)
    const name = `${each.localName}.${each.className}`
    if (style.animationName !== "none" && lasts(style.animationDuration)) found.push(`${name}: ${style.animationName}`)
    const { transitionProperty: moved } = style
    if (MOVES.test(moved) && lasts(style.transitionDuration)) found.push(`${name}: ${moved}`)
  }
  const walk = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) walk(each.shadowRoot)
      if (each.checkVisibility()) for (const pseudo of [null, "::before", "::after"]) look(each, pseudo)
    }
  }
  walk(document)
  return [...new Set(found)].slice(0, 20)
}"""
