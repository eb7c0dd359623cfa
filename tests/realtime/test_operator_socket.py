"""`/ws/operator`: every rule of the operator's websocket, against real processes."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from websockets.exceptions import InvalidStatus

from apps.accounts.actions import change_user
from apps.accounts.models import User, Widget
from apps.agents import presence, rules
from apps.agents.actions import begin_presence, end_presence, expire_presences
from apps.agents.events import AgentChanged
from apps.agents.models import Agent, AgentEvent, AgentPresence
from apps.chats import actions as chats
from apps.chats.models import Chat
from apps.core import bus
from apps.core.redis import connection as redis
from launcher.processes import wait_until
from tests.cast import Rival
from tests.console.browser import operators_browser, ticket_of
from tests.factories import AgentFactory
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab, Tab

OpenConsole = Callable[..., OperatorTab]
NO_COUNTS = {
    "unanswered": 0,
    "mine": 0,
    "department": 0,
    "open": 0,
    "queue": 0,
    "due": 0,
    "snoozed": 0,
    "statuses": {"active": 0, "ready": 0},
    "channels": {},
}


@pytest.fixture
def open_console(realtime: RealtimeProcess) -> Iterator[OpenConsole]:
    """Opens sockets of operators at a process, and closes them after the test."""
    tabs: list[OperatorTab] = []

    def open_one(process: RealtimeProcess = realtime, **options: Any) -> OperatorTab:
        tabs.append(OperatorTab(process.url, **options))
        return tabs[-1]

    yield open_one
    for tab in tabs:
        tab.close()
    until(
        lambda: not AgentPresence.objects.exists()
    )  # else the process would still write while the database is emptied


@pytest.fixture
def alices(alice: Agent) -> Client:
    return operators_browser(alice)


def told(agent: Agent) -> list[str]:
    """Who came and went, by the operator's log."""
    names = {code: name for name, code in rules.EVENT_CODES.items()}
    return [names[line.type_code] for line in AgentEvent.objects.filter(agent=agent).order_by("id")]


def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    assert wait_until(condition, seconds=seconds)


def change(agent: Agent, **fields: Any) -> None:
    """Changes an operator as the actions of agents do: the event with the change."""
    with transaction.atomic():
        Agent.objects.filter(pk=agent.pk).update(**fields)
        agent.refresh_from_db()
        is_banned = agent.status == Agent.Status.BANNED
        guid = agent.widget.guid
        about = {"widget_id": agent.widget_id, "widget_guid": guid, "agent_id": agent.pk}
        bus.publish(AgentChanged(**about, is_banned=is_banned, changed_fields=("status",)))


# The first frame.


def test_ready_tells_who_where_and_who_else_is_online(
    open_console: OpenConsole, alices: Client, alice: Agent, boris: Agent, shop: Widget, rival: Rival
) -> None:
    open_console().auth(ticket_of(operators_browser(rival.agent)))
    open_console().auth(ticket_of(operators_browser(boris)))
    data = open_console().auth(ticket_of(alices))
    shown = {"avatar_url": None, "status": "active", "break": None, "department_ids": []}
    assert data == {
        "agent": {"id": alice.pk, "name": "Alice Weber", **shown},
        "widget": {"id": shop.pk, "guid": shop.guid, "name": "Flower shop"},
        "agents": [
            {"id": alice.pk, "name": "Alice Weber", "online": True, **shown},
            {"id": boris.pk, "name": "Борис Кузнецов", "online": True, **shown},
        ],
        "departments": [],
        "online": [alice.pk, boris.pk],
        "inbox": {"chats": [], "next_cursor": None, "counts": NO_COUNTS},
    }


def test_a_ticket_opens_one_socket(open_console: OpenConsole, alices: Client) -> None:
    ticket = ticket_of(alices)
    open_console().auth(ticket)
    for used in (ticket, "ot_" + "x" * 40, "nonsense"):
        tab = open_console()
        tab.send({"type": "auth", "ticket": used})
        assert tab.close_code() == 1008
        assert tab.frames == []


@pytest.mark.parametrize(
    "frame",
    [
        {"type": "ping"},
        {"type": "auth"},
        {"type": "auth", "ticket": 7},
        {"type": "auth", "token": "x"},
        {"type": "auth", "chats": []},
        {"type": "auth", "chats": {"a": 1, "0": 1, "7": -1, "8": True}},
        {"type": "auth", "chats": {str(n): 0 for n in range(1, 22)}},
    ],
)
def test_another_first_frame_ends_the_socket_and_leaves_the_ticket(
    open_console: OpenConsole, alices: Client, frame: dict[str, Any]
) -> None:
    """Frames after it are not read. The ticket that it names is good for another socket."""
    ticket = ticket_of(alices)
    tab = open_console()
    tab.send({"ticket": ticket, **frame} if frame.keys() - {"type"} else frame)
    assert tab.close_code() == 1008
    assert tab.frames == []
    open_console().auth(ticket)


def test_the_first_frame_may_name_twenty_chats_by_the_longest_ids(open_console: OpenConsole, alices: Client) -> None:
    chats = {str(2**63 - 1 - n): 2**63 - 1 for n in range(20)}
    tab = open_console()
    tab.auth(ticket_of(alices), chats=chats)
    assert [tab.of_type("error")["code"] for _ in chats] == ["not_found"] * 20


def test_only_pages_of_this_installation_are_let_in(open_console: OpenConsole, alices: Client) -> None:
    for origin in ("https://evil.test", "http://localhost.evil.test", "null", "http://["):
        with pytest.raises(InvalidStatus) as refused:
            open_console(origin=origin)
        assert refused.value.response.status_code == 403
    for origin in ("http://localhost:8000", "http://[::1]:8000"):
        open_console(origin=origin).auth(ticket_of(alices))


# Frames.


def test_a_ping_is_answered(open_console: OpenConsole, alices: Client) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    tab.send({"type": "ping", "data": {}})
    assert tab.next() == {"type": "pong"}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("nonsense", "invalid_json"),
        (b"\x00\x01", "invalid_input"),
        ("[]", "invalid_input"),
        ('{"type": "ping", "type": "ping"}', "duplicate_member"),
        (json.dumps({"type": 7}), "invalid_input"),
        (json.dumps({"type": "message.delete"}), "invalid_input"),
        (json.dumps({"type": "auth", "ticket": "x"}), "invalid_input"),
        (json.dumps({"type": "ping", "data": []}), "invalid_input"),
        (json.dumps({"type": "ping", "more": 1}), "invalid_input"),
    ],
)
def test_a_frame_that_cannot_be_read_gets_an_error_and_the_socket_stays(
    open_console: OpenConsole, alices: Client, frame: str | bytes, code: str
) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    tab.send(frame)
    answer = tab.next()
    assert (answer["type"], answer["data"]["code"]) == ("error", code)
    assert tab.settle() == []


# The end of a right.


class TestItIsClosedAtOnce:
    @pytest.fixture
    def tabs(self, open_console: OpenConsole, elsewhere: RealtimeProcess, alices: Client, boris: Agent) -> Any:
        """Two sockets of Alice's, one at each process, and one of Boris's, who has to do with none of it."""
        own = [open_console(), open_console(elsewhere)]
        for tab in own:
            tab.auth(ticket_of(alices))
        other = open_console()
        other.auth(ticket_of(operators_browser(boris)))
        yield own
        assert not [frame for frame in other.settle() if not frame["type"].startswith("agent.")]

    def assert_closed(self, tabs: list[OperatorTab], agent: Agent) -> None:
        assert [tab.close_code() for tab in tabs] == [1008, 1008]
        until(lambda: told(agent)[-1:] == ["offline"] or not Agent.objects.filter(pk=agent.pk).exists())

    def test_when_the_operator_is_suspended(self, tabs: list[OperatorTab], alice: Agent) -> None:
        began = time.monotonic()
        change(alice, status=Agent.Status.BANNED)
        self.assert_closed(tabs, alice)
        assert time.monotonic() - began < 1.5, "it came by the poll, not by the broadcast"

    def test_when_the_person_may_not_sign_in_any_more(self, tabs: list[OperatorTab], alice: Agent) -> None:
        assert alice.user_id is not None
        began = time.monotonic()
        change_user(user_id=alice.user_id, changes={"is_active": False})
        self.assert_closed(tabs, alice)
        assert time.monotonic() - began < 1.5, "it came by the poll, not by the broadcast"

    def test_when_the_person_signs_out(self, tabs: list[OperatorTab], alices: Client, alice: Agent) -> None:
        began = time.monotonic()
        token = alices.cookies["csrftoken"].value
        assert alices.post("/console/logout/", headers={"X-CSRFToken": token}).status_code == 302
        self.assert_closed(tabs, alice)
        assert time.monotonic() - began < 1.5, "it came by the poll, not by the broadcast"
        assert told(alice) == ["online", "logout", "offline"]

    @pytest.mark.parametrize("lost", ["banned", "removed", "another's", "deactivated", "session", "password"])
    def test_also_when_no_nudge_told_of_it(
        self, tabs: list[OperatorTab], alices: Client, alice: Agent, boris: Agent, lost: str
    ) -> None:
        """The idle poll finds it."""
        if lost == "banned":
            Agent.objects.filter(pk=alice.pk).update(status="banned")
        elif lost == "removed":
            Agent.objects.filter(pk=alice.pk).delete()
        elif lost == "another's":
            Agent.objects.filter(pk=alice.pk).update(user=None)
        elif lost == "deactivated":
            User.objects.filter(pk=alice.user_id).update(is_active=False)
        elif lost == "session":
            Session.objects.filter(session_key=alices.session.session_key).delete()
        else:
            User.objects.filter(pk=alice.user_id).update(password="another")
        self.assert_closed(tabs, alice)


def test_a_change_that_takes_no_right_leaves_the_socket_open(
    open_console: OpenConsole, alices: Client, alice: Agent
) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    change(alice, status=Agent.Status.RELAXATION)
    assert tab.settle() == []
    assert Agent.objects.get(pk=alice.pk).online_since is not None


def test_another_session_of_the_person_stays(open_console: OpenConsole, alices: Client, alice: Agent) -> None:
    other = operators_browser(alice)
    tabs = [open_console(), open_console()]
    for tab, browser in zip(tabs, (alices, other), strict=True):
        tab.auth(ticket_of(browser))
    alices.logout()
    assert tabs[0].close_code() == 1008
    assert tabs[1].settle() == []
    assert told(alice) == ["online"]


# Presence.


def test_online_with_the_first_socket_and_offline_with_the_last_over_two_processes(
    open_console: OpenConsole, elsewhere: RealtimeProcess, alices: Client, alice: Agent
) -> None:
    tabs = [open_console(), open_console(), open_console(elsewhere)]
    for tab in tabs:
        tab.auth(ticket_of(alices))
    assert told(alice) == ["online"]
    for tab in tabs[:2]:
        tab.close()
    until(lambda: AgentPresence.objects.filter(agent=alice).count() == 1)
    assert told(alice) == ["online"]
    tabs[2].close()
    until(lambda: told(alice) == ["online", "offline"])
    assert not AgentPresence.objects.exists()


def test_a_process_that_is_stopped_in_order_takes_its_operators_along(
    start_realtime: Callable[..., RealtimeProcess], open_console: OpenConsole, alices: Client, alice: Agent
) -> None:
    process = start_realtime()
    open_console(process).auth(ticket_of(alices))
    process.stop()
    assert told(alice) == ["online", "offline"]


def test_a_process_that_is_killed_is_found_when_its_time_is_over(
    start_realtime: Callable[..., RealtimeProcess], open_console: OpenConsole, alices: Client, alice: Agent
) -> None:
    process = start_realtime()
    open_console(process).auth(ticket_of(alices))
    process.kill()
    expire_presences()
    assert told(alice) == ["online"]
    AgentPresence.objects.update(until=timezone.now())
    expire_presences()
    assert told(alice) == ["online", "offline"]


@pytest.mark.slow
def test_a_presence_that_was_taken_for_over_begins_anew(
    start_realtime: Callable[..., RealtimeProcess], open_console: OpenConsole, alices: Client, alice: Agent
) -> None:
    """Of a process that was frozen for longer than a presence lasts, while its sockets stayed open."""
    tab = open_console(start_realtime("tests.realtime.renewing:application"))
    tab.auth(ticket_of(alices))
    with transaction.atomic():  # the process waits for these rows before it renews them
        AgentPresence.objects.update(until=Now())
        expire_presences()
    until(lambda: told(alice) == ["online", "offline", "online"])
    assert tab.of_type("agent.presence") == {"agent_id": alice.pk, "online": False}
    assert tab.of_type("agent.presence") == {"agent_id": alice.pk, "online": True}


def test_colleagues_see_each_other_come_and_go(
    open_console: OpenConsole, elsewhere: RealtimeProcess, alices: Client, alice: Agent, boris: Agent, rival: Rival
) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    strangers = open_console(elsewhere)
    strangers.auth(ticket_of(operators_browser(rival.agent)))
    began = time.monotonic()
    boriss = open_console(elsewhere)
    boriss.auth(ticket_of(operators_browser(boris)))
    assert tab.next() == {"type": "agent.presence", "data": {"agent_id": boris.pk, "online": True}}
    boriss.close()
    assert tab.next() == {"type": "agent.presence", "data": {"agent_id": boris.pk, "online": False}}
    assert time.monotonic() - began < 3, "it came by the poll, not by the broadcast"
    assert strangers.settle() == []


def test_also_when_no_nudge_told_of_it(open_console: OpenConsole, alices: Client, boris: Agent) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    Agent.objects.filter(pk=boris.pk).update(online_since=timezone.now())
    assert tab.next() == {"type": "agent.presence", "data": {"agent_id": boris.pk, "online": True}}


def test_visitors_are_told_whether_somebody_is_at_work(
    open_console: OpenConsole,
    open_tab: Callable[..., Tab],
    token_of_ivan: str,
    alices: Client,
    alice: Agent,
    rival: Rival,
) -> None:
    visitor = open_tab()
    assert visitor.auth(token_of_ivan)["online"] is False
    open_console().auth(ticket_of(operators_browser(rival.agent)))
    tab = open_console()
    tab.auth(ticket_of(alices))
    assert visitor.of_type("agent.presence")["online"] is True
    assert open_tab().auth(token_of_ivan)["online"] is True
    change(alice, status=Agent.Status.RELAXATION)
    assert visitor.of_type("agent.presence") == {"online": False, "present": []}
    change(alice, status=Agent.Status.ACTIVE)
    assert visitor.of_type("agent.presence")["online"] is True
    tab.close()
    assert visitor.of_type("agent.presence") == {"online": False, "present": []}


def test_visitors_are_told_also_when_no_nudge_was(
    open_tab: Callable[..., Tab], token_of_ivan: str, alice: Agent
) -> None:
    visitor = open_tab()
    visitor.auth(token_of_ivan)
    Agent.objects.filter(pk=alice.pk).update(online_since=timezone.now())
    assert visitor.of_type("agent.presence")["online"] is True


def test_a_colleague_who_is_online_elsewhere_keeps_visitors_content(
    open_tab: Callable[..., Tab], token_of_ivan: str, alice: Agent, boris: Agent
) -> None:
    process = uuid.uuid4()
    for agent in (alice, boris):
        begin_presence(agent_id=agent.pk, process=process)
    visitor = open_tab()
    assert visitor.auth(token_of_ivan)["online"] is True
    end_presence(agent_id=alice.pk, process=process)
    left = [{"name": boris.full_name, "avatar_url": None}]
    assert visitor.of_type("agent.presence") == {"online": True, "present": left}
    end_presence(agent_id=boris.pk, process=process)
    assert visitor.of_type("agent.presence") == {"online": False, "present": []}


def test_redis_that_forgets_everything_changes_nothing(
    open_console: OpenConsole, alices: Client, alice: Agent, shop: Widget
) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    redis.client().flushdb()
    until(lambda: presence.online_agents(shop.pk) == {alice.pk})
    assert tab.settle() == []
    assert told(alice) == ["online"]


def test_many_tabs_that_open_and_close_at_once_are_one_coming_and_one_going(
    open_console: OpenConsole, elsewhere: RealtimeProcess, realtime: RealtimeProcess, alices: Client, alice: Agent
) -> None:
    """Ten tabs over two processes, all signed in before any of them is waited for."""
    tabs = [open_console(process) for _ in range(5) for process in (realtime, elsewhere)]
    for tab in tabs:
        tab.send({"type": "auth", "ticket": ticket_of(alices)})
    for tab in tabs:
        assert tab.next()["type"] == "ready"
    assert told(alice) == ["online"]
    for tab in tabs:
        tab.close()
    until(lambda: told(alice) == ["online", "offline"])
    assert not AgentPresence.objects.exists()


def test_a_person_at_two_widgets_is_online_where_the_session_works(
    open_console: OpenConsole, alices: Client, alice: Agent, rival: Rival
) -> None:
    there = AgentFactory.create(widget=rival.widget, user=alice.user)
    open_console().auth(ticket_of(alices))
    assert (told(alice), told(there)) == (["online"], [])


# Own messages.


def sent(tab: OperatorTab, chat: Chat, **content: Any) -> dict[str, Any]:
    """What a message that an operator sends is acknowledged as."""
    data = {"chat_id": chat.pk, "client_id": str(uuid.uuid4()), "type": "text", **content}
    tab.send({"type": "message.send", "data": data})
    message: dict[str, Any] = tab.of_type("ack")["message"]
    return message


def test_an_edit_is_shown_to_the_visitor_and_to_who_looks_at_the_chat(
    open_console: OpenConsole, open_tab: Any, alices: Client, alice: Agent, boris: Agent, chat: Chat, token_of_ivan: str
) -> None:
    ours, theirs, visitors = open_console(), open_console(), open_tab()
    ours.auth(ticket_of(alices), chats={str(chat.pk): 0})
    theirs.auth(ticket_of(operators_browser(boris)), chats={str(chat.pk): 0})
    visitors.auth(token_of_ivan)
    message = sent(ours, chat, body="At 5")
    assert visitors.of_type("message.created")["id"] == message["id"]
    theirs.of_type("message.created")
    chats.edit_message(widget_id=chat.widget_id, message_id=message["id"], agent_id=alice.pk, body="At 6")
    for tab in (visitors, theirs, ours):
        shown = tab.of_type("message.updated")["message"]
        assert (shown["id"], shown["body"], shown["deleted_at"]) == (message["id"], "At 6", None)
        assert shown["edited_at"] is not None
    chats.delete_message(widget_id=chat.widget_id, message_id=message["id"], agent_id=alice.pk)
    for tab in (visitors, theirs):
        shown = tab.of_type("message.updated")["message"]
        assert (shown["body"], shown["deleted_at"] is not None) == ("", True)


def test_who_comes_back_is_told_of_what_was_edited_meanwhile(
    open_console: OpenConsole, open_tab: Any, alices: Client, alice: Agent, chat: Chat, token_of_ivan: str
) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    message = sent(tab, chat, body="At 5")
    note = sent(tab, chat, body="Boss is ill", is_note=True)
    for each, text in ((message, "At 6"), (note, "Boss is well")):
        chats.edit_message(widget_id=chat.widget_id, message_id=each["id"], agent_id=alice.pk, body=text)
    visitors = open_tab()
    visitors.auth(token_of_ivan, after_id=note["id"])
    assert visitors.of_type("message.updated")["message"]["body"] == "At 6"
    again = open_console()
    again.auth(ticket_of(alices), chats={str(chat.pk): note["id"]})
    shown = [again.of_type("message.updated")["message"]["body"] for _ in range(2)]
    assert shown == ["At 6", "Boss is well"]


def test_a_message_with_marks_is_stored_with_and_without_them(
    open_console: OpenConsole, alices: Client, chat: Chat
) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    message = sent(tab, chat, markdown="**Yes**, see [the list](https://shop.test/a_b_c)")
    assert (message["body"], message["markdown"]) == (
        "Yes, see the list (https://shop.test/a_b_c)",
        "**Yes**, see [the list](https://shop.test/a_b_c)",
    )
    assert sent(tab, chat, markdown="2*3*4 and my_order_id")["markdown"] is None
    data = {"chat_id": chat.pk, "client_id": str(uuid.uuid4()), "type": "text", "body": "a", "markdown": "b"}
    tab.send({"type": "message.send", "data": data})
    assert list(tab.of_type("error")["errors"]) == ["markdown"]


def test_a_last_word_closes_the_chat(open_console: OpenConsole, alices: Client, chat: Chat) -> None:
    tab = open_console()
    tab.auth(ticket_of(alices))
    message = sent(tab, chat, body="Bye!", and_close=True)
    chat.refresh_from_db()
    assert (chat.status, chat.last_message_id) == ("expired", message["id"])


def test_the_persons_other_devices_hear_which_is_used(
    open_console: OpenConsole, alices: Client, alice: Agent, boris: Agent
) -> None:
    phone, desk, colleague = open_console(), open_console(), open_console()
    for tab, agent in ((phone, alice), (desk, alice), (colleague, boris)):
        tab.auth(ticket_of(operators_browser(agent)))
    phone.send({"type": "used", "data": {"device": "the-phone"}})
    assert desk.of_type("device.used") == {"device": "the-phone"}
    assert "device.used" not in [frame["type"] for frame in colleague.settle()]
