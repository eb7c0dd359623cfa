"""PostgreSQL: statements in SQL, what follows a commit, fields that are encrypted at rest.

Most reads and writes are the ORM's; a statement written by hand stands where a benchmark asks for it.
"""

from apps.core.database.base import (
    Parameters,
    Row,
    after_commit,
    execute,
    fetch_all,
    fetch_one,
    is_unavailable,
    lock,
    state,
    statements_may_take,
)

__all__ = [
    "Parameters",
    "Row",
    "after_commit",
    "execute",
    "fetch_all",
    "fetch_one",
    "is_unavailable",
    "lock",
    "state",
    "statements_may_take",
]
