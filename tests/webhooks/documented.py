"""What the OpenAPI document says of bodies that are sent, and what a body has against it."""

from typing import Any

from jsonschema import Draft202012Validator

Document = dict[str, Any]


def component(reference: dict[str, str], document: Document) -> dict[str, Any]:
    kind, name = reference["$ref"].removeprefix("#/components/").split("/")
    found: dict[str, Any] = document["components"][kind][name]
    return found


def schema_of(webhook: str, document: Document) -> dict[str, Any]:
    """The schema of a webhook's body."""
    content = document["webhooks"][webhook]["post"]["requestBody"]["content"]
    return component(content["application/json"]["schema"], document)


def example_of(webhook: str, document: Document) -> Any:
    return document["webhooks"][webhook]["post"]["requestBody"]["content"]["application/json"]["example"]


def faults(value: Any, schema: dict[str, Any]) -> list[str]:
    """What a value has against its schema, and which of its members the schema does not know."""
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    found = [error.message for error in validator.iter_errors(value)]
    return found + [f"{name} is not in the schema" for name in unknown(value, schema)]


def unknown(value: Any, schema: dict[str, Any]) -> list[str]:
    if isinstance(value, list):
        return [each for item in value for each in unknown(item, schema.get("items", {}))]
    if not isinstance(value, dict):
        return []
    known = schema.get("properties", {})
    deeper = [each for name in value.keys() & known for each in unknown(value[name], known[name])]
    return [*(value.keys() - known.keys()), *deeper]
