"""The log of offers, and the chats that the router is to look at."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.chats.models.choices import choices
from apps.routing.querysets import AssignmentQuerySet, QueueRowQuerySet, RouterRowQuerySet
from apps.routing.rules.reasons import OfferOutcome


class Assignment(models.Model):
    """A chat that was offered or given to an operator, why, and the outcome; without one, the offer stands.

    `waits_since` names the wait in which it was offered; `why` is the API's (`rules.reasons`).
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="+", db_index=False)
    department_id = models.BigIntegerField(null=True)  # no reference: a department may go, the log stays
    waits_since = models.DateTimeField()
    given_at = models.DateTimeField(db_default=Now())
    until = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=choices(OfferOutcome), null=True)  # noqa: DJ001
    ended_at = models.DateTimeField(null=True)
    why = models.JSONField()

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chat"], condition=Q(outcome__isnull=True), name="routing_offer_once")
        ]
        indexes = [
            models.Index(fields=["chat", "-id"], name="routing_assignment_in_chat"),
            models.Index(fields=["agent"], condition=Q(outcome__isnull=True), name="routing_offers_of_agent"),
            models.Index(fields=["widget", "given_at"], name="routing_assignment_old"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.agent_id} {self.outcome or 'offered'}"


class QueueRow(leases.Leased):
    """A chat whose wait may have changed: due while the router and the answer times are to look at it.

    The statement that stores a message puts it, and each other change of a wait. `language` is the visitor's, as the
    last look has found it; `told_since` the wait that integrators were told of.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.OneToOneField(Chat, models.CASCADE, related_name="queue_row")
    language = models.CharField(max_length=16, db_default="", default="", editable=False)
    told_since = models.DateTimeField(null=True, editable=False)

    objects = QueueRowQuerySet.as_manager()

    class Meta:
        indexes = [*leases.indexes("routing_queuerow")]

    def __str__(self) -> str:
        return f"#{self.chat_id}"


class RouterRow(leases.Leased):
    """A widget whose queue may have a chat for a free place: due while the router is to decide.

    `departments` are as the last decision found them (routed, open, staffed), by id, "" for chats without one; at
    `changes_at` one of them opens or closes.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, related_name="+")
    changes_at = models.DateTimeField(null=True, editable=False)
    departments = models.JSONField(db_default={}, default=dict, editable=False)

    objects = RouterRowQuerySet.as_manager()

    class Meta:
        indexes = [*leases.indexes("routing_routerrow", fair_by=None)]

    def __str__(self) -> str:
        return f"{self.widget_id}"
