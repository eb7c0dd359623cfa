"""A start takes as long as the machine needs: a line names the part that is awaited, and no clock ends it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

FIRST_SAID_S = 10.0
SAID_AGAIN_S = 30.0
# A process without a sign of life may use so much of a processor's time to start, and may stand still for so long.
STARTING_SECONDS = 120.0

Result = TypeVar("Result")


async def told(awaited: Awaitable[Result], waits_for: str, say: Callable[[str], object]) -> Result:
    """Awaits, and returns the result. While that takes long, `say` gets a line: after 10 s, then every 30 s."""
    task, clock = asyncio.ensure_future(awaited), asyncio.get_running_loop().time
    started, pause = clock(), FIRST_SAID_S
    try:
        while not (await asyncio.wait({task}, timeout=pause))[0]:
            say(f"still waiting for {waits_for} ({clock() - started:.0f} s); the start goes on")
            pause = SAID_AGAIN_S
        return task.result()
    finally:
        task.cancel()


@dataclass(slots=True)
class Starting:
    """Whether a process that gave no sign of life yet is still starting: it works, however slowly.

    On a busy machine a start takes minutes of the clock, but no more of a processor's time than on an idle one.
    """

    began_at: float
    worked_s: float = 0.0
    moved_at: float | None = None

    def goes_on(self, *, now: float, worked_s: float) -> bool:
        """`worked_s` is the processor time of the process and its children so far."""
        if worked_s > self.worked_s:
            self.worked_s, self.moved_at = worked_s, now
        stands_still_since = self.began_at if self.moved_at is None else self.moved_at
        return worked_s <= STARTING_SECONDS and now - stands_still_since <= STARTING_SECONDS
