"""Work that needs room on a full disk is refused: 503 `try_again`, and nothing is changed.

Room may be made at any moment, so the shortage is not remembered: the next request tries again.
"""

import errno
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from apps.core.errors import TRY_AGAIN
from apps.core.problems import Problem

logger = logging.getLogger(__name__)

RETRY_AFTER_S = 30
# The disk is full, the quota is, or a file may not grow (`ulimit -f`).
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def is_full(error: BaseException) -> bool:
    """Whether it says that there is no room on a disk."""
    return isinstance(error, OSError) and error.errno in _NO_ROOM


def no_room() -> Problem:
    """The refusal of work that needs room on a disk which has none."""
    return TRY_AGAIN("There is no room for it now.", headers={"Retry-After": str(RETRY_AFTER_S)})


@contextmanager
def room_needed() -> Iterator[None]:
    """A block that writes to a disk: where it finds no room, it is refused with TRY_AGAIN (503)."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        logger.warning("no room on a disk: %s", error)
        raise no_room() from error
