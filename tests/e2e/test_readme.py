"""The README as it stands: its pictures, its script tag in a page, its second screen pasted into a shell."""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from config.environment import PROJECT_ROOT
from tests.e2e import pictures
from tests.run.service import Service

pytestmark = pytest.mark.e2e

README = (PROJECT_ROOT / "README.md").read_text()
ANSWER = "Hello! How can we help?"
MAX_PICTURE_BYTES = 300_000


def second_screen(service: Service) -> str:
    """The shell lines below "Send your first answer", for this service's address and folder."""
    found = re.search(r"## Send your first answer\n.*?```sh\n(.*?)```", README, re.DOTALL)
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_its_pictures_are_those_that_make_pictures_takes(
    running_service: Service, browser: Browser, tmp_path: Path
) -> None:
    shown = [PROJECT_ROOT / name for name in re.findall(r'<img src="(.+?)"', README)]
    make = ["make", "--dry-run", "pictures"]
    recipe = subprocess.run(make, cwd=PROJECT_ROOT, capture_output=True, text=True, check=True).stdout
    assert f"-m {pictures.__name__}" in recipe

    taken = pictures.take(running_service, browser, tmp_path)
    assert [path.name for path in taken] == [path.name for path in shown]
    for kept, anew in zip(shown, taken, strict=True):
        assert kept.parent == pictures.FOLDER
        assert kept.stat().st_size < MAX_PICTURE_BYTES  # what is taken anew shows the chats of other tests, too
        assert Image.open(kept).size == Image.open(anew).size


@contextmanager
def another_site(folder: Path) -> Iterator[str]:
    """The address of a server for the folder's files. A real one: browsers keep made-up ones from loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_its_script_tag_puts_the_chat_into_a_page_of_another_site(
    running_service: Service, page: Page, tmp_path: Path
) -> None:
    service = running_service
    guid = service.demo["accounts"][0]["widgets"][0]["guid"]
    found = re.search(r"```html\n(<script .*</script>)\n```", README)
    assert found is not None
    tag = found[1].replace("https://chat.example.com", service.url).replace("GUID", guid)

    (tmp_path / "index.html").write_text(f"<!doctype html>{tag}")
    with another_site(tmp_path) as address:
        page.goto(address)
        page.get_by_role("button", name="Open chat").click()
        say(page, "Hello from elsewhere")

    page.goto(f"{service.url}/demo/")
    expect(page.locator("#try pre").first).to_contain_text(tag)
