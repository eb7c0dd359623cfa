"""The search of published texts: retrieval's legs of words and spelling (kb/querysets/retrieval.py)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Subquery

from apps.articles.models import ArticleVersion, SearchableText
from apps.core.database import fetch_all
from apps.core.database.tenants import TenantQuerySet
from apps.kb.querysets.retrieval import matching, matching_parameters
from apps.kb.rules import fusion

CANDIDATES = 40
# Of a question, the words that may be misspelt: the longest, so many.
MOST_SPELT = 4

# Words weigh by how few texts have them. Of the texts that have most of their weight, where words of the title weigh
# twice, each word counts by how often the text has it, where, and how long the text is (`ts_rank`).
_MATCHING = matching(
    "articles_searchabletext",
    number="(SELECT count(*) FROM articles_searchabletext WHERE widget_id = %(widget_id)s)",
    allowed="AND r.lang = ANY(%(langs)s)",
    marks="r.marks",
)
_RANKED = """, likely AS MATERIALIZED (
    SELECT r.id, sum(weight * CASE WHEN r.titled @@ kb_word_query(hits.lexeme) THEN 2 ELSE 1 END) AS weight
    FROM hits JOIN weights USING (lexeme)
    JOIN articles_searchabletext r ON r.id = hits.id AND r.widget_id = %(widget_id)s
    GROUP BY r.id ORDER BY 2 DESC, r.id DESC LIMIT 100
), by_text AS (
    SELECT r.id, row_number() OVER (ORDER BY sum(
        weights.weight * greatest(ts_rank(r.searched, kb_word_query(hits.lexeme), 1), 0.02)
    ) DESC, r.id) AS rank
    FROM likely JOIN hits USING (id) JOIN weights USING (lexeme)
    JOIN articles_searchabletext r ON r.id = hits.id AND r.widget_id = %(widget_id)s
    GROUP BY r.id ORDER BY rank LIMIT %(candidates)s
), by_spelling AS (
    SELECT a.text_id AS id, row_number() OVER (ORDER BY a.similarity DESC, a.text_id) AS rank
    FROM (SELECT array_agg(word) AS words FROM misspelt) m
    CROSS JOIN LATERAL articles_spelt_alike(%(widget_id)s, %(langs)s, m.words) a
)
SELECT r.id, r.article_id, r.lang, by_text.rank AS text, by_spelling.rank AS spelling,
       least(1, (SELECT count(*) FROM weights)::float
                / greatest((SELECT count(*) FROM words) + (SELECT count(*) FROM marks), 1)) AS known
FROM by_text FULL JOIN by_spelling USING (id)
JOIN articles_searchabletext r ON r.id = coalesce(by_text.id, by_spelling.id) AND r.widget_id = %(widget_id)s"""


class FoundText(NamedTuple):
    """A text that a leg has found. `known`: which part of the question's words any text has."""

    id: int
    article_id: int
    lang: str
    score: float
    known: float


def found_texts(widget_id: int, question: str, langs: Sequence[str]) -> list[FoundText]:
    """The texts that have something of a question, in these languages, in no order: by one statement."""
    words = sorted(fusion.spellable(question, rules=0), key=len, reverse=True)[:MOST_SPELT]
    parameters: dict[str, Any] = matching_parameters(question, spelling=words) | {
        "widget_id": widget_id,
        "langs": list(langs),
        "candidates": CANDIDATES,
    }
    return [
        FoundText(id_, article_id, lang, fusion.score_of(fusion.Ranks(None, text, spelling), known), known)
        for id_, article_id, lang, text, spelling, known in fetch_all(_MATCHING + _RANKED, parameters)
    ]


def listed_texts(widget_id: int) -> TenantQuerySet[SearchableText]:
    """The published texts as lists show them: with `title`, `slug`, `summary` and the article's `position`, without the
    body. Index: articles_version_once.
    """
    versions = ArticleVersion.objects.for_widget(widget_id).filter(
        text=OuterRef("text_id"), version=OuterRef("version")
    )
    columns: dict[str, Any] = {name: Subquery(versions.values(name)[:1]) for name in ("title", "slug", "summary")}
    texts = SearchableText.objects.for_widget(widget_id).only("article_id", "lang")
    return texts.annotate(**columns, position=F("article__position"))
