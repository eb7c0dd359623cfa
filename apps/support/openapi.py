"""The OpenAPI description of signed calls, and of the members of the desk's problems."""

from typing import Any

from apps.core.plugins import DocumentAddition
from apps.core.problems import ID, STRING, members_of
from apps.support.rules.envelope import NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER

_HEADERS = {
    "signature": (
        SIGNATURE_HEADER,
        "`sha256=v1:` and the lowercase hex HMAC-SHA256 of five lines; the guide “Your own application” has samples.",
    ),
    "nonce": (NONCE_HEADER, "16 to 128 letters, digits, `_` and `-`; a new one for each call."),
    "timestamp": (TIMESTAMP_HEADER, "Unix seconds, at most 300 off."),
}


# Every problem of the desk has a `reason`; those of a write at its gate also the number of its record.
_MEMBERS = {
    "reason": {**STRING, "description": "At the support desk the same as `code`."},
    "action_id": {**ID, "description": "At the support desk the record of a refused write."},
    "previous": {
        **members_of(
            null=True,
            action_id=ID,
            kind=STRING,
            status=STRING,
            message_id={"type": ["integer", "null"], "format": "int64"},
            ticket_effect=members_of(null=True, ticket={"type": ["integer", "null"], "format": "int64"}, effect=STRING),
        ),
        "description": "At the support desk, of `idempotency_key_reused`: the action that used the key.",
    },
}


def document() -> dict[str, Any]:
    schemes = {
        name: {"type": "apiKey", "in": "header", "name": header, "description": text}
        for name, (header, text) in _HEADERS.items()
    }
    return {"components": {"securitySchemes": schemes}, "problem_members": _MEMBERS}


ADDITION = DocumentAddition(document)
