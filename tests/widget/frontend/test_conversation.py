"""What a visitor and an operator say to each other, whatever happens to the connection, the page or the tab."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.widget.frontend.chat import bodies, bubbles, open_chat, until, write
from tests.widget.frontend.server import StandIn

pytestmark = pytest.mark.e2e
Visit = Callable[..., Page]


def test_three_operators_who_are_there_are_named_the_others_counted(visit: Visit, server: StandIn) -> None:
    server.present = [{"name": name, "avatar_url": None} for name in ["Anna", "Boris", "Vera", "Gleb", "Ivan"]]
    page = visit()
    open_chat(page)
    expect(page.get_by_text("Anna, Boris, Vera +2", exact=True)).to_be_visible()


def test_a_conversation_goes_both_ways(visit: Visit, server: StandIn) -> None:
    page = visit()
    log = open_chat(page)
    expect(log).to_contain_text("Hello! How can we help?")
    expect(page.get_by_role("dialog", name="Teapot & Co")).to_contain_text("Anna, Boris")
    write(page, "Do you have oolong?")
    expect(log.get_by_text("Sent")).to_be_visible()
    answer = server.says("Three kinds of it.")
    expect(bubbles(page)).to_have_text(["Do you have oolong?", "Three kinds of it."])
    expect(log.get_by_text("Anna", exact=True)).to_be_visible()
    until(page, lambda: {"type": "seen", "data": {"message_id": answer["id"]}} in server.frames)
    server.push("message.seen", {"chat_id": 1, "message_id": answer["id"], "by": "operator"})
    expect(log.get_by_text("Seen")).to_be_visible()


def test_shift_enter_writes_a_second_line_and_enter_sends(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    page.keyboard.type("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent")).to_be_visible()
    assert bodies(server) == ["one\ntwo"]


def test_the_conversation_resumes_over_a_reload(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "Remember me")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.reload()
    open_chat(page)
    expect(bubbles(page)).to_have_text(["Remember me"])
    assert len(server.messages) == 1
    assert [data.get("visitor_token") for call, data in server.calls if call == "sessions"] == [None, *server.messages]


def test_what_is_written_offline_waits_and_is_sent_in_order(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "first")
    expect(page.get_by_text("Sent")).to_be_visible()
    page.context.set_offline(True)
    for text in ("second", "third", "fourth"):
        write(page, text)
    expect(page.get_by_text("No connection")).to_be_visible()
    expect(page.locator(".sending")).to_have_count(3)
    assert bodies(server) == ["first"]
    page.context.set_offline(False)
    expect(page.locator(".sending")).to_have_count(0)
    expect(bubbles(page)).to_have_text(["first", "second", "third", "fourth"])
    expect(page.get_by_text("No connection")).to_be_hidden()
    assert bodies(server) == ["first", "second", "third", "fourth"]


def test_what_is_unsent_outlives_the_page(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    expect(page.get_by_role("log")).to_be_visible()
    page.context.set_offline(True)
    write(page, "one")
    write(page, "two")
    expect(page.locator(".sending")).to_have_count(2)
    other = page.context.new_page()
    page.close()
    other.context.set_offline(False)
    other.goto(server.page)
    open_chat(other)
    expect(bubbles(other)).to_have_text(["one", "two"])
    expect(other.get_by_text("Sent")).to_be_visible()
    assert bodies(server) == ["one", "two"]


def test_missed_messages_come_after_a_reconnect_and_none_is_shown_twice(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "hello")
    expect(page.get_by_text("Sent")).to_be_visible()
    server.says("before")
    expect(bubbles(page)).to_have_count(2)
    server.overlap = 100
    server.hang_up()
    until(page, lambda: not server.sockets)
    server.says("while away")
    expect(bubbles(page)).to_have_text(["hello", "before", "while away"])
    until(page, lambda: bool(server.sockets))
    server.says("after")
    expect(bubbles(page)).to_have_text(["hello", "before", "while away", "after"])


def test_a_message_whose_confirmation_is_lost_is_neither_lost_nor_doubled(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.acks_held = True
    write(page, "once")
    until(page, lambda: bodies(server) == ["once"])
    expect(bubbles(page)).to_have_text(["once"])
    server.hang_up()
    until(page, lambda: any(call == "messages" for call, _ in server.calls))
    server.acks_held = False
    write(page, "twice")
    expect(bubbles(page)).to_have_text(["once", "twice"])
    expect(page.get_by_text("Sent")).to_be_visible()
    assert bodies(server) == ["once", "twice"]


def test_it_works_where_websockets_are_blocked(visit: Visit, server: StandIn) -> None:
    server.sockets_blocked = True
    page = visit()
    open_chat(page)
    write(page, "over HTTP")
    expect(page.get_by_text("Sent")).to_be_visible()
    server.says("polled")
    expect(bubbles(page)).to_have_text(["over HTTP", "polled"])
    assert server.frames == []


def test_a_refused_message_stays_and_can_be_sent_again(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    until(page, lambda: bool(server.sockets))
    server.refuse_messages = 1
    write(page, "wobbly")
    expect(page.get_by_text("Not sent")).to_be_visible()
    write(page, "steady")
    expect(page.get_by_text("Sent", exact=False).last).to_be_visible()
    until(page, lambda: bodies(server) == ["steady"])
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".failed")).to_have_count(0)
    until(page, lambda: bodies(server) == ["steady", "wobbly"])


def test_a_refused_token_gives_way_to_a_new_session_and_nothing_unsent_is_lost(visit: Visit, server: StandIn) -> None:
    page = visit()
    open_chat(page)
    write(page, "old life")
    expect(page.get_by_text("Sent")).to_be_visible()
    [old] = server.messages
    server.forget_visitors()
    server.hang_up(1008)
    write(page, "new life")
    expect(bubbles(page)).to_have_text(["new life"])
    until(page, lambda: bodies(server) == ["new life"])
    assert old not in server.messages


def test_two_tabs_share_the_visitor_and_each_others_messages(visit: Visit, server: StandIn) -> None:
    first = visit()
    open_chat(first)
    write(first, "from the first tab")
    expect(first.get_by_text("Sent")).to_be_visible()
    second = first.context.new_page()
    second.goto(server.page)
    open_chat(second)
    until(second, lambda: len(server.sockets) == 2)
    write(second, "from the second tab")
    for page in (first, second):
        expect(bubbles(page)).to_have_text(["from the first tab", "from the second tab"])
    assert len(server.messages) == 1
