"""A night in which nobody answers: the sweep closes what visitors wrote, and in the morning nobody is forgotten."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from config.environment import PROJECT_ROOT
from tests.e2e.console import Open, Shop

LOOKS: dict[str, dict[str, Any]] = {
    "desk": {"locale": "en-US"},
    "phone": {"locale": "ru-RU", "viewport": {"width": 390, "height": 780}, "has_touch": True},
}
WORDS = {
    "desk": ("Mark as answered", "Closed by itself", "Transfer", "Comment for the colleague"),
    "phone": ("Отметить отвеченным", "Чат закрылся сам", "Передать", "Комментарий для коллеги"),
}


def sweep(shop: Shop) -> None:
    """As the periodic job does it, an hour later."""
    as_of = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    command = [sys.executable, "manage.py", "sweep_chats", "--as-of", as_of]
    subprocess.run(command, cwd=PROJECT_ROOT, env=shop.service.environ, check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_who_wrote_at_night_waits_in_the_morning(open_desk: Open, shop: Shop, look: str) -> None:
    nothing_to_answer, closed_by_itself, transfer, comment = WORDS[look]
    first, second = f"First of {look}", f"Second of {look}"
    shop.clear_the_desk()
    shop.visitor(name=first).says("Is anybody there?")
    shop.visitor(name=second).says("Do you have tulips?")
    sweep(shop)
    desk = open_desk(**LOOKS[look])
    desk.show("unanswered")
    expect(desk.row(first)).to_be_visible()
    expect(desk.row(second)).to_be_visible()
    waiting = desk.count("unanswered")
    assert waiting >= 2
    desk.check(f"night-{look}-list")
    desk.row(first).click()
    expect(desk.page.get_by_text(closed_by_itself)).to_be_visible()
    desk.check(f"night-{look}-chat")
    if look == "phone":
        desk.page.locator(".details").click()
    if look == "phone":
        button = desk.page.locator(".card").get_by_role("button", name=nothing_to_answer)
    else:
        desk.page.locator(".chat-header .more").click()
        button = desk.page.get_by_role("menuitem", name=nothing_to_answer)
    button.click()
    expect(button).to_be_hidden()
    expect(desk.page.locator(".view.unanswered .count")).to_have_text(str(waiting - 1))
    desk.page.goto(desk.page.url.split("#")[0])
    desk.show("unanswered")
    expect(desk.row(first)).to_be_hidden()
    desk.row(second).click()
    desk.page.locator(".composer textarea").fill("Yes, 25 of them")
    desk.page.keyboard.press("Enter")
    expect(desk.page.get_by_text("Yes, 25 of them").first).to_be_visible()
    waits = desk.page.locator(".view.unanswered .count")
    expect(waits.filter(has_text=str(waiting - 1))).to_have_count(0)
    if look == "desk":
        desk.stay()
        desk.page.locator(".chat-header").get_by_role("button", name=transfer).click()
        desk.page.get_by_label("Olga").first.check()
        desk.page.get_by_label(comment).fill("She asks for an invoice")
        desk.page.get_by_role("dialog").get_by_role("button", name=transfer).click()
        expect(desk.page.locator(".step q")).to_have_text("She asks for an invoice")
        desk.check("night-desk-transferred")
