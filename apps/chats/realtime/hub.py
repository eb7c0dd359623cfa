"""The hub of a realtime process: subscribes to broadcasts, and polls for what a lost one would have told.

One subscriber and one poller serve all sockets of the process, so that an idle socket costs neither a timer nor a task.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from apps.chats.broadcasts import ChatsChanged, MessagesStored, OperatorTyping, VisitorTyping
from apps.chats.realtime import database, reads
from apps.chats.realtime.database import DatabaseAway
from apps.chats.realtime.feeds import Feed, FeedListener
from apps.chats.realtime.reads import ChatPosition
from apps.core.redis import broadcasts
from apps.core.redis.broadcasts import Broadcast

logger = logging.getLogger(__name__)

POLL_S = (2.0, 3.0)
SUBSCRIBE_AGAIN_S = (0.2, 0.6)
SILENCE_S = 2.0  # then Redis is asked whether it is still there
CHATS_A_STATEMENT = 5_000

NudgeT = TypeVar("NudgeT", bound=Broadcast)
Sockets = TypeVar("Sockets")


class Hub:
    """The feeds of one process, by chat and audience. Must be used from one event loop."""

    def __init__(self) -> None:
        self._feeds: dict[tuple[int, bool], Feed] = {}
        self._handlers: dict[type[Broadcast], list[Callable[[Any], None]]] = {
            MessagesStored: [self._on_messages],
            ChatsChanged: [self._on_changes],
            OperatorTyping: [self._on_typing],
            VisitorTyping: [self._on_typing],
        }
        self._checks: list[Callable[[], Awaitable[None]]] = []
        self._look_now = asyncio.Event()
        self._is_subscribed = False
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Starts listening and polling, for the rest of the process's life."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._listen()), loop.create_task(self._poll())]

    def on(self, kind: type[NudgeT], handler: Callable[[NudgeT], None]) -> None:
        """Calls `handler` with each broadcast of a kind. Call it before `start`."""
        self._handlers.setdefault(kind, []).append(handler)

    def at_each_poll(self, check: Callable[[], Awaitable[None]]) -> None:
        """Awaits `check` every few seconds, and after a new connection to Redis. It may raise DatabaseAway."""
        self._checks.append(check)

    def join(self, chat_id: int, listener: FeedListener, *, for_visitor: bool) -> Feed:
        """Lets a socket look at a chat: it is given what is after its position, then everything live."""
        key = (chat_id, for_visitor)
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = Feed(chat_id, for_visitor=for_visitor)
        feed.listeners.add(listener)
        feed.reads_of_state += 1  # the listener's own: what a read has under way may be older
        feed.look()
        return feed

    def leave(self, feed: Feed, listener: FeedListener) -> None:
        feed.listeners.discard(listener)
        if not feed.listeners:
            self._feeds.pop((feed.chat_id, feed.for_visitor), None)

    def _on_messages(self, broadcast: MessagesStored) -> None:
        for feed in self._feeds_of(*broadcast.chat_ids):
            feed.look()

    def _on_changes(self, broadcast: ChatsChanged) -> None:
        for feed in self._feeds_of(*broadcast.chat_ids):
            feed.look(state=True)

    def _on_typing(self, broadcast: OperatorTyping | VisitorTyping) -> None:
        for feed in self._feeds_of(broadcast.chat_id):
            feed.show_typing(broadcast)

    def _feeds_of(self, *chat_ids: int) -> list[Feed]:
        keys = [(chat_id, for_visitor) for chat_id in chat_ids for for_visitor in (True, False)]
        return [feed for key in keys if (feed := self._feeds.get(key))]

    async def _listen(self) -> None:
        while True:
            try:
                await self._subscribe()
            except (RedisError, OSError) as error:
                if self._is_subscribed:
                    logger.warning("broadcasts are not heard: %s", error)
            except Exception:
                logger.exception("the subscriber of broadcasts failed")
            self._is_subscribed = False
            await asyncio.sleep(random.uniform(*SUBSCRIBE_AGAIN_S))  # noqa: S311 - jitter

    async def _subscribe(self) -> None:
        async with (
            Redis.from_url(
                settings.REDIS_URL,
                socket_connect_timeout=1,
                socket_timeout=SILENCE_S,
                retry=Retry(NoBackoff(), 0),
            ) as client,
            client.pubsub() as subscription,
        ):
            await subscription.subscribe(*{broadcasts.channel(kind.topic) for kind in self._handlers})
            has_asked = False
            while True:
                message = await subscription.get_message(timeout=SILENCE_S)
                if message is None:
                    if has_asked:
                        raise RedisConnectionError("the connection has gone silent")
                    await subscription.ping()
                    has_asked = True
                    continue
                has_asked = False
                if message["type"] == "subscribe":
                    self._is_subscribed = True
                    self._look_now.set()  # what happened meanwhile was missed
                elif message["type"] == "message":
                    self._dispatch(message["data"])

    def _dispatch(self, payload: bytes) -> None:
        for broadcast in broadcasts.read(payload, self._handlers):
            for handler in self._handlers[type(broadcast)]:
                try:
                    handler(broadcast)
                except Exception:  # one bad broadcast must not silence the others
                    logger.exception("a broadcast could not be handled")

    async def _poll(self) -> None:
        while True:
            thoroughly = await self._wait_for_poll() or not self._is_subscribed
            compare: Callable[[], Awaitable[None]] = partial(self._compare_feeds, thoroughly=thoroughly)
            # Each by itself: what would write fails on a database that may only be read, and the others go on.
            for check in (compare, *self._checks):
                try:
                    await check()
                except DatabaseAway:
                    continue
                except Exception:
                    logger.exception("a poll failed")

    async def _wait_for_poll(self) -> bool:
        """Waits for the next poll; True when it is due because broadcasts may have been missed."""
        try:
            await asyncio.wait_for(self._look_now.wait(), random.uniform(*POLL_S))  # noqa: S311 - jitter
        except TimeoutError:
            return False
        self._look_now.clear()
        return True

    async def _compare_feeds(self, *, thoroughly: bool) -> None:
        chat_ids = list({chat_id for chat_id, _ in self._feeds})
        for start in range(0, len(chat_ids), CHATS_A_STATEMENT):
            batch = chat_ids[start : start + CHATS_A_STATEMENT]
            found = await database.run(lambda batch=batch: reads.positions(batch))  # type: ignore[misc]
            changed = [
                feed
                for chat_id, position in found.items()
                for feed in self._feeds_of(chat_id)
                if feed.compare(position, thoroughly=thoroughly)
            ]
            if changed:
                await self._catch_up(changed, found)

    async def _catch_up(self, feeds: list[Feed], positions: Mapping[int, ChatPosition]) -> None:
        """Shows what became of chats: read at once, since in a busy hour most of those looked at change between polls,
        and read one by one they would keep everything else waiting.
        """
        since = {feed: feed.reads_of_state for feed in feeds}
        chat_ids = {feed.chat_id for feed in feeds}
        found = await database.run(lambda: reads.changes(chat_ids))
        for feed in feeds:
            if feed.chat_id in found:
                feed.catch_up(positions[feed.chat_id].version, found[feed.chat_id], since=since[feed])


_kinds: list[Callable[[Hub], Any]] = []
_by_loop: dict[asyncio.AbstractEventLoop, dict[Any, Any]] = {}


def with_each_hub(kind: Callable[[Hub], Sockets]) -> Callable[[Hub], Sockets]:
    """Registers what an app keeps of its open sockets: one is made with the hub of a process, before that starts.

    The decorated class is called with the hub, and found again by `sockets_of`.
    """
    _kinds.append(kind)
    return kind


def sockets_of(kind: Callable[[Hub], Sockets]) -> Sockets:
    """The app's sockets of the running loop: all apps' sockets share one hub, which is started with the first."""
    loop = asyncio.get_running_loop()
    if loop not in _by_loop:
        hub = Hub()
        _by_loop[loop] = {each: each(hub) for each in _kinds}
        hub.start()
    found: Sockets = _by_loop[loop][kind]
    return found
