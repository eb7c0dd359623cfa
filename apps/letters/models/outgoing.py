"""Outgoing mail: settings, threads with an addressee, letters on their way, addresses, and who was woken."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet


class Answers(models.TextChoices):
    """Whether answers that nobody has seen are mailed."""

    OFF = "off"
    ASK = "ask"
    ON = "on"


class LetterSettings(models.Model):
    """The choices of a widget's owner. A widget without a row is a new one, of which everything is by default.

    `is_offered` is of widgets whose switch was off when letters came: the cabinet offers them. Messages from before
    `since` are not mailed: switching letters on writes to nobody about old chats.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="letter_settings")
    answers = models.CharField(max_length=3, choices=Answers.choices, db_default=Answers.ON, default=Answers.ON)
    unseen_min = models.PositiveSmallIntegerField(db_default=5, default=5)
    of_ai = models.BooleanField(db_default=False, default=False)
    site = models.CharField(max_length=2048, blank=True, db_default="", default="")
    shop_address = models.CharField(max_length=254, blank=True, db_default="", default="")
    waiting_min = models.PositiveSmallIntegerField(db_default=10, default=10)
    waiting_words = models.BooleanField(db_default=False, default=False)
    is_offered = models.BooleanField(db_default=False, default=False, editable=False)
    since = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TenantQuerySet["LetterSettings"].as_manager()

    class Meta:
        verbose_name = "letter settings"
        verbose_name_plural = "letter settings"

    def __str__(self) -> str:
        return f"#{self.pk}"


class WidgetLetters(Widget):
    """A widget as the page of its letters sees it: there is one for each, whether its settings have a row or not."""

    class Meta:
        proxy = True


class LetterWish(models.Model):
    """A visitor who asked for letters to `email`, of what comes after a message (the setting `ask`).

    An empty `email`: they want none.
    """

    contact = models.OneToOneField(Contact, models.CASCADE, primary_key=True, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    email = models.CharField(max_length=254, blank=True, db_default="", default="")
    after_id = models.BigIntegerField(db_default=0, default=0)
    asked_at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["LetterWish"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class Thread(models.Model):
    """A chat's correspondence with one address.

    `address` is in small letters. A letter that names `right` may answer into the chat; it is found by `digest`. A
    letter session sees the chat from `first_id` on; messages up to `mailed_id` were mailed, or came before.
    `references` are the Message-IDs of both sides, oldest first: the first one and the last 19.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    address = models.CharField(max_length=254)
    right = EncryptedTextField(editable=False)
    digest = models.BinaryField(unique=True, editable=False)
    subject = models.CharField(max_length=255, blank=True, db_default="", default="")
    copies = ArrayField(models.CharField(max_length=254), db_default=[], default=list)
    first_id = models.BigIntegerField(db_default=0, default=0)
    mailed_id = models.BigIntegerField(db_default=0, default=0)
    references = ArrayField(models.CharField(max_length=998), db_default=[], default=list)
    dead_at = models.DateTimeField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True, help_text="When the last answer came by mail.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Thread"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chat", "address"], name="letters_thread_one_an_address")]
        indexes = [models.Index(fields=["widget", "address"], name="letters_thread_address")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class OutLetter(leases.Leased):
    """A letter of a thread, on its way or sent; what it says is read of the chat when it is sent.

    Its Message-ID and the envelope's sender hold `right`. `server_id` is the id that a mail server gave it in place of
    its own. `message_ids` are the messages that it carries.
    """

    class Kind(models.TextChoices):
        ANSWER = "answer"
        MAILBOX = "mailbox"

    class State(models.TextChoices):
        QUEUED = "queued"
        SENT = "sent"
        FAILED = "failed"
        DROPPED = "dropped"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    thread = models.ForeignKey(Thread, models.CASCADE, related_name="letters", db_index=False)
    kind = models.CharField(max_length=8, choices=Kind.choices, db_default=Kind.ANSWER, default=Kind.ANSWER)
    right = EncryptedTextField(editable=False)
    digest = models.BinaryField(unique=True, editable=False)
    message_id = models.CharField(max_length=255, editable=False)
    server_id = models.CharField(max_length=255, blank=True, db_default="", default="", editable=False)
    message_ids = ArrayField(models.BigIntegerField(), db_default=[], default=list)
    last_message_id = models.BigIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, db_default=State.QUEUED, default=State.QUEUED)
    code = models.CharField(max_length=32, blank=True, db_default="", default="")
    detail = models.CharField(max_length=500, blank=True, db_default="", default="")
    queued_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)

    objects = TenantQuerySet["OutLetter"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["thread", "last_message_id"], name="letters_outletter_one_a_message")
        ]
        indexes = [
            *leases.indexes("letters_outletter"),
            models.Index(fields=["server_id"], condition=~models.Q(server_id=""), name="letters_outletter_server"),
            models.Index(fields=["widget", "-queued_at"], name="letters_outletter_list"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Address(models.Model):
    """An address as a widget's letters know it: by its digest, which is all that is left of it after an erasure.

    An address that wants no more letters has `stopped_at`. `unopened` counts the letters since the last sign of life.
    `proven_by` says whose word it is: the owner's, a letter's or a code's; `contact` is who proved it.
    """

    class Proof(models.TextChoices):
        OWNER = "owner"
        LETTER = "letter"
        CODE = "code"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField(editable=False)
    email = models.CharField(max_length=254, blank=True, db_default="", default="")
    contact = models.ForeignKey(Contact, models.SET_NULL, null=True, blank=True, related_name="+")
    proven_at = models.DateTimeField(null=True, blank=True)
    proven_by = models.CharField(max_length=8, choices=Proof.choices, blank=True, db_default="", default="")
    dead_at = models.DateTimeField(null=True, blank=True)
    dead_detail = models.CharField(max_length=500, blank=True, db_default="", default="")
    stopped_at = models.DateTimeField(null=True, blank=True)
    unopened = models.PositiveIntegerField(db_default=0, default=0)

    objects = TenantQuerySet["Address"].as_manager()

    class Meta:
        verbose_name_plural = "addresses"
        constraints = [models.UniqueConstraint(fields=["widget", "digest"], name="letters_address_once")]

    def __str__(self) -> str:
        return self.email or f"#{self.pk}"


class NoticeSettings(models.Model):
    """Whether an operator is woken by mail, and the hours in which they are not: {from, to, zone}."""

    agent = models.OneToOneField(Agent, models.CASCADE, primary_key=True, related_name="notice_settings")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    waiting = models.BooleanField(db_default=True, default=True)
    quiet = models.JSONField(null=True, blank=True)

    objects = TenantQuerySet["NoticeSettings"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class Notice(models.Model):
    """A letter that told an operator (the owner, without one) that somebody waits: since `newest` at the latest."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+")
    newest = models.DateTimeField(help_text="Since when the last of those who were told of waits.")
    sent_at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["Notice"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["widget", "agent", "-sent_at"], name="letters_notice_last")]

    def __str__(self) -> str:
        return f"#{self.pk}"
