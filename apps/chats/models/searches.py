"""The tables by which searches find messages (docs/adr/0013): not logged, and filled anew after a crash."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from apps.accounts.models import Widget
from apps.core.database.tenants import TenantQuerySet


class SearchedMessage(models.Model):
    """The text of a message that is searched, as the job read it. The message itself tells whether it was said.

    It goes with its message, by a trigger.
    """

    message_id = models.BigIntegerField(primary_key=True)
    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    chat_id = models.BigIntegerField()
    body = models.TextField(help_text="Its first 10,000 characters.")

    objects = TenantQuerySet["SearchedMessage"].as_manager()

    class Meta:
        indexes = [
            # A search must not read late entries one by one: the job leaves no pending list behind.
            GinIndex(
                models.Func("widget_id", "chat_id", "body", function="chats_message_trigrams"),
                name="chats_searchedmessage_found",
                gin_pending_list_limit=1024,
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.message_id}"


class UnsearchedMessage(models.Model):
    """A note that a message is not searched as it is by now. Written by triggers, several for a message."""

    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    message_id = models.BigIntegerField()

    objects = TenantQuerySet["UnsearchedMessage"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["widget", "message_id"], name="chats_unsearched_noted")]

    def __str__(self) -> str:
        return f"#{self.message_id}"


class SearchProgress(models.Model):
    """How far the job has come: the one row. Without it nothing is filled.

    All messages up to `settled_id` that are not noted can be searched by the index, but for those before `filled_from`,
    while the tables are filled anew, the newest first. Once the transactions `seen_writing` have ended, everything is
    committed that was stored up to the message `seen_id`.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    settled_id = models.BigIntegerField(null=True)
    filled_from = models.BigIntegerField(null=True)
    seen_id = models.BigIntegerField(null=True)
    seen_writing = ArrayField(models.TextField(), db_default=[], default=list)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="chats_searchprogress_one")]

    def __str__(self) -> str:
        return f"up to {self.settled_id}"
