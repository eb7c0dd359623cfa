"""Custom channels, and who writes by them."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.core.database.fields import EncryptedTextField
from apps.messengers import rules
from apps.messengers.querysets import ChannelQuerySet, PeerQuerySet


class Channel(models.Model):
    """A custom channel: a customer's own way to visitors. Chats name it by `code`.

    `outbound_url` is as it was given, `target` the spelling that is called. The secret signs what is sent there, and is
    the right to deliver through `/compat/legacy/chat/{secret}`; it is found by its hash.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="channels")
    name = models.CharField(max_length=rules.MAX_NAME)
    outbound_url = models.CharField(max_length=2048)
    target = models.CharField(max_length=2048)
    secret = EncryptedTextField(editable=False)
    digest = models.BinaryField(unique=True, editable=False)
    is_active = models.BooleanField(db_default=True, default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ChannelQuerySet.as_manager()

    class Meta:
        verbose_name = "custom channel"

    def __str__(self) -> str:
        return self.name

    @property
    def code(self) -> str:
        """What chats and events call it."""
        return rules.code_of(self.pk)

    @property
    def has_secret(self) -> bool:
        """Whether it can sign, and be delivered to by its secret."""
        return bool(self.secret)


class Peer(models.Model):
    """Somebody who writes by a channel, and whose contact they are.

    `channel` is the channel's code, `conversation` what a reply is addressed to: for a custom channel its
    `external_client_id`. `account` tells apart what one channel has several of; a custom channel has one. A reply
    names `external_channel_id`, as the last inbound message gave it.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    channel = models.CharField(max_length=32)
    account = models.CharField(max_length=64, blank=True, db_default="", default="")
    conversation = models.CharField(max_length=rules.MAX_EXTERNAL_ID)
    external_channel_id = models.CharField(max_length=rules.MAX_EXTERNAL_ID, blank=True, db_default="", default="")
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="peers")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = PeerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "channel", "account", "conversation"], name="messengers_peer_one_a_conversation"
            )
        ]

    def __str__(self) -> str:
        return f"{self.channel}: {self.conversation}"
