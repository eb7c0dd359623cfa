"""Incoming mail: mailboxes that are channels, the reading of a mailbox, and letters as they came."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.chats.models import Chat, Contact, Message
from apps.chats.models.choices import choices
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet
from apps.letters.models.outgoing import Thread
from apps.letters.rules.mailboxes import Ai, Door, LetterKind, mailbox_channel
from apps.letters.rules.reading.proofs import Proof
from apps.letters.rules.server_problems import ServerProblem
from apps.letters.rules.standing import Standing


class Mailbox(models.Model):
    """A shop's mailbox as a channel: what comes to `address` becomes chats, and answers leave from it.

    It is read by `imap`, or delivers to a hook whose address ends with `hook_key`; answers leave by `smtp`, without one
    by the installation's mail server. The results of servers named in `authserv_ids` are believed. Senders that
    write for others, as a form of the shop's page does, are in `form_senders`.

    `proved_at`: the mailbox is the widget's, by a code that was mailed to it. Before, it receives, but nothing
    leaves under its address. `proof_letter` is the id of the letter with the code, `proof_code` the code's digest.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="mailboxes")
    address = models.CharField(max_length=254)
    name = models.CharField(max_length=255, blank=True, db_default="", default="")
    department = models.ForeignKey(Department, models.SET_NULL, null=True, blank=True, related_name="+")
    imap = EncryptedTextField(null=True, blank=True)
    smtp = EncryptedTextField(null=True, blank=True)
    signature = models.TextField(blank=True, db_default="", default="")
    ai = models.CharField(max_length=8, choices=choices(Ai), db_default=Ai.OFF, default=Ai.OFF)
    authserv_ids = ArrayField(models.CharField(max_length=255), db_default=[], default=list, blank=True)
    form_senders = ArrayField(models.CharField(max_length=254), db_default=[], default=list, blank=True)
    hook_key = EncryptedTextField(editable=False)
    digest = models.BinaryField(unique=True, editable=False)
    last_inbound_at = models.DateTimeField(null=True, blank=True, editable=False)
    proved_at = models.DateTimeField(null=True, blank=True, editable=False)
    proof_letter = models.UUIDField(null=True, editable=False)
    proof_code = models.BinaryField(null=True, editable=False)
    proof_asked_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Mailbox"].as_manager()

    class Meta:
        verbose_name_plural = "mailboxes"
        constraints = [models.UniqueConstraint(fields=["widget", "address"], name="letters_mailbox_one_an_address")]

    def __str__(self) -> str:
        return self.address

    @property
    def channel(self) -> str:
        """The channel's name in chats."""
        return mailbox_channel(self.pk)


class ReadJob(leases.Leased):
    """The reading of a mailbox by IMAP; without one, of the installation's (MAIL_INBOX).

    The place reached is kept with the rows of what was read: the folder's UIDVALIDITY, and the UID.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    mailbox = models.OneToOneField(Mailbox, models.CASCADE, null=True, blank=True, related_name="reading")
    # The turn that it is read in: the widget's id, 0 of the installation, since null takes no turn.
    turn_of = models.BigIntegerField(db_default=0, default=0, editable=False)
    uid_validity = models.BigIntegerField(null=True, blank=True)
    last_uid = models.BigIntegerField(db_default=0, default=0)
    problem_code = models.CharField(
        max_length=24, choices=choices(ServerProblem), blank=True, db_default="", default=""
    )
    problem_detail = models.CharField(max_length=255, blank=True, db_default="", default="")
    problem_at = models.DateTimeField(null=True, blank=True)
    connected_at = models.DateTimeField(null=True, blank=True)

    objects = TenantQuerySet["ReadJob"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                models.Value(1), condition=models.Q(mailbox__isnull=True), name="letters_readjob_installation"
            )
        ]
        indexes = leases.indexes("letters_readjob", fair_by="turn_of")

    def __str__(self) -> str:
        return str(self.mailbox_id or "installation")


class InLetter(models.Model):
    """A letter as it came by a door, and what became of it.

    Its raw form lies in the storage under `raw_key` until its row ends: with its message, or after some days. `sender`
    is From's address, `recipient` and `envelope_sender` are the envelope's (null where the door does not tell it).
    `letter_id` is its Message-ID, `key` what the same letter is known by, whichever door it comes by. `thread` is whose
    right it named.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    mailbox = models.ForeignKey(Mailbox, models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    door = models.CharField(max_length=8, choices=choices(Door))
    raw_key = models.CharField(max_length=64, blank=True, db_default="", default="", editable=False)
    size = models.PositiveIntegerField(db_default=0, default=0)
    recipients = ArrayField(models.CharField(max_length=254), db_default=[], default=list)
    envelope_sender = models.CharField(max_length=254, null=True, blank=True)  # noqa: DJ001 - unknown and empty differ
    sender = models.CharField(max_length=254, blank=True, db_default="", default="")
    sender_name = models.CharField(max_length=255, blank=True, db_default="", default="")
    subject = models.CharField(max_length=1000, blank=True, db_default="", default="")
    letter_id = models.CharField(max_length=998, blank=True, db_default="", default="")
    copies = ArrayField(models.CharField(max_length=254), db_default=[], default=list)
    key = models.CharField(max_length=64, blank=True, db_default="", default="", editable=False)
    kind = models.CharField(
        max_length=10, choices=choices(LetterKind), db_default=LetterKind.WAITING, default=LetterKind.WAITING
    )
    reason = models.CharField(max_length=40, blank=True, db_default="", default="")
    proof = models.CharField(max_length=4, choices=choices(Proof), blank=True, db_default="", default="")
    # Empty: of a letter in no chat, or of one from before standings were noted.
    standing = models.CharField(
        max_length=8, choices=choices(Standing), blank=True, db_default="", default="", editable=False
    )
    is_third = models.BooleanField(db_default=False, default=False)
    is_cut = models.BooleanField(db_default=False, default=False)
    is_for_people = models.BooleanField(db_default=True, default=True, help_text="Whether AI leaves it to people.")
    # Digests of the pictures in its markup: what comes again is a signature's.
    pictures = ArrayField(models.CharField(max_length=32), db_default=[], default=list, editable=False)
    # The whole letter of a message as operators see it (rules/reading/whole.py); null of one from before it was kept.
    shown = models.JSONField(null=True, blank=True, editable=False)
    # Of a letter of ours that came back alone: what the receiving server found, by method.
    results = models.JSONField(null=True, blank=True, editable=False)
    thread = models.ForeignKey(Thread, models.SET_NULL, null=True, blank=True, related_name="+")
    chat = models.ForeignKey(Chat, models.CASCADE, null=True, blank=True, related_name="+")
    message = models.ForeignKey(Message, models.CASCADE, null=True, blank=True, related_name="+")
    tries = models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    handled_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TenantQuerySet["InLetter"].as_manager()

    class Meta:
        verbose_name = "letter"
        indexes = [
            models.Index(
                fields=["sender", "id"], condition=models.Q(handled_at__isnull=True), name="letters_inletter_open"
            ),
            models.Index(fields=["key"], condition=~models.Q(key=""), name="letters_inletter_key"),
            models.Index(fields=["sender", "received_at"], name="letters_inletter_sender"),
            models.Index(fields=["mailbox", "received_at"], name="letters_inletter_door"),
            models.Index(fields=["widget", "kind", "-id"], name="letters_inletter_list"),
            models.Index(fields=["received_at"], name="letters_inletter_age"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class SenderJob(leases.Leased):
    """A sender whose letters are to be read, one after the other, oldest first. A letter without one is its own's."""

    sender = models.CharField(max_length=254, unique=True)

    class Meta:
        indexes = leases.indexes("letters_senderjob", fair_by=None)

    def __str__(self) -> str:
        return self.sender


class Correspondent(models.Model):
    """A writer to a mailbox, and the contact that they are there. `subject` is of their last letter."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    mailbox = models.ForeignKey(Mailbox, models.CASCADE, related_name="+")
    address = models.CharField(max_length=254)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="+")
    subject = models.CharField(max_length=1000, blank=True, db_default="", default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Correspondent"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["mailbox", "address"], name="letters_correspondent_once")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class GatherJob(leases.Leased):
    """A mailbox's chat whose answers gather: they leave as one letter once none has come for a while."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.OneToOneField(Chat, models.CASCADE, related_name="+")

    objects = TenantQuerySet["GatherJob"].as_manager()

    class Meta:
        indexes = leases.indexes("letters_gatherjob")

    def __str__(self) -> str:
        return f"#{self.pk}"
