"""The snippet of the guide, in pages as people have them (docs/guides/embedding.md)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from apps.widget.rules.snippet import STUB, snippet, stub_source
from config.environment import PROJECT_ROOT
from tests.documentation.blocks import blocks_of
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
GUIDE = (PROJECT_ROOT / Path("docs/guides/embedding.md")).read_text()
IDENTIFY = 'Parley.identify({user_id: "4711", identity_hmac: "…", name: "Ada"});'


@pytest.fixture
def lines(server: StandIn) -> str:
    """The snippet as the guide has it, for this server."""
    (found,) = re.findall(r"```html\n(<script>.*?</script>\n<script async .*?</script>)\n```", GUIDE)
    address = f"{server.base}/widget/{server.guid}/embed.js"
    lines = found.replace("https://chat.example.com/widget/WIDGET_GUID/embed.js", address)
    assert lines == snippet(address)
    return str(lines)


def identified(page: Page, server: StandIn) -> list[dict[str, object]]:
    expect(page.locator("parley-widget")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    return [body for call, body in server.calls if call == "sessions" and body.get("user_id")]


def problems(page: Page) -> list[str]:
    """What goes wrong in the page, from here on."""
    found: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("warning", "error"):
            found.append(message.text)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", note)
    return found


def test_the_guides_lines_and_its_call_right_behind_them(page: Page, server: StandIn, lines: str) -> None:
    assert IDENTIFY in GUIDE
    server.snippet = f"{lines}<script>{IDENTIFY}</script>"
    wrong = problems(page)
    page.goto(server.base)
    assert [body["user_id"] for body in identified(page, server)] == ["4711"]
    assert wrong == []


def test_the_script_tag_behind_the_calls(page: Page, server: StandIn, lines: str) -> None:
    stub, tag = lines.split("\n")
    server.snippet = f"{stub}<script>Parley.on('ready', () => document.title = 'ready'); {IDENTIFY}</script>{tag}"
    page.goto(server.base)
    assert [body["user_id"] for body in identified(page, server)] == ["4711"]
    expect(page).to_have_title("ready")


def test_the_guides_tag_with_a_language(page: Page, server: StandIn) -> None:
    (tag,) = (each.text for each in blocks_of("embedding", "html") if "data-lang" in each.text)
    server.settings["language"] = "auto"
    server.snippet = tag.replace("https://chat.example.com/widget/WIDGET_GUID", f"{server.base}/widget/{server.guid}")
    wrong = problems(page)
    page.goto(server.base)
    expect(page.locator("parley-widget")).to_have_count(1)
    expect(page.get_by_role("button", name="Chat öffnen")).to_be_visible()
    assert wrong == []


def test_the_guides_button_of_the_page_opens_the_chat(page: Page, server: StandIn, lines: str) -> None:
    (button,) = (each.text for each in blocks_of("embedding", "html") if "<button" in each.text)
    server.snippet = f"{lines}{button}"
    wrong = problems(page)
    page.goto(server.base)
    expect(page.locator("parley-widget")).to_have_count(1)
    page.get_by_role("button", name="Help", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert wrong == []


def test_under_a_strict_policy_by_its_hash_or_a_nonce(page: Page, server: StandIn, lines: str) -> None:
    assert f"script-src https://chat.example.com {stub_source()};" in GUIDE
    rest = f"connect-src {server.base} {server.base.replace('http', 'ws')}; img-src {server.base}"
    for source, script in (
        (stub_source(), lines),
        ("'nonce-4a1b'", lines.replace("<script", '<script nonce="4a1b"')),
    ):
        server.csp, server.snippet = f"default-src 'none'; script-src {server.base} {source}; {rest}", script
        wrong = problems(page)
        page.goto(server.base)
        expect(page.locator("parley-widget")).to_have_count(1)
        assert page.evaluate("typeof Parley.open") == "function"
        assert wrong == []


def test_pasted_twice_it_is_one_widget_and_each_call_is_made_once(page: Page, server: StandIn, lines: str) -> None:
    server.snippet = f"{lines}<script>{IDENTIFY}</script>{lines}"
    page.goto(server.base)
    assert len(identified(page, server)) == 1


def test_a_form_of_the_page_may_be_called_parley(page: Page, server: StandIn, lines: str) -> None:
    server.snippet = f"<form name=Parley><input name=open></form>{lines}<script>{IDENTIFY}</script>"
    page.goto(server.base)
    assert len(identified(page, server)) == 1


def test_without_the_stub_a_form_called_parley_stands_in_no_way(page: Page, server: StandIn, lines: str) -> None:
    server.snippet = "<form name=Parley></form>" + lines.split("\n")[1]
    page.goto(server.base)
    expect(page.locator("parley-widget")).to_have_count(1)
    assert page.evaluate("typeof Parley.open") == "function"


def test_a_function_that_was_taken_from_the_stub_goes_on(page: Page, server: StandIn, lines: str) -> None:
    server.snippet = f"{lines}<script>const {{ open: openChat }} = Parley;</script>"
    page.goto(server.base)
    expect(page.locator("parley-widget")).to_have_count(1)
    page.evaluate("openChat()")
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("Parley.identify()", "Parley: identify({…}) takes an object"),
        ("Parley.identify('Ada')", "Parley: identify({…}) takes an object"),
        ("Parley.setAttributes(null)", "Parley: setAttributes({…}) takes an object"),
        ("Parley.setLanguage()", "Parley: no language undefined"),
        ("Parley.setLanguage('xx')", "Parley: no language xx"),
        ("Parley.on('ready')", "Parley: on(event, f): ready,open,"),
        ("Parley.on('typo', () => 1)", "Parley: on(event, f): ready,open,"),
    ],
)
def test_a_wrong_call_is_told_in_the_console_and_throws_nothing(
    page: Page, server: StandIn, lines: str, call: str, told: str
) -> None:
    server.snippet = f"{lines}<script>{call}</script>"
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with page.expect_console_message(lambda message: message.text.startswith(told)):
        page.goto(server.base)
    page.wait_for_load_state("networkidle")
    assert errors == []
    assert STUB in server.snippet
