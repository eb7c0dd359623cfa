"""How far the fault tests go: the short form is part of the suite, the long one (`make faults`) has the goals' numbers.

The code is the same. The short form asserts what must be so at any speed (nothing lost, nothing repeated beyond what
was in flight, states); times that are goals are asserted and reported by the long form alone, which lets leases and
waits pass by themselves.
"""

import os
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """The numbers of one form. Times in seconds."""

    is_long: bool
    # R4, R5: events a second, and for how long.
    events_per_s: int
    calm_s: float
    hanging_s: float
    # R6: deliveries that fail every time.
    failing: int
    # R1: messages to how many receivers at the least, how fast, and how often each part is killed.
    messages: int
    receivers: int
    messages_per_s: int
    kills: int
    postgres_kills: int
    pause_s: float
    # R3: bursts of deliveries while Redis is away.
    bursts_without_redis: int
    # R24: how long Redis is away for long.
    away_s: float
    # R7: whether every write of the API is killed at every point, or the chosen ones.
    kills_every_write: bool
    # R8: rounds of twenty callers.
    same_key_rounds: int
    # R12: chats that two sweeps meet at; how often more become due while two beats send sweeps.
    due_chats: int
    rounds_of_due_chats: int
    # R22: how long strangers flood.
    flood_s: float
    # R20, R21: how often everything is restarted.
    rolls: int
    # How many passwords are tried at each door, from how many addresses.
    guesses: tuple[tuple[int, int], ...]


SHORT = Scale(
    is_long=False,
    events_per_s=20,
    calm_s=1.0,
    hanging_s=1.0,
    failing=5,
    messages=40,
    receivers=5,
    messages_per_s=10,
    kills=1,
    postgres_kills=1,
    pause_s=0.0,
    bursts_without_redis=2,
    away_s=8.0,
    kills_every_write=False,
    same_key_rounds=3,
    due_chats=100,
    rounds_of_due_chats=1,
    flood_s=3.0,
    rolls=1,
    guesses=((30, 1),),
)
LONG = Scale(
    is_long=True,
    events_per_s=50,
    calm_s=60.0,
    hanging_s=30.0,
    failing=50,
    messages=2_000,
    receivers=10,
    messages_per_s=8,
    kills=10,
    postgres_kills=4,
    pause_s=2.0,
    bursts_without_redis=300,
    away_s=60.0,
    kills_every_write=True,
    same_key_rounds=300,
    due_chats=2_000,
    rounds_of_due_chats=20,
    flood_s=30.0,
    rolls=10,
    guesses=((60, 1), (180, 12)),
)

SCALE = LONG if os.environ.get("PARLEY_FAULTS") == "long" else SHORT
