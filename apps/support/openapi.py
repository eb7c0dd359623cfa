"""The OpenAPI description of signed calls: the three headers beside the token."""

from typing import Any

from apps.core.plugins import DocumentAddition
from apps.support.rules.envelope import NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER

_HEADERS = {
    "signature": (
        SIGNATURE_HEADER,
        "`sha256=v1:` and the lowercase hex HMAC-SHA256 of five lines; the guide “Your own application” has samples.",
    ),
    "nonce": (NONCE_HEADER, "16 to 128 letters, digits, `_` and `-`; a new one for each call."),
    "timestamp": (TIMESTAMP_HEADER, "Unix seconds, at most 300 off."),
}


def document() -> dict[str, Any]:
    schemes = {
        name: {"type": "apiKey", "in": "header", "name": header, "description": text}
        for name, (header, text) in _HEADERS.items()
    }
    return {"components": {"securitySchemes": schemes}}


ADDITION = DocumentAddition(document)
