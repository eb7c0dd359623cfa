"""Bodies that are posted to others, declared once: typed dictionaries whose members carry a Field.

The type checker holds the code that writes a body to its declaration, and the OpenAPI document shows the same one as a
webhook. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

Schema = dict[str, Any]

# The headers that every request of a delivery carries (`core.destinations`), in the order in which documents list it.
HEADERS = (
    "X-Service-Event",
    "X-Service-Signature",
    "X-Service-Idempotency-Key",
    "X-Service-Delivery",
    "X-Service-Timestamp",
)


@dataclass(frozen=True, slots=True)
class Field:
    """The document's words on a member, beside its type. An object's example is made of its members' own."""

    description: str
    example: Any = None
    pattern: str | None = None


def object_schema(*declared: Any, description: str | None = None) -> Schema:
    """The JSON Schema of an object with the members of these declarations.

    More may be added to it later; receivers pass them over.
    """
    required = [name for each in declared for name in each.__annotations__ if name in each.__required_keys__]
    return {
        "type": "object",
        "description": description or declared[0].__doc__,
        "required": required,
        "properties": {name: _member(hint) for name, hint in _members(declared).items()},
    }


def example_of(*declared: Any) -> dict[str, Any]:
    """Such an object as it could be sent, with all that it may have."""
    return {name: _example(hint) for name, hint in _members(declared).items()}


def webhook(name: str, *, summary: str, description: str, schema: str, example: Any) -> Schema:
    """The OpenAPI operation of a body that is delivered; `schema` is the name of its component.

    All have one tag, and with it a document of their own.

    The headers and the meaning of answers are the same for all deliveries: components of the app that delivers.
    """
    content = {"schema": {"$ref": f"#/components/schemas/{schema}"}, "example": example}
    return {
        "operationId": f"webhook_{name.replace('.', '_')}",
        "summary": summary,
        "description": description,
        "tags": ["webhooks"],
        "security": [],
        "parameters": [{"$ref": f"#/components/parameters/{name}"} for name in HEADERS],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {
            "2XX": {"$ref": "#/components/responses/Delivered"},
            "default": {"$ref": "#/components/responses/NotDelivered"},
        },
    }


def _members(declared: tuple[Any, ...]) -> Mapping[str, Any]:
    """The annotations of all members, in the order they are written."""
    return {name: _plain(hint) for each in declared for name, hint in get_type_hints(each, include_extras=True).items()}


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _field(hint: Any) -> Field:
    (said,) = (each for each in hint.__metadata__ if isinstance(each, Field))
    return said


def _example(hint: Any) -> Any:
    said, type_ = _field(hint), get_args(hint)[0]
    if is_typeddict(type_):
        return example_of(type_)
    if get_origin(type_) is list and is_typeddict(item := get_args(type_)[0]):
        return [example_of(item)]
    return said.example


def _member(hint: Any) -> Schema:
    """The schema of a declared member."""
    said, type_ = _field(hint), get_args(hint)[0]
    schema = {**_typed(type_), "description": said.description}
    if said.example is not None:
        schema["examples"] = [said.example]
    return schema if said.pattern is None else {**schema, "pattern": said.pattern}


def _typed(hint: Any) -> Schema:
    """The schema of a type. Raises KeyError for one that no body has yet."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin is list:
        return {"type": "array", "items": _typed(arguments[0])}
    if origin is UnionType:
        (known,) = (each for each in arguments if each is not NoneType)
        schema = _typed(known)
        return {**schema, "type": [schema["type"], "null"]}
    return object_schema(hint) if is_typeddict(hint) else dict(_PLAIN[hint])


_PLAIN: dict[type, Schema] = {
    int: {"type": "integer", "format": "int64"},
    float: {"type": "number", "format": "double"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
}
