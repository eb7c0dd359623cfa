-- SQL functions of articles: the current source, beside the models (docs/adr/0017).

-- The published texts of a widget, of some languages, with words that are spelt like words that none of them has: one
-- letter away (two, in words of six and more, where letters have changed places), or with four trigrams in ten in
-- common; the five likest of each word. Near and rare ones weigh more, and those of a title twice. The widget's words
-- are found by an index of their trigrams, of which a word of four letters with another letter in it has one in four.
CREATE OR REPLACE FUNCTION articles_spelt_alike(of_widget bigint, of_languages text[], misspelt text[])
RETURNS TABLE (text_id bigint, similarity real) LANGUAGE sql STABLE STRICT ROWS 40
SET pg_trgm.similarity_threshold = 0.25
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
