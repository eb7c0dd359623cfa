"""An operator's day at the console, with every process real: answers, files, notes, colleagues, and a lost network."""

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from tests.e2e.console import OLGA, PASSWORD, Desk, Open, Shop

pytestmark = pytest.mark.e2e

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
    "locale": "ru-RU",
}
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc0000003010100"
    "18dd8db00000000049454e44ae426082"
)
HOSTILE = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "\"><svg onload='window.pwned=1'>",
    "javascript:window.pwned=1",
    "{{window.pwned=1}} ${window.pwned=1} <!--lit-$1$-->",
    "https://shop.example/?a=<b>'\"onmouseover=window.pwned=1",
)
# Scrolls up, again and again.
UP_TO_THE_BEGINNING = """() => {
    const log = document.querySelector(".log");
    if (log.querySelectorAll(".msg").length > 120) throw new Error("too many rows are in the page");
    log.scrollTop = 0;
    return log.innerText.includes("The conversation begins here");
}"""


def write(page: Page, text: str) -> None:
    page.locator(".composer textarea").fill(text)
    page.locator(".composer textarea").press("Enter")


def bubbles(page: Page) -> Locator:
    """What was said in the open chat and is stored."""
    return page.get_by_role("log").locator(".msg:not(.unsent) .bubble")


def deed(page: Page, name: str) -> Locator:
    """A button above the thread."""
    return page.locator(".chat-header").get_by_role("button", name=name, exact=True)


def more(page: Page, name: str) -> Locator:
    """What the menu beside the chat's buttons has by that name."""
    page.locator(".chat-header").get_by_role("button", name="More actions").click()
    return page.get_by_role("menuitem", name=name, exact=True)


def name() -> str:
    """Of a visitor whom no other test knows."""
    return f"Guest-{uuid.uuid4().hex[:8]}"


def test_the_day_of_an_operator(open_desk: Open, shop: Shop) -> None:
    desk = open_desk()
    page = desk.page
    mary = name()
    visitor = shop.visitor(name=mary).says("Hello! Does Ruby Mountain take milk?")
    desk.row(mary).click()
    title = page.locator(".chat-title")
    expect(title).to_contain_text(f"{mary}")
    expect(title).to_contain_text("Unassigned")

    # Accepting and answering. What is seen is told both ways.
    deed(page, "Accept").click()
    expect(title).to_contain_text("You")
    expect(desk.row(mary).locator(".dot")).to_have_count(0)
    write(page, "It does! See https://shop.example/ruby-mountain.")
    expect(bubbles(page).last).to_have_text("It does! See https://shop.example/ruby-mountain.")
    link = bubbles(page).last.get_by_role("link")
    expect(link).to_have_attribute("href", "https://shop.example/ruby-mountain")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(page.get_by_role("img", name="Sent")).to_be_visible()
    visitor.has_seen_all()
    expect(page.get_by_role("img", name="Seen by the visitor")).to_be_visible()

    # Files, a note, link buttons.
    chooser = page.locator(".composer input[type=file]")
    chooser.set_input_files(
        [
            FilePayload(name="brewing.txt", mimeType="text/plain", buffer=b"Three minutes at 95 degrees."),
            FilePayload(name="leaf.png", mimeType="image/png", buffer=PIXEL),
            FilePayload(name="nothing.txt", mimeType="text/plain", buffer=b""),
        ]
    )
    expect(page.locator(".uploads")).to_contain_text("nothing.txt")
    expect(page.locator(".uploads .refusal")).to_have_text("It is empty")
    page.locator(".uploads").get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".uploads li")).to_have_count(2)
    page.locator(".composer textarea").press("Enter")
    expect(page.locator(".uploads")).to_have_count(0)
    expect(bubbles(page).get_by_role("link", name="brewing.txt")).to_be_visible()
    picture = bubbles(page).get_by_role("img", name="leaf.png")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    page.get_by_role("button", name="Note", exact=True).click()
    write(page, "A regular since March.")
    expect(page.locator(".msg.is-note")).to_contain_text("Note: only operators see this")
    page.get_by_role("button", name="Answer", exact=True).click()
    page.get_by_role("button", name="More: buttons, rating, formatting").click()
    page.get_by_role("menuitem", name="Link buttons").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Text above the buttons").fill("Which size?")
    dialog.get_by_label("Label 1").fill("50 g")
    dialog.get_by_label("Link (https://…) 1").fill("http://shop.example/50")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_role("alert")).to_have_text("The link begins with https://")
    dialog.get_by_label("Link (https://…) 1").fill("https://shop.example/50")
    dialog.get_by_role("button", name="Send").click()
    expect(bubbles(page).get_by_role("link", name="50 g")).to_be_visible()
    said = [(message["type"], message["body"]) for message in visitor.messages()]
    assert said == [
        ("text", "Hello! Does Ruby Mountain take milk?"),
        ("text", "It does! See https://shop.example/ruby-mountain."),
        ("file", ""),
        ("image", ""),
        ("keyboard", "Which size?"),
    ]
    desk.check("chat")

    # Canned replies: written once, then inserted by their shortcut.
    shortcut = f"thanks-{uuid.uuid4().hex[:6]}"
    composer = page.get_by_role("textbox", name="Write an answer")
    composer.fill("/")
    page.get_by_role("button", name="Manage").click()
    dialog.get_by_role("button", name="New reply").click()
    dialog.get_by_label("Shortcut").fill(shortcut)
    dialog.get_by_role("textbox", name="Text", exact=True).fill("Thank you, and enjoy your tea!")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text(shortcut)
    desk.check("replies")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    composer.fill("")
    composer.press_sequentially(f"/{shortcut}")
    expect(page.get_by_role("option")).to_have_count(1)
    composer.press("Enter")
    expect(composer).to_have_value("Thank you, and enjoy your tea!")
    composer.press("Enter")
    expect(bubbles(page).last).to_have_text("Thank you, and enjoy your tea!")

    # The card, and a rating.
    card = page.get_by_role("complementary")
    card.get_by_label("E-mail").fill("nonsense")
    card.get_by_label("E-mail").press("Enter")
    expect(card.get_by_role("alert")).to_have_text("E-mail: Enter a valid email address.")
    card.get_by_label("E-mail").fill("mary@example.com")
    card.get_by_label("E-mail").press("Enter")
    expect(card.get_by_role("alert")).to_have_count(0)
    card.get_by_label("Add a tag").fill("regular")
    card.get_by_label("Add a tag").press("Enter")
    expect(card.get_by_role("button", name="Remove the tag regular")).to_be_visible()
    card.get_by_role("textbox", name="Attribute").fill("favourite")
    card.get_by_role("textbox", name="Value").fill("Assam")
    card.get_by_role("textbox", name="Value").press("Enter")
    expect(card.get_by_label("favourite", exact=True)).to_have_value("Assam")
    card.get_by_role("button", name="Ask for a rating").click()
    expect(card).to_contain_text("no answer yet")
    visitor.rates(4, "Quick and friendly")
    expect(card.get_by_role("img", name="4 of 5")).to_be_visible()
    expect(card).to_contain_text("Quick and friendly")
    desk.complaints.clear()  # the refusal of the e-mail address

    # The network is lost, and comes back: nothing is lost, nothing is shown twice.
    page.context.set_offline(True)
    expect(page.locator(".connection")).to_have_attribute("data-state", "offline")
    write(page, "Written without a network")
    expect(page.locator(".msg.unsent")).to_contain_text("Written without a network")
    visitor.says("Are you still there?")
    page.context.set_offline(False)
    expect(bubbles(page).last).to_have_text("Written without a network")
    expect(bubbles(page).get_by_text("Are you still there?")).to_have_count(1)
    expect(page.locator(".msg.unsent")).to_have_count(0)
    desk.complaints.clear()

    # Handed on to a department, and closed.
    desk.stay()
    page.get_by_role("log").press("t")
    picked = dialog.get_by_role("group", name="Departments").locator(".pick").last
    department = picked.locator("bdi").inner_text()
    dialog.get_by_role("searchbox").fill(department)
    picked.get_by_role("radio").check()
    dialog.get_by_role("button", name="Transfer", exact=True).click()
    expect(title).to_contain_text("Unassigned")
    more(page, "Close with a reason…").click()
    dialog.get_by_label("Reason").fill("Solved")
    dialog.get_by_role("button", name="Close chat").click()
    expect(title).to_contain_text("Closed")
    expect(desk.row(mary)).to_have_count(0)
    deed(page, "Reopen").click()
    expect(title).to_contain_text("Answered")
    card.get_by_role("button", name="Spam").click()
    dialog.get_by_role("button", name="Mark as spam").click()
    expect(page.get_by_text("Spam: only notes can be written")).to_be_visible()
    expect(page.get_by_role("button", name="Answer", exact=True)).to_be_disabled()
    write(page, "Sells tea that is none")
    expect(bubbles(page).last).to_have_text("Sells tea that is none")
    desk.check("spam")


# What somebody does before the page has drawn what they did before, as on a busy machine: in one task of the browser.
NOTE_AT_ONCE = """() => {
  const form = document.querySelector(".composer"), input = form.querySelector("textarea");
  const write = (text) => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  write("A regular");
  form.querySelectorAll(".mode")[1].click();
  write(input.value + " since March.");
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
}"""
SEND_AT_ONCE = """() => {
  const form = document.querySelector(".composer"), input = form.querySelector("textarea");
  form.querySelectorAll(".mode")[1].click();
  input.value = "Prefers mornings.";
  input.dispatchEvent(new Event("input", { bubbles: true }));
  form.requestSubmit();
}"""


def test_a_note_is_one_from_the_click_on_whatever_is_drawn_already(open_desk: Open, shop: Shop) -> None:
    desk = open_desk()
    page, mary = desk.page, name()
    shop.visitor(name=mary).says("Hello!")
    desk.row(mary).click()
    deed(page, "Accept").click()
    expect(page.locator(".chat-title")).to_contain_text("You")
    page.evaluate(NOTE_AT_ONCE)
    expect(page.locator(".msg.is-note .bubble")).to_have_text(["A regular since March."])
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.locator(".composer.is-note")).to_have_count(0)
    page.evaluate(SEND_AT_ONCE)
    expect(page.locator(".msg.is-note .bubble")).to_have_text(["A regular since March.", "Prefers mornings."])
    expect(bubbles(page)).to_have_count(3)


def test_what_the_page_opens_with_is_told_as_seen(open_desk: Open, shop: Shop) -> None:
    desk = open_desk()
    page = desk.page
    visitor = shop.visitor(name=name()).says("Is anybody there?")
    page.goto("about:blank")
    # The socket comes after the history, as over a slow network.
    held: list[Route] = []
    page.route("**/console/ticket", lambda route: held.append(route))
    page.goto(f"{desk.service.url}/console/#/chats/{visitor.chat_id}")
    expect(bubbles(page).last).to_have_text("Is anybody there?")
    assert visitor.messages()[-1]["seen_at"] is None
    held[0].continue_()
    desk.service.until(lambda: visitor.messages()[-1]["seen_at"] is not None, "the message is seen")


def test_two_operators_see_each_other_and_one_of_them_gets_the_chat(open_desk: Open, shop: Shop) -> None:
    alice, olga = open_desk(), open_desk(OLGA)
    guest = name()
    visitor = shop.visitor(name=guest).says("Anybody?")
    for desk in (alice, olga):
        desk.row(guest).click()
        expect(deed(desk.page, "Accept")).to_be_visible()
    around = alice.page.locator(".around")
    expect(around).to_have_text("Olga Romanova is looking, too")
    olga.page.locator(".composer textarea").press_sequentially("I am on it")
    expect(around).to_have_text("Olga Romanova is typing")
    visitor.types()
    expect(around).to_have_text(f"{guest} is typing… · Olga Romanova is typing")

    # Both press the button before either page hears of the other.
    alice.page.route("**/accept", lambda route: (press(olga), route.continue_()))
    deed(alice.page, "Accept").click()
    expect(alice.page.get_by_role("alert")).to_contain_text("Somebody was quicker: a colleague has this chat.")
    for desk, owner in ((alice, "Olga Romanova"), (olga, "You")):
        expect(desk.page.locator(".chat-title")).to_contain_text(owner)
    alice.complaints.clear()  # the refusal
    expect(deed(alice.page, "Take over")).to_be_visible()

    # A session ends while somebody types: what they typed is there when they are back.
    composer = olga.page.locator(".composer textarea")
    expect(composer).to_have_value("I am on it")
    olga.page.context.clear_cookies()
    olga.page.context.set_offline(True)
    olga.page.context.set_offline(False)
    expect(olga.page.locator("[name=username]")).to_be_visible()
    olga.page.locator("[name=username]").fill(OLGA)
    olga.page.locator("[name=password]").fill(PASSWORD)
    olga.page.locator("[name=password]").press("Enter")
    olga.row(guest).click()
    expect(composer).to_have_value("I am on it")
    composer.press("Enter")
    expect(bubbles(alice.page).last).to_have_text("I am on it")


def test_who_is_picked_for_a_chat_gets_it_whoever_comes_meanwhile(open_desk: Open, shop: Shop) -> None:
    olga = open_desk(OLGA)
    page = olga.page
    guest = name()
    shop.visitor(name=guest).says("Anybody?")
    olga.row(guest).click()
    olga.stay()
    page.get_by_role("log").press("t")
    dialog = page.get_by_role("dialog")
    colleague = dialog.get_by_role("radio", name=re.compile("^Alice Weber"))
    first = dialog.get_by_role("group", name="People").locator(".pick").first
    colleague.check()
    open_desk()
    # They stand first now, and are picked still.
    expect(first).to_contain_text("Alice Weber")
    expect(colleague).to_be_checked()
    dialog.get_by_role("button", name="Transfer", exact=True).click()
    expect(page.locator(".chat-title")).to_contain_text("Alice Weber")


def press(desk: Desk) -> None:
    deed(desk.page, "Accept").evaluate("button => button.click()")
    expect(desk.page.locator(".chat-title")).to_contain_text("You")


def test_hostile_visitors_are_inert(open_desk: Open, shop: Shop) -> None:
    guest = f"{HOSTILE[0]}{uuid.uuid4().hex[:8]}"
    attributes = {text[:64]: text for text in HOSTILE}
    visitor = shop.visitor(name=guest, attributes=attributes, page_url=f"https://shop.example/{HOSTILE[1]}")
    for text in HOSTILE:
        visitor.says(text)
    visitor.sends_file(f"{HOSTILE[1]}.txt", b"harmless")
    desk = open_desk()
    page = desk.page
    desk.row(guest).click()
    for text in HOSTILE:
        expect(bubbles(page).get_by_text(text, exact=True)).to_be_visible()
    card = page.get_by_role("complementary")
    for text in HOSTILE:
        expect(card.get_by_label(text[:64], exact=True)).to_have_value(text)
    card.get_by_label("Add a tag").fill(HOSTILE[2])
    card.get_by_label("Add a tag").press("Enter")
    expect(card.get_by_role("button", name=f"Remove the tag {HOSTILE[2]}", exact=True)).to_be_visible()
    write(page, HOSTILE[1])
    expect(bubbles(page).last).to_have_text(HOSTILE[1])
    links = page.locator(".chat a, .card a").evaluate_all("links => links.map(link => [link.protocol, link.rel])")
    assert {(protocol in ("http:", "https:"), rel) for protocol, rel in links} == {(True, "noopener noreferrer")}
    assert page.evaluate("window.pwned") is None
    desk.check("hostile")


def test_a_long_history_keeps_its_place_and_few_nodes(open_desk: Open, shop: Shop) -> None:
    guest = name()
    visitor = shop.visitor(name=guest)
    for number in range(130):
        visitor.says(f"Message {number}")
    desk = open_desk()
    page = desk.page
    desk.row(guest).click()
    log = page.get_by_role("log")
    expect(bubbles(page).last).to_have_text("Message 129")
    expect(log).to_have_js_property("scrollTop", log.evaluate("log => log.scrollHeight - log.clientHeight"))

    page.wait_for_function(UP_TO_THE_BEGINNING)
    expect(log.locator(".msg").first).to_contain_text("Message 0")

    # What comes meanwhile moves nothing, and is a click away.
    at = log.evaluate("log => log.scrollTop")
    visitor.says("The newest")
    pill = page.get_by_role("button", name="1 new message")
    expect(pill).to_be_visible()
    assert log.evaluate("log => log.scrollTop") == at
    pill.click()
    expect(bubbles(page).last).to_have_text("The newest")
    expect(pill).to_have_count(0)
    visitor.says("And one more")
    expect(bubbles(page).last).to_be_in_viewport()
    expect(bubbles(page).last).to_have_text("And one more")


def test_on_a_phone_in_russian(open_desk: Open, shop: Shop) -> None:
    guest = name()
    shop.visitor(name=guest).says("Здравствуйте!")
    desk = open_desk(**PHONE)
    page = desk.page
    desk.row(guest).click()
    expect(bubbles(page).last).to_have_text("Здравствуйте!")
    expect(page.locator(".inbox")).to_be_hidden()
    write(page, "Добрый день!")
    expect(bubbles(page).last).to_have_text("Добрый день!")
    desk.check("phone-chat")
    page.get_by_role("button", name="Контакт и чат").click()
    expect(page.get_by_role("heading", name="Визит")).to_be_visible()
    desk.check("phone-card")
    page.get_by_role("button", name="Закрыть карточку").click()
    expect(bubbles(page).last).to_be_in_viewport()
    page.get_by_role("button", name="Назад").click()
    expect(page.locator(".inbox")).to_be_visible()
    expect(desk.row(guest)).to_contain_text(re.compile("Вы: ?Добрый день!"))
