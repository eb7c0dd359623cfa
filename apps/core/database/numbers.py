"""The first numbers of an installation (docs/guides/scale.md)."""

from typing import Any

from django.conf import settings
from django.db import connections

# So many numbers of each sequence are a cell's own. 2^53 is the greatest whole number that JavaScript holds exactly.
NUMBERS_OF_A_CELL = 2**44
MOST_CELLS = 2**53 // NUMBERS_OF_A_CELL

_BEGIN = """
SELECT format('ALTER SEQUENCE %%I.%%I RESTART WITH %%s', schemaname, sequencename, %(first)s)
  FROM pg_sequences
 WHERE schemaname = current_schema() AND data_type = 'bigint'::regtype AND coalesce(last_value, 0) < %(first)s
"""


def begin_at_cell(sender: Any, using: str, **_: Any) -> None:
    """Receives Django's `post_migrate`: no sequence gives a number below those of this cell.

    So an account moves to another installation with the numbers that its customers know. A sequence with numbers of a
    higher cell goes on with them.
    """
    if settings.CELL == 0:
        return
    with connections[using].cursor() as cursor:
        cursor.execute(_BEGIN, {"first": settings.CELL * NUMBERS_OF_A_CELL + 1})
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)
