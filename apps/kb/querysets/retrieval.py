"""The three legs of retrieval in one statement: by meaning, by words, by spelling (docs/adr/0023)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from apps.core.database import fetch_all
from apps.kb.rules import fusion
from apps.kb.rules.texts import SourceType

# Words weigh by BM25 (Robertson and Zaragoza, 2009) among the widget's rules, over the candidates that have most of
# their weight; a word of a title counts as two. The document frequencies are those of the index's own matches. Numbers,
# codes and letters of scripts without spaces are words, too (`kb_marks`); words of such scripts are nothing but those.
# A word that no rule has is looked for as the keys of the other keyboard would have written it.
_MATCHED = """
WITH marks AS MATERIALIZED (
    SELECT ' ' || mark AS lexeme, mark FROM unnest(kb_marks(%(query)s)) mark WHERE NOT mark = ANY(%(empty_marks)s)
), words AS MATERIALIZED (
    SELECT lexeme, kb_word_query(lexeme) AS query FROM unnest(to_tsvector('russian', %(query)s))
    WHERE lexeme !~ '[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]'
), typed AS MATERIALIZED (
    SELECT words.lexeme, r.id FROM words JOIN {table} r
    ON r.widget_id = %(widget_id)s AND r.searched @@ words.query {allowed}
), switched AS MATERIALIZED (
    SELECT DISTINCT u.lexeme, kb_word_query(u.lexeme) AS query
    FROM unnest(%(typed)s::text[], %(switched)s::text[]) one (typed, switched)
    CROSS JOIN LATERAL unnest(to_tsvector('russian', switched)) u
    WHERE NOT EXISTS (SELECT FROM unnest(to_tsvector('russian', one.typed)) t JOIN typed USING (lexeme))
), hits AS MATERIALIZED (
    SELECT lexeme, id FROM typed
    UNION
    SELECT switched.lexeme, r.id FROM switched JOIN {table} r
    ON r.widget_id = %(widget_id)s AND r.searched @@ switched.query {allowed}
    UNION
    SELECT marks.lexeme, r.id FROM marks JOIN {table} r
    ON r.widget_id = %(widget_id)s AND {marks} @> ARRAY[marks.mark] {allowed}
), weights AS MATERIALIZED (
    SELECT lexeme, ln(1 + (greatest({number}, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM hits GROUP BY lexeme
), misspelt AS MATERIALIZED (
    SELECT word FROM unnest(%(words)s::text[]) word
    WHERE to_tsvector('russian', word) <> ''
      AND NOT EXISTS (SELECT FROM unnest(to_tsvector('russian', word)) u JOIN hits USING (lexeme))
)"""


# A rule that a chat may be given: for all operators or for its own, for all visitors or those of its language.
_ALLOWED = """AND (r.operator_id IS NULL OR r.operator_id = %(operator_id)s)
   AND (r.languages IS NULL OR %(language)s::text IS NULL OR %(language)s = ANY(r.languages))"""

_RANKED = """, likely AS MATERIALIZED (
    SELECT id FROM hits JOIN weights USING (lexeme) GROUP BY id ORDER BY sum(weight) DESC, id DESC LIMIT 200
), lengths AS MATERIALIZED (
    SELECT r.id, r.searched, n.length FROM likely JOIN kb_rule r ON r.id = likely.id AND r.widget_id = %(widget_id)s
    CROSS JOIN LATERAL (SELECT coalesce(sum(cardinality(u.positions)), 1) AS length FROM unnest(r.searched) u) n
), counted AS MATERIALIZED (
    SELECT lengths.id, t.lexeme, length, weights.weight,
           (SELECT sum(CASE mark WHEN 'A' THEN 2 ELSE 1 END) FROM unnest(t.weights) mark) AS times
    FROM lengths CROSS JOIN LATERAL unnest(searched) t JOIN weights ON weights.lexeme = t.lexeme
    UNION ALL
    SELECT lengths.id, hits.lexeme, length, weights.weight, 1
    FROM hits JOIN marks USING (lexeme) JOIN weights USING (lexeme) JOIN lengths USING (id)
), usual AS (
    SELECT avg(length) AS length FROM (SELECT DISTINCT ON (id) length FROM counted) one
), by_text AS (
    SELECT id, row_number() OVER (ORDER BY sum(
        weight * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * counted.length / usual.length))
    ) DESC, id) AS rank
    FROM counted CROSS JOIN usual GROUP BY id ORDER BY rank LIMIT %(candidates)s
), by_trigram AS (
    SELECT a.rule_id AS id, row_number() OVER (ORDER BY a.similarity DESC, a.rule_id) AS rank
    FROM (SELECT array_agg(word) AS words FROM misspelt) m
    CROSS JOIN LATERAL kb_spelt_alike(%(widget_id)s, coalesce(%(operator_id)s, 0), m.words) a
    JOIN kb_rule r ON r.id = a.rule_id AND r.widget_id = %(widget_id)s {allowed}
    ORDER BY rank LIMIT %(candidates)s
), {by_vector}, found AS (
    SELECT coalesce(by_text.id, by_trigram.id, by_vector.id) AS id,
           by_vector.rank AS vector, by_text.rank AS text, by_trigram.rank AS trigram, by_vector.similarity
    FROM by_text FULL JOIN by_trigram ON by_trigram.id = by_text.id
    FULL JOIN by_vector ON by_vector.id = coalesce(by_text.id, by_trigram.id)
)
SELECT r.id, r.source_id, r.content, found.vector, found.text, found.trigram, found.similarity,
       least(1, (SELECT count(*) FROM weights)::float
                / greatest((SELECT count(*) FROM words) + (SELECT count(*) FROM marks), 1)) AS known,
       r.title, r.doc_id, s.ref, s.type, s.url, r.chunk_index
FROM found JOIN kb_rule r ON r.id = found.id JOIN kb_source s ON s.id = r.source_id
WHERE r.widget_id = %(widget_id)s"""

_BY_VECTOR = """near AS MATERIALIZED (
    SELECT r.id, e.vector <=> %(vector)s::halfvec AS distance
    FROM kb_embedding e JOIN kb_rule r ON r.widget_id = e.widget_id AND r.digest = e.digest
    WHERE e.widget_id = %(widget_id)s AND e.space = %(space)s {allowed}
    ORDER BY 2, r.id LIMIT %(candidates)s
), by_vector AS (
    SELECT id, row_number() OVER (ORDER BY distance, id) AS rank, 1 - distance AS similarity FROM near
    WHERE distance <= %(farthest)s
)"""
_NO_VECTOR = "by_vector AS (SELECT NULL::bigint AS id, NULL::bigint AS rank, NULL::float AS similarity WHERE false)"


def matching(table: str, *, number: str, allowed: str, marks: str) -> str:
    """The beginning of a statement that searches texts of a widget: `hits` (lexeme, id) of the question's words and
    marks, `weights` (lexeme, weight) of those words, and `misspelt` (word), which no text has.

    table: its rows `r` have `id`, `widget_id` and the vector `searched`. number: how many there are. allowed: what else
    must hold of a row, from `AND` on. marks: the expression of its index of `kb_marks`. The parameters are those of
    `matching_parameters`, with `widget_id` besides.
    """
    return _MATCHED.format(table=table, number=number, allowed=allowed, marks=marks)


def matching_parameters(text: str, *, spelling: Sequence[str]) -> dict[str, Any]:
    """The parameters of a question to `matching`; `spelling` are its words that may be misspelt."""
    switched = fusion.other_layouts(text)
    return {
        "query": fusion.folded(text),
        "words": list(spelling),
        "empty_marks": fusion.EMPTY_MARKS,
        "typed": [typed for typed, _ in switched],
        "switched": [other for _, other in switched],
    }


_OF_RULES = matching("kb_rule", number="%(rules)s", allowed=_ALLOWED, marks="kb_marks_of(r.title, r.content)")
WITH_VECTOR = _OF_RULES + _RANKED.format(by_vector=_BY_VECTOR.format(allowed=_ALLOWED), allowed=_ALLOWED)
WITHOUT_VECTOR = _OF_RULES + _RANKED.format(by_vector=_NO_VECTOR, allowed=_ALLOWED)


# The base's columns that a search goes by, for who reads it with something else (the hook of that name).
KNOWLEDGE_BASE = """
SELECT json_build_object('rules', b.rules, 'ready', b.ready, 'provider', b.provider, 'endpoint', b.endpoint,
    'model', b.model, 'dimension', b.dimension)
FROM kb_knowledgebase b WHERE b.widget_id = %(widget_id)s"""


class RulePlace(NamedTuple):
    """The origin of a candidate, which is shown beside it."""

    title: str
    doc_id: str | None
    source_ref: str
    source_type: str
    url: str | None
    chunk_index: int


class RetrievalQuery(NamedTuple):
    """A question to a widget's rules. `rules` is how many those are; `vector` is of the `space`, None without.
    `language` is its visitor's: the rules for others are not found; None: rules for all languages are.
    """

    widget_id: int
    operator_id: int | None
    text: str
    rules: int
    space: str | None = None
    vector: Sequence[float] | None = None
    language: str | None = None


def candidates(query: RetrievalQuery) -> list[tuple[fusion.RuleCandidate, RulePlace]]:
    """The candidates of all legs, in no order."""
    parameters = matching_parameters(query.text, spelling=fusion.spellable(query.text, rules=query.rules)) | {
        "widget_id": query.widget_id,
        "operator_id": query.operator_id,
        "language": query.language,
        "rules": query.rules,
        "candidates": fusion.CANDIDATES,
    }
    if query.vector is None:
        rows = fetch_all(WITHOUT_VECTOR, parameters)
    else:
        vector = "[" + ",".join(map(repr, query.vector)) + "]"
        farthest = 1 - fusion.MIN_SIMILARITY
        rows = fetch_all(WITH_VECTOR, parameters | {"vector": vector, "space": query.space, "farthest": farthest})
    return [(_candidate(row, place := RulePlace(*row[8:])), place) for row in rows]


def _candidate(row: Sequence[Any], place: RulePlace) -> fusion.RuleCandidate:
    rule_id, source_id, content, vector, text, trigram, similarity, known = row[:8]
    if place.source_type == SourceType.MANUAL:
        source_id = -rule_id  # a rule that was written by hand is a source of its own
    return fusion.RuleCandidate(rule_id, source_id, content, fusion.Ranks(vector, text, trigram), similarity, known)
