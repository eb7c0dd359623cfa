"""The settings of routing and answer times, and the places of operators."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models.choices import choices
from apps.routing.querysets import OperatorPlacesQuerySet, RoutingSettingsQuerySet
from apps.routing.rules.settings import Clock, LanguageRule, RoutingMode


class RoutingSettings(models.Model):
    """The settings of a widget, or of one of its departments. A null says nothing: the widget's or the default holds.

    `answer_times` are rows {priority, first_reply, next_reply, resolution}, in minutes. `overflow_…` are of departments
    alone; `capacity`, `misses`, `show_…` of the widget alone.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    department = models.OneToOneField(Department, models.CASCADE, null=True, blank=True, related_name="+")
    mode = models.CharField(max_length=8, choices=choices(RoutingMode), null=True, blank=True)  # noqa: DJ001 - as all
    accept_seconds = models.PositiveSmallIntegerField(null=True, blank=True)
    silent_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    prefer_last = models.BooleanField(null=True, blank=True)
    languages = models.CharField(max_length=8, choices=choices(LanguageRule), null=True, blank=True)  # noqa: DJ001
    overflow_department = models.ForeignKey(
        Department, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    overflow_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    answer_times = models.JSONField(null=True, blank=True)
    answer_times_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="Since when it has some.")
    warn_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    clock = models.CharField(max_length=8, choices=choices(Clock), null=True, blank=True)  # noqa: DJ001
    capacity = models.PositiveSmallIntegerField(null=True, blank=True)
    misses = models.PositiveSmallIntegerField(null=True, blank=True)
    show_place = models.BooleanField(null=True, blank=True)
    show_expected = models.BooleanField(null=True, blank=True)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = RoutingSettingsQuerySet.as_manager()

    class Meta:
        verbose_name = "routing"
        verbose_name_plural = "routing"
        constraints = [
            models.UniqueConstraint(
                fields=["widget"], condition=Q(department__isnull=True), name="routing_settings_of_widget"
            )
        ]

    def __str__(self) -> str:
        return f"{self.widget_id}/{self.department_id or 'widget'}"


class OperatorPlaces(models.Model):
    """The number of chats that the router gives an operator at once: in all, or in one department.

    The row without a department also has when they were given a chat last, and the offers they missed in a row.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+", db_index=False)
    department = models.ForeignKey(Department, models.CASCADE, null=True, blank=True, related_name="+")
    capacity = models.PositiveSmallIntegerField(null=True, blank=True)
    misses = models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)
    last_given_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = OperatorPlacesQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "operators' places"
        constraints = [
            models.UniqueConstraint(
                fields=["agent"], condition=Q(department__isnull=True), name="routing_places_of_agent"
            ),
            models.UniqueConstraint(fields=["agent", "department"], name="routing_places_in_department"),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id}/{self.department_id or 'all'}"
