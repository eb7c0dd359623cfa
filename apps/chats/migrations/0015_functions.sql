-- The SQL functions of folded searches as of migration 0015. Their current source is apps/chats/functions.sql (docs/adr/0017).

-- ------------------------------------------------------------- folding (rules/folding.py does the same to terms)

-- A text whose spelling folding takes away, but not its case; of texts with other characters than `chats_fold` knows.
-- NFKC, marks and format characters off ("й" is a letter of its own), one apostrophe, one dash, one space.
CREATE OR REPLACE FUNCTION chats_alike(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
RETURN normalize(regexp_replace(translate(
    replace(replace(replace(replace(regexp_replace(
        replace(replace(normalize(replace(body, '´', ''''), NFKD), E'и\u0306', 'й'), E'И\u0306', 'Й'),
            E'[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0600-\u0605'
            '\u0610-\u061a\u061c\u064b-\u065f\u0670\u06d6-\u06dd\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u070f'
            '\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827'
            '\u0829-\u082d\u0859-\u085b\u0890-\u089f\u08ca-\u0902\u093a\u093c\u0941-\u0948\u094d\u0951-\u0957'
            '\u0962-\u0963\u0981\u09bc\u09c1-\u09c4\u09cd\u09e2-\u09e3\u09fe-\u0a02\u0a3c\u0a41-\u0a51'
            '\u0a70-\u0a71\u0a75\u0a81-\u0a82\u0abc\u0ac1-\u0ac8\u0acd\u0ae2-\u0ae3\u0afa-\u0b01\u0b3c\u0b3f'
            '\u0b41-\u0b44\u0b4d-\u0b56\u0b62-\u0b63\u0b82\u0bc0\u0bcd\u0c00\u0c04\u0c3c\u0c3e-\u0c40'
            '\u0c46-\u0c56\u0c62-\u0c63\u0c81\u0cbc\u0cbf\u0cc6\u0ccc-\u0ccd\u0ce2-\u0ce3\u0d00-\u0d01'
            '\u0d3b-\u0d3c\u0d41-\u0d44\u0d4d\u0d62-\u0d63\u0d81\u0dca\u0dd2-\u0dd6\u0e31\u0e34-\u0e3a'
            '\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f7e'
            '\u0f80-\u0f84\u0f86-\u0f87\u0f8d-\u0fbc\u0fc6\u102d-\u1030\u1032-\u1037\u1039-\u103a\u103d-\u103e'
            '\u1058-\u1059\u105e-\u1060\u1071-\u1074\u1082\u1085-\u1086\u108d\u109d\u135d-\u135f\u1712-\u1714'
            '\u1732-\u1733\u1752-\u1753\u1772-\u1773\u17b4-\u17b5\u17b7-\u17bd\u17c6\u17c9-\u17d3\u17dd'
            '\u180b-\u180f\u1885-\u1886\u18a9\u1920-\u1922\u1927-\u1928\u1932\u1939-\u193b\u1a17-\u1a18\u1a1b'
            '\u1a56\u1a58-\u1a60\u1a62\u1a65-\u1a6c\u1a73-\u1a7f\u1ab0-\u1b03\u1b34\u1b36-\u1b3a\u1b3c\u1b42'
            '\u1b6b-\u1b73\u1b80-\u1b81\u1ba2-\u1ba5\u1ba8-\u1ba9\u1bab-\u1bad\u1be6\u1be8-\u1be9\u1bed'
            '\u1bef-\u1bf1\u1c2c-\u1c33\u1c36-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4'
            '\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\u2cef-\u2cf1\u2d7f'
            '\u2de0-\u2dff\u302a-\u302d\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua802'
            '\ua806\ua80b\ua825-\ua826\ua82c\ua8c4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua951'
            '\ua980-\ua982\ua9b3\ua9b6-\ua9b9\ua9bc-\ua9bd\ua9e5\uaa29-\uaa2e\uaa31-\uaa32\uaa35-\uaa36\uaa43'
            '\uaa4c\uaa7c\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaec-\uaaed\uaaf6\uabe5\uabe8\uabed'
            '\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb\U000e0001-\U000e01ef]+', '', 'g'),
        'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'),
    E'łŁøØđĐ’‘ʼ`\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b', 'lLoOdD''''''''-----------'
), E'[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'), NFC);

-- A text as searches compare it. Most texts are of letters that NFKC leaves as they are, with one space at a time: to
-- those little is done. Not STRICT, so that the planner puts it in the place of its call.
CREATE OR REPLACE FUNCTION chats_fold(body text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN body ~ E'[^\x01-\x7f\u00a0А-яЁё«»„“”–—‘’₽€]|[\t-\r \u00a0]{2}'
    THEN replace(translate(lower(chats_alike(body)), 'ςı', 'σi'), 'ß', 'ss')
    ELSE translate(lower(body), E'ё–—‘’`\u00a0\t\n\v\f\r', 'е--''''''      ')
END;

-- ------------------------------------------------------------- searches of contacts (docs/adr/0010)

-- What of a contact is searched: a line each, and of the phone the digits.
CREATE OR REPLACE FUNCTION chats_contact_text(name text, email text, phone text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(chats_fold(name || E'\x01' || email || E'\x01' || phone), E'\x01', E'\n');

CREATE OR REPLACE FUNCTION chats_phone_digits(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN translate(chats_fold(phone), '+ ()-.', '');

-- The entries of a contact in the index chats_contact_found.
CREATE OR REPLACE FUNCTION chats_contact_entries(widget_id bigint, name text, email text, phone text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
BEGIN ATOMIC
    SELECT coalesce(chats_grams(widget_id, body, false), '{}') || coalesce(chats_grams(widget_id, body, true), '{}')
    FROM (
        SELECT chats_contact_text(name, email, phone) || E'\n' || chats_phone_digits(phone) AS body OFFSET 0
    ) AS contact;
END;

-- What a contact's entries are searched by, a folded term. A search reads few rows: too few for parallel workers.
CREATE OR REPLACE FUNCTION chats_folded_grams(widget_id bigint, term text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL UNSAFE
RETURN chats_grams(widget_id, term, char_length(term) > 1);

-- ------------------------------------------------------------- searches of messages (docs/adr/0013)

-- What of a message is searched: its first 10,000 characters, which is all that a person can write. Texts of programs
-- can be longer: to index such a one takes 80 ms, to read it as long as hundreds of others.
CREATE OR REPLACE FUNCTION chats_searchable(body text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN chats_fold(left(body, 10000));

-- The entries of a message in the index chats_message_found, one for each character but the last, as numbers: 24 bits of
-- the tenant and the block of 2^13 chats, which lie side by side; 16 bits of the character and of the next one; and what
-- is left of the third by 61, which no two letters of an alphabet share, nor one with the space; or 63 where the text
-- ends. (What shares an entry by chance costs time and changes no answer.) Letters are folded. Its cost keeps the
-- planner from asking it of every message there is.
CREATE OR REPLACE FUNCTION chats_message_trigrams(widget_id bigint, chat_id bigint, body text) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
BEGIN ATOMIC
    SELECT array_agg(
        place | ((ascii(one) & 65535)::bigint << 22) | ((ascii(next) & 65535) << 6) | coalesce(ascii(third) % 61, 63)
    )
    FROM (
        SELECT place, unnest(characters) AS one, unnest(characters[2:]) AS next, unnest(characters[3:]) AS third
        FROM (
            SELECT ((widget_id * 7919 + (chat_id >> 13)) % 16777216) << 38 AS place,
                   string_to_array(chats_searchable(body), NULL) AS characters
            OFFSET 0
        ) AS message
    ) AS trigram
    WHERE next IS NOT NULL;
END;

-- What a folded term is searched by in the block of a chat: every third of its trigrams and the last one, so that each
-- of its characters is in one of them; a message must have them all. Of two characters, the 64 entries that begin with
-- them, of which a message must have one. A search reads few rows: too few to start parallel workers for.
CREATE OR REPLACE FUNCTION chats_term_trigrams(widget_id bigint, chat_id bigint, term text) RETURNS bigint[]
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
        FROM (SELECT chats_message_trigrams(widget_id, chat_id, term) AS entries OFFSET 0) AS message
    ) AS whole;
END;
