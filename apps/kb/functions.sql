-- SQL functions of the knowledge base: the current source, beside the models (docs/adr/0017).

-- A word of a text search vector as a query for it, whatever it is made of.
CREATE OR REPLACE FUNCTION kb_word_query(lexeme text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery;

-- A text with one Latin letter or digit for each letter, so that its trigrams are the same in every locale: in the
-- locale C, pg_trgm takes Cyrillic letters for gaps. What is written in the letters of another language is found, too.
CREATE OR REPLACE FUNCTION kb_spelling(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lower(translate(
    body,
    'абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯαβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫäöüßáéíóúñàèìòùâêîôûçåøæÄÖÜẞÁÉÍÓÚÑÀÈÌÒÙÂÊÎÔÛÇÅØÆ',
    'abvgdeejziyklmnoprstufhc4wq617329abvgdeejziyklmnoprstufhc4wq617329abgdezh8iklmnxoprsstufx5waehiouwiuabgdezh8iklmnxoprstufx5waehiouwiuaousaeiounaeiouaeioucaoaaousaeiounaeiouaeioucaoa'
));

-- The rules of a widget, for all and for one operator, with words that are spelt like words that none of them has: one
-- letter away, or with four trigrams in ten in common; the five likest of each word, of which near and rare ones weigh
-- more. Stems are compared with stems. The words of the widget's rules are gone through, each once, and not their
-- texts (docs/adr/0023).
CREATE OR REPLACE FUNCTION kb_spelt_alike(of_widget bigint, of_operator bigint, misspelt text[])
RETURNS TABLE (rule_id bigint, similarity real) LANGUAGE sql STABLE STRICT ROWS 40
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

-- Letters that look the same in Cyrillic and in Latin as one Latin letter, the rest in small ones: whatever keyboard an
-- article code was typed on, it is the same. Whatever the locale is: in the locale C, `lower` knows Latin letters only.
CREATE OR REPLACE FUNCTION kb_same_letters(body text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lower(translate(
    body,
    'АВЕЁКМНОРСТУХавеёкмнорстухБГДЖЗИЙЛПФЦЧШЩЪЫЬЭЮЯأإآٱةىـ–—−‑／・０１２３４５６７８９٠١٢٣٤٥٦٧٨٩' || chr(160) || chr(8239) || chr(8201),
    'abeekmhopctyxabeekmhopctyxбгджзийлпфцчшщъыьэюяااااهي' || chr(1) || '----/ 01234567890123456789   '
));

-- The parts of a text that words do not tell: numbers, prices, dates, phone numbers and article codes, each in one
-- spelling whatever it was written in, and the pairs of letters of scripts that put no spaces between words (threes of
-- Arabic, whose words have others grown on to them). The same for texts and questions.
CREATE OR REPLACE FUNCTION kb_marks(body text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    WITH one AS MATERIALIZED (SELECT replace(kb_same_letters(body), chr(1), '') AS body),
    codes AS (
        SELECT regexp_replace(found[1], '[-./_]', '', 'g') AS code
        FROM one, regexp_matches(one.body, '((?:[a-zа-я]{1,4} (?=[0-9]))?[0-9a-zα-ωа-я]+(?:[-./_][0-9a-zα-ωа-я]+)*)', 'g') found
        WHERE found[1] ~ '[0-9]'
    ), numbers AS (
        SELECT regexp_replace(found[1], '[^0-9]', '', 'g') AS digits
        FROM one, regexp_matches(one.body, '([0-9](?:[-. ()]{0,3}[0-9]){5,17})', 'g') found
    ), sums AS (
        SELECT regexp_replace(found[1], '[^0-9]', '', 'g') AS whole, rpad(found[2], 2, '0') AS part
        FROM one, regexp_matches(
            one.body, '(?:^|[^0-9.,])([0-9]{1,3}(?:[ .,''][0-9]{3})+|[0-9]+)(?:[.,]([0-9]{1,2}))?(?![0-9.,]*[0-9])', 'g'
        ) found
    ), days AS (
        SELECT found[1]::int AS day, found[2]::int AS month, found[3] AS year
        FROM one, regexp_matches(one.body, '(?<![0-9.])([0-3]?[0-9])[./]([01]?[0-9])(?:[./]((?:[0-9]{2}){1,2}))?(?![0-9])', 'g') found
        UNION ALL
        SELECT found[3]::int, found[2]::int, found[1]
        FROM one, regexp_matches(one.body, '(?<![0-9])([0-9]{4})-([01][0-9])-([0-3][0-9])(?![0-9])', 'g') found
        UNION ALL
        -- The names of months in Russian (twice: май, мая), English and German, in the letters of kb_same_letters.
        SELECT coalesce(found[1], found[3])::int, (array_position(string_to_array(
            'яhb фeb map aпp maй июh июл abг ceh okt hoя дek яhb фeb map aпp maя июh июл abг ceh okt hoя дek '
            'jan feb mar apr may jun jul aug sep oct nov dec jan feb mär apr mai jun jul aug sep okt nov dez', ' '), found[2]) - 1) % 12 + 1, found[4]
        FROM one, regexp_matches(
            one.body,
            '(?:([0-3]?[0-9])(?:st|nd|rd|th)?\.? )?(?<![a-zа-я])(яhb|фeb|map|aпp|maй|июh|июл|abг|ceh|okt|hoя|дek|maя|'
            'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)[a-zа-я]{0,7}\.?'
            '(?: ([0-3]?[0-9])(?:st|nd|rd|th)?(?![0-9]))?,?(?: ([0-9]{4}))?', 'g'
        ) found
        WHERE coalesce(found[1], found[3]) IS NOT NULL
    ), runs AS (
        SELECT row_number() OVER () AS number, found[1] AS run, least(2, length(found[1])) AS least, 2 AS size
        FROM one, regexp_matches(one.body, '([\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)', 'g') found
        UNION ALL
        SELECT -row_number() OVER (), found[1], least(3, length(found[1])), 3 FROM one, regexp_matches(one.body, '([\u0620-\u064a\u066e-\u06d3]+)', 'g') found
    ), grams AS (
        SELECT letter || coalesce(lead(letter) OVER run, '')
            || CASE WHEN size = 3 THEN coalesce(lead(letter, 2) OVER run, '') ELSE '' END AS gram,
            least AS size
        FROM runs, unnest(string_to_array(runs.run, NULL)) WITH ORDINALITY letters (letter, place)
        WINDOW run AS (PARTITION BY number ORDER BY place)
    ), marks AS (
        SELECT replace(code, ' ', '') AS mark FROM codes
        UNION ALL SELECT regexp_replace(code, '^[^0-9]+', '') FROM codes
        UNION ALL SELECT split_part(code, ' ', 2) FROM codes
        UNION ALL SELECT right(digits, size) FROM numbers, (VALUES (7), (10)) sizes (size) WHERE length(digits) >= size
        UNION ALL SELECT CASE WHEN part IS NULL OR part = '00' THEN whole ELSE whole || '.' || part END FROM sums
        UNION ALL SELECT format('%s-%s', month, day) FROM days WHERE day BETWEEN 1 AND 31 AND month BETWEEN 1 AND 12
        UNION ALL SELECT format('%s-%s-%s', right(year, 2), month, day) FROM days
            WHERE year IS NOT NULL AND day BETWEEN 1 AND 31 AND month BETWEEN 1 AND 12
        UNION ALL SELECT gram FROM grams WHERE length(gram) = size
    )
    SELECT coalesce(array_agg(DISTINCT left(mark, 40)), '{}') FROM marks WHERE length(mark) >= 3 OR mark !~ '[a-z0-9]' AND mark <> '';
END;

-- What a rule holds beside its words, for its index.
CREATE OR REPLACE FUNCTION kb_marks_of(title text, content text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN kb_marks(left(title || chr(10) || content, 8000));
