"""Counts of articles: views, suggestions, readers, their voices and searches.

Robots do not count. An address and a browser's key are kept as digests, and typed words only as a submitted search:
redacted and folded.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.articles.events import ArticleRated
from apps.articles.models import ArticleReader, ArticleSearch, ArticleTally
from apps.articles.rules.tallies import (
    MAX_FEEDBACK,
    MOST_FOUND,
    WRITES_WITHIN,
    FeedbackReason,
    ReadingPlace,
    is_robot,
    kept_query,
    redacted,
)
from apps.chats.models import Contact
from apps.core import bus
from apps.core.observability import metrics

_COLUMNS = {ReadingPlace.PAGE: "page", ReadingPlace.WIDGET: "widget_views", ReadingPlace.MARKDOWN: "markdown"}
_SALT = "articles.readers"


def count_view(
    *, widget_id: int, article_id: int, lang: str, place: ReadingPlace, user_agent: str | None = None
) -> None:
    """Counts that a published text was shown. `user_agent` is the reader's, where it may be a robot's."""
    if user_agent is not None and is_robot(user_agent):
        return
    _count(widget_id, [(article_id, lang)], _COLUMNS[place])
    metrics.ARTICLE_VIEWS.labels(place.value).inc()


def count_suggested(*, widget_id: int, texts: Collection[tuple[int, str]]) -> None:
    """Counts that texts, by article and language, stood among the suggestions while somebody wrote."""
    _count(widget_id, texts, "suggested")


@transaction.atomic
def read(*, widget_id: int, article_id: int, lang: str, key: str, contact: Contact | None = None) -> None:
    """Notes that a browser has opened a published text inside the chat; its search that found it counts as opened."""
    now, digested = timezone.now(), _digest(key)
    whose = {} if contact is None else {"contact_id": contact.pk}
    _note(widget_id, article_id, lang, digested, place=ReadingPlace.WIDGET, at=now, read_at=now, chatted=None, **whose)
    _open_searches(widget_id, digested, article_id, now)


@transaction.atomic
def read_page(*, widget_id: int, article_id: int, address: str) -> None:
    """Notes that an address has opened an article on the public pages out of a search's hits there."""
    now = timezone.now()
    _open_searches(widget_id, _digest(_of_address(address, now)), article_id, now)


@transaction.atomic
def give_feedback(
    *,
    widget_id: int,
    article_id: int,
    lang: str,
    key: str,
    helpful: bool | None,
    reason: str | None = None,
    text: str | None = "",
    contact: Contact | None = None,
) -> None:
    """Keeps the voice of a browser's reader about a published text, in place of the one before; None takes it back."""
    whose = {} if contact is None else {"contact_id": contact.pk}
    _say(widget_id, article_id, lang, _digest(key), ReadingPlace.WIDGET, helpful, reason, text, whose)


@transaction.atomic
def give_page_feedback(
    *,
    widget_id: int,
    article_id: int,
    lang: str,
    address: str,
    helpful: bool,
    reason: str | None = None,
    text: str = "",
) -> None:
    """Keeps the voice of a public page's reader: one an address, article and day (UTC), the last one."""
    digested = _digest(_of_address(address, timezone.now()))
    _say(widget_id, article_id, lang, digested, ReadingPlace.PAGE, helpful, reason, text, {})


def keep_search(*, widget_id: int, q: str, lang: str, key: str, found: Sequence[int], place: ReadingPlace) -> None:
    """Keeps a submitted search, redacted and folded, with the articles that it found: once a browser and day."""
    _keep_search(widget_id, q, lang, _digest(key), found, place)


def keep_page_search(
    *, widget_id: int, q: str, lang: str, address: str, found: Sequence[int], user_agent: str = "browser"
) -> None:
    """Keeps a search on the public pages likewise: once an address and day."""
    if not is_robot(user_agent):
        _keep_search(widget_id, q, lang, _digest(_of_address(address, timezone.now())), found, ReadingPlace.PAGE)


def note_reader(*, contact: Contact, key: str) -> None:
    """Gives a browser's readings to its visitor, now that it says who that is."""
    readers = ArticleReader.objects.for_widget(contact.widget_id).filter(key=_digest(key), contact=None)
    readers.update(contact=contact)


def _say(
    widget_id: int,
    article_id: int,
    lang: str,
    digested: bytes,
    place: ReadingPlace,
    helpful: bool | None,
    reason: str | None,
    text: str | None,
    whose: dict[str, Any],
) -> None:
    readers = ArticleReader.objects.for_widget(widget_id).filter(article_id=article_id, lang=lang, key=digested)
    before = readers.select_for_update().values_list("helpful", flat=True).first()
    said = {
        "helpful": helpful,
        "reason": FeedbackReason(reason) if reason and helpful is False else "",
        "text": redacted((text or "").strip()[:MAX_FEEDBACK])[:MAX_FEEDBACK] if helpful is not None else "",
    }
    if helpful is None and before is None:
        return
    _note(widget_id, article_id, lang, digested, place=place, at=timezone.now(), **said, **whose)
    if helpful is not None and helpful is not before:
        bus.publish(ArticleRated(widget_id=widget_id, article_id=article_id, lang=lang, helpful=helpful))


def _keep_search(widget_id: int, q: str, lang: str, digested: bytes, found: Sequence[int], place: ReadingPlace) -> None:
    metrics.ARTICLE_SEARCHES.labels(place.value, "yes" if found else "no").inc()
    query = kept_query(q)
    if not query:
        return
    now = timezone.now()
    row = ArticleSearch(
        widget_id=widget_id,
        key=digested,
        place=place,
        lang=lang,
        query=query,
        day=_day(now),
        at=now,
        found=list(found)[:MOST_FOUND],
    )
    ArticleSearch.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["widget", "key", "day", "lang", "query"],
        update_fields=["at", "found"],
    )


def _open_searches(widget_id: int, digested: bytes, article_id: int, now: datetime) -> None:
    searches = ArticleSearch.objects.for_widget(widget_id).filter(key=digested, at__gt=now - WRITES_WITHIN)
    searches.filter(found__contains=[article_id], is_opened=False).update(is_opened=True)


def _note(widget_id: int, article_id: int, lang: str, digested: bytes, **said: Any) -> None:
    """One row of a reader and text, which keeps its voice where none is given anew."""
    ArticleReader.objects.bulk_create(
        [ArticleReader(widget_id=widget_id, article_id=article_id, lang=lang, key=digested, **said)],
        update_conflicts=True,
        unique_fields=["article", "lang", "key"],
        update_fields=[name.removesuffix("_id") for name in said if name != "place"],
    )


def _count(widget_id: int, texts: Collection[tuple[int, str]], column: str) -> None:
    day = _day(timezone.now())
    for article_id, lang in sorted(texts):
        tallies = ArticleTally.objects.for_widget(widget_id).filter(article_id=article_id, lang=lang, day=day)
        one_more = {column: F(column) + 1}
        if not tallies.update(**one_more):
            row = ArticleTally(widget_id=widget_id, article_id=article_id, lang=lang, day=day)
            ArticleTally.objects.bulk_create([row], ignore_conflicts=True)
            tallies.update(**one_more)


def _day(now: datetime) -> Any:
    return now.astimezone(UTC).date()


def _digest(key: str) -> bytes:
    """A key as it is kept: with a secret of the installation, since addresses are few."""
    return salted_hmac(_SALT, key, algorithm="sha256").digest()


def _of_address(address: str, now: datetime) -> str:
    return f"{_day(now)} {address}"
