"""Named reads of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from apps.chats.models import File  # noqa: F401 - named in the base below


class FileQuerySet(models.QuerySet["File"]):
    def of(self, widget_id: int) -> FileQuerySet:
        return self.filter(widget_id=widget_id)
