"""The results of articles: their figures in a window of time, and the most read ones."""

from collections.abc import Mapping
from typing import Any

from apps.articles.actions.search import DEFAULT_LIMIT, Hit, hit_of
from apps.articles.models import ArticleText
from apps.articles.querysets.centers import center_of
from apps.articles.querysets.search import listed_texts
from apps.articles.querysets.tallies import COUNTED, REASONS, figures_of, most_viewed, searches_of
from apps.articles.rules.tallies import verdict_of
from apps.core.parsing.periods import Window
from apps.kb.questions import cited_sources
from apps.kb.rules.texts import article_ref


def results_of(*, widget_id: int, window: Window, lang: str | None, limit: int) -> dict[str, Any]:
    """The figures of searches and of the articles that met readers in a window, the most read first.

    Silence is no success: a verdict is by those who said something, or wrote all the same.
    """
    figures = dict(figures_of(widget_id, window, lang))
    cited = cited_sources(widget_id, window.start, window.end)
    texts = ArticleText.objects.for_widget(widget_id).filter(**({} if lang is None else {"lang": lang}))
    if cited:
        for article_id, code in texts.values_list("article_id", "lang"):
            if article_ref(article_id, code) in cited:
                figures.setdefault((article_id, code), dict.fromkeys(COUNTED, 0))
    rows = [_row(article_id, code, counts, cited) for (article_id, code), counts in figures.items()]
    rows.sort(
        key=lambda row: (-sum(row["views"].values()), -row["opened"], -row["cited"], row["article_id"], row["lang"])
    )
    rows = rows[:limit]
    named = texts.filter(article_id__in={row["article_id"] for row in rows})
    titles = {(article_id, code): title for article_id, code, title in named.values_list("article_id", "lang", "title")}
    shown_rows = [{**row, "title": titles.get((row["article_id"], row["lang"]), "")} for row in rows]
    return {"searches": searches_of(widget_id, window, lang), "articles": shown_rows}


def _row(article_id: int, lang: str, counts: Mapping[str, int], cited: Mapping[str, int]) -> dict[str, Any]:
    voices = {name: counts[name] for name in ("helpful", "not_helpful", "chatted_after")}
    return {
        "article_id": article_id,
        "lang": lang,
        "views": {"page": counts["page"], "widget": counts["widget_views"], "markdown": counts["markdown"]},
        "suggested": counts["suggested"],
        "opened": counts["opened"],
        "cited": cited.get(article_ref(article_id, lang), 0),
        **voices,
        "reasons": {reason: counts[reason] for reason in REASONS},
        "silent": counts["silent"],
        "verdict": verdict_of(**voices),
    }


def most_read(widget_id: int, lang: str = "", limit: int = DEFAULT_LIMIT) -> list[Hit]:
    """The published articles that were shown most often in the last 30 days, then by their position; each once, in its
    reader's language or the default one.
    """
    center = center_of(widget_id)
    langs = list(dict.fromkeys(code for code in (lang, center.default_language) if code))
    rows = listed_texts(widget_id).filter(lang__in=langs)
    viewed = most_viewed(widget_id, 4 * limit)
    first = list(rows.filter(article_id__in=viewed))
    if len({text.article_id for text in first}) < limit:
        others = rows.exclude(article_id__in=viewed).order_by("article__position", "article_id", "pk")
        first += others[: len(langs) * limit]
    places = {article_id: place for place, article_id in enumerate(viewed)}

    def order(text: Any) -> tuple[int, ...]:
        return places.get(text.article_id, len(places)), text.position, text.article_id, langs.index(text.lang)

    once: dict[int, Any] = {}
    for text in sorted(first, key=order):
        once.setdefault(text.article_id, text)
    return [hit_of(center, text) for text in once.values()][:limit]
