"""Gaps: questions in vain, of chats and of searches, as one list; and the draft of an article about one."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from apps import leases
from apps.accounts.models import Widget
from apps.articles.actions.articles import create_article
from apps.articles.models import Article, ArticleDraft, ArticleText
from apps.articles.querysets.centers import default_language
from apps.articles.querysets.gaps import search_in_vain, searches_in_vain
from apps.articles.questions import asked_topics, may_write, past_answers
from apps.articles.rules.gaps import (
    GapId,
    GapSource,
    draft_body,
    draft_title,
    gap_id,
    key_of_search,
    key_of_topic,
)
from apps.articles.rules.states import DraftState
from apps.chats.questions import widget_languages
from apps.core.errors import NOT_FOUND
from apps.core.parsing.periods import Window

# As long as occurrences are kept.
EVER = timedelta(days=400)


class Gap(NamedTuple):
    """Something that was asked in vain. `key` names it in articles; `chats` is None for a search."""

    id: GapId
    key: str
    topic: str
    category: str | None
    lang: str | None
    count: int  # type: ignore[assignment]
    chats: int | None
    previous_count: int
    samples: list[str]
    first_seen_at: datetime
    last_seen_at: datetime
    article_id: int | None = None


def gaps_of(
    *, widget_id: int, window: Window, lang: str | None = None, source: str | None = None, limit: int
) -> list[Gap]:
    """The gaps of a window, the most frequent first, each with the article that was written about it."""
    found = []
    if source in (None, GapSource.CHAT):
        found += [_of_topic(topic) for topic in asked_topics(widget_id, window, lang, limit)]
    if source in (None, GapSource.SEARCH):
        found += [_of_search(search) for search in searches_in_vain(widget_id, window, lang, limit)]
    found.sort(key=lambda gap: (-gap.count, -gap.last_seen_at.timestamp(), str(gap.id)))
    return _with_articles(widget_id, found[:limit])


def gap_of(*, widget_id: int, id_: str) -> Gap:
    """The gap of an id, counted as long as it is kept. Raises NOT_FOUND (404)."""
    named, now = gap_id(id_), timezone.now()
    gap = None
    if named is not None and named.source == GapSource.CHAT:
        topics = asked_topics(widget_id, Window(now - EVER, now), None, 1, named.pk)
        gap = next(map(_of_topic, topics), None)
    elif named is not None:
        search = search_in_vain(widget_id, named.pk)
        gap = _of_search(search) if search else None
    if gap is None:
        raise NOT_FOUND()
    return _with_articles(widget_id, [gap])[0]


@transaction.atomic
def draft_about(*, widget_id: int, id_: str, lang: str | None = None, actor: str = "") -> tuple[Article, bool]:
    """The article about a gap, and whether it was made now: a draft of people's answers there.

    A worker has a model write the draft anew, where one may be asked. Again it is the same article. Raises NOT_FOUND
    (404), INVALID_INPUT (422) on `lang`, TOO_MANY_ARTICLES (409).
    """
    gap = gap_of(widget_id=widget_id, id_=id_)
    # One draft of a gap, however many ask at once.
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    before = Article.objects.for_widget(widget_id).filter(gap_key=gap.key).first()
    if before is not None:
        return before, False
    language = lang or _language(widget_id, gap.lang)
    answers = past_answers(widget_id, gap.id.pk) if gap.id.source == GapSource.CHAT else ()
    article = create_article(
        widget_id=widget_id,
        lang=language,
        title=draft_title(gap.topic),
        body=draft_body([(pair.question, pair.answer) for pair in answers]),
        actor=actor,
        gap_key=gap.key,
        asked={"count": gap.count, "chats": gap.chats or 0, "since": f"{gap.first_seen_at:%Y-%m-%dT%H:%M:%SZ}"},
    )
    if may_write(widget_id):
        text = ArticleText.objects.for_widget(widget_id).get(article=article)
        ArticleText.objects.for_widget(widget_id).filter(pk=text.pk).update(draft_state=DraftState.PENDING)
        ArticleDraft.objects.create(widget_id=widget_id, text=text, base_version=text.version)
        leases.wake_workers()
    return article, True


def _language(widget_id: int, spoken: str | None) -> str:
    """The language of a draft: the askers', where the widget supports it."""
    code = (spoken or "").split("-")[0].lower()
    return code if code in widget_languages(widget_id).supported else default_language(widget_id)


def _of_topic(topic: Any) -> Gap:
    return Gap(
        id=GapId(GapSource.CHAT, topic.id),
        key=key_of_topic(topic.id),
        topic=topic.topic,
        category=topic.category,
        lang=topic.lang,
        count=topic.count,
        chats=topic.chats,
        previous_count=topic.previous_count,
        samples=list(topic.samples),
        first_seen_at=topic.first_seen_at,
        last_seen_at=topic.last_seen_at,
    )


def _of_search(search: Any) -> Gap:
    return Gap(
        id=GapId(GapSource.SEARCH, search.first_id),
        key=key_of_search(search.lang, search.query),
        topic=search.query,
        category=None,
        lang=search.lang,
        count=search.count,
        chats=None,
        previous_count=search.previous_count,
        samples=[search.query],
        first_seen_at=search.first_seen_at,
        last_seen_at=search.last_seen_at,
    )


def _with_articles(widget_id: int, gaps: list[Gap]) -> list[Gap]:
    keys = [gap.key for gap in gaps]
    written = dict(Article.objects.for_widget(widget_id).filter(gap_key__in=keys).values_list("gap_key", "pk"))
    return [gap._replace(article_id=written.get(gap.key)) for gap in gaps]
