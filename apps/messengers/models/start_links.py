"""The links by which visitors go on in a messenger."""

from django.db import models

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.core.database.tenants import TenantQuerySet


class StartLink(models.Model):
    """A visitor's way from the site into a messenger: whoever begins there with its token is `contact`, once.

    The token is in the link alone; it is found by its hash. A used one is deleted.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="+")
    channel = models.CharField(max_length=32)
    digest = models.BinaryField(unique=True, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    objects = TenantQuerySet["StartLink"].as_manager()

    def __str__(self) -> str:
        return f"{self.channel}: {self.contact_id}"
