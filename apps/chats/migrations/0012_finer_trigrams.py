"""Searches of messages tell more characters apart in the third place of a trigram (docs/adr/0013).

With 31 of them, a word was looked up among all those that differ in its last letter by 31: «катя» among «катал…».
Writers are not blocked while the index is built, and the old one goes when the new one is there. The functions are part of
the index: one that is to give other answers needs a new name, and a new index.
"""

from importlib import import_module

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

# The index's entries of a message, one for each character but the last, as numbers: 24 bits of the tenant and the block of
# 2^13 chats, which lie side by side; 16 bits of the character and of the next one; and what is left of the third by 61,
# which no two letters of an alphabet share, nor one with the space; or 63 where the text ends. (What shares an entry by
# chance costs time and changes no answer.) Letters are in one case. Its cost keeps the planner from asking it of every
# message there is.
ENTRIES = """
CREATE OR REPLACE FUNCTION chats_message_entries(widget_id bigint, chat_id bigint, body text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
BEGIN ATOMIC
    SELECT array_agg(
        place | ((ascii(one) & 65535)::bigint << 22) | ((ascii(next) & 65535) << 6) | coalesce(ascii(third) % 61, 63)
    )
    FROM (
        SELECT place, unnest(characters) AS one, unnest(characters[2:]) AS next, unnest(characters[3:]) AS third
        FROM (
            SELECT ((widget_id * 7919 + (chat_id >> 13)) % 16777216) << 38 AS place,
                   string_to_array(chats_folded(body), NULL) AS characters
            OFFSET 0
        ) AS message
    ) AS trigram
    WHERE next IS NOT NULL;
END"""
# What a needle is searched by in the block of a chat: its trigrams at some places, counted from 1, all of which a message
# must have; of two characters, the 64 entries that begin with them, of which a message must have one.
NEEDLE = """
CREATE OR REPLACE FUNCTION chats_needle_entries(widget_id bigint, chat_id bigint, needle text, places integer[])
RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT CASE
        WHEN char_length(needle) = 2 THEN (SELECT array_agg(entries[1] - other) FROM generate_series(0, 63) AS other)
        ELSE (SELECT array_agg(entries[place]) FROM unnest(places) AS place)
    END
    FROM (SELECT chats_message_entries(widget_id, chat_id, needle) AS entries OFFSET 0) AS whole;
END"""
DROP = """
DROP FUNCTION chats_needle_entries (bigint, bigint, text, integer[]);
DROP FUNCTION chats_message_entries (bigint, bigint, text)"""

before = import_module("apps.chats.migrations.0011_message_trigrams")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0011_message_trigrams")]

    operations = [
        migrations.RunSQL([ENTRIES, NEEDLE], DROP),
        AddIndexConcurrently(
            "message",
            GinIndex(
                models.Func("widget_id", "chat_id", "body", function="chats_message_entries"),
                condition=Q(("is_internal", False)),
                gin_pending_list_limit=256,
                name="chats_message_said",
            ),
        ),
        RemoveIndexConcurrently("message", "chats_message_trigrams"),
        migrations.RunSQL(before.DROP, [before.TRIGRAMS, before.NEEDLE]),
    ]
