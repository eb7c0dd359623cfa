"""The binding of a company's application and what its signed calls leave; tickets, identities, codes, settings."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent
from apps.ai.models import Assistant
from apps.chats.models import Chat
from apps.chats.models.choices import choices
from apps.core.database.fields import EncryptedTextField, JsonNumbers
from apps.support.querysets import (
    AppRoomQuerySet,
    BindingQuerySet,
    ChatHoldQuerySet,
    ClaimedMessageQuerySet,
    EmailCodeQuerySet,
    IdentityQuerySet,
    NonceQuerySet,
    SignedRequestQuerySet,
    SupportActionQuerySet,
    SupportSettingsQuerySet,
    SupportTicketQuerySet,
    VerificationQuerySet,
)
from apps.support.rules.codes import CodeResult, TakenKind
from apps.support.rules.desk import ActionKind, ActionStatus
from apps.support.rules.envelope import MAX_NONCE
from apps.support.rules.identities import MAX_USER_ID, LinkSource
from apps.support.rules.settings import DEFAULT_CHANNELS, default_channels
from apps.support.rules.tickets import Category, CloseReason, TicketPriority, TicketReason, TicketSource, TicketState


class Binding(models.Model):
    """The integration of a widget: the one token that may sign calls, with which secret, and who answers them."""

    widget = models.OneToOneField(Widget, models.CASCADE, related_name="+")
    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="+")
    provider = models.CharField(max_length=32)
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, blank=True, related_name="+")
    secret = EncryptedTextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = BindingQuerySet.as_manager()

    class Meta:
        verbose_name = "integration"

    def __str__(self) -> str:
        return f"{self.provider} {self.token_id}"


class Nonce(models.Model):
    """A nonce that is used up: by the first call of the binding whose signature was right."""

    binding = models.ForeignKey(Binding, models.CASCADE, related_name="+", db_index=False)
    nonce = models.CharField(max_length=MAX_NONCE)
    used_at = models.DateTimeField(db_default=Now())

    objects = NonceQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["binding", "nonce"], name="support_nonce_once")]
        indexes = [models.Index(fields=["used_at"], name="support_nonce_used")]

    def __str__(self) -> str:
        return self.nonce


class SignedRequest(models.Model):
    """A `request_id` of an application, for 24 hours: what was asked, and what was answered.

    `digest` is of the body. While the work is under way, `answer` is null; others wait until `lease_until` at most,
    when its process counts as dead. The answer of a turn is "", which is never given again.
    """

    class Endpoint(models.TextChoices):
        TURN = "turn"
        TICKET = "ticket"
        LINK = "link"
        REVOKE = "revoke"

    binding = models.ForeignKey(Binding, models.CASCADE, related_name="+", db_index=False)
    endpoint = models.CharField(max_length=8, choices=Endpoint)
    request_id = models.CharField(max_length=128)
    digest = models.BinaryField(max_length=32)
    answer = EncryptedTextField(null=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    objects = SignedRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["binding", "endpoint", "request_id"], name="support_signedrequest_once")
        ]
        indexes = [models.Index(fields=["created_at"], name="support_signedrequest_old")]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.request_id}"


class AppRoom(models.Model):
    """The one room of an account of the application: a chat of the channel `app`, whose contact is its own.

    `is_hidden` from a revocation until the next signed intake: its account is not shown.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    user_id = models.CharField(max_length=MAX_USER_ID)
    chat = models.OneToOneField(Chat, models.CASCADE, related_name="app_room")
    locale = models.CharField(max_length=35, blank=True, db_default="", default="")
    is_hidden = models.BooleanField(db_default=False, default=False)
    created_at = models.DateTimeField(db_default=Now())

    objects = AppRoomQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "user_id"], name="support_approom_one_an_account")]

    def __str__(self) -> str:
        return f"#{self.chat_id}"


class Ticket(models.Model):
    """Something that a customer waits for an answer to. Its key is its number, never used again.

    `opening_message_id` is the newest message when it was opened; `queued_at` when it was last (re)opened.
    """

    number = models.BigAutoField(primary_key=True)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="tickets", db_index=False)
    state = models.CharField(max_length=6, choices=choices(TicketState), db_default="open", default="open")
    reason = models.CharField(max_length=16, choices=choices(TicketReason))
    close_reason = models.CharField(max_length=17, choices=choices(CloseReason), null=True, blank=True)  # noqa: DJ001
    priority = models.PositiveSmallIntegerField(choices=[(one.value, one.word) for one in TicketPriority])
    category = models.CharField(max_length=16, choices=choices(Category), null=True, blank=True)  # noqa: DJ001
    subject = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null: none was said
    source = models.CharField(max_length=16, choices=choices(TicketSource))
    held_for_owner = models.BooleanField(db_default=False, default=False)
    opening_message_id = models.BigIntegerField(db_default=0, default=0)
    opened_at = models.DateTimeField(db_default=Now())
    queued_at = models.DateTimeField(db_default=Now())
    updated_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True, blank=True)
    # {kind: agent or staff, name}
    closed_by = models.JSONField(null=True, blank=True)
    duplicate_of = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    context = models.JSONField(null=True, blank=True, decoder=JsonNumbers)
    client = models.JSONField(null=True, blank=True)
    refund = models.JSONField(null=True, blank=True, decoder=JsonNumbers)

    objects = SupportTicketQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chat"], condition=Q(state="open"), name="support_ticket_one_open")
        ]
        indexes = [
            models.Index(
                fields=["widget", "held_for_owner", "priority", "queued_at", "number"],
                condition=Q(state="open"),
                name="support_ticket_queue",
            ),
            models.Index(
                fields=["widget", "-closed_at", "-number"], condition=Q(state="closed"), name="support_ticket_closed"
            ),
            models.Index(fields=["widget", "-number"], name="support_ticket_list"),
            models.Index(fields=["chat", "-number"], name="support_ticket_in_chat"),
        ]

    def __str__(self) -> str:
        return f"#{self.number}"


class Identity(models.Model):
    """The proved account of a chat: by the application, or by a code in a mailbox. It lapses by time alone."""

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="identity")
    app_user_id = models.CharField(max_length=MAX_USER_ID, null=True, blank=True)  # noqa: DJ001 - a mailbox alone
    email = EncryptedTextField(null=True, blank=True)
    link_source = models.CharField(max_length=16, choices=choices(LinkSource))
    expires_at = models.DateTimeField()
    grant = EncryptedTextField(null=True, blank=True)
    grant_expires_at = models.DateTimeField(null=True, blank=True)
    verification_ref = models.CharField(max_length=200, blank=True, db_default="", default="")
    updated_at = models.DateTimeField(db_default=Now())

    objects = IdentityQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.link_source}"


class SupportSettings(models.Model):
    """The settings of support agents at a widget. A widget without a row has the defaults: everything is off."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="support_settings")
    enabled = models.BooleanField(db_default=False, default=False)
    operator = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    token_ids = ArrayField(models.BigIntegerField(), blank=True, db_default=[], default=list)
    ip_allowlist = ArrayField(models.CharField(max_length=64), blank=True, db_default=[], default=list)
    link_hosts = ArrayField(models.CharField(max_length=253), blank=True, db_default=[], default=list)
    exact_links = ArrayField(models.CharField(max_length=2048), blank=True, db_default=[], default=list)
    app_store_id = models.CharField(max_length=20, blank=True, db_default="", default="")
    play_package = models.CharField(max_length=150, blank=True, db_default="", default="")
    ipv4_literals = ArrayField(models.CharField(max_length=15), blank=True, db_default=[], default=list)
    messenger_handles = ArrayField(models.CharField(max_length=32), blank=True, db_default=[], default=list)
    emails = ArrayField(models.CharField(max_length=254), blank=True, db_default=[], default=list)
    channels = ArrayField(
        models.CharField(max_length=8), blank=True, db_default=list(DEFAULT_CHANNELS), default=default_channels
    )
    room_reply_limit = models.PositiveSmallIntegerField(db_default=3, default=3)
    token_reply_limit_10min = models.PositiveIntegerField(db_default=20, default=20)
    token_reply_limit_day = models.PositiveIntegerField(db_default=300, default=300)
    email_codes = models.BooleanField(db_default=False, default=False)
    account_link = models.BooleanField(db_default=False, default=False)
    unanswered_ticket_after_sec = models.PositiveIntegerField(db_default=900, default=900)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = SupportSettingsQuerySet.as_manager()

    class Meta:
        verbose_name = "support desk"

    def __str__(self) -> str:
        return str(self.widget)


class SupportDesk(Widget):
    """A widget as the page of its desk's settings sees it: there is one for each, whether those have a row or not."""

    class Meta:
        proxy = True


class ChatHold(models.Model):
    """An agent works on a chat, until it gives it back or its time ends; it needs no job to end."""

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="support_hold")
    claim_id = models.CharField(max_length=32)
    agent = models.CharField(max_length=48)
    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="+", db_index=False)
    claimed_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    objects = ChatHoldQuerySet.as_manager()

    class Meta:
        db_table = "support_chatlease"

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.agent}"


class SupportAction(models.Model):
    """A write of a support agent, also a refused one, for 180 days. Its text is kept while a reply is unconfirmed."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=8, choices=choices(ActionKind))
    status = models.CharField(max_length=12, choices=choices(ActionStatus))
    http_status = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - of what was refused
    key = models.CharField(max_length=255, blank=True, db_default="", default="")
    agent = models.CharField(max_length=48, blank=True, db_default="", default="")
    # By their numbers: what is on record outlives what it tells of.
    chat_id = models.BigIntegerField(null=True)
    ticket = models.BigIntegerField(null=True)
    message_id = models.BigIntegerField(null=True)
    ticket_effect = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001 - as the message is
    text = EncryptedTextField(null=True)
    text_sha256 = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - of a reply
    text_length = models.PositiveIntegerField(null=True)
    note_length = models.PositiveIntegerField(null=True)
    # What a reply that is not confirmed is stored with.
    wanted = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    objects = SupportActionQuerySet.as_manager()

    class Meta:
        verbose_name = "action of a support agent"
        verbose_name_plural = "actions of support agents"
        indexes = [
            models.Index(fields=["widget", "-id"], name="support_action_list"),
            models.Index(fields=["token", "created_at"], condition=Q(kind="reply"), name="support_action_of_token"),
            models.Index(fields=["chat_id", "created_at"], condition=Q(kind="reply"), name="support_action_of_chat"),
            models.Index(fields=["token", "key"], name="support_action_by_key"),
            models.Index(fields=["chat_id", "finished_at"], name="support_action_in_chat"),
            models.Index(fields=["id"], condition=Q(status="unconfirmed"), name="support_action_unconfirmed"),
            models.Index(fields=["created_at"], name="support_action_old"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Verification(models.Model):
    """The state of codes in a chat, and the result of the last one that was typed.

    A mailbox is waited for until `asked_until`. `assistant_chosen_at`: they wanted the assistant rather than people.
    """

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="verification")
    asked_until = models.DateTimeField(null=True)
    assistant_chosen_at = models.DateTimeField(null=True)
    last_result = models.CharField(max_length=20, choices=choices(CodeResult), null=True)  # noqa: DJ001 - none yet
    last_result_at = models.DateTimeField(null=True)

    objects = VerificationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.chat_id}"


class EmailCode(leases.Leased):
    """A code that a worker mails. `digest` is compared; the code itself is kept until the mail server has it."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    email = EncryptedTextField()
    code = EncryptedTextField(null=True)
    salt = models.CharField(max_length=32)
    digest = models.BinaryField(max_length=32)
    language = models.CharField(max_length=8)
    wrong = models.PositiveSmallIntegerField(db_default=0, default=0)
    sent_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    died_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    objects = EmailCodeQuerySet.as_manager()

    class Meta:
        indexes = [
            *leases.indexes("support_emailcode"),
            models.Index(fields=["chat", "-id"], name="support_emailcode_of_chat"),
            models.Index(fields=["created_at"], name="support_emailcode_old"),
        ]

    def __str__(self) -> str:
        return f"code {self.pk}"


class ClaimedMessage(leases.Leased):
    """A client's message that was asked for: a mailbox, or a try of a code. A worker looks at it; AI never does."""

    message_id = models.BigIntegerField(unique=True)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=choices(TakenKind))

    objects = ClaimedMessageQuerySet.as_manager()

    class Meta:
        db_table = "support_takenmessage"
        indexes = leases.indexes("support_takenmessage")

    def __str__(self) -> str:
        return f"{self.kind} {self.message_id}"
