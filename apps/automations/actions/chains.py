"""The automations that led to an event: an event that a run causes is one deeper, and asks none of them again."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple


class Chain(NamedTuple):
    """The automations that led here, in order, and how many runs deep that is; 0: by themselves people did it."""

    automation_ids: tuple[int, ...] = ()
    depth: int = 0

    def after(self, automation_id: int) -> "Chain":
        """The chain of the events that a run of that automation causes."""
        return Chain((*self.automation_ids, automation_id), self.depth + 1)


_CURRENT: ContextVar[Chain] = ContextVar("automations_chain", default=Chain())  # noqa: B039 - a tuple never changes


def current_chain() -> Chain:
    """The chain of the act that is done just now."""
    return _CURRENT.get()


@contextmanager
def chained(chain: Chain) -> Iterator[None]:
    """All that is done inside is of that chain."""
    token = _CURRENT.set(chain)
    try:
        yield
    finally:
        _CURRENT.reset(token)
