"""Named reads of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

from apps.core.database import fetch_one

if TYPE_CHECKING:
    from apps.chats.models import File  # noqa: F401 - named in the base below


class FileQuerySet(models.QuerySet["File"]):
    def of(self, widget_id: int) -> FileQuerySet:
        return self.filter(widget_id=widget_id)


def file_exists(*, widget_id: int, file_id: int) -> bool:
    sql = "SELECT 1 FROM chats_file WHERE id = %(file_id)s AND widget_id = %(widget_id)s"
    return fetch_one(sql, {"file_id": file_id, "widget_id": widget_id}) is not None
