"""Posts that are made to wait for each other: a statement is under way until all have come."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import connection

from apps.chats.actions import posting, together
from apps.chats.actions.together import Gatherer, PostPart
from apps.core.database import Row
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

Work = Callable[[], Any]


@contextmanager
def under_way(gatherer: Gatherer, until: int) -> Iterator[None]:
    """A statement that ends when so many wait behind it."""

    def hold() -> Row | None:
        wait_until(lambda: len(gatherer._waiting) >= until)
        return None

    with ThreadPoolExecutor(1) as pool:
        held = pool.submit(gatherer.run, PostPart(0, ("a test's",), {}, hold))
        wait_until(lambda: gatherer._begun_at is not None)
        yield
        held.result()


def post_together(works: Sequence[Work], *, are_read_together: bool = False) -> list[Any]:
    """What each of the works comes to, whose posts have all waited: to be written, and to be read if it says so.

    What one raises stands in its place.
    """
    before, together.PATIENCE_S = together.PATIENCE_S, AT_MOST_S
    try:
        with ExitStack() as held, ThreadPoolExecutor(len(works)) as pool:
            held.enter_context(under_way(posting._writes, len(works)))
            if are_read_together:
                held.enter_context(under_way(posting._reads, len(works)))
            done = [pool.submit(_and_leave, work) for work in works]
        return [_outcome(each) for each in done]
    finally:
        together.PATIENCE_S = before


def _and_leave(work: Work) -> Any:
    try:
        return work()
    finally:
        connection.close()


def _outcome(done: "Future[Any]") -> Any:
    error = done.exception()
    return done.result() if error is None else error


def groups_of(gatherer: Gatherer, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The chats of each statement of several that the gatherer runs from now on."""
    groups: list[list[int]] = []
    run = gatherer._together

    def noted(parts: Sequence[PostPart]) -> Any:
        groups.append([part.chat_id for part in parts])
        return run(parts)

    monkeypatch.setattr(gatherer, "_together", noted)
    return groups
