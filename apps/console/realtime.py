"""What the realtime process knows of operators: their open sockets, and with them who is online."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from apps.agents import actions, presence
from apps.agents.rules import PRESENCE_LASTS_S
from apps.chats.realtime import database
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.hub import Hub, sockets_of, with_each_hub
from apps.console import querysets
from apps.console.nudges import OperatorCameOrWent, RightsChanged

if TYPE_CHECKING:
    from apps.console.consumers import OperatorSocket

logger = logging.getLogger(__name__)

# A third of what a presence lasts: two renewals may fail.
RENEW_EVERY_S = PRESENCE_LASTS_S / 3


@with_each_hub
class OperatorSockets:
    """The operators' sockets of this process.

    Says in the database which operators have any here, and renews it; closes those that have no right to be open any
    more; shows each socket who of its widget comes and goes.
    """

    def __init__(self, hub: Hub) -> None:
        self.process = uuid4()
        self._sockets: dict[int, set[OperatorSocket]] = {}  # by operator
        self._present: dict[int, int] = {}  # whom the database has as online through this process, with the widget
        self._turns: dict[int, asyncio.Lock] = {}
        self._renewed_at = time.monotonic()
        self._to_look_at: set[int] = set()  # widgets of which somebody came or went
        self._looking = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        hub.on(RightsChanged, self._on_rights)
        hub.on(OperatorCameOrWent, self._on_presence)
        hub.at_each_poll(self._end_all_without_rights)
        hub.at_each_poll(self._keep_presence)
        hub.at_each_poll(self._look_at_all)

    async def open(self, socket: "OperatorSocket") -> None:
        """Keeps a socket until it is closed. Its operator is online when this returns. Raises DatabaseAway."""
        agent = socket.operator
        self._sockets.setdefault(agent.pk, set()).add(socket)
        await self._settle(agent.pk, agent.widget_id)

    async def close(self, socket: "OperatorSocket") -> None:
        """Lets a socket go, repeatably. The operator of the last one over all processes is not online any more."""
        agent = socket.operator
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

    def _on_rights(self, nudge: RightsChanged) -> None:
        concerned = [
            socket
            for socket in self._all()
            if socket.seat.agent_id == nudge.agent_id or socket.seat.user_id == nudge.user_id
        ]
        if concerned:
            self._start(self._end_without_rights(concerned))

    async def _end_all_without_rights(self) -> None:
        await self._end_without_rights(self._all())

    async def _end_without_rights(self, sockets: "Iterable[OperatorSocket]") -> None:
        by_seat: dict[querysets.Seat, list[OperatorSocket]] = {}
        for socket in sockets:
            by_seat.setdefault(socket.seat, []).append(socket)
        if by_seat:
            for seat in await database.run(lambda: querysets.vacated_among(by_seat)):
                for socket in by_seat[seat]:
                    socket.end()
                    self._start(self.close(socket))

    # Who is online.

    def _on_presence(self, nudge: OperatorCameOrWent) -> None:
        if nudge.widget_id in self._widgets():
            self._to_look_at.add(nudge.widget_id)
            self._start(self._look())

    async def _look_at_all(self) -> None:
        self._to_look_at |= self._widgets()
        await self._look()

    async def _look(self) -> None:
        async with self._looking:  # else what was read first could be shown last
            widget_ids, self._to_look_at = self._to_look_at, set()
            if not widget_ids:
                return
            online = await database.run(partial(_read_and_copy, widget_ids))
            for socket in self._all():
                if socket.is_ready and socket.operator.widget_id in online:
                    socket.show_online(online[socket.operator.widget_id])

    def _all(self) -> "list[OperatorSocket]":
        return [socket for sockets in self._sockets.values() for socket in sockets]

    def _widgets(self) -> set[int]:
        return {socket.operator.widget_id for socket in self._all()}

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _read_and_copy(widget_ids: set[int]) -> dict[int, set[int]]:
    """Who of the widgets is online; the copy in Redis is written anew, so that it is never wrong for long."""
    online = querysets.online_in(widget_ids)
    presence.write_anew(online)
    return online


async def _logged(work: Awaitable[None]) -> None:
    try:
        await work
    except DatabaseAway:
        pass  # the next poll does it
    except Exception:
        logger.exception("what a nudge told of could not be done")


def open_sockets() -> OperatorSockets:
    """Those of the running loop."""
    return sockets_of(OperatorSockets)
