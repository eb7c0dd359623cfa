"""Who uses the page: what it tells of them, another person in the same browser, a session that ends."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.widget.frontend.chat import bodies, bubbles, open_chat, until, write
from tests.widget.frontend.server import GUID, StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]
MARY = "{user_id: 'mary', email: 'mary@mail.test', phone: '+37120000000', name: 'Mary', attributes: {plan: 'pro'}}"
OF_A_PERSON = {"email", "phone", "attributes"}


def sessions(server: StandIn) -> list[dict[str, Any]]:
    return [data for call, data in server.calls if call == "sessions"]


def ended(server: StandIn) -> list[str]:
    return [token for call, token in server.calls if call == "ended"]


def kept(page: Page, key: str) -> Any:
    return page.evaluate("([guid, key]) => JSON.parse(localStorage[`parley:${guid}:${key}`] ?? 'null')", [GUID, key])


def writes_as_mary(page: Page, server: StandIn) -> str:
    """Gives her token."""
    page.evaluate(f"Parley.identify({MARY})")
    until(page, lambda: bool(server.sockets))
    open_chat(page)
    write(page, "I am Mary")
    expect(page.get_by_text("Sent")).to_be_visible()
    (token,) = server.messages
    return token


class TestAnotherPersonOfThePage:
    def test_begins_from_nothing(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        page.locator(".composer textarea").fill("half a draft")
        page.evaluate(f"sessionStorage['parley:{server.guid}:form'] = '{{}}'")
        seen = len(sessions(server))
        page.evaluate("Parley.identify({user_id: 'bea', name: 'Bea'})")
        until(page, lambda: len(sessions(server)) > seen and bool(ended(server)))
        write(page, "I am Bea")
        until(page, lambda: bodies(server) == ["I am Bea"])
        expect(bubbles(page)).to_have_text(["I am Bea"])
        assert ended(server) == [mary]
        told = sessions(server)[seen:]
        assert told[0].get("visitor_token") is None
        assert {data["user_id"] for data in told} == {"bea"}
        assert {field: told[-1].get(field) or None for field in OF_A_PERSON} == dict.fromkeys(OF_A_PERSON)
        assert page.evaluate(f"sessionStorage['parley:{server.guid}:form']") is None

    def test_begins_from_nothing_after_a_reload_too(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        page.reload()
        page.evaluate("Parley.identify({user_id: 'bea'})")
        until(page, lambda: ended(server) == [mary])
        expect(bubbles(page)).to_have_count(0)

    def test_in_another_tab_is_nobody_here(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        other = page.context.new_page()
        other.goto(server.page)
        seen = len(sessions(server))
        other.evaluate("Parley.identify({user_id: 'bea'})")
        until(other, lambda: ended(server) == [mary] and bool(server.messages))
        write(page, "Who is here?")
        until(page, lambda: bodies(server) == ["Who is here?"])
        new = [data for data in sessions(server)[seen:] if data.get("visitor_token") != mary]
        assert {data.get("user_id") for data in new} <= {"bea", None}
        assert {field: data.get(field) for data in new for field in OF_A_PERSON if data.get(field)} == {}

    def test_inherits_no_unsent_word_of_another_tab(self, visit: Visit, server: StandIn) -> None:
        """Refused, waiting for the network, half typed, in a form: all are gone from a tab that stayed open."""
        page = visit()
        mary = writes_as_mary(page, server)
        server.refuse_messages = 2
        write(page, "Mary's secret")
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        page.context.route("**/messages", lambda route: route.abort())
        server.refuse_messages = 1
        write(page, "Mary's other secret")
        page.locator(".composer textarea").fill("Mary's half a word")
        page.evaluate(f"sessionStorage['parley:{server.guid}:form'] = '{{\"email\": \"mary@mail.test\"}}'")
        other = page.context.new_page()
        other.goto(server.page)
        other.evaluate("Parley.identify({user_id: 'bea'})")
        until(other, lambda: ended(server) == [mary] and bool(server.messages))
        expect(bubbles(page)).to_have_count(0)
        expect(page.locator(".composer textarea")).to_have_value("")
        assert page.evaluate(f"sessionStorage['parley:{server.guid}:form']") is None
        page.context.unroute("**/messages")
        server.refuse_messages = 0
        write(page, "Bea's first")
        until(page, lambda: "Bea's first" in bodies(server))
        write(page, "Bea's last")
        until(page, lambda: "Bea's last" in bodies(server))
        assert bodies(server) == ["Bea's first", "Bea's last"]
        expect(bubbles(other)).to_have_text(["Bea's first", "Bea's last"])

    def test_who_signs_out_leaves_no_unsent_word_in_another_tab(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        server.refuse_messages = 2
        write(page, "Mary's secret")
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        other = page.context.new_page()
        other.goto(server.page)
        other.evaluate("Parley.reset()")
        until(other, lambda: set(ended(server)) == {mary})
        expect(bubbles(page)).to_have_count(0)

    def test_a_visitor_whom_the_server_forgot_keeps_the_unsent_words(self, visit: Visit, server: StandIn) -> None:
        """That is the same person still."""
        page = visit()
        open_chat(page)
        write(page, "Hello")
        expect(page.get_by_text("Sent")).to_be_visible()
        server.refuse_messages = 1
        write(page, "Not taken yet")
        again = page.get_by_role("button", name="Try again")
        expect(again).to_be_visible()
        server.forget_visitors()
        server.hang_up(1008)
        write(page, "Anybody?")
        until(page, lambda: bodies(server) == ["Anybody?"])
        again.click()
        until(page, lambda: bodies(server) == ["Anybody?", "Not taken yet"])

    def test_the_same_person_goes_on(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        seen = len(sessions(server))
        page.evaluate("Parley.identify({user_id: 'mary', name: 'Mary Ann'})")
        until(page, lambda: len(sessions(server)) > seen)
        told = sessions(server)[-1]
        assert (told["visitor_token"], told["name"], told["email"]) == (mary, "Mary Ann", "mary@mail.test")
        assert ended(server) == []


UNSENDABLE = {
    "a number of any size": "10n",
    "a cycle": "(() => { const ring = {}; ring.ring = ring; return ring })()",
    "a function": "() => 7",
    "a symbol": "Symbol('seven')",
    "a promise": "Promise.resolve(7)",
    "a map": "new Map([[7, 7]])",
    "no number": "NaN",
    "one inside": "[{ seven: 7n }]",
}


class TestWhatCanNotBeSent:
    """It is refused at the call, with its name, and the chat goes on."""

    @pytest.mark.parametrize("value", UNSENDABLE)
    def test_a_field(self, visit: Visit, server: StandIn, value: str) -> None:
        page = visit()
        with page.expect_console_message(lambda entry: entry.text.startswith("Parley.identify: user_id ")):
            page.evaluate(f"Parley.identify({{user_id: {UNSENDABLE[value]}, name: 'Ada'}})")
        open_chat(page)
        write(page, "Hello")
        until(page, lambda: bodies(server) == ["Hello"])
        assert (sessions(server)[-1].get("user_id"), sessions(server)[-1]["name"]) == (None, "Ada")

    @pytest.mark.parametrize("call", ["identify: ", "setAttributes: "])
    def test_an_attribute(self, visit: Visit, server: StandIn, call: str) -> None:
        page = visit()
        attributes = "{plan: 10n, city: 'Riga'}"
        given = f"identify({{attributes: {attributes}}})" if call == "identify: " else f"setAttributes({attributes})"
        with page.expect_console_message(lambda entry: entry.text.startswith(f"Parley.{call}attributes.plan ")):
            page.evaluate(f"Parley.{given}")
        until(page, lambda: bool(sessions(server)))
        assert sessions(server)[-1]["attributes"] == {"city": "Riga"}

    def test_a_field_that_throws_when_it_is_read(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        with page.expect_console_message(lambda entry: entry.text.startswith("Parley.identify: phone ")):
            page.evaluate("Parley.identify({get phone() { throw new Error('not now') }, name: 'Ada'})")
        until(page, lambda: bool(sessions(server)))
        assert sessions(server)[-1]["name"] == "Ada"


class TestASessionThatEnds:
    def test_who_signs_out_ends_it_on_the_server(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        page.evaluate("Parley.reset()")
        until(page, lambda: ended(server) == [mary])
        page.wait_for_function(f"!('parley:{server.guid}:ended' in localStorage)")

    def test_it_is_ended_later_where_the_server_can_not_be_asked(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        page.route("**/sessions", lambda route: route.abort() if route.request.method == "DELETE" else route.fallback())
        with page.expect_event("requestfailed", lambda request: request.method == "DELETE"):
            page.evaluate("Parley.reset()")
        assert (kept(page, "ended"), ended(server)) == (mary, [])
        page.unroute("**/sessions")
        page.reload()
        until(page, lambda: ended(server) == [mary])
        page.wait_for_function(f"!('parley:{server.guid}:ended' in localStorage)")

    def test_the_token_is_kept_until_a_failing_server_has_answered(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        mary = writes_as_mary(page, server)
        failing = {"status": 503, "headers": {"Access-Control-Allow-Origin": "*"}}
        page.route(
            "**/sessions",
            lambda route: route.fulfill(**failing) if route.request.method == "DELETE" else route.fallback(),
        )
        with page.expect_response(lambda response: response.status == 503):
            page.evaluate("Parley.reset()")
        assert kept(page, "ended") == mary
        page.unroute("**/sessions")
        page.reload()
        until(page, lambda: ended(server) == [mary])

    def test_it_stays_quiet_until_the_visitor_writes(self, visit: Visit, server: StandIn) -> None:
        page = visit()
        page.clock.install()
        writes_as_mary(page, server)
        page.get_by_role("button", name="Close chat").click()
        seen = len(sessions(server))
        server.forget_visitors()
        server.hang_up(1008)
        for _ in range(60):
            page.clock.run_for(1000)
        tried = sessions(server)[seen:]
        assert tried
        assert all(data["visitor_token"] for data in tried), "nobody asked for another session"
        assert kept(page, "token") is None
        page.locator("parley-widget .launcher").click()
        page.get_by_role("dialog").wait_for()
        write(page, "Somebody new")
        until(page, lambda: bodies(server) == ["Somebody new"])

    def test_a_new_token_is_taken_over_in_all_tabs(self, visit: Visit, server: StandIn) -> None:
        server.renews_at_proof = True
        page = visit()
        open_chat(page)
        write(page, "Hello")
        expect(page.get_by_text("Sent")).to_be_visible()
        other = page.context.new_page()
        other.goto(server.page)
        until(other, lambda: len(server.sockets) == 2)
        (before,) = server.messages
        page.evaluate("Parley.identify({user_id: 'mary', identity_hmac: 'proved'})")
        until(page, lambda: list(server.messages) != [before])
        until(page, lambda: len(server.sockets) == 2 and set(server.sockets.values()) == set(server.messages))
        server.says("Hello, Mary")
        open_chat(other)
        for each in (page, other):
            expect(bubbles(each)).to_have_text(["Hello", "Hello, Mary"])
        assert [data for data in sessions(server) if not data.get("visitor_token")] == [sessions(server)[0]]
