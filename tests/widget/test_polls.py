"""What a realtime process asks of all of its visitors at each poll."""

from collections.abc import Callable, Collection
from typing import Any

import pytest
from django.db import connection

from apps.chats.realtime import reads
from apps.widget import querysets

pytestmark = pytest.mark.django_db

READS = [
    reads.positions,
    reads.states,
    reads.changes,
    querysets.chats_of,
    querysets.left_among,
    querysets.revoked_among,
]


@pytest.mark.parametrize("read", READS, ids=lambda read: read.__name__)
def test_two_thousand_ids_are_one_parameter(read: Callable[[Collection[int]], Any]) -> None:
    """A statement with a placeholder for each is put together and taken apart anew each time, for milliseconds."""
    asked: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        read([1])
        of_one = asked.copy()
        read(list(range(2_000)))
    assert of_one
    assert asked == 2 * of_one
