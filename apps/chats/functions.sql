-- SQL functions of the chats app: the current source, beside the models (docs/adr/0017).
-- Most are part of an index: one that is to give other answers needs a new name, and a new index.

-- ------------------------------------------------------------- folding (rules/folding.py does the same to terms)

-- A text whose spelling folding takes away, but not its case; of texts with other characters than `chats_fold` knows.
-- NFKC, marks and format characters off ("й" is a letter of its own), one apostrophe, one dash, one space. NFKD sorts the
-- marks that follow each other, with the square of their number: so of a run of them 30 are read, and none of a language
-- is longer (core/parsing/normal_forms.py); and one character may become eighteen: of 10,000 that a person can write, no
-- more than four each are read.
CREATE OR REPLACE FUNCTION chats_alike(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100
RETURN normalize(regexp_replace(translate(
    replace(replace(replace(replace(regexp_replace(
        replace(replace(left(normalize(regexp_replace(replace(body, '´', ''''),
            E'([\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7'
            '\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711'
            '\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d'
            '\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe'
            '\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d\u0c55-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c'
            '\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39'
            '\u0f71-\u0f75\u0f7a-\u0f7d\u0f80-\u0f84\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a\u108d'
            '\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60\u1a75-\u1a7c'
            '\u1a7f\u1ab0-\u1aff\u1b34\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37\u1cd0-\u1cd2'
            '\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1'
            '\u20e5-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d'
            '\ua69e-\ua69f\ua6f0-\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3\ua9c0\uaab0'
            '\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\uff9e-\uff9f'
            '\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d\U00010a0f\U00010a38-\U00010a3a\U00010a3f'
            '\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac'
            '\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070\U0001107f'
            '\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173\U000111c0\U000111ca'
            '\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d\U00011366-\U0001136c'
            '\U00011370-\U00011374\U000113ce-\U000113d0\U000113e1-\U000113e2\U00011442\U00011446\U0001145e'
            '\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b'
            '\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99'
            '\U00011c3f\U00011d42\U00011d44-\U00011d45\U00011d97\U00011f41-\U00011f42\U0001612f'
            '\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169'
            '\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad'
            '\U0001d242-\U0001d244\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021'
            '\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae'
            '\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6'
            '\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]{30})['
            '\u0300-\u034e\u0350-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7'
            '\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711'
            '\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d'
            '\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u09fe'
            '\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d\u0c55-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c'
            '\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39'
            '\u0f71-\u0f75\u0f7a-\u0f7d\u0f80-\u0f84\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a\u108d'
            '\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60\u1a75-\u1a7c'
            '\u1a7f\u1ab0-\u1aff\u1b34\u1b44\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37\u1cd0-\u1cd2'
            '\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20dc\u20e1'
            '\u20e5-\u20f0\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d'
            '\ua69e-\ua69f\ua6f0-\ua6f1\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3\ua9c0\uaab0'
            '\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\uff9e-\uff9f'
            '\U000101fd\U000102e0\U00010376-\U0001037a\U00010a0d\U00010a0f\U00010a38-\U00010a3a\U00010a3f'
            '\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac'
            '\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070\U0001107f'
            '\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173\U000111c0\U000111ca'
            '\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c\U0001134d\U00011366-\U0001136c'
            '\U00011370-\U00011374\U000113ce-\U000113d0\U000113e1-\U000113e2\U00011442\U00011446\U0001145e'
            '\U000114c2-\U000114c3\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b'
            '\U00011839-\U0001183a\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99'
            '\U00011c3f\U00011d42\U00011d44-\U00011d45\U00011d97\U00011f41-\U00011f42\U0001612f'
            '\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169'
            '\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad'
            '\U0001d242-\U0001d244\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021'
            '\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae'
            '\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6'
            '\U0001e6ee-\U0001e6ef\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a]+', '\1', 'g'),
            NFKD), 40000), E'и\u0306', 'й'), E'И\u0306', 'Й'),
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
-- can be longer: to index such a one takes 80 ms, to read it as long as hundreds of others. One character may become
-- eighteen; of what they become 20,000 are searched.
CREATE OR REPLACE FUNCTION chats_searchable(body text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(chats_fold(left(body, 10000)), 20000);

-- The entries of a message in the index chats_searchedmessage_found, one for each character but the last, as numbers: 24
-- bits of the tenant and the block of 2^13 chats, which lie side by side; 16 bits of the character and of the next one;
-- and what is left of the third by 61, which no two letters of an alphabet share, nor one with the space; or 63 where the
-- text ends. (What shares an entry by chance costs time and changes no answer.) Letters are folded. Its cost keeps the
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

-- ------------------------------------------------------------- statistics (docs/adr/0015)

-- The first moment of an hour, in UTC; in Python `rules.statistics.hour_of`.
CREATE OR REPLACE FUNCTION chats_hour_of(moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN date_bin('1 hour', moment, timestamptz '1970-01-01 00:00:00+00');

-- ------------------------------------------------------------- of the release before, removed with the next one

-- Processes of that release call them until they are restarted; the code of this one does not.

-- Letters in one case; a Greek final sigma is a sigma.
CREATE OR REPLACE FUNCTION chats_folded(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(lower(body), 'ς', 'σ');

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
