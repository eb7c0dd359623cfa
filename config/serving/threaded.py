"""A WSGI application in a few threads of an event loop's process."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from apps.core import hashing
from apps.core.endpoints.bodies import AT_MOST, AWAITED, refuse_body
from config.serving.answers import IN_MEMORY, Answer, FileToSend, Stream, plain
from config.serving.bodies import Body, Disconnected, Receive, TooSlow
from config.serving.ending import Ending
from config.serving.environs import Environ, environ_of

logger = logging.getLogger(__name__)

# Up to so many bytes of a body are gathered at once. For a longer one the application is asked first
# (`apps.core.endpoints.bodies`): it refuses, or says with the status `100 Continue` how much it takes.
ASKED_FROM = 64 * 1024

Application = Callable[[Environ, Any], Iterable[bytes]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class ThreadedWSGI:
    """An ASGI application that runs a WSGI application in so many threads, which live as long as the process.

    A thread that waits for a remote host lets another work in its stead (`let_another_work`), ends its own request, and
    is then spare: the next that is needed.
    """

    def __init__(self, application: Application, threads: int) -> None:
        self._application, self._size, self._started = application, threads, 0
        self._waiting: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = threading.Lock()
        self._spare, self._needed = 0, SimpleQueue[None]()
        self._of_thread = threading.local()
        self._ending = Ending()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            scope["state"]["ending"] = self._ending
            await self._live(receive, send)
            return
        if scope["path"] == "/readyz":
            self._ending.asked()
            if self._ending.leaves_nobody:
                await _send(plain(503, "Ending.\n"), scope, receive, send)
                return
        environ = environ_of(scope)
        body = Body(environ, receive)
        try:
            answer = await self._answer(environ, body)
            if not body.is_whole and "HTTP_EXPECT" in environ:  # the client may send the body next, or a request
                answer.headers.append((b"connection", b"close"))
            await _send(answer, scope, receive, send)
        except Disconnected:
            pass
        finally:
            body.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        """The process's life. Tasks that run on the loop beside the requests begin here."""
        await receive()
        self._ending.on_signals()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, environ: Environ, body: Body) -> Answer:
        try:
            if not await body.gather(ASKED_FROM):
                environ[AWAITED] = True
                answer = await self.run(environ)
                del environ[AWAITED]
                if answer.status != 100:
                    return answer
                answer.close()
                at_most = int(answer.header(AT_MOST.lower().encode()) or 0)
                if not await body.gather(at_most) and body.announced is not None:
                    return plain(413, "The body is too long.\n")
        except TooSlow:
            return plain(408, "The body came too slowly.\n")
        except OSError as error:
            logger.warning("a body can't be kept: %s", error)
            return await self.run(environ) if refuse_body(environ) else plain(503, "Try again.\n")
        return await self._answer_in_turn(environ, body)

    async def _answer_in_turn(self, environ: Environ, body: Body) -> Answer:
        """The answer to a request that has come; if it hashes a password, and others do, when its turn has come."""
        body.give()
        environ[hashing.CAN_WAIT] = True
        answer = await self.run(environ)
        if answer.status != 100:
            return answer
        del environ[hashing.CAN_WAIT]
        body.give()
        whose = answer.header(hashing.TURN_OF.lower().encode()) or b""
        has_place = environ[hashing.HAS_PLACE] = await hashing.places().turn(whose.decode("latin-1"))
        try:
            return await self.run(environ)
        finally:
            if has_place:
                hashing.places().give_back()

    async def run(self, environ: Environ) -> Answer:
        """The application's answer, from the first thread that is free."""
        loop = asyncio.get_running_loop()
        made: asyncio.Future[Answer] = loop.create_future()
        self.give(lambda: self._run(environ, made, loop))
        return await made

    def give(self, work: Callable[[], None]) -> None:
        """Has the first thread that is free do something, which raises nothing; called on the loop."""
        self._waiting.put(work)
        if self._started < self._size:
            self._started += 1
            self._start("web")

    def let_another_work(self) -> None:
        """Says that this thread, if it is one of these, is about to wait for a remote host."""
        if getattr(self._of_thread, "is_replaced", True):
            return
        self._of_thread.is_replaced = True
        with self._lock:
            has_spare = self._spare > 0
            self._spare -= has_spare
        if has_spare:
            self._needed.put(None)
        else:
            self._start("web-spare")

    def _start(self, name: str) -> None:
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def _work(self) -> None:
        while True:
            work = self._waiting.get()
            self._of_thread.is_replaced = False
            work()
            if self._of_thread.is_replaced:
                with self._lock:
                    self._spare += 1
                self._needed.get()

    def _run(self, environ: Environ, made: "asyncio.Future[Answer]", loop: asyncio.AbstractEventLoop) -> None:
        """In a thread: the answer is handed over as soon as it is begun."""

        def hand_over(content: bytes | FileToSend | Stream) -> None:
            status, headers = started[-1]
            lines = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_settle, made, Answer(int(status[:3]), lines, content))

        started: list[tuple[str, list[tuple[str, str]]]] = []
        try:
            with hashing.place_of(environ):
                result = self._application(environ, lambda status, headers, _=None: started.append((status, headers)))
            if isinstance(result, list) and sum(map(len, result)) <= IN_MEMORY:
                hand_over(b"".join(result))
            elif isinstance(result, FileToSend) and result.is_local:
                hand_over(result)
            else:
                hand_over(stream := Stream(loop))
                stream.fill(result)
        except BaseException:
            logger.exception("unhandled error")
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, made, plain(500, "Internal server error\n"))


def _settle(made: "asyncio.Future[Answer]", answer: Answer) -> None:
    if made.done():  # cancelled, or failed at its end
        answer.close()
    else:
        made.set_result(answer)


async def _send(answer: Answer, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    content = answer.content
    start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
    if isinstance(content, bytes):
        await send(start)
        await send({"type": "http.response.body", "body": content})
        return
    gone = asyncio.ensure_future(_disconnected(receive))
    try:
        if isinstance(content, Stream) and scope["http_version"] == "1.0" and not answer.header(b"content-length"):
            answer.headers.append((b"content-length", str(await content.length()).encode()))  # it knows no chunks
        await send(start)
        if scope["method"] != "HEAD":
            async for piece in content:
                if gone.done():
                    return
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()
        answer.close()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
