"""Invitations to chat, and their offers to browsers."""

from datetime import UTC, datetime, timedelta
from secrets import randbelow

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat, Contact
from apps.chats.models.choices import choices
from apps.widget.querysets.invitations import ChatInvitationQuerySet, InvitationOfferQuerySet
from apps.widget.rules.invitations import LARGEST_OFFER, MAX_NAME, InvitationSpeaker, InvitationState


def new_offer_id() -> int:
    """A number that nobody finds by counting."""
    return randbelow(LARGEST_OFFER) + 1


class ChatInvitation(models.Model):
    """An invitation to chat, which browsers show where its rule holds (`rules/invitation_rules.py`).

    `speaker` and `agent` are `from` of the API. `round` counts the
    changes that begin new figures; `shown_on` and `shown_that_day` count what was shown on the last day, exactly.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=MAX_NAME)
    state = models.CharField(
        max_length=8,
        choices=choices(InvitationState),
        db_default=InvitationState.DRAFT,
        default=InvitationState.DRAFT,
    )
    texts = models.JSONField()
    buttons = models.JSONField(db_default=[], default=list, blank=True)
    speaker = models.CharField(
        max_length=8,
        choices=choices(InvitationSpeaker),
        db_default=InvitationSpeaker.WIDGET,
        default=InvitationSpeaker.WIDGET,
    )
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    rule = models.JSONField(db_default={}, default=dict, blank=True)
    priority = models.PositiveSmallIntegerField(db_default=50, default=50)
    holdout = models.PositiveSmallIntegerField(db_default=10, default=10)
    times = models.PositiveSmallIntegerField(db_default=1, default=1)
    days = models.PositiveSmallIntegerField(db_default=30, default=30)
    per_day = models.PositiveIntegerField(null=True, blank=True)
    goal = models.JSONField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    department = models.ForeignKey(Department, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    round = models.PositiveIntegerField(db_default=1, default=1, editable=False)
    round_since = models.DateTimeField(db_default=Now(), editable=False)
    shown_on = models.DateField(null=True, blank=True, editable=False)
    shown_that_day = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ChatInvitationQuerySet.as_manager()

    class Meta:
        verbose_name = "chat invitation"
        verbose_name_plural = "chat invitations"
        indexes = [models.Index(fields=["widget", "-id"], name="widget_invitation_list")]

    def __str__(self) -> str:
        return self.name

    @property
    def seen_for(self) -> timedelta:
        """For so long a visitor who met it meets it no more."""
        return timedelta(days=self.days)

    @property
    def goal_within(self) -> timedelta:
        """For so long after an offer a goal counts."""
        return timedelta(hours=self.goal["hours"] if self.goal else 0)

    def is_used_up(self, now: datetime) -> bool:
        """Whether as many were shown on this day (UTC) as may be."""
        shown = self.shown_that_day if self.shown_on == now.astimezone(UTC).date() else 0
        return self.per_day is not None and shown >= self.per_day

    def count_shown(self, now: datetime) -> None:
        """Counts one that is shown; the caller has the row's lock, and saves it."""
        today = now.astimezone(UTC).date()
        self.shown_that_day = self.shown_that_day + 1 if self.shown_on == today else 1
        self.shown_on = today


class InvitationOffer(models.Model):
    """An invitation that a browser was to show, or that was held back from it (`is_held`).

    `key_digest` is of the browser's own key, and is forgotten after 90 days, with the row unless a chat began with it.
    `text` and `shown_from` {kind, agent_id, name} are as the visitor was shown them.
    """

    id = models.BigIntegerField(primary_key=True, default=new_offer_id, editable=False)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    invitation = models.ForeignKey(ChatInvitation, models.CASCADE, related_name="+", db_index=False)
    round = models.PositiveIntegerField(editable=False)
    key_digest = models.BinaryField(null=True, editable=False)
    contact = models.ForeignKey(Contact, models.CASCADE, null=True, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.SET_NULL, null=True, related_name="+", db_index=False)
    is_held = models.BooleanField(db_default=False, default=False, editable=False)
    text = models.TextField(blank=True, db_default="", default="", editable=False)
    shown_from = models.JSONField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    opened_at = models.DateTimeField(null=True, editable=False)
    dismissed_at = models.DateTimeField(null=True, editable=False)
    answered_at = models.DateTimeField(null=True, editable=False)
    converted_at = models.DateTimeField(null=True, editable=False)

    objects = InvitationOfferQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "key_digest"], name="widget_offer_of_key"),
            models.Index(fields=["contact"], condition=Q(contact__isnull=False), name="widget_offer_of_contact"),
            models.Index(fields=["chat"], condition=Q(chat__isnull=False), name="widget_offer_of_chat"),
            models.Index(fields=["invitation", "round", "created_at"], name="widget_offer_figures"),
            models.Index(fields=["created_at"], condition=Q(key_digest__isnull=False), name="widget_offer_age"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
