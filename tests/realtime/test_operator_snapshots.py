"""What an operator's tab was shown when it was opened, with the frames since, is what a tab is shown that opens now.

That is so after every action, for two operators with two tabs each, and through disconnections at random points. The
followed tabs are at a process that never looks by itself: what they learn, broadcasts have told of.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import orjson
import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.agents.models import Agent, AgentPresence
from apps.chats import actions as chats
from apps.chats.models import Chat
from apps.chats.rules import MoveRefused, Status
from apps.console import querysets
from apps.core.endpoints.answers import dump_json
from apps.core.problems import Problem
from launcher.processes import wait_until
from tests.console.browser import operators_browser, ticket_of
from tests.factories import ChatFactory, ContactFactory, DepartmentFactory
from tests.realtime.drives import DRIVES, TEXT, Drive, Talk
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab
from tests.waits import AT_MOST_S

Shown = dict[str, Any]


class Desk:
    """An operator's tab that does with each frame what the frame says; `shown` is what is on its screen."""

    def __init__(self, process: RealtimeProcess, browser: Client, chat_ids: list[int]) -> None:
        self._process, self._browser = process, browser
        self.shown: Shown = {}
        self._chats = {chat_id: {"messages": {}} for chat_id in chat_ids}
        self.open()

    def open(self) -> None:
        """Opens the socket, with what the tab has shown of its chats."""
        self._tab = OperatorTab(self._process.url)
        positions = {str(id_): max(chat["messages"], default=0) for id_, chat in self._chats.items()}
        ready = self._tab.auth(ticket_of(self._browser), chats=positions)
        inbox = ready["inbox"]
        self.shown = {
            "rows": {row["id"]: row for row in inbox["chats"]},
            "counts": inbox["counts"],
            "agents": {agent["id"]: agent for agent in ready["agents"]},
            "departments": ready["departments"],
            "chats": self._chats,
        }
        self.settle()

    def close(self) -> None:
        self._tab.close()

    def read_messages(self) -> None:
        """Shows the messages of its chats as they are answered over HTTP now."""
        for chat_id, chat in self._chats.items():
            page = self._browser.get(f"/console/chats/{chat_id}/messages?limit=100").json()
            chat["messages"] = {message["id"]: _seen_or_not(message) for message in page["data"]}

    def settle(self) -> None:
        """Takes in what is under way. The reading process answers the ping after all that it has read by then."""
        for frame in self._tab.settle():
            self._take(frame)

    def until(self, condition: Callable[[Shown], bool]) -> bool:
        """Takes frames in until the condition holds, for some seconds; whether it does."""
        deadline = time.monotonic() + AT_MOST_S
        while not condition(self.shown) and time.monotonic() < deadline:
            try:
                self._take(self._tab.next(0.2))
            except TimeoutError:
                continue
        return condition(self.shown)

    def _take(self, frame: dict[str, Any]) -> None:
        data, shown = frame["data"], self.shown
        match frame["type"]:
            case "chat.opened":
                self._chats[data["chat_id"]]["card"] = data["card"]
                messages = self._chats[data["chat_id"]]["messages"]
                _seen(messages, data["card"]["seen_by_visitor"], "visitor")
                _seen(messages, data["seen_by_operator"], "operator")
                self._take_row(data["chat"])
            case "chat.updated":
                self._take_row(data["chat"])
            case "chat.card":
                self._chats[data["chat_id"]]["card"] = data["card"]
            case "message.created":
                self._chats[data["chat_id"]]["messages"][data["id"]] = _seen_or_not(data)
            case "message.updated":
                change = data["message"]
                change = _seen_or_not(change) if "seen_at" in change else change
                self._chats[change["chat_id"]]["messages"][change["id"]] |= change
            case "message.seen":
                _seen(self._chats[data["chat_id"]]["messages"], data["message_id"], data["by"])
            case "inbox.counts":
                shown["counts"] = data
            case "agent.presence":
                shown["agents"][data["agent_id"]] = shown["agents"][data["agent_id"]] | {"online": data["online"]}
            case "agent.updated":
                shown["agents"][data["agent"]["id"]] = data["agent"]
            case "agent.removed":
                del shown["agents"][data["agent_id"]]
            case "departments.updated":
                shown["departments"] = data["departments"]
            case "chat.colleagues" | "typing":
                pass  # of the moment: they are in no snapshot
            case other:
                raise AssertionError(other)

    def _take_row(self, row: dict[str, Any]) -> None:
        known = self.shown["rows"].get(row["id"])
        if known is None or row["version"] >= known["version"]:
            self.shown["rows"][row["id"]] = row


def _seen_or_not(message: dict[str, Any]) -> dict[str, Any]:
    return message | {"seen_at": message["seen_at"] is not None}


def _seen(messages: dict[int, dict[str, Any]], message_id: int, by: str) -> None:
    """Marks what one side has seen of the other's."""
    for id_, message in messages.items():
        is_visitors = message["sender"]["kind"] == "client"
        if id_ <= message_id and not message["is_note"] and is_visitors == (by == "operator"):
            message["seen_at"] = True


def wanted(fresh: Desk, widget: Widget) -> Callable[[Shown], bool]:
    """Whether a screen shows what a tab does that was opened now; of closed chats, what their rows are now."""

    def condition(shown: Shown) -> bool:
        closed = shown["rows"].keys() - fresh.shown["rows"].keys()
        rows = {row["id"]: row for row in querysets.inbox_rows(widget.pk, closed)}
        is_closed = all(row["status"] in (Status.EXPIRED, Status.SPAM) for row in rows.values())
        current = {**fresh.shown, "rows": {**fresh.shown["rows"], **rows}}
        return is_closed and _plain(shown) == _plain(current)

    return condition


def _plain(shown: Shown) -> Any:
    """With times as the wire has them."""
    return orjson.loads(dump_json(_named(shown)))


def _named(value: Any) -> Any:
    return {str(name): _named(each) for name, each in value.items()} if isinstance(value, dict) else value


@pytest.fixture
def sit(shop: Widget, alice: Agent, boris: Agent) -> Iterator[Callable[..., Desk]]:
    """Opens a desk of an operator's; closes all after the test."""
    browsers = {agent.pk: operators_browser(agent) for agent in (alice, boris)}
    with ExitStack() as opened:

        def one(process: RealtimeProcess, agent: Agent, chat_ids: list[int]) -> Desk:
            desk = Desk(process, browsers[agent.pk], chat_ids)
            opened.callback(desk.close)
            return desk

        yield one
    assert wait_until(lambda: not AgentPresence.objects.exists(), seconds=AT_MOST_S)


@pytest.mark.parametrize("drive", DRIVES, ids=lambda drive: drive.steps.__name__)
def test_an_operators_snapshot_and_the_frames_since_are_a_fresh_snapshot(
    drive: Drive,
    talk: Talk,
    sit: Callable[..., Desk],
    unpolled: RealtimeProcess,
    realtime: RealtimeProcess,
    shop: Widget,
    alice: Agent,
    boris: Agent,
) -> None:
    if drive.has_chat:
        talk.begun = ChatFactory.create(contact=talk.ivan)
    chat_ids = [talk.chat.pk] if drive.has_chat else []
    steps = drive.steps(talk)
    next(steps)
    desks = [sit(unpolled, agent, chat_ids) for agent in (alice, boris) for _ in range(2)]

    assert next(steps, "done") == "done"
    for agent, (first, second) in zip((alice, boris), (desks[:2], desks[2:]), strict=True):
        fresh = sit(realtime, agent, chat_ids)
        fresh.read_messages()
        condition = wanted(fresh, shop)
        for desk in (first, second):
            if not desk.until(condition):
                assert _plain(desk.shown) == _plain(fresh.shown)
        fresh.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_also_after_many_actions_through_disconnections_at_random_points(
    seed: int,
    sit: Callable[..., Desk],
    unpolled: RealtimeProcess,
    realtime: RealtimeProcess,
    shop: Widget,
    alice: Agent,
    boris: Agent,
) -> None:
    dice = random.Random(seed)
    contacts = [ContactFactory.create(widget=shop) for _ in range(4)]
    for contact in contacts:
        chats.post_client_message(contact=contact, content=TEXT)
    all_chats = list(Chat.objects.filter(widget=shop).order_by("id"))
    chat_ids = [chat.pk for chat in all_chats[:2]]
    department = DepartmentFactory.create(widget=shop)
    department.agents.add(alice)
    desks = [(agent, sit(unpolled, agent, chat_ids)) for agent in (alice, boris) for _ in range(2)]
    away: set[int] = set()

    def act() -> None:
        place = dice.randrange(4)
        contact, chat, agent = contacts[place], all_chats[place], dice.choice([alice, boris])
        ids = {"widget_id": shop.pk, "chat_id": chat.pk}
        dice.choice(
            [
                lambda: chats.post_client_message(contact=contact, content=TEXT),
                lambda: chats.post_agent_message(**ids, agent_id=agent.pk, content=TEXT),
                lambda: chats.post_note(**ids, agent_id=agent.pk, content=TEXT),
                lambda: chats.accept_chat(**ids, agent_id=agent.pk),
                lambda: chats.transfer_chat(**ids, agent_id=agent.pk),
                lambda: chats.transfer_chat_to_department(**ids, department_id=department.pk),
                lambda: chats.close_chat(**ids),
                lambda: chats.set_chat_state(**ids, status=dice.choice(list(Status))),
                lambda: chats.request_rating(**ids),
                lambda: chats.rate_chat(**ids, value=dice.randint(1, 5)),
                lambda: chats.mark_seen(**ids, message_id=chat.messages.latest("id").pk, seen_by="OPERATOR"),
                lambda: chats.update_contact(
                    widget_id=shop.pk, guid=contact.guid, changes={"name": str(dice.random())}
                ),
            ]
        )()

    for _ in range(60):
        try:
            act()
        except (Problem, MoveRefused):
            continue
        if dice.random() < 0.25:
            place = dice.randrange(4)
            desk = desks[place][1]
            if place in away:
                desk.open()
                away.discard(place)
            else:
                desk.settle()
                desk.close()
                away.add(place)
    for place in away:
        desks[place][1].open()
    for agent, desk in desks:
        fresh = sit(realtime, agent, chat_ids)
        fresh.read_messages()
        if not desk.until(wanted(fresh, shop)):
            assert _plain(desk.shown) == _plain(fresh.shown)
        fresh.close()
