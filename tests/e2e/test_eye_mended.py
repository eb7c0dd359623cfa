"""What the sheet of states showed, and measures of one page as it stands did not."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.e2e.console import ALICE, Open, Shop
from tests.e2e.test_cabinet_pages import OLGA, Cabinet
from tests.run.service import Service

pytestmark = pytest.mark.e2e
GROUND = "() => getComputedStyle(document.body).backgroundColor"


def test_an_open_page_of_the_cabinet_follows_the_systems_scheme(
    running_service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    """Its letters did, its ground did not: nothing could be read until the page was loaded again."""
    page = Cabinet(running_service, new_context(color_scheme="light"), OLGA).page
    root, light = page.locator("html"), page.evaluate(GROUND)
    for scheme, is_dark in (("dark", True), ("light", False), ("dark", True)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_function("isDark => document.documentElement.classList.contains('dark') === isDark", arg=is_dark)
        assert (page.evaluate(GROUND) != light) is is_dark
    expect(root).to_have_attribute("lang", "en")
    assert page.evaluate("() => localStorage.getItem('adminTheme')") in (None, '"auto"')


def test_a_scheme_that_somebody_chose_for_the_cabinet_stays(
    running_service: Service, new_context: Callable[..., BrowserContext]
) -> None:
    page = Cabinet(running_service, new_context(color_scheme="light"), OLGA).page
    page.evaluate("() => localStorage.setItem('adminTheme', '\"light\"')")
    page.reload()
    light = page.evaluate(GROUND)
    page.emulate_media(color_scheme="dark")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    assert page.evaluate(GROUND) == light


def test_on_a_phone_too_the_consoles_list_is_there_before_its_scripts(open_desk: Open) -> None:
    page = open_desk(ALICE, viewport={"width": 390, "height": 844}).page
    page.route("**/console/main*.js", lambda route: route.abort())
    page.reload()
    expect(page.locator(".app .skeleton")).to_be_visible()
    expect(page.locator(".app .top")).to_be_visible()


@pytest.mark.parametrize("locale", ["en-GB", "ru-RU"])
def test_an_address_that_is_not_proved_is_read_beside_its_chip(open_desk: Open, shop: Shop, locale: str) -> None:
    visitor = shop.visitor(name="Nora Finch", email="nora.finch@mail.example").says("Hello?")
    page = open_desk(ALICE, locale=locale, viewport={"width": 1280, "height": 800}).page
    page.goto(f"{shop.service.url}/console/#/chats/{visitor.chat_id}")
    field = page.locator(".card input[type=email]")
    expect(page.locator(".card .field .tag.is-warn")).to_be_visible()
    expect(field).to_have_value("nora.finch@mail.example")
    email, phone = field.bounding_box(), page.locator(".card input[type=tel]").bounding_box()
    assert email is not None
    assert phone is not None
    assert email["width"] == phone["width"], "the chip takes nothing of it"
