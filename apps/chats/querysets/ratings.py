"""The newest rating of a chat, beside other reads of it."""

from django.db.models import OuterRef, Subquery

from apps.chats.models import Rating


def newest_rating(column: str) -> Subquery:
    """A column of the rating that was given last to each chat; null without any. Index: chats_rating_in_chat."""
    ratings = Rating.objects.unscoped("each chat's own rows").filter(chat=OuterRef("pk")).newest_first()
    return Subquery(ratings.values(column)[:1])
