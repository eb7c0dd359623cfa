"""What goes wrong on the page, at the server or in the browser, and does not keep the visitor from writing."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from apps.widget.rules import proofs
from tests.widget.frontend.chat import bodies, bubbles, open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]


def test_a_page_with_a_long_address(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate("history.replaceState(null, '', '?q=' + 'x'.repeat(3000))")
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    assert {len(data["page_url"]) for call, data in server.calls if call == "sessions"} == {2000}


def test_a_dead_token_and_a_malformed_identity_at_once(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "One")
    expect(page.get_by_text("Sent")).to_be_visible()  # else it would go to the new visitor, as all that is unsent
    server.forget_visitors()
    page.reload()
    page.evaluate("Parley.identify({phone: 'n/a'})")
    open_chat(page)
    write(page, "Two")
    until(page, lambda: bodies(server) == ["Two"])


def test_the_page_identifies_while_the_chat_begins(visit: Visit, server: StandIn) -> None:
    page = visit()
    page.evaluate(
        """() => {
            Parley.open();
            Parley.identify({ name: "Ada", attributes: { plan: "pro" } });
            Parley.identify({ attributes: { city: "Riga" } });
        }"""
    )
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    told = [data for call, data in server.calls if call == "sessions"]
    assert (told[-1]["name"], told[-1]["attributes"]) == ("Ada", {"plan": "pro", "city": "Riga"})
    assert [data.get("visitor_token") for data in told[1:]] == [*server.messages] * len(told[1:])


def test_a_malformed_identity_is_forgotten_and_the_page_is_told(visit: Visit, server: StandIn) -> None:
    page = visit()
    with page.expect_console_message(lambda entry: "Parley.identify" in entry.text) as warning:
        page.evaluate("Parley.identify({name: 'Ada', phone: 'n/a'})")
    assert warning.value.text == "Parley.identify: phone: Not a phone number."
    until(page, lambda: bool(server.sockets))
    page.evaluate("Parley.identify({name: 'Ada'})")
    until(page, lambda: len([1 for call, _ in server.calls if call == "sessions"]) == 3)
    told = [(data.get("name"), data.get("phone")) for call, data in server.calls if call == "sessions"]
    assert told == [("Ada", "n/a"), ("Ada", None), ("Ada", None)]


def test_of_two_equal_texts_the_second_is_refused(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "first")
    until(page, lambda: bodies(server) == ["first"])
    server.sockets_blocked = True
    server.hang_up()
    page.context.set_offline(True)
    write(page, "ok")
    write(page, "ok")
    server.refuse_after, server.refuse_messages = 1, 1
    page.context.set_offline(False)
    expect(page.get_by_text("Not sent")).to_be_visible()
    expect(bubbles(page)).to_have_text(["first", "ok", "ok"])
    assert bodies(server) == ["first", "ok"]


def test_a_listener_of_the_page_that_throws(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    for number in range(3):
        server.says(f"Answer {number}")
    page.reload()
    page.evaluate("void Parley.on('message', () => { throw new Error('the page is broken') })")
    open_chat(page)
    write(page, "Thanks")
    until(page, lambda: "Thanks" in bodies(server))
    expect(bubbles(page)).to_have_text(["Hello", "Answer 0", "Answer 1", "Answer 2", "Thanks"])
    assert len([1 for call, _ in server.calls if call == "sessions"]) == 2, "each page load begins once"


def test_operators_leave_and_the_settings_cannot_be_read(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bool(server.sockets))
    page.route("**/config?*", lambda route: route.fulfill(status=429))
    server.push("agent.presence", {"online": False})
    expect(page.get_by_text("Leave your contacts")).to_be_visible()


@pytest.mark.parametrize("is_known", [False, True])
def test_a_blocked_visitor_is_told(visit: Visit, server: StandIn, is_known: bool) -> None:
    server.visitor_blocked = not is_known
    page = visit()
    open_chat(page)
    if is_known:
        write(page, "Hello")
        until(page, lambda: bodies(server) == ["Hello"])
    server.visitor_blocked = True
    write(page, "Again")
    expect(page.get_by_text("we can’t take messages from here")).to_be_visible()
    expect(page.get_by_text("Not sent")).to_be_visible()
    server.visitor_blocked = False
    page.get_by_text("Try again").click()
    until(page, lambda: bodies(server)[-1:] == ["Again"])
    expect(page.get_by_text("we can’t take messages from here")).to_be_hidden()


def test_a_new_visitor_proves_work_without_noticing(visit: Visit, server: StandIn) -> None:
    """On a page that allows no worker, with the product's own challenge, which its own check takes the answer of."""
    server.challenge = proofs.new_challenge("key", timezone.now())
    server.csp = f"script-src {server.base}; worker-src 'none'; connect-src {server.base} ws:"
    page = visit()
    open_chat(page)
    write(page, "Hello")
    until(page, lambda: bodies(server) == ["Hello"])
    sent = next(data["proof"] for call, data in server.calls if call == "sessions" and data.get("proof"))
    assert proofs.proved(sent, "key", timezone.now()) is not None
