"""What searches of contacts need (docs/adr/0010). Writers are not blocked while the indexes are built.

The functions are part of the index: one that is to give other answers needs a new name, and a new index.
"""

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import Q

# Letters in one case; a Greek final sigma is a sigma.
FOLDED = """
CREATE OR REPLACE FUNCTION chats_folded(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(lower(body), 'ς', 'σ')"""

# The characters that follow each other in a text (`pairs`), or those that are in it, as numbers: 21 bits of the tenant,
# then 21 of each character. So a tenant's entries lie side by side in the index, and none is another's. (Tenants whose
# ids are 2^21 apart share theirs, which costs time and changes no answer.)
GRAMS = """
CREATE OR REPLACE FUNCTION chats_grams(widget_id bigint, body text, pairs boolean) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT CASE
        WHEN pairs THEN array_agg(
            ((widget_id % 2097152) << 42) | (ascii(one)::bigint << 21) | ascii(next)::bigint
        ) FILTER (WHERE one <> E'\\n' AND next <> E'\\n')
        ELSE array_agg(((widget_id % 2097152) << 42) | ascii(one)::bigint) FILTER (WHERE one <> E'\\n')
    END
    FROM unnest(string_to_array(body, NULL), (string_to_array(body, NULL))[2:]) AS characters (one, next);
END"""

# The index's entries of a contact.
CONTACT_GRAMS = """
CREATE OR REPLACE FUNCTION chats_contact_grams(widget_id bigint, name text, email text, phone text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT coalesce(chats_grams(widget_id, body, false), '{}') || coalesce(chats_grams(widget_id, body, true), '{}')
    FROM (
        SELECT chats_folded(
            name || E'\\n' || email || E'\\n' || phone || E'\\n' || translate(phone, '+ ()-', '')
        ) AS body
    ) AS contact;
END"""
# What a contact's entries are searched by. A search reads few rows: too few to start parallel workers for.
NEEDLE = """
CREATE OR REPLACE FUNCTION chats_needle_grams(widget_id bigint, needle text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
RETURN chats_grams(widget_id, chats_folded(needle), char_length(chats_folded(needle)) > 1)"""
DROP = """
DROP FUNCTION chats_needle_grams (bigint, text);
DROP FUNCTION chats_contact_grams (bigint, text, text, text);
DROP FUNCTION chats_grams (bigint, text, boolean);
DROP FUNCTION chats_folded (text)"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("chats", "0002_tags")]

    operations = [
        migrations.RunSQL([FOLDED, GRAMS, CONTACT_GRAMS, NEEDLE], DROP),
        AddIndexConcurrently(
            "contact",
            models.Index(
                fields=["widget", "-created_at", "-id"],
                condition=Q(("name__gt", ""), ("email__gt", ""), ("phone__gt", ""), _connector="OR"),
                name="chats_contact_known",
            ),
        ),
        AddIndexConcurrently(
            "contact",
            GinIndex(
                models.Func("widget_id", "name", "email", "phone", function="chats_contact_grams"),
                gin_pending_list_limit=256,
                name="chats_contact_search",
            ),
        ),
    ]
