"""What a socket was shown when it was opened, with the frames since, is what a socket is shown that is opened now.

That is so after every action that changes what sockets show. The process whose sockets are followed never looks by
itself, and nobody else comes to it: what its sockets learn, broadcasts have told of.
"""

import inspect
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import orjson
import pytest
from websockets.exceptions import ConnectionClosed

from apps.accounts.models import Widget
from apps.agents import actions as agents
from apps.agents.actions import departments
from apps.chats import actions as chats
from apps.chats.querysets.activities import visitor_steps
from apps.chats.realtime import reads
from apps.chats.realtime.reads import ChatState
from apps.core.endpoints.answers import dump_json
from apps.widget.actions import messages, offline
from apps.widget.actions import sessions as ends
from apps.widget.actions import visitors as widget
from tests.factories import ChatFactory
from tests.realtime.drives import DRIVES, NEVER_IN_A_SNAPSHOT, Drive, Talk
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import Tab
from tests.waits import AT_MOST_S
from tests.widget.visitor import VisitorClient

Shown = dict[str, Any]


class VisitorSide:
    """Ivan's browser. Another side gives the same two: its snapshot, and a socket that was opened at one."""

    def __init__(self, open_tab: Callable[[], Tab], followed: Tab, token: str, browser: VisitorClient) -> None:
        self._open_tab, self._followed, self._token, self._browser = open_tab, followed, token, browser

    def snapshot(self) -> Shown:
        """What a socket of Ivan's is shown that is opened now.

        The chat's state is what the process holds a socket to have been shown. That he saw a message himself, he is not
        told.
        """
        tab = self._open_tab()
        try:
            ready = tab.auth(self._token)
        except ConnectionClosed:
            return {"is_open": False}
        chat_id = ready["chat_id"]
        state = ChatState() if chat_id is None else reads.states([chat_id])[chat_id]
        return {
            "is_open": True,
            "chat_id": chat_id,
            "seen_id": ready["seen_id"],
            "is_asked": any(frame["type"] == "rating.requested" for frame in tab.settle()),
            "status": state.status,
            "steps": [] if chat_id is None else [_shown(step) for step in visitor_steps(chat_id)],
            "agent": state.agent_id and {"id": state.agent_id, "name": state.agent_name},
            "messages": [_unseen(message) for message in self._browser.get("messages").json()["data"]],
        }

    def follow(self, snapshot: Shown) -> "FollowedTab":
        self._followed.auth(self._token)
        return FollowedTab(self._followed, snapshot)


class FollowedTab:
    """A tab of Ivan's that was opened at a snapshot, and does with each frame what the frame says."""

    def __init__(self, tab: Tab, snapshot: Shown) -> None:
        self._tab = tab
        self.shown = dict(snapshot)
        tab.settle()

    def until(self, wanted: Shown) -> None:
        """Reads frames until it shows what is wanted, for some seconds; then those that are under way."""
        deadline = time.monotonic() + AT_MOST_S
        try:
            while self.shown != wanted and (left := deadline - time.monotonic()) > 0:
                with suppress(TimeoutError):
                    self._take(self._tab.next(left))
            for frame in self._tab.settle():
                self._take(frame)
        except ConnectionClosed:
            self.shown = {"is_open": False}

    def _take(self, frame: dict[str, Any]) -> None:
        data = frame["data"]
        if frame["type"] == "chat.moved":  # the visitor has no chat on the site any more
            state = ChatState()
            self.shown |= {"chat_id": None, "seen_id": 0, "status": state.status, "agent": state.agent_id}
            self.shown |= {"messages": [], "steps": [], "is_asked": False}
            return
        self.shown["chat_id"] = data["chat_id"]
        match frame["type"]:
            case "message.created":
                self.shown["messages"] = [*self.shown["messages"], _unseen(data)]
            case "message.seen":
                self.shown["seen_id"] = data["message_id"]
            case "chat.updated":
                self.shown |= {"status": data["status"], "agent": data["agent"]}
            case "chat.step":
                step = {name: value for name, value in data.items() if name != "chat_id"}
                self.shown["steps"] = [*(each for each in self.shown["steps"] if each["id"] != step["id"]), step]
            case "rating.requested":
                self.shown["is_asked"] = True
            case "rating.created":
                self.shown["is_asked"] = False
            case other:
                raise AssertionError(other)


def _shown(step: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = orjson.loads(dump_json(step))
    return shown


def _unseen(message: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != "seen_at"}


@pytest.fixture
def visitor(
    open_tab: Callable[[], Tab],
    unpolled: RealtimeProcess,
    shop: Widget,
    token_of_ivan: str,
    ivans_browser: VisitorClient,
) -> Iterator[VisitorSide]:
    with Tab(unpolled.url, shop.guid) as followed:
        yield VisitorSide(open_tab, followed, token_of_ivan, ivans_browser)


@pytest.mark.parametrize("drive", DRIVES, ids=lambda drive: drive.steps.__name__)
def test_a_visitors_snapshot_and_the_frames_since_are_a_fresh_snapshot(
    drive: Drive, talk: Talk, visitor: VisitorSide
) -> None:
    if drive.has_chat:
        talk.begun = ChatFactory.create(contact=talk.ivan)
    steps = drive.steps(talk)
    next(steps)
    before = visitor.snapshot()
    followed = visitor.follow(before)
    assert followed.shown == before

    assert next(steps, "done") == "done"
    fresh = visitor.snapshot()
    assert {name for name in fresh if fresh[name] != before[name]} == drive.visitor
    followed.until(fresh)
    assert followed.shown == fresh


def test_every_action_is_driven_or_named() -> None:
    exported = [getattr(module, name) for module in (chats, agents) for name in module.__all__]
    own = [
        value
        for module in (widget, messages, ends, offline, departments)
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    ]
    actions = {value for value in [*exported, *own] if inspect.isfunction(value)}
    driven = {drive.action for drive in DRIVES}
    assert driven | NEVER_IN_A_SNAPSHOT == actions
    assert driven & NEVER_IN_A_SNAPSHOT == set()
