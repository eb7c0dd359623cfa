"""What the settings, messages and the page's own script make of the widget."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Locator, Page, expect

from apps.messengers.actions.overview import served_messenger
from apps.messengers.adapters import ADAPTERS, PROVIDERS
from apps.widget.rules.icons import PATHS
from apps.widget.rules.skins import themes
from tests.widget.frontend.chat import bodies, bubbles, open_chat, until, write
from tests.widget.frontend.server import CORS, StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]


def heard(page: Page, *events: str) -> None:
    page.evaluate(
        "(events) => { window.heard = [];"
        " for (const name of events) Parley.on(name, (data) => heard.push([name, data ?? null])); }",
        list(events),
    )


def sessions(server: StandIn) -> list[dict[str, Any]]:
    return [data for call, data in server.calls if call == "sessions"]


# Looks.


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wanted", ["auto", "light", "dark"])
def test_colours_are_those_of_the_theme(visit: Visit, server: StandIn, scheme: str, wanted: str) -> None:
    server.settings |= {"theme": themes("sand", "#2f6b3c"), "widget_color_scheme": wanted}
    page = visit(color_scheme=scheme)
    expect(page.locator(".launcher")).to_have_css("background-color", "rgb(47, 107, 60)")
    open_chat(page)
    shown = scheme if wanted == "auto" else wanted
    surface = {"light": "rgb(253, 250, 245)", "dark": "rgb(33, 27, 20)"}[shown]
    expect(page.get_by_role("dialog")).to_have_css("background-color", surface)


def test_a_scheme_that_changes_is_followed(visit: Visit, server: StandIn) -> None:
    page = visit(color_scheme="light")
    open_chat(page)
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_role("dialog")).to_have_css("background-color", "rgb(26, 29, 33)")


def test_place_size_layer_and_icon_are_the_settings(visit: Visit, server: StandIn) -> None:
    icon = {"path": PATHS["wave"], "url": None, "still_url": None}
    server.settings |= {
        "widget_position": "left",
        "widget_offset_x": 31,
        "widget_offset_y": 47,
        "widget_button_size": 100,
        "widget_z_index": 77,
        "icon": icon,
        "widget_chat_width": 420,
        "widget_chat_offset_x": 12,
    }
    page = visit(viewport={"width": 1000, "height": 700})
    assert page.locator(".launcher").bounding_box() == {"x": 31, "y": 700 - 47 - 64, "width": 64, "height": 64}
    expect(page.locator(".launcher path")).to_have_attribute("d", PATHS["wave"])
    expect(page.locator(".frame")).to_have_css("z-index", "77")
    open_chat(page)
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (12, 420)


def test_what_is_far_off_stays_in_sight(visit: Visit, server: StandIn) -> None:
    far = {f"widget_{name}": 500 for name in ("offset_x", "offset_y", "chat_offset_x", "chat_offset_y")}
    server.settings |= {**far, "widget_chat_height": 800, "widget_chat_width": 480}
    page = visit(viewport={"width": 500, "height": 420})
    expect(page.locator(".launcher")).to_be_in_viewport(ratio=1)
    open_chat(page)
    expect(page.get_by_role("button", name="Close chat")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Send")).to_be_in_viewport(ratio=1)


def test_a_phone_has_its_own_profile_which_is_followed(visit: Visit, server: StandIn) -> None:
    icon = {"path": PATHS["phone"], "url": None, "still_url": None}
    mobile = {"widget_position": "left", "widget_button_size": 50, "icon_preset": "phone", "icon": icon}
    server.settings["device_profiles"] = {"desktop": {"widget_offset_x": 60}, "mobile": mobile}
    page = visit(viewport={"width": 1000, "height": 700})
    box = page.locator(".launcher").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (1000 - 60 - 56, 56)
    page.set_viewport_size({"width": 400, "height": 700})
    expect(page.locator(".launcher path")).to_have_attribute("d", PATHS["phone"])
    box = page.locator(".launcher").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (20, 48)


def test_an_own_icon_is_still_for_who_wants_no_motion(visit: Visit, server: StandIn) -> None:
    still, moving = f"{server.base}/still.png", f"{server.base}/moving.gif"
    server.settings |= {
        "icon": {"path": None, "url": moving, "still_url": still},
        "icon_custom_animated": "spin",
    }
    expect(visit().locator(".launcher img")).to_have_attribute("src", still)
    expect(visit(reduced_motion="no-preference").locator(".launcher img")).to_have_attribute("src", moving)


def test_a_launcher_that_is_not_shown_leaves_opening_to_the_page(
    server: StandIn, new_context: Callable[..., Any]
) -> None:
    server.settings["widget_show_launcher"] = False
    page = new_context().new_page()
    page.goto(server.page)
    page.wait_for_function("document.querySelector('parley-widget')")
    expect(page.locator(".launcher")).to_be_hidden()
    page.evaluate("Parley.open()")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("Parley.toggle()")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize(
    ("mode", "faces", "named"),
    [("faces_and_names", 2, True), ("faces", 2, False), ("names", 0, True), ("hidden", 0, False)],
)
def test_operators_are_shown_as_the_settings_say(
    visit: Visit, server: StandIn, mode: str, faces: int, named: bool
) -> None:
    server.settings["operators_display_mode"] = mode
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    expect(page.locator(".head .face")).to_have_count(faces)
    expect(page.locator(".head")).to_contain_text("Anna, Boris" if named else "We’re online")


def test_the_header_of_a_right_to_left_language_begins_at_the_right(visit: Visit, server: StandIn) -> None:
    server.settings["language"] = "ar"
    page = visit(viewport={"width": 1000, "height": 700})
    open_chat(page)
    title = page.locator(".head h2 bdi").bounding_box()
    cross = page.locator(".head button").bounding_box()
    panel = page.get_by_role("dialog").bounding_box()
    assert title is not None
    assert cross is not None
    assert panel is not None
    assert cross["x"] - panel["x"] < 40, "the cross is at the left"
    assert title["x"] + title["width"] > panel["x"] + panel["width"] / 2, "the title is at the right"


# What stays.


def test_a_chat_that_was_open_is_open_after_a_reload_but_takes_no_focus(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    page.keyboard.type("a draft")
    page.reload()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator(".composer textarea")).to_have_value("a draft")
    expect(page.locator(".composer textarea")).not_to_be_focused()
    page.get_by_role("button", name="Close chat").click()
    page.reload()
    expect(page.get_by_role("button", name="Open chat")).to_be_visible()


def test_a_phone_does_not_reopen_over_the_page(visit: Visit, server: StandIn) -> None:
    page = visit(viewport={"width": 390, "height": 844})
    open_chat(page)
    page.reload()
    expect(page.get_by_role("button", name="Open chat")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_the_visitors_language_is_kept(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(page.get_by_placeholder("Nachricht schreiben…")).to_be_visible()
    expect(bubbles(page)).to_have_text(["Hello"])
    page.reload()
    expect(page.get_by_placeholder("Nachricht schreiben…")).to_be_visible()
    assert ("config", {"lang": "de"}) in server.calls
    until(page, lambda: sessions(server)[-1]["lang"] == "de")


# Before the first message.


def test_phrases_and_departments_are_offered_before_the_first_message(visit: Visit, server: StandIn) -> None:
    server.settings |= {
        "ai": {"greeting": "Ask me!", "quick_phrases": ["Where is my order?", "<b>Hours?</b>"], "operator": None},
        "departments": [{"id": 3, "name": "Sales", "open": True}, {"id": 4, "name": "Repairs", "open": False}],
    }
    page = visit()
    log = open_chat(page)
    expect(log).to_contain_text("Ask me!")
    repairs = page.get_by_role("group", name="Department").get_by_role("button", name="Repairs")
    repairs.click()
    expect(repairs).to_have_attribute("aria-pressed", "true")
    log.get_by_role("button", name="<b>Hours?</b>").click()
    until(page, lambda: bodies(server) == ["<b>Hours?</b>"])
    sent = next(data for frame in server.frames if (data := frame.get("data", {})).get("body"))
    assert sent["department_id"] == 4
    expect(repairs).to_have_count(0)
    expect(log.get_by_role("button", name="Where is my order?")).to_have_count(0)


@pytest.mark.parametrize(("departments", "are_pills"), [(2, True), (4, True), (5, False)])
def test_beyond_four_departments_a_list_stands_for_pills(
    visit: Visit, server: StandIn, departments: int, are_pills: bool
) -> None:
    server.settings["departments"] = [{"id": n, "name": f"Number {n}"} for n in range(1, departments + 1)]
    page = visit()
    log = open_chat(page)
    named = log.get_by_role("group" if are_pills else "combobox", name="Department")
    expect(named).to_be_visible()
    if are_pills:
        last = named.get_by_role("button").last
        assert height_of(last) >= 44
        last.click()
    else:
        assert height_of(named) >= 44
        named.select_option(f"Number {departments}")
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    sent = next(data for frame in server.frames if (data := frame.get("data", {})).get("body"))
    assert sent["department_id"] == departments


def height_of(node: Locator) -> float:
    box = node.bounding_box()
    assert box is not None
    return box["height"]


def served(code: str, url: str) -> dict[str, Any]:
    """A messenger as the config serves it."""
    return served_messenger(ADAPTERS[code], url)


def test_messengers_are_links_under_the_greeting(visit: Visit, server: StandIn) -> None:
    server.settings["messengers"] = [
        *(served(code, f"https://{code}.example/shop") for code in PROVIDERS[:-1]),
        served("tg", "javascript:window.pwned=1"),
        {"code": "later", "url": "https://later.example/shop"},
    ]
    page = visit(viewport={"width": 390, "height": 760})
    open_chat(page)
    links = page.get_by_role("group", name="Write in …").get_by_role("link")
    expect(links).to_have_count(len(PROVIDERS) - 1)
    telegram = page.get_by_role("link", name="Write in Telegram")
    expect(telegram).to_have_attribute("href", "https://tg.example/shop")
    expect(telegram).to_have_attribute("rel", "noopener noreferrer")
    page.get_by_role("log").press("Tab")
    expect(telegram).to_be_focused()
    panel = page.get_by_role("dialog").bounding_box()
    assert panel
    for link in links.all():
        box = link.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= panel["x"]
        assert box["x"] + box["width"] <= panel["x"] + panel["width"]


def test_telegrams_link_carries_the_chat_over(visit: Visit, server: StandIn) -> None:
    server.settings["messengers"] = [served("tg", f"{server.page}?plain")]
    page = visit()
    log = open_chat(page)
    telegram = page.get_by_role("link", name="Write in Telegram")
    with page.expect_popup() as opened:
        telegram.click()
    expect(opened.value).to_have_url(f"{server.page}?plain")  # there is no chat yet
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    expect(telegram).to_have_count(0)
    page.get_by_role("button", name="More").click()
    with page.expect_popup() as opened:
        telegram.click()
    expect(opened.value).to_have_url(f"{server.page}?start=token")
    assert [data for call, data in server.calls if call == "continue"] == [{"channel": "tg"}]
    server.push("chat.moved", {"chat_id": 1, "channel": "tg"})
    expect(log.get_by_text("Hello", exact=True)).to_have_count(0)


def test_the_first_open_is_never_empty(visit: Visit, server: StandIn) -> None:
    server.settings["widget_greeting"] = None
    page = visit()
    log = open_chat(page)
    expect(log).to_contain_text("We’re online")


# Messages.


def test_markdown_is_drawn_as_nodes(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    until(page, lambda: bool(server.sockets))
    text = (
        "**Bold** and *soft* ~~gone~~ `a*b*` [tea](https://example.com/tea_(drink))\n"
        "> quoted\n\n- one\n- two\n\n1. first\n\n```\n<b>**code**</b>\n```\nsnake_case_name <i>html</i> ![x](https://a/b.png)"
    )
    server.says("plain", markdown=text)
    expect(log.locator("b")).to_have_text(["Bold"])
    expect(log.locator(".text i")).to_have_text(["soft"])
    expect(log.locator("s")).to_have_text(["gone"])
    expect(log.locator("code")).to_have_text(["a*b*", "<b>**code**</b>"])
    expect(log.locator("blockquote")).to_have_text(["quoted"])
    expect(log.locator("ul li")).to_have_text(["one", "two"])
    expect(log.locator("ol li")).to_have_text(["first"])
    expect(log.get_by_role("link", name="tea", exact=True)).to_have_attribute("href", "https://example.com/tea_(drink)")
    expect(log).to_contain_text("snake_case_name <i>html</i>")
    expect(log.locator("img")).to_have_count(0)


def test_headings_and_tables_are_read_without_their_signs(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.says("plain", markdown="## Delivery\n\n|Zone|Price|\n|---|:-:|\n|**North**|300|\n\n#5 is | here")
    expect(log.locator(".text b")).to_have_text(["Delivery", "North"])
    expect(log.locator(".text p")).to_have_text("Zone·Price\nNorth·300")
    expect(log).to_contain_text("#5 is | here")


def test_lines_tell_who_joined_closed_and_reopened(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    (asked,) = next(iter(server.messages.values()))
    step = {"chat_id": 1, "id": 1, "kind": "joined", "name": "<b>Anna</b>", "after_message_id": asked["id"], "at": ""}
    server.push("chat.step", step)
    expect(log.get_by_text("Operator joined · <b>Anna</b>")).to_be_visible()
    answer = server.says("Hi!")
    closed = {**step, "id": 2, "kind": "closed", "name": None, "after_message_id": answer["id"]}
    server.push("chat.step", closed)
    shown = [re.compile("Hello! How"), "Today", re.compile("^You"), "Operator joined · <b>Anna</b>"]
    expect(log.locator(":scope > div > div")).to_have_text([*shown, re.compile("Hi!"), "Chat closed"])
    server.steps = [step, closed]
    page.reload()
    expect(log.locator(":scope > div > div")).to_have_text([*shown, re.compile("Hi!"), "Chat closed"])


CORPUS = [
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "<svg/onload=window.pwned=1>",
    "[x](javascript:window.pwned=1)",
    "[x](JaVaScRiPt:window.pwned=1)",
    "[x](data:text/html,<script>window.pwned=1</script>)",
    '[x](https://example.com/" onclick="window.pwned=1)',
    "![x](https://example.com/x.png)",
    "<https://example.com onmouseover=window.pwned=1>",
    "**<iframe srcdoc='<script>window.pwned=1</script>'>**",
    "```\n</code><script>window.pwned=1</script>\n```",
    ">" * 3000 + " deep",
    "*" * 5000,
    "[" * 5000,
    "`" * 5000,
    "**a" * 3000,
    "\u202eevil\u202c",
]


def test_a_corpus_of_hostile_markdown_is_inert(visit: Visit, server: StandIn) -> None:
    page = visit()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    log = open_chat(page)
    until(page, lambda: bool(server.sockets))
    for text in CORPUS:
        server.says("plain", markdown=text)
    server.says("end")
    expect(log.get_by_text("end", exact=True)).to_be_visible()
    expect(log.locator("script, img, svg, iframe, [onclick], [onmouseover]")).to_have_count(0)
    hrefs = page.evaluate(
        "[...document.querySelector('parley-widget').shadowRoot.querySelectorAll('.log a[href]')].map((a) => a.href)"
    )
    assert all(re.match("https?://", href) for href in hrefs)
    assert page.evaluate("window.pwned") is None
    assert errors == []


def test_a_text_that_is_too_long_says_so_at_once(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    page.locator(".composer textarea").fill("x" * 10_001)
    expect(page.get_by_text("Too long: 10,000 characters at most")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".composer textarea")).to_have_value("x" * 10_001)
    page.locator(".composer textarea").fill("x" * 10_000)
    expect(page.get_by_text("Too long")).to_be_hidden()
    page.keyboard.press("Enter")
    until(page, lambda: [len(body) for body in bodies(server)] == [10_000])


def test_a_flood_is_told_how_long_to_wait_and_sent_then(visit: Visit, server: StandIn) -> None:
    server.sockets_blocked = True
    page = visit()
    open_chat(page)
    expose = {**CORS, "Retry-After": "2", "Access-Control-Expose-Headers": "Retry-After"}
    page.route(
        "**/messages",
        lambda route: route.fallback() if route.request.method != "POST" else route.fulfill(status=429, headers=expose),
        times=2,
    )
    write(page, "hello")
    expect(page.get_by_text("Sending in 2 s")).to_be_visible()
    until(page, lambda: bodies(server) == ["hello"])
    expect(page.get_by_text("Sending in 2 s")).to_be_hidden()


def test_an_answer_to_a_closed_chat_is_previewed(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.keyboard.press("Escape")
    server.says("An <b>answer</b> " + "x" * 200)
    preview = page.locator(".preview")
    expect(preview).to_contain_text("An <b>answer</b>")
    assert len(preview.inner_text().strip()) <= 121
    page.get_by_role("button", name="Dismiss").click()
    expect(preview).to_have_count(0)
    server.says("And another")
    page.get_by_role("button", name="And another").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(preview).to_have_count(0)


def test_unread_is_gone_when_another_tab_has_seen_it(visit: Visit, server: StandIn) -> None:
    first = visit()
    open_chat(first)
    write(first, "hello")
    expect(first.get_by_text("Sent")).to_be_visible()
    first.keyboard.press("Escape")
    second = first.context.new_page()
    second.goto(server.page)
    until(second, lambda: len(server.sockets) == 2)
    server.says("one")
    for page in (first, second):
        expect(page.get_by_role("button", name="Open chat, 1 unread")).to_be_visible()
    open_chat(second)
    expect(first.get_by_role("button", name="Open chat", exact=True)).to_be_visible()


# The page's own script.


def test_the_page_hears_and_says_everything(visit: Visit, server: StandIn) -> None:
    page = visit()
    heard(page, "identified", "language", "rating", "unread")
    page.evaluate(
        "Parley.identify({user_id: '7', identity_hmac: 'ab', name: 'Ada'}); Parley.setAttributes({plan: 'pro'})"
    )
    page.wait_for_function("heard.some(([name]) => name === 'identified')")
    told = sessions(server)[-1]
    assert (told["user_id"], told["identity_hmac"], told["name"]) == ("7", "ab", "Ada")
    until(page, lambda: sessions(server)[-1].get("attributes") == {"plan": "pro"})
    page.evaluate("Parley.setLanguage('de')")
    page.wait_for_function("heard.some(([name, data]) => name === 'language' && data === 'de')")
    page.evaluate("Parley.open()")
    server.push("rating.requested", {})
    page.get_by_role("group").get_by_role("button").nth(3).click()
    page.wait_for_function("heard.some(([name, data]) => name === 'rating' && data.value === 4)")
    assert page.evaluate("heard.find(([name]) => name === 'identified')[1].user_id") == "7"


def test_an_ended_listener_hears_nothing(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate(
        "window.count = 0; const f = () => count++; const end = Parley.on('open', f); Parley.on('close', f);"
        " end(); Parley.off('close', f); Parley.open()"
    )
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("Parley.close()")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("new Promise((done) => setTimeout(() => done(count), 50))") == 0


def test_a_refused_identity_is_left_out_and_the_rest_is_kept(visit: Visit, server: StandIn) -> None:
    page = visit()
    refusal = {"code": "invalid_input", "errors": {"identity_hmac": ["It does not prove this user_id."]}}

    def answer(route: Any) -> None:
        if route.request.method == "POST" and "identity_hmac" in (route.request.post_data or ""):
            route.fulfill(status=422, json=refusal, headers=CORS)
        else:
            route.fallback()

    page.route("**/sessions", answer)
    with page.expect_console_message(lambda entry: "Parley.identify" in entry.text):
        page.evaluate("Parley.identify({user_id: '7', identity_hmac: 'wrong', name: 'Ada'})")
    until(page, lambda: bool(server.sockets))
    told = sessions(server)[-1]
    assert (told.get("user_id"), told.get("identity_hmac"), told["name"]) == (None, None, "Ada")


def test_who_signs_out_is_forgotten(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate("Parley.identify({name: 'Ada'})")
    open_chat(page)
    write(page, "My address is …")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.keyboard.type("half a draft")
    page.evaluate("Parley.reset()")
    expect(bubbles(page)).to_have_count(0)
    expect(page.locator(".composer textarea")).to_have_value("")
    write(page, "Somebody else")
    until(
        page,
        lambda: [[each["body"] for each in thread] for thread in server.messages.values()][-1] == ["Somebody else"],
    )
    assert len(server.messages) == 1  # the first is ended
    assert sessions(server)[-1].get("name") is None
    page.reload()
    expect(bubbles(page)).to_have_text(["Somebody else"])


def test_calls_do_nothing_while_the_api_is_switched_off(visit: Visit, server: StandIn) -> None:
    server.settings["api_enabled"] = False
    page = visit()
    heard(page, "open")
    warnings: list[str] = []
    page.on("console", lambda entry: warnings.append(entry.text) if entry.type == "warning" else None)
    with page.expect_console_message(lambda entry: "switched off" in entry.text):
        page.evaluate("Parley.open(); Parley.identify({name: 'Ada'}); Parley.close()")
    expect(page.get_by_role("dialog")).to_have_count(0)
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    assert sessions(server)[-1].get("name") is None
    assert page.evaluate("heard") == []
    assert warnings == ["Parley: the API of this widget is switched off."]


def test_one_global_and_no_cookie(visit: Visit, server: StandIn) -> None:
    page = visit()
    mine = "(() => { const frame = document.body.appendChild(document.createElement('iframe'));"
    mine += " const names = Object.keys(window).filter((name) => !(name in frame.contentWindow)); frame.remove();"
    mine += " return names.filter((name) => /parley/i.test(name)) })()"
    open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    assert page.evaluate(mine) == ["Parley"]
    assert page.context.cookies() == []


AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
VIOLATIONS = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    rules: {region: {enabled: false}, "landmark-one-main": {enabled: false}}})
    .then(({violations}) => violations.map(({id, nodes}) => [id, nodes.map((node) => node.html.slice(0, 120))]))"""


def violations(page: Page) -> Any:
    page.evaluate(AXE)
    return page.evaluate(VIOLATIONS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("skin", ["classic", "sand", "contrast", "noir"])
def test_it_is_accessible_closed_open_away_and_rated(visit: Visit, server: StandIn, scheme: str, skin: str) -> None:
    server.settings |= {"online": False, "mail_answers": True, "theme": themes(skin, None)}
    page = visit(color_scheme=scheme)
    assert violations(page) == []
    open_chat(page)
    write(page, "see https://example.com/a")
    expect(page.get_by_role("checkbox")).to_be_visible()
    server.push("rating.requested", {})
    server.says("**bold**", markdown="**bold**\n\n> quote\n\n```\ncode\n```")
    server.says("", type="file", url="https://example.com/f", file={"name": "price.pdf", "size": 2048})
    page.get_by_role("group").get_by_role("button").first.click()
    expect(page.locator(".rating textarea")).to_be_visible()
    assert violations(page) == []


def test_the_launcher_says_whether_the_chat_is_open(visit: Visit, server: StandIn) -> None:
    page = visit()
    launcher = page.locator(".launcher")
    expect(launcher).to_have_attribute("aria-expanded", "false")
    open_chat(page)
    expect(launcher).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(launcher).to_have_attribute("aria-expanded", "false")


def test_the_launcher_is_there_soon_on_a_slow_network(server: StandIn, new_context: Callable[..., Any]) -> None:
    """The config and the launcher are asked for at once: with 400 ms of latency that is two waits, and no third."""
    page = new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1].partition("?")[0]))
    page.goto(server.page)
    expect(page.locator("parley-widget .launcher")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert sorted(asked[2:]) == ["config", "launcher.js"]


# Thumbs.


def test_a_visitor_says_whether_an_answer_helped(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    write(page, "How much?")
    expect(log.get_by_text("How much?")).to_be_visible()
    server.says("A person writes", sender={"kind": "agent", "name": "Anna"})
    message = server.says("90 each", sender={"kind": "ai", "name": "Ada"})
    up, down = (log.get_by_role("button", name=name, exact=True) for name in ("Helpful", "Not helpful"))
    expect(up).to_have_count(1)
    expect(up).to_have_attribute("aria-pressed", "false")
    up.click()
    expect(up).to_have_attribute("aria-pressed", "true")
    down.click()
    expect(down).to_have_attribute("aria-pressed", "true")
    expect(up).to_have_attribute("aria-pressed", "false")
    until(page, lambda: len(thumbs(server)) == 2)
    page.wait_for_load_state("networkidle")  # an answer that a reload cuts off counts as none
    page.reload()
    open_chat(page)
    expect(down).to_have_attribute("aria-pressed", "true")
    down.click()
    expect(down).to_have_attribute("aria-pressed", "false")
    until(page, lambda: len(thumbs(server)) == 3)
    assert [each["helpful"] for each in thumbs(server)] == [True, False, None]
    assert {each["message_id"] for each in thumbs(server)} == {message["id"]}


def thumbs(server: StandIn) -> list[dict[str, Any]]:
    return [data for call, data in server.calls if call == "feedback"]
