"""How many letters go out, and when. Pure. Source: design of letters, 3."""

from datetime import timedelta
from typing import NamedTuple

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Limits(NamedTuple):
    """The most letters: to an address from all widgets, without a sign of life of it, and of a widget."""

    an_hour: int
    a_day: int
    unopened: int
    of_a_widget: int


UNPROVEN = Limits(an_hour=1, a_day=3, unopened=3, of_a_widget=500)
PROVEN = Limits(an_hour=6, a_day=30, unopened=10, of_a_widget=5_000)

# An answer to a letter is mailed sooner; to who looks at the page, much later.
AFTER_A_LETTER = timedelta(minutes=1)
WHILE_HERE = timedelta(minutes=30)
# What was not mailed for so long, for want of room, is mailed no more.
NEWER_THAN = timedelta(days=7)

MESSAGES, QUOTES = 20, 3
CHARACTERS, QUOTED_CHARACTERS, FIRST_WORDS = 30_000, 500, 120
# Programs cut a letter of more than 102 kB off; this is for its texts.
BYTES = 80_000
ATTACHED = 10 * 1024 * 1024

# Dead addresses are tried again after that.
DEAD_FOR = timedelta(days=30)
# A link of a letter opens the chat for so long.
LINK_LASTS = timedelta(days=30)
SESSION_IDLE = timedelta(days=1)
SESSION_LASTS = timedelta(days=30)

WAITS = (60, 300, 1800, 7200, 21600, 43200)  # seconds before the next attempt, for a mail server that is away


def limits_of(*, is_proven: bool) -> Limits:
    return PROVEN if is_proven else UNPROVEN


def due_after(unseen_min: int, *, is_here: bool, came_by_mail: bool) -> timedelta:
    """How long a message is unseen before it is mailed."""
    if is_here:
        return WHILE_HERE
    return AFTER_A_LETTER if came_by_mail else timedelta(minutes=unseen_min)
