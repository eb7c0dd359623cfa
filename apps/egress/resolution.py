"""From a host name to addresses that a call may go to: looked up once, within a time limit, every record checked."""

import asyncio
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext

from apps.egress.addresses import is_public
from apps.egress.allowlist import AllowList, configured_allow_list
from apps.egress.bulkhead import refuse_in_transaction
from apps.egress.errors import EgressRefused
from apps.egress.loops import result_of
from apps.egress.targets import Target, parse_target

LOOKUP_SECONDS = 3.0
MAX_LOOKUP_THREADS = 32

Lookup = Callable[[str, int], Sequence[str]]
"""Host and port in, addresses out, all records; raises OSError where there are none."""


def system_lookup(host: str, port: int) -> list[str]:
    """The answer of this machine's resolver: DNS, the hosts file, and whatever else it is set up with."""
    records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(record[4][0]) for record in records))


def vet(
    url: str,
    *,
    place: AbstractContextManager[None] | None = None,
    lookup: Lookup = system_lookup,
    timeout: float = LOOKUP_SECONDS,
) -> Target:
    """Checks a URL when it is saved: reads it, resolves its host within `timeout` seconds, checks every address.

    `place` is one of the bulkhead, held while a name is looked up; an address needs no look-up. The check is made again
    at every call, since a name may point elsewhere by then. Raises InvalidUrl for text that is no such URL,
    EgressRefused for a host that does not resolve or resolves to an address out of bounds, and BulkheadFull.
    """
    allow = configured_allow_list()
    target = parse_target(url, allow)
    if not target.is_literal:
        refuse_in_transaction()
    with nullcontext() if target.is_literal or place is None else place:
        resolve(target, allow=allow, lookup=lookup, timeout=timeout)
    return target


def resolve(target: Target, *, allow: AllowList, lookup: Lookup, timeout: float) -> tuple[str, ...]:
    """The addresses a call to `target` may be pinned to. Raises EgressRefused: one bad record refuses them all."""
    if target.is_literal:
        return admit(target, (target.host,), allow)
    future = _lookups.start(lookup, target)
    try:
        addresses = result_of(future, timeout)
    except TimeoutError:
        future.cancel()
        raise EgressRefused("timeout") from None
    except (OSError, UnicodeError):
        raise EgressRefused("unresolvable") from None
    return admit(target, addresses, allow)


async def resolve_async(target: Target, *, allow: AllowList, lookup: Lookup, timeout: float) -> tuple[str, ...]:
    """`resolve` without blocking the event loop."""
    if target.is_literal:
        return admit(target, (target.host,), allow)
    try:
        addresses = await asyncio.wait_for(asyncio.wrap_future(_lookups.start(lookup, target)), timeout)
    except TimeoutError:
        raise EgressRefused("timeout") from None
    except (OSError, UnicodeError):
        raise EgressRefused("unresolvable") from None
    return admit(target, addresses, allow)


def admit(target: Target, addresses: Sequence[str], allow: AllowList) -> tuple[str, ...]:
    """The same addresses, if a call to `target` may go to every one of them; raises EgressRefused otherwise."""
    if not addresses:
        raise EgressRefused("unresolvable")
    for address in addresses:
        if allow.permits(target.host, target.port, address):
            continue
        if not is_public(address):
            raise EgressRefused("private_address")
        if target.scheme != "https":
            raise EgressRefused("not_https")
    return tuple(addresses)


class _LookupThreads:
    """Runs look-ups on at most MAX_LOOKUP_THREADS daemon threads.

    `getaddrinfo` takes no time limit and cannot be interrupted. The caller stops waiting in time; the thread stays
    with the slow look-up until the system gives up on it. While every thread has been with one for longer than anybody
    waits, no more are taken: the resolver is silent. Daemon threads, unlike those of an executor, keep no process from
    ending.
    """

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[tuple[Future[Sequence[str]], Lookup, Target]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._unfinished = 0
        self._begun: dict[int, float] = {}  # when the look-up under way began, by the thread that it is on

    def start(self, lookup: Lookup, target: Target) -> Future[Sequence[str]]:
        """The addresses to be. Raises EgressRefused."""
        future: Future[Sequence[str]] = Future()
        with self._lock:
            if self._all_hang():
                raise EgressRefused("resolver_hangs")
            self._waiting.put((future, lookup, target))
            self._unfinished += 1
            if self._threads < min(self._unfinished, MAX_LOOKUP_THREADS):
                self._threads += 1
                threading.Thread(target=self._work, name="egress-lookup", daemon=True).start()
        return future

    def _all_hang(self) -> bool:
        is_full = len(self._begun) == MAX_LOOKUP_THREADS
        return is_full and max(self._begun.values()) < time.monotonic() - LOOKUP_SECONDS

    def _work(self) -> None:
        thread = threading.get_ident()
        while True:
            future, lookup, target = self._waiting.get()
            if future.set_running_or_notify_cancel():
                with self._lock:
                    self._begun[thread] = time.monotonic()
                try:
                    future.set_result(lookup(target.host, target.port))
                except BaseException as error:
                    future.set_exception(error)
            with self._lock:
                self._begun.pop(thread, None)
                self._unfinished -= 1


_lookups = _LookupThreads()


def _start_afresh_after_fork() -> None:
    global _lookups
    _lookups = _LookupThreads()


os.register_at_fork(after_in_child=_start_afresh_after_fork)
