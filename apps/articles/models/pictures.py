"""The pictures of articles."""

import uuid

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.core.database.tenants import TenantQuerySet


class ArticlePicture(models.Model):
    """A picture that articles may show: `guid` is in its address, `key` names its bytes."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    guid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=255, editable=False)
    content_type = models.CharField(max_length=32, editable=False)
    width = models.PositiveSmallIntegerField(editable=False)
    height = models.PositiveSmallIntegerField(editable=False)
    size = models.PositiveIntegerField(editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ArticlePicture"].as_manager()

    def __str__(self) -> str:
        return str(self.guid)
