"""`make pictures`: the README's pictures, taken of a real conversation on the demo page and in the console.

A service of its own is started in an empty folder, a visitor writes in Chromium, and Alice of the demo, who has the
console open, answers over REST. The times in the chat are those of the run and the letters are the machine's fonts, so
no two runs give the same pixels: the files belong into a commit only when what they show has changed. Beside them it
draws the sheet of all surfaces (sheet.py), for a person to look at before a release.
"""

import argparse
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from config.environment import PROJECT_ROOT
from tests.browser import ARGUMENTS, CHROMIUM
from tests.e2e import sheet
from tests.e2e.http import call
from tests.environment import named
from tests.run.service import Service

# Many visitors come from one address, and AI asks a vendor on this machine.
FOR_PICTURES = {"VISITOR_RATE_LIMIT": "1000000", "EGRESS_ALLOW": "127.0.0.1"}
FOLDER, SHEET = PROJECT_ROOT / "docs/pictures", PROJECT_ROOT / "var/sheet"


class Screen(NamedTuple):
    """What a visitor looks at: its size in CSS pixels (each becomes two by two) and the colour scheme."""

    name: str
    width: int
    height: int
    scheme: str = "light"


SCREENS = (Screen("widget", 1280, 720), Screen("widget-phone", 390, 844, "dark"))
CONSOLE = Screen("console", 1280, 720)
VISITORS = {"widget": "Emma Clarke", "widget-phone": "Tom Baker"}

QUESTION = "Hello! What would you pick for somebody who only drinks coffee?"
ANSWER = "Ruby Mountain: cocoa, dried cherry, malt. It takes milk well, too."
BUTTONS = [
    {"label": "Ruby Mountain, 50 g", "url": "https://shop.example/ruby-mountain", "style": "primary"},
    {"label": "Delivery", "url": "https://shop.example/delivery", "style": "secondary"},
]
THANKS = "Just what I need, thank you!"


class Alice:
    """The operator who answers in a chat, by the token that the demo data printed."""

    def __init__(self, service: Service) -> None:
        widget = service.demo["accounts"][0]["widgets"][0]
        self._person = next(agent for agent in widget["agents"] if agent["name"].startswith("Alice"))
        self._console = f"{service.url}/console/"
        self._api = f"{service.url}/api/v1"
        self._url = f"{self._api}/chats"
        self._authorization = f"Bearer {widget['tokens']['all']}"

    @contextmanager
    def at_work(self, browser: Browser) -> Iterator[Page]:
        """She has the console open meanwhile, so that visitors see that somebody is there."""
        with browser.new_context(**options_of(CONSOLE)) as context:
            page = context.new_page()
            page.goto(self._console)
            page.get_by_label("E-mail address").fill(self._person["email"])
            page.get_by_label("Password").fill(self._person["password"])
            page.get_by_role("button", name="Sign in").click()
            expect(page.locator(".connection")).to_have_text("Online")
            yield page

    def names(self, chat_id: str, name: str) -> None:
        contact_id = call("GET", f"{self._url}/{chat_id}", self._authorization)["data"]["contact_id"]
        call("PATCH", f"{self._api}/contacts/{contact_id}", self._authorization, {"name": name})

    def answers(self, chat_id: str, body: str, buttons: list[dict[str, str]]) -> None:
        keyboard = {"type": "keyboard", "body": body, "keyboard": {"buttons": buttons}, "agent_id": self._person["id"]}
        call("POST", f"{self._url}/{chat_id}/messages", self._authorization, keyboard)

    def has_seen_all(self, chat_id: str) -> None:
        newest = call("GET", f"{self._url}/{chat_id}/messages", self._authorization)["data"]
        last = max(message["id"] for message in newest)
        call("POST", f"{self._url}/{chat_id}/seen", self._authorization, {"message_id": last})

    def asks_for_a_rating(self, chat_id: str) -> None:
        call("POST", f"{self._url}/{chat_id}/rate-request", self._authorization)


def take(service: Service, browser: Browser, folder: Path) -> list[Path]:
    """Has the conversation on every screen, and gives the files that were written."""
    alice = Alice(service)
    with alice.at_work(browser) as console:
        taken = [photograph(screen, service, browser, alice, folder) for screen in SCREENS]
        console.locator(".rows .row", has_text=VISITORS["widget"]).first.click()
        expect(console.get_by_role("log")).to_contain_text(THANKS)
        expect(console.get_by_role("complementary")).to_contain_text("Asked for")
        return [*taken, keep(console, folder / f"{CONSOLE.name}.png")]


def photograph(screen: Screen, service: Service, browser: Browser, alice: Alice, folder: Path) -> Path:
    with browser.new_context(**options_of(screen)) as context:
        page = context.new_page()
        page.goto(f"{service.url}/demo/")
        converse(page, alice, VISITORS[screen.name])
        return keep(page, folder / f"{screen.name}.png")


def options_of(screen: Screen) -> dict[str, Any]:
    """Playwright's options of a context."""
    return {
        "viewport": {"width": screen.width, "height": screen.height},
        "device_scale_factor": 2,
        "color_scheme": screen.scheme,
        "locale": "en-GB",
        "timezone_id": late_morning(),
        "reduced_motion": "reduce",
    }


def keep(page: Page, path: Path) -> Path:
    """Writes what is to be seen."""
    whole = Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    # A palette makes half the bytes; dithered, it does not show in the shop's gradients.
    whole.quantize(256, palette=whole.quantize(256)).save(path, optimize=True)
    return path


def late_morning() -> str:
    """A time zone where it is now past eleven: the shop answers by day, whenever the picture is taken."""
    return f"Etc/GMT{datetime.now(UTC).hour - 11:+d}"  # the names' signs are the wrong way round


def converse(page: Page, alice: Alice, visitor: str) -> None:
    """A question, an answer with link buttons, thanks, and five stars to give; returns when all of it is shown."""
    page.get_by_role("button", name="Open chat").click()
    say(page, QUESTION)
    number = page.locator("[data-chat-id]").first
    expect(number).to_have_text(re.compile("[0-9]+"))
    chat_id = number.inner_text()
    log = page.get_by_role("log")
    alice.names(chat_id, visitor)
    alice.answers(chat_id, ANSWER, BUTTONS)
    expect(log.get_by_role("link")).to_have_text([button["label"] for button in BUTTONS])
    say(page, THANKS)
    alice.has_seen_all(chat_id)
    expect(log).to_contain_text("Seen")
    alice.asks_for_a_rating(chat_id)
    expect(page.get_by_role("group", name="How did we do?")).to_be_visible()
    expect(page.get_by_role("button", name="Attach a file")).to_be_visible()


def say(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Write a message").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").locator(".row:not(.sending)").get_by_text(text)).to_be_visible()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make pictures", description="Take the README's pictures anew.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where to (docs/pictures)")
    parser.add_argument("--sheet", type=Path, default=SHEET, help="where the sheet of states goes (var/sheet)")
    given = parser.parse_args()
    folder: Path = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="parley-pictures-") as home, sync_playwright() as playwright:
        service = Service(Path(home), named(os.environ))
        try:
            service.start(**FOR_PICTURES)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            for path in take(service, browser, folder):
                print(f"{path}  {path.stat().st_size // 1000} kB")  # noqa: T201 - what the command has done
            drawn = sheet.draw(service, browser, given.sheet, zone=late_morning())
            print(f"{given.sheet / 'index.html'}  {len(drawn)} pictures")  # noqa: T201 - as above
        finally:
            service.end()


if __name__ == "__main__":
    main()
