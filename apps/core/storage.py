"""Where the bytes of files are: Django's default storage (a local folder, or S3), under random names.

Owns no knowledge of what a file is, whose it is or who may read it: that is in the rows which keep the names.
"""

import logging
import secrets
from typing import IO

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.utils.http import content_disposition_header

logger = logging.getLogger(__name__)

DIRECT_SECONDS = 300


class StorageFailed(Exception):
    """The storage could not be reached, or has no room."""


def keep(content: IO[bytes]) -> str:
    """Stores the bytes; returns the random name to find them by. Raises StorageFailed."""
    name = secrets.token_hex(16)
    try:
        return default_storage.save(f"{name[:2]}/{name[2:]}", File(content))
    except Exception as error:
        # Any: an S3 client raises exceptions of its own, a local one OSError.
        logger.exception("the storage failed to keep a file")
        raise StorageFailed from error


def drop(key: str) -> None:
    """Forgets the bytes of that name. A storage that fails keeps them: no row names them, so nobody can read them."""
    try:
        default_storage.delete(key)
    except Exception:
        logger.exception("the storage failed to drop a file")


def open_kept(key: str) -> IO[bytes]:
    """The bytes of that name, to be read and closed. Raises StorageFailed."""
    try:
        return default_storage.open(key, "rb")
    except Exception as error:
        logger.exception("the storage failed to open a file")
        raise StorageFailed from error


def direct_address(key: str, *, disposition: str, content_type: str) -> str | None:
    """A signed address at the storage itself, valid for 5 minutes; None where files are served by this service."""
    if not settings.STORAGE_IS_REMOTE:
        return None
    said = {"ResponseContentDisposition": disposition, "ResponseContentType": content_type}
    return default_storage.url(key, parameters=said, expire=DIRECT_SECONDS)  # type: ignore[call-arg]


def disposition(name: str, *, inline: bool) -> str:
    """The Content-Disposition of a file of that name."""
    return content_disposition_header(not inline, name) or "attachment"
