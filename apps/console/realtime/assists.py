"""Assists as operators' tabs are told of them. Only where the app that does them is installed.

The words so far come with their broadcast. How an assist stands is read: once a broadcast says that it changed, when
the chat of one goes on, and at each poll, which makes good for a broadcast that was lost.
"""

from collections.abc import Collection
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.db.models.functions import Now

from apps.assists.broadcasts import AssistChanged, AssistText
from apps.assists.models import Assist
from apps.assists.serializers import shown
from apps.chats.broadcasts import MessagesStored
from apps.chats.realtime import database
from apps.chats.realtime.hub import Hub
from apps.chats.realtime.sockets import frame_of

if TYPE_CHECKING:
    from apps.console.realtime.sockets import OperatorSockets

# Assists that tabs were told of are remembered; a change is looked for so long after it was made.
REMEMBERED, LOOKED_BACK = 1_000, timedelta(seconds=20)


class ShownAssists:
    """The assists of the operators who have sockets in this process, as their tabs were told of them last."""

    def __init__(self, hub: Hub, sockets: "OperatorSockets") -> None:
        self._sockets = sockets
        self._told: dict[int, tuple[int, bool]] = {}  # by assist: its version, and whether it is stale
        self._of_chats: dict[int, set[int]] = {}
        hub.on(AssistText, self._on_text)
        hub.on(AssistChanged, self._on_change)
        hub.on(MessagesStored, self._on_messages)
        hub.at_each_poll(self._look_at_news)

    def _on_text(self, broadcast: AssistText) -> None:
        words = {"assist_id": broadcast.assist_id, "chat_id": broadcast.chat_id, "text": broadcast.text}
        for socket in self._sockets.of_operator(broadcast.agent_id):
            socket.push_if_read(frame_of("assist.text", words))

    def _on_change(self, broadcast: AssistChanged) -> None:
        if self._sockets.of_operator(broadcast.agent_id):
            self._sockets.start(self._look(Q(pk=broadcast.assist_id)))

    def _on_messages(self, broadcast: MessagesStored) -> None:
        known = {one for chat_id in broadcast.chat_ids for one in self._of_chats.get(chat_id, ())}
        if known:
            self._sockets.start(self._look(Q(pk__in=known)))

    async def _look_at_news(self) -> None:
        if self._sockets.operators():
            await self._look(Q(updated_at__gt=Now() - LOOKED_BACK))

    async def _look(self, which: Q) -> None:
        rows = await database.run(partial(_read, which, self._sockets.operators()))
        for agent_id, version, row in rows:
            state = (version, row["is_stale"])
            if state <= self._told.get(row["id"], (-1, False)):
                continue
            self._remember(row["id"], row["chat_id"], state)
            frame = frame_of("assist.updated", {"assist": row})
            for socket in self._sockets.of_operator(agent_id):
                socket.show(frame)

    def _remember(self, assist_id: int, chat_id: int, state: tuple[int, bool]) -> None:
        self._told.pop(assist_id, None)
        self._told[assist_id] = state
        self._of_chats.setdefault(chat_id, set()).add(assist_id)
        while len(self._told) > REMEMBERED:
            oldest = next(iter(self._told))
            del self._told[oldest]
            for of_chat in self._of_chats.values():
                of_chat.discard(oldest)
            self._of_chats = {chat: found for chat, found in self._of_chats.items() if found}


def _read(which: Q, agent_ids: Collection[int]) -> list[tuple[int, int, dict[str, Any]]]:
    """Each assist's operator, version and row. Index: assists_assist_news."""
    rows = Assist.objects.unscoped("of operators who have sockets here").filter(which, agent_id__in=agent_ids)
    return [(one.agent_id or 0, one.version, shown(one)) for one in rows.for_api().order_by("pk")]
