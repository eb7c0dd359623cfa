"""External operators: who they are, what was sent to them, and what became of it."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent
from apps.ai.querysets.external import (
    ExternalOperatorQuerySet,
    OperatorEventQuerySet,
    OperatorHealthQuerySet,
    OperatorMoveQuerySet,
    ProbeTestQuerySet,
    ReplyTokenQuerySet,
    TurnQuerySet,
)
from apps.ai.rules.lifecycle import DEFAULT_REPLY_TIMEOUT_S, MAX_URL, Fallback, OperatorStanding
from apps.ai.rules.turn_states import Ending, EventStatus, TurnState
from apps.chats.models import Chat
from apps.core.database.fields import EncryptedTextField


class ExternalOperator(models.Model):
    """A customer's own program that answers visitors. Its name and its place in departments are its agent row's.

    `standing` is its state when no rotation is under way (`rules.lifecycle`). `secret_version` counts secrets: an
    event that was queued with the version before is signed by `old_secret`. `url` is as it was given, `target` the
    spelling that is called.
    """

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="external_operators", db_index=False)
    agent = models.OneToOneField(Agent, models.CASCADE, related_name="external_operator", editable=False)
    url = models.CharField(max_length=MAX_URL)
    target = models.CharField(max_length=MAX_URL, editable=False)
    standing = models.CharField(
        max_length=16, choices=[(one.value, one.value) for one in OperatorStanding], db_default="draft", default="draft"
    )
    state_changed_at = models.DateTimeField(db_default=Now(), editable=False)
    verified_at = models.DateTimeField(null=True, blank=True, editable=False)
    secret = EncryptedTextField(null=True, editable=False)
    old_secret = EncryptedTextField(null=True, editable=False)
    secret_version = models.PositiveIntegerField(db_default=1, default=1, editable=False)
    rotation_started_at = models.DateTimeField(null=True, blank=True, editable=False)
    overlap_ends_at = models.DateTimeField(null=True, blank=True, editable=False)
    bearer = EncryptedTextField(null=True, blank=True)
    requires_signed_replies = models.BooleanField(db_default=False, default=False)
    # Visitors are not told that a machine speaks.
    answers_by_person = models.BooleanField(db_default=False, default=False)
    reply_timeout_sec = models.PositiveSmallIntegerField(
        db_default=DEFAULT_REPLY_TIMEOUT_S, default=DEFAULT_REPLY_TIMEOUT_S
    )
    fallback = models.CharField(
        max_length=8,
        choices=[(one.value, one.value) for one in Fallback],
        db_default=Fallback.HANDOFF.value,
        default=Fallback.HANDOFF.value,
    )
    last_test = models.ForeignKey("ProbeTest", models.SET_NULL, null=True, editable=False, related_name="+")
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ExternalOperatorQuerySet.as_manager()

    class Meta:
        verbose_name = "external operator"
        verbose_name_plural = "external operators"
        indexes = [models.Index(fields=["widget", "-created_at", "-id"], name="ai_externaloperator_list")]

    def __str__(self) -> str:
        return f"{self.public_id}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secrets that count at present, the old one of a rotation first."""
        return tuple(secret for secret in (self.old_secret, self.secret) if secret)


class OperatorHealth(models.Model):
    """How an operator's endpoint does. A row of its own: it is written while others hold the operator's."""

    operator = models.OneToOneField(ExternalOperator, models.CASCADE, primary_key=True, related_name="health")
    consecutive_failures = models.PositiveIntegerField(db_default=0, default=0)
    degraded_until = models.DateTimeField(null=True)
    last_delivered_at = models.DateTimeField(null=True)
    last_failed_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=16, null=True)  # noqa: DJ001 - null, not blank, is what is shown

    objects = OperatorHealthQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.operator_id}"


class ReplyToken(models.Model):
    """An API token that is bound to an operator: it replies for no other."""

    token = models.OneToOneField(ApiToken, models.CASCADE, primary_key=True, related_name="+")
    operator = models.ForeignKey(ExternalOperator, models.CASCADE, related_name="reply_tokens")

    objects = ReplyTokenQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.token_id}"


class Turn(models.Model):
    """A visitor's burst that an operator was asked to answer, from `first_message_id` to `last_message_id`.

    It ends once (`rules.exchanges`), by an update that asks whether it is open. `event_id` names its `turn.created`.
    `owes_cancellation`: the operator is still to be told that it has ended. `result` is what its reply was answered.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    operator = models.ForeignKey(ExternalOperator, models.CASCADE, related_name="turns", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    causation_id = models.CharField(max_length=128, db_collation="C")
    first_message_id = models.BigIntegerField()
    last_message_id = models.BigIntegerField()
    way = models.CharField(max_length=16)
    state = models.CharField(max_length=16, choices=[(one.value, one.value) for one in TurnState])
    ending = models.CharField(
        max_length=24, choices=[(one.value, one.value) for one in Ending], db_default="", default=""
    )
    owes_cancellation = models.BooleanField(db_default=False, default=False)
    result = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    deadline_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = "turn of an external operator"
        verbose_name_plural = "turns of external operators"
        constraints = [
            models.UniqueConstraint(fields=["widget", "causation_id"], name="ai_turn_causation"),
            models.UniqueConstraint(
                fields=["chat"], condition=Q(state__in=("queued", "delivered")), name="ai_turn_one_open"
            ),
        ]
        indexes = [
            models.Index(fields=["operator", "-id"], name="ai_turn_list"),
            models.Index(fields=["chat", "-id"], name="ai_turn_chat"),
            models.Index(fields=["operator"], condition=Q(state__in=("queued", "delivered")), name="ai_turn_open"),
            models.Index(fields=["created_at"], name="ai_turn_old"),
        ]

    def __str__(self) -> str:
        return self.causation_id


class OperatorEvent(models.Model):
    """An event of a turn on its way to an operator, named by the id in its body.

    It keeps the signatures that it was queued with: that of version `secret_version`, and in an overlap (`has_next`)
    that of the version after it.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    operator = models.ForeignKey(ExternalOperator, models.CASCADE, related_name="events", db_index=False)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="events")
    type = models.CharField(max_length=16)
    secret_version = models.PositiveIntegerField()
    has_next = models.BooleanField(db_default=False, default=False)
    status = models.CharField(
        max_length=16, choices=[(one.value, one.value) for one in EventStatus], db_default="pending", default="pending"
    )
    queued_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    objects = OperatorEventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["operator", "secret_version"], condition=Q(status="pending"), name="ai_event_pending")
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"


class ProbeTest(models.Model):
    """One synthetic `delivery.test`, and what came of it. `id` of its event is its public id."""

    public_id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    operator = models.ForeignKey(ExternalOperator, models.CASCADE, related_name="tests", db_index=False)
    url = models.CharField(max_length=MAX_URL)
    target = models.CharField(max_length=MAX_URL)
    challenge = models.CharField(max_length=64)
    status = models.CharField(
        max_length=16,
        choices=[(name, name) for name in ("queued", "delivered", "failed")],
        db_default="queued",
        default="queued",
    )
    challenge_ok = models.BooleanField(null=True)
    response_status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=16, null=True)  # noqa: DJ001 - null, not blank, is what is shown
    duration_ms = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    objects = ProbeTestQuerySet.as_manager()

    class Meta:
        verbose_name = "test of an external operator"
        verbose_name_plural = "tests of external operators"
        constraints = [
            models.UniqueConstraint(fields=["operator"], condition=Q(status="queued"), name="ai_probetest_one_queued")
        ]
        indexes = [models.Index(fields=["operator", "-id"], name="ai_probetest_list")]

    def __str__(self) -> str:
        return f"{self.public_id}"


class OperatorMove(models.Model):
    """An action on an external operator: append-only (`triggers.sql`). `actor` is a token, a person or us."""

    # The database deletes these rows with the operator (migration 0005): the trigger lets nobody else do it.
    operator = models.ForeignKey(
        ExternalOperator, models.DO_NOTHING, related_name="moves", db_index=False, db_constraint=False
    )
    action = models.CharField(max_length=16)
    from_state = models.CharField(max_length=16)
    to_state = models.CharField(max_length=16)
    reason = models.CharField(max_length=500, blank=True, db_default="", default="")
    actor = models.JSONField()
    at = models.DateTimeField(db_default=Now())

    objects = OperatorMoveQuerySet.as_manager()

    class Meta:
        verbose_name = "move of an external operator"
        verbose_name_plural = "moves of external operators"
        indexes = [models.Index(fields=["operator", "-id"], name="ai_operatormove_list")]

    def __str__(self) -> str:
        return f"{self.action}: {self.from_state} -> {self.to_state}"
