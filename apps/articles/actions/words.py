"""The words of a widget's published texts, among which misspelt ones are looked for."""

from apps.core.database import execute

# Words with digits, dots or slashes are codes and addresses, which nobody misspells as words.
_NOTE = """
INSERT INTO articles_articleword (widget_id, lexeme, spelling)
SELECT %(widget_id)s, lexeme, kb_spelling(lexeme)
FROM articles_searchabletext t CROSS JOIN LATERAL unnest(tsvector_to_array(searched)) lexeme
WHERE t.widget_id = %(widget_id)s AND t.article_id = %(article_id)s AND t.lang = %(lang)s
  AND length(lexeme) BETWEEN 3 AND 64 AND lexeme !~ '[0-9/.@]'
ON CONFLICT DO NOTHING"""
_FORGET = """
DELETE FROM articles_articleword w WHERE w.widget_id = %(widget_id)s AND NOT EXISTS (
    SELECT FROM articles_searchabletext t WHERE t.widget_id = %(widget_id)s AND t.searched @@ kb_word_query(w.lexeme)
)"""


def note_words(widget_id: int, article_id: int, lang: str) -> None:
    """Notes the words of a text that are not known yet."""
    execute(_NOTE, {"widget_id": widget_id, "article_id": article_id, "lang": lang})


def forget_unused_words(widget_id: int) -> None:
    """Forgets the words that no published text of the widget has any more."""
    execute(_FORGET, {"widget_id": widget_id})
