"""Searches of messages ask for three characters at a time, in blocks of chats (docs/adr/0013).

Writers are not blocked while indexes are built, and the old one goes when the new one is there. The functions are part of
the index: one that is to give other answers needs a new name, and a new index.
"""

from importlib import import_module

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models
from django.db.models import F, Q

# The index's entries of a message, one for each character but the last, as numbers: 25 bits of the tenant and the block of
# 2^13 chats, which lie side by side; 16 bits of the character and of the next one; and what is left of the third by 31,
# or 31 where the text ends. (What shares an entry by chance costs time and changes no answer.) Letters are in one case.
# Its cost keeps the planner from asking it of every message there is.
TRIGRAMS = """
CREATE OR REPLACE FUNCTION chats_message_trigrams(widget_id bigint, chat_id bigint, body text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
BEGIN ATOMIC
    SELECT array_agg(
        place | ((ascii(one) & 65535)::bigint << 21) | ((ascii(next) & 65535) << 5) | coalesce(ascii(third) % 31, 31)
    )
    FROM (
        SELECT place, unnest(characters) AS one, unnest(characters[2:]) AS next, unnest(characters[3:]) AS third
        FROM (
            SELECT ((widget_id * 7919 + (chat_id >> 13)) % 33554432) << 37 AS place,
                   string_to_array(chats_folded(body), NULL) AS characters
            OFFSET 0
        ) AS message
    ) AS trigram
    WHERE next IS NOT NULL;
END"""
# What a needle is searched by in the block of a chat: its trigrams at some places, counted from 1, all of which a message
# must have; of two characters, the 32 entries that begin with them, of which a message must have one.
NEEDLE = """
CREATE OR REPLACE FUNCTION chats_needle_trigrams(widget_id bigint, chat_id bigint, needle text, places integer[])
RETURNS bigint[] LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT CASE
        WHEN char_length(needle) = 2 THEN (SELECT array_agg(entries[1] - other) FROM generate_series(0, 31) AS other)
        ELSE (SELECT array_agg(entries[place]) FROM unnest(places) AS place)
    END
    FROM (SELECT chats_message_trigrams(widget_id, chat_id, needle) AS entries OFFSET 0) AS whole;
END"""
DROP = """
DROP FUNCTION chats_needle_trigrams (bigint, bigint, text, integer[]);
DROP FUNCTION chats_message_trigrams (bigint, bigint, text)"""

pairs = import_module("apps.chats.migrations.0007_message_search")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0010_files_let_go")]

    operations = [
        migrations.RunSQL([TRIGRAMS, NEEDLE], DROP),
        AddIndexConcurrently(
            "chat",
            models.Index(F("widget"), F("id").bitrightshift(13), F("created_at"), name="chats_chat_in_block"),
        ),
        AddIndexConcurrently(
            "message",
            GinIndex(
                models.Func("widget_id", "chat_id", "body", function="chats_message_trigrams"),
                condition=Q(("is_internal", False)),
                gin_pending_list_limit=512,
                name="chats_message_trigrams",
            ),
        ),
        RemoveIndexConcurrently("message", "chats_message_search"),
        migrations.RunSQL(pairs.DROP, [pairs.GRAMS, pairs.NEEDLE]),
    ]
