"""Reads STORAGE_URL: where uploaded files are kept."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from config.environment import InvalidSetting

LOCAL, S3 = "django.core.files.storage.FileSystemStorage", "storages.backends.s3.S3Storage"
# What people send is for the service alone: others on the machine see neither bytes nor names.
PRIVATE = {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
# Of one attempt, until there is a connection, and of silence from then on; all of a call has its own time
# (`apps/core/files/remote.py`).
CONNECT_SECONDS, SILENT_SECONDS, ATTEMPTS = 3, 10, 2

_FORMS = "STORAGE_URL must be file:///folder or s3://bucket/folder?region=…&endpoint=https://…&addressing=path|virtual"


def file_storage(url: str, default_folder: Path) -> dict[str, Any]:
    """Django's storage for uploaded files.

    Credentials of S3 are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or come from the machine's role. Raises
    InvalidSetting.
    """
    try:
        parts = urlsplit(url or default_folder.as_uri())
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise InvalidSetting(_FORMS) from None
    if parts.scheme == "file" and not parts.netloc and not options and parts.path not in ("", "/"):
        location = unquote(parts.path)
        return {"BACKEND": LOCAL, "OPTIONS": {"location": location, **PRIVATE}}
    if parts.scheme == "s3" and parts.netloc and "@" not in parts.netloc:
        return {"BACKEND": S3, "OPTIONS": _s3_options(parts, options)}
    raise InvalidSetting(_FORMS)


def _s3_options(parts: Any, options: dict[str, str]) -> dict[str, Any]:
    addressing = options.pop("addressing", "virtual")
    endpoint, region = options.pop("endpoint", None), options.pop("region", None)
    if (
        options
        or addressing not in ("path", "virtual")
        or (endpoint and not endpoint.startswith(("https://", "http://")))
    ):
        raise InvalidSetting(_FORMS)
    from boto3.s3.transfer import TransferConfig  # they take a while to load, and only S3 needs them
    from botocore.config import Config

    return {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        "endpoint_url": endpoint,
        "region_name": region,
        "default_acl": None,
        "file_overwrite": True,  # names are random: no need to ask whether one is taken
        "client_config": Config(
            signature_version="s3v4",
            s3={"addressing_style": addressing},
            connect_timeout=CONNECT_SECONDS,
            read_timeout=SILENT_SECONDS,
            retries={"total_max_attempts": ATTEMPTS, "mode": "standard"},
            # boto's own checksums in trailers are unknown to many who speak S3. What is signed is a hash of the bytes.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
        # A file is one PUT, read from where it is: nobody has to abort, or pays for, the parts of a failed upload.
        "transfer_config": TransferConfig(multipart_threshold=1024**3, use_threads=False),
    }
