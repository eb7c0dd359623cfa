-- SQL functions of the chats app: the current source, beside the models (docs/adr/0017).
-- Most are part of an index: one that is to give other answers needs a new name, and a new index.

-- Letters in one case; a Greek final sigma is a sigma.
CREATE OR REPLACE FUNCTION chats_folded(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(lower(body), 'ς', 'σ');

-- ------------------------------------------------------------- searches of contacts (docs/adr/0010)

-- The characters that follow each other in a text (`pairs`), or those that are in it, as numbers: 21 bits of the tenant,
-- then 21 of each character. So a tenant's entries lie side by side in the index, and none is another's. (Tenants whose
-- ids are 2^21 apart share theirs, which costs time and changes no answer.)
CREATE OR REPLACE FUNCTION chats_grams(widget_id bigint, body text, pairs boolean) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT CASE
        WHEN pairs THEN array_agg(
            ((widget_id % 2097152) << 42) | (ascii(one)::bigint << 21) | ascii(next)::bigint
        ) FILTER (WHERE one <> E'\n' AND next <> E'\n')
        ELSE array_agg(((widget_id % 2097152) << 42) | ascii(one)::bigint) FILTER (WHERE one <> E'\n')
    END
    FROM unnest(string_to_array(body, NULL), (string_to_array(body, NULL))[2:]) AS characters (one, next);
END;

-- The entries of a contact in the index chats_contact_search.
CREATE OR REPLACE FUNCTION chats_contact_grams(widget_id bigint, name text, email text, phone text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT coalesce(chats_grams(widget_id, body, false), '{}') || coalesce(chats_grams(widget_id, body, true), '{}')
    FROM (
        SELECT chats_folded(
            name || E'\n' || email || E'\n' || phone || E'\n' || translate(phone, '+ ()-', '')
        ) AS body
    ) AS contact;
END;

-- What a contact's entries are searched by. A search reads few rows: too few to start parallel workers for.
CREATE OR REPLACE FUNCTION chats_term_grams(widget_id bigint, term text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
RETURN chats_grams(widget_id, chats_folded(term), char_length(chats_folded(term)) > 1);

-- ------------------------------------------------------------- searches of messages (docs/adr/0013)

-- What of a message is searched: its first 10,000 characters, which is all that a person can write. Texts of programs
-- can be longer: to index such a one takes 80 ms, to read it as long as hundreds of others.
CREATE OR REPLACE FUNCTION chats_searched(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN chats_folded(left(body, 10000));

-- The entries of a message in the index chats_message_said, one for each character but the last, as numbers: 24 bits of
-- the tenant and the block of 2^13 chats, which lie side by side; 16 bits of the character and of the next one; and what
-- is left of the third by 61, which no two letters of an alphabet share, nor one with the space; or 63 where the text
-- ends. (What shares an entry by chance costs time and changes no answer.) Letters are in one case. Its cost keeps the
-- planner from asking it of every message there is.
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
                   string_to_array(chats_searched(body), NULL) AS characters
            OFFSET 0
        ) AS message
    ) AS trigram
    WHERE next IS NOT NULL;
END;

-- What a term is searched by in the block of a chat: every third of its trigrams and the last one, so that each of its
-- characters is in one of them; a message must have them all. Of two characters, the 64 entries that begin with them, of
-- which a message must have one. A search reads few rows: too few to start parallel workers for.
CREATE OR REPLACE FUNCTION chats_term_entries(widget_id bigint, chat_id bigint, term text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT CASE
        WHEN last = 0 THEN (SELECT array_agg(entries[1] - other) FROM generate_series(0, 63) AS other)
        ELSE (
            SELECT array_agg(entries[place])
            FROM (SELECT generate_series(1, last, 3) UNION SELECT last) AS third (place)
        )
    END
    FROM (
        SELECT entries, cardinality(entries) - 1 AS last
        FROM (SELECT chats_message_entries(widget_id, chat_id, term) AS entries OFFSET 0) AS message
    ) AS whole;
END;

-- ------------------------------------------------------------- statistics (docs/adr/0015)

-- The first moment of an hour, in UTC; in Python `rules.statistics.hour_of`.
CREATE OR REPLACE FUNCTION chats_hour_of(moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN date_bin('1 hour', moment, timestamptz '1970-01-01 00:00:00+00');
