"""What the pages that it stands in do to it: their styles, their navigation, another installation's widget."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.widget.frontend.chat import open_chat, write
from tests.widget.frontend.server import CORS, GUID, StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]


@pytest.fixture
def other_server() -> Iterator[StandIn]:
    """Another installation."""
    stand_in = StandIn("1" * 32)
    stand_in.start()
    yield stand_in
    stand_in.stop()


def add_script(page: Page, server: StandIn) -> None:
    page.add_script_tag(url=f"{server.base}/widget/{server.guid}/embed.js")


def test_the_page_gets_a_new_body(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "Hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.evaluate("document.body.replaceWith(document.createElement('body'))")
    expect(page.get_by_role("dialog")).to_contain_text("Hello")


def test_two_installations_on_one_page(visit: Visit, server: StandIn, other_server: StandIn) -> None:
    page = visit()
    other_server.settings["widget_name"] = "Cups"
    add_script(page, other_server)
    expect(page.locator("parley-widget")).to_have_count(2)
    page.evaluate(f"Parley.widgets['{other_server.guid}'].open()")
    expect(page.get_by_role("dialog", name="Cups")).to_be_visible()
    page.evaluate("Parley.open()")
    expect(page.get_by_role("dialog", name="Teapot & Co")).to_be_visible()


def test_the_same_script_twice_is_one_widget(visit: Visit, server: StandIn) -> None:
    page = visit()
    add_script(page, server)
    page.wait_for_load_state("networkidle")
    expect(page.locator("parley-widget")).to_have_count(1)
    assert [call for call, _ in server.calls] == ["config"]
    assert page.evaluate("Object.keys(Parley.widgets)") == [GUID]


def test_a_config_that_does_not_come_is_asked_for_again(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.route("**/config*", lambda route: route.abort())
    with page.expect_console_message(lambda entry: "Parley:" in entry.text):
        page.reload()
    expect(page.locator("parley-widget")).to_have_count(0)
    page.evaluate("window.heard = []; Parley.on('error', (data) => heard.push(data)); Parley.open()")
    page.wait_for_function("heard.length")
    code, retry_in = page.evaluate("[heard[0].code, heard[0].retry_in]")
    assert code == "network"
    assert 0 < retry_in <= 60
    page.unroute("**/config*")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("module", ["launcher", "chat", "connection", "styles", "languages/en"])
def test_a_module_that_does_not_come_is_asked_for_again(visit: Visit, server: StandIn, module: str) -> None:
    page = visit()
    page.route(f"**/widget/{module}.js", lambda route: route.abort())
    page.reload()
    page.evaluate("Parley.open()")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_widget_that_may_not_stand_here_is_final_until_its_script_is_added_again(
    visit: Visit, server: StandIn
) -> None:
    page = visit()
    page.route("**/config*", lambda route: route.fulfill(status=403, headers=CORS))
    with page.expect_console_message(lambda entry: "Parley:" in entry.text):
        page.reload()
    page.wait_for_function("Parley.failed")
    page.evaluate("Parley.open()")  # harmless
    page.unroute("**/config*")
    add_script(page, server)
    page.evaluate("Parley.open()")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("Parley.failed") is False


def test_the_header_stays_in_a_low_window(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.set_viewport_size({"width": 900, "height": 200})
    server.settings["online"] = False
    page.reload()
    open_chat(page)
    expect(page.get_by_role("button", name="Close chat")).to_be_in_viewport()


@pytest.mark.parametrize(
    "rule",
    [
        "* { position: static; color: red; text-transform: uppercase; font-size: 40px }",
        "body > * { position: relative !important; display: none !important; opacity: 0; z-index: 1 }",
        "parley-widget { display: none; transform: scale(2); letter-spacing: 1em }",
        "* { font-family: fantasy !important; font-size: 40px !important; color: red !important }",
    ],
)
def test_the_pages_styles_do_not_reach_it(visit: Visit, server: StandIn, rule: str) -> None:
    page = visit()
    launcher = page.get_by_role("button", name="Open chat")
    place = launcher.bounding_box()
    page.add_style_tag(content=rule)
    assert launcher.bounding_box() == place
    open_chat(page)
    shown = page.get_by_role("dialog").get_by_text("Hello! How can we help?")
    expect(shown).to_have_css("text-transform", "none")
    expect(shown).to_have_css("letter-spacing", "normal")
    expect(shown).to_have_css("font-size", "16px")
    expect(shown).to_have_css("color", "rgb(27, 31, 36)")
