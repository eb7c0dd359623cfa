"""The console's dialogs about letters: who gets a copy of a mailbox's answers, and when nobody is woken."""

import re
import urllib.request
import uuid
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.console import Open, Shop

pytestmark = pytest.mark.e2e

LOOKS: dict[str, dict[str, Any]] = {
    "desk": {"locale": "en-US", "timezone_id": "Asia/Tokyo"},
    "phone": {
        "locale": "ru-RU",
        "timezone_id": "Asia/Tokyo",
        "viewport": {"width": 390, "height": 780},
        "has_touch": True,
        "color_scheme": "dark",
    },
}
WORDS = {
    "desk": {
        "goes": "By e-mail, 1 copy",
        "open": "Copies…",
        "title": "Copies",
        "remove": "No copy to tom@mail.example",
        "nobody": "Nobody gets a copy.",
        "add": "Write to them too",
        "close": "Close",
        "quiet": "E-mails to you",
        "waiting": "Write to me when somebody waits",
        "from": "Quiet from",
        "to": "Quiet until",
        "zone": "Time zone",
        "save": "Save",
    },
    "phone": {
        "goes": "Письмом, копий: 1",
        "open": "Копии…",
        "title": "Копии",
        "remove": "Не посылать копию на tom@mail.example",
        "nobody": "Копии не получает никто.",
        "add": "Писать и им",
        "close": "Закрыть",
        "quiet": "Письма вам",
        "waiting": "Писать мне, когда кто-то ждёт",
        "from": "Не писать с",
        "to": "Не писать до",
        "zone": "Часовой пояс",
        "save": "Сохранить",
    },
}


def writes(shop: Shop, name: str, address: str) -> None:
    """A stranger's letter to the demo's mailbox and to Tom comes by its hook."""
    mailbox = shop.widget["mailbox"]
    lines = [
        f"From: {name} <{address}>",
        f"To: {mailbox['address']}",
        "Cc: Tom <tom@mail.example>",
        "Subject: Roses",
        f"Message-ID: <{uuid.uuid4()}@mail.example>",
        "",
        "Do you have roses?",
        "",
    ]
    raw = "\r\n".join(lines).encode()
    request = urllib.request.Request(mailbox["hook_url"], raw, {"Content-Type": "message/rfc822"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        assert answer.status == 200


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_a_copy_is_taken_away_and_given_again(open_desk: Open, shop: Shop, look: str) -> None:
    says, name, address = WORDS[look], f"Rosa {look}", f"rosa.{look}@mail.example"
    shop.clear_the_desk()
    writes(shop, name, address)
    desk = open_desk(**LOOKS[look])
    expect(desk.row(name)).to_be_visible(timeout=30_000)
    desk.row(name).click()
    expect(desk.page.locator(".modes")).to_contain_text(says["goes"])
    expect(desk.page.locator(".modes [title]")).to_have_attribute("title", re.compile(re.escape(address)))
    desk.page.locator(".modes").get_by_role("button", name=says["open"]).click()
    dialog = desk.page.get_by_role("dialog", name=says["title"])
    chips = dialog.locator(".chip")
    expect(chips).to_contain_text(["tom@mail.example"])
    desk.check(f"letters-{look}-copies")
    dialog.get_by_role("button", name=says["remove"]).click()
    expect(chips).to_have_count(0)
    expect(dialog.get_by_text(says["nobody"])).to_be_visible()
    desk.check(f"letters-{look}-no-copies")
    dialog.get_by_role("button", name=says["add"]).click()
    expect(chips).to_contain_text(["tom@mail.example"])
    dialog.get_by_role("button", name=says["close"]).click()
    expect(dialog).to_be_hidden()
    assert desk.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_quiet_hours_are_kept(open_desk: Open, shop: Shop, look: str) -> None:
    says = WORDS[look]
    desk = open_desk(**LOOKS[look])

    def opened() -> Any:
        desk.page.locator("button.person").click()
        desk.page.locator("#person").get_by_role("button", name=says["quiet"]).click()
        dialog = desk.page.get_by_role("dialog", name=says["quiet"])
        expect(dialog.get_by_label(says["from"])).to_be_visible()
        return dialog

    dialog = opened()
    expect(dialog.get_by_label(says["zone"])).to_have_value("Asia/Tokyo")
    dialog.get_by_label(says["waiting"]).check()
    dialog.get_by_label(says["from"]).fill("22:00")
    dialog.get_by_role("button", name=says["save"]).click()
    expect(dialog.locator("[name=to]:invalid")).to_be_visible()  # half of them are none
    dialog.get_by_label(says["to"]).fill("07:30")
    dialog.get_by_label(says["zone"]).select_option("Europe/Moscow")
    desk.check(f"letters-{look}-quiet")
    dialog.get_by_role("button", name=says["save"]).click()
    expect(dialog).to_be_hidden()
    dialog = opened()
    expect(dialog.get_by_label(says["from"])).to_have_value("22:00")
    expect(dialog.get_by_label(says["to"])).to_have_value("07:30")
    expect(dialog.get_by_label(says["zone"])).to_have_value("Europe/Moscow")
    dialog.get_by_label(says["from"]).fill("")
    dialog.get_by_label(says["to"]).fill("")
    dialog.get_by_role("button", name=says["save"]).click()
    expect(dialog).to_be_hidden()
    desk.page.reload()
    dialog = opened()
    expect(dialog.get_by_label(says["from"])).to_have_value("")
    expect(dialog.get_by_label(says["zone"])).to_have_value("Asia/Tokyo")
    assert desk.complaints == []
