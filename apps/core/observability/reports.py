"""Error reports to Sentry, when a DSN is set: with the request's id, without secrets, bodies or personal data."""

from typing import Any

import sentry_sdk
from django.conf import settings

from apps.core.observability.logs import redact


def start() -> None:
    """Starts reporting in this process."""
    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        before_send=_without_secrets,
    )


def _without_secrets(event: Any, _hint: Any) -> Any:
    return _redacted(event)


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redacted(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_redacted(item) for item in value]
    return value
