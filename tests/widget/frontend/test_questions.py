"""Questions before a chat as a visitor meets them: a form above the composer, whose answers go with the first words."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.widget.frontend.chat import bodies, open_chat, until, write
from tests.widget.frontend.server import StandIn
from tests.widget.frontend.test_features import heard, violations

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
TOPIC = {
    "key": "topic",
    "kind": "choice",
    "label": "Topic",
    "required": True,
    "options": [{"value": "order", "label": "An order"}, {"value": "tea", "label": "Tea"}],
}
ORDER = {"key": "order_no", "label": "Order number", "required": True, "when": {"topic": ["order"]}}
AGREE = {
    "key": "agree",
    "kind": "consent",
    "required": True,
    "label": "I agree to the [rules](https://shop.example/rules)",
}


def form(page: Page) -> Locator:
    return page.locator("parley-widget form.questions")


def composer(page: Page) -> Locator:
    return page.locator(".composer textarea")


def sent(server: StandIn) -> list[Any]:
    """The answers of each message that was sent, once."""
    return [each.get("answers") for each in {each["client_id"]: each for each in server.sent}.values()]


def stored(page: Page) -> str:
    text: str = page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    return text


def test_words_wait_for_what_is_required_and_go_with_the_answers(visit: Visit, server: StandIn) -> None:
    server.asks(TOPIC, ORDER, {"key": "size", "kind": "number"}, AGREE, intro="Read [how](https://shop.example/how)")
    page = visit()
    heard(page, "questions")
    open_chat(page)
    expect(form(page)).to_be_visible()
    expect(composer(page)).to_be_focused()
    assert form(page).get_by_role("link").evaluate_all("(links) => links.map(({href}) => href)") == [
        "https://shop.example/how",
        "https://shop.example/rules",
    ]
    number = page.get_by_label("Order number")
    expect(number).to_be_hidden()
    assert violations(page) == []
    write(page, "Where is it?")
    expect(page.get_by_label("Topic")).to_be_focused()
    expect(composer(page)).to_have_value("Where is it?")
    page.get_by_label("Topic").select_option("An order")
    expect(number).to_be_visible()
    number.fill("  ")
    page.get_by_label("I agree").check()
    composer(page).press("Enter")
    expect(number).to_be_focused()
    assert bodies(server) == []
    number.fill("A-17")
    number.press("Enter")
    expect(composer(page)).to_be_focused()
    page.get_by_label("Size").fill("0.5")
    composer(page).press("Enter")
    until(page, lambda: bodies(server) == ["Where is it?"])
    assert sent(server) == [{"topic": "order", "order_no": "A-17", "size": 0.5, "agree": True}]
    expect(form(page)).to_have_count(0)
    page.wait_for_function("!Object.keys(localStorage).some((key) => key.includes('queue'))")
    assert "A-17" not in stored(page)
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [["questions", {"keys": ["topic", "order_no", "size", "agree"]}]]
    write(page, "Hello?")
    until(page, lambda: len(bodies(server)) == 2)
    assert sent(server)[1] is None


def test_a_half_filled_form_is_the_tabs_and_survives_a_reload(visit: Visit, server: StandIn) -> None:
    server.asks(TOPIC, ORDER)
    page = visit()
    open_chat(page)
    page.get_by_label("Topic").select_option("An order")
    page.get_by_label("Order number").fill("A-1")
    page.reload()
    expect(page.get_by_label("Topic")).to_have_value("1")
    expect(page.get_by_label("Order number")).to_have_value("A-1")


def test_words_and_answers_outlive_the_network_and_a_reload(visit: Visit, server: StandIn) -> None:
    server.asks(TOPIC)
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    page.context.set_offline(True)
    page.get_by_label("Topic").select_option("Tea")
    write(page, "Is it green?")
    expect(form(page)).to_have_count(0)
    expect(page.get_by_text("Will be sent when you are online again")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    until(page, lambda: bodies(server) == ["Is it green?"])
    assert sent(server)[-1] == {"topic": "tea"}


def test_what_is_known_is_said_and_asked_only_on_wish(visit: Visit, server: StandIn) -> None:
    server.asks(
        {"key": "name", "kind": "name"},
        {"key": "email", "kind": "email", "label": "E-mail"},
        {"key": "note", "kind": "long_text"},
    )
    server.known_answers = ["name", "email"]
    page = visit()
    open_chat(page)
    expect(form(page)).to_contain_text("Known: Name, E-mail · Change")
    expect(page.get_by_label("E-mail")).to_have_count(0)
    form(page).get_by_role("button", name="Change").click()
    expect(page.get_by_label("Name")).to_be_focused()
    page.get_by_label("E-mail").fill("ada@shop.test")
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    assert sent(server) == [{"email": "ada@shop.test"}]


@pytest.mark.parametrize("refused_by", ["socket", "HTTP"])
def test_a_page_of_older_settings_asks_with_the_words_still_there(
    visit: Visit, server: StandIn, refused_by: str
) -> None:
    server.sockets_blocked = refused_by == "HTTP"
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets) == (refused_by == "socket"))
    server.asks(TOPIC)
    write(page, "Where is my tea?")
    expect(page.get_by_label("Topic")).to_be_focused()
    expect(composer(page)).to_have_value("Where is my tea?")
    expect(page.get_by_text("Not sent")).to_have_count(0)
    assert bodies(server) == []
    server.sockets_blocked = False
    until(page, lambda: bool(server.sockets))
    page.get_by_label("Topic").select_option("Tea")
    composer(page).press("Enter")
    until(page, lambda: bodies(server) == ["Where is my tea?"])
    assert sent(server) == [None, {"topic": "tea"}]


def test_a_department_question_takes_the_selects_place(visit: Visit, server: StandIn) -> None:
    server.settings["departments"] = [{"id": 3, "name": "Sales", "open": True}, {"id": 4, "name": "Help", "open": True}]
    server.asks({"key": "team", "kind": "department"}, {"key": "new", "kind": "yes_no", "label": "Are you new?"})
    page = visit()
    open_chat(page)
    expect(page.get_by_role("group", name="Department")).to_have_count(0)
    page.get_by_label("Team").select_option("Help")
    page.get_by_label("Are you new?").select_option("No")
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    assert sent(server) == [{"team": 4, "new": False}]


def test_it_is_asked_again_where_a_chat_begins_and_not_within_it(visit: Visit, server: StandIn) -> None:
    server.asks({"key": "topic"})
    page = visit()
    open_chat(page)
    write(page, "one")
    until(page, lambda: bodies(server) == ["one"])
    expect(form(page)).to_have_count(0)
    server.push(
        "chat.step",
        {"id": 1, "kind": "closed", "after_message_id": server.messages[next(iter(server.messages))][-1]["id"]},
    )
    expect(page.get_by_label("Topic")).to_be_visible()
    write(page, "two")
    until(page, lambda: bodies(server) == ["one", "two"])
    expect(form(page)).to_have_count(0)


def test_after_a_days_silence_a_chat_begins_whatever_the_browsers_clock_says(visit: Visit, server: StandIn) -> None:
    server.asks({"key": "topic"})
    page = visit()
    open_chat(page)
    write(page, "one")
    until(page, lambda: bodies(server) == ["one"])
    for message in server.messages[next(iter(server.messages))]:
        message["created_at"] = (datetime.now(UTC) - timedelta(hours=25)).isoformat()
    page.reload()
    expect(page.get_by_label("Topic")).to_be_visible()
    write(page, "two")
    until(page, lambda: bodies(server) == ["one", "two"])
    expect(form(page)).to_have_count(0)


def test_a_file_waits_for_what_is_required(visit: Visit, server: StandIn) -> None:
    server.asks(TOPIC)
    page = visit()
    open_chat(page)
    page.locator("parley-widget input[type=file]").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"}
    )
    expect(page.get_by_label("Topic")).to_be_focused()
    page.get_by_label("Topic").select_option("Tea")
    until(page, lambda: len(server.stored) == 1)
    assert sent(server) == [{"topic": "tea"}]
