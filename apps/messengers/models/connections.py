"""Custom channels, connections to providers, who writes by which of them, and the vendors' own settings."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet
from apps.messengers import rules
from apps.messengers.querysets import (
    CabinetQuerySet,
    ChannelQuerySet,
    CommunityQuerySet,
    ConnectionQuerySet,
    InboundQuerySet,
    PeerQuerySet,
)
from apps.messengers.rules.inbound import InboundEvent
from apps.messengers.rules.providers import (
    AVITO,
    CabinetStatus,
    ProblemCode,
    Updates,
    WebhookStatus,
    cabinet_channel,
)


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
        """The channel's name in chats and events."""
        return rules.code_of(self.pk)

    @property
    def is_moving(self) -> bool:
        """Whether its account moves to another installation, so that it delivers nothing now."""
        return self.widget.is_moving

    @property
    def has_secret(self) -> bool:
        """Whether it can sign, and be delivered to by its secret."""
        return bool(self.secret)


class Peer(models.Model):
    """A client of a channel, and their contact.

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


class VendorSettings(models.Model):
    """How a vendor is called by the installation, where not at the adapter's base; its app's callback has `app_key`."""

    provider = models.CharField(max_length=8, primary_key=True)
    base = models.CharField(max_length=2048, blank=True, db_default="", default="")
    updates = models.CharField(
        max_length=16,
        choices=[(one.value, one.value) for one in Updates],
        db_default=Updates.AUTO.value,
        default=Updates.AUTO.value,
    )
    app_secret = EncryptedTextField(null=True, blank=True)
    client_id = models.CharField(max_length=255, blank=True, db_default="", default="")
    client_secret = EncryptedTextField(null=True, blank=True)
    app_key = EncryptedTextField(null=True, blank=True, editable=False)
    app_digest = models.BinaryField(null=True, unique=True, editable=False)
    app_verify_token = EncryptedTextField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "vendor settings"
        verbose_name_plural = "vendor settings"

    def __str__(self) -> str:
        return self.provider


class Connection(models.Model):
    """A credential by which the widget speaks with a provider: one a provider, of VK and Avito several.

    `account` tells apart what a provider has several of: VK's community, Avito's account. The callback address ends
    with `hook_key`, by whose hash a call finds its connection. `secret` is what the provider's calls carry;
    `app_secret` proves those of an app that is the owner's own, and `unproved_at` is when one came that nothing proved.
    `route` is the hash of what the calls for a vendor's app name the account by; null while the vendor has not said it.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="connections", db_index=False)
    provider = models.CharField(max_length=8)
    account = models.CharField(max_length=64, blank=True, db_default="", default="")
    token = EncryptedTextField()
    sid = EncryptedTextField(null=True, blank=True)
    url = models.CharField(max_length=512, blank=True, db_default="", default="")
    target = models.CharField(max_length=2048, blank=True, db_default="", default="", editable=False)
    refresh_token = EncryptedTextField(null=True, blank=True, editable=False)
    token_expires_at = models.DateTimeField(null=True, blank=True, editable=False)
    renewing_until = models.DateTimeField(null=True, blank=True, editable=False)

    account_id = models.CharField(max_length=255, blank=True, db_default="", default="")
    account_name = models.CharField(max_length=255, blank=True, db_default="", default="")
    public_name = models.CharField(max_length=255, blank=True, db_default="", default="")
    route = models.BinaryField(null=True, editable=False)
    is_primary = models.BooleanField(db_default=False, default=False)
    server_id = models.BigIntegerField(null=True, blank=True, editable=False)
    confirmation = EncryptedTextField(null=True, blank=True, editable=False)
    status = models.CharField(
        max_length=24,
        choices=[(one.value, one.value) for one in CabinetStatus],
        db_default=CabinetStatus.ENABLED.value,
        default=CabinetStatus.ENABLED.value,
    )

    hook_key = EncryptedTextField(editable=False)
    digest = models.BinaryField(unique=True, editable=False)
    secret = EncryptedTextField(editable=False)
    verify_token = EncryptedTextField(null=True, blank=True, editable=False)
    app_secret = EncryptedTextField(null=True, blank=True)
    unproved_at = models.DateTimeField(null=True, blank=True, editable=False)

    webhook_status = models.CharField(
        max_length=24,
        choices=[(one.value, one.value) for one in WebhookStatus],
        db_default=WebhookStatus.PENDING.value,
        default=WebhookStatus.PENDING.value,
    )
    webhook_attempted = models.BooleanField(db_default=False, default=False)
    webhook_detail = models.CharField(max_length=255, blank=True, db_default="", default="")
    webhook_at = models.DateTimeField(null=True, blank=True)
    pending_since = models.DateTimeField(null=True, blank=True, editable=False)
    problem_code = models.CharField(
        max_length=24, choices=[(one.value, one.value) for one in ProblemCode], blank=True, db_default="", default=""
    )
    problem_detail = models.CharField(max_length=255, blank=True, db_default="", default="")
    problem_at = models.DateTimeField(null=True, blank=True)
    poll_offset = models.BigIntegerField(db_default=0, default=0, editable=False)
    rests_until = models.DateTimeField(null=True, blank=True, editable=False)
    checked_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_inbound_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_outbound_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ConnectionQuerySet.as_manager()

    class Meta:
        verbose_name = "messenger"
        constraints = [
            models.UniqueConstraint(fields=["widget", "provider", "account"], name="messengers_connection_once"),
            models.UniqueConstraint(
                fields=["account_id"], condition=models.Q(provider="tg"), name="messengers_connection_one_bot"
            ),
        ]
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="messengers_connection_list"),
            models.Index(
                fields=["pending_since"],
                condition=models.Q(pending_since__isnull=False),
                name="messengers_connection_pending",
            ),
            models.Index(fields=["route"], condition=models.Q(route__isnull=False), name="messengers_connection_route"),
            models.Index(
                fields=["id"],
                condition=models.Q(provider="tg", webhook_status="long_poll"),
                name="messengers_connection_polled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.account_name or self.account}".strip()

    @property
    def channel(self) -> str:
        """The channel's name in chats."""
        return cabinet_channel(self.pk) if self.provider == AVITO else self.provider


class Community(Connection):
    """A community of VK: a row of `Connection`."""

    objects = CommunityQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = "VK community"
        verbose_name_plural = "VK communities"


class AdCabinet(Connection):
    """A cabinet of an ad marketplace, Avito: a row of `Connection`."""

    objects = CabinetQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        proxy = True
        verbose_name = "ad cabinet"


class Inbound(models.Model):
    """A message as it came in, before and after it was stored in its chat; or what a person did besides writing.

    A repeated update finds this row and is ignored. `part` is kept for a day, of a kind that is not known for as long
    as the row. The others are `rules.inbound.InboundMessage`'s.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    connection = models.ForeignKey(Connection, models.CASCADE, related_name="+", db_index=False)
    conversation = models.CharField(max_length=rules.MAX_EXTERNAL_ID)
    external_id = models.CharField(max_length=rules.MAX_EXTERNAL_ID)
    album = models.CharField(max_length=255, blank=True, db_default="", default="")
    event = models.CharField(
        max_length=8, choices=[(one.value, one.value) for one in InboundEvent], blank=True, db_default="", default=""
    )
    changes = models.CharField(max_length=rules.MAX_EXTERNAL_ID, blank=True, db_default="", default="")
    part = EncryptedTextField(null=True, blank=True)
    is_unknown = models.BooleanField(db_default=False, default=False)
    tries = models.PositiveSmallIntegerField(db_default=0, default=0)
    received_at = models.DateTimeField(db_default=Now())
    handled_at = models.DateTimeField(null=True, blank=True)

    objects = InboundQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "conversation", "external_id"], name="messengers_inbound_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["connection", "conversation", "id"],
                condition=models.Q(handled_at__isnull=True),
                name="messengers_inbound_open",
            ),
            models.Index(fields=["received_at"], name="messengers_inbound_age"),
        ]

    def __str__(self) -> str:
        return f"{self.conversation}: {self.external_id}"


class InboundJob(leases.Leased):
    """A conversation whose messages are to be stored, one after the other (`leases`)."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    connection = models.ForeignKey(Connection, models.CASCADE, related_name="+", db_index=False)
    conversation = models.CharField(max_length=rules.MAX_EXTERNAL_ID)

    objects = TenantQuerySet["InboundJob"].as_manager()

    class Meta:
        db_table = "messengers_inboundline"
        constraints = [
            models.UniqueConstraint(fields=["connection", "conversation"], name="messengers_inboundline_once")
        ]
        indexes = leases.indexes("messengers_inline")

    def __str__(self) -> str:
        return self.conversation


class PollJob(leases.Leased):
    """A bot of Telegram whose updates are fetched."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    connection = models.OneToOneField(Connection, models.CASCADE, related_name="+")

    objects = TenantQuerySet["PollJob"].as_manager()

    class Meta:
        db_table = "messengers_pollline"
        indexes = leases.indexes("messengers_pollline", fair_by=None)

    def __str__(self) -> str:
        return str(self.connection_id)


class CheckJob(leases.Leased):
    """A connection whose provider is to be asked, or told where to deliver. Vendors (`rules.providers.CONNECTED`, from
    0 on) are served in turn.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    connection = models.OneToOneField(Connection, models.CASCADE, related_name="+")
    vendor = models.PositiveSmallIntegerField()

    objects = TenantQuerySet["CheckJob"].as_manager()

    class Meta:
        db_table = "messengers_checkline"
        indexes = leases.indexes("messengers_checkline", fair_by="vendor")

    def __str__(self) -> str:
        return str(self.connection_id)
