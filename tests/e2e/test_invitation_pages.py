"""The cabinet's page of an invitation to chat, in a real browser: it fits, and its tester judges as browsers do."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.test_automations import open_ruler  # noqa: F401 - the owner's cabinet
from tests.e2e.test_cabinet_pages import Cabinet

pytestmark = pytest.mark.e2e

LIST = "widget/chatinvitation/"


@pytest.mark.parametrize(("width", "locale"), [(390, "ru-RU"), (1280, "en-GB")])
def test_the_pages_fit(open_ruler: Callable[..., Cabinet], width: int, locale: str) -> None:  # noqa: F811
    cabinet = open_ruler(width, locale)
    cabinet.open(LIST)
    row = cabinet.first_row(LIST)
    assert row is not None
    cabinet.open(row)
    cabinet.open(f"{LIST}add/")
    cabinet.open(f"{LIST}settings/")


def test_an_address_is_judged_while_it_is_typed(open_ruler: Callable[..., Cabinet]) -> None:  # noqa: F811
    cabinet = open_ruler(1280, "ru-RU")
    page = cabinet.page
    cabinet.open(f"{LIST}add/")
    told = page.locator("[data-tested]")
    page.locator("[name=page]").fill("/prices*")
    page.locator("#tested-address").fill("shop.example/prices/tea?x=1")
    expect(told).to_have_text("Да: на этой странице показывается, если выполнится остальное.")
    page.locator("[name=not_page]").fill("shop.example/prices/tea")
    expect(told).to_have_text("Нет: на этой странице не показывается.")
    page.locator("#tested-address").fill("https://shop.example/checkout")
    expect(told).to_have_text("Нет: на этой странице посетителей никогда не приглашают.")
