"""What a visitor sees and does, in a real browser against a real server of the widget's HTTP and websocket calls."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from apps.chats.rules.languages import LANGUAGES as CODES
from apps.widget.rules.snippet import stub_source
from tests.widget.frontend.chat import bodies, bubbles, open_chat, until, write
from tests.widget.frontend.server import CORS, StandIn
from tests.widget.frontend.test_features import heard

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
STRICT = (
    "default-src 'none'; script-src {base}; connect-src {base} {realtime}; img-src {base}; "
    "base-uri 'none'; require-trusted-types-for 'script'"
)


def test_escape_closes_and_gives_the_focus_back(visit: Visit, server: StandIn) -> None:
    page = visit()
    launcher = page.get_by_role("button", name="Open chat")
    launcher.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".composer textarea")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(launcher).to_be_focused()


def told(page: Page) -> list[str]:
    """The events that the page has heard of. It hears each in a task of its own, in their order."""
    names: list[str] = page.evaluate("new Promise((then) => setTimeout(then)).then(() => heard.map(([name]) => name))")
    return names


def test_escape_calls_back_a_chat_that_is_on_its_way(visit: Visit, server: StandIn) -> None:
    page = visit()
    held: list[Route] = []
    page.route("**/widget/chat.js", lambda route: held.append(route))
    heard(page, "open", "close")
    launcher = page.get_by_role("button", name="Open chat")
    launcher.click()
    until(page, lambda: len(held) == 1)
    page.keyboard.press("Escape")
    assert page.evaluate("Object.keys(sessionStorage).some((key) => key.endsWith(':open'))") is False
    held[0].continue_()
    page.locator("parley-widget .panel").wait_for(state="attached")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(launcher).to_be_focused()
    assert told(page) == ["close"]


def test_a_chat_that_is_called_back_and_called_again_opens_once(visit: Visit, server: StandIn) -> None:
    page = visit()
    held: list[Route] = []
    page.route("**/widget/chat.js", lambda route: held.append(route))
    heard(page, "open", "close")
    page.get_by_role("button", name="Open chat").click()
    until(page, lambda: len(held) == 1)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    held[0].continue_()
    expect(page.locator(".composer textarea")).to_be_focused()
    assert told(page) == ["close", "open"]


@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_the_focus_stays_inside_while_open(visit: Visit, server: StandIn, key: str) -> None:
    server.settings["online"] = False
    page = visit()
    open_chat(page)
    expect(page.get_by_role("button", name="Attach a file")).to_be_visible()
    seen = set()
    for _ in range(14):
        page.keyboard.press(key)
        inside = page.evaluate(
            "() => { const node = document.querySelector('parley-widget').shadowRoot.activeElement;"
            " return node && node.closest('[role=dialog]') && node.outerHTML.slice(0, 80) }"
        )
        assert inside, "the focus left the dialog"
        seen.add(inside)
    assert len(seen) == 6, "every control is reached, the first after the last"


def test_roles_and_names_are_there_for_a_screen_reader(visit: Visit, server: StandIn) -> None:
    page = visit()
    expect(page.get_by_role("button", name="Open chat")).to_have_attribute("aria-haspopup", "dialog")
    open_chat(page)
    expect(page.get_by_role("dialog", name="Teapot & Co")).to_be_visible()
    expect(page.get_by_role("log", name="Messages")).to_be_visible()
    expect(page.get_by_role("textbox", name="Write a message…")).to_be_focused()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(page.get_by_role("button", name="Close chat")).to_be_visible()
    assert page.evaluate("document.querySelector('parley-widget').shadowRoot.mode") == "open"


def test_the_launcher_counts_what_is_unread(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    write(page, "hello")
    expect(log.get_by_text("Sent")).to_be_visible()
    page.get_by_role("button", name="Close chat").click()
    server.says("one")
    server.says("two")
    expect(page.get_by_role("button", name="Open chat, 2 unread")).to_have_text("2")
    page.reload()
    expect(page.get_by_role("button", name="Open chat, 2 unread")).to_be_visible()
    open_chat(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open chat", exact=True)).to_have_text("")


def test_typing_is_shown_and_told(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    page.keyboard.type("abc")
    until(page, lambda: {"type": "typing", "data": {"state": "start"}} in server.frames)
    assert sum(frame["type"] == "typing" for frame in server.frames) == 1
    server.push("typing", {"chat_id": 1, "state": "start", "name": "Anna"})
    expect(page.get_by_text("Anna is typing…")).to_be_visible()
    server.says("done")
    expect(page.get_by_text("Anna is typing…")).to_be_hidden()


@pytest.mark.parametrize("value", [1, 5])
def test_a_requested_rating_is_given_with_one_press(visit: Visit, server: StandIn, value: int) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.push("rating.requested", {})
    marks = page.get_by_role("group", name="How did we do?").get_by_role("button")
    expect(marks).to_have_count(5)
    names = [mark.get_attribute("aria-label") or "" for mark in marks.all()]
    assert [name[0] for name in names] == list("12345")
    marks.nth(value - 1).click()
    expect(page.get_by_text("Thank you!")).to_be_visible()
    assert ("rating", {"value": value}) in server.calls


def test_a_rating_can_be_changed_and_have_a_comment(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.push("rating.requested", {})
    marks = page.get_by_role("group", name="How did we do?").get_by_role("button")
    comment = page.locator(".rating textarea")
    expect(comment).to_be_hidden()
    marks.nth(1).click()
    server.push("rating.created", {})
    expect(marks.nth(1)).to_have_attribute("aria-pressed", "true")
    marks.nth(3).click()
    until(page, lambda: ("rating", {"value": 4}) in server.calls)
    expect(marks.nth(4)).to_have_attribute("aria-pressed", "false")
    comment.fill("Very quick")
    page.locator(".rating .key").click()
    until(page, lambda: ("rating", {"value": 4, "comment": "Very quick"}) in server.calls)
    expect(comment).to_be_hidden()
    assert next(data for call, data in server.calls if call == "rating") == {"value": 2}


def write_while_away(page: Page, server: StandIn, body: str = "Call me") -> None:
    """Until the form is there, which stands below the first message."""
    open_chat(page)
    write(page, body)
    until(page, lambda: bodies(server) == [body])
    expect(page.get_by_role("textbox", name="E-mail")).to_be_visible()


MONDAY = "2030-01-07T10:00:00Z"


def head_of(page: Page) -> Locator:
    """The line that says who answers."""
    return page.locator(".head div > p").last


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ({"online": True}, "Anna, Boris"),
        ({"online": True, "back_at": MONDAY, "closed_text": "New Year!"}, "Anna, Boris"),
        ({"online": False, "ai": {}, "back_at": MONDAY}, "AI answers"),
        ({"online": False, "ai": {}, "closed_text": "New Year!"}, "AI answers"),
        ({"online": False, "back_at": MONDAY}, "We’ll be back: Monday 10:00 AM"),
        ({"online": False, "back_at": MONDAY, "closed_text": "New Year!"}, "New Year!"),
        ({"online": False}, "We’re away, but do write to us"),
    ],
)
def test_one_sentence_fits_the_state_in_the_head_and_in_the_log(
    visit: Visit, server: StandIn, state: dict[str, Any], sentence: str
) -> None:
    server.settings |= state
    page = visit(timezone_id="UTC")
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    expect(head_of(page)).to_have_text(sentence)
    nobody = not state["online"] and "ai" not in state
    expect(page.locator(".away")).to_have_count(int(nobody))
    # The other note is the day's.
    expect(page.locator(".log .note")).to_have_count(1 + nobody)
    expect(page.locator(".log .note").get_by_text(sentence)).to_have_count(int(nobody))


def test_the_form_is_there_once_ai_leaves_a_message_unanswered_and_goes_when_it_answers(
    visit: Visit, server: StandIn
) -> None:
    server.settings |= {"online": False, "ai": {}, "back_at": MONDAY}
    page = visit(timezone_id="UTC")
    page.clock.install()
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    status = head_of(page)
    page.clock.run_for(50_000)
    expect(status).to_have_text("AI answers")
    expect(page.locator(".away")).to_have_count(0)
    page.clock.run_for(11_000)
    expect(page.locator(".away")).to_be_visible()
    expect(status).to_have_text("We’ll be back: Monday 10:00 AM")
    server.says("Roses are 90.")
    expect(page.locator(".away")).to_have_count(0)
    expect(status).to_have_text("AI answers")


def test_on_a_phone_the_form_takes_less_than_half_of_the_conversation(visit: Visit, server: StandIn) -> None:
    server.settings |= {"online": False, "back_at": MONDAY, "mail_answers": True, "language": "ru"}
    page = visit()
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".launcher").click()
    write(page, "Сколько стоят розы?")
    form, log = page.locator(".away"), page.locator(".log")
    expect(form).to_be_visible()
    shown, whole = form.bounding_box(), log.bounding_box()
    assert shown is not None
    assert whole is not None
    assert shown["height"] * 2 < whole["height"]
    assert shown["x"] + shown["width"] <= 390


@pytest.mark.parametrize(("language", "told"), [("en", "Check the e-mail address."), ("ru", "Проверьте адрес почты.")])
def test_a_refusal_of_the_form_is_in_the_visitors_language_at_its_field(
    visit: Visit, server: StandIn, language: str, told: str
) -> None:
    server.settings |= {"online": False, "language": language}
    page = visit()
    page.locator(".launcher").click()
    write(page, "Call me")
    email = page.locator(".away [name=email]")
    refuse(page, "offline", 422, {"code": "invalid_input", "errors": {"email": ["Enter a valid e-mail address."]}})
    email.fill("ada@example")
    page.locator(".away .key").click()
    expect(page.get_by_text(told)).to_be_visible()
    expect(email).to_be_focused()
    expect(email).to_have_value("ada@example")


def refuse(page: Page, path: str, status: int, problem: dict[str, Any]) -> None:
    def answer(route: Route) -> None:
        if route.request.method == "OPTIONS":
            route.fallback()
        else:
            route.fulfill(status=status, json=problem, headers=CORS)

    page.route(f"**/{path}", answer)


def test_a_half_filled_form_outlives_messages_and_a_reload(visit: Visit, server: StandIn) -> None:
    server.settings["online"] = False
    page = visit()
    write_while_away(page, server)
    name, email = page.locator(".away [name=name]"), page.locator(".away [name=email]")
    name.fill("Ada")
    email.fill("ada@exam")
    write(page, "And one more thing")
    expect(bubbles(page)).to_have_text(["Call me", "And one more thing"])
    for field, value in ((name, "Ada"), (email, "ada@exam")):
        expect(field).to_have_value(value)
    page.reload()
    for field, value in ((name, "Ada"), (email, "ada@exam")):
        expect(field).to_have_value(value)


def test_whose_address_the_page_has_told_is_not_asked_for_it(visit: Visit, server: StandIn) -> None:
    server.settings["online"] = False
    page = visit()
    page.evaluate("Parley.identify({ email: 'ada@example.com' })")
    open_chat(page)
    write(page, "Call me")
    expect(page.get_by_text("Sent")).to_be_visible()
    expect(page.locator(".away")).to_have_count(0)


def test_the_mailbox_is_asked_for_where_it_helps_and_can_be_put_away(visit: Visit, server: StandIn) -> None:
    server.settings["email_codes"] = {"ask": "Confirm your e-mail", "code": "Code"}
    page = visit()
    page.clock.install()
    open_chat(page)
    asks = page.locator(".proof")
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    expect(asks).to_have_count(0)
    page.clock.fast_forward(61_000)
    expect(asks).to_contain_text("Confirm your e-mail")
    expect(page.get_by_text("Then your orders and your account can be talked about here.")).to_be_visible()
    refuse(page, "verification", 409, {"code": "agent_handles_chat"})
    page.locator(".proof input").fill("ada@example.com")
    page.locator(".proof .key").click()
    expect(page.get_by_text("A person is talking with you already: no code is needed.")).to_be_visible()
    asks.get_by_role("button", name="Not now").click()
    expect(asks).to_have_count(0)
    page.reload()
    expect(bubbles(page)).to_have_text(["Hello"])
    page.clock.fast_forward(61_000)
    expect(asks).to_have_count(0)


def test_the_mailbox_is_not_asked_for_once_a_person_has_answered(visit: Visit, server: StandIn) -> None:
    server.settings["email_codes"] = {"ask": "Confirm your e-mail", "code": "Code"}
    page = visit()
    page.clock.install()
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    page.clock.fast_forward(61_000)
    expect(page.locator(".proof")).to_be_visible()
    server.says("It is free.")
    expect(page.locator(".proof")).to_have_count(0)


def test_a_chat_that_ended_begins_anew(visit: Visit, server: StandIn) -> None:
    server.settings["ai"] = {"greeting": None, "quick_phrases": ["Where is my order?"]}
    page = visit()
    open_chat(page)
    write(page, "Hello")
    phrase = page.get_by_role("button", name="Where is my order?")
    expect(bubbles(page)).to_have_text(["Hello"])
    expect(phrase).to_be_hidden()
    (hello,) = next(iter(server.messages.values()))
    until(page, lambda: bool(server.sockets))
    server.push("chat.step", {"id": 5, "kind": "closed", "name": None, "after_message_id": hello["id"]})
    phrase.click()
    expect(bubbles(page)).to_have_text(["Hello", "Where is my order?"])


def test_what_is_older_than_a_hundred_messages_comes_when_it_is_scrolled_to(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.messages))
    server.hang_up()
    for number in range(230):
        server.says(f"No. {number}.")
    page.reload()
    expect(bubbles(page)).to_have_count(100)
    for count in (200, 230):  # more may come at once, where its end is still in sight
        page.get_by_role("log").evaluate("(log) => log.scrollTo(0, -1e6)")
        until(page, lambda: bubbles(page).count() >= count)  # noqa: B023
    expect(bubbles(page).first).to_have_text("No. 0.")
    page.get_by_role("log").evaluate("(log) => { log.scrollTo(0, 0); log.scrollTo(0, -1e6) }")
    page.wait_for_load_state("networkidle")
    asked = [query["before_id"] for call, query in server.calls if call == "messages" and "before_id" in query]
    assert len(asked) == len(set(asked)) <= 3


def test_a_day_of_another_year_has_its_year(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.messages))
    for year in (2024, 2025):
        server.says(f"In {year}", created_at=f"{year}-11-25T12:00:00Z")
    expect(page.get_by_text("November 25, 2024")).to_be_visible()
    expect(page.get_by_text("November 25, 2025")).to_be_visible()


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"body": "We open at nine."}, "AnnaWe open at nine."),
        ({"type": "image", "name": "tea.png", "url": "https://shop.example/tea.png"}, "AnnaPicture"),
        (
            {"type": "file", "name": "prices.pdf", "url": "https://shop.example/p", "body": "Here"},
            "Annaprices.pdf · Here",
        ),
        ({"type": "sticker", "sticker": {"url": None}}, "AnnaSticker"),
        ({"type": "location", "coords": {"lat": 1, "lng": 2}}, "AnnaA place on the map"),
        ({"body": "We open on Monday. " * 20}, "Anna" + ("We open on Monday. " * 6 + "We…")),
    ],
)
def test_the_preview_shows_who_and_what(visit: Visit, server: StandIn, fields: dict[str, Any], shown: str) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    page.get_by_role("button", name="Close chat").click()
    server.says(**fields)
    expect(page.locator(".preview button").first).to_have_text(shown)


def test_one_of_the_tabs_rings_and_none_while_the_chat_is_seen(visit: Visit, server: StandIn) -> None:
    server.settings["widget_sound"] = True
    page = visit()
    page.add_init_script(TONES)
    page.reload()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    page.get_by_role("button", name="Close chat").click()
    others = [page.context.new_page() for _ in range(2)]
    for other in others:
        other.add_init_script(TONES)
        other.goto(server.page)
    until(page, lambda: len(server.sockets) == 3)
    server.says("We open at nine.")
    tabs = [page, *others]
    for tab in tabs:
        expect(tab.locator(".preview")).to_be_visible()
    until(page, lambda: sum(tab.evaluate("tones") for tab in tabs) > 0)
    page.wait_for_function("document.querySelector('parley-widget') && true")
    others[0].bring_to_front()
    others[0].locator(".launcher").click()
    expect(others[0].get_by_role("dialog").get_by_text("We open at nine.")).to_be_visible()
    server.says("And close at six.")
    expect(others[0].get_by_role("dialog").get_by_text("And close at six.")).to_be_visible()
    until(
        page,
        lambda: page.evaluate(
            "JSON.parse(localStorage[Object.keys(localStorage).find((k) => k.endsWith(':read'))]) > 1"
        ),
    )
    assert sum(tab.evaluate("tones") for tab in tabs) == 1


TONES = """window.tones = 0;
window.AudioContext = class {
  constructor() { tones++ }
  currentTime = 0;
  destination = {};
  createOscillator() { return { frequency: {}, connect: (next) => next, start() {}, stop() {} } }
  createGain() {
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (next) => next };
  }
}"""


def test_a_rating_given_in_another_tab_is_asked_for_no_longer(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    marks = page.get_by_role("group", name="How did we do?").get_by_role("button")
    server.push("rating.requested", {})
    expect(marks).to_have_count(5)
    server.push("rating.created", {})
    expect(marks).to_have_count(0)
    server.push("rating.requested", {})
    marks.nth(4).click()
    expect(page.get_by_text("Thank you!")).to_be_visible()
    server.push("rating.created", {})
    server.says("done")
    expect(page.get_by_text("done")).to_be_visible()
    expect(page.get_by_text("Thank you!")).to_be_visible()


def test_who_writes_while_nobody_is_there_says_how_to_reach_them(visit: Visit, server: StandIn) -> None:
    server.settings["online"] = False
    page = visit()
    open_chat(page)
    expect(page.get_by_text("Leave your contacts")).to_be_hidden()
    write_while_away(page, server)
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("textbox", name="Name").fill("Ada")
    page.get_by_role("textbox", name="E-mail").fill("ada@example.com")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Thank you!")).to_be_visible()
    said = [data for call, data in server.calls if call == "offline"]
    (message,) = next(iter(server.messages.values()))
    assert said == [{"message_id": message["id"], "name": "Ada", "email": "ada@example.com"}]
    expect(page.locator(".composer textarea")).to_be_focused()
    page.reload()
    write(page, "And one more thing")
    expect(bubbles(page)).to_have_text(["Call me", "And one more thing"])
    expect(page.get_by_text("Leave your contacts")).to_be_hidden()


def test_an_answer_is_mailed_to_who_asks_for_it(visit: Visit, server: StandIn) -> None:
    server.settings |= {"online": False, "mail_answers": True, "back_at": "2026-11-30T09:00:00Z"}
    page = visit(timezone_id="Europe/Berlin")
    write_while_away(page, server)
    expect(page.locator(".log").get_by_text("We’ll be back: Monday")).to_contain_text("10:00")
    page.get_by_role("textbox", name="E-mail").fill("ada@example.com")
    page.get_by_role("checkbox", name="E-mail me the answer").check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Thank you!")).to_be_visible()
    (said,) = [data for call, data in server.calls if call == "offline"]
    assert said["mail_answers"] is True


def test_the_form_leaves_when_an_operator_comes(visit: Visit, server: StandIn) -> None:
    server.settings["online"] = False
    page = visit()
    write_while_away(page, server)
    server.settings["online"] = True
    server.push("agent.presence", {"agent_id": 7, "online": True})
    expect(page.get_by_text("Leave your contacts")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "placeholder", "direction"),
    [
        ("ru", "Напишите сообщение…", "ltr"),
        ("en", "Write a message…", "ltr"),
        ("el", "Γράψτε ένα μήνυμα…", "ltr"),
        ("de", "Nachricht schreiben…", "ltr"),
        ("es", "Escriba un mensaje…", "ltr"),
        ("ar", "اكتب رسالة…", "rtl"),
        ("zh", "输入消息…", "ltr"),
    ],
)
def test_it_speaks_the_language_of_the_settings(
    visit: Visit, server: StandIn, language: str, placeholder: str, direction: str
) -> None:
    server.settings["language"] = language
    page = visit()
    log = open_chat(page)
    expect(page.get_by_placeholder(placeholder)).to_be_visible()
    expect(log).to_have_css("direction", direction)


def test_every_language_has_every_text(visit: Visit, server: StandIn) -> None:
    page = visit()
    modules = [f"{server.base}/static/widget/languages/{language}.js" for language in CODES]
    names = "then(({texts}) => Object.keys(texts).join())"
    assert len({page.evaluate(f"import('{url}').{names}") for url in modules}) == 1


def test_the_page_may_name_the_language(visit: Visit, server: StandIn) -> None:
    server.lang_tag = ' data-lang="de"'
    visit()
    assert ("config", {"lang": "de"}) in server.calls


def test_the_demo_page_shows_the_chat_to_answer_in(visit: Visit, server: StandIn) -> None:
    page = visit()
    strict = STRICT.format(base=server.base, realtime=server.base.replace("http", "ws"))
    server.csp = f"{strict}; style-src {server.base}".replace("script-src", f"script-src {stub_source()}")
    complaints: list[str] = []
    page.on("console", lambda entry: complaints.append(entry.text) if entry.type == "error" else None)
    page.goto(f"{server.page}demo/")
    page.get_by_role("button", name="Ask the tea master").click()
    write(page, "Which oolong is mild?")
    expect(page.get_by_text("You are in chat 1.")).to_be_visible()
    for call in ("messages", "rate-request"):
        expect(page.locator("pre", has_text=call)).to_contain_text(f"/api/v1/chats/1/{call}")
    expect(page.get_by_role("link", name="API documentation")).to_have_attribute("href", f"{server.base}/api/docs")
    assert complaints == []


def test_it_works_under_a_strict_policy(visit: Visit, server: StandIn) -> None:
    server.csp = STRICT.format(base=server.base, realtime=server.base.replace("http", "ws"))
    page = visit()
    complaints: list[str] = []
    page.on("console", lambda entry: complaints.append(entry.text) if "Content Security" in entry.text else None)
    page.reload()
    open_chat(page)
    write(page, "strict")
    expect(page.get_by_text("Sent")).to_be_visible()
    server.says("seen", type="image", url=f"{server.base}/none.png", name="none.png")
    expect(bubbles(page)).to_have_count(2)
    expect(page.locator(".launcher")).to_have_css("border-radius", "50%")
    assert complaints == []
    assert server.frames, "the websocket was not used"


def test_hostile_texts_are_inert(visit: Visit, server: StandIn) -> None:
    hostile = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script> javascript:alert(1)'
    server.settings.update(widget_name=hostile, widget_greeting=hostile)
    server.present = [{"name": hostile, "avatar_url": "javascript:1"}]
    page = visit()
    open_chat(page)
    write(page, hostile)
    expect(page.get_by_text("Sent")).to_be_visible()
    server.says(hostile, sender={"kind": "agent", "name": hostile})
    server.says(
        hostile, type="keyboard", keyboard={"buttons": [{"label": hostile, "url": "javascript:window.pwned=1"}]}
    )
    for kind in ("file", "image", "sticker"):
        bad = "javascript:window.pwned=1"
        server.says("", type=kind, url=bad, file={"name": hostile}, sticker={"id": 1, "url": bad})
    expect(bubbles(page)).to_have_count(6)
    expect(bubbles(page).nth(1)).to_have_text(hostile)
    root = page.locator("parley-widget")
    expect(root.locator("img, script")).to_have_count(0)
    expect(root.locator("a[href]")).to_have_count(0)
    assert page.evaluate("window.pwned") is None


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("see https://example.com/a?b=c.", "https://example.com/a?b=c"),
        ("(see https://example.com/a).", "https://example.com/a"),
        ("https://example.com/Tea_(drink)", "https://example.com/Tea_(drink)"),
        ("[https://example.com/Tea_(drink)/cups]", "https://example.com/Tea_(drink)/cups"),
        ("(https://example.com/Tea_(drink)), \u201chttps\u201d", "https://example.com/Tea_(drink)"),
    ],
)
def test_an_address_is_a_link_without_what_ends_its_sentence(
    visit: Visit, server: StandIn, text: str, linked: str
) -> None:
    page = visit()
    log = open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.says(text)
    expect(log.get_by_role("link")).to_have_text([linked])
    expect(log.get_by_role("link")).to_have_attribute("href", linked)
    expect(log).to_contain_text(text)


def test_every_type_of_message_is_drawn(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    write(page, "see https://example.com/a?b=c.")
    expect(page.get_by_text("Sent")).to_be_visible()
    expect(log.get_by_role("link", name="https://example.com/a?b=c")).to_have_attribute(
        "href", "https://example.com/a?b=c"
    )
    server.says("", type="file", url="https://example.com/f", file={"name": "price.pdf", "size": 2048})
    server.says("", type="location", coords={"lat": 55.75, "lng": 37.61})
    server.says(
        "Look",
        type="keyboard",
        keyboard={"buttons": [{"label": "Terms", "url": "https://example.com/t", "style": "secondary"}]},
    )
    server.says("", type="sticker", sticker={"id": 1})
    server.says("Anna joined", sender={"kind": "system", "name": None})
    server.says("90 each", sender={"kind": "ai", "name": "Ada"})
    expect(log.get_by_text("Ada (AI)")).to_be_visible()
    expect(log.get_by_text("An AI is answering you. It can make mistakes.")).to_have_count(1)
    expect(log.get_by_role("link", name="price.pdf 2 KB")).to_have_attribute("href", "https://example.com/f")
    expect(log.get_by_role("link", name="55.75, 37.61")).to_have_attribute(
        "href", re.compile("^https://www.openstreetmap.org/")
    )
    terms = log.get_by_role("link", name="Terms")
    expect(terms).to_have_attribute("target", "_blank")
    expect(terms).to_have_attribute("rel", re.compile("noopener"))
    expect(log.get_by_text("☺")).to_be_visible()
    expect(log.locator(".note:not(.disclosure)").last).to_have_text("Anna joined")


def test_it_fills_the_screen_of_a_phone(visit: Visit, server: StandIn) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True)
    open_chat(page)
    assert page.get_by_role("dialog").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}


def test_the_page_can_drive_it(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate(
        "window.heard = []; for (const name of ['open', 'close', 'message', 'unread'])"
        " Parley.on(name, (data) => heard.push([name, data?.body ?? data ?? null]));"
        " Parley.identify({name: 'Ada', attributes: {plan: 'pro'}})"
    )
    until(page, lambda: bool(server.sockets))
    [session] = [data for call, data in server.calls if call == "sessions"]
    assert (session["name"], session["attributes"], session["page_url"]) == ("Ada", {"plan": "pro"}, server.page)
    server.says("psst")
    expect(page.get_by_role("button", name="Open chat, 1 unread")).to_be_visible()
    page.evaluate("Parley.open()")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate("Parley.close()")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.wait_for_function("heard.length === 5")
    assert page.evaluate("heard") == [
        ["message", "psst"],
        ["unread", 1],
        ["unread", 0],
        ["open", None],
        ["close", None],
    ]


def test_no_visitor_is_made_before_somebody_writes_or_opens(visit: Visit, server: StandIn) -> None:
    page = visit()
    expect(page.get_by_role("button", name="Open chat")).to_be_visible()
    assert [call for call, _ in server.calls] == ["config"]
    assert server.messages == {}


def test_what_others_left_in_the_storage_does_not_keep_it_from_starting(visit: Visit, server: StandIn) -> None:
    """The storage is the page's: what is no JSON counts as nothing."""
    page = visit()
    open_chat(page)
    write(page, "Before")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.evaluate(
        """() => {
            const start = Object.keys(localStorage).find((name) => name.endsWith(":token")).slice(0, -"token".length);
            for (const key of ["token", "read", "queue:1:broken"]) localStorage[start + key] = "{cut off";
        }"""
    )
    page.reload()
    open_chat(page)
    write(page, "After")
    until(page, lambda: bodies(server)[-1] == "After")
