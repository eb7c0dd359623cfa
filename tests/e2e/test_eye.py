"""Every surface as a person sees it, measured at 320, 390 and 1280 px, light and dark, in English and Russian.

`measures.js` says what is measured; nothing here compares pictures.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.console import Desk, Open, Shop
from tests.e2e.measures import GAP_OF_THE_WIDGET, Eye, measure
from tests.e2e.test_cabinet_pages import LISTS, OLGA, Cabinet
from tests.run.service import Service

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

LOCALES = ("en-GB", "ru-RU")
DOCUMENTS = (
    "/api/docs",
    "/api/docs#/chats/chat_close",
    "/api/docs/guides/",
    "/api/docs/guides/webhooks",
    "/problems/",
    "/problems/turn_closed",
)
DOORS = ("/", "/console/login/", "/admin/login/", "/nothing-is-here")
# Of the cabinet, beside the first page: a list, its row, a form, and pages of their own kind. The others: slow.
CABINET = ("chats/chat/", "webhooks/subscription/", "ai/aisettings/", "agents/department/add/", "password_change/")


@pytest.fixture
def eye() -> Iterator[Eye]:
    eye = Eye()
    yield eye
    eye.judge()


@pytest.mark.parametrize("path", DOCUMENTS)
def test_documents(running_service: Service, page: Page, eye: Eye, path: str) -> None:
    page.goto(running_service.url + path)
    if "guides" not in path and path.startswith("/api/docs"):
        page.locator("body[data-ready]").wait_for(state="attached")
        expect(page.locator(".opblock-tag").first).to_be_visible()
    eye.look(path, measure(page))


@pytest.mark.parametrize("locale", LOCALES)
def test_doors(running_service: Service, new_context: Callable[..., BrowserContext], eye: Eye, locale: str) -> None:
    page = new_context(locale=locale).new_page()
    for path in DOORS:
        page.goto(running_service.url + path)
        eye.look(f"{path} {locale}", measure(page))
    page.goto(f"{running_service.url}/demo/mail")
    eye.look(f"/demo/mail {locale}", measure(page))


@pytest.mark.parametrize("locale", LOCALES)
def test_cabinet(running_service: Service, new_context: Callable[..., BrowserContext], eye: Eye, locale: str) -> None:
    cabinet = Cabinet(running_service, new_context(locale=locale), OLGA)
    for path in ("", *CABINET):
        cabinet.page.goto(cabinet.base + path)
        eye.look(f"/admin/{path} {locale}", measure(cabinet.page))
    cabinet.page.goto(cabinet.base + "chats/chat/")
    row = cabinet.first_row("chats/chat/")
    assert row is not None
    cabinet.page.goto(cabinet.base + row)
    eye.look(f"/admin/chats/chat/…/change/ {locale}", measure(cabinet.page))


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("locale", LOCALES)
def test_every_list_of_the_cabinet_and_its_first_row(
    running_service: Service, new_context: Callable[..., BrowserContext], eye: Eye, locale: str
) -> None:
    cabinet = Cabinet(running_service, new_context(locale=locale), OLGA)
    lists = cabinet.links(LISTS)
    assert len(lists) > 15
    for listing in lists:
        cabinet.page.goto(cabinet.base + listing)
        eye.look(f"/admin/{listing} {locale}", measure(cabinet.page))
        if row := cabinet.first_row(listing):
            cabinet.page.goto(cabinet.base + row)
            eye.look(f"/admin/{listing}…/change/ {locale}", measure(cabinet.page))


@pytest.mark.parametrize("locale", LOCALES)
def test_console(open_desk: Open, shop: Shop, eye: Eye, locale: str) -> None:
    visitor = shop.visitor().says("Do you have Darjeeling of this year?")
    desk = open_desk(locale=locale)
    expect(desk.rows.first).to_be_visible()
    eye.look(f"console: inbox {locale}", measure(desk.page))
    for state, show in {"chat": open_chat, "menu": open_menu, "contacts": open_contacts}.items():
        desk.page.set_viewport_size({"width": 1280, "height": 844})
        show(desk, visitor.chat_id or 0)
        eye.look(f"console: {state} {locale}", measure(desk.page))


def open_chat(desk: Desk, chat_id: int) -> None:
    desk.page.goto(f"{desk.service.url}/console/#/chats/{chat_id}")
    expect(desk.page.get_by_role("log")).to_contain_text("Darjeeling")


def open_menu(desk: Desk, chat_id: int) -> None:
    desk.page.locator("button.person").click()
    expect(desk.page.locator("#person")).to_be_visible()


def open_contacts(desk: Desk, chat_id: int) -> None:
    desk.page.keyboard.press("Escape")
    desk.page.locator("a.to-contacts").click()
    expect(desk.page).to_have_url(re.compile("#/contacts"))
    expect(desk.page.locator(".people[aria-busy=false] li").first).to_be_visible()


@pytest.mark.parametrize("locale", LOCALES)
def test_widget(
    running_service: Service, new_context: Callable[..., BrowserContext], shop: Shop, eye: Eye, locale: str
) -> None:
    page = new_context(locale=locale).new_page()
    page.goto(f"{running_service.url}/demo/")
    within = "parley-widget"
    launcher = page.locator("parley-widget .launcher")
    expect(launcher).to_be_visible()
    eye.look(f"widget: closed {locale}", measure(page, gap=GAP_OF_THE_WIDGET, within=within))
    launcher.click()
    page.get_by_role("dialog").wait_for()
    eye.look(f"widget: open {locale}", measure(page, gap=GAP_OF_THE_WIDGET, within=within))
    page.locator(".composer textarea").fill("Hello, do you have " + "Darjeeling " * 12)
    page.keyboard.press("Enter")
    number = page.locator("[data-chat-id]").first
    expect(number).to_have_text(re.compile("[0-9]+"))
    keyboard = {"type": "keyboard", "body": "Yes: https://shop.example/" + "tea-" * 20}
    buttons = [{"label": "Darjeeling, 50 g", "url": "https://shop.example/tea", "style": "primary"}]
    message = {**keyboard, "keyboard": {"buttons": buttons}, "agent_id": shop.widget["agents"][1]["id"]}
    shop.post(f"/chats/{number.inner_text()}/messages", message)
    expect(page.get_by_role("log").get_by_role("link", name="Darjeeling")).to_be_visible()
    eye.look(f"widget: talk {locale}", measure(page, gap=GAP_OF_THE_WIDGET, within=within))


def test_failures_that_stand_only_become_fewer() -> None:
    assert sum(map(len, Eye().standing.values())) == 0
