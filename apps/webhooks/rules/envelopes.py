"""Bodies of webhooks and their signature (specification, "Webhook signature verification")."""

import hmac
import secrets
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import orjson

from apps.webhooks.rules.catalogue import CATALOGUE

# --- Bodies -----------------------------------------------------------------------------------------------------------


def native_body(event_id: UUID, event_type: str, data: Mapping[str, Any], *, widget_guid: str) -> str:
    """The JSON text `{id, type, data}` of an event, built once and sent as these very bytes at every attempt."""
    document = {"id": str(event_id), "type": event_type, "data": {**data, "button_guid": widget_guid}}
    return orjson.dumps(document).decode()


def legacy_body(native: str) -> str:
    """The legacy envelope of the same event, always the same text for the same event.

    `event_name, widget_id, chat_id, agent {id}`, then the native fields under their own names.
    """
    document = orjson.loads(native)
    data: dict[str, Any] = document["data"]
    widget_guid = data.pop("button_guid")
    envelope: dict[str, Any] = {"event_name": CATALOGUE[document["type"]].legacy_name, "widget_id": widget_guid}
    if "chat_id" in data:
        envelope["chat_id"] = data["chat_id"]
    agent_id = data.get("operator_id", data.get("to_operator_id"))
    if agent_id is not None:
        envelope["agent"] = {"id": agent_id}
    return orjson.dumps({**envelope, **data}).decode()


def wire_name(event_type: str, *, is_legacy: bool) -> str:
    """The value of `X-Service-Event`: the event's name in the receiver's vocabulary."""
    return (CATALOGUE[event_type].legacy_name or event_type) if is_legacy else event_type


# --- Secrets and signatures -------------------------------------------------------------------------------------------

SECRET_PREFIX = "whsec_"  # noqa: S105 - what a generated secret begins with


MIN_SECRET_LENGTH, MAX_SECRET_LENGTH = 16, 255


def new_secret() -> str:
    """A fresh signing secret: `whsec_` and 256 random bits."""
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def signature(secret: bytes, body: bytes) -> str:
    """The value of `X-Service-Signature`: HMAC-SHA256 of the raw body, in lowercase hex."""
    return "sha256=v1:" + hmac.digest(secret, body, "sha256").hex()
