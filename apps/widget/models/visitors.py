"""Visitors' sessions, offline forms, proved identities and spent proofs of work."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.core.database.tenants import TenantQuerySet
from apps.widget.querysets import VisitorSessionQuerySet


class VisitorSession(models.Model):
    """A browser of a visitor. It holds a visitor token, of which only a hash is kept."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="visitor_sessions")
    digest = models.BinaryField(unique=True, editable=False)
    page_url = models.CharField(max_length=2000, blank=True, db_default="", default="")
    lang = models.CharField(max_length=35, blank=True, db_default="", default="")
    user_agent = models.CharField(max_length=400, blank=True, db_default="", default="")
    referrer = models.CharField(max_length=4096, blank=True, db_default="", default="")
    time_zone = models.CharField(max_length=64, blank=True, db_default="", default="")
    # The last one, as rate limits count it (of IPv6 the network of 64 bits): what operators may block.
    address = models.CharField(max_length=45, blank=True, db_default="", default="")
    # The last pages of the visit, oldest first: `{"url", "at"}`, see rules/visits.py.
    pages = models.JSONField(blank=True, db_default=[], default=list)
    # The facts that the page has told while questions before a chat are on: `name`, `attributes.plan`.
    told = models.JSONField(blank=True, db_default=[], default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_seen_at = models.DateTimeField(db_default=Now(), editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Of a letter's link: the message from which on it sees the chat, and the address at which the letter was read.
    letter_first_id = models.BigIntegerField(null=True, blank=True, editable=False)
    letter_address = models.CharField(max_length=254, blank=True, db_default="", default="", editable=False)

    objects = VisitorSessionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class OfflineForm(models.Model):
    """A visitor's offline form: the message it carried.

    `email` and `mailed_id` are of processes of the release before: letters have rows of their own.
    """

    contact = models.OneToOneField(Contact, models.CASCADE, primary_key=True, related_name="away_form")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    message_id = models.BigIntegerField(db_default=0, default=0)
    email = models.CharField(max_length=254, blank=True, db_default="", default="")
    mailed_id = models.BigIntegerField(db_default=0, default=0)
    left_at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["OfflineForm"].as_manager()

    class Meta:
        db_table = "widget_awayform"
        indexes = [models.Index(fields=["left_at"], condition=~models.Q(email=""), name="widget_awayform_mails")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class UnsubscribedEmail(models.Model):
    """An address whose owner wants no more mail of a widget, for processes of the release before."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField()

    objects = TenantQuerySet["UnsubscribedEmail"].as_manager()

    class Meta:
        db_table = "widget_stoppedaddress"
        constraints = [models.UniqueConstraint(fields=["widget", "digest"], name="widget_stoppedaddress_once")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class VerifiedVisitor(models.Model):
    """The website's user whom a contact was proved to be: one contact for each user."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    user_id = models.CharField(max_length=128, editable=False)
    contact = models.OneToOneField(Contact, models.CASCADE, related_name="verified_visitor")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["VerifiedVisitor"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "user_id"], name="widget_verified_visitor_one")]

    def __str__(self) -> str:
        return self.user_id


class SpentChallenge(models.Model):
    """A proof of work that has made a visitor, kept until it expires: it makes no second one."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField(editable=False)
    expires_at = models.DateTimeField(editable=False)

    objects = TenantQuerySet["SpentChallenge"].as_manager()

    class Meta:
        db_table = "widget_usedproof"
        constraints = [models.UniqueConstraint(fields=["widget", "digest"], name="widget_used_proof_once")]
        indexes = [models.Index(fields=["expires_at"], name="widget_used_proof_expiry")]

    def __str__(self) -> str:
        return f"#{self.pk}"
