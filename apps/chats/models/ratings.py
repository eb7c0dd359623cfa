"""Ratings of chats, and the requests for them."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models.chats import Chat
from apps.chats.models.choices import choices
from apps.chats.querysets import RatingQuerySet, RatingRequestQuerySet
from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING, RequestCause


class Rating(models.Model):
    """A visitor's rating of an episode of their chat; a later one of the same episode replaces it.

    It belongs to the episode with the largest first message up to `after_message_id`. `agent` handled the chat when it
    was given.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="ratings", db_index=False)
    value = models.PositiveSmallIntegerField()
    comment = models.TextField(blank=True, db_default="", default="")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    after_message_id = models.BigIntegerField(
        db_default=0,
        default=0,
        editable=False,
        help_text="The chat's newest message then; a row that comes without it gets it by `rated_at` (triggers.sql).",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    rated_at = models.DateTimeField(db_default=Now(), editable=False, help_text="When it was given, or replaced.")

    objects = RatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(value__gte=LOWEST_RATING, value__lte=HIGHEST_RATING), name="chats_rating_value"
            )
        ]
        indexes = [
            models.Index(fields=["widget", "rated_at"], include=["value", "agent"], name="chats_rating_counted"),
            models.Index(fields=["chat", "-after_message_id"], name="chats_rating_in_chat"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.value}"


class RatingRequest(models.Model):
    """A visitor was asked to rate an episode of their chat: the one that `after_message_id` belongs to.

    `digest` is of the token of its link, which is over at `until`; null where the question has none. At the first of
    `answered_at` and `declined_at` nobody waits for the answer any more; an answer may come all the same.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="rating_requests", db_index=False)
    cause = models.CharField(max_length=12, choices=choices(RequestCause))
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    channel = models.CharField(max_length=32)
    after_message_id = models.BigIntegerField(help_text="The chat's newest message then.")
    at = models.DateTimeField(db_default=Now(), editable=False)
    until = models.DateTimeField(null=True, blank=True)
    digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    declined_at = models.DateTimeField(null=True, blank=True)

    objects = RatingRequestQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["chat", "-after_message_id"], name="chats_request_in_chat"),
            models.Index(fields=["widget", "at"], name="chats_request_of_widget"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.cause}"
