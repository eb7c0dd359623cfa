-- PostgreSQL 18
SET LOCAL client_encoding = 'UTF8';
SET LOCAL standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', true);
SET LOCAL check_function_bodies = false;
SET LOCAL xmloption = content;
SET LOCAL client_min_messages = warning;
SET LOCAL row_security = off;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
CREATE FUNCTION public.accounts_idempotencykey_widget() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.widget_id := (SELECT widget_id FROM accounts_apitoken WHERE id = NEW.token_id);
    DELETE FROM core_idempotencykey k
    WHERE k.widget_id = NEW.widget_id AND k.key = NEW.key AND k.token_id IS DISTINCT FROM NEW.token_id
      AND k.created_at <= now() - interval '24 hours';
    -- Nothing is inserted for a key that another token of the widget used: it is refused.
    IF EXISTS (
        SELECT FROM core_idempotencykey k
        WHERE k.widget_id = NEW.widget_id AND k.key = NEW.key AND k.token_id IS DISTINCT FROM NEW.token_id
    ) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;
CREATE FUNCTION public.agents_agents_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT avatar FROM deleted WHERE avatar <> '';
    RETURN NULL;
END
$$;
CREATE FUNCTION public.ai_history_is_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the history of an assistant''s text is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE FUNCTION public.ai_moves_are_kept() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the moves of an external operator are append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE FUNCTION public.articles_imports_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted WHERE storage_key <> ''
    ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.articles_pictures_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT key FROM deleted ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.articles_spelt_alike(of_widget bigint, of_languages text[], misspelt text[]) RETURNS TABLE(text_id bigint, similarity real)
    LANGUAGE sql STABLE STRICT ROWS 40
    SET "pg_trgm.similarity_threshold" TO '0.25'
    AS $$
    WITH asked AS MATERIALIZED (
        SELECT DISTINCT lexeme, kb_spelling(lexeme) AS spelling
        FROM unnest(misspelt) word CROSS JOIN LATERAL unnest(to_tsvector('russian', left(word, 64)))
    ), alike AS MATERIALIZED (
        SELECT asked.lexeme AS word, known.lexeme, m.likeness,
               row_number() OVER (PARTITION BY asked.lexeme ORDER BY m.likeness DESC, known.lexeme) AS place
        FROM asked JOIN articles_articleword known ON known.widget_id = of_widget AND known.spelling % asked.spelling
        CROSS JOIN LATERAL (SELECT greatest(
            similarity(asked.spelling, known.spelling),
            CASE levenshtein_less_equal(asked.spelling, known.spelling, 2)
                WHEN 0 THEN 1 WHEN 1 THEN 0.5 WHEN 2 THEN CASE WHEN length(known.spelling) >= 6 THEN 0.4 ELSE 0 END ELSE 0
            END
        ) AS likeness) m
        WHERE m.likeness >= 0.4
    ), matched AS MATERIALIZED (
        SELECT alike.word, alike.likeness, r.id, r.titled @@ kb_word_query(alike.lexeme) AS in_title,
               1 / ln(2 + count(*) OVER (PARTITION BY alike.word, alike.lexeme)) AS rarity
        FROM alike JOIN articles_searchabletext r
          ON r.widget_id = of_widget AND r.searched @@ kb_word_query(alike.lexeme) AND r.lang = ANY(of_languages)
        WHERE alike.place <= 5
    ), best AS (
        SELECT id, word, max(likeness * likeness * rarity * CASE WHEN in_title THEN 2 ELSE 1 END) AS likeness
        FROM matched GROUP BY id, word
    )
    SELECT id, sum(likeness)::real FROM best GROUP BY id ORDER BY 2 DESC, id LIMIT 40
$$;
CREATE FUNCTION public.chats_alike(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN NORMALIZE(regexp_replace(translate(replace(replace(replace(replace(regexp_replace(replace(replace("left"(NORMALIZE(regexp_replace(replace(body, '´'::text, ''''::text), '([̀-͎͐-ͯ҃-֑҇-ֽֿׁ-ׂׄ-ׇׅؐ-ًؚ-ٰٟۖ-ۜ۟-ۤۧ-۪ۨ-ܑۭܰ-݊߫-߽߳ࠖ-࠙ࠛ-ࠣࠥ-ࠧࠩ-࡙࠭-࡛ࢗ-࢟࣊-ࣣ࣡-़्ࣿ॑-়਼઼଼఼্੍્୍்్ౕ॔৾-಼್഻ౖ-഼്්ุ-ฺ่-๋ຸ-຺່-໎༘-ཱ༹༙༵༷-ཱེུ-ཽྀ-྄྆-့္࿆྇-်ႍ፝-᜔፟-᜕᜴្᤹ᢩ៝-᤻ᨗ-᩠ᨘ᩵-᩿᩼᪰-᫿᬴᭄᭫-᮪᭳-᯦᮫᯲-᰷᯳᳐-᳔᳒-᳢᳠-᳨᳭᳴᳸-᳹᷀-᷿⃐-⃥⃜⃡-⃰⳯-⵿⳱ⷠ-〪ⷿ-゙〯-゚꙯ꙴ-꙽ꚞ-ꚟ꛰-꠆꠬꣄꛱꣠-꤫꣱-꦳꥓꧀꤭ꪰꪲ-ꪴꪷ-ꪸꪾ-꫶꯭ﬞ꪿꫁︠-︯ﾞ-ﾟ𐇽𐋠𐍶-𐨍𐍺𐨏𐨸-𐨿𐨺𐫥-𐫦𐴤-𐴧𐵩-𐵭𐺫-𐺬𐻺-𐻿𐽆-𐽐𐾂-𑁆𑁰𑁿𑂹𐾅-𑂺𑄀-𑄳𑄂-𑅳𑇊𑄴𑇀𑈵-𑈶𑋩-𑌻𑋪-𑌼𑍍𑍦-𑍬𑍰-𑏎𑍴-𑏐𑏡-𑏢𑑆𑑂𑓂𑑞-𑓃𑖿-𑗀𑘿𑚶-𑚷𑜫𑠹-𑠺𑤽-𑥃𑵂𑤾𑧠𑨴𑩇𑪙𑰿𑵄-𑵅𑶗𑽁-𖫰𑽂𖄯-𖫴𖬰-𖿰𖬶-𛲞𖿱𝅥-𝅩𝅭-𝅲𝅻-𝆂𝆅-𝆋𝆪-𝆭𝉂-𝉄𞀀-𞀆𞀈-𞀘𞀛-𞀡𞀣-𞀤𞀦-𞀪𞂏𞄰-𞄶𞊮𞋬-𞋯𞓬-𞓯𞗮-𞗯𞛣𞛦𞛮-𞛯𞛵𞣐-𞣖𞥄-𞥊]{30})[̀-͎͐-ͯ҃-֑҇-ֽֿׁ-ׂׄ-ׇׅؐ-ًؚ-ٰٟۖ-ۜ۟-ۤۧ-۪ۨ-ܑۭܰ-݊߫-߽߳ࠖ-࠙ࠛ-ࠣࠥ-ࠧࠩ-࡙࠭-࡛ࢗ-࢟࣊-ࣣ࣡-़्ࣿ॑-়਼઼଼఼্੍્୍்్ౕ॔৾-಼್഻ౖ-഼്්ุ-ฺ่-๋ຸ-຺່-໎༘-ཱ༹༙༵༷-ཱེུ-ཽྀ-྄྆-့္࿆྇-်ႍ፝-᜔፟-᜕᜴្᤹ᢩ៝-᤻ᨗ-᩠ᨘ᩵-᩿᩼᪰-᫿᬴᭄᭫-᮪᭳-᯦᮫᯲-᰷᯳᳐-᳔᳒-᳢᳠-᳨᳭᳴᳸-᳹᷀-᷿⃐-⃥⃜⃡-⃰⳯-⵿⳱ⷠ-〪ⷿ-゙〯-゚꙯ꙴ-꙽ꚞ-ꚟ꛰-꠆꠬꣄꛱꣠-꤫꣱-꦳꥓꧀꤭ꪰꪲ-ꪴꪷ-ꪸꪾ-꫶꯭ﬞ꪿꫁︠-︯ﾞ-ﾟ𐇽𐋠𐍶-𐨍𐍺𐨏𐨸-𐨿𐨺𐫥-𐫦𐴤-𐴧𐵩-𐵭𐺫-𐺬𐻺-𐻿𐽆-𐽐𐾂-𑁆𑁰𑁿𑂹𐾅-𑂺𑄀-𑄳𑄂-𑅳𑇊𑄴𑇀𑈵-𑈶𑋩-𑌻𑋪-𑌼𑍍𑍦-𑍬𑍰-𑏎𑍴-𑏐𑏡-𑏢𑑆𑑂𑓂𑑞-𑓃𑖿-𑗀𑘿𑚶-𑚷𑜫𑠹-𑠺𑤽-𑥃𑵂𑤾𑧠𑨴𑩇𑪙𑰿𑵄-𑵅𑶗𑽁-𖫰𑽂𖄯-𖫴𖬰-𖿰𖬶-𛲞𖿱𝅥-𝅩𝅭-𝅲𝅻-𝆂𝆅-𝆋𝆪-𝆭𝉂-𝉄𞀀-𞀆𞀈-𞀘𞀛-𞀡𞀣-𞀤𞀦-𞀪𞂏𞄰-𞄶𞊮𞋬-𞋯𞓬-𞓯𞗮-𞗯𞛣𞛦𞛮-𞛯𞛵𞣐-𞣖𞥄-𞥊]+'::text, '\1'::text, 'g'::text), NFKD), 40000), 'й'::text, 'й'::text), 'Й'::text, 'Й'::text), '[­̀-ͯ҃-҉֑-ֽֿׁ-ׂׄ-ׇׅ؀-؅ؐ-ؚ؜ً-ٰٟۖ-۝۟-ۤۧ-۪ۨ-ۭ܏ܑܰ-݊ަ-ް߫-߽߳ࠖ-࠙ࠛ-ࠣࠥ-ࠧࠩ-࡙࠭-࡛࢐-࢟࣊-ंऺ़ु-ै्॑-ॗॢ-ॣঁ়ু-ৄ্ৢ-ৣ৾-ਂ਼ੁ-ੑੰ-ੱੵઁ-ં઼ુ-ૈ્ૢ-ૣૺ-ଁ଼ିୁ-ୄ୍-ୖୢ-ୣஂீ்ఀఄ఼ా-ీె-ౖౢ-ౣಁ಼ಿೆೌ-್ೢ-ೣഀ-ഁ഻-഼ു-ൄ്ൢ-ൣඁ්ි-ූัิ-ฺ็-๎ັິ-ຼ່-ໍ༘-ཱ༹༙༵༷-ཾྀ-྄྆-྇ྍ-ྼ࿆ိ-ူဲ-့္-်ွ-ှၘ-ၙၞ-ၠၱ-ၴႂႅ-ႆႍႝ፝-፟ᜒ-᜔ᜲ-ᜳᝒ-ᝓᝲ-ᝳ឴-឵ិ-ួំ៉-៓៝᠋-᠏ᢅ-ᢆᢩᤠ-ᤢᤧ-ᤨᤲ᤹-᤻ᨗ-ᨘᨛᩖᩘ-᩠ᩢᩥ-ᩬᩳ-᩿᪰-ᬃ᬴ᬶ-ᬺᬼᭂ᭫-᭳ᮀ-ᮁᮢ-ᮥᮨ-ᮩ᮫-ᮭ᯦ᯨ-ᯩᯭᯯ-ᯱᰬ-ᰳᰶ-᰷᳐-᳔᳒-᳢᳠-᳨᳭᳴᳸-᳹᷀-᷿​-‏‪-‮⁠-⁯⃐-⃰⳯-⵿⳱ⷠ-〪ⷿ-゙〭-゚꙯-꙲ꙴ-꙽ꚞ-ꚟ꛰-꛱ꠂ꠆ꠋꠥ-ꠦ꠬꣄-ꣅ꣠-꣱ꣿꤦ-꤭ꥇ-ꥑꦀ-ꦂ꦳ꦶ-ꦹꦼ-ꦽꧥꨩ-ꨮꨱ-ꨲꨵ-ꨶꩃꩌꩼꪰꪲ-ꪴꪷ-ꪸꪾ-꪿꫁ꫬ-ꫭ꫶ꯥꯨ꯭ﬞ︀-️︠-︯﻿￹-￻󠀁-󠇯]+'::text, ''::text, 'g'::text), 'æ'::text, 'ae'::text), 'Æ'::text, 'AE'::text), 'œ'::text, 'oe'::text), 'Œ'::text, 'OE'::text), 'łŁøØđĐ’‘ʼ`֊־‐‑‒–—―−⸺⸻'::text, 'lLoOdD''''''''-----------'::text), '[	-    -     　]+'::text, ' '::text, 'g'::text), NFC);
CREATE FUNCTION public.chats_chat_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'chats'
    FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
    WHERE widget_id IS NOT NULL;
    IF OLD IS NULL OR (OLD.widget_id, OLD.created_at) IS DISTINCT FROM (NEW.widget_id, NEW.created_at) THEN
        INSERT INTO chats_stalehour (widget_id, hour, kind)
        SELECT DISTINCT widget_id, chats_hour_of(created_at), 'responses'
        FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
        WHERE widget_id IS NOT NULL;
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_chats_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT widget_id, hour, kind
    FROM (SELECT DISTINCT widget_id, chats_hour_of(created_at) FROM deleted
          WHERE created_at < clock_timestamp() - interval '15 minutes') AS touched (widget_id, hour),
         (VALUES ('chats'), ('responses')) AS kinds (kind);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_fold(body text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (body ~ '[^- А-яЁё«»„“”–—‘’₽€]|[	-  ]{2}'::text) THEN replace(translate(lower(public.chats_alike(body)), 'ςı'::text, 'σi'::text), 'ß'::text, 'ss'::text) ELSE translate(lower(body), 'ё–—‘’` 	
'::text, 'е--''''''      '::text) END;
CREATE FUNCTION public.chats_contact_text(name text, email text, phone text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(public.chats_fold(((((name || ''::text) || email) || ''::text) || phone)), ''::text, '
'::text);
CREATE FUNCTION public.chats_grams(widget_id bigint, body text, pairs boolean) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT COST 1000 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT
         CASE
             WHEN chats_grams.pairs THEN array_agg(((((chats_grams.widget_id % (2097152)::bigint) << 42) | ((ascii(characters.one))::bigint << 21)) | (ascii(characters.next))::bigint)) FILTER (WHERE ((characters.one <> '
'::text) AND (characters.next <> '
'::text)))
             ELSE array_agg((((chats_grams.widget_id % (2097152)::bigint) << 42) | (ascii(characters.one))::bigint)) FILTER (WHERE (characters.one <> '
'::text))
         END AS array_agg
    FROM UNNEST(string_to_array(chats_grams.body, NULL::text), (string_to_array(chats_grams.body, NULL::text))[2:]) characters(one, next);
END;
CREATE FUNCTION public.chats_phone_digits(phone text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN translate(public.chats_fold(phone), '+ ()-.'::text, ''::text);
CREATE FUNCTION public.chats_contact_entries(widget_id bigint, name text, email text, phone text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT COST 1000 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT (COALESCE(public.chats_grams(chats_contact_entries.widget_id, contact.body, false), '{}'::bigint[]) || COALESCE(public.chats_grams(chats_contact_entries.widget_id, contact.body, true), '{}'::bigint[]))
    FROM ( SELECT ((public.chats_contact_text(chats_contact_entries.name, chats_contact_entries.email, chats_contact_entries.phone) || '
'::text) || public.chats_phone_digits(chats_contact_entries.phone)) AS body
          OFFSET 0) contact;
END;
CREATE FUNCTION public.chats_folded(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN replace(lower(body), 'ς'::text, 'σ'::text);
CREATE FUNCTION public.chats_contact_grams(widget_id bigint, name text, email text, phone text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT COST 1000 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT (COALESCE(public.chats_grams(chats_contact_grams.widget_id, contact.body, false), '{}'::bigint[]) || COALESCE(public.chats_grams(chats_contact_grams.widget_id, contact.body, true), '{}'::bigint[]))
    FROM ( SELECT public.chats_folded(((((((chats_contact_grams.name || '
'::text) || chats_contact_grams.email) || '
'::text) || chats_contact_grams.phone) || '
'::text) || translate(chats_contact_grams.phone, '+ ()-'::text, ''::text))) AS body) contact;
END;
CREATE FUNCTION public.chats_files_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_folded_grams(widget_id bigint, term text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT
    RETURN public.chats_grams(widget_id, term, (char_length(term) > 1));
CREATE FUNCTION public.chats_forget_searched() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    DELETE FROM chats_searchedmessage WHERE message_id IN (SELECT id FROM deleted);
    INSERT INTO chats_unsearchedmessage (widget_id, message_id) SELECT widget_id, id FROM deleted;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_hour_of(moment timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN date_bin('01:00:00'::interval, moment, '1970-01-01 00:00:00+00'::timestamp with time zone);
CREATE FUNCTION public.chats_message_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'messages'
    FROM (VALUES (OLD.widget_id, OLD.created_at), (NEW.widget_id, NEW.created_at)) AS touched (widget_id, created_at)
    WHERE widget_id IS NOT NULL;
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT widget_id, chats_hour_of(created_at), 'responses' FROM chats_chat WHERE id IN (OLD.chat_id, NEW.chat_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_searched(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN public.chats_folded("left"(body, 10000));
CREATE FUNCTION public.chats_message_entries(widget_id bigint, chat_id bigint, body text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT COST 10000 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT array_agg((((trigram.place | (((ascii(trigram.one) & 65535))::bigint << 22)) | (((ascii(trigram.next) & 65535) << 6))::bigint) | (COALESCE((ascii(trigram.third) % 61), 63))::bigint)) AS array_agg
    FROM ( SELECT message.place,
             unnest(message.characters) AS one,
             unnest(message.characters[2:]) AS next,
             unnest(message.characters[3:]) AS third
            FROM ( SELECT ((((chats_message_entries.widget_id * 7919) + (chats_message_entries.chat_id >> 13)) % (16777216)::bigint) << 38) AS place,
                     string_to_array(public.chats_searched(chats_message_entries.body), NULL::text) AS characters
                  OFFSET 0) message) trigram
   WHERE (trigram.next IS NOT NULL);
END;
CREATE FUNCTION public.chats_searchable(body text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN "left"(public.chats_fold("left"(body, 10000)), 20000);
CREATE FUNCTION public.chats_message_trigrams(widget_id bigint, chat_id bigint, body text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT COST 10000 PARALLEL SAFE
    BEGIN ATOMIC
 SELECT array_agg((((trigram.place | (((ascii(trigram.one) & 65535))::bigint << 22)) | (((ascii(trigram.next) & 65535) << 6))::bigint) | (COALESCE((ascii(trigram.third) % 61), 63))::bigint)) AS array_agg
    FROM ( SELECT message.place,
             unnest(message.characters) AS one,
             unnest(message.characters[2:]) AS next,
             unnest(message.characters[3:]) AS third
            FROM ( SELECT ((((chats_message_trigrams.widget_id * 7919) + (chats_message_trigrams.chat_id >> 13)) % (16777216)::bigint) << 38) AS place,
                     string_to_array(public.chats_searchable(chats_message_trigrams.body), NULL::text) AS characters
                  OFFSET 0) message) trigram
   WHERE (trigram.next IS NOT NULL);
END;
CREATE FUNCTION public.chats_messages_deleted() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    INSERT INTO chats_stalehour (widget_id, hour, kind)
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'messages' FROM deleted
    WHERE created_at < clock_timestamp() - interval '15 minutes'
    UNION ALL
    SELECT DISTINCT widget_id, chats_hour_of(created_at), 'responses' FROM chats_chat
    WHERE id IN (SELECT chat_id FROM deleted WHERE created_at < clock_timestamp() - interval '15 minutes');
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_note_unsearched() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO chats_unsearchedmessage (widget_id, message_id)
    SELECT DISTINCT widget_id, id FROM (VALUES (OLD.widget_id, OLD.id), (NEW.widget_id, NEW.id)) AS touched (widget_id, id)
    WHERE id IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_place_rating() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    NEW.after_message_id := coalesce((
        SELECT max(id) FROM chats_message WHERE chat_id = NEW.chat_id AND created_at <= NEW.rated_at
    ), 0);
    RETURN NEW;
END
$$;
CREATE FUNCTION public.chats_recount_tallies() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE chats_tallyprogress SET until = NULL;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_search_anew() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM chats_searchedmessage;
    DELETE FROM chats_unsearchedmessage;
    DELETE FROM chats_searchprogress;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.chats_term_entries(widget_id bigint, chat_id bigint, term text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT
    BEGIN ATOMIC
 SELECT
         CASE
             WHEN (whole.last = 0) THEN ( SELECT array_agg((whole.entries[1] - other.other)) AS array_agg
                FROM generate_series(0, 63) other(other))
             ELSE ( SELECT array_agg(whole.entries[third.place]) AS array_agg
                FROM ( SELECT generate_series(1, whole.last, 3) AS generate_series
                     UNION
                      SELECT whole.last) third(place))
         END AS array_agg
    FROM ( SELECT message.entries,
             (cardinality(message.entries) - 1) AS last
            FROM ( SELECT public.chats_message_entries(chats_term_entries.widget_id, chats_term_entries.chat_id, chats_term_entries.term) AS entries
                  OFFSET 0) message) whole;
END;
CREATE FUNCTION public.chats_term_grams(widget_id bigint, term text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT
    RETURN public.chats_grams(widget_id, public.chats_folded(term), (char_length(public.chats_folded(term)) > 1));
CREATE FUNCTION public.chats_term_trigrams(widget_id bigint, chat_id bigint, term text) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE STRICT
    BEGIN ATOMIC
 SELECT
         CASE
             WHEN (whole.last = 0) THEN ( SELECT array_agg((whole.entries[1] - other.other)) AS array_agg
                FROM generate_series(0, 63) other(other))
             ELSE ( SELECT array_agg(whole.entries[third.place]) AS array_agg
                FROM ( SELECT generate_series(1, whole.last, 3) AS generate_series
                     UNION
                      SELECT whole.last) third(place))
         END AS array_agg
    FROM ( SELECT message.entries,
             (cardinality(message.entries) - 1) AS last
            FROM ( SELECT public.chats_message_trigrams(chats_term_trigrams.widget_id, chats_term_trigrams.chat_id, chats_term_trigrams.term) AS entries
                  OFFSET 0) message) whole;
END;
CREATE FUNCTION public.kb_same_letters(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(translate(body, ((('АВЕЁКМНОРСТУХавеёкмнорстухБГДЖЗИЙЛПФЦЧШЩЪЫЬЭЮЯأإآٱةىـ–—−‑／・０１２３４５６７８９٠١٢٣٤٥٦٧٨٩'::text || chr(160)) || chr(8239)) || chr(8201)), (('abeekmhopctyxabeekmhopctyxбгджзийлпфцчшщъыьэюяااااهي'::text || chr(1)) || '----/ 01234567890123456789   '::text)));
CREATE FUNCTION public.kb_marks(body text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    BEGIN ATOMIC
 WITH one AS MATERIALIZED (
          SELECT replace(public.kb_same_letters(kb_marks.body), chr(1), ''::text) AS body
         ), codes AS (
          SELECT regexp_replace(found.found[1], '[-./_]'::text, ''::text, 'g'::text) AS code
            FROM one,
             LATERAL regexp_matches(one.body, '((?:[a-zа-я]{1,4} (?=[0-9]))?[0-9a-zα-ωа-я]+(?:[-./_][0-9a-zα-ωа-я]+)*)'::text, 'g'::text) found(found)
           WHERE (found.found[1] ~ '[0-9]'::text)
         ), numbers AS (
          SELECT regexp_replace(found.found[1], '[^0-9]'::text, ''::text, 'g'::text) AS digits
            FROM one,
             LATERAL regexp_matches(one.body, '([0-9](?:[-. ()]{0,3}[0-9]){5,17})'::text, 'g'::text) found(found)
         ), sums AS (
          SELECT regexp_replace(found.found[1], '[^0-9]'::text, ''::text, 'g'::text) AS whole,
             rpad(found.found[2], 2, '0'::text) AS part
            FROM one,
             LATERAL regexp_matches(one.body, '(?:^|[^0-9.,])([0-9]{1,3}(?:[ .,''][0-9]{3})+|[0-9]+)(?:[.,]([0-9]{1,2}))?(?![0-9.,]*[0-9])'::text, 'g'::text) found(found)
         ), days AS (
          SELECT (found.found[1])::integer AS day,
             (found.found[2])::integer AS month,
             found.found[3] AS year
            FROM one,
             LATERAL regexp_matches(one.body, '(?<![0-9.])([0-3]?[0-9])[./]([01]?[0-9])(?:[./]((?:[0-9]{2}){1,2}))?(?![0-9])'::text, 'g'::text) found(found)
         UNION ALL
          SELECT (found.found[3])::integer AS found,
             (found.found[2])::integer AS found,
             found.found[1] AS found
            FROM one,
             LATERAL regexp_matches(one.body, '(?<![0-9])([0-9]{4})-([01][0-9])-([0-3][0-9])(?![0-9])'::text, 'g'::text) found(found)
         UNION ALL
          SELECT (COALESCE(found.found[1], found.found[3]))::integer AS "coalesce",
             (((array_position(string_to_array('яhb фeb map aпp maй июh июл abг ceh okt hoя дek яhb фeb map aпp maя июh июл abг ceh okt hoя дek jan feb mar apr may jun jul aug sep oct nov dec jan feb mär apr mai jun jul aug sep okt nov dez'::text, ' '::text), found.found[2]) - 1) % 12) + 1),
             found.found[4] AS found
            FROM one,
             LATERAL regexp_matches(one.body, '(?:([0-3]?[0-9])(?:st|nd|rd|th)?\.? )?(?<![a-zа-я])(яhb|фeb|map|aпp|maй|июh|июл|abг|ceh|okt|hoя|дek|maя|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)[a-zа-я]{0,7}\.?(?: ([0-3]?[0-9])(?:st|nd|rd|th)?(?![0-9]))?,?(?: ([0-9]{4}))?'::text, 'g'::text) found(found)
           WHERE (COALESCE(found.found[1], found.found[3]) IS NOT NULL)
         ), runs AS (
          SELECT row_number() OVER () AS number,
             found.found[1] AS run,
             LEAST(2, length(found.found[1])) AS "least",
             2 AS size
            FROM one,
             LATERAL regexp_matches(one.body, '([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)'::text, 'g'::text) found(found)
         UNION ALL
          SELECT (- row_number() OVER ()),
             found.found[1] AS found,
             LEAST(3, length(found.found[1])) AS "least",
             3
            FROM one,
             LATERAL regexp_matches(one.body, '([\u0620-\u064a\u066e-\u06d3]+)'::text, 'g'::text) found(found)
         ), grams AS (
          SELECT ((letters.letter || COALESCE(lead(letters.letter) OVER run, ''::text)) ||
                 CASE
                     WHEN (runs.size = 3) THEN COALESCE(lead(letters.letter, 2) OVER run, ''::text)
                     ELSE ''::text
                 END) AS gram,
             runs."least" AS size
            FROM runs,
             LATERAL unnest(string_to_array(runs.run, NULL::text)) WITH ORDINALITY letters(letter, place)
           WINDOW run AS (PARTITION BY runs.number ORDER BY letters.place)
         ), marks AS (
          SELECT replace(codes.code, ' '::text, ''::text) AS mark
            FROM codes
         UNION ALL
          SELECT regexp_replace(codes.code, '^[^0-9]+'::text, ''::text) AS regexp_replace
            FROM codes
         UNION ALL
          SELECT split_part(codes.code, ' '::text, 2) AS split_part
            FROM codes
         UNION ALL
          SELECT "right"(numbers.digits, sizes.size) AS "right"
            FROM numbers,
             ( VALUES (7), (10)) sizes(size)
           WHERE (length(numbers.digits) >= sizes.size)
         UNION ALL
          SELECT
                 CASE
                     WHEN ((sums.part IS NULL) OR (sums.part = '00'::text)) THEN sums.whole
                     ELSE ((sums.whole || '.'::text) || sums.part)
                 END AS "case"
            FROM sums
         UNION ALL
          SELECT format('%s-%s'::text, days.month, days.day) AS format
            FROM days
           WHERE ((days.day >= 1) AND (days.day <= 31) AND ((days.month >= 1) AND (days.month <= 12)))
         UNION ALL
          SELECT format('%s-%s-%s'::text, "right"(days.year, 2), days.month, days.day) AS format
            FROM days
           WHERE ((days.year IS NOT NULL) AND ((days.day >= 1) AND (days.day <= 31)) AND ((days.month >= 1) AND (days.month <= 12)))
         UNION ALL
          SELECT grams.gram
            FROM grams
           WHERE (length(grams.gram) = grams.size)
         )
  SELECT COALESCE(array_agg(DISTINCT "left"(marks.mark, 40)), '{}'::text[]) AS "coalesce"
    FROM marks
   WHERE ((length(marks.mark) >= 3) OR ((marks.mark !~ '[a-z0-9]'::text) AND (marks.mark <> ''::text)));
END;
CREATE FUNCTION public.kb_marks_of(title text, content text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN public.kb_marks("left"(((title || chr(10)) || content), 8000));
CREATE FUNCTION public.kb_rules_counted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    sign integer := TG_ARGV[0];
BEGIN
    IF sign > 0 THEN
        INSERT INTO kb_knowledgebase (widget_id, due_at) SELECT DISTINCT widget_id, NULL::timestamptz FROM moved
        ON CONFLICT (widget_id) DO NOTHING;
    END IF;
    WITH by_source AS (
        SELECT source_id, sign * count(*) AS n FROM moved GROUP BY source_id
    ), counted AS (
        UPDATE kb_source s SET chunks = s.chunks + b.n FROM by_source b WHERE s.id = b.source_id
        RETURNING s.widget_id, s.chunks AS now, s.chunks - b.n AS before
    ), filled AS (
        SELECT widget_id, sum((now > 0)::integer - (before > 0)::integer) AS n FROM counted GROUP BY widget_id
    ), by_widget AS (
        SELECT widget_id, sign * count(*) AS rules,
               sign * count(*) FILTER (WHERE embedding_status = 'ready') AS ready,
               sign * count(*) FILTER (WHERE embedding_status = 'pending') AS pending,
               sign * count(*) FILTER (WHERE embedding_status = 'failed') AS failed,
               sign * count(*) FILTER (WHERE embedding_status = 'none') AS none
        FROM moved GROUP BY widget_id
    )
    UPDATE kb_knowledgebase k SET
        rules = k.rules + b.rules, sources = k.sources + coalesce(f.n, 0), ready = k.ready + b.ready,
        pending = k.pending + b.pending, failed = k.failed + b.failed, none = k.none + b.none,
        last_indexed_at = CASE WHEN sign > 0 THEN statement_timestamp() ELSE k.last_indexed_at END
    FROM by_widget b LEFT JOIN filled f USING (widget_id) WHERE k.widget_id = b.widget_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.kb_spelling(body text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(translate(body, 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯαβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫäöüßáéíóúñàèìòùâêîôûçåøæÄÖÜẞÁÉÍÓÚÑÀÈÌÒÙÂÊÎÔÛÇÅØÆ'::text, 'abvgdeejziyklmnoprstufhc4wq617329abvgdeejziyklmnoprstufhc4wq617329abgdezh8iklmnxoprsstufx5waehiouwiuabgdezh8iklmnxoprstufx5waehiouwiuaousaeiounaeiouaeioucaoaaousaeiounaeiouaeioucaoa'::text));
CREATE FUNCTION public.kb_spelt_alike(of_widget bigint, of_operator bigint, misspelt text[]) RETURNS TABLE(rule_id bigint, similarity real)
    LANGUAGE sql STABLE STRICT ROWS 40
    AS $$
    WITH known AS MATERIALIZED (
        SELECT word AS lexeme, kb_spelling(word) AS spelling, ndoc FROM ts_stat(format(
            'SELECT searched FROM kb_rule WHERE widget_id = %s AND (operator_id IS NULL OR operator_id = %s)',
            of_widget, of_operator
        ))
        WHERE length(word) BETWEEN 3 AND 64 AND word !~ '[0-9/.@]'
    ), asked AS MATERIALIZED (
        SELECT DISTINCT lexeme, kb_spelling(lexeme) AS spelling
        FROM unnest(misspelt) word CROSS JOIN LATERAL unnest(to_tsvector('russian', left(word, 64)))
    ), alike AS (
        SELECT asked.lexeme AS word, known.lexeme, m.likeness,
               1 / ln(2 + known.ndoc) AS rarity,
               row_number() OVER (PARTITION BY asked.lexeme ORDER BY m.likeness DESC, known.lexeme) AS place
        FROM asked JOIN known ON abs(length(asked.spelling) - length(known.spelling)) <= 4
        CROSS JOIN LATERAL (SELECT greatest(
            similarity(asked.spelling, known.spelling),
            CASE WHEN levenshtein_less_equal(asked.spelling, known.spelling, 1) <= 1 THEN 0.5 ELSE 0 END
        ) AS likeness) m
        WHERE m.likeness >= 0.4
    ), best AS (
        SELECT r.id, alike.word, max(alike.likeness * alike.likeness * alike.rarity) AS likeness
        FROM alike JOIN kb_rule r ON r.widget_id = of_widget AND r.searched @@ kb_word_query(alike.lexeme)
         AND (r.operator_id IS NULL OR r.operator_id = of_operator)
        WHERE alike.place <= 5 GROUP BY r.id, alike.word
    )
    SELECT id, sum(likeness)::real FROM best GROUP BY id ORDER BY 2 DESC, id LIMIT 40
$$;
CREATE FUNCTION public.kb_uploads_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT storage_key FROM deleted ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.kb_word_query(lexeme text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (((''''::text || replace(replace(lexeme, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text))::tsquery;
CREATE FUNCTION public.letters_letters_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key) SELECT raw_key FROM deleted WHERE raw_key <> '' ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reports_chat_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id)
    SELECT DISTINCT widget_id, id FROM (VALUES (OLD.widget_id, OLD.id), (NEW.widget_id, NEW.id)) AS touched (widget_id, id);
    IF OLD.contact_id <> NEW.contact_id THEN
        PERFORM reports_note_people(ARRAY[OLD.contact_id, NEW.contact_id]);
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reports_chats_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id) SELECT widget_id, id FROM deleted;
    PERFORM reports_note_people(ARRAY(SELECT DISTINCT contact_id FROM deleted));
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reports_derive_anew() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id) SELECT widget_id, chat_id FROM reports_derivedchat;
    UPDATE reports_episodeprogress SET settled_id = 0, seen_id = NULL;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reports_join_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM reports_note_people(array_remove(ARRAY[OLD.contact_id, OLD.first_id, NEW.contact_id, NEW.first_id], NULL));
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reports_message_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id)
    SELECT DISTINCT touched.widget_id, touched.chat_id
    FROM (VALUES (OLD.widget_id, OLD.chat_id), (NEW.widget_id, NEW.chat_id)) AS touched (widget_id, chat_id)
    WHERE touched.widget_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM reports_stalechat s WHERE s.widget_id = touched.widget_id AND s.chat_id = touched.chat_id
        AND s.xmin = pg_current_xact_id()::xid
    );
    RETURN NULL;
END
$$;
CREATE FUNCTION public.reports_note_people(contacts bigint[]) RETURNS void
    LANGUAGE sql
    SET enable_seqscan TO 'off'
    AS $$
    WITH person AS (
        SELECT coalesce(j.first_id, touched.id) AS id
        FROM unnest(contacts) AS touched (id) LEFT JOIN chats_contactjoin j ON j.contact_id = touched.id
    ), theirs AS (
        SELECT id FROM person UNION SELECT j.contact_id FROM chats_contactjoin j JOIN person ON j.first_id = person.id
    )
    INSERT INTO reports_stalechat (widget_id, chat_id)
    SELECT c.widget_id, c.id FROM chats_chat c JOIN theirs ON c.contact_id = theirs.id
$$;
CREATE FUNCTION public.reports_rows_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO reports_stalechat (widget_id, chat_id) SELECT DISTINCT widget_id, chat_id FROM deleted;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.widget_chat_answered() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE chats_chat c SET answers = (
        SELECT a.answers FROM widget_chatanswers a WHERE a.chat_id = c.id ORDER BY a.message_id DESC LIMIT 1
    ) WHERE c.id IN (SELECT chat_id FROM changed);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.widget_consents_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE chats_contact c SET consents = (
        SELECT jsonb_agg(jsonb_build_object(
            'key', newest.key, 'given', newest.given, 'text_sha256', newest.text_sha256, 'lang', newest.lang,
            'at', to_char(newest.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY newest.id DESC)
        FROM (SELECT * FROM widget_contactconsent w WHERE w.contact_id = c.id ORDER BY w.id DESC LIMIT 100) newest
    ) WHERE c.id IN (SELECT contact_id FROM changed);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.widget_icons_deleted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO core_orphanedobject (key)
    SELECT key FROM deleted UNION ALL SELECT still_key FROM deleted WHERE still_key <> ''
    ON CONFLICT (key) DO NOTHING;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.widget_visitor_verified() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE chats_contact SET external_id = NEW.user_id WHERE id = NEW.contact_id;
    RETURN NULL;
END
$$;
SET LOCAL default_tablespace = '';
SET LOCAL default_table_access_method = heap;
CREATE TABLE public.accounts_account (
    id bigint NOT NULL,
    email character varying(254) NOT NULL,
    name character varying(255) DEFAULT ''::character varying NOT NULL,
    surname character varying(255) DEFAULT ''::character varying NOT NULL,
    phone character varying(32) DEFAULT ''::character varying NOT NULL,
    referral_code character varying(16) NOT NULL,
    referred_by_id bigint,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
ALTER TABLE public.accounts_account ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_apitoken (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    name character varying(255) DEFAULT ''::character varying NOT NULL,
    hint character varying(12) NOT NULL,
    digest bytea NOT NULL,
    scopes character varying(64)[] NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_by_id bigint,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    last_used_at timestamp with time zone
);
ALTER TABLE public.accounts_apitoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_apitoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_auditentry (
    id bigint NOT NULL,
    object_pk character varying(255) NOT NULL,
    object_id bigint,
    object_repr text NOT NULL,
    serialized_data jsonb,
    action smallint NOT NULL,
    changes_text text NOT NULL,
    changes jsonb,
    cid character varying(255),
    remote_addr inet,
    remote_port integer,
    "timestamp" timestamp with time zone NOT NULL,
    additional_data jsonb,
    actor_email character varying(254),
    account_id bigint,
    actor_id bigint,
    content_type_id integer NOT NULL,
    token_id bigint,
    CONSTRAINT accounts_auditentry_action_check CHECK ((action >= 0)),
    CONSTRAINT accounts_auditentry_remote_port_check CHECK ((remote_port >= 0))
);
ALTER TABLE public.accounts_auditentry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_auditentry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_authenticator (
    id bigint NOT NULL,
    name character varying(64) NOT NULL,
    confirmed boolean NOT NULL,
    throttling_failure_timestamp timestamp with time zone,
    throttling_failure_count integer NOT NULL,
    key text NOT NULL,
    last_step bigint NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT accounts_authenticator_throttling_failure_count_check CHECK ((throttling_failure_count >= 0))
);
ALTER TABLE public.accounts_authenticator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_authenticator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_backupcodes (
    id bigint NOT NULL,
    name character varying(64) NOT NULL,
    confirmed boolean NOT NULL,
    throttling_failure_timestamp timestamp with time zone,
    throttling_failure_count integer NOT NULL,
    digests bytea[] NOT NULL,
    user_id bigint NOT NULL,
    CONSTRAINT accounts_backupcodes_throttling_failure_count_check CHECK ((throttling_failure_count >= 0))
);
ALTER TABLE public.accounts_backupcodes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_backupcodes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_backupnote (
    id bigint NOT NULL,
    name character varying(64) NOT NULL,
    at timestamp with time zone NOT NULL
);
ALTER TABLE public.accounts_backupnote ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_backupnote_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_importednumber (
    id bigint NOT NULL,
    "table" character varying(32) NOT NULL,
    was bigint NOT NULL,
    now bigint NOT NULL,
    importing_id bigint NOT NULL
);
ALTER TABLE public.accounts_importednumber ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_importednumber_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_user (
    id bigint NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    email character varying(254) NOT NULL,
    name character varying(255) DEFAULT ''::character varying NOT NULL,
    surname character varying(255) DEFAULT ''::character varying NOT NULL,
    account_id bigint,
    is_staff boolean DEFAULT false NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    language character varying(2) DEFAULT ''::character varying NOT NULL,
    role character varying(16) DEFAULT 'viewer'::character varying NOT NULL,
    joined_at timestamp with time zone,
    provider_subject character varying(512),
    seen_language character varying(2) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT accounts_user_superuser_of_no_account CHECK (((NOT is_superuser) OR (account_id IS NULL)))
);
CREATE TABLE public.accounts_user_groups (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE public.accounts_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.accounts_user ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_user_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_user_user_permissions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.accounts_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_widget (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    guid character varying(32) NOT NULL,
    name character varying(255) NOT NULL,
    api_enabled boolean DEFAULT false NOT NULL,
    allowed_origins character varying(255)[] NOT NULL,
    time_zone character varying(64) DEFAULT 'Europe/Moscow'::character varying NOT NULL,
    seats integer DEFAULT 3 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    answerers character varying(32)[] DEFAULT '{}'::character varying(32)[] NOT NULL,
    moving_since timestamp with time zone,
    answered_first_since timestamp with time zone,
    steps_put_away_at timestamp with time zone,
    CONSTRAINT accounts_widget_seats_check CHECK ((seats >= 0))
);
ALTER TABLE public.accounts_widget ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_widget_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.accounts_widgetimport (
    widget_id bigint NOT NULL,
    digest bytea NOT NULL,
    keeps_numbers boolean NOT NULL,
    step integer DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    left_out bigint DEFAULT 0 NOT NULL,
    begun_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT accounts_widgetimport_left_out_check CHECK ((left_out >= 0)),
    CONSTRAINT accounts_widgetimport_position_check CHECK (("position" >= 0)),
    CONSTRAINT accounts_widgetimport_step_check CHECK ((step >= 0))
);
CREATE TABLE public.agents_agent (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    user_id bigint,
    type character varying(16) DEFAULT 'human'::character varying NOT NULL,
    role character varying(16) DEFAULT 'operator'::character varying NOT NULL,
    status character varying(16) DEFAULT 'active'::character varying NOT NULL,
    name character varying(255) NOT NULL,
    surname character varying(255) DEFAULT ''::character varying NOT NULL,
    email character varying(254) DEFAULT ''::character varying NOT NULL,
    show_in_header boolean DEFAULT true NOT NULL,
    avatar character varying(255) DEFAULT ''::character varying NOT NULL,
    online_since timestamp with time zone,
    ai_assistant_id bigint,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    away_since timestamp with time zone,
    break_note character varying(60) DEFAULT ''::character varying NOT NULL,
    break_passes_on boolean DEFAULT false NOT NULL,
    break_reason character varying(8) DEFAULT ''::character varying NOT NULL,
    break_since timestamp with time zone
);
ALTER TABLE public.agents_agent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_agent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.agents_agentevent (
    id bigint NOT NULL,
    type_code smallint NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT agents_agentevent_type_code_check CHECK ((type_code >= 0))
);
ALTER TABLE public.agents_agentevent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_agentevent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.agents_department (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    name character varying(255) NOT NULL,
    channels character varying(64)[] NOT NULL,
    schedule jsonb NOT NULL,
    avatar character varying(255) DEFAULT ''::character varying NOT NULL,
    internal boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    time_zone character varying(64) DEFAULT ''::character varying NOT NULL
);
CREATE TABLE public.agents_department_agents (
    id bigint NOT NULL,
    department_id bigint NOT NULL,
    agent_id bigint NOT NULL
);
ALTER TABLE public.agents_department_agents ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_department_agents_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.agents_department ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_department_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.agents_holiday (
    id bigint NOT NULL,
    day date NOT NULL,
    text character varying(255) DEFAULT ''::character varying NOT NULL,
    widget_id bigint NOT NULL,
    until date,
    every_year boolean DEFAULT false NOT NULL,
    department_id bigint,
    periods jsonb DEFAULT '[]'::jsonb NOT NULL
);
ALTER TABLE public.agents_holiday ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_holiday_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.agents_invitation (
    id bigint NOT NULL,
    email character varying(254) NOT NULL,
    digest bytea NOT NULL,
    status character varying(16) DEFAULT 'pending'::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    agent_id bigint,
    widget_id bigint NOT NULL,
    department_id bigint
);
ALTER TABLE public.agents_invitation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_invitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.agents_operatorchoices (
    agent_id bigint NOT NULL,
    reads character varying(3)[] DEFAULT '{}'::character varying(3)[] NOT NULL,
    show_translation boolean DEFAULT false NOT NULL,
    next_after_close boolean DEFAULT true NOT NULL,
    formatting boolean DEFAULT true NOT NULL,
    widget_id bigint NOT NULL
);
CREATE TABLE public.agents_presence (
    id bigint NOT NULL,
    process uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    agent_id bigint NOT NULL
);
ALTER TABLE public.agents_presence ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.agents_presence_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.agents_widgetweek (
    widget_id bigint NOT NULL,
    schedule jsonb NOT NULL
);
CREATE TABLE public.ai_aisettings (
    widget_id bigint NOT NULL,
    enabled boolean DEFAULT false NOT NULL,
    rag_enabled boolean DEFAULT true NOT NULL,
    shadow_mode boolean DEFAULT false NOT NULL,
    autonomous_tuning_enabled boolean DEFAULT false NOT NULL,
    presence_context_enabled boolean DEFAULT true NOT NULL,
    takeover_timeout_sec integer DEFAULT 300 NOT NULL,
    offline_outcome_mode character varying(16) DEFAULT 'handover'::character varying NOT NULL,
    legacy_persona text DEFAULT ''::text NOT NULL,
    is_migrated boolean DEFAULT false NOT NULL,
    daily_token_budget bigint,
    phrases jsonb DEFAULT '{}'::jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    migrated_assistant_id bigint,
    enabled_since timestamp with time zone,
    external_operators_enabled boolean DEFAULT true NOT NULL,
    link_hosts character varying(253)[] DEFAULT '{}'::character varying(253)[] NOT NULL,
    ai_disclosure character varying(500) DEFAULT ''::character varying NOT NULL,
    ai_disclosure_i18n jsonb DEFAULT '{}'::jsonb NOT NULL,
    evaluation_gate character varying(8) DEFAULT 'ask'::character varying NOT NULL,
    minutes_per_reply smallint DEFAULT 2 NOT NULL,
    CONSTRAINT ai_aisettings_daily_token_budget_check CHECK ((daily_token_budget >= 0)),
    CONSTRAINT ai_aisettings_minutes_per_reply_check CHECK ((minutes_per_reply >= 0)),
    CONSTRAINT ai_aisettings_takeover_timeout_sec_check CHECK ((takeover_timeout_sec >= 0))
);
CREATE TABLE public.ai_alert (
    id bigint NOT NULL,
    code character varying(40) NOT NULL,
    severity character varying(16) NOT NULL,
    message text NOT NULL,
    chat_id bigint,
    occurrences integer DEFAULT 1 NOT NULL,
    first_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    last_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    acknowledged_at timestamp with time zone,
    operator_id bigint,
    widget_id bigint NOT NULL,
    assistant_id bigint,
    credential_id bigint,
    sentence character varying(40) DEFAULT ''::character varying NOT NULL,
    "values" jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT ai_alert_occurrences_check CHECK ((occurrences >= 0))
);
ALTER TABLE public.ai_alert ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_answerfeedback (
    message_id bigint NOT NULL,
    helpful boolean NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    exchange_id bigint,
    widget_id bigint NOT NULL
);
CREATE TABLE public.ai_assistant (
    id bigint NOT NULL,
    name character varying(120) NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    persona text DEFAULT ''::text NOT NULL,
    system_prompt text DEFAULT ''::text NOT NULL,
    temperature double precision,
    rag_enabled boolean DEFAULT true NOT NULL,
    escalation_triggers text[] DEFAULT '{}'::text[] NOT NULL,
    greeting text DEFAULT ''::text NOT NULL,
    greeting_i18n jsonb DEFAULT '{}'::jsonb NOT NULL,
    quick_phrases text[] DEFAULT '{}'::text[] NOT NULL,
    quick_phrases_i18n jsonb DEFAULT '{}'::jsonb NOT NULL,
    provider character varying(32) DEFAULT ''::character varying NOT NULL,
    model character varying(200) DEFAULT ''::character varying NOT NULL,
    persona_version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT ai_assistant_persona_version_check CHECK ((persona_version >= 0))
);
ALTER TABLE public.ai_assistant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_assistant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_conversation (
    chat_id bigint NOT NULL,
    mode character varying(8) NOT NULL,
    mode_since timestamp with time zone NOT NULL,
    operator_id bigint,
    language character varying(8) DEFAULT ''::character varying NOT NULL,
    answered_message_id bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.ai_credential (
    id bigint NOT NULL,
    provider character varying(32) NOT NULL,
    api_key text NOT NULL,
    base_url character varying(2048) DEFAULT ''::character varying NOT NULL,
    target character varying(2048) DEFAULT ''::character varying NOT NULL,
    model character varying(200) DEFAULT ''::character varying NOT NULL,
    signing_secret text,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    assistant_id bigint,
    backup_id bigint,
    operator_id bigint,
    widget_id bigint NOT NULL,
    embedding_model character varying(200) DEFAULT ''::character varying NOT NULL,
    embeds_nothing_until timestamp with time zone,
    for_answers boolean DEFAULT true NOT NULL,
    for_knowledge boolean DEFAULT true NOT NULL,
    timeout_s smallint DEFAULT 20 NOT NULL,
    context_tokens integer,
    own_embedding_model character varying(200) DEFAULT ''::character varying NOT NULL,
    learnt jsonb DEFAULT '{}'::jsonb NOT NULL,
    completion_price numeric(14,6),
    price_currency character varying(3) DEFAULT ''::character varying NOT NULL,
    prompt_price numeric(14,6),
    CONSTRAINT ai_credential_context_tokens_check CHECK ((context_tokens >= 0)),
    CONSTRAINT ai_credential_one_owner CHECK (((assistant_id IS NULL) OR (operator_id IS NULL))),
    CONSTRAINT ai_credential_timeout_s_check CHECK ((timeout_s >= 0))
);
ALTER TABLE public.ai_credential ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_credential_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_detachedtest (
    widget_id bigint NOT NULL,
    lease_until timestamp with time zone NOT NULL
);
CREATE TABLE public.ai_evaluationcase (
    id bigint NOT NULL,
    question text NOT NULL,
    expects character varying(8) DEFAULT 'answer'::character varying NOT NULL,
    must character varying(200)[] DEFAULT '{}'::character varying(200)[] NOT NULL,
    must_not character varying(200)[] DEFAULT '{}'::character varying(200)[] NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    assistant_id bigint,
    widget_id bigint NOT NULL,
    piece text DEFAULT ''::text NOT NULL,
    piece_ref text DEFAULT ''::text NOT NULL,
    born_chat_id bigint,
    born_from character varying(8) DEFAULT 'hand'::character varying NOT NULL,
    born_message_id bigint,
    is_active boolean DEFAULT true NOT NULL,
    judge text DEFAULT ''::text NOT NULL,
    language character varying(8) DEFAULT ''::character varying NOT NULL,
    sources character varying(500)[] DEFAULT '{}'::character varying(500)[] NOT NULL
);
ALTER TABLE public.ai_evaluationcase ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_evaluationcase_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_evaluationresult (
    id bigint NOT NULL,
    case_id bigint NOT NULL,
    question text NOT NULL,
    expects character varying(8) NOT NULL,
    outcome character varying(8) DEFAULT ''::character varying NOT NULL,
    verdict character varying(8) NOT NULL,
    change character varying(8) NOT NULL,
    faults jsonb DEFAULT '[]'::jsonb NOT NULL,
    answer text NOT NULL,
    reason character varying(32) DEFAULT ''::character varying NOT NULL,
    language character varying(8) DEFAULT ''::character varying NOT NULL,
    rag_status character varying(16) DEFAULT ''::character varying NOT NULL,
    operations smallint DEFAULT 0 NOT NULL,
    prompt_tokens integer DEFAULT 0 NOT NULL,
    completion_tokens integer DEFAULT 0 NOT NULL,
    seconds double precision DEFAULT 0.0 NOT NULL,
    run_id bigint NOT NULL,
    grounds jsonb DEFAULT '{}'::jsonb NOT NULL,
    checks jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT ai_evaluationresult_completion_tokens_check CHECK ((completion_tokens >= 0)),
    CONSTRAINT ai_evaluationresult_operations_check CHECK ((operations >= 0)),
    CONSTRAINT ai_evaluationresult_prompt_tokens_check CHECK ((prompt_tokens >= 0))
);
ALTER TABLE public.ai_evaluationresult ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_evaluationresult_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_evaluationrun (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    state character varying(8) DEFAULT 'queued'::character varying NOT NULL,
    reason character varying(24) DEFAULT ''::character varying NOT NULL,
    model character varying(200) DEFAULT ''::character varying NOT NULL,
    persona_version integer,
    cases smallint DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    assistant_id bigint NOT NULL,
    previous_id bigint,
    widget_id bigint NOT NULL,
    cause character varying(12) DEFAULT 'person'::character varying NOT NULL,
    draft jsonb,
    knowledge character varying(64) DEFAULT ''::character varying NOT NULL,
    wish_id bigint,
    CONSTRAINT ai_evaluationrun_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT ai_evaluationrun_cases_check CHECK ((cases >= 0)),
    CONSTRAINT ai_evaluationrun_claims_check CHECK ((claims >= 0)),
    CONSTRAINT ai_evaluationrun_generation_check CHECK ((generation >= 0)),
    CONSTRAINT ai_evaluationrun_persona_version_check CHECK ((persona_version >= 0))
);
ALTER TABLE public.ai_evaluationrun ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_evaluationrun_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_exchange (
    id bigint NOT NULL,
    operator_id bigint,
    persona_version integer,
    first_message_id bigint NOT NULL,
    last_message_id bigint NOT NULL,
    answer_message_id bigint,
    question text NOT NULL,
    answer text NOT NULL,
    language character varying(8) NOT NULL,
    way character varying(16) NOT NULL,
    transformation character varying(32) NOT NULL,
    classifier character varying(16) NOT NULL,
    reason character varying(32) DEFAULT ''::character varying NOT NULL,
    rag_status character varying(16) NOT NULL,
    chunk_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    sources jsonb DEFAULT '[]'::jsonb NOT NULL,
    outcome character varying(8) NOT NULL,
    model character varying(200) DEFAULT ''::character varying NOT NULL,
    operations smallint DEFAULT 0 NOT NULL,
    prompt_tokens integer DEFAULT 0 NOT NULL,
    completion_tokens integer DEFAULT 0 NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    assistant_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    facts_removed text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT ai_exchange_completion_tokens_check CHECK ((completion_tokens >= 0)),
    CONSTRAINT ai_exchange_operations_check CHECK ((operations >= 0)),
    CONSTRAINT ai_exchange_persona_version_check CHECK ((persona_version >= 0)),
    CONSTRAINT ai_exchange_prompt_tokens_check CHECK ((prompt_tokens >= 0))
);
ALTER TABLE public.ai_exchange ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_exchange_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_externaloperator (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    url character varying(2048) NOT NULL,
    target character varying(2048) NOT NULL,
    standing character varying(16) DEFAULT 'draft'::character varying NOT NULL,
    state_changed_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    verified_at timestamp with time zone,
    secret text,
    old_secret text,
    secret_version integer DEFAULT 1 NOT NULL,
    rotation_started_at timestamp with time zone,
    overlap_ends_at timestamp with time zone,
    bearer text,
    requires_signed_replies boolean DEFAULT false NOT NULL,
    reply_timeout_sec smallint DEFAULT 120 NOT NULL,
    fallback character varying(8) DEFAULT 'handoff'::character varying NOT NULL,
    deleted_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    last_test_id bigint,
    answers_by_person boolean DEFAULT false NOT NULL,
    CONSTRAINT ai_externaloperator_reply_timeout_sec_check CHECK ((reply_timeout_sec >= 0)),
    CONSTRAINT ai_externaloperator_secret_version_check CHECK ((secret_version >= 0))
);
ALTER TABLE public.ai_externaloperator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_externaloperator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_operatorevent (
    id uuid NOT NULL,
    type character varying(16) NOT NULL,
    secret_version integer NOT NULL,
    has_next boolean DEFAULT false NOT NULL,
    status character varying(16) DEFAULT 'pending'::character varying NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    operator_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    CONSTRAINT ai_operatorevent_secret_version_check CHECK ((secret_version >= 0))
);
CREATE TABLE public.ai_operatorhealth (
    operator_id bigint NOT NULL,
    consecutive_failures integer DEFAULT 0 NOT NULL,
    degraded_until timestamp with time zone,
    last_delivered_at timestamp with time zone,
    last_failed_at timestamp with time zone,
    last_error character varying(16),
    CONSTRAINT ai_operatorhealth_consecutive_failures_check CHECK ((consecutive_failures >= 0))
);
CREATE TABLE public.ai_operatormove (
    id bigint NOT NULL,
    action character varying(16) NOT NULL,
    from_state character varying(16) NOT NULL,
    to_state character varying(16) NOT NULL,
    reason character varying(500) DEFAULT ''::character varying NOT NULL,
    actor jsonb NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    operator_id bigint NOT NULL
);
ALTER TABLE public.ai_operatormove ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_operatormove_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_personahistory (
    id bigint NOT NULL,
    assistant_id bigint NOT NULL,
    action character varying(16) NOT NULL,
    from_version integer,
    to_version integer NOT NULL,
    actor jsonb NOT NULL,
    patch jsonb,
    reason text DEFAULT ''::text NOT NULL,
    metrics jsonb,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    cycle_id bigint,
    wish_id bigint,
    CONSTRAINT ai_personahistory_from_version_check CHECK ((from_version >= 0)),
    CONSTRAINT ai_personahistory_to_version_check CHECK ((to_version >= 0))
);
ALTER TABLE public.ai_personahistory ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_personahistory_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_personaversion (
    id bigint NOT NULL,
    version integer NOT NULL,
    cause character varying(16) NOT NULL,
    persona text NOT NULL,
    system_prompt text NOT NULL,
    summary text DEFAULT ''::text NOT NULL,
    restores integer,
    patch jsonb,
    actor jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    assistant_id bigint NOT NULL,
    cycle_id bigint,
    wish_id bigint,
    CONSTRAINT ai_personaversion_restores_check CHECK ((restores >= 0)),
    CONSTRAINT ai_personaversion_version_check CHECK ((version >= 0))
);
ALTER TABLE public.ai_personaversion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_personaversion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_probetest (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    url character varying(2048) NOT NULL,
    target character varying(2048) NOT NULL,
    challenge character varying(64) NOT NULL,
    status character varying(16) DEFAULT 'queued'::character varying NOT NULL,
    challenge_ok boolean,
    response_status smallint,
    error character varying(16),
    duration_ms integer,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    operator_id bigint NOT NULL,
    CONSTRAINT ai_probetest_duration_ms_check CHECK ((duration_ms >= 0)),
    CONSTRAINT ai_probetest_response_status_check CHECK ((response_status >= 0))
);
ALTER TABLE public.ai_probetest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_probetest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_replyjob (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    restarts smallint DEFAULT 0 NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT ai_replyjob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT ai_replyjob_claims_check CHECK ((claims >= 0)),
    CONSTRAINT ai_replyjob_generation_check CHECK ((generation >= 0)),
    CONSTRAINT ai_replyjob_restarts_check CHECK ((restarts >= 0))
);
ALTER TABLE public.ai_replyjob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_replyjob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_replytoken (
    token_id bigint NOT NULL,
    operator_id bigint NOT NULL
);
CREATE TABLE public.ai_trial (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    question text NOT NULL,
    locale character varying(8) DEFAULT ''::character varying NOT NULL,
    operators character varying(8) DEFAULT ''::character varying NOT NULL,
    most_s smallint NOT NULL,
    result jsonb,
    refusal jsonb,
    asked_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    assistant_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT ai_trial_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT ai_trial_claims_check CHECK ((claims >= 0)),
    CONSTRAINT ai_trial_generation_check CHECK ((generation >= 0)),
    CONSTRAINT ai_trial_most_s_check CHECK ((most_s >= 0))
);
ALTER TABLE public.ai_trial ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_trial_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_turn (
    id bigint NOT NULL,
    causation_id character varying(128) NOT NULL COLLATE pg_catalog."C",
    first_message_id bigint NOT NULL,
    last_message_id bigint NOT NULL,
    way character varying(16) NOT NULL,
    state character varying(16) NOT NULL,
    ending character varying(24) DEFAULT ''::character varying NOT NULL,
    owes_cancellation boolean DEFAULT false NOT NULL,
    result jsonb,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    taken_at timestamp with time zone,
    ended_at timestamp with time zone,
    chat_id bigint NOT NULL,
    operator_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.ai_turn ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_turn_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ai_usage (
    id bigint NOT NULL,
    operator_id bigint,
    chat_id bigint,
    purpose character varying(16) NOT NULL,
    model character varying(200) NOT NULL,
    prompt_tokens integer NOT NULL,
    completion_tokens integer NOT NULL,
    latency_ms integer NOT NULL,
    outcome character varying(24) NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    assistant_id bigint,
    credential_id bigint,
    widget_id bigint NOT NULL,
    reserved_tokens integer DEFAULT 0 NOT NULL,
    prompt_price numeric(14,6),
    completion_price numeric(14,6),
    currency character varying(3) DEFAULT ''::character varying NOT NULL,
    cost numeric(28,12),
    CONSTRAINT ai_usage_completion_tokens_check CHECK ((completion_tokens >= 0)),
    CONSTRAINT ai_usage_latency_ms_check CHECK ((latency_ms >= 0)),
    CONSTRAINT ai_usage_prompt_tokens_check CHECK ((prompt_tokens >= 0)),
    CONSTRAINT ai_usage_reserved_tokens_check CHECK ((reserved_tokens >= 0))
);
ALTER TABLE public.ai_usage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.ai_usage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_article (
    id bigint NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    origin_key character varying(500),
    gap_key character varying(200),
    asked jsonb,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    category_id bigint,
    CONSTRAINT articles_article_position_check CHECK (("position" >= 0))
);
ALTER TABLE public.articles_article ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_article_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articlecategory (
    id bigint NOT NULL,
    name jsonb NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articlecategory_position_check CHECK (("position" >= 0))
);
ALTER TABLE public.articles_articlecategory ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articlecategory_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articledraft (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    base_version integer NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    text_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articledraft_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT articles_articledraft_base_version_check CHECK ((base_version >= 0)),
    CONSTRAINT articles_articledraft_claims_check CHECK ((claims >= 0)),
    CONSTRAINT articles_articledraft_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.articles_articledraft ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articledraft_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articleimport (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    state character varying(7) DEFAULT 'queued'::character varying NOT NULL,
    name character varying(255) DEFAULT ''::character varying NOT NULL,
    storage_key character varying(255) DEFAULT ''::character varying NOT NULL,
    url character varying(2000) DEFAULT ''::character varying NOT NULL,
    lang character varying(8) DEFAULT ''::character varying NOT NULL,
    dry_run boolean DEFAULT false NOT NULL,
    publish boolean DEFAULT false NOT NULL,
    actor character varying(200) DEFAULT ''::character varying NOT NULL,
    created integer DEFAULT 0 NOT NULL,
    updated integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    pictures integer DEFAULT 0 NOT NULL,
    problems jsonb DEFAULT '[]'::jsonb NOT NULL,
    error character varying(32) DEFAULT ''::character varying NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    linked jsonb DEFAULT '[]'::jsonb NOT NULL,
    found jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    category_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articleimport_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT articles_articleimport_claims_check CHECK ((claims >= 0)),
    CONSTRAINT articles_articleimport_created_check CHECK ((created >= 0)),
    CONSTRAINT articles_articleimport_generation_check CHECK ((generation >= 0)),
    CONSTRAINT articles_articleimport_pictures_check CHECK ((pictures >= 0)),
    CONSTRAINT articles_articleimport_position_check CHECK (("position" >= 0)),
    CONSTRAINT articles_articleimport_refused_check CHECK ((refused >= 0)),
    CONSTRAINT articles_articleimport_unchanged_check CHECK ((unchanged >= 0)),
    CONSTRAINT articles_articleimport_updated_check CHECK ((updated >= 0))
);
ALTER TABLE public.articles_articleimport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articleimport_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articlepicture (
    id bigint NOT NULL,
    guid uuid NOT NULL,
    key character varying(255) NOT NULL,
    content_type character varying(32) NOT NULL,
    width smallint NOT NULL,
    height smallint NOT NULL,
    size integer NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articlepicture_height_check CHECK ((height >= 0)),
    CONSTRAINT articles_articlepicture_size_check CHECK ((size >= 0)),
    CONSTRAINT articles_articlepicture_width_check CHECK ((width >= 0))
);
ALTER TABLE public.articles_articlepicture ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articlepicture_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articlereader (
    id bigint NOT NULL,
    lang character varying(8) NOT NULL,
    key bytea NOT NULL,
    place character varying(8) NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    read_at timestamp with time zone,
    chatted boolean,
    helpful boolean,
    reason character varying(8) DEFAULT ''::character varying NOT NULL,
    text character varying(500) DEFAULT ''::character varying NOT NULL,
    article_id bigint NOT NULL,
    contact_id bigint,
    widget_id bigint NOT NULL
);
ALTER TABLE public.articles_articlereader ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articlereader_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articlesearch (
    id bigint NOT NULL,
    key bytea NOT NULL,
    place character varying(8) NOT NULL,
    lang character varying(8) NOT NULL,
    query character varying(200) NOT NULL,
    day date NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    found bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    is_opened boolean DEFAULT false NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.articles_articlesearch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articlesearch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articletally (
    id bigint NOT NULL,
    lang character varying(8) NOT NULL,
    day date NOT NULL,
    page integer DEFAULT 0 NOT NULL,
    widget_views integer DEFAULT 0 NOT NULL,
    markdown integer DEFAULT 0 NOT NULL,
    suggested integer DEFAULT 0 NOT NULL,
    opened integer DEFAULT 0 NOT NULL,
    helpful integer DEFAULT 0 NOT NULL,
    not_helpful integer DEFAULT 0 NOT NULL,
    wrong integer DEFAULT 0 NOT NULL,
    unclear integer DEFAULT 0 NOT NULL,
    missing integer DEFAULT 0 NOT NULL,
    other integer DEFAULT 0 NOT NULL,
    chatted_after integer DEFAULT 0 NOT NULL,
    silent integer DEFAULT 0 NOT NULL,
    article_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articletally_chatted_after_check CHECK ((chatted_after >= 0)),
    CONSTRAINT articles_articletally_helpful_check CHECK ((helpful >= 0)),
    CONSTRAINT articles_articletally_markdown_check CHECK ((markdown >= 0)),
    CONSTRAINT articles_articletally_missing_check CHECK ((missing >= 0)),
    CONSTRAINT articles_articletally_not_helpful_check CHECK ((not_helpful >= 0)),
    CONSTRAINT articles_articletally_opened_check CHECK ((opened >= 0)),
    CONSTRAINT articles_articletally_other_check CHECK ((other >= 0)),
    CONSTRAINT articles_articletally_page_check CHECK ((page >= 0)),
    CONSTRAINT articles_articletally_silent_check CHECK ((silent >= 0)),
    CONSTRAINT articles_articletally_suggested_check CHECK ((suggested >= 0)),
    CONSTRAINT articles_articletally_unclear_check CHECK ((unclear >= 0)),
    CONSTRAINT articles_articletally_widget_views_check CHECK ((widget_views >= 0)),
    CONSTRAINT articles_articletally_wrong_check CHECK ((wrong >= 0))
);
ALTER TABLE public.articles_articletally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articletally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articletext (
    id bigint NOT NULL,
    lang character varying(8) NOT NULL,
    slug character varying(80) DEFAULT ''::character varying NOT NULL,
    title character varying(200) NOT NULL,
    summary character varying(300) DEFAULT ''::character varying NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    published_version integer,
    published_at timestamp with time zone,
    publish_at timestamp with time zone,
    publish_version integer,
    draft_state character varying(8) DEFAULT 'none'::character varying NOT NULL,
    unsupported jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    article_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articletext_publish_version_check CHECK ((publish_version >= 0)),
    CONSTRAINT articles_articletext_published_version_check CHECK ((published_version >= 0)),
    CONSTRAINT articles_articletext_version_check CHECK ((version >= 0))
);
ALTER TABLE public.articles_articletext ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articletext_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articletold (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    agent_id bigint NOT NULL,
    question text NOT NULL,
    asked_message_id bigint NOT NULL,
    outcome character varying(8) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    article_id bigint NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articletold_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT articles_articletold_claims_check CHECK ((claims >= 0)),
    CONSTRAINT articles_articletold_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.articles_articletold ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articletold_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articleversion (
    id bigint NOT NULL,
    version integer NOT NULL,
    slug character varying(80) DEFAULT ''::character varying NOT NULL,
    title character varying(200) NOT NULL,
    summary character varying(300) DEFAULT ''::character varying NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    actor character varying(200) DEFAULT ''::character varying NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    text_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_articleversion_version_check CHECK ((version >= 0))
);
ALTER TABLE public.articles_articleversion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articleversion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_articleword (
    id bigint NOT NULL,
    lexeme character varying(64) NOT NULL,
    spelling character varying(128) NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.articles_articleword ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_articleword_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.articles_helpcenter (
    widget_id bigint NOT NULL,
    is_public boolean DEFAULT false NOT NULL,
    slug character varying(40),
    title jsonb,
    intro jsonb,
    default_language character varying(8) DEFAULT ''::character varying NOT NULL,
    home_url character varying(2000) DEFAULT ''::character varying NOT NULL,
    footer jsonb DEFAULT '[]'::jsonb NOT NULL,
    indexing boolean DEFAULT true NOT NULL,
    in_widget character varying(8) DEFAULT 'off'::character varying NOT NULL,
    for_ai boolean DEFAULT true NOT NULL,
    show_chat boolean DEFAULT true NOT NULL,
    domain character varying(253),
    domain_state character varying(8) DEFAULT ''::character varying NOT NULL,
    domain_token character varying(32) DEFAULT ''::character varying NOT NULL,
    domain_checked_at timestamp with time zone,
    domain_failed_since timestamp with time zone,
    domain_problem character varying(32) DEFAULT ''::character varying NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
CREATE TABLE public.articles_searchabletext (
    id bigint NOT NULL,
    lang character varying(8) NOT NULL,
    version integer NOT NULL,
    titled tsvector NOT NULL,
    searched tsvector NOT NULL,
    marks text[] NOT NULL,
    excerpt text NOT NULL,
    is_due boolean DEFAULT false NOT NULL,
    article_id bigint NOT NULL,
    text_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT articles_searchabletext_version_check CHECK ((version >= 0))
);
ALTER TABLE public.articles_searchabletext ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.articles_searchabletext_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.assists_assist (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    client_id uuid NOT NULL,
    kind character varying(16) NOT NULL,
    tool character varying(32) DEFAULT ''::character varying NOT NULL,
    is_automatic boolean DEFAULT false NOT NULL,
    state character varying(8) DEFAULT 'queued'::character varying NOT NULL,
    asked text NOT NULL,
    result text NOT NULL,
    language character varying(3) DEFAULT ''::character varying NOT NULL,
    based_on bigint DEFAULT 0 NOT NULL,
    reason character varying(32) DEFAULT ''::character varying NOT NULL,
    outcome character varying(16) DEFAULT ''::character varying NOT NULL,
    distance double precision,
    helpful boolean,
    comment text DEFAULT ''::text NOT NULL,
    question text DEFAULT ''::text NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    sent text DEFAULT ''::text NOT NULL,
    sent_message_id bigint,
    is_redacted boolean DEFAULT false NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    agent_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT assists_assist_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT assists_assist_claims_check CHECK ((claims >= 0)),
    CONSTRAINT assists_assist_generation_check CHECK ((generation >= 0)),
    CONSTRAINT assists_assist_version_check CHECK ((version >= 0))
);
ALTER TABLE public.assists_assist ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.assists_assist_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.assists_chatsummary (
    chat_id bigint NOT NULL,
    assist_id bigint DEFAULT 0 NOT NULL,
    wants text NOT NULL,
    done text DEFAULT ''::text NOT NULL,
    open jsonb DEFAULT '[]'::jsonb NOT NULL,
    promised jsonb DEFAULT '[]'::jsonb NOT NULL,
    tags jsonb DEFAULT '[]'::jsonb NOT NULL,
    language character varying(3) NOT NULL,
    up_to_message_id bigint NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
CREATE TABLE public.assists_owntool (
    id bigint NOT NULL,
    names jsonb NOT NULL,
    instruction text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.assists_owntool ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.assists_owntool_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.assists_pastquestion (
    message_id bigint NOT NULL,
    digest bytea NOT NULL,
    space character varying(32) NOT NULL COLLATE pg_catalog."C",
    dimension smallint NOT NULL,
    vector public.halfvec NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT assists_pastquestion_dimension_check CHECK ((dimension >= 0))
);
CREATE TABLE public.assists_translationjob (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT assists_translationjob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT assists_translationjob_claims_check CHECK ((claims >= 0)),
    CONSTRAINT assists_translationjob_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.assists_translationjob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.assists_translationjob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.automations_automation (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    is_enabled boolean DEFAULT false NOT NULL,
    "position" smallint DEFAULT 0 NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    "when" jsonb NOT NULL,
    condition jsonb,
    "then" jsonb NOT NULL,
    stop boolean DEFAULT false NOT NULL,
    enabled_at timestamp with time zone,
    tried_version integer,
    tried_at timestamp with time zone,
    tried_chats integer DEFAULT 0 NOT NULL,
    tried_runs integer DEFAULT 0 NOT NULL,
    problem jsonb,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT automations_automation_position_check CHECK (("position" >= 0)),
    CONSTRAINT automations_automation_tried_chats_check CHECK ((tried_chats >= 0)),
    CONSTRAINT automations_automation_tried_runs_check CHECK ((tried_runs >= 0)),
    CONSTRAINT automations_automation_tried_version_check CHECK ((tried_version >= 0)),
    CONSTRAINT automations_automation_version_check CHECK ((version >= 0))
);
ALTER TABLE public.automations_automation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.automations_automation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.automations_automationevent (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    event character varying(24) NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    chain jsonb DEFAULT '[]'::jsonb NOT NULL,
    depth smallint DEFAULT 0 NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT automations_automationevent_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT automations_automationevent_claims_check CHECK ((claims >= 0)),
    CONSTRAINT automations_automationevent_depth_check CHECK ((depth >= 0)),
    CONSTRAINT automations_automationevent_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.automations_automationevent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.automations_automationevent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.automations_automationrun (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    version integer,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    trigger jsonb NOT NULL,
    event_key character varying(80) DEFAULT ''::character varying NOT NULL,
    client_id uuid,
    why jsonb DEFAULT '[]'::jsonb NOT NULL,
    did jsonb DEFAULT '[]'::jsonb NOT NULL,
    before jsonb DEFAULT '[]'::jsonb NOT NULL,
    state character varying(8) NOT NULL,
    depth smallint DEFAULT 0 NOT NULL,
    undone_at timestamp with time zone,
    agent_id bigint,
    automation_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    macro_id bigint,
    CONSTRAINT automations_automationrun_depth_check CHECK ((depth >= 0)),
    CONSTRAINT automations_automationrun_version_check CHECK ((version >= 0))
);
ALTER TABLE public.automations_automationrun ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.automations_automationrun_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.automations_automationversion (
    id bigint NOT NULL,
    version integer NOT NULL,
    "when" jsonb NOT NULL,
    condition jsonb,
    "then" jsonb NOT NULL,
    stop boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    automation_id bigint NOT NULL,
    CONSTRAINT automations_automationversion_version_check CHECK ((version >= 0))
);
ALTER TABLE public.automations_automationversion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.automations_automationversion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.automations_macro (
    id bigint NOT NULL,
    name character varying(60) NOT NULL,
    key smallint,
    "then" jsonb NOT NULL,
    inputs jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT automations_macro_key_check CHECK ((key >= 0))
);
ALTER TABLE public.automations_macro ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.automations_macro_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.automations_undojob (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    since timestamp with time zone NOT NULL,
    automation_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT automations_undojob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT automations_undojob_claims_check CHECK ((claims >= 0)),
    CONSTRAINT automations_undojob_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.automations_undojob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.automations_undojob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_entry (
    id bigint NOT NULL,
    debited character varying(32) NOT NULL,
    credited character varying(32) NOT NULL,
    amount_minor bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    transaction_id bigint NOT NULL,
    CONSTRAINT billing_entry_moves_something CHECK (((amount_minor > 0) AND (NOT ((debited)::text = (credited)::text))))
);
ALTER TABLE public.billing_entry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_invoice (
    id bigint NOT NULL,
    number character varying(32) DEFAULT ''::character varying NOT NULL,
    status character varying(32) NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) DEFAULT 'RUB'::character varying NOT NULL,
    items jsonb NOT NULL,
    reference character varying(64) NOT NULL,
    due_at timestamp with time zone,
    paid_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    account_id bigint NOT NULL,
    document_id bigint,
    widget_id bigint NOT NULL,
    entity_id bigint NOT NULL,
    cancelled_at timestamp with time zone,
    payee jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT billing_invoice_of_something CHECK ((amount_minor > 0))
);
ALTER TABLE public.billing_invoice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_invoice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_legalentity (
    id bigint NOT NULL,
    short_name character varying(255) NOT NULL,
    full_name character varying(1000) NOT NULL,
    representative character varying(255) NOT NULL,
    legal_address character varying(1000) NOT NULL,
    postal_address character varying(1000) NOT NULL,
    contact_person character varying(255) NOT NULL,
    contact_phone character varying(32) NOT NULL,
    inn character varying(12) NOT NULL,
    kpp character varying(9) NOT NULL,
    ogrn character varying(15) NOT NULL,
    bank_name character varying(255) NOT NULL,
    bik character varying(9) NOT NULL,
    checking_account character varying(20) NOT NULL,
    correspondent_account character varying(20) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    account_id bigint NOT NULL
);
ALTER TABLE public.billing_legalentity ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_legalentity_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_payee (
    id bigint NOT NULL,
    name character varying(160) NOT NULL,
    inn character varying(12) NOT NULL,
    kpp character varying(9) NOT NULL,
    address character varying(1000) NOT NULL,
    bank_name character varying(255) NOT NULL,
    bik character varying(9) NOT NULL,
    checking_account character varying(20) NOT NULL,
    correspondent_account character varying(20) NOT NULL,
    director character varying(255) DEFAULT ''::character varying NOT NULL,
    accountant character varying(255) DEFAULT ''::character varying NOT NULL,
    vat_rate smallint,
    "only" boolean DEFAULT true NOT NULL,
    CONSTRAINT billing_payee_once CHECK ("only"),
    CONSTRAINT billing_payee_vat_rate_check CHECK ((vat_rate >= 0))
);
ALTER TABLE public.billing_payee ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_payee_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_plan (
    id bigint NOT NULL,
    code character varying(50) NOT NULL,
    name character varying(255) NOT NULL,
    kind character varying(32) NOT NULL,
    price_minor bigint NOT NULL,
    currency character varying(3) DEFAULT 'RUB'::character varying NOT NULL,
    days integer,
    ad_slots integer DEFAULT 0 NOT NULL,
    is_on_sale boolean DEFAULT true NOT NULL,
    CONSTRAINT billing_plan_ad_slots_check CHECK ((ad_slots >= 0)),
    CONSTRAINT billing_plan_days_check CHECK ((days >= 0)),
    CONSTRAINT billing_plan_has_a_price CHECK ((price_minor > 0))
);
ALTER TABLE public.billing_plan ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_plan_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_subscription (
    id bigint NOT NULL,
    plan character varying(50) NOT NULL,
    name character varying(255) NOT NULL,
    kind character varying(32) NOT NULL,
    status character varying(32) NOT NULL,
    price_minor bigint NOT NULL,
    currency character varying(3) DEFAULT 'RUB'::character varying NOT NULL,
    ad_slots integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    account_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    given_by character varying(64) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT billing_subscription_ad_slots_check CHECK ((ad_slots >= 0))
);
ALTER TABLE public.billing_subscription ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_subscription_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_transaction (
    id bigint NOT NULL,
    type character varying(32) NOT NULL,
    state character varying(32) NOT NULL,
    direction character varying(32) NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) DEFAULT 'RUB'::character varying NOT NULL,
    description character varying(255) DEFAULT ''::character varying NOT NULL,
    reference character varying(64) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    settled_at timestamp with time zone,
    account_id bigint NOT NULL,
    entity_id bigint,
    invoice_id bigint,
    subscription_id bigint,
    widget_id bigint,
    wallet_id bigint NOT NULL,
    CONSTRAINT billing_transaction_of_something CHECK ((amount_minor > 0))
);
ALTER TABLE public.billing_transaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_transaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.billing_wallet (
    id bigint NOT NULL,
    currency character varying(3) DEFAULT 'RUB'::character varying NOT NULL,
    credited_minor bigint DEFAULT 0 NOT NULL,
    debited_minor bigint DEFAULT 0 NOT NULL,
    reserved_minor bigint DEFAULT 0 NOT NULL,
    account_id bigint NOT NULL,
    widget_id bigint,
    CONSTRAINT billing_wallet_not_overdrawn CHECK (((credited_minor >= (debited_minor + reserved_minor)) AND (reserved_minor >= 0)))
);
ALTER TABLE public.billing_wallet ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.billing_wallet_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cards_cardaction (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    client_id uuid NOT NULL,
    key character varying(40) NOT NULL,
    action character varying(60) NOT NULL,
    value text,
    state character varying(8) DEFAULT 'running'::character varying NOT NULL,
    message text,
    locale character varying(10) DEFAULT 'en'::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    sent_at timestamp with time zone,
    agent_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT cards_cardaction_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT cards_cardaction_claims_check CHECK ((claims >= 0)),
    CONSTRAINT cards_cardaction_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.cards_cardaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.cards_cardaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.cards_cardsettings (
    widget_id bigint NOT NULL,
    url character varying(2048) NOT NULL,
    target character varying(2048) NOT NULL,
    cards jsonb NOT NULL,
    secret text NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
CREATE TABLE public.cards_chatcards (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    locale character varying(10) DEFAULT 'en'::character varying NOT NULL,
    contents text,
    kept_since timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT cards_chatcards_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT cards_chatcards_claims_check CHECK ((claims >= 0)),
    CONSTRAINT cards_chatcards_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.cards_chatcards ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.cards_chatcards_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_block (
    id bigint NOT NULL,
    network character varying(43) DEFAULT ''::character varying NOT NULL,
    reason character varying(255) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    until timestamp with time zone,
    agent_id bigint,
    contact_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT chats_block_of_one CHECK ((((contact_id IS NOT NULL) AND ((network)::text = ''::text)) OR ((contact_id IS NULL) AND ((network)::text > ''::text))))
);
ALTER TABLE public.chats_block ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_block_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_chat (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    contact_id bigint NOT NULL,
    department_id bigint,
    internal boolean DEFAULT false NOT NULL,
    channel character varying(32) DEFAULT 'widget'::character varying NOT NULL,
    status character varying(8) DEFAULT 'active'::character varying NOT NULL,
    agent_id bigint,
    handling character varying(16) DEFAULT 'missed'::character varying NOT NULL,
    accepted_agent_id bigint,
    accepted_type character varying(8),
    accepted_at timestamp with time zone,
    handled_agent_id bigint,
    handled_type character varying(8),
    handled_at timestamp with time zone,
    has_client_messages boolean DEFAULT false NOT NULL,
    last_message_at timestamp with time zone,
    last_message_id bigint,
    expired_at timestamp with time zone,
    rating_requested_at timestamp with time zone,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    handed_over_at timestamp with time zone,
    handover_reason character varying(32),
    waiting_since timestamp with time zone,
    dealt_with_message_id bigint,
    left_unanswered_at timestamp with time zone,
    translation jsonb,
    snoozed_at timestamp with time zone,
    snoozed_until timestamp with time zone,
    snoozed_by_id bigint,
    snoozed_after_id bigint,
    woken_at timestamp with time zone,
    owner_away_at timestamp with time zone,
    for_people_since timestamp with time zone,
    priority character varying(8) DEFAULT 'normal'::character varying NOT NULL,
    queued_at timestamp with time zone,
    offered_to_id bigint,
    offered_at timestamp with time zone,
    offered_until timestamp with time zone,
    owner_silent_at timestamp with time zone,
    answer_missed_at timestamp with time zone,
    answers jsonb,
    invitation_id bigint,
    invitation_name character varying(80) DEFAULT ''::character varying NOT NULL
);
ALTER TABLE public.chats_chat ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_chat_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_chatstep (
    id bigint NOT NULL,
    kind character varying(16) NOT NULL,
    comment character varying(1000) DEFAULT ''::character varying NOT NULL,
    after_message_id bigint NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    chat_id bigint NOT NULL,
    department_id bigint,
    to_agent_id bigint,
    widget_id bigint NOT NULL,
    run_id bigint,
    version integer,
    CONSTRAINT chats_chatstep_version_check CHECK ((version >= 0))
);
ALTER TABLE public.chats_chatstep ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_chatstep_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_chattally (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    channel character varying(32) NOT NULL,
    internal boolean NOT NULL,
    handling character varying(16) NOT NULL,
    accepted_type character varying(8),
    handled_type character varying(8),
    chats integer NOT NULL,
    answered integer NOT NULL,
    waited interval NOT NULL
);
ALTER TABLE public.chats_chattally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_chattally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_contact (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    guid character varying(32) NOT NULL,
    name character varying(255) DEFAULT ''::character varying NOT NULL,
    email character varying(254) DEFAULT ''::character varying NOT NULL,
    phone character varying(32) DEFAULT ''::character varying NOT NULL,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    external_id character varying(128),
    consents jsonb
);
ALTER TABLE public.chats_contact ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_contact_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_contactjoin (
    id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    contact_id bigint NOT NULL,
    first_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT chats_join_of_two CHECK ((NOT (contact_id = first_id)))
);
ALTER TABLE public.chats_contactjoin ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_contactjoin_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_contactnote (
    id bigint NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    contact_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.chats_contactnote ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_contactnote_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_contacttag (
    id bigint NOT NULL,
    contact_id bigint NOT NULL,
    tag_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
ALTER TABLE public.chats_contacttag ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_contacttag_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_desksettings (
    widget_id bigint NOT NULL,
    drafts character varying(8) DEFAULT 'asked'::character varying NOT NULL,
    past_answers boolean DEFAULT true NOT NULL,
    summaries character varying(8) DEFAULT 'handover'::character varying NOT NULL,
    translation character varying(8) DEFAULT 'offer'::character varying NOT NULL,
    away_minutes smallint DEFAULT 15 NOT NULL,
    attribute_kinds jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT chats_desksettings_away_minutes_check CHECK ((away_minutes >= 0))
);
CREATE TABLE public.chats_file (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    token_id bigint,
    contact_id bigint,
    name character varying(255) NOT NULL,
    size bigint NOT NULL,
    content_type character varying(100) NOT NULL,
    storage_key character varying(64) NOT NULL,
    sha256 bytea NOT NULL,
    is_sent boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    purpose character varying(16) DEFAULT 'attachment'::character varying NOT NULL,
    CONSTRAINT chats_file_not_empty CHECK ((size > 0))
);
ALTER TABLE public.chats_file ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_message (
    id bigint NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    type character varying(8) DEFAULT 'text'::character varying NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    markdown text,
    details jsonb,
    origin character varying(64),
    sender_kind character varying(17) NOT NULL,
    agent_id bigint,
    sender_name character varying(511) DEFAULT ''::character varying NOT NULL,
    is_internal boolean DEFAULT false NOT NULL,
    client_id uuid,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    seen_at timestamp with time zone,
    via character varying(16),
    delivery jsonb,
    language character varying(16),
    page character varying(500),
    assistant_id bigint
);
ALTER TABLE public.chats_message ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_messageedit (
    id bigint NOT NULL,
    change character varying(8) NOT NULL,
    type character varying(8) NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    markdown text,
    details jsonb,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    chat_id bigint NOT NULL,
    message_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.chats_messageedit ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_messageedit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_messagetally (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    messages integer NOT NULL
);
ALTER TABLE public.chats_messagetally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_messagetally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_rating (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    chat_id bigint NOT NULL,
    value smallint NOT NULL,
    comment text DEFAULT ''::text NOT NULL,
    agent_id bigint,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    rated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    after_message_id bigint DEFAULT 0 NOT NULL,
    CONSTRAINT chats_rating_value CHECK (((value >= 1) AND (value <= 5))),
    CONSTRAINT chats_rating_value_check CHECK ((value >= 0))
);
ALTER TABLE public.chats_rating ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_rating_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_ratingrequest (
    id bigint NOT NULL,
    cause character varying(12) NOT NULL,
    channel character varying(32) NOT NULL,
    after_message_id bigint NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    until timestamp with time zone,
    digest character varying(64),
    answered_at timestamp with time zone,
    declined_at timestamp with time zone,
    agent_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.chats_ratingrequest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_ratingrequest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_responsetally (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    answered integer NOT NULL,
    waited interval NOT NULL
);
ALTER TABLE public.chats_responsetally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_responsetally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_retention (
    widget_id bigint NOT NULL,
    chats smallint,
    files smallint,
    contacts smallint,
    deliveries smallint,
    exchanges smallint,
    CONSTRAINT chats_retention_chats_check CHECK ((chats >= 0)),
    CONSTRAINT chats_retention_contacts_check CHECK ((contacts >= 0)),
    CONSTRAINT chats_retention_deliveries_check CHECK ((deliveries >= 0)),
    CONSTRAINT chats_retention_exchanges_check CHECK ((exchanges >= 0)),
    CONSTRAINT chats_retention_files_check CHECK ((files >= 0))
);
CREATE UNLOGGED TABLE public.chats_searchedmessage (
    message_id bigint NOT NULL,
    chat_id bigint NOT NULL,
    body text NOT NULL,
    widget_id bigint NOT NULL
);
CREATE UNLOGGED TABLE public.chats_searchprogress (
    id smallint NOT NULL,
    settled_id bigint,
    filled_from bigint,
    seen_id bigint,
    seen_writing text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT chats_searchprogress_one CHECK ((id = 1))
);
CREATE TABLE public.chats_stalehour (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    hour timestamp with time zone NOT NULL,
    kind character varying(9) NOT NULL
);
ALTER TABLE public.chats_stalehour ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_stalehour_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_tag (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    name character varying(64) NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE public.chats_tag ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_tag_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_tallyprogress (
    id smallint NOT NULL,
    until timestamp with time zone,
    seen_at timestamp with time zone,
    seen_writing text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT chats_tallyprogress_one CHECK ((id = 1))
);
CREATE TABLE public.chats_timer (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    kind character varying(16) NOT NULL,
    key character varying(64) DEFAULT ''::character varying NOT NULL,
    anchor character varying(64) NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT chats_timer_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT chats_timer_claims_check CHECK ((claims >= 0)),
    CONSTRAINT chats_timer_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.chats_timer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_timer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chats_transfer (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    chat_id bigint NOT NULL,
    from_agent_id bigint,
    to_agent_id bigint,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
ALTER TABLE public.chats_transfer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_transfer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE UNLOGGED TABLE public.chats_unsearchedmessage (
    id bigint NOT NULL,
    message_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.chats_unsearchedmessage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chats_unsearchedmessage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.compat_legacybot (
    id bigint NOT NULL,
    url character varying(2048) NOT NULL,
    target character varying(2048) NOT NULL,
    secret text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.compat_legacybot ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.compat_legacybot_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.compat_takenchat (
    chat_id bigint NOT NULL,
    taken_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
CREATE TABLE public.console_browser (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    session_key character varying(40) NOT NULL,
    digest bytea NOT NULL,
    endpoint text NOT NULL,
    p256dh character varying(100) NOT NULL,
    auth text NOT NULL,
    told_up_to bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint NOT NULL,
    CONSTRAINT console_browser_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT console_browser_claims_check CHECK ((claims >= 0)),
    CONSTRAINT console_browser_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.console_browser ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.console_browser_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.console_pushkey (
    id smallint NOT NULL,
    private text NOT NULL,
    CONSTRAINT console_pushkey_one CHECK ((id = 1))
);
CREATE TABLE public.console_reply (
    id bigint NOT NULL,
    shortcut character varying(32) NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    widget_id bigint NOT NULL,
    translations jsonb DEFAULT '[]'::jsonb NOT NULL
);
ALTER TABLE public.console_reply ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.console_reply_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.console_ticket (
    id bigint NOT NULL,
    digest bytea NOT NULL,
    session_key character varying(40) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    agent_id bigint NOT NULL
);
ALTER TABLE public.console_ticket ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.console_ticket_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.core_idempotencykey (
    id bigint NOT NULL,
    token_id bigint,
    key character varying(255) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint,
    about jsonb
);
ALTER TABLE public.core_idempotencykey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.core_idempotencykey_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.core_mail (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    guid uuid NOT NULL,
    "to" character varying(254) NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT core_mail_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT core_mail_claims_check CHECK ((claims >= 0)),
    CONSTRAINT core_mail_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.core_mail ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.core_mail_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.core_orphanedobject (
    key character varying(255) NOT NULL,
    sweep_at timestamp with time zone DEFAULT (statement_timestamp() + '1 day'::interval) NOT NULL
);
CREATE TABLE public.core_spending (
    id bigint NOT NULL,
    scope character varying(64) NOT NULL,
    key character varying(64) NOT NULL,
    weight integer NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT core_spending_weight_check CHECK ((weight >= 0))
);
ALTER TABLE public.core_spending ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.core_spending_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id bigint NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);
ALTER TABLE public.django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_celery_beat_clockedschedule (
    id integer NOT NULL,
    clocked_time timestamp with time zone NOT NULL
);
ALTER TABLE public.django_celery_beat_clockedschedule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_celery_beat_clockedschedule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_celery_beat_crontabschedule (
    id integer NOT NULL,
    minute character varying(240) NOT NULL,
    hour character varying(96) NOT NULL,
    day_of_week character varying(64) NOT NULL,
    day_of_month character varying(124) NOT NULL,
    month_of_year character varying(64) NOT NULL,
    timezone character varying(63) NOT NULL
);
ALTER TABLE public.django_celery_beat_crontabschedule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_celery_beat_crontabschedule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_celery_beat_intervalschedule (
    id integer NOT NULL,
    every integer NOT NULL,
    period character varying(24) NOT NULL
);
ALTER TABLE public.django_celery_beat_intervalschedule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_celery_beat_intervalschedule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_celery_beat_periodictask (
    id integer NOT NULL,
    name character varying(200) NOT NULL,
    task character varying(200) NOT NULL,
    args text NOT NULL,
    kwargs text NOT NULL,
    queue character varying(200),
    exchange character varying(200),
    routing_key character varying(200),
    expires timestamp with time zone,
    enabled boolean NOT NULL,
    last_run_at timestamp with time zone,
    total_run_count integer NOT NULL,
    date_changed timestamp with time zone NOT NULL,
    description text NOT NULL,
    crontab_id integer,
    interval_id integer,
    solar_id integer,
    one_off boolean NOT NULL,
    start_time timestamp with time zone,
    priority integer,
    headers text NOT NULL,
    clocked_id integer,
    expire_seconds integer,
    CONSTRAINT django_celery_beat_periodictask_expire_seconds_check CHECK ((expire_seconds >= 0)),
    CONSTRAINT django_celery_beat_periodictask_priority_check CHECK ((priority >= 0)),
    CONSTRAINT django_celery_beat_periodictask_total_run_count_check CHECK ((total_run_count >= 0))
);
ALTER TABLE public.django_celery_beat_periodictask ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_celery_beat_periodictask_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_celery_beat_periodictasks (
    ident smallint NOT NULL,
    last_update timestamp with time zone NOT NULL
);
CREATE TABLE public.django_celery_beat_solarschedule (
    id integer NOT NULL,
    event character varying(24) NOT NULL,
    latitude numeric(9,6) NOT NULL,
    longitude numeric(9,6) NOT NULL
);
ALTER TABLE public.django_celery_beat_solarschedule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_celery_beat_solarschedule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);
CREATE TABLE public.kb_crawler (
    widget_id bigint NOT NULL,
    start_urls text[] NOT NULL,
    max_pages integer DEFAULT 200 NOT NULL,
    max_depth smallint DEFAULT 3 NOT NULL,
    include_paths text[] NOT NULL,
    exclude_paths text[] NOT NULL,
    use_sitemap boolean DEFAULT true NOT NULL,
    recrawl_every_hours smallint,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    next_run_at timestamp with time zone,
    repeated character varying(16)[] DEFAULT '{}'::character varying(16)[] NOT NULL,
    everywhere character varying(16)[] DEFAULT '{}'::character varying(16)[] NOT NULL,
    CONSTRAINT kb_crawler_max_depth_check CHECK ((max_depth >= 0)),
    CONSTRAINT kb_crawler_max_pages_check CHECK ((max_pages >= 0)),
    CONSTRAINT kb_crawler_recrawl_every_hours_check CHECK ((recrawl_every_hours >= 0))
);
CREATE TABLE public.kb_crawlpage (
    id bigint NOT NULL,
    url text NOT NULL,
    state character varying(6) NOT NULL,
    depth smallint NOT NULL,
    redirects smallint DEFAULT 0 NOT NULL,
    reason character varying(20) DEFAULT ''::character varying NOT NULL,
    etag text DEFAULT ''::text NOT NULL,
    last_modified text DEFAULT ''::text NOT NULL,
    content_hash character varying(64) DEFAULT ''::character varying NOT NULL,
    links text[] NOT NULL,
    widget_id bigint NOT NULL,
    run_id bigint NOT NULL,
    note character varying(32) DEFAULT ''::character varying NOT NULL,
    listed_at timestamp with time zone,
    read_at timestamp with time zone,
    CONSTRAINT kb_crawlpage_depth_check CHECK ((depth >= 0)),
    CONSTRAINT kb_crawlpage_redirects_check CHECK ((redirects >= 0))
);
ALTER TABLE public.kb_crawlpage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_crawlpage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kb_crawlrun (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    state character varying(9) NOT NULL,
    trigger character varying(8) NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    found integer DEFAULT 0 NOT NULL,
    fetched integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    unchanged integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    removed integer DEFAULT 0 NOT NULL,
    rules_written integer DEFAULT 0 NOT NULL,
    received_bytes bigint DEFAULT 0 NOT NULL,
    error_code character varying(32) DEFAULT ''::character varying NOT NULL,
    problems jsonb NOT NULL,
    hosts jsonb NOT NULL,
    robots jsonb NOT NULL,
    has_read_sitemaps boolean DEFAULT false NOT NULL,
    lacks_sitemaps boolean DEFAULT false NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT kb_crawlrun_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT kb_crawlrun_changed_check CHECK ((changed >= 0)),
    CONSTRAINT kb_crawlrun_claims_check CHECK ((claims >= 0)),
    CONSTRAINT kb_crawlrun_failed_check CHECK ((failed >= 0)),
    CONSTRAINT kb_crawlrun_fetched_check CHECK ((fetched >= 0)),
    CONSTRAINT kb_crawlrun_found_check CHECK ((found >= 0)),
    CONSTRAINT kb_crawlrun_generation_check CHECK ((generation >= 0)),
    CONSTRAINT kb_crawlrun_received_bytes_check CHECK ((received_bytes >= 0)),
    CONSTRAINT kb_crawlrun_removed_check CHECK ((removed >= 0)),
    CONSTRAINT kb_crawlrun_rules_written_check CHECK ((rules_written >= 0)),
    CONSTRAINT kb_crawlrun_skipped_check CHECK ((skipped >= 0)),
    CONSTRAINT kb_crawlrun_unchanged_check CHECK ((unchanged >= 0))
);
ALTER TABLE public.kb_crawlrun ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_crawlrun_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kb_embedding (
    id bigint NOT NULL,
    digest bytea NOT NULL,
    space character varying(32) NOT NULL COLLATE pg_catalog."C",
    vector public.halfvec NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE ONLY public.kb_embedding ALTER COLUMN vector SET STORAGE PLAIN;
ALTER TABLE public.kb_embedding ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_embedding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kb_knowledgebase (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    rules integer DEFAULT 0 NOT NULL,
    sources integer DEFAULT 0 NOT NULL,
    ready integer DEFAULT 0 NOT NULL,
    pending integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    "none" integer DEFAULT 0 NOT NULL,
    provider character varying(32) DEFAULT ''::character varying NOT NULL,
    endpoint character varying(2048) DEFAULT ''::character varying NOT NULL,
    model character varying(200) DEFAULT ''::character varying NOT NULL,
    dimension smallint,
    last_indexed_at timestamp with time zone,
    widget_id bigint NOT NULL,
    CONSTRAINT kb_knowledgebase_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT kb_knowledgebase_claims_check CHECK ((claims >= 0)),
    CONSTRAINT kb_knowledgebase_dimension_check CHECK ((dimension >= 0)),
    CONSTRAINT kb_knowledgebase_failed_check CHECK ((failed >= 0)),
    CONSTRAINT kb_knowledgebase_generation_check CHECK ((generation >= 0)),
    CONSTRAINT kb_knowledgebase_none_check CHECK (("none" >= 0)),
    CONSTRAINT kb_knowledgebase_pending_check CHECK ((pending >= 0)),
    CONSTRAINT kb_knowledgebase_ready_check CHECK ((ready >= 0)),
    CONSTRAINT kb_knowledgebase_rules_check CHECK ((rules >= 0)),
    CONSTRAINT kb_knowledgebase_sources_check CHECK ((sources >= 0))
);
ALTER TABLE public.kb_knowledgebase ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_knowledgebase_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kb_rule (
    id bigint NOT NULL,
    content text NOT NULL,
    title character varying(255) DEFAULT ''::character varying NOT NULL,
    chunk_index integer DEFAULT 0 NOT NULL,
    digest bytea NOT NULL,
    embedding_status character varying(7) DEFAULT 'none'::character varying NOT NULL,
    searched tsvector GENERATED ALWAYS AS ((setweight(to_tsvector('russian'::regconfig, translate((title)::text, 'ёЁ'::text, 'еЕ'::text)), 'A'::"char") || setweight(to_tsvector('russian'::regconfig, translate(content, 'ёЁ'::text, 'еЕ'::text)), 'B'::"char"))) STORED,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    operator_id bigint,
    widget_id bigint NOT NULL,
    source_id bigint NOT NULL,
    doc_id character varying(255),
    embedding_error character varying(32) DEFAULT ''::character varying NOT NULL,
    languages character varying(8)[],
    CONSTRAINT kb_rule_chunk_index_check CHECK ((chunk_index >= 0))
);
ALTER TABLE public.kb_rule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_rule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kb_source (
    id bigint NOT NULL,
    ref character varying(600) NOT NULL,
    type character varying(7) NOT NULL,
    title character varying(255) DEFAULT ''::character varying NOT NULL,
    doc_id character varying(255),
    url text,
    upload_id bigint,
    regenerates boolean DEFAULT false NOT NULL,
    chunks integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT kb_source_chunks_check CHECK ((chunks >= 0))
);
ALTER TABLE public.kb_source ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_source_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.kb_upload (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    name character varying(255) NOT NULL,
    size integer NOT NULL,
    content_type character varying(100) NOT NULL,
    storage_key character varying(255) NOT NULL,
    state character varying(10) DEFAULT 'queued'::character varying NOT NULL,
    error_code character varying(32) DEFAULT ''::character varying NOT NULL,
    error_detail character varying(255) DEFAULT ''::character varying NOT NULL,
    characters integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    widget_id bigint NOT NULL,
    notes jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT kb_upload_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT kb_upload_characters_check CHECK ((characters >= 0)),
    CONSTRAINT kb_upload_claims_check CHECK ((claims >= 0)),
    CONSTRAINT kb_upload_generation_check CHECK ((generation >= 0)),
    CONSTRAINT kb_upload_size_check CHECK ((size >= 0))
);
ALTER TABLE public.kb_upload ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.kb_upload_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_cycle (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    assistant_id bigint NOT NULL,
    trigger character varying(8) NOT NULL,
    state character varying(16) DEFAULT 'queued'::character varying NOT NULL,
    reason character varying(32) DEFAULT ''::character varying NOT NULL,
    base_version integer NOT NULL,
    version integer,
    summary text DEFAULT ''::text NOT NULL,
    patch jsonb,
    evidence jsonb NOT NULL,
    evaluation jsonb,
    progress jsonb NOT NULL,
    provider_http_operations integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    widget_id bigint NOT NULL,
    CONSTRAINT learning_cycle_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT learning_cycle_base_version_check CHECK ((base_version >= 0)),
    CONSTRAINT learning_cycle_claims_check CHECK ((claims >= 0)),
    CONSTRAINT learning_cycle_generation_check CHECK ((generation >= 0)),
    CONSTRAINT learning_cycle_provider_http_operations_check CHECK ((provider_http_operations >= 0)),
    CONSTRAINT learning_cycle_version_check CHECK ((version >= 0))
);
ALTER TABLE public.learning_cycle ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_cycle_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_demandsignal (
    id bigint NOT NULL,
    category character varying(16) NOT NULL,
    burst_id bigint NOT NULL,
    question character varying(300) NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    topic_id bigint NOT NULL
);
ALTER TABLE public.learning_demandsignal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_demandsignal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_demandtopic (
    id bigint NOT NULL,
    category character varying(16) NOT NULL,
    topic character varying(300) NOT NULL,
    folded character varying(600) NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.learning_demandtopic ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_demandtopic_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_learningswitch (
    id bigint NOT NULL,
    is_on boolean NOT NULL,
    changed_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT learning_switch_is_one CHECK ((id = 1))
);
ALTER TABLE public.learning_learningswitch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_learningswitch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_probation (
    id bigint NOT NULL,
    assistant_id bigint NOT NULL,
    state character varying(12) DEFAULT 'running'::character varying NOT NULL,
    kind character varying(8) NOT NULL,
    version integer NOT NULL,
    base_version integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    baseline jsonb NOT NULL,
    current jsonb NOT NULL,
    cycle_id bigint,
    widget_id bigint NOT NULL,
    wish_id bigint,
    CONSTRAINT learning_probation_base_version_check CHECK ((base_version >= 0)),
    CONSTRAINT learning_probation_version_check CHECK ((version >= 0))
);
ALTER TABLE public.learning_probation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_probation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_wish (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    assistant_id bigint NOT NULL,
    text text NOT NULL,
    chat_id bigint,
    status character varying(16) DEFAULT 'submitted'::character varying NOT NULL,
    draft character varying(8) DEFAULT 'none'::character varying NOT NULL,
    patch jsonb,
    summary text DEFAULT ''::text NOT NULL,
    draft_base integer,
    author jsonb NOT NULL,
    version integer,
    base_version integer,
    applied_patch jsonb,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT learning_wish_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT learning_wish_base_version_check CHECK ((base_version >= 0)),
    CONSTRAINT learning_wish_claims_check CHECK ((claims >= 0)),
    CONSTRAINT learning_wish_draft_base_check CHECK ((draft_base >= 0)),
    CONSTRAINT learning_wish_generation_check CHECK ((generation >= 0)),
    CONSTRAINT learning_wish_version_check CHECK ((version >= 0))
);
ALTER TABLE public.learning_wish ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_wish_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.learning_wishdecision (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    action character varying(16) NOT NULL,
    actor jsonb NOT NULL,
    version integer,
    reason text DEFAULT ''::text NOT NULL,
    wish_id bigint NOT NULL,
    CONSTRAINT learning_wishdecision_version_check CHECK ((version >= 0))
);
ALTER TABLE public.learning_wishdecision ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.learning_wishdecision_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_address (
    id bigint NOT NULL,
    digest bytea NOT NULL,
    email character varying(254) DEFAULT ''::character varying NOT NULL,
    proven_at timestamp with time zone,
    proven_by character varying(8) DEFAULT ''::character varying NOT NULL,
    dead_at timestamp with time zone,
    dead_detail character varying(500) DEFAULT ''::character varying NOT NULL,
    stopped_at timestamp with time zone,
    unopened integer DEFAULT 0 NOT NULL,
    contact_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT letters_address_unopened_check CHECK ((unopened >= 0))
);
ALTER TABLE public.letters_address ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_address_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_correspondent (
    id bigint NOT NULL,
    address character varying(254) NOT NULL,
    subject character varying(1000) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    contact_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    mailbox_id bigint NOT NULL
);
ALTER TABLE public.letters_correspondent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_correspondent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_gatherjob (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT letters_gatherjob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT letters_gatherjob_claims_check CHECK ((claims >= 0)),
    CONSTRAINT letters_gatherjob_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.letters_gatherjob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_gatherjob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_inletter (
    id bigint NOT NULL,
    door character varying(8) NOT NULL,
    raw_key character varying(64) DEFAULT ''::character varying NOT NULL,
    size integer DEFAULT 0 NOT NULL,
    recipients character varying(254)[] DEFAULT '{}'::character varying(254)[] NOT NULL,
    envelope_sender character varying(254),
    sender character varying(254) DEFAULT ''::character varying NOT NULL,
    sender_name character varying(255) DEFAULT ''::character varying NOT NULL,
    subject character varying(1000) DEFAULT ''::character varying NOT NULL,
    letter_id character varying(998) DEFAULT ''::character varying NOT NULL,
    copies character varying(254)[] DEFAULT '{}'::character varying(254)[] NOT NULL,
    key character varying(64) DEFAULT ''::character varying NOT NULL,
    kind character varying(10) DEFAULT 'waiting'::character varying NOT NULL,
    reason character varying(40) DEFAULT ''::character varying NOT NULL,
    proof character varying(4) DEFAULT ''::character varying NOT NULL,
    is_third boolean DEFAULT false NOT NULL,
    is_cut boolean DEFAULT false NOT NULL,
    is_for_people boolean DEFAULT true NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    received_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    handled_at timestamp with time zone,
    chat_id bigint,
    message_id bigint,
    thread_id bigint,
    widget_id bigint,
    mailbox_id bigint,
    pictures character varying(32)[] DEFAULT '{}'::character varying(32)[] NOT NULL,
    results jsonb,
    standing character varying(8) DEFAULT ''::character varying NOT NULL,
    shown jsonb,
    CONSTRAINT letters_inletter_size_check CHECK ((size >= 0)),
    CONSTRAINT letters_inletter_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.letters_inletter ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_inletter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_lettersettings (
    widget_id bigint NOT NULL,
    answers character varying(3) DEFAULT 'on'::character varying NOT NULL,
    unseen_min smallint DEFAULT 5 NOT NULL,
    of_ai boolean DEFAULT false NOT NULL,
    site character varying(2048) DEFAULT ''::character varying NOT NULL,
    shop_address character varying(254) DEFAULT ''::character varying NOT NULL,
    waiting_min smallint DEFAULT 10 NOT NULL,
    waiting_words boolean DEFAULT false NOT NULL,
    is_offered boolean DEFAULT false NOT NULL,
    since timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone,
    CONSTRAINT letters_lettersettings_unseen_min_check CHECK ((unseen_min >= 0)),
    CONSTRAINT letters_lettersettings_waiting_min_check CHECK ((waiting_min >= 0))
);
CREATE TABLE public.letters_letterwish (
    contact_id bigint NOT NULL,
    email character varying(254) DEFAULT ''::character varying NOT NULL,
    after_id bigint DEFAULT 0 NOT NULL,
    asked_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
CREATE TABLE public.letters_mailbox (
    id bigint NOT NULL,
    address character varying(254) NOT NULL,
    name character varying(255) DEFAULT ''::character varying NOT NULL,
    imap text,
    smtp text,
    signature text DEFAULT ''::text NOT NULL,
    ai character varying(8) DEFAULT 'off'::character varying NOT NULL,
    authserv_ids character varying(255)[] DEFAULT '{}'::character varying(255)[] NOT NULL,
    form_senders character varying(254)[] DEFAULT '{}'::character varying(254)[] NOT NULL,
    hook_key text NOT NULL,
    digest bytea NOT NULL,
    last_inbound_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    department_id bigint,
    widget_id bigint NOT NULL,
    proof_asked_at timestamp with time zone,
    proof_code bytea,
    proof_letter uuid,
    proved_at timestamp with time zone
);
ALTER TABLE public.letters_mailbox ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_mailbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_mailcheck (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    address character varying(254) NOT NULL,
    letter_id character varying(998) DEFAULT ''::character varying NOT NULL,
    result jsonb,
    asked_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    sent_at timestamp with time zone,
    ended_at timestamp with time zone,
    mailbox_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT letters_mailcheck_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT letters_mailcheck_claims_check CHECK ((claims >= 0)),
    CONSTRAINT letters_mailcheck_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.letters_mailcheck ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_mailcheck_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_notice (
    id bigint NOT NULL,
    newest timestamp with time zone NOT NULL,
    sent_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    widget_id bigint NOT NULL
);
ALTER TABLE public.letters_notice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_notice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_noticesettings (
    agent_id bigint NOT NULL,
    waiting boolean DEFAULT true NOT NULL,
    quiet jsonb,
    widget_id bigint NOT NULL
);
CREATE TABLE public.letters_outletter (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    kind character varying(8) DEFAULT 'answer'::character varying NOT NULL,
    "right" text NOT NULL,
    digest bytea NOT NULL,
    message_id character varying(255) NOT NULL,
    server_id character varying(255) DEFAULT ''::character varying NOT NULL,
    message_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    last_message_id bigint NOT NULL,
    state character varying(8) DEFAULT 'queued'::character varying NOT NULL,
    code character varying(32) DEFAULT ''::character varying NOT NULL,
    detail character varying(500) DEFAULT ''::character varying NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    sent_at timestamp with time zone,
    opened_at timestamp with time zone,
    widget_id bigint NOT NULL,
    thread_id bigint NOT NULL,
    CONSTRAINT letters_outletter_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT letters_outletter_claims_check CHECK ((claims >= 0)),
    CONSTRAINT letters_outletter_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.letters_outletter ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_outletter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_readjob (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    uid_validity bigint,
    last_uid bigint DEFAULT 0 NOT NULL,
    problem_code character varying(24) DEFAULT ''::character varying NOT NULL,
    problem_detail character varying(255) DEFAULT ''::character varying NOT NULL,
    problem_at timestamp with time zone,
    connected_at timestamp with time zone,
    mailbox_id bigint,
    widget_id bigint,
    turn_of bigint DEFAULT 0 NOT NULL,
    CONSTRAINT letters_readjob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT letters_readjob_claims_check CHECK ((claims >= 0)),
    CONSTRAINT letters_readjob_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.letters_readjob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_readjob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_senderjob (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    sender character varying(254) NOT NULL,
    CONSTRAINT letters_senderjob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT letters_senderjob_claims_check CHECK ((claims >= 0)),
    CONSTRAINT letters_senderjob_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.letters_senderjob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_senderjob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.letters_thread (
    id bigint NOT NULL,
    address character varying(254) NOT NULL,
    "right" text NOT NULL,
    digest bytea NOT NULL,
    subject character varying(255) DEFAULT ''::character varying NOT NULL,
    copies character varying(254)[] DEFAULT '{}'::character varying(254)[] NOT NULL,
    first_id bigint DEFAULT 0 NOT NULL,
    mailed_id bigint DEFAULT 0 NOT NULL,
    "references" character varying(998)[] DEFAULT '{}'::character varying(998)[] NOT NULL,
    dead_at timestamp with time zone,
    answered_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.letters_thread ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.letters_thread_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_channel (
    id bigint NOT NULL,
    name character varying(255) NOT NULL,
    outbound_url character varying(2048) NOT NULL,
    target character varying(2048) NOT NULL,
    secret text NOT NULL,
    digest bytea NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.messengers_channel ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_channel_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_checkline (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    vendor smallint NOT NULL,
    connection_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT messengers_checkline_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT messengers_checkline_claims_check CHECK ((claims >= 0)),
    CONSTRAINT messengers_checkline_generation_check CHECK ((generation >= 0)),
    CONSTRAINT messengers_checkline_vendor_check CHECK ((vendor >= 0))
);
ALTER TABLE public.messengers_checkline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_checkline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_connection (
    id bigint NOT NULL,
    provider character varying(8) NOT NULL,
    account character varying(64) DEFAULT ''::character varying NOT NULL,
    token text NOT NULL,
    sid text,
    url character varying(512) DEFAULT ''::character varying NOT NULL,
    target character varying(2048) DEFAULT ''::character varying NOT NULL,
    refresh_token text,
    token_expires_at timestamp with time zone,
    account_id character varying(255) DEFAULT ''::character varying NOT NULL,
    account_name character varying(255) DEFAULT ''::character varying NOT NULL,
    public_name character varying(255) DEFAULT ''::character varying NOT NULL,
    is_primary boolean DEFAULT false NOT NULL,
    server_id bigint,
    confirmation text,
    status character varying(24) DEFAULT 'enabled'::character varying NOT NULL,
    hook_key text NOT NULL,
    digest bytea NOT NULL,
    secret text NOT NULL,
    verify_token text,
    webhook_status character varying(24) DEFAULT 'pending'::character varying NOT NULL,
    webhook_attempted boolean DEFAULT false NOT NULL,
    webhook_detail character varying(255) DEFAULT ''::character varying NOT NULL,
    webhook_at timestamp with time zone,
    pending_since timestamp with time zone,
    problem_code character varying(24) DEFAULT ''::character varying NOT NULL,
    problem_detail character varying(255) DEFAULT ''::character varying NOT NULL,
    problem_at timestamp with time zone,
    poll_offset bigint DEFAULT 0 NOT NULL,
    rests_until timestamp with time zone,
    last_inbound_at timestamp with time zone,
    last_outbound_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    renewing_until timestamp with time zone,
    checked_at timestamp with time zone,
    route bytea,
    app_secret text,
    unproved_at timestamp with time zone
);
ALTER TABLE public.messengers_connection ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_connection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_earlyreceipt (
    id bigint NOT NULL,
    external_id character varying(255) NOT NULL,
    conversation character varying(255) NOT NULL,
    state character varying(16) NOT NULL,
    part text NOT NULL,
    received_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    connection_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.messengers_earlyreceipt ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_earlyreceipt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_inbound (
    id bigint NOT NULL,
    conversation character varying(255) NOT NULL,
    external_id character varying(255) NOT NULL,
    part text,
    tries smallint DEFAULT 0 NOT NULL,
    received_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    handled_at timestamp with time zone,
    connection_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    album character varying(255) DEFAULT ''::character varying NOT NULL,
    changes character varying(255) DEFAULT ''::character varying NOT NULL,
    event character varying(8) DEFAULT ''::character varying NOT NULL,
    is_unknown boolean DEFAULT false NOT NULL,
    CONSTRAINT messengers_inbound_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.messengers_inbound ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_inbound_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_inboundline (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    conversation character varying(255) NOT NULL,
    connection_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT messengers_inboundline_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT messengers_inboundline_claims_check CHECK ((claims >= 0)),
    CONSTRAINT messengers_inboundline_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.messengers_inboundline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_inboundline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_outboundline (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    connection_id bigint DEFAULT 0 NOT NULL,
    peer_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT messengers_outboundline_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT messengers_outboundline_claims_check CHECK ((claims >= 0)),
    CONSTRAINT messengers_outboundline_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.messengers_outboundline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_outboundline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_outboundmessage (
    message_id bigint NOT NULL,
    channel character varying(32) NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    external_ids character varying(255)[] DEFAULT '{}'::character varying(255)[] NOT NULL,
    is_failed boolean DEFAULT false NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    done_at timestamp with time zone,
    peer_id bigint,
    widget_id bigint NOT NULL,
    refused_kinds character varying(8)[] DEFAULT '{}'::character varying(8)[] NOT NULL,
    changed_at timestamp with time zone,
    is_begun boolean DEFAULT false NOT NULL,
    is_sent boolean DEFAULT false NOT NULL,
    not_before timestamp with time zone,
    CONSTRAINT messengers_outboundmessage_attempts_check CHECK ((attempts >= 0))
);
CREATE TABLE public.messengers_peer (
    id bigint NOT NULL,
    channel character varying(32) NOT NULL,
    account character varying(64) DEFAULT ''::character varying NOT NULL,
    conversation character varying(255) NOT NULL,
    external_channel_id character varying(255) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    contact_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.messengers_peer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_peer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_pollline (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    connection_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT messengers_pollline_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT messengers_pollline_claims_check CHECK ((claims >= 0)),
    CONSTRAINT messengers_pollline_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.messengers_pollline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_pollline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_startlink (
    id bigint NOT NULL,
    channel character varying(32) NOT NULL,
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    contact_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.messengers_startlink ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.messengers_startlink_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.messengers_vendorsettings (
    provider character varying(8) NOT NULL,
    base character varying(2048) DEFAULT ''::character varying NOT NULL,
    updates character varying(16) DEFAULT 'auto'::character varying NOT NULL,
    app_secret text,
    client_id character varying(255) DEFAULT ''::character varying NOT NULL,
    client_secret text,
    app_key text,
    app_digest bytea,
    app_verify_token text
);
CREATE TABLE public.reports_derivedchat (
    chat_id bigint NOT NULL,
    last_message_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
CREATE TABLE public.reports_episodeprogress (
    id smallint NOT NULL,
    settled_id bigint DEFAULT 0 NOT NULL,
    seen_id bigint,
    seen_writing text[] DEFAULT '{}'::text[] NOT NULL,
    caught_up_at timestamp with time zone,
    CONSTRAINT reports_episodeprogress_one CHECK ((id = 1))
);
CREATE TABLE public.reports_episoderow (
    id bigint NOT NULL,
    chat_id bigint NOT NULL,
    contact_id bigint NOT NULL,
    person_id bigint NOT NULL,
    channel character varying(32) NOT NULL,
    department_id bigint,
    open_department_id bigint,
    language character varying(16),
    page character varying(500),
    opened_at timestamp with time zone NOT NULL,
    opened_by character varying(8) NOT NULL,
    first_reply_at timestamp with time zone,
    first_reply_seconds bigint,
    first_reply_kind character varying(6),
    first_reply_agent_id bigint,
    person_reply_from timestamp with time zone,
    person_reply_at timestamp with time zone,
    person_reply_seconds bigint,
    person_reply_agent_id bigint,
    wait_starts timestamp with time zone[] NOT NULL,
    wait_ends timestamp with time zone[] NOT NULL,
    waits_since timestamp with time zone,
    longest_wait_seconds bigint,
    handed_over_at timestamp with time zone,
    handed_over_reason character varying(1000),
    ai_involved boolean NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    ended_by character varying(8) NOT NULL,
    ended_by_agent_id bigint,
    ended_from timestamp with time zone NOT NULL,
    outcome character varying(10) NOT NULL,
    reopened_at timestamp with time zone,
    asked_at timestamp with time zone,
    rating_value smallint,
    rated_at timestamp with time zone,
    rating_kind character varying(6),
    rating_agent_id bigint,
    agents bigint[] NOT NULL,
    assistants bigint[] NOT NULL,
    messages_visitor integer NOT NULL,
    messages_person integer NOT NULL,
    messages_ai integer NOT NULL,
    widget_id bigint NOT NULL,
    answers_ai integer
);
CREATE TABLE public.reports_ratingdecision (
    episode_id bigint NOT NULL,
    reason character varying(12),
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    request_id bigint,
    widget_id bigint NOT NULL
);
CREATE TABLE public.reports_ratingpolicy (
    widget_id bigint NOT NULL,
    ask character varying(10) DEFAULT 'manual'::character varying NOT NULL,
    outcomes character varying(10)[] DEFAULT '{person}'::character varying(10)[] NOT NULL,
    ended_by character varying(10)[] DEFAULT '{operator}'::character varying(10)[] NOT NULL,
    channels character varying(32)[],
    delay_minutes smallint DEFAULT 1 NOT NULL,
    again_days smallint DEFAULT 30 NOT NULL,
    valid_days smallint DEFAULT 7 NOT NULL,
    scale character varying(10) DEFAULT 'stars'::character varying NOT NULL,
    question_i18n jsonb DEFAULT '{}'::jsonb NOT NULL,
    thanks_i18n jsonb DEFAULT '{}'::jsonb NOT NULL,
    comment character varying(10) DEFAULT 'low'::character varying NOT NULL,
    low smallint DEFAULT 2 NOT NULL,
    on_low character varying(10) DEFAULT 'none'::character varying NOT NULL,
    since timestamp with time zone,
    CONSTRAINT reports_ratingpolicy_again_days_check CHECK ((again_days >= 0)),
    CONSTRAINT reports_ratingpolicy_delay_minutes_check CHECK ((delay_minutes >= 0)),
    CONSTRAINT reports_ratingpolicy_low_check CHECK ((low >= 0)),
    CONSTRAINT reports_ratingpolicy_valid_days_check CHECK ((valid_days >= 0))
);
CREATE TABLE public.reports_stalechat (
    id bigint NOT NULL,
    chat_id bigint NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.reports_stalechat ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reports_stalechat_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reports_weeklychoice (
    id bigint NOT NULL,
    is_wanted boolean NOT NULL,
    user_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.reports_weeklychoice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reports_weeklychoice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reports_weeklyletter (
    id bigint NOT NULL,
    week date NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    user_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.reports_weeklyletter ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reports_weeklyletter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reviews_review (
    id bigint NOT NULL,
    episode_id bigint NOT NULL,
    kind character varying(6) NOT NULL,
    agent_id bigint,
    assistant_id bigint,
    origin character varying(6) NOT NULL,
    flags character varying(20)[] DEFAULT '{}'::character varying(20)[] NOT NULL,
    state character varying(8) DEFAULT 'open'::character varying NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    scorecard_version integer NOT NULL,
    scores jsonb DEFAULT '[]'::jsonb NOT NULL,
    first_scores jsonb,
    score smallint,
    comment text DEFAULT ''::text NOT NULL,
    suggestion jsonb,
    assist_id bigint,
    reply text DEFAULT ''::text NOT NULL,
    replied_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    done_at timestamp with time zone,
    chat_id bigint NOT NULL,
    reviewer_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT reviews_review_score_check CHECK ((score >= 0)),
    CONSTRAINT reviews_review_scorecard_version_check CHECK ((scorecard_version >= 0)),
    CONSTRAINT reviews_review_version_check CHECK ((version >= 0))
);
ALTER TABLE public.reviews_review ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reviews_review_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reviews_scorecard (
    id bigint NOT NULL,
    version integer NOT NULL,
    criteria jsonb NOT NULL,
    per_operator smallint DEFAULT 3 NOT NULL,
    ai smallint DEFAULT 10 NOT NULL,
    flags character varying(20)[] NOT NULL,
    prefill character varying(8) DEFAULT 'off'::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT reviews_scorecard_ai_check CHECK ((ai >= 0)),
    CONSTRAINT reviews_scorecard_per_operator_check CHECK ((per_operator >= 0)),
    CONSTRAINT reviews_scorecard_version_check CHECK ((version >= 0))
);
ALTER TABLE public.reviews_scorecard ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reviews_scorecard_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reviews_unconfirmedscore (
    episode_id bigint NOT NULL,
    agent_id bigint,
    assistant_id bigint,
    scorecard_version integer NOT NULL,
    scores jsonb,
    score smallint,
    assist_id bigint,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT reviews_unconfirmedscore_score_check CHECK ((score >= 0)),
    CONSTRAINT reviews_unconfirmedscore_scorecard_version_check CHECK ((scorecard_version >= 0))
);
CREATE TABLE public.routing_assignment (
    id bigint NOT NULL,
    department_id bigint,
    waits_since timestamp with time zone NOT NULL,
    given_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    until timestamp with time zone,
    outcome character varying(10),
    ended_at timestamp with time zone,
    why jsonb NOT NULL,
    agent_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.routing_assignment ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_assignment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_estimatetally (
    id bigint NOT NULL,
    department_id bigint,
    day date NOT NULL,
    count integer DEFAULT 0 NOT NULL,
    kept integer DEFAULT 0 NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT routing_estimatetally_count_check CHECK ((count >= 0)),
    CONSTRAINT routing_estimatetally_kept_check CHECK ((kept >= 0))
);
ALTER TABLE public.routing_estimatetally ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_estimatetally_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_operatorplaces (
    id bigint NOT NULL,
    capacity smallint,
    misses smallint DEFAULT 0 NOT NULL,
    last_given_at timestamp with time zone,
    agent_id bigint NOT NULL,
    department_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT routing_operatorplaces_capacity_check CHECK ((capacity >= 0)),
    CONSTRAINT routing_operatorplaces_misses_check CHECK ((misses >= 0))
);
ALTER TABLE public.routing_operatorplaces ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_operatorplaces_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_queuerow (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    language character varying(16) DEFAULT ''::character varying NOT NULL,
    told_since timestamp with time zone,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT routing_queuerow_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT routing_queuerow_claims_check CHECK ((claims >= 0)),
    CONSTRAINT routing_queuerow_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.routing_queuerow ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_queuerow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_routerrow (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    changes_at timestamp with time zone,
    widget_id bigint NOT NULL,
    departments jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT routing_routerrow_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT routing_routerrow_claims_check CHECK ((claims >= 0)),
    CONSTRAINT routing_routerrow_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.routing_routerrow ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_routerrow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_routingsettings (
    id bigint NOT NULL,
    mode character varying(8),
    accept_seconds smallint,
    silent_minutes smallint,
    prefer_last boolean,
    languages character varying(8),
    overflow_minutes smallint,
    answer_times jsonb,
    warn_percent smallint,
    clock character varying(8),
    capacity smallint,
    misses smallint,
    show_place boolean,
    show_expected boolean,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    department_id bigint,
    overflow_department_id bigint,
    widget_id bigint NOT NULL,
    answer_times_at timestamp with time zone,
    CONSTRAINT routing_routingsettings_accept_seconds_check CHECK ((accept_seconds >= 0)),
    CONSTRAINT routing_routingsettings_capacity_check CHECK ((capacity >= 0)),
    CONSTRAINT routing_routingsettings_misses_check CHECK ((misses >= 0)),
    CONSTRAINT routing_routingsettings_overflow_minutes_check CHECK ((overflow_minutes >= 0)),
    CONSTRAINT routing_routingsettings_silent_minutes_check CHECK ((silent_minutes >= 0)),
    CONSTRAINT routing_routingsettings_warn_percent_check CHECK ((warn_percent >= 0))
);
ALTER TABLE public.routing_routingsettings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_routingsettings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_slaclock (
    id bigint NOT NULL,
    metric character varying(12) NOT NULL,
    department_id bigint,
    priority character varying(8) NOT NULL,
    since timestamp with time zone NOT NULL,
    target_minutes integer,
    warn_percent smallint NOT NULL,
    is_always boolean DEFAULT false NOT NULL,
    used_seconds integer DEFAULT 0 NOT NULL,
    running_since timestamp with time zone,
    paused_at timestamp with time zone,
    due_at timestamp with time zone,
    warned_at timestamp with time zone,
    breached_at timestamp with time zone,
    ended_at timestamp with time zone,
    ended_by character varying(10),
    ended_after_id bigint,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT routing_slaclock_target_minutes_check CHECK ((target_minutes >= 0)),
    CONSTRAINT routing_slaclock_used_seconds_check CHECK ((used_seconds >= 0)),
    CONSTRAINT routing_slaclock_warn_percent_check CHECK ((warn_percent >= 0))
);
ALTER TABLE public.routing_slaclock ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.routing_slaclock_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.routing_toldestimate (
    chat_id bigint NOT NULL,
    department_id bigint,
    waits_since timestamp with time zone NOT NULL,
    told_at timestamp with time zone NOT NULL,
    to_min smallint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT routing_toldestimate_to_min_check CHECK ((to_min >= 0))
);
CREATE TABLE public.support_approom (
    id bigint NOT NULL,
    user_id character varying(128) NOT NULL,
    locale character varying(35) DEFAULT ''::character varying NOT NULL,
    is_hidden boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.support_approom ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_approom_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_binding (
    id bigint NOT NULL,
    provider character varying(32) NOT NULL,
    secret text NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    assistant_id bigint,
    token_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.support_binding ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_binding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_chatlease (
    chat_id bigint NOT NULL,
    claim_id character varying(32) NOT NULL,
    agent character varying(48) NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    token_id bigint NOT NULL
);
CREATE TABLE public.support_emailcode (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    email text NOT NULL,
    code text,
    salt character varying(32) NOT NULL,
    digest bytea NOT NULL,
    language character varying(8) NOT NULL,
    wrong smallint DEFAULT 0 NOT NULL,
    sent_at timestamp with time zone,
    used_at timestamp with time zone,
    died_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT support_emailcode_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT support_emailcode_claims_check CHECK ((claims >= 0)),
    CONSTRAINT support_emailcode_generation_check CHECK ((generation >= 0)),
    CONSTRAINT support_emailcode_wrong_check CHECK ((wrong >= 0))
);
ALTER TABLE public.support_emailcode ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_emailcode_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_identity (
    chat_id bigint NOT NULL,
    app_user_id character varying(128),
    email text,
    link_source character varying(16) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    "grant" text,
    grant_expires_at timestamp with time zone,
    verification_ref character varying(200) DEFAULT ''::character varying NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
CREATE TABLE public.support_nonce (
    id bigint NOT NULL,
    nonce character varying(128) NOT NULL,
    used_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    binding_id bigint NOT NULL
);
ALTER TABLE public.support_nonce ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_nonce_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_signedrequest (
    id bigint NOT NULL,
    endpoint character varying(8) NOT NULL,
    request_id character varying(128) NOT NULL,
    digest bytea NOT NULL,
    answer text,
    lease_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    binding_id bigint NOT NULL
);
ALTER TABLE public.support_signedrequest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_signedrequest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_supportaction (
    id bigint NOT NULL,
    kind character varying(8) NOT NULL,
    status character varying(12) NOT NULL,
    http_status smallint NOT NULL,
    code character varying(64),
    key character varying(255) DEFAULT ''::character varying NOT NULL,
    agent character varying(48) DEFAULT ''::character varying NOT NULL,
    chat_id bigint,
    ticket bigint,
    message_id bigint,
    ticket_effect character varying(16),
    text text,
    text_sha256 character varying(64),
    text_length integer,
    note_length integer,
    wanted jsonb,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    token_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT support_supportaction_http_status_check CHECK ((http_status >= 0)),
    CONSTRAINT support_supportaction_note_length_check CHECK ((note_length >= 0)),
    CONSTRAINT support_supportaction_text_length_check CHECK ((text_length >= 0))
);
ALTER TABLE public.support_supportaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_supportaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_supportsettings (
    widget_id bigint NOT NULL,
    enabled boolean DEFAULT false NOT NULL,
    token_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    ip_allowlist character varying(64)[] DEFAULT '{}'::character varying(64)[] NOT NULL,
    link_hosts character varying(253)[] DEFAULT '{}'::character varying(253)[] NOT NULL,
    exact_links character varying(2048)[] DEFAULT '{}'::character varying(2048)[] NOT NULL,
    app_store_id character varying(20) DEFAULT ''::character varying NOT NULL,
    play_package character varying(150) DEFAULT ''::character varying NOT NULL,
    ipv4_literals character varying(15)[] DEFAULT '{}'::character varying(15)[] NOT NULL,
    messenger_handles character varying(32)[] DEFAULT '{}'::character varying(32)[] NOT NULL,
    emails character varying(254)[] DEFAULT '{}'::character varying(254)[] NOT NULL,
    channels character varying(8)[] DEFAULT '{widget,tg}'::character varying(8)[] NOT NULL,
    room_reply_limit smallint DEFAULT 3 NOT NULL,
    token_reply_limit_10min integer DEFAULT 20 NOT NULL,
    token_reply_limit_day integer DEFAULT 300 NOT NULL,
    email_codes boolean DEFAULT false NOT NULL,
    account_link boolean DEFAULT false NOT NULL,
    unanswered_ticket_after_sec integer DEFAULT 900 NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    operator_id bigint,
    CONSTRAINT support_supportsettings_room_reply_limit_check CHECK ((room_reply_limit >= 0)),
    CONSTRAINT support_supportsettings_token_reply_limit_10min_check CHECK ((token_reply_limit_10min >= 0)),
    CONSTRAINT support_supportsettings_token_reply_limit_day_check CHECK ((token_reply_limit_day >= 0)),
    CONSTRAINT support_supportsettings_unanswered_ticket_after_sec_check CHECK ((unanswered_ticket_after_sec >= 0))
);
CREATE TABLE public.support_takenmessage (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    message_id bigint NOT NULL,
    kind character varying(8) NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT support_takenmessage_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT support_takenmessage_claims_check CHECK ((claims >= 0)),
    CONSTRAINT support_takenmessage_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.support_takenmessage ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_takenmessage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_ticket (
    number bigint NOT NULL,
    state character varying(6) DEFAULT 'open'::character varying NOT NULL,
    reason character varying(16) NOT NULL,
    close_reason character varying(17),
    priority smallint NOT NULL,
    category character varying(16),
    subject character varying(200),
    source character varying(16) NOT NULL,
    held_for_owner boolean DEFAULT false NOT NULL,
    opening_message_id bigint DEFAULT 0 NOT NULL,
    opened_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    queued_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    closed_at timestamp with time zone,
    closed_by jsonb,
    context jsonb,
    client jsonb,
    refund jsonb,
    chat_id bigint NOT NULL,
    duplicate_of_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT support_ticket_priority_check CHECK ((priority >= 0))
);
ALTER TABLE public.support_ticket ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.support_ticket_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.support_verification (
    chat_id bigint NOT NULL,
    asked_until timestamp with time zone,
    assistant_chosen_at timestamp with time zone,
    last_result character varying(20),
    last_result_at timestamp with time zone
);
CREATE TABLE public.webhooks_attempt (
    number smallint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    milliseconds integer NOT NULL,
    response_status smallint,
    error character varying(255) DEFAULT ''::character varying NOT NULL,
    delivery_id bigint NOT NULL,
    CONSTRAINT webhooks_attempt_milliseconds_check CHECK ((milliseconds >= 0)),
    CONSTRAINT webhooks_attempt_number_check CHECK ((number >= 0)),
    CONSTRAINT webhooks_attempt_response_status_check CHECK ((response_status >= 0))
);
CREATE TABLE public.webhooks_delivery (
    id bigint NOT NULL,
    guid uuid NOT NULL,
    event_id bigint NOT NULL,
    kind character varying(32) NOT NULL COLLATE pg_catalog."C",
    destination_id bigint NOT NULL,
    event_type character varying(64) NOT NULL,
    is_legacy boolean DEFAULT false NOT NULL,
    status character varying(9) DEFAULT 'pending'::character varying NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    lease_until timestamp with time zone,
    claim_id uuid,
    response_status smallint,
    last_error character varying(255) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    delivered_at timestamp with time zone,
    CONSTRAINT webhooks_delivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT webhooks_delivery_claims_check CHECK ((claims >= 0)),
    CONSTRAINT webhooks_delivery_response_status_check CHECK ((response_status >= 0))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02');
ALTER TABLE public.webhooks_delivery ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhooks_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhooks_event (
    id bigint NOT NULL,
    guid uuid NOT NULL,
    widget_id bigint NOT NULL,
    type character varying(64) NOT NULL,
    body text NOT NULL,
    is_sealed boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
ALTER TABLE public.webhooks_event ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhooks_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.webhooks_eventswitch (
    name character varying(64) NOT NULL,
    enabled boolean DEFAULT false NOT NULL
);
CREATE TABLE public.webhooks_subscription (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    url character varying(2048) NOT NULL,
    target character varying(2048) NOT NULL,
    events character varying(64)[] NOT NULL,
    secret text NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    is_legacy_compat boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
ALTER TABLE public.webhooks_subscription ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.webhooks_subscription_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_awayform (
    contact_id bigint NOT NULL,
    message_id bigint DEFAULT 0 NOT NULL,
    email character varying(254) DEFAULT ''::character varying NOT NULL,
    mailed_id bigint DEFAULT 0 NOT NULL,
    left_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL
);
CREATE TABLE public.widget_chatanswers (
    id bigint NOT NULL,
    message_id bigint NOT NULL,
    answers jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.widget_chatanswers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_chatanswers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_chatinvitation (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    state character varying(8) DEFAULT 'draft'::character varying NOT NULL,
    texts jsonb NOT NULL,
    buttons jsonb DEFAULT '[]'::jsonb NOT NULL,
    speaker character varying(8) DEFAULT 'widget'::character varying NOT NULL,
    rule jsonb DEFAULT '{}'::jsonb NOT NULL,
    priority smallint DEFAULT 50 NOT NULL,
    holdout smallint DEFAULT 10 NOT NULL,
    times smallint DEFAULT 1 NOT NULL,
    days smallint DEFAULT 30 NOT NULL,
    per_day integer,
    goal jsonb,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    round integer DEFAULT 1 NOT NULL,
    round_since timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    shown_on date,
    shown_that_day integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    agent_id bigint,
    department_id bigint,
    widget_id bigint NOT NULL,
    CONSTRAINT widget_chatinvitation_days_check CHECK ((days >= 0)),
    CONSTRAINT widget_chatinvitation_holdout_check CHECK ((holdout >= 0)),
    CONSTRAINT widget_chatinvitation_per_day_check CHECK ((per_day >= 0)),
    CONSTRAINT widget_chatinvitation_priority_check CHECK ((priority >= 0)),
    CONSTRAINT widget_chatinvitation_round_check CHECK ((round >= 0)),
    CONSTRAINT widget_chatinvitation_shown_that_day_check CHECK ((shown_that_day >= 0)),
    CONSTRAINT widget_chatinvitation_times_check CHECK ((times >= 0))
);
ALTER TABLE public.widget_chatinvitation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_chatinvitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_contactconsent (
    id bigint NOT NULL,
    key character varying(40) NOT NULL,
    given boolean NOT NULL,
    text_sha256 character varying(64) NOT NULL,
    lang character varying(8) NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    chat_id bigint,
    contact_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.widget_contactconsent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_contactconsent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_icon (
    id bigint NOT NULL,
    key character varying(255) NOT NULL,
    still_key character varying(255) DEFAULT ''::character varying NOT NULL,
    content_type character varying(32) NOT NULL,
    animated boolean NOT NULL,
    width smallint NOT NULL,
    height smallint NOT NULL,
    size integer NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT widget_icon_height_check CHECK ((height >= 0)),
    CONSTRAINT widget_icon_size_check CHECK ((size >= 0)),
    CONSTRAINT widget_icon_width_check CHECK ((width >= 0))
);
ALTER TABLE public.widget_icon ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_icon_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_invitationoffer (
    id bigint NOT NULL,
    round integer NOT NULL,
    key_digest bytea,
    is_held boolean DEFAULT false NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    shown_from jsonb,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    opened_at timestamp with time zone,
    dismissed_at timestamp with time zone,
    answered_at timestamp with time zone,
    converted_at timestamp with time zone,
    chat_id bigint,
    contact_id bigint,
    invitation_id bigint NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT widget_invitationoffer_round_check CHECK ((round >= 0))
);
CREATE TABLE public.widget_questionset (
    widget_id bigint NOT NULL,
    is_on boolean DEFAULT false NOT NULL,
    intro jsonb,
    questions jsonb DEFAULT '[]'::jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL
);
CREATE TABLE public.widget_stoppedaddress (
    id bigint NOT NULL,
    digest bytea NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.widget_stoppedaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_stoppedaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_translation (
    id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT statement_timestamp(),
    waiting_since timestamp with time zone,
    lease_until timestamp with time zone,
    claim_id uuid,
    attempts smallint DEFAULT 0 NOT NULL,
    claims smallint DEFAULT 0 NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    field character varying(32) NOT NULL,
    locale character varying(8) NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    source_hash character varying(64) DEFAULT ''::character varying NOT NULL,
    wanted_hash character varying(64) DEFAULT ''::character varying NOT NULL,
    state character varying(8) NOT NULL,
    error character varying(32) DEFAULT ''::character varying NOT NULL,
    is_reserved boolean DEFAULT false NOT NULL,
    updated_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    widget_id bigint NOT NULL,
    CONSTRAINT widget_translation_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT widget_translation_claims_check CHECK ((claims >= 0)),
    CONSTRAINT widget_translation_generation_check CHECK ((generation >= 0))
);
ALTER TABLE public.widget_translation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_translation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_usedproof (
    id bigint NOT NULL,
    digest bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.widget_usedproof ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_usedproof_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_verifiedvisitor (
    id bigint NOT NULL,
    user_id character varying(128) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    contact_id bigint NOT NULL,
    widget_id bigint NOT NULL
);
ALTER TABLE public.widget_verifiedvisitor ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_verifiedvisitor_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_visitorsession (
    id bigint NOT NULL,
    widget_id bigint NOT NULL,
    contact_id bigint NOT NULL,
    digest bytea NOT NULL,
    page_url character varying(2000) DEFAULT ''::character varying NOT NULL,
    lang character varying(35) DEFAULT ''::character varying NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    revoked_at timestamp with time zone,
    user_agent character varying(400) DEFAULT ''::character varying NOT NULL,
    referrer character varying(4096) DEFAULT ''::character varying NOT NULL,
    time_zone character varying(64) DEFAULT ''::character varying NOT NULL,
    pages jsonb DEFAULT '[]'::jsonb NOT NULL,
    address character varying(45) DEFAULT ''::character varying NOT NULL,
    letter_address character varying(254) DEFAULT ''::character varying NOT NULL,
    letter_first_id bigint,
    told jsonb DEFAULT '[]'::jsonb NOT NULL
);
ALTER TABLE public.widget_visitorsession ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.widget_visitorsession_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.widget_widgetsettings (
    widget_id bigint NOT NULL,
    stored jsonb DEFAULT '{}'::jsonb NOT NULL,
    legacy boolean DEFAULT false NOT NULL,
    policy_revision bigint DEFAULT 1 NOT NULL,
    identity_secret text,
    previous_identity_secret text,
    previous_until timestamp with time zone,
    purged_at timestamp with time zone,
    updated_at timestamp with time zone,
    mail_answers boolean DEFAULT false NOT NULL,
    asks_proof boolean DEFAULT false NOT NULL,
    found_on character varying(2048) DEFAULT ''::character varying NOT NULL,
    alias_language character varying(2) DEFAULT ''::character varying NOT NULL,
    invitations jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT widget_widgetsettings_policy_revision_check CHECK ((policy_revision >= 0))
);
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0002_widget_answerers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0003_audited_tokens', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0004_user_joined_at', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0005_user_provider_subject', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0006_widget_imports', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0007_widget_moving_since', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0008_idempotency_by_widget', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0009_backup_notes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0010_answered_first_since', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0011_seen_language', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('accounts', '0012_steps_put_away', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('admin', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('admin', '0002_logentry_remove_auto_add', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('admin', '0003_logentry_add_action_flag_choices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0002_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0003_holidays', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0004_operator_choices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0005_away_since', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0006_longer_holidays', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0007_invitations_department', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0008_other_hours', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('agents', '0009_breaks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0002_embeddings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0003_replies', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0004_persona_wishes_and_cycles', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0005_external_operators', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0006_link_hosts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0007_daily_budget', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0008_credential_settings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0009_who_speaks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0010_evaluations', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0011_feedback_trials', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0012_credential_prices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0013_alert_model_gone', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0014_examination_pieces', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0015_alert_sentences', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0016_alert_sentences_of_before', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0017_examination_checks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0018_usage_prices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0019_costs_of_before', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('ai', '0020_minutes_per_reply', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('articles', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('articles', '0002_searching', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('articles', '0003_pages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('articles', '0004_imports', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('articles', '0005_asked_in_vain', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('assists', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('assists', '0002_translation_job', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('assists', '0003_pastquestion', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('assists', '0004_review_kind', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0002_alter_permission_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0003_alter_user_email_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0004_alter_user_username_opts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0005_alter_user_last_login_null', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0006_require_contenttypes_0002', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0007_alter_validators_add_error_messages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0008_alter_user_username_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0009_alter_user_last_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0010_alter_group_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0011_update_proxy_permissions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('auth', '0012_alter_user_first_name_max_length', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('automations', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('automations', '0002_undoing', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('billing', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('billing', '0002_documents_are_no_attachments', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('billing', '0003_entity_writes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('billing', '0004_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('billing', '0005_payee_and_undoing', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('billing', '0006_given_plans', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('cards', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0002_last_message', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0003_file_purpose', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0004_speakers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0005_steps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0006_left_unanswered', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0007_replies', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0008_delivery', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0009_blocks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0010_retention', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0011_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0012_contact_external_id', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0013_via_mail', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0014_desk_settings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0015_folded_searches', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0016_translations', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0017_aside_and_edits', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0018_people', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0019_card_steps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0020_desksettings_attribute_kinds', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0021_for_people', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0022_console_settings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0023_steps_put_away', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0024_marks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0025_widget_statistics', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0026_nobody_waits', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0027_timers_of_what_waits', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0028_queued', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0029_automation_steps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0030_ratings_by_episode', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0031_message_places', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0032_answers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0033_answered_invitations', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0034_no_statistics_page', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0035_searched_messages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('chats', '0036_filled_searches', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('compat', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('compat', '0002_answerers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('compat', '0003_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('console', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('console', '0002_browsers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('console', '0003_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('console', '0004_cannedreply_translations', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('contenttypes', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('contenttypes', '0002_remove_content_type_name', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('core', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('core', '0002_mail', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('core', '0003_spending', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('core', '0004_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('core', '0005_idempotency_by_widget', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('core', '0006_mail_headers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0002_auto_20161118_0346', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0003_auto_20161209_0049', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0004_auto_20170221_0000', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0005_add_solarschedule_events_choices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0006_auto_20180210_1226', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0006_auto_20180322_0932', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0006_periodictask_priority', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0007_auto_20180521_0826', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0008_auto_20180914_1922', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0009_periodictask_headers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0010_auto_20190429_0326', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0011_auto_20190508_0153', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0012_periodictask_expire_seconds', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0013_auto_20200609_0727', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0014_remove_clockedschedule_enabled', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0015_edit_solarschedule_events_choices', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0016_alter_crontabschedule_timezone', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0017_alter_crontabschedule_month_of_year', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0018_improve_crontab_helptext', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('django_celery_beat', '0019_alter_periodictasks_options', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0002_uploads', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0003_rule_doc_id', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0004_functions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0005_crawler', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0006_words_spelt_alike', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0007_marks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0008_upload_notes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0009_lines_everywhere', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('kb', '0010_articles', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('learning', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('learning', '0002_tuned_assistant', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0002_incoming', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0003_pictures_and_results', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0004_mailcheck', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0005_letters_for_people', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0006_standing', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0007_turns_of_readers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0008_shown', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0009_server_problems', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('letters', '0010_proved_mailboxes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0002_providers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0003_polls', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0004_nobody_to_send_to', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0005_health_and_renewal', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0006_receipts', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0007_check_lines', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0008_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0009_kinds', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0010_ids_of_bots', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0011_cian_by_its_api', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0012_start_links', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0013_apps_of_meta', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0014_routes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0015_changes_of_sent', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0016_early_receipts_and_own_apps', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('messengers', '0017_subscription_needed', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reports', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reports', '0002_triggers', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reports', '0003_ratings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reports', '0004_weekly_letters', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reports', '0005_rating_policy_page', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reports', '0006_answers_of_machines', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reviews', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('reviews', '0002_pages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('routing', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('routing', '0002_pages', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('routing', '0003_router_departments', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('routing', '0004_answer_clocks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('routing', '0005_told_estimates', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('sessions', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0002_tickets', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0003_desk', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0004_email_codes', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0005_actions_in_chat', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0006_desk_page', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0007_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0008_chat_hold', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('support', '0009_support_hold', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('webhooks', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0001_initial', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0002_settings', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0003_legacy_widgets', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0004_look', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0005_visit', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0006_verified_visitor', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0007_answers_by_mail', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0008_blocks', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0009_model_names', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0010_contact_external_id', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0011_letter_sessions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0012_offline_form', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0013_found_on', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0014_alias_language', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0015_questions', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0016_answers_shown', now());
INSERT INTO public.django_migrations (app, name, applied) VALUES ('widget', '0017_invitations', now());
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('message.created', true);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('chat.created', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('chat.transferred', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('chat.closed', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('rating.created', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('agent.online', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('agent.offline', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('chat.accepted', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('offline_message.created', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('contact.updated', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('message.updated', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('chat.queued', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('chat.assigned', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('sla.warning', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('sla.breached', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('automation.fired', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('questions.answered', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('invitation.answered', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('article.published', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('article.unpublished', false);
INSERT INTO public.webhooks_eventswitch (name, enabled) VALUES ('article.rated', false);
ALTER TABLE ONLY public.accounts_account
    ADD CONSTRAINT accounts_account_email_key UNIQUE (email);
ALTER TABLE ONLY public.accounts_account
    ADD CONSTRAINT accounts_account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_account
    ADD CONSTRAINT accounts_account_referral_code_key UNIQUE (referral_code);
ALTER TABLE ONLY public.accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_auditentry
    ADD CONSTRAINT accounts_auditentry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_authenticator
    ADD CONSTRAINT accounts_authenticator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_authenticator
    ADD CONSTRAINT accounts_authenticator_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.accounts_backupcodes
    ADD CONSTRAINT accounts_backupcodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_backupcodes
    ADD CONSTRAINT accounts_backupcodes_user_id_key UNIQUE (user_id);
ALTER TABLE ONLY public.accounts_backupnote
    ADD CONSTRAINT accounts_backupnote_name_key UNIQUE (name);
ALTER TABLE ONLY public.accounts_backupnote
    ADD CONSTRAINT accounts_backupnote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_importednumber
    ADD CONSTRAINT accounts_importednumber_once UNIQUE (importing_id, "table", was);
ALTER TABLE ONLY public.accounts_importednumber
    ADD CONSTRAINT accounts_importednumber_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_user
    ADD CONSTRAINT accounts_user_email_key UNIQUE (email);
ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_user_id_group_id_59c0b32f_uniq UNIQUE (user_id, group_id);
ALTER TABLE ONLY public.accounts_user
    ADD CONSTRAINT accounts_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_user
    ADD CONSTRAINT accounts_user_provider_subject_key UNIQUE (provider_subject);
ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_permi_user_id_permission_id_2ab516c2_uniq UNIQUE (user_id, permission_id);
ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_widget
    ADD CONSTRAINT accounts_widget_guid_key UNIQUE (guid);
ALTER TABLE ONLY public.accounts_widget
    ADD CONSTRAINT accounts_widget_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.accounts_widgetimport
    ADD CONSTRAINT accounts_widgetimport_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.agents_agent
    ADD CONSTRAINT agents_agent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_agentevent
    ADD CONSTRAINT agents_agentevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_department_agents
    ADD CONSTRAINT agents_department_agents_department_id_agent_id_b6b23f56_uniq UNIQUE (department_id, agent_id);
ALTER TABLE ONLY public.agents_department_agents
    ADD CONSTRAINT agents_department_agents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_department
    ADD CONSTRAINT agents_department_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_holiday
    ADD CONSTRAINT agents_holiday_department_once UNIQUE (department_id, day);
ALTER TABLE ONLY public.agents_holiday
    ADD CONSTRAINT agents_holiday_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_invitation
    ADD CONSTRAINT agents_invitation_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.agents_invitation
    ADD CONSTRAINT agents_invitation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_operatorchoices
    ADD CONSTRAINT agents_operatorchoices_pkey PRIMARY KEY (agent_id);
ALTER TABLE ONLY public.agents_presence
    ADD CONSTRAINT agents_presence_once UNIQUE (agent_id, process);
ALTER TABLE ONLY public.agents_presence
    ADD CONSTRAINT agents_presence_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.agents_widgetweek
    ADD CONSTRAINT agents_widgetweek_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.ai_aisettings
    ADD CONSTRAINT ai_aisettings_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.ai_alert
    ADD CONSTRAINT ai_alert_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_answerfeedback
    ADD CONSTRAINT ai_answerfeedback_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.ai_assistant
    ADD CONSTRAINT ai_assistant_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_conversation
    ADD CONSTRAINT ai_conversation_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.ai_credential
    ADD CONSTRAINT ai_credential_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_detachedtest
    ADD CONSTRAINT ai_detachedtest_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.ai_evaluationresult
    ADD CONSTRAINT ai_evalresult_once UNIQUE (run_id, case_id);
ALTER TABLE ONLY public.ai_evaluationcase
    ADD CONSTRAINT ai_evaluationcase_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_evaluationresult
    ADD CONSTRAINT ai_evaluationresult_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_evaluationrun
    ADD CONSTRAINT ai_evaluationrun_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_exchange
    ADD CONSTRAINT ai_exchange_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_externaloperator
    ADD CONSTRAINT ai_externaloperator_agent_id_key UNIQUE (agent_id);
ALTER TABLE ONLY public.ai_externaloperator
    ADD CONSTRAINT ai_externaloperator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_externaloperator
    ADD CONSTRAINT ai_externaloperator_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.ai_operatorevent
    ADD CONSTRAINT ai_operatorevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_operatorhealth
    ADD CONSTRAINT ai_operatorhealth_pkey PRIMARY KEY (operator_id);
ALTER TABLE ONLY public.ai_operatormove
    ADD CONSTRAINT ai_operatormove_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_personahistory
    ADD CONSTRAINT ai_personahistory_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_personaversion
    ADD CONSTRAINT ai_personaversion_once UNIQUE (assistant_id, version);
ALTER TABLE ONLY public.ai_personaversion
    ADD CONSTRAINT ai_personaversion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_probetest
    ADD CONSTRAINT ai_probetest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_probetest
    ADD CONSTRAINT ai_probetest_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.ai_replyjob
    ADD CONSTRAINT ai_replyjob_chat_id_key UNIQUE (chat_id);
ALTER TABLE ONLY public.ai_replyjob
    ADD CONSTRAINT ai_replyjob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_replytoken
    ADD CONSTRAINT ai_replytoken_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.ai_trial
    ADD CONSTRAINT ai_trial_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_turn
    ADD CONSTRAINT ai_turn_causation UNIQUE (widget_id, causation_id);
ALTER TABLE ONLY public.ai_turn
    ADD CONSTRAINT ai_turn_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ai_usage
    ADD CONSTRAINT ai_usage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_article
    ADD CONSTRAINT articles_article_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articlecategory
    ADD CONSTRAINT articles_articlecategory_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articledraft
    ADD CONSTRAINT articles_articledraft_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articledraft
    ADD CONSTRAINT articles_articledraft_text_id_key UNIQUE (text_id);
ALTER TABLE ONLY public.articles_articleimport
    ADD CONSTRAINT articles_articleimport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articlepicture
    ADD CONSTRAINT articles_articlepicture_guid_key UNIQUE (guid);
ALTER TABLE ONLY public.articles_articlepicture
    ADD CONSTRAINT articles_articlepicture_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articlereader
    ADD CONSTRAINT articles_articlereader_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articlesearch
    ADD CONSTRAINT articles_articlesearch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articletally
    ADD CONSTRAINT articles_articletally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articletext
    ADD CONSTRAINT articles_articletext_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articletold
    ADD CONSTRAINT articles_articletold_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articleversion
    ADD CONSTRAINT articles_articleversion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_articleword
    ADD CONSTRAINT articles_articleword_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_article
    ADD CONSTRAINT articles_gap_once UNIQUE (widget_id, gap_key);
ALTER TABLE ONLY public.articles_helpcenter
    ADD CONSTRAINT articles_helpcenter_domain_key UNIQUE (domain);
ALTER TABLE ONLY public.articles_helpcenter
    ADD CONSTRAINT articles_helpcenter_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.articles_helpcenter
    ADD CONSTRAINT articles_helpcenter_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.articles_article
    ADD CONSTRAINT articles_origin_once UNIQUE (widget_id, origin_key);
ALTER TABLE ONLY public.articles_articlereader
    ADD CONSTRAINT articles_reader_once UNIQUE (article_id, lang, key);
ALTER TABLE ONLY public.articles_articlesearch
    ADD CONSTRAINT articles_search_once UNIQUE (widget_id, key, day, lang, query);
ALTER TABLE ONLY public.articles_searchabletext
    ADD CONSTRAINT articles_searchabletext_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.articles_searchabletext
    ADD CONSTRAINT articles_searchabletext_text_id_key UNIQUE (text_id);
ALTER TABLE ONLY public.articles_articletally
    ADD CONSTRAINT articles_tally_once UNIQUE (article_id, lang, day);
ALTER TABLE ONLY public.articles_articletext
    ADD CONSTRAINT articles_text_once UNIQUE (article_id, lang);
ALTER TABLE ONLY public.articles_articletold
    ADD CONSTRAINT articles_told_once UNIQUE (article_id, chat_id);
ALTER TABLE ONLY public.articles_articleversion
    ADD CONSTRAINT articles_version_once UNIQUE (text_id, version);
ALTER TABLE ONLY public.articles_articleword
    ADD CONSTRAINT articles_word_once UNIQUE (widget_id, lexeme);
ALTER TABLE ONLY public.assists_assist
    ADD CONSTRAINT assists_assist_once UNIQUE (agent_id, client_id);
ALTER TABLE ONLY public.assists_assist
    ADD CONSTRAINT assists_assist_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.assists_chatsummary
    ADD CONSTRAINT assists_chatsummary_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.assists_owntool
    ADD CONSTRAINT assists_owntool_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.assists_pastquestion
    ADD CONSTRAINT assists_pastquestion_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.assists_translationjob
    ADD CONSTRAINT assists_translationjob_chat_id_key UNIQUE (chat_id);
ALTER TABLE ONLY public.assists_translationjob
    ADD CONSTRAINT assists_translationjob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_automation
    ADD CONSTRAINT automations_automation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_automationevent
    ADD CONSTRAINT automations_automationevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_automationrun
    ADD CONSTRAINT automations_automationrun_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_automationversion
    ADD CONSTRAINT automations_automationversion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_macro
    ADD CONSTRAINT automations_macro_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_macro
    ADD CONSTRAINT automations_own_key UNIQUE (agent_id, key);
ALTER TABLE ONLY public.automations_undojob
    ADD CONSTRAINT automations_undojob_automation_id_key UNIQUE (automation_id);
ALTER TABLE ONLY public.automations_undojob
    ADD CONSTRAINT automations_undojob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.automations_automationversion
    ADD CONSTRAINT automations_version_once UNIQUE (automation_id, version);
ALTER TABLE ONLY public.billing_entry
    ADD CONSTRAINT billing_entry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_once UNIQUE (widget_id, reference);
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_legalentity
    ADD CONSTRAINT billing_legalentity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_payee
    ADD CONSTRAINT billing_payee_only_key UNIQUE ("only");
ALTER TABLE ONLY public.billing_payee
    ADD CONSTRAINT billing_payee_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_plan
    ADD CONSTRAINT billing_plan_code_key UNIQUE (code);
ALTER TABLE ONLY public.billing_plan
    ADD CONSTRAINT billing_plan_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_subscription
    ADD CONSTRAINT billing_subscription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_once UNIQUE (wallet_id, reference);
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.billing_wallet
    ADD CONSTRAINT billing_wallet_once UNIQUE NULLS NOT DISTINCT (account_id, widget_id);
ALTER TABLE ONLY public.billing_wallet
    ADD CONSTRAINT billing_wallet_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_cardaction
    ADD CONSTRAINT cards_action_once UNIQUE (widget_id, client_id);
ALTER TABLE ONLY public.cards_cardaction
    ADD CONSTRAINT cards_cardaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cards_cardsettings
    ADD CONSTRAINT cards_cardsettings_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.cards_chatcards
    ADD CONSTRAINT cards_chatcards_chat_id_key UNIQUE (chat_id);
ALTER TABLE ONLY public.cards_chatcards
    ADD CONSTRAINT cards_chatcards_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_block
    ADD CONSTRAINT chats_block_of_widget UNIQUE NULLS NOT DISTINCT (widget_id, network, contact_id);
ALTER TABLE ONLY public.chats_block
    ADD CONSTRAINT chats_block_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_one_a_channel UNIQUE (contact_id, channel);
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_chatstep
    ADD CONSTRAINT chats_chatstep_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_chattally
    ADD CONSTRAINT chats_chattally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_contact
    ADD CONSTRAINT chats_contact_guid_key UNIQUE (guid);
ALTER TABLE ONLY public.chats_contact
    ADD CONSTRAINT chats_contact_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_contactjoin
    ADD CONSTRAINT chats_contactjoin_contact_id_key UNIQUE (contact_id);
ALTER TABLE ONLY public.chats_contactjoin
    ADD CONSTRAINT chats_contactjoin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_contactnote
    ADD CONSTRAINT chats_contactnote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_contacttag
    ADD CONSTRAINT chats_contacttag_once UNIQUE (contact_id, tag_id);
ALTER TABLE ONLY public.chats_contacttag
    ADD CONSTRAINT chats_contacttag_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_desksettings
    ADD CONSTRAINT chats_desksettings_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.chats_file
    ADD CONSTRAINT chats_file_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_file
    ADD CONSTRAINT chats_file_storage_key_key UNIQUE (storage_key);
ALTER TABLE ONLY public.chats_message
    ADD CONSTRAINT chats_message_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_messageedit
    ADD CONSTRAINT chats_messageedit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_messagetally
    ADD CONSTRAINT chats_messagetally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_rating
    ADD CONSTRAINT chats_rating_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_ratingrequest
    ADD CONSTRAINT chats_ratingrequest_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.chats_ratingrequest
    ADD CONSTRAINT chats_ratingrequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_responsetally
    ADD CONSTRAINT chats_responsetally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_retention
    ADD CONSTRAINT chats_retention_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.chats_searchedmessage
    ADD CONSTRAINT chats_searchedmessage_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.chats_searchprogress
    ADD CONSTRAINT chats_searchprogress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_stalehour
    ADD CONSTRAINT chats_stalehour_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_tag
    ADD CONSTRAINT chats_tag_once UNIQUE (account_id, name);
ALTER TABLE ONLY public.chats_tag
    ADD CONSTRAINT chats_tag_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_tallyprogress
    ADD CONSTRAINT chats_tallyprogress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_timer
    ADD CONSTRAINT chats_timer_one_a_kind UNIQUE (chat_id, kind, key);
ALTER TABLE ONLY public.chats_timer
    ADD CONSTRAINT chats_timer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_transfer
    ADD CONSTRAINT chats_transfer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.chats_unsearchedmessage
    ADD CONSTRAINT chats_unsearchedmessage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.compat_legacybot
    ADD CONSTRAINT compat_legacybot_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.compat_legacybot
    ADD CONSTRAINT compat_legacybot_widget_id_key UNIQUE (widget_id);
ALTER TABLE ONLY public.compat_takenchat
    ADD CONSTRAINT compat_takenchat_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.console_browser
    ADD CONSTRAINT console_browser_once UNIQUE (agent_id, digest);
ALTER TABLE ONLY public.console_browser
    ADD CONSTRAINT console_browser_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.console_pushkey
    ADD CONSTRAINT console_pushkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.console_reply
    ADD CONSTRAINT console_reply_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.console_ticket
    ADD CONSTRAINT console_ticket_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.console_ticket
    ADD CONSTRAINT console_ticket_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.core_idempotencykey
    ADD CONSTRAINT core_idempotencykey_of_widget UNIQUE (widget_id, key);
ALTER TABLE ONLY public.core_idempotencykey
    ADD CONSTRAINT core_idempotencykey_once UNIQUE (token_id, key);
ALTER TABLE ONLY public.core_idempotencykey
    ADD CONSTRAINT core_idempotencykey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.core_mail
    ADD CONSTRAINT core_mail_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.core_orphanedobject
    ADD CONSTRAINT core_orphanedobject_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.core_spending
    ADD CONSTRAINT core_spending_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_celery_beat_clockedschedule
    ADD CONSTRAINT django_celery_beat_clockedschedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_celery_beat_crontabschedule
    ADD CONSTRAINT django_celery_beat_crontabschedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_celery_beat_intervalschedule
    ADD CONSTRAINT django_celery_beat_intervalschedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_celery_beat_periodictask
    ADD CONSTRAINT django_celery_beat_periodictask_name_key UNIQUE (name);
ALTER TABLE ONLY public.django_celery_beat_periodictask
    ADD CONSTRAINT django_celery_beat_periodictask_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_celery_beat_periodictasks
    ADD CONSTRAINT django_celery_beat_periodictasks_pkey PRIMARY KEY (ident);
ALTER TABLE ONLY public.django_celery_beat_solarschedule
    ADD CONSTRAINT django_celery_beat_solar_event_latitude_longitude_ba64999a_uniq UNIQUE (event, latitude, longitude);
ALTER TABLE ONLY public.django_celery_beat_solarschedule
    ADD CONSTRAINT django_celery_beat_solarschedule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ONLY public.kb_crawler
    ADD CONSTRAINT kb_crawler_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.kb_crawlpage
    ADD CONSTRAINT kb_crawlpage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_crawlpage
    ADD CONSTRAINT kb_crawlpage_url UNIQUE (widget_id, url);
ALTER TABLE ONLY public.kb_crawlrun
    ADD CONSTRAINT kb_crawlrun_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_embedding
    ADD CONSTRAINT kb_embedding_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_embedding
    ADD CONSTRAINT kb_embedding_text UNIQUE (widget_id, digest);
ALTER TABLE ONLY public.kb_knowledgebase
    ADD CONSTRAINT kb_knowledgebase_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_knowledgebase
    ADD CONSTRAINT kb_knowledgebase_widget_id_key UNIQUE (widget_id);
ALTER TABLE ONLY public.kb_rule
    ADD CONSTRAINT kb_rule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_source
    ADD CONSTRAINT kb_source_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kb_source
    ADD CONSTRAINT kb_source_ref UNIQUE (widget_id, ref);
ALTER TABLE ONLY public.kb_upload
    ADD CONSTRAINT kb_upload_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_cycle
    ADD CONSTRAINT learning_cycle_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_demandsignal
    ADD CONSTRAINT learning_demandsignal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_demandtopic
    ADD CONSTRAINT learning_demandtopic_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_learningswitch
    ADD CONSTRAINT learning_learningswitch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_probation
    ADD CONSTRAINT learning_probation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_demandsignal
    ADD CONSTRAINT learning_signal_once UNIQUE (chat_id, category, burst_id);
ALTER TABLE ONLY public.learning_wish
    ADD CONSTRAINT learning_wish_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.learning_wishdecision
    ADD CONSTRAINT learning_wishdecision_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_address
    ADD CONSTRAINT letters_address_once UNIQUE (widget_id, digest);
ALTER TABLE ONLY public.letters_address
    ADD CONSTRAINT letters_address_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_correspondent
    ADD CONSTRAINT letters_correspondent_once UNIQUE (mailbox_id, address);
ALTER TABLE ONLY public.letters_correspondent
    ADD CONSTRAINT letters_correspondent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_gatherjob
    ADD CONSTRAINT letters_gatherjob_chat_id_key UNIQUE (chat_id);
ALTER TABLE ONLY public.letters_gatherjob
    ADD CONSTRAINT letters_gatherjob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_inletter
    ADD CONSTRAINT letters_inletter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_lettersettings
    ADD CONSTRAINT letters_lettersettings_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.letters_letterwish
    ADD CONSTRAINT letters_letterwish_pkey PRIMARY KEY (contact_id);
ALTER TABLE ONLY public.letters_mailbox
    ADD CONSTRAINT letters_mailbox_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.letters_mailbox
    ADD CONSTRAINT letters_mailbox_one_an_address UNIQUE (widget_id, address);
ALTER TABLE ONLY public.letters_mailbox
    ADD CONSTRAINT letters_mailbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_mailcheck
    ADD CONSTRAINT letters_mailcheck_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_notice
    ADD CONSTRAINT letters_notice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_noticesettings
    ADD CONSTRAINT letters_noticesettings_pkey PRIMARY KEY (agent_id);
ALTER TABLE ONLY public.letters_outletter
    ADD CONSTRAINT letters_outletter_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.letters_outletter
    ADD CONSTRAINT letters_outletter_one_a_message UNIQUE (thread_id, last_message_id);
ALTER TABLE ONLY public.letters_outletter
    ADD CONSTRAINT letters_outletter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_readjob
    ADD CONSTRAINT letters_readjob_mailbox_id_key UNIQUE (mailbox_id);
ALTER TABLE ONLY public.letters_readjob
    ADD CONSTRAINT letters_readjob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_senderjob
    ADD CONSTRAINT letters_senderjob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.letters_senderjob
    ADD CONSTRAINT letters_senderjob_sender_key UNIQUE (sender);
ALTER TABLE ONLY public.letters_thread
    ADD CONSTRAINT letters_thread_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.letters_thread
    ADD CONSTRAINT letters_thread_one_an_address UNIQUE (chat_id, address);
ALTER TABLE ONLY public.letters_thread
    ADD CONSTRAINT letters_thread_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_channel
    ADD CONSTRAINT messengers_channel_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.messengers_channel
    ADD CONSTRAINT messengers_channel_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_checkline
    ADD CONSTRAINT messengers_checkline_connection_id_key UNIQUE (connection_id);
ALTER TABLE ONLY public.messengers_checkline
    ADD CONSTRAINT messengers_checkline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_connection
    ADD CONSTRAINT messengers_connection_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.messengers_connection
    ADD CONSTRAINT messengers_connection_once UNIQUE (widget_id, provider, account);
ALTER TABLE ONLY public.messengers_connection
    ADD CONSTRAINT messengers_connection_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_earlyreceipt
    ADD CONSTRAINT messengers_earlyreceipt_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_inbound
    ADD CONSTRAINT messengers_inbound_once UNIQUE (connection_id, conversation, external_id);
ALTER TABLE ONLY public.messengers_inbound
    ADD CONSTRAINT messengers_inbound_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_inboundline
    ADD CONSTRAINT messengers_inboundline_once UNIQUE (connection_id, conversation);
ALTER TABLE ONLY public.messengers_inboundline
    ADD CONSTRAINT messengers_inboundline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_outboundline
    ADD CONSTRAINT messengers_outboundline_peer_id_key UNIQUE (peer_id);
ALTER TABLE ONLY public.messengers_outboundline
    ADD CONSTRAINT messengers_outboundline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_outboundmessage
    ADD CONSTRAINT messengers_outboundmessage_pkey PRIMARY KEY (message_id);
ALTER TABLE ONLY public.messengers_peer
    ADD CONSTRAINT messengers_peer_one_a_conversation UNIQUE (widget_id, channel, account, conversation);
ALTER TABLE ONLY public.messengers_peer
    ADD CONSTRAINT messengers_peer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_pollline
    ADD CONSTRAINT messengers_pollline_connection_id_key UNIQUE (connection_id);
ALTER TABLE ONLY public.messengers_pollline
    ADD CONSTRAINT messengers_pollline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_startlink
    ADD CONSTRAINT messengers_startlink_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.messengers_startlink
    ADD CONSTRAINT messengers_startlink_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.messengers_vendorsettings
    ADD CONSTRAINT messengers_vendorsettings_app_digest_key UNIQUE (app_digest);
ALTER TABLE ONLY public.messengers_vendorsettings
    ADD CONSTRAINT messengers_vendorsettings_pkey PRIMARY KEY (provider);
ALTER TABLE ONLY public.reports_derivedchat
    ADD CONSTRAINT reports_derivedchat_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.reports_episodeprogress
    ADD CONSTRAINT reports_episodeprogress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports_episoderow
    ADD CONSTRAINT reports_episoderow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports_ratingdecision
    ADD CONSTRAINT reports_ratingdecision_pkey PRIMARY KEY (episode_id);
ALTER TABLE ONLY public.reports_ratingdecision
    ADD CONSTRAINT reports_ratingdecision_request_id_key UNIQUE (request_id);
ALTER TABLE ONLY public.reports_ratingpolicy
    ADD CONSTRAINT reports_ratingpolicy_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.reports_stalechat
    ADD CONSTRAINT reports_stalechat_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports_weeklychoice
    ADD CONSTRAINT reports_weeklychoice_once UNIQUE (widget_id, user_id);
ALTER TABLE ONLY public.reports_weeklychoice
    ADD CONSTRAINT reports_weeklychoice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports_weeklyletter
    ADD CONSTRAINT reports_weeklyletter_once UNIQUE (widget_id, week, user_id);
ALTER TABLE ONLY public.reports_weeklyletter
    ADD CONSTRAINT reports_weeklyletter_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reviews_review
    ADD CONSTRAINT reviews_review_once UNIQUE (episode_id, kind, agent_id, assistant_id);
ALTER TABLE ONLY public.reviews_review
    ADD CONSTRAINT reviews_review_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reviews_scorecard
    ADD CONSTRAINT reviews_scorecard_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reviews_scorecard
    ADD CONSTRAINT reviews_scorecard_version UNIQUE (widget_id, version);
ALTER TABLE ONLY public.reviews_unconfirmedscore
    ADD CONSTRAINT reviews_unconfirmedscore_pkey PRIMARY KEY (episode_id);
ALTER TABLE ONLY public.routing_assignment
    ADD CONSTRAINT routing_assignment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_estimatetally
    ADD CONSTRAINT routing_estimates_of_day UNIQUE NULLS NOT DISTINCT (widget_id, day, department_id);
ALTER TABLE ONLY public.routing_estimatetally
    ADD CONSTRAINT routing_estimatetally_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_operatorplaces
    ADD CONSTRAINT routing_operatorplaces_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_operatorplaces
    ADD CONSTRAINT routing_places_in_department UNIQUE (agent_id, department_id);
ALTER TABLE ONLY public.routing_queuerow
    ADD CONSTRAINT routing_queuerow_chat_id_key UNIQUE (chat_id);
ALTER TABLE ONLY public.routing_queuerow
    ADD CONSTRAINT routing_queuerow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_routerrow
    ADD CONSTRAINT routing_routerrow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_routerrow
    ADD CONSTRAINT routing_routerrow_widget_id_key UNIQUE (widget_id);
ALTER TABLE ONLY public.routing_routingsettings
    ADD CONSTRAINT routing_routingsettings_department_id_key UNIQUE (department_id);
ALTER TABLE ONLY public.routing_routingsettings
    ADD CONSTRAINT routing_routingsettings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_slaclock
    ADD CONSTRAINT routing_slaclock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.routing_toldestimate
    ADD CONSTRAINT routing_toldestimate_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.support_approom
    ADD CONSTRAINT support_approom_chat_id_key UNIQUE (chat_id);
ALTER TABLE ONLY public.support_approom
    ADD CONSTRAINT support_approom_one_an_account UNIQUE (widget_id, user_id);
ALTER TABLE ONLY public.support_approom
    ADD CONSTRAINT support_approom_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_binding
    ADD CONSTRAINT support_binding_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_binding
    ADD CONSTRAINT support_binding_widget_id_key UNIQUE (widget_id);
ALTER TABLE ONLY public.support_chatlease
    ADD CONSTRAINT support_chatlease_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.support_emailcode
    ADD CONSTRAINT support_emailcode_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_identity
    ADD CONSTRAINT support_identity_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.support_nonce
    ADD CONSTRAINT support_nonce_once UNIQUE (binding_id, nonce);
ALTER TABLE ONLY public.support_nonce
    ADD CONSTRAINT support_nonce_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_signedrequest
    ADD CONSTRAINT support_signedrequest_once UNIQUE (binding_id, endpoint, request_id);
ALTER TABLE ONLY public.support_signedrequest
    ADD CONSTRAINT support_signedrequest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_supportaction
    ADD CONSTRAINT support_supportaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_supportsettings
    ADD CONSTRAINT support_supportsettings_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.support_takenmessage
    ADD CONSTRAINT support_takenmessage_message_id_key UNIQUE (message_id);
ALTER TABLE ONLY public.support_takenmessage
    ADD CONSTRAINT support_takenmessage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT support_ticket_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.support_verification
    ADD CONSTRAINT support_verification_pkey PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.webhooks_attempt
    ADD CONSTRAINT webhooks_attempt_pkey PRIMARY KEY (delivery_id, number);
ALTER TABLE ONLY public.webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_guid_key UNIQUE (guid);
ALTER TABLE ONLY public.webhooks_delivery
    ADD CONSTRAINT webhooks_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_event
    ADD CONSTRAINT webhooks_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_eventswitch
    ADD CONSTRAINT webhooks_eventswitch_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.webhooks_subscription
    ADD CONSTRAINT webhooks_subscription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.webhooks_subscription
    ADD CONSTRAINT webhooks_subscription_target UNIQUE (widget_id, target);
ALTER TABLE ONLY public.widget_awayform
    ADD CONSTRAINT widget_awayform_pkey PRIMARY KEY (contact_id);
ALTER TABLE ONLY public.widget_chatanswers
    ADD CONSTRAINT widget_chatanswers_one UNIQUE (chat_id, message_id);
ALTER TABLE ONLY public.widget_chatanswers
    ADD CONSTRAINT widget_chatanswers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_chatinvitation
    ADD CONSTRAINT widget_chatinvitation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_contactconsent
    ADD CONSTRAINT widget_contactconsent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_icon
    ADD CONSTRAINT widget_icon_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_invitationoffer
    ADD CONSTRAINT widget_invitationoffer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_questionset
    ADD CONSTRAINT widget_questionset_pkey PRIMARY KEY (widget_id);
ALTER TABLE ONLY public.widget_stoppedaddress
    ADD CONSTRAINT widget_stoppedaddress_once UNIQUE (widget_id, digest);
ALTER TABLE ONLY public.widget_stoppedaddress
    ADD CONSTRAINT widget_stoppedaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_translation
    ADD CONSTRAINT widget_translation_one UNIQUE (widget_id, field, locale);
ALTER TABLE ONLY public.widget_translation
    ADD CONSTRAINT widget_translation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_usedproof
    ADD CONSTRAINT widget_used_proof_once UNIQUE (widget_id, digest);
ALTER TABLE ONLY public.widget_usedproof
    ADD CONSTRAINT widget_usedproof_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_verifiedvisitor
    ADD CONSTRAINT widget_verified_visitor_one UNIQUE (widget_id, user_id);
ALTER TABLE ONLY public.widget_verifiedvisitor
    ADD CONSTRAINT widget_verifiedvisitor_contact_id_key UNIQUE (contact_id);
ALTER TABLE ONLY public.widget_verifiedvisitor
    ADD CONSTRAINT widget_verifiedvisitor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_visitorsession
    ADD CONSTRAINT widget_visitorsession_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.widget_visitorsession
    ADD CONSTRAINT widget_visitorsession_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.widget_widgetsettings
    ADD CONSTRAINT widget_widgetsettings_pkey PRIMARY KEY (widget_id);
CREATE INDEX accounts_account_email_348850e2_like ON public.accounts_account USING btree (email varchar_pattern_ops);
CREATE INDEX accounts_account_referral_code_3a8cc135_like ON public.accounts_account USING btree (referral_code varchar_pattern_ops);
CREATE INDEX accounts_account_referred_by_id_49f78c96 ON public.accounts_account USING btree (referred_by_id);
CREATE INDEX accounts_apitoken_created_by_id_eaf61c5d ON public.accounts_apitoken USING btree (created_by_id);
CREATE INDEX accounts_apitoken_widget_id_f941be61 ON public.accounts_apitoken USING btree (widget_id);
CREATE INDEX accounts_audit_list ON public.accounts_auditentry USING btree (account_id, id DESC);
CREATE INDEX accounts_auditentry_action_4ebc259f ON public.accounts_auditentry USING btree (action);
CREATE INDEX accounts_auditentry_actor_id_3237b29c ON public.accounts_auditentry USING btree (actor_id);
CREATE INDEX accounts_auditentry_cid_452063b4 ON public.accounts_auditentry USING btree (cid);
CREATE INDEX accounts_auditentry_cid_452063b4_like ON public.accounts_auditentry USING btree (cid varchar_pattern_ops);
CREATE INDEX accounts_auditentry_content_type_id_de2c4b14 ON public.accounts_auditentry USING btree (content_type_id);
CREATE INDEX accounts_auditentry_object_id_2597e96e ON public.accounts_auditentry USING btree (object_id);
CREATE INDEX accounts_auditentry_object_pk_4a6387fd ON public.accounts_auditentry USING btree (object_pk);
CREATE INDEX accounts_auditentry_object_pk_4a6387fd_like ON public.accounts_auditentry USING btree (object_pk varchar_pattern_ops);
CREATE INDEX accounts_auditentry_timestamp_267a8928 ON public.accounts_auditentry USING btree ("timestamp");
CREATE INDEX accounts_backupnote_name_2ce17d6d_like ON public.accounts_backupnote USING btree (name varchar_pattern_ops);
CREATE INDEX accounts_user_account_id_a9fb5a91 ON public.accounts_user USING btree (account_id);
CREATE INDEX accounts_user_email_b2644a56_like ON public.accounts_user USING btree (email varchar_pattern_ops);
CREATE UNIQUE INDEX accounts_user_email_once ON public.accounts_user USING btree (lower((email)::text));
CREATE INDEX accounts_user_groups_group_id_bd11a704 ON public.accounts_user_groups USING btree (group_id);
CREATE INDEX accounts_user_groups_user_id_52b62117 ON public.accounts_user_groups USING btree (user_id);
CREATE INDEX accounts_user_provider_subject_d902ca5a_like ON public.accounts_user USING btree (provider_subject varchar_pattern_ops);
CREATE INDEX accounts_user_user_permissions_permission_id_113bb443 ON public.accounts_user_user_permissions USING btree (permission_id);
CREATE INDEX accounts_user_user_permissions_user_id_e4f0a161 ON public.accounts_user_user_permissions USING btree (user_id);
CREATE INDEX accounts_widget_account_id_f4f4d9c1 ON public.accounts_widget USING btree (account_id);
CREATE INDEX accounts_widget_guid_551e70a6_like ON public.accounts_widget USING btree (guid varchar_pattern_ops);
CREATE INDEX agents_agent_list ON public.agents_agent USING btree (widget_id, id);
CREATE UNIQUE INDEX agents_agent_one_owner ON public.agents_agent USING btree (widget_id) WHERE ((role)::text = 'owner'::text);
CREATE INDEX agents_agent_online ON public.agents_agent USING btree (widget_id) WHERE (online_since IS NOT NULL);
CREATE INDEX agents_agent_user_id_98b0ac68 ON public.agents_agent USING btree (user_id);
CREATE UNIQUE INDEX agents_agent_user_once ON public.agents_agent USING btree (widget_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX agents_agent_widget_id_49e4994a ON public.agents_agent USING btree (widget_id);
CREATE INDEX agents_agentevent_agent_id_0cd9dacd ON public.agents_agentevent USING btree (agent_id);
CREATE INDEX agents_agentevent_widget_id_470faffb ON public.agents_agentevent USING btree (widget_id);
CREATE INDEX agents_department_agents_agent_id_1845a601 ON public.agents_department_agents USING btree (agent_id);
CREATE INDEX agents_department_agents_department_id_0a61e808 ON public.agents_department_agents USING btree (department_id);
CREATE INDEX agents_department_list ON public.agents_department USING btree (widget_id, id);
CREATE INDEX agents_department_widget_id_6bac1da0 ON public.agents_department USING btree (widget_id);
CREATE INDEX agents_event_list ON public.agents_agentevent USING btree (agent_id, id DESC);
CREATE INDEX agents_event_type ON public.agents_agentevent USING btree (agent_id, type_code, id DESC);
CREATE UNIQUE INDEX agents_holiday_once ON public.agents_holiday USING btree (widget_id, day) WHERE (department_id IS NULL);
CREATE INDEX agents_invitation_agent_id_338463ad ON public.agents_invitation USING btree (agent_id);
CREATE INDEX agents_invitation_department_id_7bf9a4ae ON public.agents_invitation USING btree (department_id);
CREATE INDEX agents_invitation_list ON public.agents_invitation USING btree (widget_id, id);
CREATE INDEX agents_invitation_widget_id_8e89c579 ON public.agents_invitation USING btree (widget_id);
CREATE INDEX agents_invited ON public.agents_invitation USING btree (widget_id, expires_at) WHERE ((status)::text = 'pending'::text);
CREATE INDEX agents_presence_until ON public.agents_presence USING btree (until);
CREATE INDEX ai_aisettings_migrated_assistant_id_6ce8576f ON public.ai_aisettings USING btree (migrated_assistant_id);
CREATE INDEX ai_alert_assistant_id_48da1348 ON public.ai_alert USING btree (assistant_id);
CREATE INDEX ai_alert_credential_id_c61ae07f ON public.ai_alert USING btree (credential_id);
CREATE INDEX ai_alert_list ON public.ai_alert USING btree (widget_id, first_at DESC, id DESC);
CREATE UNIQUE INDEX ai_alert_one_open ON public.ai_alert USING btree (widget_id, code, assistant_id, operator_id, credential_id) NULLS NOT DISTINCT WHERE (acknowledged_at IS NULL);
CREATE INDEX ai_alert_open ON public.ai_alert USING btree (widget_id, first_at DESC, id DESC) WHERE (acknowledged_at IS NULL);
CREATE INDEX ai_alert_operator_id_5ee472d6 ON public.ai_alert USING btree (operator_id);
CREATE INDEX ai_answerfeedback_chat_id_7e7aa9c8 ON public.ai_answerfeedback USING btree (chat_id);
CREATE INDEX ai_answerfeedback_exchange_id_d82474b8 ON public.ai_answerfeedback USING btree (exchange_id);
CREATE INDEX ai_assistant_list ON public.ai_assistant USING btree (widget_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX ai_assistant_one_default ON public.ai_assistant USING btree (widget_id) WHERE is_default;
CREATE INDEX ai_credential_assistant_id_3bfc9ab9 ON public.ai_credential USING btree (assistant_id);
CREATE INDEX ai_credential_backup_id_f7b41fd5 ON public.ai_credential USING btree (backup_id);
CREATE INDEX ai_credential_list ON public.ai_credential USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX ai_credential_operator_id_6fd56be0 ON public.ai_credential USING btree (operator_id);
CREATE INDEX ai_evalcase_list ON public.ai_evaluationcase USING btree (widget_id, id);
CREATE INDEX ai_evalrun_due ON public.ai_evaluationrun USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ai_evalrun_held ON public.ai_evaluationrun USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX ai_evalrun_list ON public.ai_evaluationrun USING btree (widget_id, id DESC);
CREATE INDEX ai_evalrun_of ON public.ai_evaluationrun USING btree (assistant_id, id DESC);
CREATE UNIQUE INDEX ai_evalrun_one_active ON public.ai_evaluationrun USING btree (assistant_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text]));
CREATE INDEX ai_evalrun_turn ON public.ai_evaluationrun USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ai_evaluationcase_assistant_id_4ddbbc98 ON public.ai_evaluationcase USING btree (assistant_id);
CREATE INDEX ai_evaluationresult_run_id_9f73e55f ON public.ai_evaluationresult USING btree (run_id);
CREATE INDEX ai_evaluationrun_previous_id_4b1576bb ON public.ai_evaluationrun USING btree (previous_id);
CREATE INDEX ai_event_pending ON public.ai_operatorevent USING btree (operator_id, secret_version) WHERE ((status)::text = 'pending'::text);
CREATE INDEX ai_exchange_assistant_id_aa67dcff ON public.ai_exchange USING btree (assistant_id);
CREATE INDEX ai_exchange_by_version ON public.ai_exchange USING btree (assistant_id, persona_version, at) WHERE ((outcome)::text = 'shown'::text);
CREATE INDEX ai_exchange_chat_id_cfc1be33 ON public.ai_exchange USING btree (chat_id);
CREATE INDEX ai_exchange_list ON public.ai_exchange USING btree (widget_id, at DESC, id DESC);
CREATE INDEX ai_exchange_old ON public.ai_exchange USING btree (at);
CREATE INDEX ai_externaloperator_last_test_id_09c00ca3 ON public.ai_externaloperator USING btree (last_test_id);
CREATE INDEX ai_externaloperator_list ON public.ai_externaloperator USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX ai_feedback_list ON public.ai_answerfeedback USING btree (widget_id, at DESC);
CREATE INDEX ai_feedback_old ON public.ai_answerfeedback USING btree (at);
CREATE INDEX ai_operatorevent_turn_id_f865a13c ON public.ai_operatorevent USING btree (turn_id);
CREATE INDEX ai_operatormove_list ON public.ai_operatormove USING btree (operator_id, id DESC);
CREATE INDEX ai_personahistory_list ON public.ai_personahistory USING btree (widget_id, at DESC, id DESC);
CREATE INDEX ai_personahistory_of ON public.ai_personahistory USING btree (widget_id, assistant_id, at DESC, id DESC);
CREATE INDEX ai_probetest_list ON public.ai_probetest USING btree (operator_id, id DESC);
CREATE UNIQUE INDEX ai_probetest_one_queued ON public.ai_probetest USING btree (operator_id) WHERE ((status)::text = 'queued'::text);
CREATE INDEX ai_replyjob_due ON public.ai_replyjob USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ai_replyjob_held ON public.ai_replyjob USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX ai_replyjob_turn ON public.ai_replyjob USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ai_replytoken_operator_id_4065bf1e ON public.ai_replytoken USING btree (operator_id);
CREATE INDEX ai_trial_due ON public.ai_trial USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ai_trial_held ON public.ai_trial USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX ai_trial_of ON public.ai_trial USING btree (assistant_id, id DESC);
CREATE INDEX ai_trial_turn ON public.ai_trial USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ai_turn_chat ON public.ai_turn USING btree (chat_id, id DESC);
CREATE INDEX ai_turn_list ON public.ai_turn USING btree (operator_id, id DESC);
CREATE INDEX ai_turn_old ON public.ai_turn USING btree (created_at);
CREATE UNIQUE INDEX ai_turn_one_open ON public.ai_turn USING btree (chat_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('delivered'::character varying)::text]));
CREATE INDEX ai_turn_open ON public.ai_turn USING btree (operator_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('delivered'::character varying)::text]));
CREATE INDEX ai_usage_assistant ON public.ai_usage USING btree (assistant_id, at);
CREATE INDEX ai_usage_credential_id_8d742ed2 ON public.ai_usage USING btree (credential_id);
CREATE INDEX ai_usage_widget ON public.ai_usage USING btree (widget_id, at);
CREATE INDEX articles_article_category_id_633dad2b ON public.articles_article USING btree (category_id);
CREATE INDEX articles_articleimport_category_id_52376f70 ON public.articles_articleimport USING btree (category_id);
CREATE INDEX articles_articleimport_due ON public.articles_articleimport USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX articles_articleimport_held ON public.articles_articleimport USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX articles_articleimport_turn ON public.articles_articleimport USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX articles_articlepicture_widget_id_c0c65998 ON public.articles_articlepicture USING btree (widget_id);
CREATE INDEX articles_articletold_chat_id_4eb5b922 ON public.articles_articletold USING btree (chat_id);
CREATE INDEX articles_by_lang ON public.articles_articletext USING btree (widget_id, lang);
CREATE INDEX articles_categories ON public.articles_articlecategory USING btree (widget_id, "position", id);
CREATE INDEX articles_draft_due ON public.articles_articledraft USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX articles_draft_held ON public.articles_articledraft USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX articles_draft_turn ON public.articles_articledraft USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX articles_due ON public.articles_articletext USING btree (publish_at) WHERE (publish_at IS NOT NULL);
CREATE INDEX articles_due_for_ai ON public.articles_searchabletext USING btree (widget_id, id) WHERE is_due;
CREATE INDEX articles_helpcenter_domain_e127b31c_like ON public.articles_helpcenter USING btree (domain varchar_pattern_ops);
CREATE INDEX articles_helpcenter_slug_2bb48785_like ON public.articles_helpcenter USING btree (slug varchar_pattern_ops);
CREATE INDEX articles_imports ON public.articles_articleimport USING btree (widget_id, id DESC);
CREATE INDEX articles_list ON public.articles_article USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX articles_marks ON public.articles_searchabletext USING gin (widget_id, marks);
CREATE UNIQUE INDEX articles_one_import_at_a_time ON public.articles_articleimport USING btree (widget_id) WHERE (NOT ((state)::text = ANY (ARRAY[('done'::character varying)::text, ('failed'::character varying)::text])));
CREATE INDEX articles_published ON public.articles_articletext USING btree (widget_id, lang, article_id) WHERE (published_version IS NOT NULL);
CREATE INDEX articles_reader_age ON public.articles_articlereader USING btree (at);
CREATE INDEX articles_reader_days ON public.articles_articlereader USING btree (widget_id, at);
CREATE INDEX articles_reader_of_contact ON public.articles_articlereader USING btree (contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX articles_reader_of_key ON public.articles_articlereader USING btree (widget_id, key);
CREATE INDEX articles_search_age ON public.articles_articlesearch USING btree (at);
CREATE INDEX articles_search_days ON public.articles_articlesearch USING btree (widget_id, at);
CREATE INDEX articles_searchable ON public.articles_searchabletext USING btree (widget_id, article_id, lang);
CREATE INDEX articles_spelt ON public.articles_articleword USING gin (widget_id, spelling public.gin_trgm_ops);
CREATE INDEX articles_tally_age ON public.articles_articletally USING btree (day);
CREATE INDEX articles_tally_days ON public.articles_articletally USING btree (widget_id, day);
CREATE INDEX articles_told_due ON public.articles_articletold USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX articles_told_held ON public.articles_articletold USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX articles_told_turn ON public.articles_articletold USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX articles_words ON public.articles_searchabletext USING gin (widget_id, searched);
CREATE INDEX assists_assist_chat_id_0fc92c37 ON public.assists_assist USING btree (chat_id);
CREATE INDEX assists_assist_due ON public.assists_assist USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX assists_assist_flight ON public.assists_assist USING btree (agent_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text]));
CREATE INDEX assists_assist_held ON public.assists_assist USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX assists_assist_list ON public.assists_assist USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX assists_assist_news ON public.assists_assist USING btree (agent_id, updated_at DESC);
CREATE INDEX assists_assist_old ON public.assists_assist USING btree (created_at);
CREATE INDEX assists_assist_turn ON public.assists_assist USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX assists_owntool_widget_id_d7935090 ON public.assists_owntool USING btree (widget_id);
CREATE INDEX assists_pastquestion_chat_id_dbb07fda ON public.assists_pastquestion USING btree (chat_id);
CREATE INDEX assists_translation_due ON public.assists_translationjob USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX assists_translation_held ON public.assists_translationjob USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX assists_translation_turn ON public.assists_translationjob USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);
CREATE INDEX automations_event_due ON public.automations_automationevent USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX automations_event_held ON public.automations_automationevent USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX automations_event_in_chat ON public.automations_automationevent USING btree (chat_id, id);
CREATE INDEX automations_event_turn ON public.automations_automationevent USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX automations_in_order ON public.automations_automation USING btree (widget_id, "position", id);
CREATE UNIQUE INDEX automations_macro_once ON public.automations_automationrun USING btree (chat_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX automations_macro_runs ON public.automations_automationrun USING btree (macro_id) WHERE (macro_id IS NOT NULL);
CREATE INDEX automations_macros ON public.automations_macro USING btree (widget_id, agent_id);
CREATE INDEX automations_on ON public.automations_automation USING btree (widget_id) WHERE is_enabled;
CREATE UNIQUE INDEX automations_run_once ON public.automations_automationrun USING btree (automation_id, event_key) WHERE (automation_id IS NOT NULL);
CREATE INDEX automations_runs_by ON public.automations_automationrun USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX automations_runs_in_chat ON public.automations_automationrun USING btree (chat_id, id DESC);
CREATE INDEX automations_runs_of ON public.automations_automationrun USING btree (automation_id, id DESC);
CREATE INDEX automations_runs_old ON public.automations_automationrun USING btree (widget_id, at);
CREATE UNIQUE INDEX automations_shared_key ON public.automations_macro USING btree (widget_id, key) WHERE (agent_id IS NULL);
CREATE INDEX automations_undojob_due ON public.automations_undojob USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX automations_undojob_held ON public.automations_undojob USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX automations_undojob_turn ON public.automations_undojob USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX billing_entry_transaction_id_22471856 ON public.billing_entry USING btree (transaction_id);
CREATE INDEX billing_invoice_account_id_71f06cf2 ON public.billing_invoice USING btree (account_id);
CREATE INDEX billing_invoice_document_id_8299044d ON public.billing_invoice USING btree (document_id);
CREATE INDEX billing_invoice_entity_id_c113ac25 ON public.billing_invoice USING btree (entity_id);
CREATE INDEX billing_invoice_list ON public.billing_invoice USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX billing_invoice_status ON public.billing_invoice USING btree (widget_id, status, created_at DESC, id DESC);
CREATE INDEX billing_legalentity_list ON public.billing_legalentity USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX billing_plan_code_3f70aec3_like ON public.billing_plan USING btree (code varchar_pattern_ops);
CREATE INDEX billing_subscription_account_id_02e44ef3 ON public.billing_subscription USING btree (account_id);
CREATE INDEX billing_subscription_end ON public.billing_subscription USING btree (ends_at) WHERE ((status)::text = 'active'::text);
CREATE INDEX billing_subscription_kind ON public.billing_subscription USING btree (widget_id, kind, created_at DESC, id DESC);
CREATE INDEX billing_subscription_list ON public.billing_subscription USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX billing_subscription_status ON public.billing_subscription USING btree (widget_id, status, created_at DESC, id DESC);
CREATE INDEX billing_transaction_account_id_2434372f ON public.billing_transaction USING btree (account_id);
CREATE INDEX billing_transaction_dir ON public.billing_transaction USING btree (widget_id, direction, created_at DESC, id DESC);
CREATE INDEX billing_transaction_entity_id_054f58f6 ON public.billing_transaction USING btree (entity_id);
CREATE INDEX billing_transaction_invoice_id_88ff7944 ON public.billing_transaction USING btree (invoice_id);
CREATE INDEX billing_transaction_list ON public.billing_transaction USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX billing_transaction_state ON public.billing_transaction USING btree (widget_id, state, created_at DESC, id DESC);
CREATE INDEX billing_transaction_subscription_id_bce0c49e ON public.billing_transaction USING btree (subscription_id);
CREATE INDEX billing_transaction_type ON public.billing_transaction USING btree (widget_id, type, created_at DESC, id DESC);
CREATE INDEX billing_wallet_widget_id_76382f34 ON public.billing_wallet USING btree (widget_id);
CREATE INDEX cards_cardaction_due ON public.cards_cardaction USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX cards_cardaction_held ON public.cards_cardaction USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX cards_cardaction_in_chat ON public.cards_cardaction USING btree (chat_id, key, id DESC);
CREATE INDEX cards_cardaction_old ON public.cards_cardaction USING btree (created_at);
CREATE INDEX cards_cardaction_turn ON public.cards_cardaction USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX cards_chatcards_due ON public.cards_chatcards USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX cards_chatcards_held ON public.cards_chatcards USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX cards_chatcards_old ON public.cards_chatcards USING btree (kept_since);
CREATE INDEX cards_chatcards_turn ON public.cards_chatcards USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX chats_block_agent_id_5bc43e0c ON public.chats_block USING btree (agent_id);
CREATE INDEX chats_block_contact_id_47cc9f49 ON public.chats_block USING btree (contact_id);
CREATE INDEX chats_chat_accepted_agent_id_188bf4f3 ON public.chats_chat USING btree (accepted_agent_id);
CREATE INDEX chats_chat_agent_id_f84a0d03 ON public.chats_chat USING btree (agent_id);
CREATE INDEX chats_chat_aside ON public.chats_chat USING btree (widget_id) WHERE ((snoozed_at IS NOT NULL) OR (woken_at IS NOT NULL));
CREATE INDEX chats_chat_by_channel ON public.chats_chat USING btree (widget_id, channel, created_at DESC, id DESC);
CREATE INDEX chats_chat_by_status ON public.chats_chat USING btree (widget_id, status, created_at DESC, id DESC);
CREATE INDEX chats_chat_closed ON public.chats_chat USING btree (widget_id, expired_at DESC, id DESC) WHERE ((status)::text = 'expired'::text);
CREATE INDEX chats_chat_contact_id_2488f818 ON public.chats_chat USING btree (contact_id);
CREATE INDEX chats_chat_counted ON public.chats_chat USING btree (widget_id, created_at) INCLUDE (handling, accepted_type, handled_type, accepted_at, channel, internal);
CREATE INDEX chats_chat_department_id_846b7ac5 ON public.chats_chat USING btree (department_id);
CREATE INDEX chats_chat_expired ON public.chats_chat USING btree (expired_at) WHERE ((status)::text = 'expired'::text);
CREATE INDEX chats_chat_handled_agent_id_c5f79bd4 ON public.chats_chat USING btree (handled_agent_id);
CREATE INDEX chats_chat_in_block ON public.chats_chat USING btree (widget_id, ((id >> 13)), created_at);
CREATE INDEX chats_chat_inbox ON public.chats_chat USING btree (widget_id) WHERE ((status)::text = ANY (ARRAY[('active'::character varying)::text, ('ready'::character varying)::text]));
CREATE INDEX chats_chat_left ON public.chats_chat USING btree (widget_id, left_unanswered_at) WHERE (left_unanswered_at IS NOT NULL);
CREATE INDEX chats_chat_list ON public.chats_chat USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX chats_chat_open ON public.chats_chat USING btree (id) WHERE ((status)::text = ANY (ARRAY[('active'::character varying)::text, ('ready'::character varying)::text]));
CREATE INDEX chats_chat_owner_away ON public.chats_chat USING btree (id) WHERE (owner_away_at IS NOT NULL);
CREATE INDEX chats_chat_queued ON public.chats_chat USING btree (widget_id) WHERE (queued_at IS NOT NULL);
CREATE INDEX chats_chat_widget_id_11a89df9 ON public.chats_chat USING btree (widget_id);
CREATE INDEX chats_chat_with_client ON public.chats_chat USING btree (widget_id, created_at DESC, id DESC) WHERE has_client_messages;
CREATE INDEX chats_chattally_of_hour ON public.chats_chattally USING btree (widget_id, hour);
CREATE INDEX chats_contact_external ON public.chats_contact USING btree (widget_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX chats_contact_found ON public.chats_contact USING gin (public.chats_contact_entries(widget_id, (name)::text, (email)::text, (phone)::text)) WITH (gin_pending_list_limit='256');
CREATE INDEX chats_contact_guid_45c3d25b_like ON public.chats_contact USING btree (guid varchar_pattern_ops);
CREATE INDEX chats_contact_known ON public.chats_contact USING btree (widget_id, created_at DESC, id DESC) WHERE (((name)::text > ''::text) OR ((email)::text > ''::text) OR ((phone)::text > ''::text));
CREATE INDEX chats_contact_list ON public.chats_contact USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX chats_contact_widget_id_7d10ed89 ON public.chats_contact USING btree (widget_id);
CREATE INDEX chats_contactjoin_first_id_1e002a51 ON public.chats_contactjoin USING btree (first_id);
CREATE INDEX chats_contactnote_contact_id_2a773584 ON public.chats_contactnote USING btree (contact_id);
CREATE INDEX chats_contacttag_tag_id_421deebf ON public.chats_contacttag USING btree (tag_id);
CREATE INDEX chats_file_contact_id_b82fd56b ON public.chats_file USING btree (contact_id);
CREATE INDEX chats_file_of_visitors ON public.chats_file USING btree (widget_id, created_at) INCLUDE (contact_id, size) WHERE (contact_id IS NOT NULL);
CREATE INDEX chats_file_storage_key_629f4a48_like ON public.chats_file USING btree (storage_key varchar_pattern_ops);
CREATE INDEX chats_file_token_id_3dff381c ON public.chats_file USING btree (token_id);
CREATE INDEX chats_file_unsent ON public.chats_file USING btree (created_at, id) WHERE ((contact_id IS NOT NULL) AND (NOT is_sent));
CREATE INDEX chats_file_widget_id_6dc82db2 ON public.chats_file USING btree (widget_id);
CREATE UNIQUE INDEX chats_message_client_id ON public.chats_message USING btree (chat_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX chats_message_counted ON public.chats_message USING btree (widget_id, created_at) WHERE ((NOT is_internal) AND (NOT ((sender_kind)::text = 'system'::text)));
CREATE INDEX chats_message_in_chat ON public.chats_message USING btree (chat_id, id);
CREATE INDEX chats_message_list ON public.chats_message USING btree (chat_id, created_at DESC, id DESC);
CREATE INDEX chats_messageedit_in_chat ON public.chats_messageedit USING btree (chat_id, id);
CREATE INDEX chats_messageedit_message_id_c2c8fd1c ON public.chats_messageedit USING btree (message_id);
CREATE INDEX chats_messagetally_of_hour ON public.chats_messagetally USING btree (widget_id, hour);
CREATE INDEX chats_rating_counted ON public.chats_rating USING btree (widget_id, rated_at) INCLUDE (value, agent_id);
CREATE INDEX chats_rating_in_chat ON public.chats_rating USING btree (chat_id, after_message_id DESC);
CREATE INDEX chats_ratingrequest_digest_af2de6de_like ON public.chats_ratingrequest USING btree (digest varchar_pattern_ops);
CREATE INDEX chats_request_in_chat ON public.chats_ratingrequest USING btree (chat_id, after_message_id DESC);
CREATE INDEX chats_request_of_widget ON public.chats_ratingrequest USING btree (widget_id, at);
CREATE INDEX chats_responsetally_of_hour ON public.chats_responsetally USING btree (widget_id, hour);
CREATE INDEX chats_searchedmessage_found ON public.chats_searchedmessage USING gin (public.chats_message_trigrams(widget_id, chat_id, body)) WITH (gin_pending_list_limit='1024');
CREATE INDEX chats_stalehour_of_hour ON public.chats_stalehour USING btree (widget_id, hour);
CREATE INDEX chats_step_in_chat ON public.chats_chatstep USING btree (chat_id, id DESC);
CREATE INDEX chats_tag_alike ON public.chats_tag USING btree (account_id, public.chats_alike((name)::text));
CREATE INDEX chats_timer_due ON public.chats_timer USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX chats_transfer_chat_id_f7df5d19 ON public.chats_transfer USING btree (chat_id);
CREATE INDEX chats_transfer_counted ON public.chats_transfer USING btree (widget_id, created_at) INCLUDE (from_agent_id, to_agent_id);
CREATE INDEX chats_unsearched_noted ON public.chats_unsearchedmessage USING btree (widget_id, message_id);
CREATE INDEX console_browser_agent_id_9818fa73 ON public.console_browser USING btree (agent_id);
CREATE INDEX console_browser_due ON public.console_browser USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX console_reply_agent_id_3190c0f8 ON public.console_reply USING btree (agent_id);
CREATE UNIQUE INDEX console_reply_own_once ON public.console_reply USING btree (agent_id, shortcut) WHERE (agent_id IS NOT NULL);
CREATE UNIQUE INDEX console_reply_shared_once ON public.console_reply USING btree (widget_id, shortcut) WHERE (agent_id IS NULL);
CREATE INDEX console_reply_widget_id_469561f9 ON public.console_reply USING btree (widget_id);
CREATE INDEX console_ticket_agent_id_3802eaf5 ON public.console_ticket USING btree (agent_id);
CREATE INDEX console_ticket_expires_at_f19cd9fe ON public.console_ticket USING btree (expires_at);
CREATE INDEX core_idempotencykey_age ON public.core_idempotencykey USING btree (created_at);
CREATE INDEX core_mail_due ON public.core_mail USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX core_orphanedobject_due ON public.core_orphanedobject USING btree (sweep_at, key);
CREATE INDEX core_orphanedobject_key_036e73d5_like ON public.core_orphanedobject USING btree (key varchar_pattern_ops);
CREATE INDEX core_spending_age ON public.core_spending USING btree (at);
CREATE INDEX core_spending_budget ON public.core_spending USING btree (scope, key, at);
CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON public.django_admin_log USING btree (content_type_id);
CREATE INDEX django_admin_log_user_id_c564eba6 ON public.django_admin_log USING btree (user_id);
CREATE INDEX django_celery_beat_periodictask_clocked_id_47a69f82 ON public.django_celery_beat_periodictask USING btree (clocked_id);
CREATE INDEX django_celery_beat_periodictask_crontab_id_d3cba168 ON public.django_celery_beat_periodictask USING btree (crontab_id);
CREATE INDEX django_celery_beat_periodictask_interval_id_a8ca27da ON public.django_celery_beat_periodictask USING btree (interval_id);
CREATE INDEX django_celery_beat_periodictask_name_265a36b7_like ON public.django_celery_beat_periodictask USING btree (name varchar_pattern_ops);
CREATE INDEX django_celery_beat_periodictask_solar_id_a87ce72c ON public.django_celery_beat_periodictask USING btree (solar_id);
CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);
CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);
CREATE INDEX kb_crawler_next_run ON public.kb_crawler USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE INDEX kb_crawlpage_by_hash ON public.kb_crawlpage USING btree (widget_id, content_hash);
CREATE INDEX kb_crawlpage_by_run ON public.kb_crawlpage USING btree (widget_id, run_id);
CREATE INDEX kb_crawlpage_frontier ON public.kb_crawlpage USING btree (run_id, depth, id) WHERE ((state)::text = 'queued'::text);
CREATE INDEX kb_crawlrun_due ON public.kb_crawlrun USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX kb_crawlrun_held ON public.kb_crawlrun USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX kb_crawlrun_last ON public.kb_crawlrun USING btree (widget_id, id DESC);
CREATE UNIQUE INDEX kb_crawlrun_one_active ON public.kb_crawlrun USING btree (widget_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text]));
CREATE INDEX kb_crawlrun_turn ON public.kb_crawlrun USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX kb_knowledgebase_due ON public.kb_knowledgebase USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX kb_knowledgebase_held ON public.kb_knowledgebase USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX kb_knowledgebase_turn ON public.kb_knowledgebase USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX kb_rule_by_digest ON public.kb_rule USING btree (widget_id, digest);
CREATE INDEX kb_rule_by_doc ON public.kb_rule USING btree (widget_id, doc_id, created_at DESC, id DESC) WHERE (doc_id IS NOT NULL);
CREATE INDEX kb_rule_by_source ON public.kb_rule USING btree (source_id, created_at DESC, id DESC);
CREATE INDEX kb_rule_list ON public.kb_rule USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX kb_rule_marks ON public.kb_rule USING gin (widget_id, public.kb_marks_of((title)::text, content));
CREATE INDEX kb_rule_operator_id_d0cd9dbc ON public.kb_rule USING btree (operator_id);
CREATE INDEX kb_rule_pending ON public.kb_rule USING btree (widget_id, id DESC) WHERE ((embedding_status)::text = 'pending'::text);
CREATE INDEX kb_rule_words ON public.kb_rule USING gin (widget_id, searched);
CREATE INDEX kb_source_by_type ON public.kb_source USING btree (widget_id, type, created_at DESC, id DESC) WHERE (chunks > 0);
CREATE INDEX kb_source_list ON public.kb_source USING btree (widget_id, created_at DESC, id DESC) WHERE (chunks > 0);
CREATE INDEX kb_upload_by_state ON public.kb_upload USING btree (widget_id, state, created_at DESC, id DESC);
CREATE INDEX kb_upload_due ON public.kb_upload USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX kb_upload_held ON public.kb_upload USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX kb_upload_list ON public.kb_upload USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX kb_upload_turn ON public.kb_upload USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX learning_cycle_applied ON public.learning_cycle USING btree (widget_id, queued_at DESC, id DESC) WHERE (version IS NOT NULL);
CREATE INDEX learning_cycle_due ON public.learning_cycle USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX learning_cycle_held ON public.learning_cycle USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX learning_cycle_of ON public.learning_cycle USING btree (assistant_id, queued_at DESC, id DESC);
CREATE UNIQUE INDEX learning_cycle_one_active ON public.learning_cycle USING btree (assistant_id) WHERE ((state)::text = ANY (ARRAY[('queued'::character varying)::text, ('running'::character varying)::text]));
CREATE INDEX learning_cycle_turn ON public.learning_cycle USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX learning_demandsignal_topic_id_48b02bfc ON public.learning_demandsignal USING btree (topic_id);
CREATE INDEX learning_probation_cycle_id_01a393ff ON public.learning_probation USING btree (cycle_id);
CREATE INDEX learning_probation_of ON public.learning_probation USING btree (widget_id, assistant_id, id DESC);
CREATE UNIQUE INDEX learning_probation_one_running ON public.learning_probation USING btree (assistant_id) WHERE ((state)::text = 'running'::text);
CREATE INDEX learning_probation_running ON public.learning_probation USING btree (id) WHERE ((state)::text = 'running'::text);
CREATE INDEX learning_probation_wish_id_ea87383d ON public.learning_probation USING btree (wish_id);
CREATE INDEX learning_signal_of_topic ON public.learning_demandsignal USING btree (topic_id, at DESC, id DESC);
CREATE INDEX learning_signal_old ON public.learning_demandsignal USING btree (at);
CREATE INDEX learning_signal_window ON public.learning_demandsignal USING btree (widget_id, at) INCLUDE (topic_id, category, chat_id);
CREATE INDEX learning_topic_alike ON public.learning_demandtopic USING gin (widget_id, category, folded public.gin_trgm_ops);
CREATE INDEX learning_topic_same ON public.learning_demandtopic USING btree (widget_id, category, folded);
CREATE INDEX learning_wish_by_assistant ON public.learning_wish USING btree (widget_id, assistant_id, created_at DESC, id DESC);
CREATE INDEX learning_wish_by_status ON public.learning_wish USING btree (widget_id, status, created_at DESC, id DESC);
CREATE INDEX learning_wish_due ON public.learning_wish USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX learning_wish_held ON public.learning_wish USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX learning_wish_list ON public.learning_wish USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX learning_wish_turn ON public.learning_wish USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX learning_wishdecision_wish_id_5a48cda6 ON public.learning_wishdecision USING btree (wish_id);
CREATE INDEX letters_address_contact_id_9caca82b ON public.letters_address USING btree (contact_id);
CREATE INDEX letters_correspondent_contact_id_16d475df ON public.letters_correspondent USING btree (contact_id);
CREATE INDEX letters_correspondent_mailbox_id_dd27bfac ON public.letters_correspondent USING btree (mailbox_id);
CREATE INDEX letters_gatherjob_due ON public.letters_gatherjob USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_gatherjob_held ON public.letters_gatherjob USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX letters_gatherjob_turn ON public.letters_gatherjob USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_inletter_age ON public.letters_inletter USING btree (received_at);
CREATE INDEX letters_inletter_chat_id_ef0ffe68 ON public.letters_inletter USING btree (chat_id);
CREATE INDEX letters_inletter_door ON public.letters_inletter USING btree (mailbox_id, received_at);
CREATE INDEX letters_inletter_key ON public.letters_inletter USING btree (key) WHERE (NOT ((key)::text = ''::text));
CREATE INDEX letters_inletter_list ON public.letters_inletter USING btree (widget_id, kind, id DESC);
CREATE INDEX letters_inletter_message_id_feba1b38 ON public.letters_inletter USING btree (message_id);
CREATE INDEX letters_inletter_open ON public.letters_inletter USING btree (sender, id) WHERE (handled_at IS NULL);
CREATE INDEX letters_inletter_sender ON public.letters_inletter USING btree (sender, received_at);
CREATE INDEX letters_inletter_thread_id_63cbba7c ON public.letters_inletter USING btree (thread_id);
CREATE INDEX letters_letterwish_widget_id_ea301c6e ON public.letters_letterwish USING btree (widget_id);
CREATE INDEX letters_mailbox_department_id_53f54c6b ON public.letters_mailbox USING btree (department_id);
CREATE INDEX letters_mailbox_widget_id_24edfd79 ON public.letters_mailbox USING btree (widget_id);
CREATE INDEX letters_mailcheck_due ON public.letters_mailcheck USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_mailcheck_held ON public.letters_mailcheck USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX letters_mailcheck_latest ON public.letters_mailcheck USING btree (widget_id, id DESC);
CREATE INDEX letters_mailcheck_mailbox_id_38581799 ON public.letters_mailcheck USING btree (mailbox_id);
CREATE INDEX letters_mailcheck_turn ON public.letters_mailcheck USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_notice_agent_id_fd001b13 ON public.letters_notice USING btree (agent_id);
CREATE INDEX letters_notice_last ON public.letters_notice USING btree (widget_id, agent_id, sent_at DESC);
CREATE INDEX letters_outletter_due ON public.letters_outletter USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_outletter_held ON public.letters_outletter USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX letters_outletter_list ON public.letters_outletter USING btree (widget_id, queued_at DESC);
CREATE INDEX letters_outletter_server ON public.letters_outletter USING btree (server_id) WHERE (NOT ((server_id)::text = ''::text));
CREATE INDEX letters_outletter_turn ON public.letters_outletter USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_readjob_due ON public.letters_readjob USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_readjob_held ON public.letters_readjob USING btree (turn_of) WHERE (claim_id IS NOT NULL);
CREATE UNIQUE INDEX letters_readjob_installation ON public.letters_readjob USING btree ((1)) WHERE (mailbox_id IS NULL);
CREATE INDEX letters_readjob_turn ON public.letters_readjob USING btree (turn_of, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_senderjob_due ON public.letters_senderjob USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX letters_senderjob_sender_4cdadb02_like ON public.letters_senderjob USING btree (sender varchar_pattern_ops);
CREATE INDEX letters_thread_address ON public.letters_thread USING btree (widget_id, address);
CREATE INDEX messengers_channel_widget_id_82cfef36 ON public.messengers_channel USING btree (widget_id);
CREATE INDEX messengers_checkline_due ON public.messengers_checkline USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_checkline_held ON public.messengers_checkline USING btree (vendor) WHERE (claim_id IS NOT NULL);
CREATE INDEX messengers_checkline_turn ON public.messengers_checkline USING btree (vendor, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_connection_list ON public.messengers_connection USING btree (widget_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX messengers_connection_one_bot ON public.messengers_connection USING btree (account_id) WHERE ((provider)::text = 'tg'::text);
CREATE INDEX messengers_connection_pending ON public.messengers_connection USING btree (pending_since) WHERE (pending_since IS NOT NULL);
CREATE INDEX messengers_connection_polled ON public.messengers_connection USING btree (id) WHERE (((provider)::text = 'tg'::text) AND ((webhook_status)::text = 'long_poll'::text));
CREATE INDEX messengers_connection_route ON public.messengers_connection USING btree (route) WHERE (route IS NOT NULL);
CREATE INDEX messengers_early_age ON public.messengers_earlyreceipt USING btree (received_at);
CREATE INDEX messengers_early_by_id ON public.messengers_earlyreceipt USING btree (connection_id, external_id);
CREATE INDEX messengers_inbound_age ON public.messengers_inbound USING btree (received_at);
CREATE INDEX messengers_inbound_open ON public.messengers_inbound USING btree (connection_id, conversation, id) WHERE (handled_at IS NULL);
CREATE INDEX messengers_inline_due ON public.messengers_inboundline USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_inline_held ON public.messengers_inboundline USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX messengers_inline_turn ON public.messengers_inboundline USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_outbound_age ON public.messengers_outboundmessage USING btree (done_at);
CREATE INDEX messengers_outbound_external ON public.messengers_outboundmessage USING gin (external_ids);
CREATE INDEX messengers_outbound_failed ON public.messengers_outboundmessage USING btree (widget_id, done_at) WHERE is_failed;
CREATE INDEX messengers_outbound_open ON public.messengers_outboundmessage USING btree (peer_id, message_id) WHERE (done_at IS NULL);
CREATE INDEX messengers_outline_due ON public.messengers_outboundline USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_outline_held ON public.messengers_outboundline USING btree (connection_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX messengers_outline_turn ON public.messengers_outboundline USING btree (connection_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_peer_contact_id_5619d03f ON public.messengers_peer USING btree (contact_id);
CREATE INDEX messengers_pollline_due ON public.messengers_pollline USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX messengers_startlink_contact_id_dd229bab ON public.messengers_startlink USING btree (contact_id);
CREATE INDEX messengers_startlink_expires_at_82602567 ON public.messengers_startlink USING btree (expires_at);
CREATE INDEX messengers_vendorsettings_provider_95dbcd91_like ON public.messengers_vendorsettings USING btree (provider varchar_pattern_ops);
CREATE INDEX reports_decision_of_widget ON public.reports_ratingdecision USING btree (widget_id, at);
CREATE INDEX reports_episode_ended ON public.reports_episoderow USING btree (widget_id, ended_from);
CREATE INDEX reports_episode_of_chat ON public.reports_episoderow USING btree (chat_id);
CREATE INDEX reports_episode_opened ON public.reports_episoderow USING btree (widget_id, opened_at, id);
CREATE INDEX reports_ratingdecision_chat_id_641af3a1 ON public.reports_ratingdecision USING btree (chat_id);
CREATE INDEX reports_stalechat_noted ON public.reports_stalechat USING btree (widget_id, chat_id);
CREATE INDEX reports_weeklychoice_user_id_5a12e9e1 ON public.reports_weeklychoice USING btree (user_id);
CREATE INDEX reports_weeklyletter_user_id_1d19dd74 ON public.reports_weeklyletter USING btree (user_id);
CREATE INDEX reviews_review_chat_id_278f7b41 ON public.reviews_review USING btree (chat_id);
CREATE INDEX reviews_review_list ON public.reviews_review USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX reviews_review_open ON public.reviews_review USING btree (widget_id, id) WHERE ((state)::text = 'open'::text);
CREATE INDEX reviews_unconfirmed_list ON public.reviews_unconfirmedscore USING btree (widget_id, at DESC);
CREATE INDEX reviews_unconfirmedscore_chat_id_e6dbc0d2 ON public.reviews_unconfirmedscore USING btree (chat_id);
CREATE INDEX routing_assignment_in_chat ON public.routing_assignment USING btree (chat_id, id DESC);
CREATE INDEX routing_assignment_old ON public.routing_assignment USING btree (widget_id, given_at);
CREATE INDEX routing_clock_counted ON public.routing_slaclock USING btree (widget_id, since);
CREATE INDEX routing_clock_due ON public.routing_slaclock USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX routing_clock_in_chat ON public.routing_slaclock USING btree (chat_id, id DESC);
CREATE UNIQUE INDEX routing_clock_one_reply ON public.routing_slaclock USING btree (chat_id) WHERE ((ended_at IS NULL) AND ((metric)::text = ANY (ARRAY[('first_reply'::character varying)::text, ('next_reply'::character varying)::text])));
CREATE UNIQUE INDEX routing_clock_one_resolution ON public.routing_slaclock USING btree (chat_id) WHERE ((ended_at IS NULL) AND ((metric)::text = 'resolution'::text));
CREATE INDEX routing_estimate_old ON public.routing_toldestimate USING btree (told_at);
CREATE INDEX routing_estimates_old ON public.routing_estimatetally USING btree (day);
CREATE UNIQUE INDEX routing_offer_once ON public.routing_assignment USING btree (chat_id) WHERE (outcome IS NULL);
CREATE INDEX routing_offers_of_agent ON public.routing_assignment USING btree (agent_id) WHERE (outcome IS NULL);
CREATE INDEX routing_operatorplaces_department_id_705b0402 ON public.routing_operatorplaces USING btree (department_id);
CREATE INDEX routing_operatorplaces_widget_id_5e268421 ON public.routing_operatorplaces USING btree (widget_id);
CREATE UNIQUE INDEX routing_places_of_agent ON public.routing_operatorplaces USING btree (agent_id) WHERE (department_id IS NULL);
CREATE INDEX routing_queuerow_due ON public.routing_queuerow USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX routing_queuerow_held ON public.routing_queuerow USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX routing_queuerow_turn ON public.routing_queuerow USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX routing_routerrow_due ON public.routing_routerrow USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX routing_routingsettings_widget_id_72aa5719 ON public.routing_routingsettings USING btree (widget_id);
CREATE UNIQUE INDEX routing_settings_of_widget ON public.routing_routingsettings USING btree (widget_id) WHERE (department_id IS NULL);
CREATE INDEX support_action_by_key ON public.support_supportaction USING btree (token_id, key);
CREATE INDEX support_action_in_chat ON public.support_supportaction USING btree (chat_id, finished_at);
CREATE INDEX support_action_list ON public.support_supportaction USING btree (widget_id, id DESC);
CREATE INDEX support_action_of_chat ON public.support_supportaction USING btree (chat_id, created_at) WHERE ((kind)::text = 'reply'::text);
CREATE INDEX support_action_of_token ON public.support_supportaction USING btree (token_id, created_at) WHERE ((kind)::text = 'reply'::text);
CREATE INDEX support_action_old ON public.support_supportaction USING btree (created_at);
CREATE INDEX support_action_unconfirmed ON public.support_supportaction USING btree (id) WHERE ((status)::text = 'unconfirmed'::text);
CREATE INDEX support_binding_assistant_id_9e238478 ON public.support_binding USING btree (assistant_id);
CREATE INDEX support_binding_token_id_fe524a72 ON public.support_binding USING btree (token_id);
CREATE INDEX support_emailcode_due ON public.support_emailcode USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX support_emailcode_held ON public.support_emailcode USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX support_emailcode_of_chat ON public.support_emailcode USING btree (chat_id, id DESC);
CREATE INDEX support_emailcode_old ON public.support_emailcode USING btree (created_at);
CREATE INDEX support_emailcode_turn ON public.support_emailcode USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX support_nonce_used ON public.support_nonce USING btree (used_at);
CREATE INDEX support_signedrequest_old ON public.support_signedrequest USING btree (created_at);
CREATE INDEX support_supportsettings_operator_id_b846b491 ON public.support_supportsettings USING btree (operator_id);
CREATE INDEX support_takenmessage_chat_id_391ff378 ON public.support_takenmessage USING btree (chat_id);
CREATE INDEX support_takenmessage_due ON public.support_takenmessage USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX support_takenmessage_held ON public.support_takenmessage USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX support_takenmessage_turn ON public.support_takenmessage USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX support_ticket_closed ON public.support_ticket USING btree (widget_id, closed_at DESC, number DESC) WHERE ((state)::text = 'closed'::text);
CREATE INDEX support_ticket_in_chat ON public.support_ticket USING btree (chat_id, number DESC);
CREATE INDEX support_ticket_list ON public.support_ticket USING btree (widget_id, number DESC);
CREATE UNIQUE INDEX support_ticket_one_open ON public.support_ticket USING btree (chat_id) WHERE ((state)::text = 'open'::text);
CREATE INDEX support_ticket_queue ON public.support_ticket USING btree (widget_id, held_for_owner, priority, queued_at, number) WHERE ((state)::text = 'open'::text);
CREATE INDEX webhooks_delivery_by_status ON public.webhooks_delivery USING btree (destination_id, kind, status, id DESC) WHERE (NOT ((status)::text = 'delivered'::text));
CREATE INDEX webhooks_delivery_by_type ON public.webhooks_delivery USING btree (destination_id, kind, event_type, id DESC) WHERE ((NOT is_legacy) OR ((status)::text = 'failed'::text));
CREATE INDEX webhooks_delivery_event_id_b6f5af91 ON public.webhooks_delivery USING btree (event_id);
CREATE INDEX webhooks_delivery_log ON public.webhooks_delivery USING btree (destination_id, kind, id DESC) WHERE ((NOT is_legacy) OR ((status)::text = 'failed'::text));
CREATE INDEX webhooks_delivery_queue ON public.webhooks_delivery USING btree (destination_id, kind, due_at) WHERE ((status)::text = 'pending'::text);
CREATE INDEX webhooks_eventswitch_name_ea2181f0_like ON public.webhooks_eventswitch USING btree (name varchar_pattern_ops);
CREATE INDEX webhooks_subscription_list ON public.webhooks_subscription USING btree (widget_id, created_at DESC, id DESC);
CREATE INDEX widget_awayform_mails ON public.widget_awayform USING btree (left_at) WHERE (NOT ((email)::text = ''::text));
CREATE INDEX widget_awayform_widget_id_ed8f7684 ON public.widget_awayform USING btree (widget_id);
CREATE INDEX widget_consents ON public.widget_contactconsent USING btree (contact_id, id DESC);
CREATE INDEX widget_contactconsent_chat_id_13a2a763 ON public.widget_contactconsent USING btree (chat_id);
CREATE INDEX widget_icon_widget_id_4db602ae ON public.widget_icon USING btree (widget_id);
CREATE INDEX widget_invitation_list ON public.widget_chatinvitation USING btree (widget_id, id DESC);
CREATE INDEX widget_offer_age ON public.widget_invitationoffer USING btree (created_at) WHERE (key_digest IS NOT NULL);
CREATE INDEX widget_offer_figures ON public.widget_invitationoffer USING btree (invitation_id, round, created_at);
CREATE INDEX widget_offer_of_chat ON public.widget_invitationoffer USING btree (chat_id) WHERE (chat_id IS NOT NULL);
CREATE INDEX widget_offer_of_contact ON public.widget_invitationoffer USING btree (contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX widget_offer_of_key ON public.widget_invitationoffer USING btree (widget_id, key_digest);
CREATE INDEX widget_translation_due ON public.widget_translation USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX widget_translation_held ON public.widget_translation USING btree (widget_id) WHERE (claim_id IS NOT NULL);
CREATE INDEX widget_translation_turn ON public.widget_translation USING btree (widget_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX widget_used_proof_expiry ON public.widget_usedproof USING btree (expires_at);
CREATE INDEX widget_visitorsession_contact_id_c8cd8a59 ON public.widget_visitorsession USING btree (contact_id);
CREATE TRIGGER accounts_idempotencykey_widget BEFORE INSERT ON public.core_idempotencykey FOR EACH ROW WHEN ((new.widget_id IS NULL)) EXECUTE FUNCTION public.accounts_idempotencykey_widget();
CREATE TRIGGER agents_agents_deleted AFTER DELETE ON public.agents_agent REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.agents_agents_deleted();
CREATE TRIGGER ai_history_is_kept BEFORE DELETE OR UPDATE ON public.ai_personahistory FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION public.ai_history_is_kept();
CREATE TRIGGER ai_moves_are_kept BEFORE DELETE OR UPDATE ON public.ai_operatormove FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION public.ai_moves_are_kept();
CREATE TRIGGER articles_imports_deleted AFTER DELETE ON public.articles_articleimport REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.articles_imports_deleted();
CREATE TRIGGER articles_pictures_deleted AFTER DELETE ON public.articles_articlepicture REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.articles_pictures_deleted();
CREATE TRIGGER chats_chat_changed AFTER UPDATE OF widget_id, created_at, channel, internal, handling, accepted_type, accepted_at, handled_type ON public.chats_chat FOR EACH ROW WHEN (((LEAST(old.created_at, new.created_at) < (clock_timestamp() - '00:15:00'::interval)) AND ((old.widget_id IS DISTINCT FROM new.widget_id) OR (old.created_at IS DISTINCT FROM new.created_at) OR ((old.channel)::text IS DISTINCT FROM (new.channel)::text) OR (old.internal IS DISTINCT FROM new.internal) OR ((old.handling)::text IS DISTINCT FROM (new.handling)::text) OR ((old.accepted_type)::text IS DISTINCT FROM (new.accepted_type)::text) OR (old.accepted_at IS DISTINCT FROM new.accepted_at) OR ((old.handled_type)::text IS DISTINCT FROM (new.handled_type)::text)))) EXECUTE FUNCTION public.chats_chat_changed();
CREATE TRIGGER chats_chat_late AFTER INSERT ON public.chats_chat FOR EACH ROW WHEN ((new.created_at < (clock_timestamp() - '00:15:00'::interval))) EXECUTE FUNCTION public.chats_chat_changed();
CREATE TRIGGER chats_chats_deleted AFTER DELETE ON public.chats_chat REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.chats_chats_deleted();
CREATE TRIGGER chats_chats_truncated AFTER TRUNCATE ON public.chats_chat FOR EACH STATEMENT EXECUTE FUNCTION public.chats_recount_tallies();
CREATE TRIGGER chats_files_deleted AFTER DELETE ON public.chats_file REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.chats_files_deleted();
CREATE TRIGGER chats_message_changed AFTER UPDATE OF widget_id, chat_id, created_at, sender_kind, is_internal ON public.chats_message FOR EACH ROW WHEN (((old.widget_id IS DISTINCT FROM new.widget_id) OR (old.chat_id IS DISTINCT FROM new.chat_id) OR (old.created_at IS DISTINCT FROM new.created_at) OR ((old.sender_kind)::text IS DISTINCT FROM (new.sender_kind)::text) OR (old.is_internal IS DISTINCT FROM new.is_internal))) EXECUTE FUNCTION public.chats_message_changed();
CREATE TRIGGER chats_message_late AFTER INSERT ON public.chats_message FOR EACH ROW WHEN ((new.created_at < (clock_timestamp() - '00:15:00'::interval))) EXECUTE FUNCTION public.chats_message_changed();
CREATE TRIGGER chats_message_unsearched AFTER UPDATE OF widget_id, chat_id, is_internal, body ON public.chats_message FOR EACH ROW WHEN (((old.widget_id IS DISTINCT FROM new.widget_id) OR (old.chat_id IS DISTINCT FROM new.chat_id) OR (old.is_internal IS DISTINCT FROM new.is_internal) OR (old.body IS DISTINCT FROM new.body))) EXECUTE FUNCTION public.chats_note_unsearched();
CREATE TRIGGER chats_message_unsearched_late AFTER INSERT ON public.chats_message FOR EACH ROW WHEN (((new.id < (COALESCE(pg_sequence_last_value('public.chats_message_id_seq'::regclass), (0)::bigint) - 1000)) OR (new.id > COALESCE(pg_sequence_last_value('public.chats_message_id_seq'::regclass), (0)::bigint)))) EXECUTE FUNCTION public.chats_note_unsearched();
CREATE TRIGGER chats_messages_deleted AFTER DELETE ON public.chats_message REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.chats_messages_deleted();
CREATE TRIGGER chats_messages_searched_deleted AFTER DELETE ON public.chats_message REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.chats_forget_searched();
CREATE TRIGGER chats_messages_searched_truncated AFTER TRUNCATE ON public.chats_message FOR EACH STATEMENT EXECUTE FUNCTION public.chats_search_anew();
CREATE TRIGGER chats_messages_truncated AFTER TRUNCATE ON public.chats_message FOR EACH STATEMENT EXECUTE FUNCTION public.chats_recount_tallies();
CREATE TRIGGER chats_rating_without_place BEFORE INSERT ON public.chats_rating FOR EACH ROW WHEN ((new.after_message_id = 0)) EXECUTE FUNCTION public.chats_place_rating();
CREATE TRIGGER kb_rules_added AFTER INSERT ON public.kb_rule REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION public.kb_rules_counted('1');
CREATE TRIGGER kb_rules_changed_from AFTER UPDATE ON public.kb_rule REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION public.kb_rules_counted('-1');
CREATE TRIGGER kb_rules_changed_to AFTER UPDATE ON public.kb_rule REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION public.kb_rules_counted('1');
CREATE TRIGGER kb_rules_removed AFTER DELETE ON public.kb_rule REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION public.kb_rules_counted('-1');
CREATE TRIGGER kb_uploads_deleted AFTER DELETE ON public.kb_upload REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.kb_uploads_deleted();
CREATE TRIGGER letters_letters_deleted AFTER DELETE ON public.letters_inletter REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.letters_letters_deleted();
CREATE TRIGGER reports_chat_changed AFTER UPDATE OF widget_id, contact_id, department_id, channel, internal, status ON public.chats_chat FOR EACH ROW WHEN (((old.widget_id IS DISTINCT FROM new.widget_id) OR (old.contact_id IS DISTINCT FROM new.contact_id) OR (old.department_id IS DISTINCT FROM new.department_id) OR ((old.channel)::text IS DISTINCT FROM (new.channel)::text) OR (old.internal IS DISTINCT FROM new.internal) OR (((old.status)::text = 'spam'::text) IS DISTINCT FROM ((new.status)::text = 'spam'::text)))) EXECUTE FUNCTION public.reports_chat_changed();
CREATE TRIGGER reports_chats_deleted AFTER DELETE ON public.chats_chat REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.reports_chats_deleted();
CREATE TRIGGER reports_chats_truncated AFTER TRUNCATE ON public.chats_chat FOR EACH STATEMENT EXECUTE FUNCTION public.reports_derive_anew();
CREATE TRIGGER reports_join_changed AFTER INSERT OR DELETE OR UPDATE ON public.chats_contactjoin FOR EACH ROW EXECUTE FUNCTION public.reports_join_changed();
CREATE TRIGGER reports_message_changed AFTER UPDATE OF widget_id, chat_id, created_at, sender_kind, is_internal, via, origin, type, body, details, agent_id, assistant_id, language, page ON public.chats_message FOR EACH ROW WHEN (((old.widget_id IS DISTINCT FROM new.widget_id) OR (old.chat_id IS DISTINCT FROM new.chat_id) OR (old.created_at IS DISTINCT FROM new.created_at) OR ((old.sender_kind)::text IS DISTINCT FROM (new.sender_kind)::text) OR (old.is_internal IS DISTINCT FROM new.is_internal) OR ((old.via)::text IS DISTINCT FROM (new.via)::text) OR ((old.origin)::text IS DISTINCT FROM (new.origin)::text) OR ((old.type)::text IS DISTINCT FROM (new.type)::text) OR (old.body IS DISTINCT FROM new.body) OR (old.agent_id IS DISTINCT FROM new.agent_id) OR (old.assistant_id IS DISTINCT FROM new.assistant_id) OR ((old.language)::text IS DISTINCT FROM (new.language)::text) OR ((old.page)::text IS DISTINCT FROM (new.page)::text) OR (COALESCE((old.details ? 'deleted_at'::text), false) IS DISTINCT FROM COALESCE((new.details ? 'deleted_at'::text), false)) OR ((old.details -> 'by_person'::text) IS DISTINCT FROM (new.details -> 'by_person'::text)))) EXECUTE FUNCTION public.reports_message_changed();
CREATE TRIGGER reports_message_late AFTER INSERT ON public.chats_message FOR EACH ROW WHEN (((new.id < (COALESCE(pg_sequence_last_value('public.chats_message_id_seq'::regclass), (0)::bigint) - 1000)) OR (new.id > COALESCE(pg_sequence_last_value('public.chats_message_id_seq'::regclass), (0)::bigint)))) EXECUTE FUNCTION public.reports_message_changed();
CREATE TRIGGER reports_messages_deleted AFTER DELETE ON public.chats_message REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.reports_rows_deleted();
CREATE TRIGGER reports_messages_truncated AFTER TRUNCATE ON public.chats_message FOR EACH STATEMENT EXECUTE FUNCTION public.reports_derive_anew();
CREATE TRIGGER reports_rating_changed AFTER INSERT OR UPDATE ON public.chats_rating FOR EACH ROW EXECUTE FUNCTION public.reports_message_changed();
CREATE TRIGGER reports_ratings_deleted AFTER DELETE ON public.chats_rating REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.reports_rows_deleted();
CREATE TRIGGER reports_request_changed AFTER INSERT OR UPDATE OF widget_id, chat_id, after_message_id, at ON public.chats_ratingrequest FOR EACH ROW EXECUTE FUNCTION public.reports_message_changed();
CREATE TRIGGER reports_requests_deleted AFTER DELETE ON public.chats_ratingrequest REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.reports_rows_deleted();
CREATE TRIGGER reports_step_changed AFTER UPDATE OF widget_id, chat_id, kind, agent_id, department_id, comment, after_message_id, at ON public.chats_chatstep FOR EACH ROW EXECUTE FUNCTION public.reports_message_changed();
CREATE TRIGGER reports_step_stored AFTER INSERT ON public.chats_chatstep FOR EACH ROW WHEN ((((new.kind)::text = ANY (ARRAY[('closed'::character varying)::text, ('waits'::character varying)::text, ('dealt_with'::character varying)::text])) OR (new.department_id IS NOT NULL))) EXECUTE FUNCTION public.reports_message_changed();
CREATE TRIGGER reports_steps_deleted AFTER DELETE ON public.chats_chatstep REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.reports_rows_deleted();
CREATE TRIGGER widget_chat_answers_added AFTER INSERT ON public.widget_chatanswers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.widget_chat_answered();
CREATE TRIGGER widget_chat_answers_changed AFTER UPDATE ON public.widget_chatanswers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.widget_chat_answered();
CREATE TRIGGER widget_consents_added AFTER INSERT ON public.widget_contactconsent REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.widget_consents_changed();
CREATE TRIGGER widget_consents_removed AFTER DELETE ON public.widget_contactconsent REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.widget_consents_changed();
CREATE TRIGGER widget_icons_deleted AFTER DELETE ON public.widget_icon REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.widget_icons_deleted();
CREATE TRIGGER widget_visitor_verified AFTER INSERT ON public.widget_verifiedvisitor FOR EACH ROW EXECUTE FUNCTION public.widget_visitor_verified();
ALTER TABLE ONLY public.accounts_account
    ADD CONSTRAINT accounts_account_referred_by_id_49f78c96_fk_accounts_account_id FOREIGN KEY (referred_by_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_created_by_id_eaf61c5d_fk_accounts_user_id FOREIGN KEY (created_by_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_apitoken
    ADD CONSTRAINT accounts_apitoken_widget_id_f941be61_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_auditentry
    ADD CONSTRAINT accounts_auditentry_content_type_id_de2c4b14_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_authenticator
    ADD CONSTRAINT accounts_authenticator_user_id_2f362b65_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_backupcodes
    ADD CONSTRAINT accounts_backupcodes_user_id_7f5b714c_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_importednumber
    ADD CONSTRAINT accounts_importednum_importing_id_a2633bb7_fk_accounts_ FOREIGN KEY (importing_id) REFERENCES public.accounts_widgetimport(widget_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_user
    ADD CONSTRAINT accounts_user_account_id_a9fb5a91_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_group_id_bd11a704_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_user_id_52b62117_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_p_permission_id_113bb443_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_p_user_id_e4f0a161_fk_accounts_ FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_widget
    ADD CONSTRAINT accounts_widget_account_id_f4f4d9c1_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.accounts_widgetimport
    ADD CONSTRAINT accounts_widgetimport_widget_id_4fd83969_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_agent
    ADD CONSTRAINT agents_agent_user_id_98b0ac68_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_agent
    ADD CONSTRAINT agents_agent_widget_id_49e4994a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_agentevent
    ADD CONSTRAINT agents_agentevent_agent_id_0cd9dacd_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_agentevent
    ADD CONSTRAINT agents_agentevent_widget_id_470faffb_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_department_agents
    ADD CONSTRAINT agents_department_ag_department_id_0a61e808_fk_agents_de FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_department_agents
    ADD CONSTRAINT agents_department_agents_agent_id_1845a601_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_department
    ADD CONSTRAINT agents_department_widget_id_6bac1da0_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_holiday
    ADD CONSTRAINT agents_holiday_department_id_d259062c_fk_agents_department_id FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_holiday
    ADD CONSTRAINT agents_holiday_widget_id_130a50bf_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_invitation
    ADD CONSTRAINT agents_invitation_agent_id_338463ad_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_invitation
    ADD CONSTRAINT agents_invitation_department_id_7bf9a4ae_fk_agents_de FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_invitation
    ADD CONSTRAINT agents_invitation_widget_id_8e89c579_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_operatorchoices
    ADD CONSTRAINT agents_operatorchoices_agent_id_c5be9d51_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_operatorchoices
    ADD CONSTRAINT agents_operatorchoices_widget_id_15100dd8_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_presence
    ADD CONSTRAINT agents_presence_agent_id_bbb6bd0c_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.agents_widgetweek
    ADD CONSTRAINT agents_widgetweek_widget_id_42c84c89_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_aisettings
    ADD CONSTRAINT ai_aisettings_migrated_assistant_id_6ce8576f_fk_ai_assistant_id FOREIGN KEY (migrated_assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_aisettings
    ADD CONSTRAINT ai_aisettings_widget_id_ea47956c_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_alert
    ADD CONSTRAINT ai_alert_assistant_id_48da1348_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_alert
    ADD CONSTRAINT ai_alert_credential_id_c61ae07f_fk_ai_credential_id FOREIGN KEY (credential_id) REFERENCES public.ai_credential(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_alert
    ADD CONSTRAINT ai_alert_operator_id_5ee472d6_fk_agents_agent_id FOREIGN KEY (operator_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_alert
    ADD CONSTRAINT ai_alert_widget_id_7885ec6f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_answerfeedback
    ADD CONSTRAINT ai_answerfeedback_chat_id_7e7aa9c8_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_answerfeedback
    ADD CONSTRAINT ai_answerfeedback_exchange_id_d82474b8_fk_ai_exchange_id FOREIGN KEY (exchange_id) REFERENCES public.ai_exchange(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_answerfeedback
    ADD CONSTRAINT ai_answerfeedback_widget_id_6539c1b5_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_assistant
    ADD CONSTRAINT ai_assistant_widget_id_0f26388e_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_conversation
    ADD CONSTRAINT ai_conversation_chat_id_321456bb_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_credential
    ADD CONSTRAINT ai_credential_assistant_id_3bfc9ab9_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_credential
    ADD CONSTRAINT ai_credential_backup_id_f7b41fd5_fk_ai_credential_id FOREIGN KEY (backup_id) REFERENCES public.ai_credential(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_credential
    ADD CONSTRAINT ai_credential_operator_id_6fd56be0_fk_agents_agent_id FOREIGN KEY (operator_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_credential
    ADD CONSTRAINT ai_credential_widget_id_06810eb3_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_detachedtest
    ADD CONSTRAINT ai_detachedtest_widget_id_56876e8b_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_evaluationcase
    ADD CONSTRAINT ai_evaluationcase_assistant_id_4ddbbc98_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_evaluationcase
    ADD CONSTRAINT ai_evaluationcase_widget_id_8e2019eb_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_evaluationresult
    ADD CONSTRAINT ai_evaluationresult_run_id_9f73e55f_fk_ai_evaluationrun_id FOREIGN KEY (run_id) REFERENCES public.ai_evaluationrun(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_evaluationrun
    ADD CONSTRAINT ai_evaluationrun_assistant_id_e38a95e2_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_evaluationrun
    ADD CONSTRAINT ai_evaluationrun_previous_id_4b1576bb_fk_ai_evaluationrun_id FOREIGN KEY (previous_id) REFERENCES public.ai_evaluationrun(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_evaluationrun
    ADD CONSTRAINT ai_evaluationrun_widget_id_391439ed_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_exchange
    ADD CONSTRAINT ai_exchange_assistant_id_aa67dcff_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_exchange
    ADD CONSTRAINT ai_exchange_chat_id_cfc1be33_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_exchange
    ADD CONSTRAINT ai_exchange_widget_id_c9ae81f7_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_externaloperator
    ADD CONSTRAINT ai_externaloperator_agent_id_99b4d295_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_externaloperator
    ADD CONSTRAINT ai_externaloperator_last_test_id_09c00ca3_fk_ai_probetest_id FOREIGN KEY (last_test_id) REFERENCES public.ai_probetest(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_externaloperator
    ADD CONSTRAINT ai_externaloperator_widget_id_a3d80fc5_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_operatorevent
    ADD CONSTRAINT ai_operatorevent_operator_id_341cd40c_fk_ai_externaloperator_id FOREIGN KEY (operator_id) REFERENCES public.ai_externaloperator(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_operatorevent
    ADD CONSTRAINT ai_operatorevent_turn_id_f865a13c_fk_ai_turn_id FOREIGN KEY (turn_id) REFERENCES public.ai_turn(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_operatorhealth
    ADD CONSTRAINT ai_operatorhealth_operator_id_16be9867_fk_ai_extern FOREIGN KEY (operator_id) REFERENCES public.ai_externaloperator(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_operatormove
    ADD CONSTRAINT ai_operatormove_operator FOREIGN KEY (operator_id) REFERENCES public.ai_externaloperator(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ai_personahistory
    ADD CONSTRAINT ai_personahistory_widget FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ai_personaversion
    ADD CONSTRAINT ai_personaversion_assistant_id_55e9367d_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_probetest
    ADD CONSTRAINT ai_probetest_operator_id_fb3fbef4_fk_ai_externaloperator_id FOREIGN KEY (operator_id) REFERENCES public.ai_externaloperator(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_replyjob
    ADD CONSTRAINT ai_replyjob_chat_id_f2f47b90_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_replyjob
    ADD CONSTRAINT ai_replyjob_widget_id_ae333ad5_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_replytoken
    ADD CONSTRAINT ai_replytoken_operator_id_4065bf1e_fk_ai_externaloperator_id FOREIGN KEY (operator_id) REFERENCES public.ai_externaloperator(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_replytoken
    ADD CONSTRAINT ai_replytoken_token_id_19ab71d8_fk_accounts_apitoken_id FOREIGN KEY (token_id) REFERENCES public.accounts_apitoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_trial
    ADD CONSTRAINT ai_trial_assistant_id_f00f0b24_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_trial
    ADD CONSTRAINT ai_trial_widget_id_6711ccdb_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_turn
    ADD CONSTRAINT ai_turn_chat_id_b1300fe6_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_turn
    ADD CONSTRAINT ai_turn_operator_id_98f7d2b8_fk_ai_externaloperator_id FOREIGN KEY (operator_id) REFERENCES public.ai_externaloperator(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_turn
    ADD CONSTRAINT ai_turn_widget_id_363b52f0_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_usage
    ADD CONSTRAINT ai_usage_assistant_id_36f21495_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_usage
    ADD CONSTRAINT ai_usage_credential_id_8d742ed2_fk_ai_credential_id FOREIGN KEY (credential_id) REFERENCES public.ai_credential(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.ai_usage
    ADD CONSTRAINT ai_usage_widget_id_9236a93e_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_article
    ADD CONSTRAINT articles_article_category_id_633dad2b_fk_articles_ FOREIGN KEY (category_id) REFERENCES public.articles_articlecategory(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_article
    ADD CONSTRAINT articles_article_widget_id_47cf805d_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articlecategory
    ADD CONSTRAINT articles_articlecate_widget_id_2652bdd8_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articledraft
    ADD CONSTRAINT articles_articledraf_text_id_e0b2d1b3_fk_articles_ FOREIGN KEY (text_id) REFERENCES public.articles_articletext(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articledraft
    ADD CONSTRAINT articles_articledraft_widget_id_a7e177d3_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articleimport
    ADD CONSTRAINT articles_articleimpo_category_id_52376f70_fk_articles_ FOREIGN KEY (category_id) REFERENCES public.articles_articlecategory(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articleimport
    ADD CONSTRAINT articles_articleimport_widget_id_43fd7167_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articlepicture
    ADD CONSTRAINT articles_articlepict_widget_id_c0c65998_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articlereader
    ADD CONSTRAINT articles_articleread_article_id_3bf5f848_fk_articles_ FOREIGN KEY (article_id) REFERENCES public.articles_article(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articlereader
    ADD CONSTRAINT articles_articlereader_contact_id_e9d0518c_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articlereader
    ADD CONSTRAINT articles_articlereader_widget_id_795fc9ce_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articlesearch
    ADD CONSTRAINT articles_articlesearch_widget_id_813bd5fa_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletally
    ADD CONSTRAINT articles_articletall_article_id_fa7770e7_fk_articles_ FOREIGN KEY (article_id) REFERENCES public.articles_article(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletally
    ADD CONSTRAINT articles_articletally_widget_id_86232810_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletext
    ADD CONSTRAINT articles_articletext_article_id_067eaf9c_fk_articles_article_id FOREIGN KEY (article_id) REFERENCES public.articles_article(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletext
    ADD CONSTRAINT articles_articletext_widget_id_dc2cd332_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletold
    ADD CONSTRAINT articles_articletold_article_id_a373c4c0_fk_articles_article_id FOREIGN KEY (article_id) REFERENCES public.articles_article(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletold
    ADD CONSTRAINT articles_articletold_chat_id_4eb5b922_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articletold
    ADD CONSTRAINT articles_articletold_widget_id_bb30e9d6_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articleversion
    ADD CONSTRAINT articles_articlevers_text_id_b6bfc1e9_fk_articles_ FOREIGN KEY (text_id) REFERENCES public.articles_articletext(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articleversion
    ADD CONSTRAINT articles_articlevers_widget_id_721a0eaa_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_articleword
    ADD CONSTRAINT articles_articleword_widget_id_ae5ca045_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_helpcenter
    ADD CONSTRAINT articles_helpcenter_widget_id_8c9ae8fc_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_searchabletext
    ADD CONSTRAINT articles_searchablet_article_id_b9e6cd11_fk_articles_ FOREIGN KEY (article_id) REFERENCES public.articles_article(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_searchabletext
    ADD CONSTRAINT articles_searchablet_text_id_88bb95a7_fk_articles_ FOREIGN KEY (text_id) REFERENCES public.articles_articletext(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.articles_searchabletext
    ADD CONSTRAINT articles_searchablet_widget_id_a6d9efd4_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_assist
    ADD CONSTRAINT assists_assist_agent_id_b2cd6d7b_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_assist
    ADD CONSTRAINT assists_assist_chat_id_0fc92c37_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_assist
    ADD CONSTRAINT assists_assist_widget_id_4afb1e73_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_chatsummary
    ADD CONSTRAINT assists_chatsummary_chat_id_29a784b9_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_chatsummary
    ADD CONSTRAINT assists_chatsummary_widget_id_fd2aeba6_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_owntool
    ADD CONSTRAINT assists_owntool_widget_id_d7935090_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_pastquestion
    ADD CONSTRAINT assists_pastquestion_chat_id_dbb07fda_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_pastquestion
    ADD CONSTRAINT assists_pastquestion_widget_id_712b4334_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_translationjob
    ADD CONSTRAINT assists_translationjob_chat_id_bbf9bea5_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.assists_translationjob
    ADD CONSTRAINT assists_translationjob_widget_id_9f0134cd_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationversion
    ADD CONSTRAINT automations_automati_automation_id_1d5ce1b5_fk_automatio FOREIGN KEY (automation_id) REFERENCES public.automations_automation(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationrun
    ADD CONSTRAINT automations_automati_automation_id_63db5725_fk_automatio FOREIGN KEY (automation_id) REFERENCES public.automations_automation(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationrun
    ADD CONSTRAINT automations_automati_macro_id_685c6dc6_fk_automatio FOREIGN KEY (macro_id) REFERENCES public.automations_macro(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationevent
    ADD CONSTRAINT automations_automati_widget_id_84326e9e_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationrun
    ADD CONSTRAINT automations_automati_widget_id_ec058b65_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automation
    ADD CONSTRAINT automations_automation_widget_id_0f3d5d98_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationevent
    ADD CONSTRAINT automations_automationevent_chat_id_177013d2_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationrun
    ADD CONSTRAINT automations_automationrun_agent_id_81f9c6ab_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_automationrun
    ADD CONSTRAINT automations_automationrun_chat_id_bd6fff7c_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_macro
    ADD CONSTRAINT automations_macro_agent_id_7e9afe89_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_macro
    ADD CONSTRAINT automations_macro_widget_id_acf9d1fd_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_undojob
    ADD CONSTRAINT automations_undojob_automation_id_7e6e44a6_fk_automatio FOREIGN KEY (automation_id) REFERENCES public.automations_automation(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.automations_undojob
    ADD CONSTRAINT automations_undojob_widget_id_0ef07787_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_entry
    ADD CONSTRAINT billing_entry_transaction_id_22471856_fk_billing_transaction_id FOREIGN KEY (transaction_id) REFERENCES public.billing_transaction(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_account_id_71f06cf2_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_document_id_8299044d_fk_chats_file_id FOREIGN KEY (document_id) REFERENCES public.chats_file(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_entity_id_c113ac25_fk_billing_legalentity_id FOREIGN KEY (entity_id) REFERENCES public.billing_legalentity(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_invoice
    ADD CONSTRAINT billing_invoice_widget_id_3d602d18_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_legalentity
    ADD CONSTRAINT billing_legalentity_account_id_e3433693_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_subscription
    ADD CONSTRAINT billing_subscription_account_id_02e44ef3_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_subscription
    ADD CONSTRAINT billing_subscription_widget_id_0e605b2e_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_account_id_2434372f_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_entity_id_054f58f6_fk_billing_l FOREIGN KEY (entity_id) REFERENCES public.billing_legalentity(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_invoice_id_88ff7944_fk_billing_invoice_id FOREIGN KEY (invoice_id) REFERENCES public.billing_invoice(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_subscription_id_bce0c49e_fk_billing_s FOREIGN KEY (subscription_id) REFERENCES public.billing_subscription(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_wallet_id_fc249d62_fk_billing_wallet_id FOREIGN KEY (wallet_id) REFERENCES public.billing_wallet(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_transaction
    ADD CONSTRAINT billing_transaction_widget_id_6177e6d0_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_wallet
    ADD CONSTRAINT billing_wallet_account_id_484108d4_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.billing_wallet
    ADD CONSTRAINT billing_wallet_widget_id_76382f34_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_cardaction
    ADD CONSTRAINT cards_cardaction_agent_id_dfaa46d9_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_cardaction
    ADD CONSTRAINT cards_cardaction_chat_id_deee542c_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_cardaction
    ADD CONSTRAINT cards_cardaction_widget_id_dfb8bd7a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_cardsettings
    ADD CONSTRAINT cards_cardsettings_widget_id_58390b3f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_chatcards
    ADD CONSTRAINT cards_chatcards_agent_id_dc9be3e9_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_chatcards
    ADD CONSTRAINT cards_chatcards_chat_id_f42d80e3_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.cards_chatcards
    ADD CONSTRAINT cards_chatcards_widget_id_8f733b89_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_block
    ADD CONSTRAINT chats_block_agent_id_5bc43e0c_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_block
    ADD CONSTRAINT chats_block_contact_id_47cc9f49_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_block
    ADD CONSTRAINT chats_block_widget_id_14e8f40a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_accepted_agent_id_188bf4f3_fk_agents_agent_id FOREIGN KEY (accepted_agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_agent_id_f84a0d03_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_contact_id_2488f818_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_department_id_846b7ac5_fk_agents_department_id FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_handled_agent_id_c5f79bd4_fk_agents_agent_id FOREIGN KEY (handled_agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chat
    ADD CONSTRAINT chats_chat_widget_id_11a89df9_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chatstep
    ADD CONSTRAINT chats_chatstep_agent_id_ca11b9fd_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chatstep
    ADD CONSTRAINT chats_chatstep_chat_id_614ee276_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chatstep
    ADD CONSTRAINT chats_chatstep_to_agent_id_dd3324ce_fk_agents_agent_id FOREIGN KEY (to_agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_chatstep
    ADD CONSTRAINT chats_chatstep_widget_id_a7646828_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contact
    ADD CONSTRAINT chats_contact_widget_id_7d10ed89_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactjoin
    ADD CONSTRAINT chats_contactjoin_agent_id_47437326_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactjoin
    ADD CONSTRAINT chats_contactjoin_contact_id_ab0dc252_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactjoin
    ADD CONSTRAINT chats_contactjoin_first_id_1e002a51_fk_chats_contact_id FOREIGN KEY (first_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactjoin
    ADD CONSTRAINT chats_contactjoin_widget_id_fe7709ee_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactnote
    ADD CONSTRAINT chats_contactnote_agent_id_a0ea8ca0_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactnote
    ADD CONSTRAINT chats_contactnote_contact_id_2a773584_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contactnote
    ADD CONSTRAINT chats_contactnote_widget_id_c861bf59_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contacttag
    ADD CONSTRAINT chats_contacttag_contact_id_a807208c_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_contacttag
    ADD CONSTRAINT chats_contacttag_tag_id_421deebf_fk_chats_tag_id FOREIGN KEY (tag_id) REFERENCES public.chats_tag(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_desksettings
    ADD CONSTRAINT chats_desksettings_widget_id_5fd85e1b_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_file
    ADD CONSTRAINT chats_file_contact_id_b82fd56b_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_file
    ADD CONSTRAINT chats_file_token_id_3dff381c_fk_accounts_apitoken_id FOREIGN KEY (token_id) REFERENCES public.accounts_apitoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_file
    ADD CONSTRAINT chats_file_widget_id_6dc82db2_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_message
    ADD CONSTRAINT chats_message_agent_id_44fc688f_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_message
    ADD CONSTRAINT chats_message_chat_id_f3080004_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_message
    ADD CONSTRAINT chats_message_widget_id_f978ab7b_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_messageedit
    ADD CONSTRAINT chats_messageedit_agent_id_a1a7a9f2_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_messageedit
    ADD CONSTRAINT chats_messageedit_chat_id_7faf1c19_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_messageedit
    ADD CONSTRAINT chats_messageedit_message_id_c2c8fd1c_fk_chats_message_id FOREIGN KEY (message_id) REFERENCES public.chats_message(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_messageedit
    ADD CONSTRAINT chats_messageedit_widget_id_bd7753c5_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_rating
    ADD CONSTRAINT chats_rating_agent_id_5709ede1_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_rating
    ADD CONSTRAINT chats_rating_chat_id_97f730ac_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_rating
    ADD CONSTRAINT chats_rating_widget_id_91e5b50c_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_ratingrequest
    ADD CONSTRAINT chats_ratingrequest_agent_id_c8c5eccf_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_ratingrequest
    ADD CONSTRAINT chats_ratingrequest_chat_id_868d081a_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_ratingrequest
    ADD CONSTRAINT chats_ratingrequest_widget_id_70b8308f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_retention
    ADD CONSTRAINT chats_retention_widget_id_3dc09587_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_tag
    ADD CONSTRAINT chats_tag_account_id_61fabcb1_fk_accounts_account_id FOREIGN KEY (account_id) REFERENCES public.accounts_account(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_timer
    ADD CONSTRAINT chats_timer_chat_id_2e340b17_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_timer
    ADD CONSTRAINT chats_timer_widget_id_2f946ee6_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_transfer
    ADD CONSTRAINT chats_transfer_chat_id_f7df5d19_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_transfer
    ADD CONSTRAINT chats_transfer_from_agent_id_ce16ed6c_fk_agents_agent_id FOREIGN KEY (from_agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_transfer
    ADD CONSTRAINT chats_transfer_to_agent_id_d6ceb6be_fk_agents_agent_id FOREIGN KEY (to_agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.chats_transfer
    ADD CONSTRAINT chats_transfer_widget_id_5f924461_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.compat_legacybot
    ADD CONSTRAINT compat_legacybot_widget_id_b17a0f4a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.compat_takenchat
    ADD CONSTRAINT compat_takenchat_chat_id_14d73339_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.console_browser
    ADD CONSTRAINT console_browser_agent_id_9818fa73_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.console_reply
    ADD CONSTRAINT console_reply_agent_id_3190c0f8_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.console_reply
    ADD CONSTRAINT console_reply_widget_id_469561f9_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.console_ticket
    ADD CONSTRAINT console_ticket_agent_id_3802eaf5_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_celery_beat_periodictask
    ADD CONSTRAINT django_celery_beat_p_clocked_id_47a69f82_fk_django_ce FOREIGN KEY (clocked_id) REFERENCES public.django_celery_beat_clockedschedule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_celery_beat_periodictask
    ADD CONSTRAINT django_celery_beat_p_crontab_id_d3cba168_fk_django_ce FOREIGN KEY (crontab_id) REFERENCES public.django_celery_beat_crontabschedule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_celery_beat_periodictask
    ADD CONSTRAINT django_celery_beat_p_interval_id_a8ca27da_fk_django_ce FOREIGN KEY (interval_id) REFERENCES public.django_celery_beat_intervalschedule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.django_celery_beat_periodictask
    ADD CONSTRAINT django_celery_beat_p_solar_id_a87ce72c_fk_django_ce FOREIGN KEY (solar_id) REFERENCES public.django_celery_beat_solarschedule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_crawler
    ADD CONSTRAINT kb_crawler_widget_id_a657180d_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_crawlpage
    ADD CONSTRAINT kb_crawlpage_run_id_0e213d73_fk_kb_crawlrun_id FOREIGN KEY (run_id) REFERENCES public.kb_crawlrun(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_crawlpage
    ADD CONSTRAINT kb_crawlpage_widget_id_2597afec_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_crawlrun
    ADD CONSTRAINT kb_crawlrun_widget_id_3ee66bed_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_embedding
    ADD CONSTRAINT kb_embedding_widget_id_057d2339_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_knowledgebase
    ADD CONSTRAINT kb_knowledgebase_widget_id_3af3fb07_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_rule
    ADD CONSTRAINT kb_rule_operator_id_d0cd9dbc_fk_agents_agent_id FOREIGN KEY (operator_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_rule
    ADD CONSTRAINT kb_rule_source_id_2efeef99_fk_kb_source_id FOREIGN KEY (source_id) REFERENCES public.kb_source(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_rule
    ADD CONSTRAINT kb_rule_widget_id_320b2d10_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_source
    ADD CONSTRAINT kb_source_widget_id_a98dedc8_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.kb_upload
    ADD CONSTRAINT kb_upload_widget_id_404b0885_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_cycle
    ADD CONSTRAINT learning_cycle_widget_id_5f2caa17_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_demandsignal
    ADD CONSTRAINT learning_demandsigna_topic_id_48b02bfc_fk_learning_ FOREIGN KEY (topic_id) REFERENCES public.learning_demandtopic(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_demandsignal
    ADD CONSTRAINT learning_demandsignal_chat_id_c64e5e04_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_demandsignal
    ADD CONSTRAINT learning_demandsignal_widget_id_983fee6a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_demandtopic
    ADD CONSTRAINT learning_demandtopic_widget_id_47d72e67_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_probation
    ADD CONSTRAINT learning_probation_cycle_id_01a393ff_fk_learning_cycle_id FOREIGN KEY (cycle_id) REFERENCES public.learning_cycle(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_probation
    ADD CONSTRAINT learning_probation_widget_id_6e5126b9_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_probation
    ADD CONSTRAINT learning_probation_wish_id_ea87383d_fk_learning_wish_id FOREIGN KEY (wish_id) REFERENCES public.learning_wish(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_wish
    ADD CONSTRAINT learning_wish_widget_id_135d72b1_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.learning_wishdecision
    ADD CONSTRAINT learning_wishdecision_wish_id_5a48cda6_fk_learning_wish_id FOREIGN KEY (wish_id) REFERENCES public.learning_wish(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_address
    ADD CONSTRAINT letters_address_contact_id_9caca82b_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_address
    ADD CONSTRAINT letters_address_widget_id_bff488a5_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_correspondent
    ADD CONSTRAINT letters_correspondent_contact_id_16d475df_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_correspondent
    ADD CONSTRAINT letters_correspondent_mailbox_id_dd27bfac_fk_letters_mailbox_id FOREIGN KEY (mailbox_id) REFERENCES public.letters_mailbox(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_correspondent
    ADD CONSTRAINT letters_correspondent_widget_id_8d78029f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_gatherjob
    ADD CONSTRAINT letters_gatherjob_chat_id_9da55f54_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_gatherjob
    ADD CONSTRAINT letters_gatherjob_widget_id_caddfd3b_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_inletter
    ADD CONSTRAINT letters_inletter_chat_id_ef0ffe68_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_inletter
    ADD CONSTRAINT letters_inletter_mailbox_id_4b8c2ad7_fk_letters_mailbox_id FOREIGN KEY (mailbox_id) REFERENCES public.letters_mailbox(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_inletter
    ADD CONSTRAINT letters_inletter_message_id_feba1b38_fk_chats_message_id FOREIGN KEY (message_id) REFERENCES public.chats_message(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_inletter
    ADD CONSTRAINT letters_inletter_thread_id_63cbba7c_fk_letters_thread_id FOREIGN KEY (thread_id) REFERENCES public.letters_thread(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_inletter
    ADD CONSTRAINT letters_inletter_widget_id_9d60d2bd_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_lettersettings
    ADD CONSTRAINT letters_lettersettings_widget_id_4b14e33a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_letterwish
    ADD CONSTRAINT letters_letterwish_contact_id_5258aa29_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_letterwish
    ADD CONSTRAINT letters_letterwish_widget_id_ea301c6e_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_mailbox
    ADD CONSTRAINT letters_mailbox_department_id_53f54c6b_fk_agents_department_id FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_mailbox
    ADD CONSTRAINT letters_mailbox_widget_id_24edfd79_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_mailcheck
    ADD CONSTRAINT letters_mailcheck_mailbox_id_38581799_fk_letters_mailbox_id FOREIGN KEY (mailbox_id) REFERENCES public.letters_mailbox(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_mailcheck
    ADD CONSTRAINT letters_mailcheck_widget_id_e5aa62cd_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_notice
    ADD CONSTRAINT letters_notice_agent_id_fd001b13_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_notice
    ADD CONSTRAINT letters_notice_widget_id_9261beaf_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_noticesettings
    ADD CONSTRAINT letters_noticesettings_agent_id_61f2e98b_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_noticesettings
    ADD CONSTRAINT letters_noticesettings_widget_id_c2196b34_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_outletter
    ADD CONSTRAINT letters_outletter_thread_id_b502a46a_fk_letters_thread_id FOREIGN KEY (thread_id) REFERENCES public.letters_thread(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_outletter
    ADD CONSTRAINT letters_outletter_widget_id_1ed1e856_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_readjob
    ADD CONSTRAINT letters_readjob_mailbox_id_d9a1ffa4_fk_letters_mailbox_id FOREIGN KEY (mailbox_id) REFERENCES public.letters_mailbox(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_readjob
    ADD CONSTRAINT letters_readjob_widget_id_22b0f5ad_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_thread
    ADD CONSTRAINT letters_thread_chat_id_257c3344_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.letters_thread
    ADD CONSTRAINT letters_thread_widget_id_25d22fe2_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_channel
    ADD CONSTRAINT messengers_channel_widget_id_82cfef36_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_checkline
    ADD CONSTRAINT messengers_checkline_connection_id_b50b9322_fk_messenger FOREIGN KEY (connection_id) REFERENCES public.messengers_connection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_checkline
    ADD CONSTRAINT messengers_checkline_widget_id_3ba931ba_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_connection
    ADD CONSTRAINT messengers_connection_widget_id_af9f0aed_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_earlyreceipt
    ADD CONSTRAINT messengers_earlyrece_connection_id_d655f4b9_fk_messenger FOREIGN KEY (connection_id) REFERENCES public.messengers_connection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_earlyreceipt
    ADD CONSTRAINT messengers_earlyrece_widget_id_759a6df3_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_inbound
    ADD CONSTRAINT messengers_inbound_connection_id_87ba7463_fk_messenger FOREIGN KEY (connection_id) REFERENCES public.messengers_connection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_inbound
    ADD CONSTRAINT messengers_inbound_widget_id_12871137_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_inboundline
    ADD CONSTRAINT messengers_inboundli_connection_id_aed19ba0_fk_messenger FOREIGN KEY (connection_id) REFERENCES public.messengers_connection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_inboundline
    ADD CONSTRAINT messengers_inboundline_widget_id_4ea6a336_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_outboundline
    ADD CONSTRAINT messengers_outboundl_widget_id_b51b9113_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_outboundline
    ADD CONSTRAINT messengers_outboundline_peer_id_99783a39_fk_messengers_peer_id FOREIGN KEY (peer_id) REFERENCES public.messengers_peer(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_outboundmessage
    ADD CONSTRAINT messengers_outboundm_peer_id_ab812b56_fk_messenger FOREIGN KEY (peer_id) REFERENCES public.messengers_peer(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_outboundmessage
    ADD CONSTRAINT messengers_outboundm_widget_id_54f9c3bf_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_peer
    ADD CONSTRAINT messengers_peer_contact_id_5619d03f_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_peer
    ADD CONSTRAINT messengers_peer_widget_id_d1a57170_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_pollline
    ADD CONSTRAINT messengers_pollline_connection_id_17bb2926_fk_messenger FOREIGN KEY (connection_id) REFERENCES public.messengers_connection(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_pollline
    ADD CONSTRAINT messengers_pollline_widget_id_a0b1ccbd_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_startlink
    ADD CONSTRAINT messengers_startlink_contact_id_dd229bab_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.messengers_startlink
    ADD CONSTRAINT messengers_startlink_widget_id_ccc498a1_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_ratingdecision
    ADD CONSTRAINT reports_ratingdecisi_request_id_302cf546_fk_chats_rat FOREIGN KEY (request_id) REFERENCES public.chats_ratingrequest(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_ratingdecision
    ADD CONSTRAINT reports_ratingdecision_chat_id_641af3a1_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_ratingdecision
    ADD CONSTRAINT reports_ratingdecision_widget_id_a3d8b39f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_ratingpolicy
    ADD CONSTRAINT reports_ratingpolicy_widget_id_e31f54dc_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_weeklychoice
    ADD CONSTRAINT reports_weeklychoice_user_id_5a12e9e1_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_weeklychoice
    ADD CONSTRAINT reports_weeklychoice_widget_id_edcd131f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_weeklyletter
    ADD CONSTRAINT reports_weeklyletter_user_id_1d19dd74_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reports_weeklyletter
    ADD CONSTRAINT reports_weeklyletter_widget_id_bc68fe5f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reviews_review
    ADD CONSTRAINT reviews_review_chat_id_278f7b41_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reviews_review
    ADD CONSTRAINT reviews_review_reviewer_id_29fc8a19_fk_agents_agent_id FOREIGN KEY (reviewer_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reviews_review
    ADD CONSTRAINT reviews_review_widget_id_287776ac_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reviews_scorecard
    ADD CONSTRAINT reviews_scorecard_widget_id_36ef2eaa_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reviews_unconfirmedscore
    ADD CONSTRAINT reviews_unconfirmeds_widget_id_1b9ad735_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.reviews_unconfirmedscore
    ADD CONSTRAINT reviews_unconfirmedscore_chat_id_e6dbc0d2_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_assignment
    ADD CONSTRAINT routing_assignment_agent_id_918acf73_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_assignment
    ADD CONSTRAINT routing_assignment_chat_id_cb29e192_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_assignment
    ADD CONSTRAINT routing_assignment_widget_id_daf0b606_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_estimatetally
    ADD CONSTRAINT routing_estimatetally_widget_id_7ef5f706_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_operatorplaces
    ADD CONSTRAINT routing_operatorplac_department_id_705b0402_fk_agents_de FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_operatorplaces
    ADD CONSTRAINT routing_operatorplaces_agent_id_7bea46f9_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_operatorplaces
    ADD CONSTRAINT routing_operatorplaces_widget_id_5e268421_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_queuerow
    ADD CONSTRAINT routing_queuerow_chat_id_6e1cb598_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_queuerow
    ADD CONSTRAINT routing_queuerow_widget_id_1c0214de_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_routerrow
    ADD CONSTRAINT routing_routerrow_widget_id_312fa037_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_routingsettings
    ADD CONSTRAINT routing_routingsetti_department_id_a05c8f7b_fk_agents_de FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_routingsettings
    ADD CONSTRAINT routing_routingsetti_overflow_department__f7d3aeda_fk_agents_de FOREIGN KEY (overflow_department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_routingsettings
    ADD CONSTRAINT routing_routingsetti_widget_id_72aa5719_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_slaclock
    ADD CONSTRAINT routing_slaclock_chat_id_f7eda836_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_slaclock
    ADD CONSTRAINT routing_slaclock_widget_id_18c7ee70_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_toldestimate
    ADD CONSTRAINT routing_toldestimate_chat_id_398a13d5_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.routing_toldestimate
    ADD CONSTRAINT routing_toldestimate_widget_id_c1c99f98_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_approom
    ADD CONSTRAINT support_approom_chat_id_6fde1c02_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_approom
    ADD CONSTRAINT support_approom_widget_id_9ee9ea92_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_binding
    ADD CONSTRAINT support_binding_assistant_id_9e238478_fk_ai_assistant_id FOREIGN KEY (assistant_id) REFERENCES public.ai_assistant(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_binding
    ADD CONSTRAINT support_binding_token_id_fe524a72_fk_accounts_apitoken_id FOREIGN KEY (token_id) REFERENCES public.accounts_apitoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_binding
    ADD CONSTRAINT support_binding_widget_id_722fd023_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_chatlease
    ADD CONSTRAINT support_chatlease_chat_id_4ef1da89_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_chatlease
    ADD CONSTRAINT support_chatlease_token_id_59872e0c_fk_accounts_apitoken_id FOREIGN KEY (token_id) REFERENCES public.accounts_apitoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_emailcode
    ADD CONSTRAINT support_emailcode_chat_id_faf1f261_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_emailcode
    ADD CONSTRAINT support_emailcode_widget_id_5b758033_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_identity
    ADD CONSTRAINT support_identity_chat_id_09811f93_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_nonce
    ADD CONSTRAINT support_nonce_binding_id_6f475deb_fk_support_binding_id FOREIGN KEY (binding_id) REFERENCES public.support_binding(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_signedrequest
    ADD CONSTRAINT support_signedrequest_binding_id_ed7f50f7_fk_support_binding_id FOREIGN KEY (binding_id) REFERENCES public.support_binding(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_supportaction
    ADD CONSTRAINT support_supportaction_token_id_519b00ee_fk_accounts_apitoken_id FOREIGN KEY (token_id) REFERENCES public.accounts_apitoken(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_supportaction
    ADD CONSTRAINT support_supportaction_widget_id_8f531ac5_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_supportsettings
    ADD CONSTRAINT support_supportsetti_widget_id_03995632_fk_accounts_ FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_supportsettings
    ADD CONSTRAINT support_supportsettings_operator_id_b846b491_fk_agents_agent_id FOREIGN KEY (operator_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_takenmessage
    ADD CONSTRAINT support_takenmessage_chat_id_391ff378_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_takenmessage
    ADD CONSTRAINT support_takenmessage_widget_id_fb1eaea1_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT support_ticket_chat_id_65a5c0da_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT support_ticket_duplicate_of_id_8c52cd47_fk_support_t FOREIGN KEY (duplicate_of_id) REFERENCES public.support_ticket(number) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_ticket
    ADD CONSTRAINT support_ticket_widget_id_0e50f249_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.support_verification
    ADD CONSTRAINT support_verification_chat_id_e929b96e_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.webhooks_event
    ADD CONSTRAINT webhooks_event_widget_id_30bd1dc4_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.webhooks_subscription
    ADD CONSTRAINT webhooks_subscription_widget_id_8a1cbbdb_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_awayform
    ADD CONSTRAINT widget_awayform_contact_id_bafd3c45_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_awayform
    ADD CONSTRAINT widget_awayform_widget_id_ed8f7684_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_chatanswers
    ADD CONSTRAINT widget_chatanswers_chat_id_d635706a_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_chatanswers
    ADD CONSTRAINT widget_chatanswers_widget_id_8fa30d4a_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_chatinvitation
    ADD CONSTRAINT widget_chatinvitatio_department_id_9c940cd0_fk_agents_de FOREIGN KEY (department_id) REFERENCES public.agents_department(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_chatinvitation
    ADD CONSTRAINT widget_chatinvitation_agent_id_3ac018c3_fk_agents_agent_id FOREIGN KEY (agent_id) REFERENCES public.agents_agent(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_chatinvitation
    ADD CONSTRAINT widget_chatinvitation_widget_id_cfd8efa6_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_contactconsent
    ADD CONSTRAINT widget_contactconsent_chat_id_13a2a763_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_contactconsent
    ADD CONSTRAINT widget_contactconsent_contact_id_f9de8de6_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_contactconsent
    ADD CONSTRAINT widget_contactconsent_widget_id_99026e58_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_icon
    ADD CONSTRAINT widget_icon_widget_id_4db602ae_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_invitationoffer
    ADD CONSTRAINT widget_invitationoff_invitation_id_1f0e06b8_fk_widget_ch FOREIGN KEY (invitation_id) REFERENCES public.widget_chatinvitation(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_invitationoffer
    ADD CONSTRAINT widget_invitationoffer_chat_id_3ca7b051_fk_chats_chat_id FOREIGN KEY (chat_id) REFERENCES public.chats_chat(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_invitationoffer
    ADD CONSTRAINT widget_invitationoffer_contact_id_81104a3c_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_invitationoffer
    ADD CONSTRAINT widget_invitationoffer_widget_id_c2c1658f_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_questionset
    ADD CONSTRAINT widget_questionset_widget_id_28856ed1_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_stoppedaddress
    ADD CONSTRAINT widget_stoppedaddress_widget_id_416d59e2_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_translation
    ADD CONSTRAINT widget_translation_widget_id_d52afd8e_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_usedproof
    ADD CONSTRAINT widget_usedproof_widget_id_de06ca8b_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_verifiedvisitor
    ADD CONSTRAINT widget_verifiedvisitor_contact_id_e1c9171b_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_verifiedvisitor
    ADD CONSTRAINT widget_verifiedvisitor_widget_id_642c875e_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_visitorsession
    ADD CONSTRAINT widget_visitorsession_contact_id_c8cd8a59_fk_chats_contact_id FOREIGN KEY (contact_id) REFERENCES public.chats_contact(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_visitorsession
    ADD CONSTRAINT widget_visitorsession_widget_id_7519e376_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.widget_widgetsettings
    ADD CONSTRAINT widget_widgetsettings_widget_id_59ab1cb4_fk_accounts_widget_id FOREIGN KEY (widget_id) REFERENCES public.accounts_widget(id) DEFERRABLE INITIALLY DEFERRED;
