"""What the realtime process knows of visitors: their open sockets, by session and by contact."""

import asyncio
from typing import TYPE_CHECKING, Any

from apps.agents.nudges import PresenceChanged
from apps.chats.realtime import database
from apps.chats.realtime.hub import Hub
from apps.widget import querysets
from apps.widget.nudges import ChatBegun, VisitorRevoked

if TYPE_CHECKING:
    from apps.widget.consumers import VisitorSocket


class VisitorDesk:
    """Every visitor's socket of this process. It sends away who was revoked, and lets in a chat who had none yet."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._sockets: dict[int, set[VisitorSocket]] = {}  # by session
        self._without_chat: dict[str, set[VisitorSocket]] = {}  # by the contact's guid
        hub.on(VisitorRevoked, self._hear_of_revocation)
        hub.on(ChatBegun, self._hear_of_chat)
        hub.on(PresenceChanged, self._hear_of_presence)
        hub.at_each_poll(self._close_revoked)
        hub.at_each_poll(self._find_chats)

    def enter(self, socket: "VisitorSocket") -> None:
        """Keeps a socket until it leaves."""
        self._sockets.setdefault(socket.session_id, set()).add(socket)
        if socket.feed is None:
            self._without_chat.setdefault(socket.contact_guid, set()).add(socket)

    def leave(self, socket: "VisitorSocket") -> None:
        _take_out(self._sockets, socket.session_id, socket)
        _take_out(self._without_chat, socket.contact_guid, socket)

    def begin_chat(self, contact_guid: str, chat_id: int) -> None:
        """Lets the visitor's sockets look at the chat that they had not got yet."""
        for socket in self._without_chat.pop(contact_guid, set()):
            socket.join(chat_id)

    def _hear_of_revocation(self, nudge: VisitorRevoked) -> None:
        self._send_away(nudge.session_id)

    def _hear_of_chat(self, nudge: ChatBegun) -> None:
        self.begin_chat(nudge.contact_guid, nudge.chat_id)

    def _hear_of_presence(self, nudge: PresenceChanged) -> None:
        for sockets in self._sockets.values():
            for socket in sockets:
                if socket.widget_id == nudge.widget_id:
                    socket.show_presence(online=nudge.online)

    def _send_away(self, session_id: int) -> None:
        for socket in list(self._sockets.get(session_id, ())):
            socket.send_away()

    async def _close_revoked(self) -> None:
        session_ids = list(self._sockets)
        if session_ids:
            for session_id in await database.run(lambda: querysets.revoked_among(session_ids)):
                self._send_away(session_id)

    async def _find_chats(self) -> None:
        contacts = {next(iter(sockets)).contact_id: guid for guid, sockets in self._without_chat.items()}
        if contacts:
            found = await database.run(lambda: querysets.chats_of(list(contacts)))
            for contact_id, chat_id in found.items():
                self.begin_chat(contacts[contact_id], chat_id)


def _take_out(sockets: "dict[Any, set[VisitorSocket]]", key: Any, socket: "VisitorSocket") -> None:
    kept = sockets.get(key)
    if kept is not None:
        kept.discard(socket)
        if not kept:
            del sockets[key]


_desks: dict[asyncio.AbstractEventLoop, VisitorDesk] = {}


def desk() -> VisitorDesk:
    """The running loop's desk; its hub is started with it."""
    loop = asyncio.get_running_loop()
    if loop not in _desks:
        _desks[loop] = VisitorDesk(Hub())
        _desks[loop].hub.start()
    return _desks[loop]
