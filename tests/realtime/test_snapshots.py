"""What a socket was shown when it was opened, with the frames since, is what a socket is shown that is opened now.

That is so after every action that changes what sockets show. The process whose sockets are followed never looks by
itself, and nobody else comes to it: what its sockets learn, nudges have told of.
"""

import inspect
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.models import Chat, Contact, Message
from apps.chats.realtime import reads
from apps.chats.realtime.reads import ChatState
from apps.chats.rules import Status
from apps.chats.rules.attribution import AttributionEvent
from apps.widget import actions as widget
from apps.widget.models import VisitorSession
from tests.factories import ChatFactory, MessageFactory
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import Tab
from tests.widget.visitor import VisitorClient

SECONDS = 10.0
TEXT = {"type": "text", "body": "Hello"}

Shown = dict[str, Any]


@pytest.fixture(scope="module")
def unpolled(start_realtime: Callable[..., RealtimeProcess]) -> RealtimeProcess:
    return start_realtime("tests.realtime.unpolled:application")


@dataclass
class Talk:
    """Ivan's talk with the shop; `chat` is there unless a drive is about its beginning."""

    ivan: Contact
    olga: Agent
    session: VisitorSession
    begun: Chat | None = None

    @property
    def chat(self) -> Chat:
        assert self.begun is not None
        return self.begun

    @property
    def ids(self) -> dict[str, int]:
        return {"widget_id": self.chat.widget_id, "chat_id": self.chat.pk}

    def message(self, agent: Agent | None = None) -> Message:
        return MessageFactory.create(chat=self.chat, agent=agent)


# The drives: what prepares an action, `yield`, the action.

Steps = Callable[[Talk], Iterator[None]]


@dataclass(frozen=True)
class Drive:
    """How to drive an action, and what of a visitor's snapshot is another after it."""

    action: Callable[..., Any]
    steps: Steps
    visitor: frozenset[str]
    has_chat: bool


DRIVES: list[Drive] = []


def drives(action: Callable[..., Any], *, visitor: set[str], has_chat: bool = True) -> Callable[[Steps], Steps]:
    def register(steps: Steps) -> Steps:
        DRIVES.append(Drive(action, steps, frozenset(visitor), has_chat))
        return steps

    return register


@drives(chats.accept_chat, visitor={"agent"})
def accepted(talk: Talk) -> Iterator[None]:
    yield
    chats.accept_chat(**talk.ids, agent_id=talk.olga.pk)


@drives(chats.assign_chat, visitor={"agent"})
def assigned(talk: Talk) -> Iterator[None]:
    yield
    chats.assign_chat(**talk.ids, agent_id=talk.olga.pk)


@drives(chats.transfer_chat, visitor={"agent"})
def transferred(talk: Talk) -> Iterator[None]:
    yield
    chats.transfer_chat(**talk.ids, agent_id=talk.olga.pk)


@drives(chats.report_attribution_event, visitor={"agent"})
def escalated(talk: Talk) -> Iterator[None]:
    yield
    chats.report_attribution_event(**talk.ids, event=AttributionEvent.ESCALATED, agent_id=talk.olga.pk)


@drives(chats.close_chat, visitor={"status"})
def closed(talk: Talk) -> Iterator[None]:
    yield
    chats.close_chat(**talk.ids)


@drives(chats.set_chat_state, visitor={"status"})
def set_ready(talk: Talk) -> Iterator[None]:
    yield
    chats.set_chat_state(**talk.ids, status=Status.READY)


@drives(chats.sweep_chats, visitor={"status"})
def swept(talk: Talk) -> Iterator[None]:
    last = talk.message()
    yield
    chats.sweep_chats(as_of=last.created_at + timedelta(minutes=7))


@drives(chats.sweep_chats, visitor={"status"})
def reactivated(talk: Talk) -> Iterator[None]:
    last = talk.message()
    chats.set_chat_state(**talk.ids, status=Status.READY)
    yield
    chats.sweep_chats(as_of=last.created_at + timedelta(minutes=1))


@drives(chats.mark_seen, visitor={"seen_id"})
def seen_by_an_operator(talk: Talk) -> Iterator[None]:
    question = talk.message()
    yield
    chats.mark_seen(**talk.ids, message_id=question.pk, seen_by="OPERATOR")


@drives(chats.post_agent_message, visitor={"messages", "agent"})
def answered(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.post_agent_message(**talk.ids, content=TEXT, agent_id=talk.olga.pk)


@drives(chats.post_agent_message, visitor={"messages", "agent", "status"})
def answered_when_expired(talk: Talk) -> Iterator[None]:
    chats.close_chat(**talk.ids)
    yield
    chats.post_agent_message(**talk.ids, content=TEXT, agent_id=talk.olga.pk)


@drives(chats.post_client_message, visitor={"messages"})
def asked(talk: Talk) -> Iterator[None]:
    yield
    chats.post_client_message(contact=talk.ivan, content=TEXT)


@drives(chats.post_client_message, visitor={"chat_id", "messages"}, has_chat=False)
def asked_first(talk: Talk) -> Iterator[None]:
    yield
    chats.post_client_message(contact=talk.ivan, content=TEXT)


@drives(chats.request_rating, visitor={"is_asked"})
def rating_requested(talk: Talk) -> Iterator[None]:
    talk.message()
    yield
    chats.request_rating(**talk.ids)


@drives(chats.rate_chat, visitor={"is_asked"})
def rated(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.request_rating(**talk.ids)
    yield
    chats.rate_chat(**talk.ids, value=5)


@drives(widget.post_message, visitor={"messages"})
def posted_by_another_tab(talk: Talk) -> Iterator[None]:
    yield
    widget.post_message(contact=talk.ivan, client_id=uuid.uuid4(), type_="text", body="Hello")


@drives(widget.post_from_socket, visitor={"chat_id", "messages"}, has_chat=False)
def begun_by_another_socket(talk: Talk) -> Iterator[None]:
    yield
    widget.post_from_socket(session_id=talk.session.pk, client_id=uuid.uuid4(), type_="text", body="Hello")


@drives(widget.see_messages, visitor=set())
def seen_by_the_visitor(talk: Talk) -> Iterator[None]:
    answer = talk.message(talk.olga)
    yield
    widget.see_messages(contact=talk.ivan, message_id=answer.pk)


@drives(widget.rate_chat, visitor={"is_asked"})
def rated_by_another_tab(talk: Talk) -> Iterator[None]:
    talk.message()
    chats.request_rating(**talk.ids)
    yield
    widget.rate_chat(contact=talk.ivan, value=5, comment="")


@drives(widget.revoke_visitor, visitor={"is_open"})
def revoked(talk: Talk) -> Iterator[None]:
    yield
    widget.revoke_visitor(session=talk.session)


# No socket shows what these change; typing, which is shown, is kept by nobody.
NEVER_IN_A_SNAPSHOT = {
    chats.save_contact,
    chats.set_contact_fields,
    chats.update_contact,
    chats.tag_contact,
    chats.store_file,
    chats.fetch_file,
    chats.keep_tallies,
    chats.tell_operators_of_typing,
    chats.tell_visitor_of_typing,
    widget.open_session,
    widget.upload_file,
    widget.tell_typing,
}


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
        deadline = time.monotonic() + SECONDS
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
        self.shown["chat_id"] = data["chat_id"]
        match frame["type"]:
            case "message.created":
                self.shown["messages"] = [*self.shown["messages"], _unseen(data)]
            case "message.seen":
                self.shown["seen_id"] = data["message_id"]
            case "chat.updated":
                self.shown |= {"status": data["status"], "agent": data["agent"]}
            case "rating.requested":
                self.shown["is_asked"] = True
            case "rating.created":
                self.shown["is_asked"] = False
            case other:
                raise AssertionError(other)


def _unseen(message: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != "seen_at"}


@pytest.fixture
def talk(ivan: Contact, olga: Agent, session: VisitorSession) -> Talk:
    return Talk(ivan, olga, session)


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
    exported = [getattr(chats, name) for name in chats.__all__]
    own = [value for value in vars(widget).values() if getattr(value, "__module__", "") == widget.__name__]
    actions = {value for value in [*exported, *own] if inspect.isfunction(value)}
    driven = {drive.action for drive in DRIVES}
    assert driven | NEVER_IN_A_SNAPSHOT == actions
    assert driven & NEVER_IN_A_SNAPSHOT == set()
