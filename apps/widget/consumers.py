"""The visitor's websocket, `/ws/visitor/{guid}`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Any, ClassVar

from django.urls import path
from django.utils import timezone

from apps.chats.broadcasts import OperatorTyping, VisitorTyping
from apps.chats.querysets.activities import visitor_step
from apps.chats.querysets.edits import changed_messages
from apps.chats.realtime import database, reads
from apps.chats.realtime.reads import ChatState
from apps.chats.realtime.sockets import AGAIN_LATER, BAD_TOKEN, Socket, frame_of
from apps.chats.realtime.watches import Watch
from apps.core.endpoints import converters  # noqa: F401 - registers `guid`
from apps.core.endpoints.serializers import Body, Boolean, Integer, Text, validated_body
from apps.core.errors import RATE_LIMITED
from apps.core.problems import Problem
from apps.routing.actions.visitors import place_of
from apps.widget import actions, querysets
from apps.widget.authentication import embedded_widget, require_budget
from apps.widget.errors import INVALID_VISITOR_TOKEN
from apps.widget.models import VisitorSession
from apps.widget.querysets import HIDDEN, NOBODY, EmbeddedWidget, WidgetPresence
from apps.widget.realtime import open_sockets
from apps.widget.serializers.requests import VisitorMessageBody, VisitorSeenBody, VisitorTypingBody

# Seconds: a place in the queue is told of so often at most.
PLACE_EVERY_S = 15
# A client that comes back is told of what was edited and deleted meanwhile, for so long.
CHANGES_TOLD_FOR = timedelta(hours=24)


class VisitorVisibleBody(Body):
    """Whether the page is in sight."""

    visible = Boolean()


class VisitorAuthBody(Body):
    """The first frame. Without `after_id` the socket is live only; 0 is everything."""

    token = Text(max_length=200)
    after_id = Integer(required=False, min_value=0)


_AUTH, _MESSAGE, _TYPING, _SEEN = VisitorAuthBody(), VisitorMessageBody(), VisitorTypingBody(), VisitorSeenBody()
_VISIBLE = VisitorVisibleBody()


@dataclass(frozen=True, slots=True)
class _Visitor:
    """The visitor behind the first frame's token."""

    session_id: int
    contact_id: int
    contact_guid: str
    chat_id: int | None
    last_message_id: int
    state: ChatState
    presence: WidgetPresence
    display_mode: str
    first_id: int
    queue: dict[str, Any] | None


class VisitorWatch(Watch):
    """A visitor's look at their chat, from a message on: of a letter's link, the first that it quotes."""

    __slots__ = ()

    def show_updates(self, messages: Sequence[Mapping[str, Any]]) -> None:
        first_id = self.socket.first_id if isinstance(self.socket, VisitorSocket) else 0
        if seen := [message for message in messages if message["id"] >= first_id]:
            super().show_updates(seen)

    def show_state(self, state: ChatState) -> None:
        before, self.state = self.state, state
        push, chat = self.socket.push, {"chat_id": self.chat_id}
        if state.seen_by_operator > before.seen_by_operator:
            push(frame_of("message.seen", {**chat, "message_id": state.seen_by_operator, "by": "operator"}))
        if (state.status, state.agent_id, state.agent_name) != (before.status, before.agent_id, before.agent_name):
            agent = state.agent_id and {"id": state.agent_id, "name": state.agent_name}
            push(frame_of("chat.updated", {**chat, "status": state.status, "agent": agent}))
            if isinstance(self.socket, VisitorSocket):
                self.socket.show_presence(self.socket.presence)
        if state.step is not None and state.step != before.step:
            step = visitor_step(state.step)
            name = (
                step["name"] if isinstance(self.socket, VisitorSocket) and self.socket.display_mode != HIDDEN else None
            )
            push(frame_of("chat.step", {**chat, **step, "name": name}))
        if state.rating_requested_at not in (None, before.rating_requested_at):
            push(frame_of("rating.requested", chat))
        if state.rating_requested_at is None and before.rating_requested_at is not None:
            push(frame_of("rating.created", chat))
        if before.is_queued != state.is_queued and isinstance(self.socket, VisitorSocket):
            self.socket.note_queue(is_queued=state.is_queued)

    def show_typing(self, broadcast: OperatorTyping | VisitorTyping) -> None:
        if isinstance(broadcast, OperatorTyping):
            name = {} if broadcast.name is None else {"name": broadcast.name}
            self.socket.push_if_read(
                frame_of("typing", {"chat_id": broadcast.chat_id, "state": broadcast.state, **name})
            )


class VisitorSocket(Socket):
    """A visitor's tab. It may be there before the visitor's chat is."""

    session_id = 0
    contact_id = 0
    contact_guid = ""
    first_id = 0  # of a letter's link: the message from which on it sees the chat
    widget_id = 0
    is_visible = True  # until the page says otherwise
    watch: VisitorWatch
    presence = NOBODY
    display_mode = HIDDEN
    shown: Mapping[str, Any] = MappingProxyType({})  # what the client was told last of who is there
    queue: Mapping[str, Any] | None = None  # the place in the queue that the client was told of last
    placed_at = 0.0  # by the process's clock: when that was

    async def admit(self) -> None:
        guid = self.scope["url_route"]["kwargs"]["guid"]
        widget: EmbeddedWidget = await database.run(partial(embedded_widget, guid, self.headers.get("origin")))
        self.widget_id = widget.id

    async def authenticate(self, frame: dict[str, Any]) -> None:
        given = validated_body(_AUTH, {name: value for name, value in frame.items() if name != "type"})
        try:
            visitor = await database.run(partial(_read_visitor, self.widget_id, given["token"], self.address))
        except Problem as problem:
            if problem.type not in (INVALID_VISITOR_TOKEN, RATE_LIMITED):
                raise
            self.drop(BAD_TOKEN if problem.type is INVALID_VISITOR_TOKEN else AGAIN_LATER)
            return
        self.session_id, self.contact_id = visitor.session_id, visitor.contact_id
        self.contact_guid, self.presence = visitor.contact_guid, visitor.presence
        self.display_mode, self.first_id = visitor.display_mode, visitor.first_id
        position = max(given.get("after_id", visitor.last_message_id), visitor.first_id - 1)
        self.watch = VisitorWatch(self, position=position, state=visitor.state)
        self.is_ready = True
        self.shown = self._to_show()
        self.queue, self.placed_at = visitor.queue, monotonic()
        ready = {"chat_id": visitor.chat_id, "contact_id": visitor.contact_guid, **self.shown}
        self.push(frame_of("ready", {**ready, "seen_id": visitor.state.seen_by_operator, "queue": self.queue}))
        if visitor.chat_id is not None:
            if "after_id" in given:
                changed = partial(_changed, visitor.chat_id, given["after_id"])
                self.watch.show_updates(await database.run(changed))
            self.join(visitor.chat_id)
            if visitor.state.rating_requested_at is not None:
                self.push(frame_of("rating.requested", {"chat_id": visitor.chat_id}))
        open_sockets().add(self)
        await open_sockets().mark_here([self])

    def join(self, chat_id: int) -> None:
        """Looks at the visitor's chat from now on."""
        self.watch.join(open_sockets().hub, chat_id)

    def leave_chat(self, channel: str | None) -> None:
        """Looks at a chat no more that goes on in another channel: there is none, until the visitor writes."""
        chat_id = self.watch.chat_id
        self.watch.leave(open_sockets().hub)
        self.watch.state, self.queue = ChatState(), None
        self.push(frame_of("chat.moved", {"chat_id": chat_id, "channel": channel}))
        self.show_presence(self.presence)

    def close_revoked(self) -> None:
        """The session was revoked."""
        self.drop(BAD_TOKEN)

    # Frames out.

    def has_read(self) -> None:
        if self.is_ready:
            self.watch.look()

    def show_presence(self, presence: WidgetPresence) -> None:
        """Shows who is there to answer, the chat's operator first, if that is not what the client was shown last."""
        self.presence = presence
        to_show = self._to_show()
        if to_show != self.shown and self.push_if_read(frame_of("agent.presence", to_show)):
            self.shown = to_show

    @property
    def is_place_due(self) -> bool:
        """Whether the visitor waits in a queue, and is to be told of the place again."""
        return self.watch.state.is_queued and monotonic() - self.placed_at >= PLACE_EVERY_S

    def note_queue(self, *, is_queued: bool) -> None:
        """The chat entered its queue: the place is told soon; or left it, which is told at once."""
        if is_queued:
            self.placed_at = -PLACE_EVERY_S
        else:
            self.show_place(None)

    def show_place(self, queue: Mapping[str, Any] | None) -> None:
        """Shows the place in the queue, None outside of it, if the client was told another one last."""
        self.placed_at = monotonic()
        shown = frame_of("queue.updated", {"chat_id": self.watch.chat_id, "queue": queue})
        if queue != self.queue and self.push_if_read(shown):
            self.queue = queue

    def _to_show(self) -> dict[str, Any]:
        present = self.presence.shown(self.watch.state.agent_id, self.display_mode)
        return {"online": self.presence.online, "present": present}

    # Frames in.

    async def on_message_send(self, data: dict[str, Any]) -> None:
        message = validated_body(_MESSAGE, data)

        async def post() -> Mapping[str, Any]:
            job = partial(_post, self.address, session_id=self.session_id, **message)
            posted = await database.run(job)
            open_sockets().begin_chat(self.contact_guid, posted["chat_id"])
            return posted

        await self.watch.send_message(str(message["client_id"]), post)

    async def on_typing(self, data: dict[str, Any]) -> None:
        state = validated_body(_TYPING, data)["state"]
        if self.watch.chat_id is not None:
            await database.run(partial(actions.require_unblocked, self.widget_id, self.contact_id, self.address))
            actions.tell_typing(chat_id=self.watch.chat_id, state=state)

    async def on_seen(self, data: dict[str, Any]) -> None:
        message_id = validated_body(_SEEN, data)["message_id"]
        await database.run(partial(_see, self.session_id, message_id))

    async def on_visible(self, data: dict[str, Any]) -> None:
        self.is_visible = validated_body(_VISIBLE, data)["visible"]
        await open_sockets().mark_here([self])

    async def on_ping(self, data: dict[str, Any]) -> None:
        self.push_if_read(frame_of("pong"))

    handlers: ClassVar = {
        "message.send": on_message_send,
        "typing": on_typing,
        "seen": on_seen,
        "visible": on_visible,
        "ping": on_ping,
    }

    async def leave(self) -> None:
        if self.is_ready:
            self.watch.leave(open_sockets().hub)
            open_sockets().remove(self)


def _read_visitor(widget_id: int, token: str, address: str) -> _Visitor:
    require_budget(address, "address")
    session = VisitorSession.objects.unscoped("found by its secret").with_token(widget_id, token)
    if session is None:
        raise INVALID_VISITOR_TOKEN()
    actions.note_use(session_id=session.pk, last_seen_at=session.last_seen_at)
    chat_id = querysets.chat_of(session.contact_id)
    chat_ids = [chat_id] if chat_id is not None else []
    position = reads.positions(chat_ids).get(chat_id or 0)
    state = reads.states(chat_ids).get(chat_id or 0, ChatState())
    return _Visitor(
        session_id=session.pk,
        contact_id=session.contact_id,
        contact_guid=session.contact.guid,
        chat_id=chat_id,
        last_message_id=position.last_message_id if position else 0,
        state=state,
        presence=querysets.presence_of(widget_id),
        display_mode=querysets.display_mode(widget_id),
        first_id=session.letter_first_id or 0,
        queue=place_of(widget_id, chat_id) if chat_id is not None and state.is_queued else None,
    )


def _changed(chat_id: int, up_to_id: int) -> list[dict[str, Any]]:
    """The messages up to one that a client has shown, which were edited or deleted lately."""
    since = timezone.now() - CHANGES_TOLD_FOR
    return changed_messages(chat_id=chat_id, for_visitor=True, since=since, up_to_id=up_to_id)


def _post(address: str, *, session_id: int, **message: Any) -> Mapping[str, Any]:
    require_budget(address, "address")
    require_budget(str(session_id), "session")
    return actions.post_from_socket(session_id=session_id, address=address, **message).message


def _see(session_id: int, message_id: int) -> None:
    session = VisitorSession.objects.unscoped("found by its secret before").not_revoked().filter(pk=session_id).first()
    if session is None:
        raise INVALID_VISITOR_TOKEN()
    actions.see_messages(contact=session.contact, message_id=message_id)


websocket_urlpatterns = [path("ws/visitor/<guid:guid>", VisitorSocket.as_asgi())]
