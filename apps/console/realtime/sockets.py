"""The realtime process's part for operators: their open sockets, and with them who is online."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Collection, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.apps import apps as django_apps

from apps.agents import actions, presence
from apps.agents.rules import PRESENCE_LASTS_S
from apps.chats.broadcasts import ChatsChanged, MessagesStored
from apps.chats.realtime import database, reads
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.hub import Hub, sockets_of, with_each_hub
from apps.chats.realtime.sockets import frame_of
from apps.console import querysets
from apps.console.broadcasts import (
    CardsChanged,
    NoticeShown,
    OperatorLooks,
    OperatorUsed,
    RightsChanged,
    StaffChanged,
)
from apps.console.querysets import Staff
from apps.console.realtime.colleagues import Colleagues, tell
from apps.console.realtime.inbox import Inbox

if TYPE_CHECKING:
    from apps.console.consumers import OperatorSocket
    from apps.console.realtime.watches import OperatorWatch

logger = logging.getLogger(__name__)

# A third of what a presence lasts: two renewals may fail.
RENEW_EVERY_S = PRESENCE_LASTS_S / 3


@with_each_hub
class OperatorSockets:
    """The operators' sockets of this process.

    Says in the database which operators have any here, and renews it; closes those that have no right to be open any
    more; keeps an inbox for each widget that has sockets here, and tells it where to look.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.process = uuid4()
        self._inboxes: dict[int, Inbox] = {}  # by widget
        self._colleagues = Colleagues()
        self._sockets: dict[int, set[OperatorSocket]] = {}  # by operator
        self._present: dict[int, int] = {}  # whom the database has as online through this process, with the widget
        self._turns: dict[int, asyncio.Lock] = {}
        self._renewed_at = time.monotonic()
        self._to_look_at: set[int] = set()  # widgets of which the staff may have changed
        self._looking = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        hub.on(RightsChanged, self._on_rights)
        hub.on(StaffChanged, self._on_staff)
        hub.on(MessagesStored, self._on_chats)
        hub.on(ChatsChanged, self._on_chats)
        hub.on(OperatorLooks, self._on_looks)
        hub.on(OperatorUsed, self._on_used)
        hub.on(CardsChanged, self._on_cards)
        hub.on(NoticeShown, self._on_notice)
        hub.at_each_poll(self._end_all_without_rights)
        hub.at_each_poll(self._keep_presence)
        hub.at_each_poll(self._look_at_all)
        hub.at_each_poll(self._compare_inboxes)
        hub.at_each_poll(self._tell_looks)
        hub.at_each_poll(self._look_at_visitors)
        if django_apps.is_installed("apps.assists"):
            from apps.console.realtime.assists import ShownAssists

            ShownAssists(hub, self)

    async def open(self, socket: "OperatorSocket") -> Inbox:
        """Keeps a socket until it is closed. Its operator is online when this returns, with the inbox, which shows the
        socket every change from now on. Raises DatabaseAway.
        """
        agent = socket.operator
        self._sockets.setdefault(agent.pk, set()).add(socket)
        await self._settle(agent.pk, agent.widget_id)
        inbox = self._inboxes.setdefault(agent.widget_id, Inbox(agent.widget_id))
        await inbox.join(socket)
        self._to_look_at.add(agent.widget_id)
        await self._look()
        return inbox

    async def close(self, socket: "OperatorSocket") -> None:
        """Lets a socket go, repeatably. The operator of the last one over all processes is not online any more."""
        agent = socket.operator
        inbox = self._inboxes.get(agent.widget_id)
        if inbox is not None:
            inbox.leave(socket)
            if not inbox.sockets:
                del self._inboxes[agent.widget_id]
        sockets = self._sockets.get(agent.pk, set())
        sockets.discard(socket)
        if not sockets:
            self._sockets.pop(agent.pk, None)
            # The next poll tries again; should this process end first, the presence runs out.
            with suppress(DatabaseAway):
                await self._settle(agent.pk, agent.widget_id)

    async def _settle(self, agent_id: int, widget_id: int) -> None:
        """Brings the database up to whether the operator has sockets here: one after the other, never out of order."""
        async with self._turns.setdefault(agent_id, asyncio.Lock()):
            has_sockets, is_present = agent_id in self._sockets, agent_id in self._present
            if has_sockets and not is_present:
                await database.run(partial(actions.begin_presence, agent_id=agent_id, process=self.process))
                self._present[agent_id] = widget_id
            elif is_present and not has_sockets:
                await database.run(partial(actions.end_presence, agent_id=agent_id, process=self.process))
                self._present.pop(agent_id, None)

    async def _keep_presence(self) -> None:
        for agent_id, widget_id in list(self._present.items()):
            if agent_id not in self._sockets:  # the database was away when the last one closed
                await self._settle(agent_id, widget_id)
        if not self._present or time.monotonic() - self._renewed_at < RENEW_EVERY_S:
            return
        agent_ids = set(self._present)
        lost = await database.run(partial(actions.renew_presences, agent_ids=agent_ids, process=self.process))
        self._renewed_at = time.monotonic()
        for agent_id in lost & set(self._present):
            await self._settle(agent_id, self._present.pop(agent_id))

    # Who may be connected no longer.

    def _on_rights(self, broadcast: RightsChanged) -> None:
        concerned = [
            socket
            for socket in self._all()
            if socket.sign_in.agent_id == broadcast.agent_id or socket.sign_in.user_id == broadcast.user_id
        ]
        if concerned:
            self._start(self._end_without_rights(concerned))
        if broadcast.widget_id in self._inboxes:
            self._to_look_at.add(broadcast.widget_id)
            self._start(self._look())

    async def _end_all_without_rights(self) -> None:
        await self._end_without_rights(self._all())

    async def _end_without_rights(self, sockets: "Iterable[OperatorSocket]") -> None:
        by_sign_in: dict[querysets.SignIn, list[OperatorSocket]] = {}
        for socket in sockets:
            by_sign_in.setdefault(socket.sign_in, []).append(socket)
        if by_sign_in:
            for ended in await database.run(lambda: querysets.ended_among(by_sign_in)):
                for socket in by_sign_in[ended]:
                    socket.end()
                    self._start(self.close(socket))

    # The inboxes.

    def _on_chats(self, broadcast: MessagesStored | ChatsChanged) -> None:
        for widget_id in broadcast.widget_ids:
            if widget_id in self._inboxes:
                self._inboxes[widget_id].look(broadcast.chat_ids)

    def _on_cards(self, broadcast: CardsChanged) -> None:
        inbox = self._inboxes.get(broadcast.widget_id)
        if inbox is not None and inbox.watches_of(broadcast.chat_id):
            self._start(inbox.show_cards(broadcast.chat_id))

    async def _compare_inboxes(self) -> None:
        inboxes = list(self._inboxes.values())
        if inboxes:
            remembered = {chat_id for inbox in inboxes for chat_id in inbox.remembered}
            ids = {inbox.widget_id for inbox in inboxes}
            found, closed = await database.run(partial(_read_versions, ids, remembered))
            for inbox in inboxes:
                inbox.compare(found[inbox.widget_id], closed)

    async def _look_at_visitors(self) -> None:
        for inbox in list(self._inboxes.values()):
            await inbox.look_who_is_there()

    # Who looks at what.

    def colleagues_of(self, watch: "OperatorWatch") -> list[dict[str, Any]]:
        """The operators who have the same chat open, besides this one."""
        me = watch.operator.operator.pk
        return [each for each in self._colleagues.of(watch.looks_at) if each["agent_id"] != me]

    def tell_looks(self, watch: "OperatorWatch") -> None:
        """Tells colleagues what the operator does in the chat of a watch, by all sockets of theirs here."""
        agent, chat_id = watch.operator.operator, watch.looks_at
        inbox = self._inboxes.get(agent.widget_id)
        same = [each for each in inbox.watches_of(chat_id) if each.operator.operator.pk == agent.pk] if inbox else []
        tell(agent.widget_id, chat_id, agent.pk, same)

    async def _tell_looks(self) -> None:
        for inbox in self._inboxes.values():
            for watch in {(each.looks_at, each.operator.operator.pk): each for each in inbox.watches()}.values():
                self.tell_looks(watch)
        self._show_colleagues(self._colleagues.forget())

    def _on_looks(self, broadcast: OperatorLooks) -> None:
        if broadcast.widget_id in self._inboxes and self._colleagues.hear(broadcast):
            self._show_colleagues([broadcast.chat_id])

    def _show_colleagues(self, chat_ids: Iterable[int]) -> None:
        for chat_id in chat_ids:
            for inbox in self._inboxes.values():
                for watch in inbox.watches_of(chat_id):
                    watch.show_colleagues(self._colleagues.of(chat_id))

    # Who is there.

    def _on_used(self, broadcast: OperatorUsed) -> None:
        for socket in self._sockets.get(broadcast.agent_id, ()):
            socket.show(frame_of("device.used", {"device": broadcast.device}))

    def _on_notice(self, notice: NoticeShown) -> None:
        told = {"chat_id": notice.chat_id, "text": notice.text, "automation_id": notice.automation_id}
        for agent_id in notice.agent_ids:
            for socket in self._sockets.get(agent_id, ()):
                socket.show(frame_of("notice", told))

    def _on_staff(self, broadcast: StaffChanged) -> None:
        if broadcast.widget_id in self._inboxes:
            self._to_look_at.add(broadcast.widget_id)
            self._start(self._look())

    async def _look_at_all(self) -> None:
        self._to_look_at |= self._inboxes.keys()
        await self._look()

    async def _look(self) -> None:
        async with self._looking:  # else what was read first could be shown last
            widget_ids, self._to_look_at = self._to_look_at, set()
            if not widget_ids:
                return
            staff = await database.run(partial(_read_staff, widget_ids))
            for widget_id in widget_ids & self._inboxes.keys():
                self._inboxes[widget_id].show_staff(staff[widget_id])

    def of_operator(self, agent_id: int) -> "Collection[OperatorSocket]":
        """The sockets of an operator here."""
        return tuple(self._sockets.get(agent_id, ()))

    def operators(self) -> Collection[int]:
        """The operators who have sockets here."""
        return tuple(self._sockets)

    def start(self, work: Awaitable[None]) -> None:
        """Does something beside what is under way."""
        self._start(work)

    def _all(self) -> "list[OperatorSocket]":
        return [socket for sockets in self._sockets.values() for socket in sockets]

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _read_staff(widget_ids: set[int]) -> dict[int, Staff]:
    """Reads the staff of the widgets, and writes the copy in Redis of who is online again: it is never wrong
    for long.
    """
    found = querysets.staff_of(widget_ids)
    presence.write_anew({widget_id: staff.online for widget_id, staff in found.items()})
    return found


def _read_versions(
    widget_ids: Collection[int], chat_ids: Collection[int]
) -> tuple[dict[int, dict[int, int]], dict[int, int]]:
    positions = reads.positions(chat_ids) if chat_ids else {}
    return querysets.counted_versions(widget_ids), {chat_id: each.version for chat_id, each in positions.items()}


async def _logged(work: Awaitable[None]) -> None:
    try:
        await work
    except DatabaseAway:
        pass  # the next poll does it
    except Exception:
        logger.exception("what a broadcast told of could not be done")


def open_sockets() -> OperatorSockets:
    """The operators' sockets of the running loop."""
    return sockets_of(OperatorSockets)
