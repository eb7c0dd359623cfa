"""The end of permissions that processes have cached."""

import time

from apps.accounts import rules
from apps.core.redis import rate_limits

_ASK_AGAIN_S = 0.25


def end_cached_permissions() -> None:
    """Returns when no process relies on a permission it read before.

    Without Redis nothing new is cached, but Redis may come back remembering the old epoch; so it is asked again until
    whatever was cached has become too old to be used.
    """
    deadline = time.monotonic() + rules.MAX_CACHED_S
    while not rate_limits.begin_new_epoch() and time.monotonic() < deadline:
        time.sleep(_ASK_AGAIN_S)
