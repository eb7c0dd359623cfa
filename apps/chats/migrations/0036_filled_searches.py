import time
from typing import Any

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models

STEP = 10_000
WRITERS = """
SELECT array_agg(virtualtransaction) FROM pg_locks
WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation = 'chats_message'::regclass AND mode NOT IN ('AccessShareLock', 'RowShareLock')"""
FILL = """
WITH span AS MATERIALIZED (
    SELECT * FROM chats_message WHERE id < %s ORDER BY id DESC LIMIT %s
), filled AS (
    INSERT INTO chats_searchedmessage (message_id, widget_id, chat_id, body)
    SELECT id, widget_id, chat_id, left(body, 10000) FROM span WHERE NOT is_internal AND body <> '' ORDER BY id
    ON CONFLICT (message_id) DO NOTHING
)
SELECT min(id) FROM span"""
FILLED = """
INSERT INTO chats_searchprogress (id, settled_id, filled_from, seen_writing) VALUES (1, %s, 0, '{}')
ON CONFLICT (id) DO UPDATE SET settled_id = excluded.settled_id, filled_from = 0"""


def fill(apps: Any, schema_editor: Any) -> None:
    """All messages there are, the newest first, a transaction for each step.

    What those write who are writing now is waited for, as a concurrent index would. Messages that come meanwhile are
    left to the job: their ids are above those that are settled here, or the triggers note them.
    """
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT pg_sequence_last_value('chats_message_id_seq')")
        last_id = cursor.fetchone()[0]
        if last_id is None:
            return
        cursor.execute(WRITERS)
        before = set(cursor.fetchone()[0] or ())
        while before:
            time.sleep(0.1)
            cursor.execute(WRITERS)
            before &= set(cursor.fetchone()[0] or ())
        from_id = 2**63 - 1
        while from_id is not None:
            cursor.execute(FILL, [from_id, STEP])
            (from_id,) = cursor.fetchone()
        cursor.execute(FILLED, [max(0, last_id - 1001)])


class Migration(migrations.Migration):
    """The new index is built beside the old one, which then goes: searches of processes that are not restarted yet take
    longer from then on."""

    atomic = False  # for its indexes

    dependencies = [("chats", "0035_searched_messages")]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        AddIndexConcurrently(
            "searchedmessage",
            GinIndex(
                models.Func("widget_id", "chat_id", "body", function="chats_message_trigrams"),
                name="chats_searchedmessage_found",
                gin_pending_list_limit=1024,
            ),
        ),
        RemoveIndexConcurrently("message", "chats_message_found"),
    ]
