"""The webhooks of the OpenAPI document: the bodies of each event, in either vocabulary.

The headers and the meaning of answers are the same for all deliveries, those of other apps' destinations too.
"""

from uuid import UUID

import orjson

from apps.core.payloads import HEADERS, Schema, example_of, object_schema, webhook
from apps.core.plugins import DocumentAddition
from apps.webhooks import rules
from apps.webhooks.payloads import EveryEvent
from apps.webhooks.rules import CATALOGUE, LEGACY_NAMES, MAX_ATTEMPTS, EventType

# What a schema can't say.
GUIDE = "/api/docs/guides/webhooks"

_EVENT_ID = str(UUID("0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51"))
_UUID: Schema = {"type": "string", "format": "uuid"}
# Each header by its schema, an example, and what it says (specification, "Delivery request").
_HEADERS_SAY: dict[str, tuple[Schema, str, str]] = {
    "X-Service-Event": (
        {"type": "string"},
        "message.created",
        "The event's name; its legacy name, if the subscription is one for legacy events.",
    ),
    "X-Service-Signature": (
        {"type": "string", "pattern": "^sha256=v1:[0-9a-f]{64}$"},
        "sha256=v1:" + 32 * "5c",
        "`sha256=v1:` and, in hex, the HMAC-SHA256 of the raw body with the receiver's secret as its key.",
    ),
    "X-Service-Idempotency-Key": (
        _UUID,
        _EVENT_ID,
        "The event's id, as in a native body, at every attempt and redelivery: who has seen it drops the request.",
    ),
    "X-Service-Delivery": (
        _UUID,
        "7d0f9c1e-2a64-4b0e-8a0d-1f8f6f0c9b27",
        "Names this delivery of the event to this receiver; the same at every attempt.",
    ),
    "X-Service-Timestamp": (
        {"type": "string", "pattern": "^[0-9]+$"},
        "1795257900",
        "Unix time of sending: another one at each attempt, and not signed.",
    ),
}


def document() -> Schema:
    """The app's part of the OpenAPI document: its `webhooks`, and the components that all webhooks refer to."""
    legacy = [CATALOGUE[name] for name in LEGACY_NAMES.values()]
    return {
        "webhooks": {
            **{event.name: {"post": _native(event)} for event in CATALOGUE.values()},
            **{str(event.legacy_name): {"post": _legacy(event)} for event in legacy},
        },
        "components": {
            "schemas": {
                **{_component(event): body_schema(event) for event in CATALOGUE.values()},
                **{_legacy_component(event): legacy_schema(event) for event in legacy},
            },
            "parameters": {name: _parameter(name, *_HEADERS_SAY[name]) for name in HEADERS},
            "responses": {
                "Delivered": {"description": "Delivered. The body of the answer is not read."},
                "NotDelivered": {"description": _anything_else()},
            },
        },
    }


def body_schema(event: EventType) -> Schema:
    """The JSON Schema of the event's body `{id, type, data}`. Members may be added to it; receivers pass them over."""
    return _object(
        {
            "id": {**_UUID, "description": "The event's id, also in `X-Service-Idempotency-Key`."},
            "type": {"type": "string", "const": event.name},
            "data": object_schema(event.data, EveryEvent),
        },
        f"The body sent when {event.fires_when}.",
    )


def legacy_schema(event: EventType) -> Schema:
    """The same in the legacy envelope, as `rules.legacy_body` writes it."""
    data = object_schema(event.data, EveryEvent)["properties"]
    widget_id = data.pop("button_guid")
    envelope = {"event_name": {"type": "string", "const": event.legacy_name}, "widget_id": widget_id}
    if "chat_id" in data:
        envelope["chat_id"] = data["chat_id"]
    if operator_id := data.get("operator_id") or data.get("to_operator_id"):
        envelope["agent"] = _object({"id": operator_id}, "The agent of the event.")
    return _object({**envelope, **data}, f"The body sent in the legacy vocabulary when {event.fires_when}.")


def example_body(event: EventType) -> Schema:
    """A body as it could be sent."""
    return {"id": _EVENT_ID, "type": event.name, "data": example_of(event.data, EveryEvent)}


def _component(event: EventType) -> str:
    """`message.created` is the component MessageCreatedEvent."""
    return f"{event.data.__name__.removesuffix('Data')}Event"


def _legacy_component(event: EventType) -> str:
    return f"Legacy{_component(event)}"


def _parameter(name: str, schema: Schema, example: str, description: str) -> Schema:
    described = {"description": description, "schema": schema, "example": example}
    return {"name": name, "in": "header", "required": True, **described}


def _native(event: EventType) -> Schema:
    return webhook(
        event.name,
        summary=event.name,
        description="\n\n".join(_says(event)),
        schema=_component(event),
        example=example_body(event),
    )


def _legacy(event: EventType) -> Schema:
    native = orjson.dumps(example_body(event)).decode()
    return webhook(
        f"legacy.{event.legacy_name}",
        summary=str(event.legacy_name),
        description=f"`{event.name}` as it is told to a subscription with `is_legacy_compat`: what a bot or a system "
        "that came from the other platform names as its address for events. At least once, in no particular order.",
        schema=_legacy_component(event),
        example=orjson.loads(rules.legacy_body(native)),
    )


_FROZEN = {True: "Its name is frozen.", False: "Its name is not frozen yet."}
_ENABLED = {
    True: "Enabled platform-wide from the start.",
    False: "Not enabled platform-wide at first: subscriptions are accepted, and nothing is delivered until it is.",
}


def _says(event: EventType) -> list[str]:
    """The paragraphs that describe an event."""
    about = [f"Sent when {event.fires_when}, at least once and in no particular order."]
    about.append(_FROZEN[event.is_frozen])
    about.append(_ENABLED[event.is_live])
    about.append(f"How to verify, answer and dedupe: [the guide for receivers]({GUIDE}).")
    if event.legacy_name:
        about.append(
            f"Its legacy name is `{event.legacy_name}`: a subscription with `is_legacy_compat` lists and is told that "
            "name, and receives another envelope: the webhook of that name."
        )
    else:
        about.append("It has no legacy name: a subscription with `is_legacy_compat` cannot list it.")
    return about


def _anything_else() -> str:
    waits = ", ".join(str(rules.wait_after(attempt)) for attempt in range(1, MAX_ATTEMPTS))
    return (
        f"Any other answer, a redirect too, or none in time, has used up an attempt. There are {MAX_ATTEMPTS} of them "
        f"(with {waits} seconds between); after the last, the delivery has failed."
    )


def _object(properties: Schema, description: str | None) -> Schema:
    return {
        "type": "object",
        "description": description,
        "required": list(properties),
        "properties": properties,
    }


ADDITION = DocumentAddition(document)
