"""The inbox of the console in a real browser: live, counted, searched, by keyboard, on a phone, in Russian."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.e2e.console import OLGA, Open, Shop
from tests.run.service import Service

pytestmark = pytest.mark.e2e

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
    "${alert(1)} {{constructor.constructor('alert(1)')()}}",
    "</script><script>alert(1)</script>",
    "<!--lit-$-->?lit$1234$",
    "\u202egnirts desrever\u202c",
    "A" * 255,
)
# Chats without a message, and a contact each: what a list has to bear.
MANY_CHATS = """
from datetime import timedelta
from django.utils import timezone
from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact
widget, now = Widget.objects.get(guid="{guid}"), timezone.now() - timedelta(days=1)
contacts = Contact.objects.bulk_create(Contact(widget=widget, name="Crowd %03d" % n) for n in range({count}))
Chat.objects.bulk_create(
    Chat(widget=widget, contact=contact, status="spam", created_at=now - timedelta(minutes=n))
    for n, contact in enumerate(contacts)
)
"""


def name() -> str:
    """Of a visitor whom no other test knows."""
    return f"Visitor-{uuid.uuid4().hex[:8]}"


def test_a_message_brings_its_chat_to_the_top_and_an_answer_takes_it_off_the_unanswered(
    open_desk: Open, shop: Shop
) -> None:
    shop.clear_the_desk()
    desk = open_desk()
    before = desk.count("unanswered"), desk.count("open")
    mary, tom = name(), name()
    visitor = shop.visitor(name=mary).says("Do you have oolong?")
    expect(desk.rows.first).to_contain_text(mary)
    expect(desk.row(mary)).to_contain_text("Do you have oolong?")
    expect(desk.row(mary).locator(".dot")).to_have_text("unread")
    expect(desk.page).to_have_title(re.compile(rf"^\({before[0] + 1}\) "))
    expect(desk.page.locator(".view.unanswered .count")).to_have_text(str(before[0] + 1))
    expect(desk.page.locator(".view.open .count")).to_have_text(str(before[1] + 1))

    shop.visitor(name=tom).says("And me?")
    expect(desk.rows.first).to_contain_text(tom)
    desk.show("unanswered")
    expect(desk.row(mary)).to_be_visible()
    shop.answers(visitor, "Three kinds of it.")
    expect(desk.row(mary)).to_be_hidden()
    expect(desk.row(tom)).to_be_visible()
    expect(desk.page.locator(".view.unanswered .count")).to_have_text(str(before[0] + 1))
    desk.show("mine")
    expect(desk.row(mary)).to_contain_text("You: Three kinds of it.")
    assert desk.complaints == []


def test_two_operators_see_the_same_and_who_has_a_chat(open_desk: Open, shop: Shop) -> None:
    alice, olga = open_desk(), open_desk(OLGA)
    visitor = name()
    shop.answers(shop.visitor(name=visitor).says("Hello?"), "Good day!")
    expect(alice.row(visitor).locator(".owner")).to_contain_text("You")
    expect(olga.row(visitor).locator(".owner")).to_contain_text("Alice Weber")
    expect(olga.row(visitor)).to_contain_text("Alice Weber: Good day!")


@pytest.mark.slow
def test_filters_narrow_a_view_and_say_what_to_do_where_nothing_is_left(open_desk: Open, shop: Shop) -> None:
    shop.clear_the_desk()
    desk = open_desk()
    visitor = name()
    shop.visitor(name=visitor).says("Hello?")
    # The states are parted where both have chats.
    answered = shop.visitor(name=name()).says("Thanks!")
    shop.answers(answered, "You are welcome!")
    shop.post(f"/chats/{answered.chat_id}/state", {"state": "ready"})
    active = desk.page.get_by_role("button", name=re.compile("^Open [0-9]"))
    ready = desk.page.get_by_role("button", name=re.compile("^Answered [0-9]"))
    expect(desk.row(visitor)).to_be_visible()
    ready.click()
    expect(ready).to_have_attribute("aria-pressed", "true")
    expect(desk.row(visitor)).to_be_hidden()
    active.click()
    expect(desk.row(visitor)).to_be_visible()
    active.click()
    expect(active).to_have_attribute("aria-pressed", "false")
    desk.show("unanswered")
    ready.click()
    if desk.rows.count() == 0:
        desk.page.get_by_role("button", name="Show all", exact=True).click()
        expect(desk.row(visitor)).to_be_visible()


def test_a_search_finds_words_and_people_and_escape_leads_back(open_desk: Open, shop: Shop) -> None:
    desk = open_desk()
    visitor, word = name(), f"word{uuid.uuid4().hex[:8]}"
    shop.visitor(name=visitor, email=f"{word}@mail.example").says(f"Is there {word}-oolong?")
    other = shop.visitor(name=name()).says("Nothing of it")
    expect(desk.row(visitor)).to_be_visible()
    desk.page.keyboard.press("/")
    field = desk.page.get_by_role("searchbox", name="Search")
    expect(field).to_be_focused()
    for query in (visitor, f"{word}-oolong", f"{word}@mail.example"):
        field.fill(query)
        expect(desk.rows).to_have_count(1)
        expect(desk.row(visitor)).to_be_visible()
    field.fill("nobody-ever-wrote-this")
    expect(desk.page.get_by_text("No results")).to_be_visible()
    field.press("Escape")
    expect(field).to_have_value("")
    expect(desk.page.locator(f"#chat-{other.chat_id}")).to_be_visible()
    assert desk.complaints == []


def test_a_search_begins_with_two_letters(open_desk: Open, shop: Shop) -> None:
    desk = open_desk()
    visitor = name()
    shop.visitor(name=visitor).says("Do you have oolong?")
    expect(desk.row(visitor)).to_be_visible()
    searches: list[str] = []
    desk.page.on("request", lambda asked: "/search?" in asked.url and searches.append(asked.url))
    field = desk.page.get_by_role("searchbox", name="Search")
    for short in ("V", " V ", "🍵"):
        field.fill(short)
        desk.page.wait_for_timeout(500)  # twice as long as the page waits for more letters
        expect(field).to_have_value(short)
        expect(desk.row(visitor)).to_be_visible()
    assert searches == []
    field.fill(visitor)
    expect(desk.rows).to_have_count(1)
    field.fill("V")
    expect(desk.page.locator(".view.open")).to_have_attribute("aria-current", "true")
    expect(desk.row(visitor)).to_be_visible()
    expect(field).to_have_value("V")
    assert len(searches) == 1
    assert desk.complaints == []


@pytest.mark.parametrize(("down", "up"), [(("j", "KeyJ"), ("k", "KeyK")), (("о", "KeyJ"), ("л", "KeyK"))])
def test_the_keyboard_goes_through_the_list_whatever_its_layout(
    open_desk: Open, shop: Shop, down: tuple[str, str], up: tuple[str, str]
) -> None:
    desk = open_desk()
    first, second = name(), name()
    for each in (second, first):
        shop.visitor(name=each).says("Hello?")
        expect(desk.rows.first).to_contain_text(each)

    def press(key: str, code: str) -> None:
        event = f"new KeyboardEvent('keydown', {{key: '{key}', code: '{code}', bubbles: true, cancelable: true}})"
        desk.page.evaluate(f"document.activeElement.dispatchEvent({event})")

    press(*down)
    expect(desk.row(first)).to_be_focused()
    press(*down)
    expect(desk.row(second)).to_be_focused()
    press(*up)
    expect(desk.row(first)).to_be_focused()
    desk.page.keyboard.press("ArrowDown")
    expect(desk.row(second)).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(desk.row(second)).to_have_attribute("aria-current", "true")
    expect(desk.page).to_have_url(re.compile(r"#/chats/\d+$"))
    expect(desk.page.locator(".composer textarea")).to_be_focused()  # who opens a chat writes next
    desk.page.locator("body").press("Escape")
    while not desk.page.url.endswith("#/"):  # a step out at a time: of the composer, of the chat
        desk.page.keyboard.press("Escape")
        desk.page.wait_for_timeout(50)
    expect(desk.row(second)).to_be_focused()


def test_a_question_mark_lists_every_shortcut(open_desk: Open) -> None:
    desk = open_desk()
    desk.page.keyboard.press("?")
    dialog = desk.page.get_by_role("dialog", name="Keyboard shortcuts")
    accept = "Accept the chat, or take it over"
    for what in ("Next chat", "Previous chat", "Search", accept, "Transfer the chat", "Close the chat"):
        expect(dialog.get_by_text(what, exact=True)).to_be_visible()
    desk.check("shortcuts")
    desk.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_break_is_shown_to_oneself_and_to_visitors(open_desk: Open, running_service: Service) -> None:
    desk = open_desk()
    visitor = desk.page.context.new_page()
    visitor.goto(f"{running_service.url}/demo/")
    visitor.get_by_role("button", name="Open chat").click()
    away = visitor.get_by_text("We’re away, but do write to us").first  # above the form and in the log
    expect(away).to_be_hidden()
    available = desk.page.get_by_role("switch", name="Available")
    expect(available).to_be_checked()
    available.click()
    expect(desk.page.locator(".connection")).to_have_text("Away")
    expect(away).to_be_visible()
    available.click()
    expect(desk.page.locator(".connection")).to_have_text("Online")
    expect(away).to_be_hidden()


def test_a_widget_where_nobody_has_written_says_how_to_begin(open_desk: Open, running_service: Service) -> None:
    widgets = Shop(running_service).widget
    desk = open_desk(OLGA)
    switch = desk.page.get_by_role("combobox", name="Widget")
    if switch.count() == 0:
        pytest.skip(f"Olga works at {widgets['name']} alone")
    other = switch.locator("option:not([selected])").first.inner_text()
    switch.select_option(label=other)
    expect(desk.page.locator(".connection")).to_have_text("Online")
    expect(desk.page.get_by_role("combobox", name="Widget").locator("option:checked")).to_have_text(other)
    desk.check("other-widget")


def test_a_phone_has_one_column_and_its_back_button_leads_to_the_list(open_desk: Open, shop: Shop) -> None:
    desk = open_desk(**PHONE)
    visitor = name()
    shop.visitor(name=visitor).says("Hello from a phone")
    expect(desk.row(visitor)).to_be_visible()
    desk.check("phone-list")
    desk.row(visitor).click()
    log = desk.page.get_by_role("main")
    expect(log.get_by_text("Hello from a phone", exact=True)).to_be_visible()
    expect(desk.row(visitor)).to_be_hidden()
    desk.check("phone-chat")
    desk.page.go_back()
    expect(desk.row(visitor)).to_be_visible()
    expect(log).to_be_hidden()


@pytest.mark.parametrize(
    ("screen", "width", "height", "theme", "locale"),
    [
        ("desk", 1440, 900, "light", "en-GB"),
        ("desk-dark-ru", 1440, 900, "dark", "ru-RU"),
        ("tablet", 900, 700, "light", "ru-RU"),
        ("phone-dark-ru", 390, 844, "dark", "ru-RU"),
        ("huge", 2560, 1300, "light", "en-GB"),
    ],
)
def test_every_screen_is_readable_in_both_themes_and_languages(
    open_desk: Open, shop: Shop, screen: str, width: int, height: int, theme: str, locale: str
) -> None:
    desk = open_desk(viewport={"width": width, "height": height}, color_scheme=theme, locale=locale)
    assert desk.page.locator("html").get_attribute("lang") == locale[:2]
    searches = desk.page.get_by_role("searchbox", name="Поиск" if locale == "ru-RU" else "Search")
    expect(searches).to_be_visible()
    for view in ("unanswered", "mine", "department", "closed", "spam", "open"):
        desk.show(view)
        expect(desk.page.locator(f".view.{view}")).to_have_attribute("aria-current", "true")
        expect(desk.page.locator(".rows, .inbox .empty")).to_be_visible()
        expect(desk.page.locator(".skeleton")).to_have_count(0)
        desk.check(f"{screen}-{view}")
    desk.rows.first.click()
    expect(desk.page.get_by_role("main")).to_be_visible()
    expect(desk.page.locator(".composer, [class*=composer]").first).to_be_visible()
    desk.check(f"{screen}-chat")


def test_hostile_names_and_texts_are_only_texts(open_desk: Open, shop: Shop) -> None:
    desk = open_desk()
    for hostile in HOSTILE:
        visitor = shop.visitor(name=hostile).says(hostile)
        row = desk.page.locator(f"#chat-{visitor.chat_id}")
        expect(row.locator(".name")).to_have_text(hostile.strip())
        expect(row.locator(".preview")).to_have_text(hostile[:100])
        row.click()
        expect(desk.page.get_by_role("main").get_by_text(hostile, exact=True).first).to_be_attached()
    expect(desk.page.locator("#app img[onerror], #app script, #app svg[onload]")).to_have_count(0)
    desk.check("hostile")


@pytest.mark.slow
def test_a_list_without_end_has_a_constant_number_of_nodes(
    open_desk: Open, shop: Shop, running_service: Service
) -> None:
    running_service.manage("shell", "-c", MANY_CHATS.format(guid=shop.widget["guid"], count=1_000))
    desk = open_desk()
    desk.show("spam")
    expect(desk.page.get_by_text("Crowd 000", exact=True)).to_be_visible()
    nodes = "document.querySelectorAll('.rows *').length"
    at_first = desk.page.evaluate(nodes)
    last = desk.page.get_by_text("Crowd 999", exact=True)
    for _ in range(120):
        desk.page.locator(".rows").evaluate("rows => rows.scrollTo(0, rows.scrollHeight)")
        desk.page.wait_for_timeout(50)
        if last.is_visible():
            break
    expect(last).to_be_visible()
    assert desk.page.evaluate(nodes) < 2 * at_first
    expect(desk.page.get_by_text("Crowd 000", exact=True)).to_have_count(0)
    assert desk.complaints == []


def test_nobody_is_asked_for_notifications_before_they_want_them(open_desk: Open, shop: Shop) -> None:
    recording = """
        window.asked = 0; window.told = [];
        window.Notification = class {
          static permission = "default";
          static async requestPermission() { window.asked += 1; return (Notification.permission = "granted"); }
          constructor(title, options) { window.told.push([title, options.body]); }
          close() {}
        };
        document.hasFocus = () => false;
    """
    desk = open_desk(init_script=recording)
    quiet, loud = name(), name()
    shop.visitor(name=quiet).says("Hello?")
    expect(desk.row(quiet)).to_be_visible()
    assert desk.page.evaluate("[asked, told]") == [0, []]
    desk.page.get_by_role("button", name="Alice Weber: settings and signing out").click()
    desk.page.get_by_role("checkbox", name="Notifications").check()
    desk.check("menu")
    shop.visitor(name=loud).says("Anybody?")
    expect(desk.row(loud)).to_be_visible()
    desk.page.wait_for_function("told.length")
    assert desk.page.evaluate("[asked, told]") == [1, [[loud, "Anybody?"]]]
    kept = desk.page.evaluate("JSON.parse(localStorage.getItem('parley.console.habits'))")
    assert kept == {"isNotifying": True, "isSounding": True, "isAsked": True}


def test_one_question_asks_whether_to_tell_of_visitors_and_a_switch_in_sight_ends_the_sound(open_desk: Open) -> None:
    recording = """
        window.Notification = class {
          static permission = "default";
          static async requestPermission() { return (Notification.permission = "granted"); }
        };
    """
    desk = open_desk(init_script=recording)
    question = desk.page.get_by_role("region", name="Notifications")
    desk.check("question")
    question.get_by_role("button", name="Notify me").click()
    expect(question).to_be_hidden()
    sound = desk.page.get_by_role("switch", name="Sound")
    expect(sound).to_be_checked()
    sound.click()
    expect(sound).not_to_be_checked()
    desk.page.reload()
    expect(sound).not_to_be_checked()
    expect(question).to_be_hidden()


STAFF = 'from apps.accounts.models import User; User.objects.filter(email="{email}").update(is_staff={is_staff})'


def test_a_contact_is_found_by_a_tag_edited_and_rid_of_a_note_by_a_manager(
    open_desk: Open, shop: Shop, running_service: Service
) -> None:
    visitor, tag = name(), f"tag{uuid.uuid4().hex[:8]}"
    shop.visitor(name=visitor).says("Hello")
    desk = open_desk()
    page = desk.page
    page.locator(".to-contacts").click()
    page.get_by_role("searchbox", name="Name, e-mail or phone").fill(visitor)
    page.locator(".people a").filter(has_text=visitor).click()
    fields = page.locator(".contact-fields")
    for label, value in (("Phone", "+1 202 555 0143"), ("Add a tag", tag)):
        field = fields.get_by_role("textbox", name=label, exact=True)
        field.fill(value)
        field.press("Enter")
    expect(fields.locator(".tags")).to_have_text(re.compile(tag))
    page.get_by_role("textbox", name="A note for colleagues").fill("Prefers calls")
    page.locator("form:has(textarea[aria-label]) button").get_by_text("Add", exact=True).click()
    expect(page.locator(".notes li")).to_have_count(1)
    address = page.url
    page.get_by_role("link", name="Back").click()
    page.get_by_role("searchbox", name="Name, e-mail or phone").fill("")
    page.get_by_role("combobox", name="Tag", exact=True).fill(tag)
    expect(page.locator(".people li")).to_have_count(1)
    expect(page.locator(".people li")).to_contain_text(visitor)
    expect(page.locator(".people li")).to_contain_text("+1")
    other = open_desk(email=OLGA).page
    running_service.manage("shell", "-c", STAFF.format(email=OLGA, is_staff=False))
    other.goto(address)
    other.reload()
    expect(other.locator(".notes li")).to_have_count(1)
    expect(other.locator(".notes li").get_by_role("button")).to_have_count(0)
    running_service.manage("shell", "-c", STAFF.format(email=OLGA, is_staff=True))
    other.reload()
    other.locator(".notes li").get_by_role("button").click()
    expect(other.locator(".notes li")).to_have_count(0)
    assert desk.complaints == []
