"""What the widget says of letters, at the thread's end, and the chat that a letter's link opens."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from apps.widget.rules.languages import CLOSED
from tests.widget.frontend.chat import bubbles, open_chat, until, write
from tests.widget.frontend.server import StandIn

Visit = Callable[..., Page]
NONE: dict[str, Any] = {"mode": "on", "address": None, "state": "none"}
WILL: dict[str, Any] = {"mode": "on", "address": "mary@mail.test", "state": "will"}
LETTER = "eyJsZXR0ZXIi.OjF9:1abcde:signature"


def calls(server: StandIn, name: str) -> list[Any]:
    return [data for call, data in server.calls if call == name]


def test_it_says_where_an_answer_goes_and_the_address_can_be_changed(visit: Visit, server: StandIn) -> None:
    server.letters = WILL
    page = visit()
    open_chat(page)
    write(page, "Hello")
    line = page.locator(".reach")
    expect(line).to_contain_text("If you leave, we write to mary@mail.test")
    line.get_by_role("button", name="Change").click()
    field = line.get_by_role("textbox", name="E-mail")
    expect(field).to_be_focused()
    field.fill("mary@right")
    server.says("Wait a moment")
    expect(bubbles(page)).to_have_count(2)
    expect(field).to_have_value("mary@right")
    line.get_by_role("button", name="Submit").click()
    expect(line.get_by_role("status")).to_have_text("Check the e-mail address.")
    field.fill("mary@right.test")
    line.get_by_role("button", name="Submit").click()
    expect(line).to_contain_text("If you leave, we write to mary@right.test")
    assert calls(server, "address") == [{"email": "mary@right"}, {"email": "mary@right.test"}]


def test_a_half_filled_address_survives_a_reload(visit: Visit, server: StandIn) -> None:
    server.letters = WILL
    page = visit()
    open_chat(page)
    write(page, "Hello")
    page.locator(".reach").get_by_role("button", name="Change").click()
    page.locator(".reach input").fill("half@")
    page.reload()
    expect(page.locator(".reach input")).to_have_value("half@")


def test_who_is_answered_soon_is_not_asked(visit: Visit, server: StandIn) -> None:
    server.letters = NONE
    page = visit()
    open_chat(page)
    write(page, "Hello")
    expect(bubbles(page)).to_have_count(1)
    expect(page.locator(".reach")).to_have_count(0)


def test_who_waits_for_a_minute_is_asked(visit: Visit, server: StandIn) -> None:
    server.letters = NONE
    page = visit()
    page.clock.install()
    page.reload()
    open_chat(page)
    write(page, "Hello")
    expect(bubbles(page)).to_have_count(1)
    asks = page.locator(".address")
    expect(asks).to_have_count(0)
    page.clock.fast_forward(62_000)
    expect(asks).to_contain_text("Leave an e-mail for the answer")
    asks.get_by_role("textbox", name="E-mail").fill("mary@mail.test")
    asks.get_by_role("button", name="Submit").click()
    expect(page.locator(".reach")).to_contain_text("If you leave, we write to mary@mail.test")


def test_an_address_alone_in_a_message_is_offered(visit: Visit, server: StandIn) -> None:
    server.letters = NONE
    page = visit()
    open_chat(page)
    write(page, "peter@mail.test")
    asks = page.locator(".address")
    expect(asks).to_contain_text("Write to peter@mail.test?")
    asks.get_by_role("button", name="Yes").click()
    expect(asks).to_have_count(0)
    expect(page.locator(".reach")).to_contain_text("If you leave, we write to peter@mail.test")


def test_there_is_one_address_field_at_a_time(visit: Visit, server: StandIn) -> None:
    server.settings["online"] = False
    server.letters = NONE
    page = visit()
    open_chat(page)
    write(page, "Anybody?")
    expect(page.get_by_text("Leave your contacts")).to_be_visible()
    expect(page.locator(".ask")).to_have_count(1)
    expect(page.locator(".reach")).to_have_count(0)
    expect(page.locator(".log input[type=email]")).to_have_count(1)


@pytest.mark.parametrize("language", sorted(CLOSED))
def test_every_language_says_it(visit: Visit, server: StandIn, language: str) -> None:
    server.letters = {**WILL, "state": "dead"}
    server.settings["language"] = language
    page = visit(viewport={"width": 390, "height": 700})
    open_chat(page)
    write(page, "Hello")
    expect(page.locator(".reach bdi")).to_have_text("mary@mail.test")
    text = page.locator(".reach").inner_text()
    assert text.replace("mary@mail.test", "").strip()
    assert "#" not in text
    assert ("not exist" in text) == (language == "en")


class TestALettersLink:
    def test_it_opens_the_chat_in_this_tab_beside_the_browsers_own_visitor(self, visit: Visit, server: StandIn) -> None:
        server.letters = {**WILL, "address": "m•••@mail.test"}
        page = visit()
        open_chat(page)
        write(page, "I am somebody else")
        expect(bubbles(page)).to_have_count(1)
        mine = page.evaluate(f"localStorage['parley:{server.guid}:token']")
        server.messages["of-the-letter"] = []
        server.letters_of[LETTER] = "of-the-letter"
        server.says("Pu-erh, too", token="of-the-letter")
        other = page.context.new_page()
        other.goto(f"{server.page}#letter={LETTER}")
        question = other.get_by_role("alertdialog")
        expect(question).to_contain_text("This link opens another chat")
        assert "letter" not in other.url
        assert all("letter" not in data for data in calls(server, "sessions"))
        question.get_by_role("button", name="Open it").click()
        expect(bubbles(other)).to_contain_text(["Pu-erh, too"])
        assert calls(server, "sessions")[-1] == {
            **calls(server, "sessions")[-1],
            "letter": LETTER,
            "visitor_token": str(mine).strip('"'),
            "letter_agreed": True,
        }
        assert other.evaluate(f"localStorage['parley:{server.guid}:token']") == mine
        write(other, "Thanks")
        expect(other.locator(".reach")).to_contain_text("If you leave, we write to m•••@mail.test")
        expect(other.locator(".reach button")).to_have_count(0)
        other.reload()
        expect(bubbles(other)).to_contain_text(["Pu-erh, too", "Thanks"])
        assert "letter" not in calls(server, "sessions")[-1]

    def test_who_declines_keeps_the_chat_of_this_browser(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        open_chat(page)
        write(page, "I am somebody else")
        expect(page.get_by_text("Sent")).to_be_visible()
        server.messages["of-the-letter"] = []
        server.letters_of[LETTER] = "of-the-letter"
        server.says("Pu-erh, too", token="of-the-letter")
        page.goto("about:blank")
        page.goto(f"{server.page}#letter={LETTER}")
        page.get_by_role("button", name="Keep my chat").click()
        expect(page.get_by_role("alertdialog")).to_have_count(0)
        expect(bubbles(page)).to_have_text(["I am somebody else"])
        assert all("letter" not in data for data in calls(server, "sessions"))

    @pytest.mark.parametrize("language", sorted(CLOSED))
    def test_the_question_is_in_every_language(self, visit: Visit, server: StandIn, language: str) -> None:
        server.settings["language"] = language
        page = visit()
        page.evaluate(f"localStorage['parley:{server.guid}:token'] = '\"mine\"'")
        page.goto("about:blank")
        page.goto(f"{server.page}#letter={LETTER}")
        question = page.get_by_role("alertdialog")
        expect(question.get_by_role("button")).to_have_count(2)
        text = question.inner_text()
        assert ("another chat" in text) == (language == "en")

    def test_one_that_is_over_begins_a_new_chat(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        page.goto("about:blank")
        page.goto(f"{server.page}#letter={LETTER}")
        write(page, "Is anybody here?")
        expect(bubbles(page)).to_contain_text(["Is anybody here?"])


def test_the_server_is_told_whether_the_page_is_in_sight(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "Hello")
    expect(bubbles(page)).to_have_count(1)
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    until(page, lambda: {"type": "visible", "data": {"visible": False}} in server.frames)
