"""A chat that an operator has open in a tab."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apps.chats.broadcasts import OperatorTyping, VisitorTyping
from apps.chats.realtime.reads import ChatState
from apps.chats.realtime.sockets import frame_of
from apps.chats.realtime.watches import Watch

if TYPE_CHECKING:
    from apps.console.consumers import OperatorSocket


class OperatorWatch(Watch):
    """An operator's look at a chat: its messages and notes, its card, and who else looks at it.

    `typing_until` is the moment, by the loop's clock, until which the operator counts as typing.
    """

    __slots__ = ("_card", "_card_is_stale", "_colleagues", "looks_at", "operator", "typing_until")

    for_visitor = False

    def __init__(self, socket: "OperatorSocket", chat_id: int, *, position: int, state: ChatState) -> None:
        super().__init__(socket, position=position, state=state)
        self.operator = socket
        self.looks_at = chat_id
        self.typing_until = 0.0
        self._card: Mapping[str, Any] | None = None
        self._card_is_stale = False
        self._colleagues: list[dict[str, Any]] = []

    def open(
        self,
        row: Mapping[str, Any],
        card: Mapping[str, Any],
        colleagues: list[dict[str, Any]],
        deliveries: Sequence[Mapping[str, Any]],
    ) -> bool:
        """Shows the chat as it was read; whether it has changed since."""
        self._card, self._colleagues = card, colleagues
        opened = {"chat_id": self.looks_at, "chat": row, "card": card, "colleagues": colleagues}
        # What became of messages while the tab was away.
        opened["deliveries"] = [{"message_id": each["message_id"], "delivery": each["delivery"]} for each in deliveries]
        # What a colleague saw while the tab was away.
        opened["seen_by_operator"] = self.state.seen_by_operator
        self.operator.show(frame_of("chat.opened", opened))
        return self._card_is_stale

    def show_card(self, card: Mapping[str, Any]) -> None:
        if self._card is None:
            self._card_is_stale = True
        elif card != self._card:
            self._card = card
            self.operator.show(frame_of("chat.card", {"chat_id": self.looks_at, "card": card}))

    def show_colleagues(self, colleagues: Sequence[dict[str, Any]]) -> None:
        """Shows who looks at the chat, without the operator themselves."""
        others = [each for each in colleagues if each["agent_id"] != self.operator.operator.pk]
        if self._card is not None and others != self._colleagues:
            self._colleagues = others
            self.operator.show(frame_of("chat.colleagues", {"chat_id": self.looks_at, "agents": others}))

    def type(self, seconds: float) -> None:
        """The operator counts as typing for so long; 0 is no longer."""
        self.typing_until = asyncio.get_running_loop().time() + seconds

    # What the feed calls.

    def show_state(self, state: ChatState) -> None:
        before, self.state = self.state, state
        sides = (
            ("visitor", state.seen_by_visitor, before.seen_by_visitor),
            ("operator", state.seen_by_operator, before.seen_by_operator),
        )
        for side, now, then in sides:
            if now > then:
                seen = {"chat_id": self.looks_at, "message_id": now, "by": side}
                self.operator.show(frame_of("message.seen", seen))

    def show_typing(self, broadcast: OperatorTyping | VisitorTyping) -> None:
        if isinstance(broadcast, VisitorTyping):
            typing = {"chat_id": broadcast.chat_id, "state": broadcast.state, "by": "visitor"}
            self.socket.push_if_read(frame_of("typing", typing))
        elif broadcast.is_machine:
            typing = {"chat_id": broadcast.chat_id, "state": broadcast.state, "by": "machine", "name": broadcast.name}
            self.socket.push_if_read(frame_of("typing", typing))
