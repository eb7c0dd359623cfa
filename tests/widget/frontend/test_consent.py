"""A page whose visitor has not consented: nothing is read from the browser or kept in it (guide `embedding`)."""

import pytest
from playwright.sync_api import Page, expect

from tests.documentation.blocks import blocks_of
from tests.widget.frontend.chat import bodies, open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
# Each look at a storage, and each cookie.
SPY = """window.touched = [];
for (const area of ["localStorage", "sessionStorage"]) {
  const real = window[area];
  Object.defineProperty(window, area, {get: () => (touched.push(area), real)});
}
const cookie = Object.getOwnPropertyDescriptor(Document.prototype, "cookie");
Object.defineProperty(document, "cookie", {
  get: () => (touched.push("cookie"), cookie.get.call(document)),
  set: (value) => (touched.push(value), cookie.set.call(document, value)),
});"""
NAMES = "[localStorage, sessionStorage].flatMap((area) => Object.keys(area))"
KEYS = f"{NAMES}.map((key) => key.split(':').slice(2).join(':')).sort()"


def off(server: StandIn, call: str = "") -> None:
    """The guide's tag for this server, and a call of the page behind it."""
    (tag,) = (each.text.strip() for each in blocks_of("embedding", "html") if "data-consent" in each.text)
    tag = tag.replace("https://chat.example.com/widget/WIDGET_GUID", f"{server.base}/widget/{server.guid}")
    server.snippet = f"{tag}<script>{call}</script>"


def tokens(server: StandIn) -> list[str | None]:
    return [data.get("visitor_token") for call, data in server.calls if call == "sessions"]


def test_nothing_is_read_or_kept_while_the_chat_works(page: Page, server: StandIn) -> None:
    off(server)
    server.invite(rule={"page": ["/nowhere"]})
    server.settings["widget_cookie_domain"] = "127.0.0.1"
    page.add_init_script(SPY)
    page.goto(server.page)
    page.get_by_role("button", name="Open chat").click()
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    server.says("Hi!")
    expect(page.get_by_role("log").get_by_text("Hi!")).to_be_visible()
    page.evaluate("Parley.setLanguage('de')")
    expect(page.get_by_role("button", name="Chat schließen")).to_be_visible()
    until(page, lambda: any(call == "invitations" for call, _ in server.calls))
    page.wait_for_timeout(1200)
    assert page.evaluate("touched") == []


def test_consent_goes_on_with_what_an_earlier_visit_left(page: Page, server: StandIn) -> None:
    page.goto(server.page)
    open_chat(page)
    write(page, "before")
    until(page, lambda: bodies(server) == ["before"])
    page.get_by_role("button", name="Close chat").click()
    token = page.evaluate(f"JSON.parse(localStorage['parley:{server.guid}:token'])")
    off(server)
    page.goto(server.page)
    page.get_by_role("button", name="Open chat").click()
    expect(page.get_by_role("log").get_by_text("before")).to_have_count(0)
    until(page, lambda: len(tokens(server)) == 2)
    assert tokens(server)[1] is None
    page.evaluate("Parley.consent(true)")
    expect(page.get_by_role("log").get_by_text("before")).to_be_visible()
    assert tokens(server)[-1] == token
    write(page, "after")
    until(page, lambda: [each["body"] for each in server.messages[token]] == ["before", "after"])


def test_who_has_written_already_keeps_that_chat(page: Page, server: StandIn) -> None:
    page.goto(server.page)
    open_chat(page)
    write(page, "before")
    until(page, lambda: bodies(server) == ["before"])
    page.get_by_role("button", name="Close chat").click()
    off(server)
    page.goto(server.page)
    page.get_by_role("button", name="Open chat").click()
    write(page, "anew")
    until(page, lambda: bodies(server) == ["before", "anew"])
    page.evaluate("Parley.consent(true)")
    page.wait_for_function(f"localStorage['parley:{server.guid}:token']")
    anew = [token for token, messages in server.messages.items() if messages and messages[-1]["body"] == "anew"]
    assert page.evaluate(f"JSON.parse(localStorage['parley:{server.guid}:token'])") == anew[0]
    page.reload()
    page.evaluate("Parley.consent(true)")
    expect(page.get_by_role("log").get_by_text("anew")).to_be_visible()
    assert tokens(server)[-1] == anew[0]


def test_consent_before_the_loader_has_come_counts_from_the_start(page: Page, server: StandIn) -> None:
    off(server, "addEventListener('load', () => Parley.consent(true))")
    page.goto(server.page)
    page.get_by_role("button", name="Open chat").click()
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    page.wait_for_function(f"{KEYS}.includes('token')")


@pytest.mark.parametrize("api", [True, False])
def test_a_withdrawn_consent_leaves_nothing_and_the_chat_goes_on(page: Page, server: StandIn, api: bool) -> None:
    server.settings["api_enabled"] = api
    page.goto(server.page)
    open_chat(page)
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    page.locator(".composer textarea").fill("half")
    assert {"token", "open", "draft"} <= set(page.evaluate(KEYS))
    page.evaluate("localStorage.cart = '1'; Parley.consent(false)")
    assert page.evaluate(KEYS) == [""]
    assert page.evaluate("localStorage.cart") == "1"
    page.locator(".composer textarea").fill("more")
    page.keyboard.press("Enter")
    until(page, lambda: bodies(server) == ["hello", "more"])
    assert len(server.messages) == 1
    assert page.evaluate(KEYS) == [""]


def test_a_storage_that_throws_behaves_likewise(page: Page, server: StandIn) -> None:
    page.add_init_script(
        "for (const area of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, area, {get() { throw new DOMException('no', 'SecurityError'); }});"
    )
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    server.invite()
    page.goto(server.page)
    expect(page.get_by_role("region", name="Invitation")).to_be_visible()
    page.evaluate("Parley.consent(true); Parley.consent(false)")
    page.get_by_role("button", name="Dismiss").click()
    page.get_by_role("button", name="Open chat").click()
    write(page, "hello")
    until(page, lambda: bodies(server) == ["hello"])
    assert errors == []
