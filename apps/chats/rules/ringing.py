"""The operators that a waiting chat rings for, by name. Pure."""

from collections.abc import Collection
from enum import StrEnum


class RingsFor(StrEnum):
    """`querysets/ringing.py` says when which holds."""

    NOBODY = "nobody"
    ALL = "all"
    OFFERED = "offered"  # to one operator, as long as the offer stands
    OWNER = "owner"
    QUEUE = "queue"  # it waits for a place in its department


def whom(
    rings: str, *, owner_id: int | None, offered_to_id: int | None, members: Collection[int], everybody: Collection[int]
) -> Collection[int]:
    """The operators, of `everybody` who may be told, that a chat rings for; `members` are those of its department.

    All are told where the one that it rings for may not be, or the department has nobody who may.
    """
    one = {RingsFor.OWNER: owner_id, RingsFor.OFFERED: offered_to_id}.get(RingsFor(rings))
    if rings == RingsFor.NOBODY:
        return ()
    if one is not None and one in everybody:
        return (one,)
    return [each for each in members if each in everybody] or list(everybody)
