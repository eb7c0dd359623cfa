"""The README's second screen, pasted as it stands: from a visitor's words to the answer on the page."""

import json
import re
import subprocess

import pytest
from playwright.sync_api import Browser, Page, expect

from config.environment import PROJECT_ROOT
from tests.run.service import Service

pytestmark = pytest.mark.e2e

ANSWER = "Hello! How can we help?"


def second_screen(service: Service) -> str:
    """The shell lines below "Send your first answer", for this service's address and folder."""
    readme = (PROJECT_ROOT / "README.md").read_text()
    found = re.search(r"## Send your first answer\n.*?```sh\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    return found[1].replace("http://localhost:8000", service.url).replace("var/", f"{service.home}/")


def paste(service: Service) -> int:
    """Runs the lines; returns the number of the message that was sent."""
    done = subprocess.run(["bash", "-euc", second_screen(service)], capture_output=True, text=True, check=True)
    message_id: int = json.loads(done.stdout)["data"]["message_id"]
    return message_id


def say(page: Page, text: str) -> None:
    page.get_by_role("dialog").get_by_role("textbox", name="Write a message").fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_contain_text(text)


def test_it_answers_the_visitor_who_spoke_last(running_service: Service, browser: Browser) -> None:
    service = running_service
    first, second = browser.new_page(), browser.new_page()
    for page, words in ((first, "Are you open?"), (second, "Do you deliver?")):
        page.goto(f"{service.url}/demo/")
        page.get_by_role("button", name="Open chat").click()
        say(page, words)
    paste(service)
    expect(second.get_by_role("log").get_by_text(ANSWER, exact=True)).to_have_count(1)
    say(first, "Hello?")
    paste(service)
    expect(first.get_by_role("log").get_by_text(ANSWER, exact=True)).to_have_count(1)
    expect(second.get_by_role("log").get_by_text(ANSWER, exact=True)).to_have_count(1)
