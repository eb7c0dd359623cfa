"""Contacts and their tags."""

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Account, Widget, new_guid
from apps.chats.querysets import (
    ContactQuerySet,
    ContactTagQuerySet,
    TagQuerySet,
)
from apps.chats.questions import alias_languages
from apps.chats.rules.aliases import alias_of
from apps.chats.rules.contacts import MAX_EXTERNAL_ID, MAX_TAG
from apps.core.database.fields import JsonNumbers


class Contact(models.Model):
    """A visitor as the widget's customer knows them.

    One without name, e-mail and phone, as most are, is found by no search. `external_id` is the website's user whom the
    contact was proved to be, and `consents` are those that they gave, or refused, the newest first: triggers copy both
    (`widget/triggers.sql`), nothing else writes them.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="contacts")
    guid = models.CharField(max_length=32, unique=True, default=new_guid, editable=False)
    name = models.CharField(max_length=255, blank=True, db_default="", default="")
    email = models.CharField(max_length=254, blank=True, db_default="", default="")
    phone = models.CharField(max_length=32, blank=True, db_default="", default="")
    attributes = models.JSONField(db_default={}, default=dict, blank=True, decoder=JsonNumbers)
    external_id = models.CharField(max_length=MAX_EXTERNAL_ID, null=True, editable=False)  # noqa: DJ001 - unknown is no text
    consents = models.JSONField(null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ContactQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="chats_contact_list"),
            models.Index(
                fields=["widget", "-created_at", "-id"],
                condition=Q(name__gt="") | Q(email__gt="") | Q(phone__gt=""),
                name="chats_contact_known",
            ),
            models.Index(
                fields=["widget", "external_id"],
                condition=Q(external_id__isnull=False),
                name="chats_contact_external",
            ),
            # docs/adr/0010. A search must not read what was inserted lately entry by entry: no long pending list.
            GinIndex(
                models.Func("widget_id", "name", "email", "phone", function="chats_contact_entries"),
                name="chats_contact_found",
                gin_pending_list_limit=256,
            ),
        ]

    def __str__(self) -> str:
        """The name, else an alias as in the console: no address, as the audit trail keeps it."""
        return self.name or alias_of(self.guid, alias_languages([self.widget_id]).get(self.widget_id, "en"))


class Tag(models.Model):
    """A tag's name, of one account; its contacts may be of any of the account's widgets."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="tags", db_index=False)
    # Sorted by code point, on every database.
    name = models.CharField(max_length=MAX_TAG, db_collation="C")

    objects = TagQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "name"], name="chats_tag_once")]
        indexes = [models.Index("account", models.Func("name", function="chats_alike"), name="chats_tag_alike")]

    def __str__(self) -> str:
        return self.name


class ContactTag(models.Model):
    """A tag on a contact."""

    contact = models.ForeignKey(Contact, models.CASCADE, related_name="+", db_index=False)
    tag = models.ForeignKey(Tag, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ContactTagQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["contact", "tag"], name="chats_contacttag_once")]

    def __str__(self) -> str:
        return f"{self.contact_id}: {self.tag_id}"
