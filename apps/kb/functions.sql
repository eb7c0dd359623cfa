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

-- The rules of a widget, for all and for one operator, that spell something like a word. The threshold is that of the
-- operator `<%`, and cannot be said otherwise; as an index of trigrams answers it, no other rule is read.
CREATE OR REPLACE FUNCTION kb_spelt_alike(of_widget bigint, of_operator bigint, word text)
RETURNS TABLE (rule_id bigint, similarity real) LANGUAGE sql STABLE STRICT ROWS 40
SET pg_trgm.word_similarity_threshold = 0.5
AS $$
    SELECT id, word_similarity(kb_spelling(word), kb_spelling(title || ' ' || content)) FROM kb_rule
    WHERE widget_id = of_widget AND (operator_id IS NULL OR operator_id = of_operator)
      AND kb_spelling(word) <% kb_spelling(title || ' ' || content)
    ORDER BY 2 DESC, id LIMIT 40
$$;
