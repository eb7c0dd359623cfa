"""The webhooks of the OpenAPI document that external operators are sent."""

from typing import Any

from apps.ai.payloads import DeliveryTest, TurnCancelled, TurnCreated
from apps.ai.rules import turn_states
from apps.core import destinations
from apps.core.payloads import Schema, example_of, object_schema, webhook
from apps.core.plugins import DocumentAddition

# What a schema can't say.
GUIDE = "/api/docs/guides/external-operators"
_EVENT_ID = "2d3f7a58-9b4e-4a43-8f1e-0f6f2c9b7d11"
_MESSAGE = {
    "id": 42,
    "chat_id": 7,
    "type": "text",
    "body": "How much are roses?",
    "markdown": None,
    "file": None,
    "name": None,
    "url": None,
    "coords": None,
    "files": [],
    "sticker": None,
    "unsupported": None,
    "edited_at": None,
    "deleted_at": None,
    "sources": [],
    "ai": False,
    "keyboard": None,
    "origin": None,
    "translated_from": None,
    "sender": {"kind": "client", "agent_id": None, "name": "Ivan"},
    "agent_id": None,
    "created_at": "2026-11-25T08:30:00Z",
    "seen_at": None,
}
_DECLARED: dict[str, tuple[str, Any, str]] = {
    turn_states.CREATED: (
        "TurnCreatedEvent",
        TurnCreated,
        (
            "Posted to an external operator when a visitor waits for its answer. Any 2xx within 15 seconds takes the "
            "turn; the answer is a `POST /v1/ai/replies`, then or later, once, until `deadline_at`."
        ),
    ),
    turn_states.CANCELLED: (
        "TurnCancelledEvent",
        TurnCancelled,
        "Posted when a turn that was taken has ended without its reply: nothing is to be done any more.",
    ),
    turn_states.TEST: (
        "DeliveryTestEvent",
        DeliveryTest,
        "A synthetic probe, one attempt. An HMAC of `challenge` proves the address; nothing else is sent there before.",
    ),
}


def document() -> Schema:
    """The app's part of the OpenAPI document; nothing unless an app that delivers is installed."""
    if not destinations.is_available():
        return {}
    return {
        "webhooks": {name: {"post": _request(name)} for name in _DECLARED},
        "components": {"schemas": {component: _schema(name) for name, (component, _, _) in _DECLARED.items()}},
    }


def _request(name: str) -> Schema:
    component, data, says = _DECLARED[name]
    return webhook(
        name,
        summary=name,
        description=f"{says}\n\nMore headers say whose it is and which: [the guide]({GUIDE}).",
        schema=component,
        example={"id": _EVENT_ID, "type": name, "data": _example(data)},
    )


def _example(data: Any) -> Schema:
    """With whole messages, as the API shows them."""
    example = example_of(data)
    return example | {member: [_MESSAGE] for member in ("messages", "history") if member in example}


def _schema(name: str) -> Schema:
    data = object_schema(_DECLARED[name][1])
    for member in ("messages", "history"):
        if member in data["properties"]:
            data["properties"][member]["items"] = {"$ref": "#/components/schemas/Message"}
    return {
        "type": "object",
        "description": data["description"],
        "required": ["id", "type", "data"],
        "properties": {
            "id": {
                "type": "string",
                "format": "uuid",
                "description": "The event's id, also in `X-Service-Idempotency-Key`.",
            },
            "type": {"type": "string", "const": name},
            "data": data,
        },
    }


ADDITION = DocumentAddition(document)
