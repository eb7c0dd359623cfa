"""Automations in the cabinet and macros in the console, in a real browser."""

import re
import uuid
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.console import OLGA, Open, Shop
from tests.e2e.test_cabinet_pages import Cabinet
from tests.run.service import Service

pytestmark = pytest.mark.e2e

RULES = "automations/automation/"


@pytest.fixture
def open_ruler(running_service: Service, browser: Browser) -> Iterator[Callable[..., Cabinet]]:
    """The owner's cabinet, at a width and in a language."""
    contexts = []

    def open_one(width: int, locale: str) -> Cabinet:
        size = {"width": width, "height": 900}
        context = browser.new_context(locale=locale, viewport=size, reduced_motion="reduce")  # type: ignore[arg-type]
        contexts.append(context)
        return Cabinet(running_service, context, OLGA)

    yield open_one
    for context in contexts:
        context.close()


def test_a_rule_is_written_in_rows_tried_and_switched_on(open_ruler: Callable[..., Cabinet]) -> None:
    """Three clicks to a rule from a starter; rows show what fits, and more of them come by a button."""
    cabinet = open_ruler(1280, "ru-RU")
    page = cabinet.page
    cabinet.open(RULES)
    page.locator("a[href*='automation/add']").first.click()
    page.get_by_role("link", name="10 минут без ответа: сообщить менеджерам").click()
    cabinet.check("a starter")
    row = page.locator("[data-row=if]").first
    row.locator("[data-part=field]").select_option("department_id")
    expect(row.locator("[data-part=value]")).to_be_hidden()
    row.locator("[data-part=choice]").select_option(label="Wholesale")
    page.get_by_role("button", name="Ещё действие").click()
    act = page.locator("[data-row=then]").last
    act.locator("[data-part=do]").select_option("priority")
    expect(act.locator("[data-part=text]")).to_be_hidden()
    act.locator("[data-part=choice]").select_option("priority:urgent")
    page.get_by_role("button", name="Сохранить").click()
    told = "Когда посетитель ждёт 10 минут в рабочие часы и отдел — Wholesale: сообщить менеджерам, срочно"
    expect(page.locator(".rule-told h2")).to_have_text(told)
    cabinet.check("a rule")
    page.get_by_role("button", name="Включить").click()
    expect(page.locator(".rule-told .chip")).to_have_text("Выключено")
    page.get_by_role("button", name="Проверить на последних 30 днях").click()
    expect(page.locator(".rule-trial")).to_contain_text("Проверено на последних 30 днях")
    cabinet.check("a trial")
    page.get_by_role("button", name="Включить").click()
    expect(page.locator(".rule-told .chip")).to_have_text("Включено")
    page.get_by_role("button", name="Выключить").click()
    expect(page.locator(".rule-told .chip")).to_have_text("Выключено")


@pytest.mark.parametrize(("width", "locale"), [(390, "ru-RU"), (1280, "en-GB")])
def test_the_pages_fit(open_ruler: Callable[..., Cabinet], width: int, locale: str) -> None:
    cabinet = open_ruler(width, locale)
    for listing in (RULES, "automations/automationrun/", "automations/macro/"):
        cabinet.open(listing)
        row = cabinet.first_row(listing)
        assert row is not None, listing
        cabinet.open(row)
    cabinet.open(f"{RULES}add/")
    cabinet.open("automations/macro/add/")


def test_a_macro_asks_stands_in_the_composer_runs_and_is_undone(open_desk: Open, shop: Shop) -> None:
    shop.clear_the_desk()
    desk = open_desk()
    mary = f"Visitor-{uuid.uuid4().hex[:8]}"
    visitor = shop.visitor(name=mary).says("I want my money back, please.")
    desk.row(mary).click()
    composer = desk.page.locator(".composer textarea")
    composer.press_sequentially("/Refu")
    option = desk.page.get_by_role("option", name=re.compile("Refund"))
    expect(option).to_contain_text("Alt+2")
    option.click()
    strip = desk.page.locator(".strip.macro")
    strip.get_by_label("Number of the order").fill("4711")
    strip.get_by_role("button", name="Next").click()
    expect(composer).to_have_value(re.compile("taken back the order 4711"))
    expect(strip).to_contain_text("It will: add the tag “refund”, close the chat")
    desk.check("macro")
    composer.press("End")
    composer.press_sequentially(" Bye!")
    strip.get_by_role("button", name="Run").click()
    expect(strip).to_have_count(0)
    expect(desk.page.locator(".log")).to_contain_text("4711: the money is with you in three days. Bye!")
    step = desk.page.locator(".step", has_text="Refund")
    expect(step).to_be_visible()
    step.get_by_role("button", name="Undo").click()
    expect(desk.page.locator(".toast")).to_contain_text("These stay: reply")
    assert [each["body"] for each in visitor.messages() if "4711" in (each["body"] or "")]

    desk.page.locator("body").press("Alt+1")
    expect(composer).to_have_value(re.compile("Thank you for your patience"))
    composer.press("Escape")
    expect(strip).to_have_count(0)
