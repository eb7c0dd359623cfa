"""The operators who have a chat open, or type in it: each process tells of its own every few seconds. Nothing is kept.

A report expires unless it is repeated, so operators of a dead process disappear.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from apps.console.broadcasts import LOOKING, TYPING, OperatorLooks
from apps.console.realtime.watches import OperatorWatch
from apps.core.redis import broadcasts

LASTS_S = 8.0  # three polls


class Colleagues:
    """The operators that this process has heard of, in the chats of the widgets that it has sockets of."""

    def __init__(self) -> None:
        self._heard: dict[int, dict[int, tuple[str, float]]] = {}  # by chat, then operator: the state, and until when

    def hear(self, broadcast: OperatorLooks) -> bool:
        """Takes in what a process told; whether it is news."""
        of_chat = self._heard.setdefault(broadcast.chat_id, {})
        before = of_chat.get(broadcast.agent_id)
        if broadcast.state is None:
            of_chat.pop(broadcast.agent_id, None)
        else:
            of_chat[broadcast.agent_id] = (broadcast.state, _now() + LASTS_S)
        if not of_chat:
            del self._heard[broadcast.chat_id]
        return broadcast.state != (before[0] if before else None)

    def of(self, chat_id: int) -> list[dict[str, Any]]:
        """The operators who have a chat open, in the order of their ids."""
        return [{"agent_id": id_, "state": state} for id_, (state, _) in sorted(self._heard.get(chat_id, {}).items())]

    def forget(self) -> set[int]:
        """Removes operators whose reports have expired; returns the chats that they had open."""
        now, chats = _now(), set()
        for chat_id, of_chat in list(self._heard.items()):
            for agent_id in [id_ for id_, (_, until) in of_chat.items() if until <= now]:
                del of_chat[agent_id]
                chats.add(chat_id)
            if not of_chat:
                del self._heard[chat_id]
        return chats


def tell(widget_id: int, chat_id: int, agent_id: int, watches: Iterable[OperatorWatch]) -> None:
    """Tells every process what an operator does in a chat, by all looks of theirs at it in this one."""
    broadcasts.send(OperatorLooks(widget_id=widget_id, chat_id=chat_id, agent_id=agent_id, state=_state(list(watches))))


def _state(watches: list[OperatorWatch]) -> str | None:
    if not watches:
        return None
    return TYPING if any(watch.typing_until > _now() for watch in watches) else LOOKING


def _now() -> float:
    return asyncio.get_running_loop().time()
