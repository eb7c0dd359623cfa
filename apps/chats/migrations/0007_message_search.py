"""What searches of messages need (docs/adr/0013). Writers are not blocked while the index is built.

The functions are part of the index: one that is to give other answers needs a new name, and a new index.
"""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

# The pairs of characters that follow each other in a text, as numbers: 21 bits of the tenant, then 21 of each
# character. Letters are in one case. Its cost keeps the planner from asking it of every message there is.
GRAMS = """
CREATE OR REPLACE FUNCTION chats_message_grams(widget_id bigint, body text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
BEGIN ATOMIC
    SELECT array_agg(((widget_id % 2097152) << 42) | (ascii(one)::bigint << 21) | ascii(next)::bigint)
    FROM unnest(
        string_to_array(chats_folded(body), NULL), (string_to_array(chats_folded(body), NULL))[2:]
    ) AS characters (one, next)
    WHERE next IS NOT NULL;
END"""
# What a message's entries are searched by. A search reads few rows: too few to start parallel workers for.
NEEDLE = """
CREATE OR REPLACE FUNCTION chats_message_needle(widget_id bigint, needle text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
RETURN chats_message_grams(widget_id, needle)"""
DROP = """
DROP FUNCTION chats_message_needle (bigint, text);
DROP FUNCTION chats_message_grams (bigint, text)"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0006_ratings")]

    operations = [
        migrations.RunSQL([GRAMS, NEEDLE], DROP),
        AddIndexConcurrently(
            "message",
            GinIndex(
                models.Func("widget_id", "body", function="chats_message_grams"),
                condition=Q(("is_internal", False)),
                gin_pending_list_limit=256,
                name="chats_message_search",
            ),
        ),
    ]
