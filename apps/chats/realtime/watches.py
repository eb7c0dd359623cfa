"""One chat as one socket looks at it: how far it was shown, and which of the client's own sends are on their way."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from apps.chats.broadcasts import OperatorTyping, VisitorTyping
from apps.chats.realtime.feeds import Feed
from apps.chats.realtime.hub import Hub
from apps.chats.realtime.reads import ChatState
from apps.chats.realtime.sockets import Socket, frame_of


class Watch:
    """A listener of a chat's feed that writes frames into a socket. It may be there before the chat is.

    `position` is the id of the last message that the client was shown.
    """

    __slots__ = ("_acks", "_is_sending", "feed", "position", "socket", "state")

    for_visitor = True

    def __init__(self, socket: Socket, *, position: int, state: ChatState) -> None:
        self.socket = socket
        self.position = position
        self.state = state
        self.feed: Feed | None = None
        self._is_sending = False
        self._acks: dict[int, tuple[str, Mapping[str, Any]]] = {}  # by message: as which, and what it is

    @property
    def chat_id(self) -> int | None:
        """The chat that is looked at; None while there is none."""
        return self.feed.chat_id if self.feed is not None else None

    def join(self, hub: Hub, chat_id: int) -> None:
        """Shows what comes after the position from now on."""
        self.feed = hub.join(chat_id, self, for_visitor=self.for_visitor)

    def leave(self, hub: Hub) -> None:
        """Shows nothing any more; what the client has sent is acknowledged before."""
        for client_id, message in self._acks.values():
            self.socket.push(frame_of("ack", {"client_id": client_id, "message": message}))
        self._acks.clear()
        if self.feed is not None:
            hub.leave(self.feed, self)
            self.feed = None

    def look(self) -> None:
        """Reads what the client had no room for."""
        if self.feed is not None:
            self.feed.look()

    # What the feed calls.

    @property
    def takes_messages(self) -> bool:
        return self.socket.has_room and not self._is_sending

    def show_messages(self, messages: Sequence[Mapping[str, Any]]) -> None:
        for message in messages:
            if not self.takes_messages:
                return
            self.position = message["id"]
            if message["id"] in self._acks:
                client_id, _ = self._acks.pop(message["id"])
                self.socket.push(frame_of("ack", {"client_id": client_id, "message": message}))
            else:
                self.socket.push(frame_of("message.created", message))

    def show_updates(self, messages: Sequence[Mapping[str, Any]]) -> None:
        for message in messages:
            self.socket.push(frame_of("message.updated", {"message": message}))

    def show_state(self, state: ChatState) -> None:
        raise NotImplementedError

    def show_typing(self, broadcast: OperatorTyping | VisitorTyping) -> None:
        raise NotImplementedError

    # The client's own messages.

    async def send_message(self, client_id: str, post: Callable[[], Awaitable[Mapping[str, Any]]]) -> None:
        """Posts a message and sees that this socket hears of it once, as `ack`, in its place among the others.

        Until `post` has answered with the message, the feed gives this socket no message; otherwise it could show the
        message as another sender's, or the `ack` could overtake messages that came before.
        """
        self._is_sending = True
        try:
            message = await post()
            if message["id"] <= self.position:
                self.socket.push(frame_of("ack", {"client_id": client_id, "message": message}))
            else:
                self._acks[message["id"]] = client_id, message
        finally:
            self._is_sending = False
            self.look()
