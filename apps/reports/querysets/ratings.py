"""The reads of ratings: which ended episodes are to be decided about, and the ratings with the episodes they are of."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Exists, F, Max, OuterRef, Q, Subquery, When

from apps.chats.models import ContactJoin, Message, Rating, RatingRequest
from apps.chats.rules import SenderKind, Via
from apps.chats.rules.messages import BY_PERSON
from apps.core.database.tenants import TenantQuerySet
from apps.reports.models import EpisodeRow, RatingDecision, RatingPolicy
from apps.reports.rules.ratings import DECIDED_WITHIN

AT_ONCE = 500
# A message of a person, or of an external operator whom a person writes for.
_BY_PERSON = (Q(sender_kind=SenderKind.AGENT) & ~Q(via=Via.LEGACY_BOT)) | Q(**{f"details__{BY_PERSON}": True})


def due_episodes(policy: RatingPolicy, as_of: datetime, *, episode_id: int | None = None) -> list[int]:
    """The ended episodes that are to be decided about at that moment, by their end; of one, whether it is.

    Index: reports_episode_ended.
    """
    if policy.since is None:
        return []
    delay = timedelta(minutes=policy.delay_minutes)
    decided = RatingDecision.objects.unscoped("of each episode").filter(episode_id=OuterRef("pk"))
    ended = EpisodeRow.objects.for_widget(policy.pk).filter(
        ~Exists(decided),
        ended_from__gte=max(policy.since, as_of - DECIDED_WITHIN),
        ended_from__lte=as_of,
        ended_at__lte=as_of - delay,
    )
    if episode_id is not None:
        ended = ended.filter(pk=episode_id)
    return list(ended.order_by("ended_from", "pk").values_list("pk", flat=True)[:AT_ONCE])


def last_asked_at(widget_id: int, person_id: int) -> datetime | None:
    """When a person was asked for a rating last, in any of their chats."""
    joined = ContactJoin.objects.for_widget(widget_id).filter(first_id=person_id).values("contact_id")
    requests = RatingRequest.objects.for_widget(widget_id)
    theirs = requests.filter(Q(chat__contact_id=person_id) | Q(chat__contact_id__in=joined))
    found: datetime | None = theirs.aggregate(at=Max("at"))["at"]
    return found


def ratings_with_episodes(widget_id: int, low: int) -> TenantQuerySet[Rating]:
    """The ratings of a widget, newest first, with the episode that each is of, and who is rated by it.

    Within an episode the one that was given last counts, the others are left out; one without an episode stands alone.
    Indexes: chats_rating_counted, reports_episode_of_chat.
    """
    of_it = EpisodeRow.objects.unscoped("each rating's own").filter(
        chat_id=OuterRef("chat_id"), pk__lte=OuterRef("after_message_id")
    )
    episode = of_it.order_by("-pk")

    def of_episode(column: str) -> Subquery:
        return Subquery(episode.values(column)[:1])

    answers = Message.objects.unscoped("each chat's own rows").filter(
        _BY_PERSON, chat=OuterRef("chat_id"), is_internal=False, created_at__gt=OuterRef("rated_at")
    )
    followed: Any = Subquery(answers.order_by("id").values("created_at")[:1])
    rows = Rating.objects.for_widget(widget_id).annotate(
        episode=of_episode("pk"),
        counted_at=of_episode("rated_at"),
        asked_at=of_episode("asked_at"),
        kind=of_episode("rating_kind"),
        rated_agent_id=of_episode("rating_agent_id"),
        followed_up_at=Case(When(value__lte=low, then=followed)),
        has_comment=~Q(comment=""),
    )
    found: TenantQuerySet[Rating] = rows.filter(Q(episode=None) | Q(counted_at=F("rated_at")))
    return found.order_by("-rated_at", "-id")
