"""How long tests wait for what is there at once on a quiet machine."""

import time

from django.db import connection

# Seconds. What a specification promises within a time has a bound of its own.
AT_MOST_S = 45.0


def wait_until_somebody_waits() -> None:
    """Until another connection to this database waits for a lock."""
    deadline = time.monotonic() + AT_MOST_S
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute(
                "SELECT pg_stat_clear_snapshot(), EXISTS (SELECT FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock')"
            )
            if cursor.fetchone()[1]:
                return
    raise AssertionError("nobody waits")
