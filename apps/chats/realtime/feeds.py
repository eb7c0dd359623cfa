"""A feed: one chat as the sockets of this process see it. It reads once for all of them."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Protocol

from django.utils import timezone

from apps.chats.broadcasts import OperatorTyping, VisitorTyping
from apps.chats.querysets import messages_after
from apps.chats.querysets.edits import changed_messages
from apps.chats.realtime import database, reads
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.reads import ChatChange, ChatPosition, ChatState
from apps.chats.serializers.chats import MessageSerializer, OperatorMessageSerializer

logger = logging.getLogger(__name__)

PAGE = 100
JUST_NOW = timedelta(minutes=1)


class FeedListener(Protocol):
    """A socket that looks at a chat.

    `position` is the id of the last message it was given; `takes_messages` is False while it must not be given any: the
    feed then leaves it out, and it calls the feed's `look` when it is able again.
    """

    position: int

    @property
    def takes_messages(self) -> bool: ...

    def show_messages(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Takes the messages after its position, oldest first, as many as it has room for."""

    def show_updates(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Takes messages that were edited or deleted, oldest first, as they are now."""

    def show_state(self, state: ChatState) -> None:
        """Takes the chat's state, whether changed or not."""

    def show_typing(self, broadcast: OperatorTyping | VisitorTyping) -> None:
        """Takes what a broadcast says of typing, which is all there is to know."""


class Feed:
    """The listeners of one chat, and one reader for them.

    A read begins at the lowest position of all listeners and gives each what is after its own, so every listener gets
    every message once and in the order of ids, however often and from wherever the feed is told to look.
    """

    __slots__ = (
        "_covered",
        "_edit",
        "_last_message_id",
        "_newest_edit",
        "_reader",
        "_version",
        "_wants_messages",
        "_wants_state",
        "chat_id",
        "for_visitor",
        "listeners",
        "reads_of_state",
    )

    def __init__(self, chat_id: int, *, for_visitor: bool) -> None:
        self.chat_id = chat_id
        self.for_visitor = for_visitor
        self.listeners: set[FeedListener] = set()
        self._version = 0
        self._last_message_id = 0  # the chat's, as far as the feed has heard
        self._covered = 0  # the last id that a read has gone up to
        self._wants_messages = self._wants_state = False
        self._edit: int | None = None  # the last change of a message that listeners were shown; None before any
        self._newest_edit = 0  # the last that there is
        self.reads_of_state = 0  # how many have begun
        self._reader: asyncio.Task[None] | None = None

    def look(self, *, state: bool = False) -> None:
        """Reads soon what the listeners have not got yet (and the chat's state, too)."""
        self._wants_messages = True
        self._wants_state |= state
        if self._reader is None and self.listeners:
            self._reader = asyncio.get_running_loop().create_task(self._read())

    def compare(self, position: ChatPosition, *, thoroughly: bool) -> bool:
        """Reads the chat if it has newer messages.

        `thoroughly` also reads its state, in case a broadcast was lost. Returns whether the chat has changed besides:
        `catch_up` is then called with the change.
        """
        self._last_message_id = max(self._last_message_id, position.last_message_id)
        if thoroughly:
            self._version = position.version
        if thoroughly or self._wants_messages or self._last_message_id > self._covered:
            self.look(state=thoroughly)
        return position.version != self._version

    def catch_up(self, version: int, change: ChatChange, *, since: int) -> None:
        """Takes what was read of the chat at that version or later, when `reads_of_state` was `since`."""
        self._version = version
        if since != self.reads_of_state or self._wants_state:
            self.look(state=True)  # what was read meanwhile may be newer
        else:
            self._show_state(change.state)
        if change.newest_message_id > self._covered:  # a note is no chat's last message
            self._last_message_id = max(self._last_message_id, change.newest_message_id)
            self.look()

    def show_typing(self, broadcast: OperatorTyping | VisitorTyping) -> None:
        for listener in list(self.listeners):
            listener.show_typing(broadcast)

    async def _read(self) -> None:
        try:
            while (self._wants_messages or self._wants_state) and self.listeners:
                await self._read_messages()
                await self._read_state()
                await self._read_edits()
        except DatabaseAway:
            self._wants_messages = self._wants_state = True  # `compare` begins anew
        except Exception:
            logger.exception("the feed of chat %s could not be read", self.chat_id)
        finally:
            self._reader = None

    async def _read_messages(self) -> None:
        self._wants_messages = False
        last_message_id = self._last_message_id
        takers = [listener for listener in self.listeners if listener.takes_messages]
        if not takers:
            return
        after_id = min(listener.position for listener in takers)
        found = await database.run(
            lambda: messages_after(chat_id=self.chat_id, after_id=after_id, limit=PAGE, for_visitor=self.for_visitor)
        )
        show = (MessageSerializer if self.for_visitor else OperatorMessageSerializer).writer()
        messages = [show(row) for row in found]
        for listener in takers:
            if listener.takes_messages and listener.position >= after_id:
                listener.show_messages([message for message in messages if message["id"] > listener.position])
        if len(messages) == PAGE:
            self._wants_messages = True
        else:
            # The chat's last message may be one that these listeners are not shown.
            self._covered = max(self._covered, last_message_id, messages[-1]["id"] if messages else 0)

    async def _read_state(self) -> None:
        if not self._wants_state:
            return
        self._wants_state = False
        self.reads_of_state += 1
        state = (await database.run(lambda: reads.states([self.chat_id]))).get(self.chat_id)
        if state is not None:
            self._show_state(state)

    async def _read_edits(self) -> None:
        """Shows what was edited and deleted since the last time; at first, what was in the last minute."""
        if self._newest_edit <= (self._edit or 0):
            return
        after, newest = self._edit, self._newest_edit
        since = timezone.now() - JUST_NOW if after is None else None
        read = partial(
            changed_messages, chat_id=self.chat_id, for_visitor=self.for_visitor, after_edit=after, since=since
        )
        messages = await database.run(read)
        self._edit = newest
        for listener in list(self.listeners):
            if shown := [message for message in messages if message["id"] <= listener.position]:
                listener.show_updates(shown)

    def _show_state(self, state: ChatState) -> None:
        if state.edit > self._newest_edit:
            self._newest_edit = state.edit
            if self._reader is None:
                self.look()
        for listener in list(self.listeners):
            listener.show_state(state)
