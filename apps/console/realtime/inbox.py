"""An inbox: one widget's chats and staff as the operators' sockets of this process are shown them.

It reads once for all of them. Its state of the open chats (versions and counts) tells it which rows are news, and is
the base of its counts.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.chats.realtime import database
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.sockets import frame_of
from apps.chats.rules import OPEN, Status
from apps.console import querysets
from apps.console.querysets import Staff
from apps.console.querysets.translations import message_translations
from apps.console.rules.counts import IN_QUEUE, CountedChat, Counts

if TYPE_CHECKING:
    from apps.console.consumers import OperatorSocket
    from apps.console.realtime.watches import OperatorWatch

logger = logging.getLogger(__name__)

# What changes within this time after a read is read together. Counts cost all sockets a frame.
GATHER_S = 0.02
# The queue is told of as often at most.
QUEUE_EVERY_S = 2.0
# Deliveries that sockets were told of are remembered, so that each is told once; of others only what is news.
DELIVERIES_REMEMBERED = 5_000
NEWS_FOR = timedelta(minutes=5)
# Closed chats whose versions are remembered, so that a lost broadcast about them is made up for.
REMEMBERED = 1_000


class Inbox:
    """The inbox of a widget in this process, while an operator of it is connected here."""

    def __init__(self, widget_id: int) -> None:
        self.widget_id = widget_id
        self.sockets: set[OperatorSocket] = set()
        self.staff = Staff({}, [])
        self._counted: dict[int, CountedChat] = {}
        self._closed: dict[int, int] = {}  # versions of those that sockets were told of
        self._counts = Counts()
        self._deliveries: dict[int, Mapping[str, Any]] = {}  # by message
        self._translations: dict[int, list[dict[str, Any]]] = {}  # by message
        self._watches: dict[int, set[OperatorWatch]] = {}
        self._changed: set[int] = set()
        self._reader: asyncio.Task[None] | None = None
        self._loading = asyncio.Lock()
        self._is_loaded = False
        self._queue_news: asyncio.TimerHandle | None = None
        self._queue_told = 0.0

    async def join(self, socket: "OperatorSocket") -> None:
        """Shows a socket what changes from now on. Raises DatabaseAway."""
        self.sockets.add(socket)
        async with self._loading:
            if not self._is_loaded:
                found = await database.run(partial(querysets.counted_chats, [self.widget_id]))
                staff = await database.run(partial(querysets.staff_of, [self.widget_id]))
                for chat_id, chat in found[self.widget_id].items():
                    self._keep(chat_id, chat)
                self.staff = staff[self.widget_id]
                self._is_loaded = True

    def leave(self, socket: "OperatorSocket") -> None:
        self.sockets.discard(socket)

    def watch(self, watch: "OperatorWatch") -> None:
        """Shows a watch its chat's card whenever it changes."""
        self._watches.setdefault(watch.looks_at, set()).add(watch)

    def unwatch(self, watch: "OperatorWatch") -> None:
        watches = self._watches.get(watch.looks_at, set())
        watches.discard(watch)
        if not watches:
            self._watches.pop(watch.looks_at, None)

    def watches(self) -> "list[OperatorWatch]":
        """Every look at a chat, of any socket."""
        return [watch for watches in self._watches.values() for watch in watches]

    def watches_of(self, chat_id: int) -> "list[OperatorWatch]":
        """Every look at that chat."""
        return list(self._watches.get(chat_id, ()))

    def counts_for(self, agent_id: int) -> dict[str, Any]:
        """The counts for an operator: the open chats, of each kind."""
        departments = self.staff.agents.get(agent_id, {}).get("department_ids", [])
        return self._counts.of(agent_id, departments)

    # Parts that may have changed.

    def look(self, chat_ids: Iterable[int]) -> None:
        """Reads soon what became of these chats; ids of other widgets' do no harm."""
        self._changed.update(chat_ids)
        if self._reader is None and self._changed and self.sockets:
            self._reader = asyncio.get_running_loop().create_task(self._read())

    def compare(self, found: Mapping[int, int], closed: Mapping[int, int]) -> None:
        """Looks at the chats of which a broadcast was lost, by the versions of those now counted, and of the others."""
        if not self._is_loaded:
            return
        news = {chat_id for chat_id, version in found.items() if version > self._version(chat_id)}
        news |= self._counted.keys() - found.keys()
        news |= {chat_id for chat_id, version in closed.items() if version > self._closed.get(chat_id, version)}
        self.look(news)

    async def look_who_is_there(self) -> None:
        """Shows who looks at a chat whether its visitor is there, and who answers. Raises DatabaseAway."""
        if self._watches:
            found = await database.run(partial(querysets.presences, self.widget_id, list(self._watches)))
            for chat_id, known in found.items():
                for watch in self.watches_of(chat_id):
                    watch.show_presence(known)
        with_ai = [chat_id for chat_id, watches in self._watches.items() if any(each.has_ai for each in watches)]
        if with_ai:
            by_ai = await database.run(partial(querysets.answering, self.widget_id, with_ai))
            for chat_id in with_ai:
                for watch in self.watches_of(chat_id):
                    watch.show_answering(by_ai.get(chat_id))

    async def show_cards(self, chat_id: int) -> None:
        """Shows who looks at a chat its cards from the shop's own system. Raises DatabaseAway."""
        cards = await database.run(partial(querysets.shop_cards, self.widget_id, chat_id))
        for watch in self.watches_of(chat_id):
            watch.operator.show(frame_of("cards.updated", {"chat_id": chat_id, "cards": cards}))

    @property
    def remembered(self) -> Collection[int]:
        """The closed chats that sockets were told of lately."""
        return self._closed.keys()

    def show_staff(self, staff: Staff) -> None:
        """Shows the sockets what is new of the operators and the departments."""
        before, self.staff = self.staff, staff
        if not self._is_loaded or staff == before:
            return
        for agent_id in before.agents.keys() - staff.agents.keys():
            self._show(frame_of("agent.removed", {"agent_id": agent_id}))
        for agent_id, agent in staff.agents.items():
            known = before.agents.get(agent_id)
            if known and known["online"] != agent["online"]:
                self._show(frame_of("agent.presence", {"agent_id": agent_id, "online": agent["online"]}))
                known = {**known, "online": agent["online"]}
            if agent != known:
                self._show(frame_of("agent.updated", {"agent": agent}))
        if {id_: _at_work(each) for id_, each in staff.agents.items()} != {
            id_: _at_work(each) for id_, each in before.agents.items()
        } and any(chat.is_queued for chat in self._counted.values()):
            self.tell_of_queue()
        if staff.departments != before.departments:
            self._show(frame_of("departments.updated", {"departments": staff.departments}))
        self._show_counts()

    async def _read(self) -> None:
        try:
            while self._changed and self.sockets:
                chat_ids, self._changed = self._changed, set()
                try:
                    await self._read_rows(chat_ids)
                except DatabaseAway:
                    self._changed |= chat_ids  # the next poll begins anew
                    return
                await asyncio.sleep(GATHER_S)
        except Exception:
            logger.exception("the inbox of widget %s could not be read", self.widget_id)
        finally:
            self._reader = None

    async def _read_rows(self, chat_ids: Collection[int]) -> None:
        watched = self._watches.keys() & set(chat_ids)
        rows, cards, deliveries, translations = await database.run(
            partial(_rows_and_cards, self.widget_id, chat_ids, watched)
        )
        for row in rows:
            if row["version"] > self._version(row["id"]):
                self._note_queue(row)
                self._keep(row["id"], _counted_chat(row), closed_version=row["version"])
                self._show(frame_of("chat.updated", {"chat": row}))
        for chat_id, card in cards.items():
            for watch in list(self._watches.get(chat_id, ())):
                watch.show_card(card)
        self._show_deliveries(deliveries)
        self._show_translations(translations)
        for chat_id in set(chat_ids) - {row["id"] for row in rows}:
            self._keep(chat_id, None)  # it is gone
        self._show_counts()

    def _note_queue(self, row: Mapping[str, Any]) -> None:
        """Tells that the queue is another, if a chat comes into it, changes in it or leaves it, or an answer is due."""
        before = self._counted.get(row["id"])
        is_shown = row["rings_for"] in IN_QUEUE or row["sla"] is not None
        if is_shown or (before is not None and (before.is_queued or before.is_due)):
            self.tell_of_queue()

    def tell_of_queue(self) -> None:
        """Tells the sockets to read the queue anew: at once, and then once in QUEUE_EVERY_S at most."""
        if self._queue_news is not None:
            return
        loop = asyncio.get_running_loop()
        self._queue_news = loop.call_at(max(loop.time(), self._queue_told + QUEUE_EVERY_S), self._show_queue)

    def _show_queue(self) -> None:
        self._queue_news, self._queue_told = None, asyncio.get_running_loop().time()
        self._show(frame_of("queue.changed", {}))

    def _show_deliveries(self, deliveries: Iterable[Mapping[str, Any]]) -> None:
        for each in deliveries:
            message_id, state = each["message_id"], {"delivery": each["delivery"], "edit": each["edit"]}
            known = self._deliveries.get(message_id)
            if state == known or (known is None and not _is_news(state)):
                continue
            self._deliveries[message_id] = state
            about = {"chat_id": each["chat_id"], "message_id": message_id}
            if state["delivery"]:
                self._show(frame_of("message.delivery", {**about, "delivery": state["delivery"]}))
            if state["edit"]:
                self._show(frame_of("message.edited", {**about, **state["edit"]}))
        while len(self._deliveries) > DELIVERIES_REMEMBERED:
            del self._deliveries[next(iter(self._deliveries))]

    def _show_translations(self, found: Iterable[tuple[int, int, list[dict[str, Any]]]]) -> None:
        for chat_id, message_id, translations in found:
            if self._translations.get(message_id) != translations:
                self._translations[message_id] = translations
                for watch in self.watches_of(chat_id):
                    watch.show_translations(message_id, translations)
        while len(self._translations) > DELIVERIES_REMEMBERED:
            del self._translations[next(iter(self._translations))]

    def _version(self, chat_id: int) -> int:
        known = self._counted.get(chat_id)
        return known.version if known else self._closed.get(chat_id, 0)

    def _keep(self, chat_id: int, chat: CountedChat | None, *, closed_version: int = 0) -> None:
        before = self._counted.pop(chat_id, None)
        if before is not None:
            self._counts.remove(before)
        self._closed.pop(chat_id, None)
        if chat is not None:
            self._counted[chat_id] = chat
            self._counts.add(chat)
        elif closed_version:
            self._closed[chat_id] = closed_version
            if len(self._closed) > REMEMBERED:
                del self._closed[next(iter(self._closed))]

    def _show(self, frame: str) -> None:
        for socket in list(self.sockets):
            socket.show(frame)

    def _show_counts(self) -> None:
        for socket in list(self.sockets):
            socket.show_counts(self.counts_for(socket.operator.pk))


def _rows_and_cards(
    widget_id: int, chat_ids: Collection[int], watched: Collection[int]
) -> tuple[
    list[dict[str, Any]],
    dict[int, dict[str, Any]],
    list[dict[str, Any]],
    list[tuple[int, int, list[dict[str, Any]]]],
]:
    rows = querysets.inbox_rows(widget_id, chat_ids)
    cards = querysets.contact_panels(widget_id, watched) if watched else {}
    translated = [chat_id for chat_id, card in cards.items() if card["translation"]["on"]]
    return rows, cards, querysets.deliveries(widget_id, rows), message_translations(widget_id, translated)


def _at_work(agent: Mapping[str, Any]) -> tuple[bool, str]:
    return agent["online"], agent["status"]


def _is_news(state: Mapping[str, Any]) -> bool:
    """Whether it became so just now: older changes are read when the chat is opened."""
    delivery, edit = state["delivery"] or {}, state["edit"] or {}
    moments = filter(None, (delivery.get("at"), edit.get("edited_at"), edit.get("deleted_at")))
    return timezone.now() - datetime.fromisoformat(max(moments)) < NEWS_FOR


def _counted_chat(row: Mapping[str, Any]) -> CountedChat | None:
    """The counted state of a chat, by its row; None for a closed chat that does not wait."""
    is_unanswered = row["waits_since"] is not None
    is_aside = row["snooze"] is not None
    if row["status"] not in OPEN and not is_unanswered and not is_aside:
        return None
    status = Status(row["status"])
    about = (row["version"], status, row["channel"], row["agent_id"], row["department_id"])
    is_queued = is_unanswered and row["rings_for"] in IN_QUEUE
    return CountedChat(*about, is_unanswered, is_aside, row["last_message"] is None, is_queued, row["sla"] is not None)
