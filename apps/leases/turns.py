"""The choice of the next send: the rows that one process holds, and how many each place may have under way.

No place starves the others. Each has an allowance of sends at a time, which doubles with every prompt answer and falls
back with a slow or missing one; a send that takes over a second stops counting against the process's window, and
nothing is held to wait behind it. Nothing here knows of sockets, threads or the database; times are seconds of any
clock.

Invariants (tests/leases/test_turns.py asks `broken_invariants` after any sequence of calls):

1. A row that is held is in one state: waiting at its place, prompt, or slow.
2. A place's `under_way` are its prompt and slow sends together, its `slow` the slow ones.
3. No place has more than `most` under way, and none begins while its allowance is used up.
4. At most WINDOW sends are prompt; of the rows claimed as `wanted` and `room` say, at most MAX_HELD are not slow.
5. An allowance is from FIRST_ALLOWANCE to `most`.
6. The prompt sends stand in the order in which they began.
"""

from collections import deque
from collections.abc import Hashable, Iterable
from typing import Generic, Protocol, TypeVar

# Sends under way that are not slow, and slow ones besides.
WINDOW = 256
MAX_SLOW = 1024
SLOW_AFTER_S = 1.0
# Sends at a time to one place: at first, and at most.
FIRST_ALLOWANCE, MAX_ALLOWANCE = 4, 32
# Held in all but the slow ones, whether begun yet or waiting for their turn.
MAX_HELD = 384
# Places whose allowance is remembered while nothing goes on with them.
MAX_REMEMBERED = 1_000


class Held(Protocol):
    """A row that this process has claimed: its id, of which one is held at a time, and the place that it goes to."""

    @property
    def id(self) -> Hashable: ...

    @property
    def place(self) -> Hashable: ...


Item = TypeVar("Item", bound=Held)


class _Receiver(Generic[Item]):
    """The state of one place in this process. Each waiting row has the time by which it must have begun."""

    __slots__ = ("allowance", "slow", "under_way", "waiting")

    def __init__(self) -> None:
        self.allowance = FIRST_ALLOWANCE
        self.under_way = 0
        self.slow = 0
        self.waiting: deque[tuple[Item, float]] = deque()

    def room(self, ahead: int) -> int:
        """How many more may be claimed: `ahead` times as many as may be under way, none ahead while a send is slow."""
        most = self.allowance if self.slow else ahead * self.allowance
        return max(0, most - self.under_way - len(self.waiting))


class Turns(Generic[Item]):
    """The rows held by this process, from their claim to their end.

    most: sends at a time to one place. ahead: how many times as many of a place are held as may be under way.
    """

    def __init__(self, *, most: int = MAX_ALLOWANCE, ahead: int = 2) -> None:
        self._most, self._ahead = most, ahead
        self._receivers: dict[Hashable, _Receiver[Item]] = {}
        self._prompt: dict[Hashable, tuple[_Receiver[Item], float]] = {}
        self._slow: dict[Hashable, _Receiver[Item]] = {}

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(len(receiver.waiting) for receiver in self._receivers.values())

    @property
    def under_way(self) -> int:
        """How many sends are under way."""
        return len(self._prompt) + len(self._slow)

    @property
    def has_prompt(self) -> bool:
        """Whether a send is under way that may yet be slow."""
        return bool(self._prompt)

    @property
    def wanted(self) -> int:
        """How many more may be claimed in all."""
        return 0 if len(self._slow) >= MAX_SLOW else max(0, MAX_HELD - len(self._prompt) - self.waiting)

    @property
    def first_room(self) -> int:
        """How many may be claimed for a place that is not known yet."""
        return self._ahead * FIRST_ALLOWANCE

    def room(self) -> dict[Hashable, int]:
        """How many more may be claimed for each place that is known; for any other `first_room`."""
        return {place: receiver.room(self._ahead) for place, receiver in self._receivers.items()}

    def add(self, item: Item, start_by: float) -> None:
        """Takes a row, to begin by that time."""
        receiver = self._receivers.get(item.place)
        if receiver is None:
            receiver = self._receivers[item.place] = _Receiver()
        receiver.waiting.append((item, start_by))

    def begin(self, now: float, only: Hashable = None) -> tuple[list[Item], list[Item]]:
        """The rows whose turn it is, now under way; and those that waited too long, held no more."""
        begun: list[Item] = []
        late: list[Item] = []
        receivers = self._receivers.values() if only is None else (self._receivers[only],)
        for receiver in receivers:
            while receiver.waiting and receiver.under_way < receiver.allowance and len(self._prompt) < WINDOW:
                item, start_by = receiver.waiting.popleft()
                if now > start_by:
                    late.append(item)
                    continue
                receiver.under_way += 1
                self._prompt[item.id] = receiver, now
                begun.append(item)
        return begun, late

    def end(self, held: Held, *, answered: bool) -> None:
        """A send has ended; with any answer, or with none."""
        receiver = self._receivers[held.place]
        receiver.under_way -= 1
        if held.id in self._slow:
            del self._slow[held.id]
            receiver.slow -= 1
            was_prompt = False
        else:
            del self._prompt[held.id]
            was_prompt = True
        if not answered:
            receiver.allowance = FIRST_ALLOWANCE
        elif was_prompt:
            receiver.allowance = min(self._most, receiver.allowance * 2)

    def set_slow_aside(self, now: float) -> list[Item]:
        """Frees the window of sends that take long, and their places of the rows behind them: held no more."""
        freed: list[Item] = []
        while self._prompt:
            id_, (receiver, began) = next(iter(self._prompt.items()))
            if began > now - SLOW_AFTER_S:
                break
            del self._prompt[id_]
            self._slow[id_] = receiver
            receiver.slow += 1
            receiver.allowance = FIRST_ALLOWANCE
            freed += _emptied([receiver])
        return freed

    def give_up_waiting(self) -> list[Item]:
        """All that waits, held no more."""
        return _emptied(self._receivers.values())

    def forget_idle(self) -> None:
        """Forgets places with nothing held, once there are many."""
        if len(self._receivers) > MAX_REMEMBERED:
            idle = [place for place, one in self._receivers.items() if not (one.under_way or one.waiting)]
            for place in idle:
                del self._receivers[place]

    def broken_invariants(self) -> list[str]:
        """The invariants above that do not hold; for tests."""
        receivers = self._receivers.values()
        waiting = [item.id for one in receivers for item, _ in one.waiting]
        held = [*waiting, *self._prompt, *self._slow]
        under_way = [*(receiver for receiver, _ in self._prompt.values()), *self._slow.values()]
        begins = [began for _, began in self._prompt.values()]
        broken = {
            "1": len(held) != len(set(held)),
            "2": any(
                (one.under_way, one.slow) != (under_way.count(one), list(self._slow.values()).count(one))
                for one in receivers
            ),
            "3": any(one.under_way > self._most for one in receivers),
            "4": len(self._prompt) > WINDOW or len(self._prompt) + len(waiting) > MAX_HELD,
            "5": not all(FIRST_ALLOWANCE <= one.allowance <= self._most for one in receivers),
            "6": begins != sorted(begins),
        }
        return [number for number, is_broken in broken.items() if is_broken]


def _emptied(receivers: Iterable[_Receiver[Item]]) -> list[Item]:
    freed: list[Item] = []
    for receiver in receivers:
        freed += [item for item, _ in reversed(receiver.waiting)]
        receiver.waiting.clear()
    return freed
