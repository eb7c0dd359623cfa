"""Scorecards in their versions, reviews, and scores of a model that nobody confirmed."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.chats.models.choices import choices
from apps.core.database.tenants import TenantQuerySet
from apps.reviews.querysets.reviews import ReviewQuerySet
from apps.reviews.rules.scorecards import OF_AI, PER_OPERATOR, Flag, Prefill
from apps.reviews.rules.scores import Origin, ReviewState, SubjectKind


def all_flags() -> list[str]:
    """The flags that are taken by default."""
    return [flag.value for flag in Flag]


class Scorecard(models.Model):
    """A version of a widget's scorecard, the newest of which counts; a review keeps its own.

    Version 1 is the default, without a row. `criteria`: `{key, title, about, scale, weight, is_critical, applies}`.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField()
    criteria = models.JSONField()
    per_operator = models.PositiveSmallIntegerField(default=PER_OPERATOR, db_default=PER_OPERATOR)
    ai = models.PositiveSmallIntegerField(default=OF_AI, db_default=OF_AI)
    flags = ArrayField(models.CharField(max_length=20, choices=choices(Flag)), default=all_flags, blank=True)
    prefill = models.CharField(
        max_length=8, choices=choices(Prefill), default=Prefill.OFF.value, db_default=Prefill.OFF.value
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Scorecard"].as_manager()

    class Meta:
        verbose_name = "scorecard"
        verbose_name_plural = "scorecards"
        constraints = [models.UniqueConstraint(fields=["widget", "version"], name="reviews_scorecard_version")]

    def __str__(self) -> str:
        return f"#{self.version}"


class Review(models.Model):
    """An episode that is looked at, for one subject: a person, or AI.

    Episodes, operators and assistants are numbers alone, which stay when their rows go. `scores` are `{key, value,
    note}`; `first_scores`, of a blind review, those that were given before the model's were seen. `suggestion` is the
    model's: `{key, value, reason, quotes: [{message_id, text}]}`; `assist_id` the job that was asked for it last.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    episode_id = models.BigIntegerField()
    kind = models.CharField(max_length=6, choices=choices(SubjectKind))
    agent_id = models.BigIntegerField(null=True)
    assistant_id = models.BigIntegerField(null=True)
    origin = models.CharField(max_length=6, choices=choices(Origin))
    flags = ArrayField(models.CharField(max_length=20, choices=choices(Flag)), default=list, blank=True, db_default=[])
    state = models.CharField(
        max_length=8, choices=choices(ReviewState), default=ReviewState.OPEN.value, db_default=ReviewState.OPEN.value
    )
    version = models.PositiveIntegerField(default=1, db_default=1)
    scorecard_version = models.PositiveIntegerField()
    scores = models.JSONField(default=list, blank=True, db_default=[])
    first_scores = models.JSONField(null=True, blank=True)
    score = models.PositiveSmallIntegerField(null=True)
    comment = models.TextField(default="", blank=True, db_default="")
    reviewer = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="+", db_index=False)
    suggestion = models.JSONField(null=True, blank=True)
    assist_id = models.BigIntegerField(null=True)
    reply = models.TextField(default="", blank=True, db_default="")
    replied_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    done_at = models.DateTimeField(null=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        verbose_name = "review"
        verbose_name_plural = "reviews"
        constraints = [
            models.UniqueConstraint(
                fields=["episode_id", "kind", "agent_id", "assistant_id"], name="reviews_review_once"
            )
        ]
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="reviews_review_list"),
            models.Index(fields=["widget", "id"], condition=Q(state="open"), name="reviews_review_open"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class UnconfirmedScore(models.Model):
    """A model's score of an episode that AI answered in; no person has looked at it.

    It is never mixed with scores of reviews. Without `scores`, the job `assist_id` is under way, or has failed.
    """

    episode_id = models.BigIntegerField(primary_key=True)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    agent_id = models.BigIntegerField(null=True)
    assistant_id = models.BigIntegerField(null=True)
    scorecard_version = models.PositiveIntegerField()
    scores = models.JSONField(null=True, blank=True)
    score = models.PositiveSmallIntegerField(null=True)
    assist_id = models.BigIntegerField(null=True)
    at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["UnconfirmedScore"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["widget", "-at"], name="reviews_unconfirmed_list")]

    def __str__(self) -> str:
        return f"#{self.episode_id}"


class WidgetReviews(Widget):
    """The reviews of a widget, as its page sees them."""

    class Meta:
        proxy = True


class WidgetScorecard(Widget):
    """The scorecard of a widget, as its page sees it."""

    class Meta:
        proxy = True
