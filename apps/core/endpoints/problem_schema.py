"""The schema of every refusal: what all have, and what some codes have besides, typed."""

from collections.abc import Iterable, Mapping
from typing import Any

from apps.core.problems import problem_types

Schema = dict[str, Any]

_EVERY: Schema = {
    "type": "object",
    "description": "A refusal (RFC 9457). Decide by `code`; the members that only some codes have name them.",
    "required": ["type", "title", "status", "detail", "instance", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "The page that explains the problem."},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "The remedy."},
        "instance": {"type": "string", "format": "uri-reference", "description": "The path that was called."},
        "code": {"type": "string", "description": "Stable; the last part of `type`."},
        "errors": {
            "type": "object",
            "description": "Messages by the dotted path of the field that was refused.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
    },
}


def problem_schema(more: Mapping[str, Mapping[str, Any]]) -> Schema:
    """The schema of problems. `more` are members that those of a whole door have, beside what problem types declare."""
    declared: dict[str, list[tuple[str | None, Mapping[str, Any]]]] = {}
    for code, problem in sorted(problem_types().items()):
        for name, schema in problem.members.items():
            declared.setdefault(name, []).append((code, schema))
    for name, schema in more.items():
        declared.setdefault(name, []).append((None, schema))
    members = {name: _member(schemas) for name, schemas in sorted(declared.items())}
    return {**_EVERY, "properties": {**_EVERY["properties"], **members}}


def _member(declared: list[tuple[str | None, Mapping[str, Any]]]) -> Schema:
    """One member as all that have it declare it, with the codes that do."""
    codes = ", ".join(f"`{code}`" for code, _ in declared if code)
    said = dict.fromkeys(schema["description"] for _, schema in declared if "description" in schema)
    texts = [*([f"Told by {codes}."] if codes else []), *said]
    return {**merged(schema for _, schema in declared), "description": " ".join(texts)}


def merged(schemas: Iterable[Mapping[str, Any]]) -> Schema:
    """A schema that each value of any of them meets: the same, one object with the members of all, or anything."""
    first, *others = [{name: value for name, value in each.items() if name != "description"} for each in schemas]
    if all(other == first for other in others):
        return dict(first)
    every = [first, *others]
    if any("properties" not in each for each in every):
        return {}
    names = dict.fromkeys(name for each in every for name in each["properties"])
    return {
        "type": sorted({kind for each in every for kind in _types(each)}, key=("object", "null").index),
        "properties": {
            name: merged(each["properties"][name] for each in every if name in each["properties"]) for name in names
        },
    }


def _types(schema: Mapping[str, Any]) -> list[str]:
    return [schema["type"]] if isinstance(schema["type"], str) else list(schema["type"])
