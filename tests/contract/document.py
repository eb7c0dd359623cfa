"""Reading the OpenAPI document: what it says of a routed operation."""

from typing import Any

from tests.contract.routes import Route, shape


def described(route: Route, document: dict[str, Any]) -> dict[str, Any]:
    """What the document says of the operation."""
    for path, item in document["paths"].items():
        if shape(route.method, path) == shape(route.method, route.path) and route.method.lower() in item:
            found: dict[str, Any] = item[route.method.lower()]
            return found
    raise AssertionError(f"{route.name} is not in the document")


def resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, where a reference to one may stand, at every depth but that of properties."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    made = dict(schema)
    for name in ("oneOf", "anyOf", "allOf"):
        if name in made:
            made[name] = [resolved(alternative, document) for alternative in made[name]]
    return made


def member_schemas(route: Route, document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The schemas of the members of the operation's body."""
    body = described(route, document)["requestBody"]["content"]["application/json"]["schema"]
    members = resolved(body, document).get("properties", {})  # an empty object has none
    return {name: resolved(schema, document) for name, schema in members.items()}


def path_of(route: Route, document: dict[str, Any]) -> str:
    """The operation's path as the document writes it."""
    (found,) = (path for path in document["paths"] if shape("", path) == shape("", route.path))
    return str(found)
