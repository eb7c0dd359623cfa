"""Search in published articles: no vendor is asked, and the question is kept nowhere."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Case, F, Func, TextField, Value, When
from django.db.models.functions import Length

from apps.articles.querysets.centers import Center, center_of
from apps.articles.querysets.search import FoundText, found_texts, listed_texts
from apps.articles.rules.addresses import article_url
from apps.articles.rules.tallies import MAX_QUERY
from apps.kb.rules.fusion import folded
from apps.kb.rules.texts import visible

DEFAULT_LIMIT, MAX_LIMIT = 5, 20
MAX_SNIPPET = 200
# A question that is half known, or less, is about something else: it suggests nothing.
LEAST_KNOWN = 0.5
_WORD = re.compile(r"\w+")
_HEADLINE = "StartSel='', StopSel='', MaxFragments=1, MaxWords=30, MinWords=15, FragmentDelimiter=' … '"


@dataclass(frozen=True, slots=True)
class Hit:
    """An article that answers a question, in one of its languages. `score` falls; comparable within one answer only."""

    article_id: int
    lang: str
    title: str
    summary: str
    snippet: str
    url: str | None
    score: float

    @property
    def id(self) -> int:
        return self.article_id


def search(
    widget_id: int,
    q: str,
    lang: str = "",
    limit: int = DEFAULT_LIMIT,
    *,
    purpose: Literal["search", "suggestion"] = "search",
) -> list[Hit]:
    """The published articles that a question leads to, each once: those in its language first, then in the default one.

    A suggestion is made only where half of the question's words are known. Without a language it is the default one.
    """
    question = visible(q)[:MAX_QUERY]
    if not question.strip():
        return []
    center = center_of(widget_id)
    langs = list(dict.fromkeys(code for code in (lang, center.default_language) if code))
    texts = found_texts(widget_id, question, langs)
    if purpose == "suggestion":
        texts = [text for text in texts if text.known >= LEAST_KNOWN]
    return _hits(center, _best(texts, langs)[:limit], question)


def _best(texts: Iterable[FoundText], langs: Sequence[str]) -> list[FoundText]:
    """One text an article, in the order of languages, then the best first."""
    once: dict[int, FoundText] = {}
    for text in sorted(texts, key=lambda text: (langs.index(text.lang), -text.score, text.id)):
        once.setdefault(text.article_id, text)
    return list(once.values())


def _hits(center: Center, found: Sequence[FoundText], question: str) -> list[Hit]:
    """The found texts as readers see them, each with the place that has the question's words."""
    if not found:
        return []
    headline: Any = Func(
        Value("russian"),
        F("excerpt"),
        Func(Value("russian"), Value(" or ".join(_WORD.findall(folded(question)))), function="websearch_to_tsquery"),
        Value(_HEADLINE),
        function="ts_headline",
        output_field=TextField(),
    )
    rows = listed_texts(center.row.widget_id).filter(pk__in=[text.id for text in found])
    rows = rows.annotate(length=Length("excerpt"))
    rows = rows.annotate(snippet=Case(When(length__lte=MAX_SNIPPET, then=F("excerpt")), default=headline))
    texts = {row.pk: row for row in rows}
    return [
        hit_of(center, texts[text.id], snippet=_cut(texts[text.id].snippet), score=round(text.score, 6))
        for text in found
        if text.id in texts
    ]


def hit_of(center: Center, row: Any, *, snippet: str = "", score: float = 0) -> Hit:
    """A row of `listed_texts` as searches and lists of articles show it."""
    url = address_of(center, row.lang, row.article_id, row.slug)
    return Hit(row.article_id, row.lang, row.title, row.summary, snippet, url, score)


def address_of(center: Center, lang: str, article_id: int, slug: str) -> str | None:
    """The public address of a published text; None without public pages."""
    return None if center.url is None else article_url(center.url, lang, article_id, slug)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_SNIPPET else text[: MAX_SNIPPET - 1].rpartition(" ")[0] + "…"
