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
    from apps.console.querysets.translations import TranslationReader


class OperatorWatch(Watch):
    """An operator's look at a chat: its messages and notes, its card, and who else looks at it.

    `typing_until` is the moment, by the loop's clock, until which the operator counts as typing.
    """

    __slots__ = ("_card", "_card_is_stale", "_colleagues", "looks_at", "operator", "reader", "typing_until")

    for_visitor = False

    def __init__(self, socket: "OperatorSocket", chat_id: int, *, position: int, state: ChatState) -> None:
        super().__init__(socket, position=position, state=state)
        self.operator = socket
        self.looks_at = chat_id
        self.typing_until = 0.0
        self._card: Mapping[str, Any] | None = None
        self.reader: TranslationReader | None = None
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
        card = self._read_by(card)
        self._card, self._colleagues = card, colleagues
        opened = {"chat_id": self.looks_at, "chat": row, "card": card, "colleagues": colleagues}
        # What became of messages while the tab was away.
        opened["deliveries"] = [
            {"message_id": each["message_id"], "delivery": each["delivery"]} for each in deliveries if each["delivery"]
        ]
        opened["edits"] = [{"message_id": each["message_id"], **each["edit"]} for each in deliveries if each["edit"]]
        # What a colleague saw while the tab was away.
        opened["seen_by_operator"] = self.state.seen_by_operator
        self.operator.show(frame_of("chat.opened", opened))
        return self._card_is_stale

    def _read_by(self, card: Mapping[str, Any]) -> Mapping[str, Any]:
        """The card as the operator sees it, by the languages that they read."""
        return self.reader.shown(card) if self.reader else card

    def show_translations(self, message_id: int, translations: Sequence[Mapping[str, Any]]) -> None:
        """Shows what became of a message's translations."""
        about = {"chat_id": self.looks_at, "message_id": message_id, "translations": translations}
        self.operator.show(frame_of("message.translated", about))

    def show_card(self, card: Mapping[str, Any]) -> None:
        card = self._read_by(card)
        if self._card is None:
            self._card_is_stale = True
        elif card != self._card:
            self._card = card
            self.operator.show(frame_of("chat.card", {"chat_id": self.looks_at, "card": card}))

    @property
    def has_ai(self) -> bool:
        """Whether AI answers in the chat, as far as the client was shown."""
        return self._card is not None and self._card["answering"] is not None

    def show_answering(self, answering: Mapping[str, Any] | None) -> None:
        """Shows who has the word now, if that is news."""
        if self._card is not None:
            self.show_card({**self._card, "answering": answering})

    def show_presence(self, known: Mapping[str, Any]) -> None:
        """Shows whether the visitor is there and how an answer reaches them, if that is news."""
        card = self._card
        if card is None:
            return
        visitor = card["visitor"]
        shown = {"presence": visitor["presence"] if visitor else known["presence"], "reach": card["reach"]}
        if known == shown:
            return
        self._card = {
            **card,
            "visitor": {**visitor, "presence": known["presence"]} if visitor else None,
            "reach": known["reach"],
        }
        self.operator.show(frame_of("chat.presence", {"chat_id": self.looks_at, **known}))

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
