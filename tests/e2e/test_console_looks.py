"""How the console looks, measured: sizes, distances, edges and words that are cut, in both languages and schemes."""

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.console import Desk, Open, Shop

pytestmark = [pytest.mark.e2e, pytest.mark.filterwarnings("ignore:TimeZoneInfo")]

DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
LOOKS: dict[str, dict[str, Any]] = {
    "desk-en-light": {"viewport": DESK, "locale": "en-GB", "color_scheme": "light"},
    "desk-ru-dark": {"viewport": DESK, "locale": "ru-RU", "color_scheme": "dark"},
    "phone-ru-light": {"viewport": PHONE, "locale": "ru-RU", "color_scheme": "light", "has_touch": True},
    "phone-en-dark": {"viewport": PHONE, "locale": "en-GB", "color_scheme": "dark", "has_touch": True},
}
LONG = "Alexandrina-Konstantinopolskaya-von-Hohenzollern-Sigmaringen-9"

# What is wrong of what is in sight, each with the element that it is of.
MEASURE = """(isPhone) => {
  const wrong = [];
  const inSight = (element) => {
    const {width, height, left, top, right, bottom} = element.getBoundingClientRect();
    const isDrawn = element.checkVisibility({visibilityProperty: true, opacityProperty: true});
    if (!isDrawn || width < 2 || height < 2) return false;
    if (right < 0 || bottom < 0 || left > innerWidth || top > innerHeight) return false;
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found !== null && (element.contains(found) || found.contains(element));
  };
  const named = (element) => element.outerHTML.replaceAll(/<!--.*?-->/g, "").slice(0, 120);
  const say = (what, element) => wrong.push(`${what}: ${named(element)}`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than its window");

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.matches("script, style, option") || !inSight(element)) continue;
    if (parseFloat(getComputedStyle(element).fontSize) < 12) say("smaller than 12 px", element);
  }

  const light = (color) => {
    const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [least, most] = [light(one), light(other)].sort((a, b) => a - b);
    return (most + 0.05) / (least + 0.05);
  };
  const isClear = (color) => color === "transparent" || /, 0\\)$/.test(color);
  const ground = (element) => {
    const {backgroundColor} = getComputedStyle(element);
    return !isClear(backgroundColor) || !element.parentElement ? backgroundColor : ground(element.parentElement);
  };
  const CONTROLS = "button, a[href], input:not([hidden], [type=file]), select, textarea, summary";
  const LISTS = ".rows, .people, [role=menu], .menu, .views, .replies";
  const CUT = ".view .name, .item, button, h1, h2, .tag > span, .modes p > span, .who .name, .channel, .owner";
  const controls = [...document.querySelectorAll(CONTROLS)].filter(inSight);
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    const style = getComputedStyle(control);
    const isWritten = control.matches("input:not([type=checkbox], [type=radio]), select, textarea");
    const hasEdge = parseFloat(style.borderTopWidth) > 0 && !isClear(style.borderTopColor);
    if (isWritten && hasEdge) {
      if (contrast(style.borderTopColor, ground(control.parentElement)) < 3) say("an edge below 3", control);
    }
    if (!isPhone) continue;
    const target = control.matches("[type=checkbox], [type=radio]") ? control.closest("label") ?? control : control;
    const {width, height} = target.getBoundingClientRect();
    const isInSentence = control.matches("a") && control.closest("p, dd, li.msg, .text") !== null;
    const isSmall = width < 43.5 || height < 43.5;
    if (!isInSentence && isSmall) say(`a target of ${Math.round(width)} x ${Math.round(height)}`, control);
    if (isWritten && parseFloat(style.fontSize) < 16) say("a field below 16 px", control);
  }
  for (const [place, one] of controls.entries()) {
    for (const other of controls.slice(place + 1)) {
      if (one.contains(other) || other.contains(one) || one.closest(LISTS) || other.closest(LISTS)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const x = Math.max(a.left, b.left) - Math.min(a.right, b.right);
      const y = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
      if (x < 3.5 && y < 3.5) say(`touches ${named(other)}`, one);
    }
  }
  for (const element of document.querySelectorAll(CUT)) {
    if (!inSight(element) || element.scrollWidth <= element.clientWidth + 1) continue;
    if (!element.closest("[title]")?.title) say("is cut", element);
  }
  return wrong;
}"""
PRIMARIES = """() => [...document.querySelectorAll(".primary:not(.send), .button:not(.quiet)")]
  .filter((button) => button.checkVisibility({visibilityProperty: true}) && !button.closest("dialog"))
  .map((button) => button.innerText)"""


def name() -> str:
    return f"Guest-{uuid.uuid4().hex[:8]}"


def height_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["height"]


class Measured:
    """A desk of one look, whose states are measured."""

    def __init__(self, desk: Desk, look: str) -> None:
        self.desk, self.look = desk, look
        self.is_phone = look.startswith("phone")

    @property
    def page(self) -> Page:
        return self.desk.page

    def check(self, state: str) -> None:
        wrong = self.page.evaluate(MEASURE, self.is_phone)
        assert wrong == [], f"{state}, {self.look}: " + "\n".join(wrong)
        primaries = self.page.evaluate(PRIMARIES)
        assert len(primaries) <= 1, f"{state}: {primaries}"
        self.desk.check(f"looks-{state}-{self.look}")


@pytest.fixture
def measured(open_desk: Open, shop: Shop, request: pytest.FixtureRequest) -> Measured:
    look = request.param
    shop.clear_the_desk()
    return Measured(open_desk(**LOOKS[look]), look)


@pytest.mark.slow
@pytest.mark.parametrize("measured", LOOKS, indirect=True)
def test_every_state_keeps_the_sizes_distances_and_edges_of_the_design(measured: Measured, shop: Shop) -> None:
    guest, page = name(), measured.page
    visitor = shop.visitor(name=guest, email="a-mail-address-of-sixty-four-letters-in-all@long.mail.example").says(
        "Is there any oolong?"
    )
    shop.visitor(name=LONG).says("Averyveryverylongwordwithoutanyspace" * 3)
    arabic = shop.visitor(name=name()).says("مرحبا، هل لديكم شاي أخضر؟")
    shop.answers(arabic, "Yes, there is!")
    expect(measured.desk.row(guest)).to_be_visible()
    measured.check("list")
    assert height_of(page.locator(".ask")) in (44, 45)  # and its line
    assert height_of(page.locator(".rows li").first) == 72

    measured.desk.row(guest).click()
    expect(page.get_by_role("log")).to_contain_text("Is there any oolong?")
    assert height_of(page.locator(".chat-header")) == 60
    measured.check("chat")
    more = page.locator(".chat-header > .more")
    assert height_of(more) == (44 if measured.is_phone else 36)
    more.click()
    measured.check("menu")
    groups = page.locator("#chat-deeds").evaluate(
        "menu => [...menu.children].map(each => each.matches('hr') ? '-' : each.dataset.deed)"
    )
    assert groups[-3:] == ["-", "spam", "block"]
    assert "snooze" in groups[groups.index("-") :]
    page.keyboard.press("Escape")

    composer = page.locator(".composer")
    composer.locator("textarea").fill("There is!")
    composer.locator("textarea").press("Enter")
    expect(page.get_by_role("img", name=re.compile("^(Sent|Отправлено)$"))).to_be_visible()
    measured.check("answered")
    assert height_of(composer) <= 0.4 * page.viewport_size["height"]  # type: ignore[index]
    tools = composer.locator(".tools > button, .tools > .tool-extra > button").filter(visible=True)
    tops = tools.evaluate_all(
        "buttons => new Set(buttons.map(each => Math.round(each.getBoundingClientRect().top))).size"
    )
    assert tops == 1, "clip, plus and send stand in one line"
    composer.locator("[popovertarget=more-tools]").click()
    measured.check("more-tools")
    page.keyboard.press("Escape")

    more.click()
    page.locator("#chat-deeds [data-deed=snooze]").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("select[name=date]")).to_be_visible()
    measured.check("snooze")
    page.keyboard.press("Escape")
    if measured.is_phone:
        page.locator(".chat-header .details").click()
    expect(page.locator(".card")).to_be_visible()
    measured.check("card")
    page.goto(f"{shop.service.url}/console/#/contacts")
    expect(page.locator(".people a").first).to_be_visible()
    measured.check("contacts")
    lefts = page.locator(".people strong").evaluate_all(
        "names => new Set(names.map(each => each.getBoundingClientRect().left)).size"
    )
    assert lefts == 1, "one grid for all rows"
    assert visitor.chat_id is not None


def test_a_row_tells_the_time_or_the_wait_and_never_both(open_desk: Open, shop: Shop) -> None:
    shop.clear_the_desk()
    waiting, answered = name(), name()
    shop.answers(shop.visitor(name=answered).says("Hello?"), "Good day!")
    desk = open_desk()
    shop.visitor(name=waiting).says("Anybody?")
    expect(desk.row(waiting).locator(".waits")).to_have_text("now")
    expect(desk.row(waiting).locator("time")).to_have_count(0)
    expect(desk.row(answered).locator("time")).to_have_text(re.compile("^(now|[0-9]+ min)$"))
    expect(desk.row(answered).locator(".waits")).to_have_count(0)


def test_the_ask_for_notices_is_gone_for_thirty_days_and_while_one_searches(open_desk: Open) -> None:
    denied = "window.Notification = class { static permission = 'default'; };"
    page = open_desk(init_script=denied).page
    ask = page.get_by_role("region", name="Notifications")
    expect(ask).to_contain_text("Notify you about new messages?")
    page.get_by_role("searchbox", name="Search").fill("oolong")
    expect(ask).to_be_hidden()
    page.get_by_role("searchbox", name="Search").fill("")
    ask.get_by_role("button", name="Not now").click()
    expect(ask).to_be_hidden()
    page.reload()
    expect(page.locator(".connection[data-state=online]")).to_be_visible()
    expect(ask).to_be_hidden()
    page.evaluate("""() => {
      const kept = JSON.parse(localStorage.getItem("parley.console.habits"));
      localStorage.setItem("parley.console.habits", JSON.stringify({...kept, askedAt: Date.now() - 31 * 86_400_000}));
    }""")
    page.reload()
    expect(ask).to_be_visible()


def test_the_frame_is_there_before_the_scripts_are(open_desk: Open, shop: Shop) -> None:
    page = open_desk().page
    page.route("**/console/main*.js", lambda route: route.abort())
    page.reload()
    expect(page.locator(".app .skeleton span")).to_have_count(6)
    expect(page.locator(".app .top")).to_be_visible()


def test_without_a_connection_a_banner_stands_over_the_composer(open_desk: Open, shop: Shop) -> None:
    desk, guest = open_desk(), name()
    page = desk.page
    shop.visitor(name=guest).says("Hello?")
    desk.row(guest).click()
    expect(page.locator(".composer")).to_be_visible()
    page.context.set_offline(True)
    banner = page.locator(".offline")
    expect(banner).to_contain_text("No connection: messages go out when it is back")
    box, composer = banner.bounding_box(), page.locator(".composer").bounding_box()
    assert box is not None
    assert composer is not None
    assert box["y"] + box["height"] <= composer["y"]
    page.context.set_offline(False)
    expect(banner).to_be_hidden()
    desk.complaints.clear()


def test_a_chat_is_put_off_by_a_date_and_a_time_in_words(open_desk: Open, shop: Shop) -> None:
    desk, guest = open_desk(), name()
    page = desk.page
    shop.visitor(name=guest).says("Hello?")
    desk.row(guest).click()
    page.get_by_role("log").press("z")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Date")).to_have_value("1")
    dialog.get_by_label("Date").select_option("Today")
    dialog.get_by_label("Time").select_option("0:0")
    dialog.get_by_role("button", name="Snooze the chat").click()
    expect(dialog.get_by_role("alert")).to_have_text("This time is over: choose a later one")
    dialog.get_by_label("Date").select_option("Tomorrow")
    dialog.get_by_role("button", name="Snooze the chat").click()
    expect(dialog).to_be_hidden()
    desk.show("snoozed")
    expect(desk.row(guest)).to_be_visible()


def test_a_toast_stands_at_the_lower_left_and_over_no_composer(open_desk: Open, shop: Shop) -> None:
    for look in ("desk-en-light", "phone-en-dark"):
        desk, guest = open_desk(**LOOKS[look]), name()
        shop.visitor(name=guest).says("Hello?")
        desk.row(guest).click()
        desk.page.locator(".chat-header [data-deed=accept]").click()
        toast, composer = desk.page.locator(".toast"), desk.page.locator(".composer")
        expect(toast).to_be_visible()
        box, below = toast.bounding_box(), composer.bounding_box()
        assert box is not None
        assert below is not None
        assert box["x"] >= 16
        assert box["y"] + box["height"] <= below["y"] or box["x"] + box["width"] <= below["x"]


def test_the_thread_keeps_half_of_its_column(open_desk: Open, shop: Shop) -> None:
    desk, guest = open_desk(viewport={"width": 1440, "height": 900}), name()
    shop.visitor(name=guest).says("Hello?")
    desk.row(guest).click()
    desk.page.locator(".composer textarea").fill("A line\n" * 40)
    assert height_of(desk.page.locator(".thread-log")) >= 0.5 * height_of(desk.page.locator(".thread"))
