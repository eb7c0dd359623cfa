"""Episodes as they are derived (docs/adr/0030), and the notes of the chats that are to be derived anew."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.core.database.tenants import TenantQuerySet


class EpisodeRow(models.Model):
    """An episode, by the number of its first message, as `chats/rules/episodes.py` reads it off its chat.

    It is derived of rows that are kept, so it refers to none of them by a constraint, and goes with its chat. Its
    ending is true from `ended_from` on; before that it is open, in spite of the columns of its end.
    """

    id = models.BigIntegerField(primary_key=True)
    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    chat_id = models.BigIntegerField()
    contact_id = models.BigIntegerField()
    person_id = models.BigIntegerField(help_text="The contact to whom its contact is joined, else its contact.")
    channel = models.CharField(max_length=32)
    department_id = models.BigIntegerField(null=True, help_text="Once it ended.")
    open_department_id = models.BigIntegerField(null=True, help_text="While it is open.")
    language = models.CharField(max_length=16, null=True)  # noqa: DJ001 - unknown is no text
    page = models.CharField(max_length=500, null=True)  # noqa: DJ001 - unknown is no text
    opened_at = models.DateTimeField()
    opened_by = models.CharField(max_length=8)

    first_reply_at = models.DateTimeField(null=True)
    first_reply_seconds = models.BigIntegerField(null=True)
    first_reply_kind = models.CharField(max_length=6, null=True)  # noqa: DJ001 - none is no text
    first_reply_agent_id = models.BigIntegerField(null=True)
    person_reply_from = models.DateTimeField(null=True)
    person_reply_at = models.DateTimeField(null=True)
    person_reply_seconds = models.BigIntegerField(null=True)
    person_reply_agent_id = models.BigIntegerField(null=True)
    # The waits that are over by an answer, a close or a word that nothing needs an answer, in order.
    wait_starts = ArrayField(models.DateTimeField(), default=list)
    wait_ends = ArrayField(models.DateTimeField(), default=list)
    waits_since = models.DateTimeField(null=True, help_text="The begin of the wait that only the episode's end ends.")
    longest_wait_seconds = models.BigIntegerField(null=True, help_text="The longest of the waits that are over.")
    handed_over_at = models.DateTimeField(null=True)
    handed_over_reason = models.CharField(max_length=1000, null=True)  # noqa: DJ001 - none is no text
    ai_involved = models.BooleanField()

    ended_at = models.DateTimeField()
    ended_by = models.CharField(max_length=8)
    ended_by_agent_id = models.BigIntegerField(null=True)
    ended_from = models.DateTimeField()
    outcome = models.CharField(max_length=10, help_text="Once it ended.")
    reopened_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)
    rating_value = models.SmallIntegerField(null=True)
    rated_at = models.DateTimeField(null=True)
    rating_kind = models.CharField(max_length=6, null=True)  # noqa: DJ001 - none is no text
    rating_agent_id = models.BigIntegerField(null=True)
    agents = ArrayField(models.BigIntegerField(), default=list)
    assistants = ArrayField(models.BigIntegerField(), default=list)
    messages_visitor = models.IntegerField()
    messages_person = models.IntegerField()
    messages_ai = models.IntegerField()
    answers_ai = models.IntegerField(null=True, help_text="Without the phrases of handovers.")

    objects = TenantQuerySet["EpisodeRow"].as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "opened_at", "id"], name="reports_episode_opened"),
            models.Index(fields=["chat_id"], name="reports_episode_of_chat"),
            models.Index(fields=["widget", "ended_from"], name="reports_episode_ended"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class StaleChat(models.Model):
    """A note that rows of a chat changed which may have been read. Written by triggers, several for a chat."""

    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    chat_id = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["StaleChat"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["widget", "chat_id"], name="reports_stalechat_noted")]

    def __str__(self) -> str:
        return f"#{self.chat_id}"


class DerivedChat(models.Model):
    """Up to which message a chat's episodes are derived."""

    chat_id = models.BigIntegerField(primary_key=True)
    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    last_message_id = models.BigIntegerField()

    objects = TenantQuerySet["DerivedChat"].as_manager()

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.last_message_id}"


class EpisodeProgress(models.Model):
    """How far the job has come: the one row.

    All messages up to `settled_id` are read. Once the transactions `seen_writing` have ended, everything is committed
    that was stored up to the message `seen_id`. `caught_up_at` is the begin of the last run that left nothing.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    settled_id = models.BigIntegerField(db_default=0, default=0)
    seen_id = models.BigIntegerField(null=True)
    seen_writing = ArrayField(models.TextField(), db_default=[], default=list)
    caught_up_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="reports_episodeprogress_one")]

    def __str__(self) -> str:
        return f"up to {self.settled_id}"
