"""Messages and their files."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent
from apps.chats.models.chats import Chat
from apps.chats.models.choices import choices
from apps.chats.models.contacts import Contact
from apps.chats.querysets import (
    MessageQuerySet,
)
from apps.chats.querysets.counted_messages import COUNTED
from apps.chats.querysets.edits import MessageEditQuerySet
from apps.chats.querysets.files import FileQuerySet
from apps.chats.rules import MessageType, SenderKind, Via
from apps.chats.rules.edits import MessageChange
from apps.chats.rules.files import FilePurpose


class Message(models.Model):
    """A message of a chat. Within a chat, the order of ids is the order of commits: the order of the talk."""

    chat = models.ForeignKey(Chat, models.CASCADE, related_name="messages", db_index=False)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    type = models.CharField(max_length=8, choices=choices(MessageType), db_default=MessageType.TEXT)
    body = models.TextField(blank=True, db_default="", default="")
    markdown = models.TextField(null=True, blank=True)  # noqa: DJ001 - not sent and empty differ
    details = models.JSONField(
        null=True, blank=True, help_text="What the type adds: {coords}, {sticker}, {keyboard} or {file}."
    )
    origin = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001
    via = models.CharField(max_length=16, choices=choices(Via), null=True, blank=True)  # noqa: DJ001 - of most, none
    sender_kind = models.CharField(max_length=17, choices=choices(SenderKind))
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    sender_name = models.CharField(max_length=511, db_default="", default="", blank=True)
    # Of a visitor's message: the language and the page it was written in; of an AI's: the assistant that wrote it.
    language = models.CharField(max_length=16, null=True, blank=True, editable=False)  # noqa: DJ001 - unknown is no text
    page = models.CharField(max_length=500, null=True, blank=True, editable=False)  # noqa: DJ001 - unknown is no text
    assistant_id = models.BigIntegerField(null=True, blank=True, editable=False)  # no reference: an assistant may go
    is_internal = models.BooleanField(
        db_default=False, default=False, help_text="For operators only: a note, an operator-only e-mail."
    )
    delivery = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="Of one that goes to a messenger: {state, code, detail, attempts, at}.",
    )
    client_id = models.UUIDField(null=True, blank=True, help_text="Named by the sender; makes sending repeatable.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(null=True, blank=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["chat", "client_id"], condition=Q(client_id__isnull=False), name="chats_message_client_id"
            )
        ]
        indexes = [
            models.Index(fields=["chat", "id"], name="chats_message_in_chat"),
            models.Index(fields=["chat", "-created_at", "-id"], name="chats_message_list"),
            models.Index(
                fields=["widget", "created_at"],
                condition=COUNTED,
                name="chats_message_counted",
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class MessageEdit(models.Model):
    """A message as it was before its operator edited or deleted it: its former text and what it carried.

    The ids of a chat are in the order of commits, so sockets go on after one.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    message = models.ForeignKey(Message, models.CASCADE, related_name="edits")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    change = models.CharField(max_length=8, choices=choices(MessageChange))
    type = models.CharField(max_length=8, choices=choices(MessageType))
    body = models.TextField(blank=True, db_default="", default="")
    markdown = models.TextField(null=True, blank=True)  # noqa: DJ001 - not sent and empty differ
    details = models.JSONField(null=True, blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    objects = MessageEditQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["chat", "id"], name="chats_messageedit_in_chat")]

    def __str__(self) -> str:
        return f"#{self.message_id}: {self.change}"


class File(models.Model):
    """A file of the widget: what is known of it. Its bytes are in the storage, under a random name.

    It came through the API (`token`), or from a visitor (`contact`), who alone may send it as a visitor's message. A
    visitor's upload that no message carries is deleted a day later. Only an attachment is of a chat.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="files")
    token = models.ForeignKey(ApiToken, models.SET_NULL, null=True, blank=True, related_name="+")
    contact = models.ForeignKey(Contact, models.CASCADE, null=True, blank=True, related_name="files")
    name = models.CharField(max_length=255, help_text="The original name, without a path.")
    size = models.BigIntegerField(help_text="Bytes.")
    content_type = models.CharField(max_length=100, help_text="Found in the content; what the sender said is not kept.")
    storage_key = models.CharField(max_length=64, unique=True, editable=False)
    sha256 = models.BinaryField(max_length=32, editable=False)
    is_sent = models.BooleanField(default=False, db_default=False, editable=False, help_text="A message carries it.")
    purpose = models.CharField(
        max_length=16, choices=choices(FilePurpose), default="attachment", db_default="attachment", editable=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = FileQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(size__gt=0), name="chats_file_not_empty")]
        indexes = [
            models.Index(
                fields=["widget", "created_at"],
                include=["contact", "size"],
                condition=Q(contact__isnull=False),
                name="chats_file_of_visitors",
            ),
            models.Index(
                fields=["created_at", "id"], condition=Q(contact__isnull=False, is_sent=False), name="chats_file_unsent"
            ),
        ]

    def __str__(self) -> str:
        return self.name
