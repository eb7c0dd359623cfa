"""The realtime process's part for visitors: their open sockets, by session and by contact."""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from apps.agents.broadcasts import PresenceChanged
from apps.chats.realtime import database
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.hub import Hub, sockets_of, with_each_hub
from apps.routing.actions.visitors import places_among
from apps.widget import querysets
from apps.widget.broadcasts import ChatBegun, ChatLeft, VisitorRevoked
from apps.widget.presence import mark_here

if TYPE_CHECKING:
    from apps.widget.consumers import VisitorSocket


@with_each_hub
class VisitorSockets:
    """The visitors' sockets of this process: closes those of revoked sessions, and joins the others to new chats."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._sockets: dict[int, set[VisitorSocket]] = {}  # by session
        self._without_chat: dict[str, set[VisitorSocket]] = {}  # by the contact's guid
        self._with_chat: dict[str, set[VisitorSocket]] = {}  # by the contact's guid
        self._to_look_at: set[int] = set()  # widgets whose operators came or went
        self._looker: asyncio.Task[None] | None = None
        hub.on(VisitorRevoked, self._on_revocation)
        hub.on(ChatBegun, self._on_chat)
        hub.on(ChatLeft, self._on_left)
        hub.on(PresenceChanged, self._on_presence)
        hub.at_each_poll(self._close_revoked)
        hub.at_each_poll(self._find_left)
        hub.at_each_poll(self._find_chats)
        hub.at_each_poll(self._look_who_is_there)
        hub.at_each_poll(self._mark_visitors)
        hub.at_each_poll(self._tell_places)

    def add(self, socket: "VisitorSocket") -> None:
        """Keeps a socket until it is removed."""
        self._sockets.setdefault(socket.session_id, set()).add(socket)
        by_contact = self._without_chat if socket.watch.feed is None else self._with_chat
        by_contact.setdefault(socket.contact_guid, set()).add(socket)

    async def mark_here(self, sockets: "Iterable[VisitorSocket]") -> None:
        """The visitors of those whose page is in sight are here."""
        visible: dict[int, set[int]] = {}
        for socket in sockets:
            if socket.is_visible:
                visible.setdefault(socket.widget_id, set()).add(socket.contact_id)
        if visible:
            await database.run(partial(mark_here, visible))

    async def _mark_visitors(self) -> None:
        await self.mark_here(socket for sockets in self._sockets.values() for socket in sockets)

    def remove(self, socket: "VisitorSocket") -> None:
        _discard(self._sockets, socket.session_id, socket)
        _discard(self._without_chat, socket.contact_guid, socket)
        _discard(self._with_chat, socket.contact_guid, socket)

    def begin_chat(self, contact_guid: str, chat_id: int) -> None:
        """Joins the visitor's sockets to their new chat; those that look at one that went on elsewhere leave it."""
        for socket in list(self._with_chat.get(contact_guid, ())):
            if socket.watch.chat_id != chat_id:
                self._leave(socket, None)
        for socket in self._without_chat.pop(contact_guid, set()):
            self._with_chat.setdefault(contact_guid, set()).add(socket)
            socket.join(chat_id)

    def _leave(self, socket: "VisitorSocket", channel: str | None) -> None:
        socket.leave_chat(channel)
        _discard(self._with_chat, socket.contact_guid, socket)
        self._without_chat.setdefault(socket.contact_guid, set()).add(socket)

    def _on_revocation(self, broadcast: VisitorRevoked) -> None:
        self._close_session(broadcast.session_id)

    def _on_chat(self, broadcast: ChatBegun) -> None:
        self.begin_chat(broadcast.contact_guid, broadcast.chat_id)

    def _on_left(self, broadcast: ChatLeft) -> None:
        for socket in list(self._with_chat.get(broadcast.contact_guid, ())):
            if socket.watch.chat_id == broadcast.chat_id:
                self._leave(socket, broadcast.channel)

    def _on_presence(self, broadcast: PresenceChanged) -> None:
        if broadcast.widget_id in self._widget_ids():
            self._to_look_at.add(broadcast.widget_id)
            if self._looker is None:
                self._looker = asyncio.get_running_loop().create_task(self._look_at_nudged())

    async def _look_at_nudged(self) -> None:
        try:
            while self._to_look_at:
                widget_ids, self._to_look_at = self._to_look_at, set()
                await self._look_at(widget_ids)
        except DatabaseAway:
            pass  # the next poll does it
        finally:
            self._looker = None

    async def _look_who_is_there(self) -> None:
        if widget_ids := self._widget_ids():
            await self._look_at(widget_ids)

    async def _look_at(self, widget_ids: set[int]) -> None:
        found = await database.run(lambda: querysets.presence_among(widget_ids))
        for sockets in self._sockets.values():
            for socket in sockets:
                if socket.widget_id in widget_ids:
                    socket.show_presence(found.get(socket.widget_id, querysets.NOBODY))

    async def _tell_places(self) -> None:
        """Tells the visitors who wait in a queue of their places."""
        due = {
            socket: socket.watch.chat_id
            for sockets in self._with_chat.values()
            for socket in sockets
            if socket.watch.chat_id is not None and socket.is_place_due
        }
        if due:
            widget_ids = {socket.widget_id for socket in due}
            found = await database.run(partial(places_among, widget_ids, list(due.values())))
            for socket, chat_id in due.items():
                place = found.get(chat_id)
                socket.show_place(None if place is None else place.shown())

    def _widget_ids(self) -> set[int]:
        return {socket.widget_id for sockets in self._sockets.values() for socket in sockets}

    def _close_session(self, session_id: int) -> None:
        for socket in list(self._sockets.get(session_id, ())):
            socket.close_revoked()

    async def _close_revoked(self) -> None:
        session_ids = list(self._sockets)
        if session_ids:
            for session_id in await database.run(lambda: querysets.revoked_among(session_ids)):
                self._close_session(session_id)

    async def _find_left(self) -> None:
        looking = [socket for sockets in self._with_chat.values() for socket in sockets]
        if chat_ids := [socket.watch.chat_id for socket in looking if socket.watch.chat_id is not None]:
            left = await database.run(lambda: querysets.left_among(chat_ids))
            for socket in looking:
                if (channel := left.get(socket.watch.chat_id or 0)) is not None:
                    self._leave(socket, channel)

    async def _find_chats(self) -> None:
        contacts = {next(iter(sockets)).contact_id: guid for guid, sockets in self._without_chat.items()}
        if contacts:
            found = await database.run(lambda: querysets.chats_of(list(contacts)))
            for contact_id, chat_id in found.items():
                self.begin_chat(contacts[contact_id], chat_id)


def _discard(sockets: "dict[Any, set[VisitorSocket]]", key: Any, socket: "VisitorSocket") -> None:
    same_key = sockets.get(key)
    if same_key is not None:
        same_key.discard(socket)
        if not same_key:
            del sockets[key]


def open_sockets() -> VisitorSockets:
    """The visitors' sockets of the running loop."""
    return sockets_of(VisitorSockets)
