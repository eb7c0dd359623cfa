"""AI and searches know the readers' texts: in the transaction that publishes or withdraws one."""

from apps.articles.actions.knowledge import follow_center, take_out, take_up
from apps.articles.events import ArticlePublished, ArticleUnpublished, HelpCenterChanged
from apps.core.bus import handles


@handles(ArticlePublished)
def know_article(event: ArticlePublished) -> None:
    """A published text is searched, and is AI's knowledge."""
    take_up(widget_id=event.widget_id, article_id=event.article_id, lang=event.lang)


@handles(ArticleUnpublished)
def forget_article(event: ArticleUnpublished) -> None:
    """A text that was withdrawn is neither."""
    take_out(widget_id=event.widget_id, article_id=event.article_id, lang=event.lang)


@handles(HelpCenterChanged)
def follow_help_center(event: HelpCenterChanged) -> None:
    """AI knows articles at the addresses and in the languages of now, or not at all."""
    follow_center(widget_id=event.widget_id, changed=event.changed)
