"""The npm wrapper of `clients/widget`, which loads the chat as the snippet does."""

import re

import pytest
from playwright.sync_api import Page

from apps.widget.rules.snippet import STUB
from config.environment import PROJECT_ROOT
from tests.widget.frontend.server import StandIn
from tests.widget.frontend.test_snippet import identified, problems

pytestmark = pytest.mark.e2e
WRAPPER = (PROJECT_ROOT / "clients" / "widget" / "index.js").read_text()
TYPES = (PROJECT_ROOT / "clients" / "widget" / "index.d.ts").read_text()


def page_with(server: StandIn, script: str) -> str:
    """A module that has the wrapper's functions, and calls them."""
    options = f'{{baseUrl: "{server.base}/", widget: "{server.guid}"}}'
    return f'<script type="module">{WRAPPER}\nconst options = {options};\n{script}</script>'


def test_it_loads_once_and_its_calls_wait(page: Page, server: StandIn) -> None:
    script = """
      const chat = load(options);
      chat.identify({user_id: "4711", identity_hmac: "…", name: "Ada"});
      load(options).on("ready", () => { document.title = `ready ${chat === load(options)}`; chat.open(); });
    """
    server.snippet = page_with(server, script)
    wrong = problems(page)
    page.goto(server.base)
    assert [body["user_id"] for body in identified(page, server)] == ["4711"]
    page.wait_for_function("document.title === 'ready true'")
    assert page.locator("script[src$='embed.js']").count() == 1
    assert wrong == []


def test_a_listener_that_ended_hears_nothing(page: Page, server: StandIn) -> None:
    script = """
      const chat = load(options);
      document.title = "";
      const end = chat.on("ready", () => { document.title += "ended"; });
      const gone = () => { document.title += "off"; };
      chat.on("ready", gone);
      chat.off("ready", gone);
      end();
      chat.on("ready", () => { document.title += "heard"; });
    """
    server.snippet = page_with(server, script)
    page.goto(server.base)
    page.wait_for_function("document.title !== ''")
    assert page.title() == "heard"


def test_the_calls_and_events_are_those_of_the_script() -> None:
    (calls,) = re.findall(r'of"([a-zA-Z ]+)"', STUB)
    (wrapped,) = re.findall(r'CALLS = "([a-zA-Z ]+)"', WRAPPER)
    assert wrapped == calls
    assert [name for name in calls.split() if not re.search(rf"^  {name}[<(]", TYPES, re.MULTILINE)] == []
    launcher = (PROJECT_ROOT / "apps/widget/static/widget/launcher.js").read_text()
    (events,) = re.findall(r'const EVENTS = "([\w ]+)"', launcher)
    (typed,) = re.findall(r"interface Events {\n(.*?)\n}", TYPES, re.DOTALL)
    assert re.findall(r"^  (\w+):", typed, re.MULTILINE) == events.split()
