"""The webhooks of articles: ids alone, queued in the event's transaction."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.apps import apps as django_apps

from apps.accounts.models import Widget
from apps.articles.events import ArticlePublished, ArticleRated, ArticleUnpublished
from apps.core.bus import Cte, DomainEvent, adds_cte


def _of_text(event: ArticlePublished | ArticleUnpublished) -> dict[str, Any]:
    return {"article_id": event.article_id, "lang": event.lang, "version": event.version}


def _of_voice(event: ArticleRated) -> dict[str, Any]:
    return {"article_id": event.article_id, "lang": event.lang, "helpful": event.helpful}


# The outward form of each event: its name in the catalogue of webhooks, and its `data`.
WEBHOOK_EVENTS: Mapping[type[DomainEvent], tuple[str, Callable[[Any], Mapping[str, Any]]]] = {
    ArticlePublished: ("article.published", _of_text),
    ArticleUnpublished: ("article.unpublished", _of_text),
    ArticleRated: ("article.rated", _of_voice),
}


@adds_cte(*WEBHOOK_EVENTS)
def queue_webhooks(events: Sequence[Any]) -> Cte | None:
    """Queues the webhook of each, in one statement; all are of one widget."""
    if not django_apps.is_installed("apps.webhooks"):
        return None
    from apps.webhooks.actions.outbox import OutboxEvent, outbox_cte

    widget_id = events[0].widget_id
    guid = Widget.objects.values_list("guid", flat=True).get(pk=widget_id)
    named = [(event, *WEBHOOK_EVENTS[type(event)]) for event in events]
    return outbox_cte([OutboxEvent(name, widget_id, guid, data_of(event)) for event, name, data_of in named])
