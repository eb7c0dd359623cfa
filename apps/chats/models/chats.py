"""Chats, with their transfers and activities."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models.choices import choices
from apps.chats.models.contacts import Contact
from apps.chats.querysets import ChatActivityQuerySet, ChatQuerySet, TransferQuerySet
from apps.chats.rules import Handling, OperatorType, Status
from apps.chats.rules.activities import MAX_COMMENT, StepKind
from apps.chats.rules.priorities import Priority
from apps.chats.rules.translations import ChatTranslation
from apps.core.database.fields import JsonNumbers


class Chat(models.Model):
    """One contact's conversation on one channel.

    `version` counts the changes that operators and visitors see; `agent` is the routing owner (never an AI operator);
    `last_message`, and its time, are of the newest message that the visitor may see: notes leave them as they are.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="chats")
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="chats")
    department = models.ForeignKey(Department, models.SET_NULL, null=True, blank=True, related_name="chats")
    internal = models.BooleanField(
        db_default=False, default=False, help_text="Whether it has been a chat between colleagues: it stays one."
    )
    channel = models.CharField(max_length=32, db_default="widget", default="widget")
    status = models.CharField(max_length=8, choices=choices(Status), db_default=Status.ACTIVE, default=Status.ACTIVE)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="chats")

    handling = models.CharField(
        max_length=16, choices=choices(Handling), db_default=Handling.MISSED, default=Handling.MISSED
    )
    accepted_agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    accepted_type = models.CharField(max_length=8, choices=choices(OperatorType), null=True, blank=True)  # noqa: DJ001
    accepted_at = models.DateTimeField(null=True, blank=True)
    handled_agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    handled_type = models.CharField(max_length=8, choices=choices(OperatorType), null=True, blank=True)  # noqa: DJ001
    handled_at = models.DateTimeField(null=True, blank=True)

    handed_over_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when it waits for a person, to whom it was handed over."
    )
    handover_reason = models.CharField(max_length=32, null=True, blank=True)  # noqa: DJ001 - as the time is

    # Of the visitor's side: the invitation that was answered last, by its name then.
    invitation_id = models.BigIntegerField(null=True, blank=True, editable=False)
    invitation_name = models.CharField(max_length=80, blank=True, db_default="", default="", editable=False)
    has_client_messages = models.BooleanField(db_default=False, default=False)
    last_message_at = models.DateTimeField(null=True, blank=True)
    # No constraint: a message and its chat, which names it, are written by one statement.
    last_message = models.ForeignKey(
        "Message", models.DO_NOTHING, null=True, blank=True, related_name="+", db_constraint=False, db_index=False
    )
    expired_at = models.DateTimeField(null=True, blank=True, help_text="When it last moved into expired.")
    # `querysets/waiting.py`: since when the visitor's words are unanswered, which of them need no answer, and when the
    # sweep closed the chat although it waited.
    waiting_since = models.DateTimeField(null=True, blank=True)
    dealt_with_message_id = models.BigIntegerField(null=True, blank=True)
    left_unanswered_at = models.DateTimeField(null=True, blank=True)
    for_people_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when a word of the visitor waits that machines leave to people."
    )
    # `querysets/snoozes.py`: put aside until a moment or, without one, until the visitor writes; then back at hand.
    snoozed_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    snoozed_by = models.ForeignKey(
        Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )
    snoozed_after_id = models.BigIntegerField(null=True, blank=True, help_text="The last message then; 0 without any.")
    woken_at = models.DateTimeField(null=True, blank=True)
    owner_away_at = models.DateTimeField(
        null=True, blank=True, help_text="When operators were told that its owner is away (querysets/ringing.py)."
    )
    # Findings of the router and of the answer times (`querysets/ringing.py`): facts, so that no list reads a clock.
    priority = models.CharField(
        max_length=8, choices=choices(Priority), db_default=Priority.NORMAL, default=Priority.NORMAL
    )
    queued_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when it waits for a place in the queue of its department."
    )
    offered_to = models.ForeignKey(
        Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )
    offered_at = models.DateTimeField(null=True, blank=True)
    offered_until = models.DateTimeField(null=True, blank=True)
    owner_silent_at = models.DateTimeField(
        null=True, blank=True, help_text="When its owner, who is here, had let the visitor wait for too long."
    )
    answer_missed_at = models.DateTimeField(null=True, blank=True, help_text="When an answer time of it was missed.")
    rating_requested_at = models.DateTimeField(
        null=True, blank=True, help_text="When the visitor was asked for a rating; null once they gave one."
    )
    translation = models.JSONField(
        null=True, blank=True, editable=False, help_text="The switch of its translation; null: never switched."
    )
    answers = models.JSONField(
        null=True, blank=True, editable=False, decoder=JsonNumbers,
        help_text="The visitor's answers as it began last, by key: triggers of the widget write it.",
    )  # fmt: skip
    version = models.BigIntegerField(db_default=1, default=1)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ChatQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contact", "channel"], name="chats_chat_one_a_channel"),
        ]
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="chats_chat_list"),
            models.Index(fields=["widget", "status", "-created_at", "-id"], name="chats_chat_by_status"),
            models.Index(fields=["widget", "channel", "-created_at", "-id"], name="chats_chat_by_channel"),
            models.Index(
                fields=["widget", "-created_at", "-id"],
                condition=Q(has_client_messages=True),
                name="chats_chat_with_client",
            ),
            # The sweep's two directions: chats that may have gone idle, chats closed while they were talked in.
            # Neither holds a column that a message changes, so that posting one stays a heap-only update.
            models.Index(fields=["id"], condition=Q(status__in=["active", "ready"]), name="chats_chat_open"),
            models.Index(fields=["expired_at"], condition=Q(status="expired"), name="chats_chat_expired"),
            # The inbox: what is open, to be sorted when it is read; and what was closed, the latest first.
            models.Index(fields=["widget"], condition=Q(status__in=["active", "ready"]), name="chats_chat_inbox"),
            models.Index(
                fields=["widget", "-expired_at", "-id"], condition=Q(status="expired"), name="chats_chat_closed"
            ),
            models.Index(
                fields=["widget", "left_unanswered_at"],
                condition=Q(left_unanswered_at__isnull=False),
                name="chats_chat_left",
            ),
            models.Index(
                fields=["widget"],
                condition=Q(snoozed_at__isnull=False) | Q(woken_at__isnull=False),
                name="chats_chat_aside",
            ),
            models.Index(fields=["id"], condition=Q(owner_away_at__isnull=False), name="chats_chat_owner_away"),
            # The queue of a widget, in the router's hands.
            models.Index(fields=["widget"], condition=Q(queued_at__isnull=False), name="chats_chat_queued"),
            # Statistics read nothing but this index; a chat's update moves it only when its attribution changes.
            models.Index(
                fields=["widget", "created_at"],
                include=["handling", "accepted_type", "handled_type", "accepted_at", "channel", "internal"],
                name="chats_chat_counted",
            ),
            # docs/adr/0013: which blocks of chats a search asks for, and how new each is.
            models.Index(
                models.F("widget"), models.F("id").bitrightshift(13), models.F("created_at"), name="chats_chat_in_block"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"

    @property
    def widget_guid(self) -> str:
        return self.widget.guid

    @property
    def contact_guid(self) -> str:
        return self.contact.guid

    @property
    def answerers(self) -> tuple[str, ...]:
        return tuple(self.widget.answerers)

    @property
    def translated_to(self) -> tuple[str, ...]:
        translation = ChatTranslation.of(self.translation)
        return translation.to if translation.on else ()


class Transfer(models.Model):
    """A chat's move from one operator to another. `from_agent` is None for a chat that had none."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="transfers")
    from_agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    to_agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TransferQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["widget", "created_at"], include=["from_agent", "to_agent"], name="chats_transfer_counted"
            )
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.from_agent_id} to {self.to_agent_id}"


class ChatActivity(models.Model):
    """An event of a chat between two messages, for operators to read in the thread; it is no message.

    `agent` did it, None for the API and the visitor; `to_agent` or `department` has the chat since then.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="steps", db_index=False)
    kind = models.CharField(max_length=16, choices=choices(StepKind))
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    to_agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    department = models.ForeignKey(
        Department, models.DO_NOTHING, null=True, blank=True, related_name="+", db_index=False, db_constraint=False
    )  # no constraint: a department may go, and nothing need look through the steps for it
    comment = models.CharField(max_length=MAX_COMMENT, db_default="", default="", blank=True)
    # Of an automation's run, or a macro's.
    run_id = models.BigIntegerField(null=True, blank=True, editable=False)
    version = models.PositiveIntegerField(null=True, blank=True, editable=False)
    after_message_id = models.BigIntegerField(help_text="The chat's newest message then, notes too; 0 without any.")
    at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ChatActivityQuerySet.as_manager()

    class Meta:
        db_table = "chats_chatstep"
        indexes = [models.Index(fields=["chat", "-id"], name="chats_step_in_chat")]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.kind}"
