"""Operators of a widget, who is invited to become one, what they did, and departments."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User, Widget
from apps.agents.querysets import (
    AgentEventQuerySet,
    AgentPresenceQuerySet,
    AgentQuerySet,
    DepartmentQuerySet,
    InvitationQuerySet,
)
from apps.agents.rules.absence import MAX_BREAK_NOTE, BreakReason
from apps.agents.rules.choices import MAX_READS
from apps.agents.rules.departments import ALL_WEEK, MAX_HOLIDAY_TEXT, Hours
from apps.agents.rules.holidays import DaysOff
from apps.core.database.tenants import TenantQuerySet


def open_all_week() -> dict[str, Hours]:
    """The hours of a department that was given none."""
    return dict(ALL_WEEK)


class Agent(models.Model):
    """An operator of a widget: a person of the console, an AI operator, or an external (webhook) one."""

    class Type(models.TextChoices):
        HUMAN = "human"
        AI = "ai"
        WEBHOOK = "webhook"

    class Status(models.TextChoices):
        ACTIVE = "active"
        RELAXATION = "relaxation"
        BANNED = "banned"

    class Role(models.TextChoices):
        OWNER = "owner"
        OPERATOR = "operator"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="agents")
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="agents")
    type = models.CharField(max_length=16, choices=Type, db_default=Type.HUMAN, default=Type.HUMAN)
    role = models.CharField(max_length=16, choices=Role, db_default=Role.OPERATOR, default=Role.OPERATOR)
    status = models.CharField(max_length=16, choices=Status, db_default=Status.ACTIVE, default=Status.ACTIVE)
    name = models.CharField(max_length=255)
    surname = models.CharField(max_length=255, blank=True, db_default="", default="")
    email = models.EmailField(blank=True, db_default="", default="")
    show_in_header = models.BooleanField(db_default=True, default=True)
    avatar = models.CharField(
        max_length=255, blank=True, db_default="", default="", editable=False, help_text=_("Its name in the storage.")
    )
    # Since when the console is open, for who has it open: `actions.presence` is the only one to write it.
    online_since = models.DateTimeField(null=True, blank=True, editable=False)
    # Since when the console is closed, or a break is taken; null for who is there, and for who has never been.
    away_since = models.DateTimeField(null=True, blank=True, editable=False)
    # Of the break that they are on (rules/absence.py): nothing for who is on none.
    break_since = models.DateTimeField(null=True, blank=True, editable=False)
    break_reason = models.CharField(
        max_length=8,
        choices=[(each.value, each.value) for each in BreakReason],
        blank=True,
        db_default="",
        default="",
        editable=False,
    )
    break_note = models.CharField(max_length=MAX_BREAK_NOTE, blank=True, db_default="", default="", editable=False)
    break_passes_on = models.BooleanField(db_default=False, default=False, editable=False)
    ai_assistant_id = models.BigIntegerField(null=True, blank=True, editable=False)  # its row is the app `ai`'s
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = AgentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "user"], condition=models.Q(user__isnull=False), name="agents_agent_user_once"
            ),
            models.UniqueConstraint(fields=["widget"], condition=models.Q(role="owner"), name="agents_agent_one_owner"),
        ]
        indexes = [
            models.Index(fields=["widget", "id"], name="agents_agent_list"),
            models.Index(fields=["widget"], condition=models.Q(online_since__isnull=False), name="agents_agent_online"),
        ]

    def __str__(self) -> str:
        return self.full_name

    @property
    def full_name(self) -> str:
        return f"{self.name} {self.surname}".strip()


class Department(models.Model):
    """A group of agents that takes the chats of some channels, at some hours."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="departments")
    name = models.CharField(max_length=255)
    channels = ArrayField(models.CharField(max_length=64), blank=True, default=list)
    agents = models.ManyToManyField(Agent, blank=True, related_name="departments")
    schedule = models.JSONField(default=open_all_week, help_text=_("The hours of each day, Monday to Sunday."))
    time_zone = models.CharField(
        max_length=64, blank=True, db_default="", default="", help_text=_("Of its hours; empty: the widget's.")
    )
    avatar = models.CharField(
        max_length=255, blank=True, db_default="", default="", editable=False, help_text=_("Its name in the storage.")
    )
    internal = models.BooleanField(
        db_default=False,
        default=False,
        help_text=_("Chats between colleagues: no transcripts, not in channel statistics."),
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    objects = DepartmentQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["widget", "id"], name="agents_department_list")]

    def __str__(self) -> str:
        return self.name


class WidgetWeek(models.Model):
    """The hours of a widget's own; a widget without a row is open while one of its departments for visitors is."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="own_week")
    schedule = models.JSONField(help_text=_("The hours of each day, Monday to Sunday."))

    objects = TenantQuerySet["WidgetWeek"].as_manager()

    def __str__(self) -> str:
        return f"{self.widget_id}"


class Holiday(models.Model):
    """Dates on which a widget, or one of its departments, has other hours, and the words for visitors.

    From `day` to `until`, or that day alone; with `every_year`, again in each year that follows. Without `periods` it
    is closed.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="holidays", db_index=False)
    department = models.ForeignKey(
        Department, models.CASCADE, null=True, blank=True, related_name="holidays", db_index=False
    )
    day = models.DateField()
    until = models.DateField(null=True, blank=True)
    every_year = models.BooleanField(db_default=False, default=False)
    periods = models.JSONField(blank=True, db_default=[], default=list)
    text = models.CharField(max_length=MAX_HOLIDAY_TEXT, blank=True, db_default="", default="")

    objects = TenantQuerySet["Holiday"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "day"], condition=models.Q(department__isnull=True), name="agents_holiday_once"
            ),
            models.UniqueConstraint(fields=["department", "day"], name="agents_holiday_department_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day:%d.%m.%Y}" + (f" – {self.until:%d.%m.%Y}" if self.until else "")

    @property
    def days_off(self) -> DaysOff:
        """The dates, for the rules."""
        return DaysOff(self.day, self.until or self.day, every_year=self.every_year)


class Invitation(models.Model):
    """An invitation of a person to become a human agent.

    Only a hash of the link's secret is kept; past its time it is expired.
    """

    class Status(models.TextChoices):
        PENDING = "pending"
        ACCEPTED = "accepted"
        REVOKED = "revoked"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="invitations")
    email = models.EmailField()
    digest = models.BinaryField(unique=True, editable=False)
    status = models.CharField(max_length=16, choices=Status, db_default=Status.PENDING, default=Status.PENDING)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    department = models.ForeignKey(
        Department,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Where they are once they come."),
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()

    status_now: str  # of rows that `for_api` has read: one of `rules.INVITATION_STATUSES`

    objects = InvitationQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "id"], name="agents_invitation_list"),
            models.Index(fields=["widget", "expires_at"], condition=models.Q(status="pending"), name="agents_invited"),
        ]

    def __str__(self) -> str:
        return self.email


class AgentPresence(models.Model):
    """A process that has sockets of an operator open; expires at `until` unless renewed.

    An operator with a valid row is online (`Agent.online_since`); without one, or with expired rows only, they are not.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="presences", db_index=False)
    process = models.UUIDField()
    until = models.DateTimeField()

    objects = AgentPresenceQuerySet.as_manager()

    class Meta:
        db_table = "agents_presence"
        constraints = [models.UniqueConstraint(fields=["agent", "process"], name="agents_presence_once")]
        indexes = [models.Index(fields=["until"], name="agents_presence_until")]

    def __str__(self) -> str:
        return f"{self.agent_id} {self.process}"


class OperatorChoices(models.Model):
    """Choices that an operator makes for themselves. An operator without a row has the defaults.

    `reads`: the languages that they read, best first; empty: the one that the console speaks to them.
    """

    agent = models.OneToOneField(Agent, models.CASCADE, primary_key=True, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    reads = ArrayField(models.CharField(max_length=3), size=MAX_READS, blank=True, db_default=[], default=list)
    show_translation = models.BooleanField(db_default=False, default=False)
    next_after_close = models.BooleanField(db_default=True, default=True)
    formatting = models.BooleanField(db_default=True, default=True)

    objects = TenantQuerySet["OperatorChoices"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class AgentEvent(models.Model):
    """A line of an operator's event log: `type_code` is one of `rules.EVENT_CODES`, `details` are ids and values."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="events")
    type_code = models.PositiveSmallIntegerField()
    details = models.JSONField(default=dict, db_default={})
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = AgentEventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["agent", "-id"], name="agents_event_list"),
            models.Index(fields=["agent", "type_code", "-id"], name="agents_event_type"),
        ]

    def __str__(self) -> str:
        return f"{self.type_code} {self.agent_id}"
