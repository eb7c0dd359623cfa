"""Notes of contacts, and contacts that are one person."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models.contacts import Contact
from apps.core.database.tenants import TenantQuerySet


class ContactNote(models.Model):
    """An operator's note of a contact, for colleagues alone."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="notes")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ContactNote"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class ContactJoin(models.Model):
    """An operator's word that a contact is the same person as another (`first`). Nothing of either is moved."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.OneToOneField(Contact, models.CASCADE, related_name="join")
    first = models.ForeignKey(Contact, models.CASCADE, related_name="joins")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ContactJoin"].as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(contact=F("first")), name="chats_join_of_two")]

    def __str__(self) -> str:
        return f"#{self.contact_id}: {self.first_id}"
