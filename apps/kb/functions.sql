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
