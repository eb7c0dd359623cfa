"""The policy by which visitors are asked for ratings, and its decisions."""

from collections.abc import Callable

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.chats.models import Chat, RatingRequest
from apps.chats.models.choices import choices
from apps.core.database.tenants import TenantQuerySet
from apps.reports.rules.ratings import Ask, AskedEnd, AskedOutcome, CommentRule, NotAsked, OnLow, Scale


def _choice(values: type, default: str) -> models.CharField:  # type: ignore[type-arg]
    return models.CharField(max_length=10, choices=choices(values), db_default=default, default=default)


def after_people() -> list[str]:
    """The outcomes that are asked about by default."""
    return [AskedOutcome.PERSON.value]


def after_operators() -> list[str]:
    """The ends that are asked about by default."""
    return [AskedEnd.OPERATOR.value]


def _list(default: Callable[[], list[str]]) -> ArrayField:  # type: ignore[type-arg]
    return ArrayField(models.CharField(max_length=10), db_default=default(), default=default)


class RatingPolicy(models.Model):
    """When, where and how visitors of a widget are asked for ratings. A widget without a row has the defaults.

    `since`: since when ends of episodes are decided about; null while nobody asks but operators and the API.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="+")
    ask = _choice(Ask, Ask.MANUAL.value)
    outcomes = _list(after_people)
    ended_by = _list(after_operators)
    channels = ArrayField(models.CharField(max_length=32), null=True, blank=True)
    delay_minutes = models.PositiveSmallIntegerField(db_default=1, default=1)
    again_days = models.PositiveSmallIntegerField(db_default=30, default=30)
    valid_days = models.PositiveSmallIntegerField(db_default=7, default=7)
    scale = _choice(Scale, Scale.STARS.value)
    question_i18n = models.JSONField(db_default={}, default=dict, blank=True)
    thanks_i18n = models.JSONField(db_default={}, default=dict, blank=True)
    comment = _choice(CommentRule, CommentRule.LOW.value)
    low = models.PositiveSmallIntegerField(db_default=2, default=2)
    on_low = _choice(OnLow, OnLow.NONE.value)
    since = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TenantQuerySet["RatingPolicy"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class RatingDecision(models.Model):
    """Whether the visitor of an ended episode was asked: with their `request`, or the `reason` why not."""

    episode_id = models.BigIntegerField(primary_key=True)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    request = models.OneToOneField(RatingRequest, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=12, choices=choices(NotAsked), null=True)  # noqa: DJ001 - null: asked
    at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["RatingDecision"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["widget", "at"], name="reports_decision_of_widget")]

    def __str__(self) -> str:
        return f"#{self.episode_id}: {self.reason or 'asked'}"
