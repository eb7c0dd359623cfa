"""Named reads of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.chats.models import File  # noqa: F401 - named in the base below


class FileQuerySet(TenantQuerySet["File"]):
    """Files of a widget."""
