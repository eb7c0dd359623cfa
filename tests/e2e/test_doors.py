"""The doors of the cabinet and the console: one card, measured in a browser, in both languages and schemes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.run.service import Service

pytestmark = pytest.mark.e2e

DOORS = ("/admin/login/", "/console/login/")
LOOKS = [("en-GB", "light", 1280), ("ru-RU", "dark", 390), ("ru-RU", "light", 320)]
# Of each control its height and the free room at both sides in its card, and the size of its letters.
MEASURED = """() => {
    const card = document.querySelector("main").getBoundingClientRect()
    const padding = parseFloat(getComputedStyle(document.querySelector("main")).paddingLeft) + 1
    return [...document.querySelectorAll("main :is(input:not([type=hidden]), button)")].map(each => {
        const { left, right, height } = each.getBoundingClientRect()
        return [Math.round(left - card.left - padding), Math.round(card.right - padding - right), Math.round(height),
            parseFloat(getComputedStyle(each).fontSize)]
    })
}"""
COLOURS = """() => ["main", "main [type=submit]"].map(each =>
    getComputedStyle(document.querySelector(each)).backgroundColor)"""


def opened(new_context: Callable[..., BrowserContext], url: str, look: tuple[str, str, int]) -> Page:
    locale, scheme, width = look
    context = new_context(locale=locale, color_scheme=scheme, viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(url)
    return page


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("door", DOORS)
def test_a_doors_fields_and_button_are_as_wide_as_its_card_and_44_px_high(
    running_service: Service, new_context: Callable[..., BrowserContext], door: str, look: tuple[str, str, int]
) -> None:
    page = opened(new_context, running_service.url + door, look)
    assert page.evaluate(MEASURED) == [[0, 0, 44, 16]] * 3
    card = page.locator("main").bounding_box()
    assert card is not None
    assert card["width"] == min(400, look[2] - 24)
    assert page.evaluate("document.documentElement.scrollWidth") <= look[2]
    button = {"en-GB": "Sign in", "ru-RU": "Войти"}[look[0]]
    assert page.get_by_role("button", name=button, exact=True).count() == 1
    assert page.locator("main img").evaluate("mark => mark.naturalWidth") > 0


@pytest.mark.parametrize("door", DOORS)
def test_a_refusal_stands_above_the_button(
    running_service: Service, new_context: Callable[..., BrowserContext], door: str
) -> None:
    page = opened(new_context, running_service.url + door, LOOKS[1])
    page.locator("[name=username]").fill("nobody@shop.example")
    page.locator("[name=password]").fill("wrong-password")
    page.locator("[type=submit]").click()
    refusal, button = page.get_by_role("alert").bounding_box(), page.locator("[type=submit]").bounding_box()
    password = page.locator("[name=password]").bounding_box()
    assert refusal is not None
    assert button is not None
    assert password is not None
    assert password["y"] + password["height"] < refusal["y"]
    assert refusal["y"] + refusal["height"] + 8 <= button["y"]


def test_both_doors_have_one_face(running_service: Service, new_context: Callable[..., BrowserContext]) -> None:
    for look, (card, fill) in zip(
        LOOKS, [("rgb(255, 255, 255)", "rgb(52, 81, 209)"), ("rgb(23, 27, 37)", "rgb(74, 99, 216)")], strict=False
    ):
        for door in DOORS:
            page = opened(new_context, running_service.url + door, look)
            assert page.evaluate(COLOURS) == [card, fill]
            asked = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
            assert not [each for each in asked if "inter" in each.lower()]
