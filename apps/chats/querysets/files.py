"""Named reads of files."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from apps.chats.rules.files import SCOPE_TO_READ, FilePurpose
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.chats.models import File  # noqa: F401 - named in the base below


class FileQuerySet(TenantQuerySet["File"]):
    """Files of a widget."""

    def attachments(self) -> FileQuerySet:
        """The files that belong to chats and can be sent in messages."""
        return self.filter(purpose=FilePurpose.ATTACHMENT)

    def readable_with(self, scopes: Collection[str]) -> FileQuerySet:
        """The files that a token with these scopes may read."""
        return self.exclude(purpose__in=[purpose for purpose, scope in SCOPE_TO_READ.items() if scope not in scopes])

    def of_visitors_since(self, since: datetime) -> FileQuerySet:
        """The files that visitors have uploaded since then. Index, of a widget: chats_file_of_visitors."""
        return self.filter(contact__isnull=False, created_at__gt=since)

    def unsent(self, before: datetime) -> FileQuerySet:
        """Visitors' uploads from before then that no message carries, the oldest first. Index: chats_file_unsent."""
        return self.filter(contact__isnull=False, is_sent=False, created_at__lte=before).order_by("created_at", "id")
