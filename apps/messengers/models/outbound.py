"""Messages on their way to providers, and the queue of conversations that wait for some."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet
from apps.messengers.models.connections import Connection, Peer
from apps.messengers.querysets import OutboundMessageQuerySet


class OutboundJob(leases.Leased):
    """A conversation to which messages are to be sent, one after the other. Connections are served in turn.

    `connection_id` is 0 while there is no connection: then the messages fail. Messages without a peer fail too: their
    contact has not written by the messenger.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    peer = models.OneToOneField(Peer, models.CASCADE, related_name="+", null=True)
    connection_id = models.BigIntegerField(db_default=0, default=0)

    objects = TenantQuerySet["OutboundJob"].as_manager()

    class Meta:
        db_table = "messengers_outboundline"
        indexes = leases.indexes("messengers_outline", fair_by="connection_id")

    def __str__(self) -> str:
        return str(self.peer_id or "")


class OutboundMessage(models.Model):
    """A message on its way to a provider.

    `external_ids` are of the parts that are sent; nothing is sent of it any more once `done_at` is set.
    `refused_kinds` are the ways in which the provider did not take its file. A message without a peer has no
    recipient, and fails. `not_before` keeps it here while its writer may take it back. `is_begun` since its provider
    may have heard of it; `is_sent` once it has taken it whole: what is done from then on is the change of
    `changed_at`, an edit or a deletion, by the message as it is now.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    peer = models.ForeignKey(Peer, models.CASCADE, related_name="+", db_index=False, null=True)
    # No constraint: a message and its way out are written by one statement.
    message = models.OneToOneField(Message, models.DO_NOTHING, related_name="+", db_constraint=False, primary_key=True)
    channel = models.CharField(max_length=32)
    attempts = models.PositiveSmallIntegerField(db_default=0, default=0)
    external_ids = ArrayField(models.CharField(max_length=255), db_default=[], default=list)
    refused_kinds = ArrayField(models.CharField(max_length=8), db_default=[], default=list)
    is_failed = models.BooleanField(db_default=False, default=False)
    queued_at = models.DateTimeField(db_default=Now())
    not_before = models.DateTimeField(null=True, blank=True)
    is_begun = models.BooleanField(db_default=False, default=False)
    is_sent = models.BooleanField(db_default=False, default=False)
    changed_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    objects = OutboundMessageQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["peer", "message"], condition=models.Q(done_at__isnull=True), name="messengers_outbound_open"
            ),
            models.Index(
                fields=["widget", "done_at"], condition=models.Q(is_failed=True), name="messengers_outbound_failed"
            ),
            models.Index(fields=["done_at"], name="messengers_outbound_age"),
            GinIndex(fields=["external_ids"], name="messengers_outbound_external"),
        ]

    def __str__(self) -> str:
        return str(self.message_id)


class EarlyReceipt(models.Model):
    """A receipt that came before the answer of the call that sent its message: it waits for that for some minutes.

    `external_id` is the id that was not known yet; empty for a receipt of all until a moment, which has `conversation`.
    `part` is `rules.inbound.Receipt`'s.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    connection = models.ForeignKey(Connection, models.CASCADE, related_name="+", db_index=False)
    external_id = models.CharField(max_length=255, blank=True)
    conversation = models.CharField(max_length=255, blank=True)
    state = models.CharField(max_length=16)
    part = EncryptedTextField()
    received_at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["EarlyReceipt"].as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["connection", "external_id"], name="messengers_early_by_id"),
            models.Index(fields=["received_at"], name="messengers_early_age"),
        ]

    def __str__(self) -> str:
        return self.external_id or self.conversation
