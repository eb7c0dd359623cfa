"""The webhooks of the OpenAPI document: what receivers are sent of each event of the catalogue."""

from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints
from uuid import UUID

from apps.webhooks import rules
from apps.webhooks.payloads import EveryEvent, Field
from apps.webhooks.rules import CATALOGUE, MAX_ATTEMPTS, EventType

Schema = dict[str, Any]

# In the project's folder: what a schema can't say.
GUIDE = "docs/guides/webhooks.md"

_EVENT_ID = str(UUID("0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51"))
_UUID: Schema = {"type": "string", "format": "uuid"}
# Each header by its schema, an example, and what it says (specification, "Delivery request").
_HEADERS: dict[str, tuple[Schema, str, str]] = {
    "X-Service-Event": (
        {"type": "string"},
        "message.created",
        "The event's name; its legacy name, if the subscription is one for legacy events.",
    ),
    "X-Service-Signature": (
        {"type": "string", "pattern": "^sha256=v1:[0-9a-f]{64}$"},
        "sha256=v1:" + 32 * "5c",
        "`sha256=v1:` and, in hex, the HMAC-SHA256 of the raw body with the subscription's secret as its key.",
    ),
    "X-Service-Idempotency-Key": (
        _UUID,
        _EVENT_ID,
        "The event's id, as in the body, at every attempt and redelivery: who has seen it drops the request.",
    ),
    "X-Service-Delivery": (
        _UUID,
        "7d0f9c1e-2a64-4b0e-8a0d-1f8f6f0c9b27",
        "Names this delivery of the event to this subscription; the same at every attempt.",
    ),
    "X-Service-Timestamp": (
        {"type": "string", "pattern": "^[0-9]+$"},
        "1795257900",
        "Unix time of sending: another one at each attempt, and not signed.",
    ),
}


def document() -> Schema:
    """What the app adds to the OpenAPI document: its `webhooks`, and the components that they refer to."""
    parameters = {
        name: {
            "name": name,
            "in": "header",
            "required": True,
            "description": description,
            "schema": schema,
            "example": example,
        }
        for name, (schema, example, description) in _HEADERS.items()
    }
    return {
        "webhooks": {event.name: {"post": _request(event)} for event in CATALOGUE.values()},
        "components": {
            "schemas": {_component(event): body_schema(event) for event in CATALOGUE.values()},
            "parameters": parameters,
        },
    }


def body_schema(event: EventType) -> Schema:
    """The JSON Schema of the event's body `{id, type, data}`. Members may be added to it; receivers pass them over."""
    data = {name: _member(hint) for name, hint in _hints(event).items()}
    return _object(
        {
            "id": {**_UUID, "description": "The event's id, also in `X-Service-Idempotency-Key`."},
            "type": {"type": "string", "const": event.name},
            "data": _object(data, event.data.__doc__),
        },
        f"The body sent when {event.fires_when}.",
    )


def example_body(event: EventType) -> Schema:
    """A body as it could be sent."""
    data = {name: _field(hint).example for name, hint in _hints(event).items()}
    return {"id": _EVENT_ID, "type": event.name, "data": data}


def _hints(event: EventType) -> dict[str, Any]:
    """The annotations of all that `data` carries, in the order it is written."""
    return {
        name: hint
        for declared in (event.data, EveryEvent)
        for name, hint in get_type_hints(declared, include_extras=True).items()
    }


def _component(event: EventType) -> str:
    """`message.created` is the component MessageCreatedEvent."""
    return f"{event.data.__name__}Event"


def _request(event: EventType) -> Schema:
    reference = {"$ref": f"#/components/schemas/{_component(event)}"}
    return {
        "operationId": f"webhook_{event.name.replace('.', '_')}",
        "summary": event.name,
        "description": "\n\n".join(_says(event)),
        "tags": ["webhooks"],
        "security": [],
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in _HEADERS],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": reference, "example": example_body(event)}},
        },
        "responses": {
            "2XX": {"description": "Delivered. The body of the answer is not read."},
            "default": {"description": _anything_else()},
        },
    }


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
    about.append(f"How to verify, answer and dedupe: the guide for receivers, `{GUIDE}`.")
    if event.legacy_name:
        about.append(
            f"Its legacy name is `{event.legacy_name}`: a subscription with `is_legacy_compat` lists and is told that "
            "name, and receives another envelope: `event_name`, `widget_id` (the widget's guid), `chat_id`, `agent` "
            "with its `id` (both where the event has them), then the fields of `data` but `button_guid`."
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


def _field(hint: Any) -> Field:
    (said,) = (each for each in hint.__metadata__ if isinstance(each, Field))
    return said


def _member(hint: Any) -> Schema:
    """The schema of a declared field."""
    said = _field(hint)
    schema = {**_typed(get_args(hint)[0]), "description": said.description, "examples": [said.example]}
    return schema if said.pattern is None else {**schema, "pattern": said.pattern}


def _typed(hint: Any) -> Schema:
    """The schema of a type. Raises KeyError for one that no event has yet."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _typed(arguments[0])}
    if origin is UnionType:
        (known,) = (each for each in arguments if each is not NoneType)
        schema = _typed(known)
        return {**schema, "type": [schema["type"], "null"]}
    return dict(_PLAIN[hint])


_PLAIN: dict[type, Schema] = {int: {"type": "integer", "format": "int64"}, str: {"type": "string"}}
