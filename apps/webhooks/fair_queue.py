"""The choice of the next post: the deliveries that one process holds, and how many each destination may have under way.

No destination starves the others. Each has an allowance of posts at a time, which doubles with every prompt answer and
falls back with a slow or missing one; a post that takes over a second stops counting against the process's window, and
nothing is held to wait behind it. Nothing here knows of sockets, threads or the database; times are seconds of any
clock.

Invariants (tests/webhooks/test_turns.py asks `broken_invariants` after any sequence of calls):

1. A delivery that is held is in one place: waiting at its destination, prompt, or slow.
2. A destination's `under_way` are its prompt and slow posts together, its `slow` the slow ones.
3. No destination has more than MAX_ALLOWANCE under way, and none begins while its allowance is used up.
4. At most WINDOW posts are prompt; of what is claimed as `wanted` and `room` say, at most MAX_HELD are not slow.
5. An allowance is from FIRST_ALLOWANCE to MAX_ALLOWANCE.
6. The prompt posts stand in the order in which they began.
"""

from collections import deque
from collections.abc import Iterable

from apps.core.destinations import Destination
from apps.webhooks.actions.deliveries import Claimed, Place

# Posts under way that are not slow, and slow ones besides.
WINDOW = 256
MAX_SLOW = 1024
SLOW_AFTER_S = 1.0
# Posts at a time to one destination: at first, and at most.
FIRST_ALLOWANCE, MAX_ALLOWANCE = 4, 32
# Held in all but the slow ones, whether posted yet or waiting for their turn.
MAX_HELD = 384
# Destinations whose allowance is remembered while nothing goes on with them.
MAX_REMEMBERED = 1_000

Post = tuple[Claimed, Destination]


class _Receiver:
    """The state of one destination in this process. Each waiting delivery has the time by which it must have begun."""

    __slots__ = ("allowance", "slow", "under_way", "waiting")

    def __init__(self) -> None:
        self.allowance = FIRST_ALLOWANCE
        self.under_way = 0
        self.slow = 0
        self.waiting: deque[tuple[Post, float]] = deque()

    @property
    def room(self) -> int:
        """How many more may be claimed: as many ahead as may be under way, none ahead while a post is slow."""
        most = self.allowance if self.slow else 2 * self.allowance
        return max(0, most - self.under_way - len(self.waiting))


class Turns:
    """The deliveries held by this process, from their claim to their end."""

    def __init__(self) -> None:
        self._receivers: dict[Place, _Receiver] = {}
        self._prompt: dict[int, tuple[_Receiver, float]] = {}
        self._slow: dict[int, _Receiver] = {}

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(len(receiver.waiting) for receiver in self._receivers.values())

    @property
    def under_way(self) -> int:
        """How many posts are under way."""
        return len(self._prompt) + len(self._slow)

    @property
    def has_prompt(self) -> bool:
        """Whether a post is under way that may yet be slow."""
        return bool(self._prompt)

    @property
    def wanted(self) -> int:
        """How many more may be claimed in all."""
        return 0 if len(self._slow) >= MAX_SLOW else max(0, MAX_HELD - len(self._prompt) - self.waiting)

    def room(self) -> dict[Place, int]:
        """How many more may be claimed for each destination that is known; for any other twice FIRST_ALLOWANCE."""
        return {place: receiver.room for place, receiver in self._receivers.items()}

    def add(self, post: Post, start_by: float) -> None:
        """Takes a delivery, to begin by that time."""
        place = post[0].place
        receiver = self._receivers.get(place)
        if receiver is None:
            receiver = self._receivers[place] = _Receiver()
        receiver.waiting.append((post, start_by))

    def begin(self, now: float, only: Place | None = None) -> tuple[list[Post], list[Claimed]]:
        """The deliveries whose turn it is, now under way; and those that waited too long, held no more."""
        begun: list[Post] = []
        late: list[Claimed] = []
        receivers = self._receivers.values() if only is None else (self._receivers[only],)
        for receiver in receivers:
            while receiver.waiting and receiver.under_way < receiver.allowance and len(self._prompt) < WINDOW:
                post, start_by = receiver.waiting.popleft()
                if now > start_by:
                    late.append(post[0])
                    continue
                receiver.under_way += 1
                self._prompt[post[0].id] = receiver, now
                begun.append(post)
        return begun, late

    def end(self, claimed: Claimed, *, answered: bool) -> None:
        """A post has ended; with any answer, or with none."""
        receiver = self._receivers[claimed.place]
        receiver.under_way -= 1
        if claimed.id in self._slow:
            del self._slow[claimed.id]
            receiver.slow -= 1
            was_prompt = False
        else:
            del self._prompt[claimed.id]
            was_prompt = True
        if not answered:
            receiver.allowance = FIRST_ALLOWANCE
        elif was_prompt:
            receiver.allowance = min(MAX_ALLOWANCE, receiver.allowance * 2)

    def set_slow_aside(self, now: float) -> list[Claimed]:
        """Frees the window of posts that take long, and their receivers of what waits behind them: held no more."""
        freed: list[Claimed] = []
        while self._prompt:
            delivery_id, (receiver, began) = next(iter(self._prompt.items()))
            if began > now - SLOW_AFTER_S:
                break
            del self._prompt[delivery_id]
            self._slow[delivery_id] = receiver
            receiver.slow += 1
            receiver.allowance = FIRST_ALLOWANCE
            freed += _emptied([receiver])
        return freed

    def give_up_waiting(self) -> list[Claimed]:
        """All that waits, held no more."""
        return _emptied(self._receivers.values())

    def forget_idle(self) -> None:
        """Forgets destinations with nothing held, once there are many."""
        if len(self._receivers) > MAX_REMEMBERED:
            idle = [place for place, one in self._receivers.items() if not (one.under_way or one.waiting)]
            for place in idle:
                del self._receivers[place]

    def broken_invariants(self) -> list[str]:
        """The invariants above that do not hold; for tests."""
        receivers = self._receivers.values()
        waiting = [post[0].id for one in receivers for post, _ in one.waiting]
        held = [*waiting, *self._prompt, *self._slow]
        under_way = [*(receiver for receiver, _ in self._prompt.values()), *self._slow.values()]
        begins = [began for _, began in self._prompt.values()]
        broken = {
            "1": len(held) != len(set(held)),
            "2": any(
                (one.under_way, one.slow) != (under_way.count(one), list(self._slow.values()).count(one))
                for one in receivers
            ),
            "3": any(one.under_way > MAX_ALLOWANCE for one in receivers),
            "4": len(self._prompt) > WINDOW or len(self._prompt) + len(waiting) > MAX_HELD,
            "5": not all(FIRST_ALLOWANCE <= one.allowance <= MAX_ALLOWANCE for one in receivers),
            "6": begins != sorted(begins),
        }
        return [number for number, is_broken in broken.items() if is_broken]


def _emptied(receivers: Iterable[_Receiver]) -> list[Claimed]:
    freed: list[Claimed] = []
    for receiver in receivers:
        freed += [post[0] for post, _ in reversed(receiver.waiting)]
        receiver.waiting.clear()
    return freed
