"""The JSON Schemas of offered tools: which words they may use, and whether arguments are true to them.

There is no `$ref` and no `pattern`, so a schema can neither run for ever nor hide a slow expression; what one
validation may cost is bounded by schema and arguments together (MAX_STEPS).
"""

from collections.abc import Callable, Mapping
from typing import Any

from jsonschema import Draft202012Validator

MAX_DEPTH = 8
MAX_STEPS = 200_000
TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})

Refusals = dict[str, str]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_type(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, str) for one in value) and TYPES.issuperset(value)
    return isinstance(value, str) and value in TYPES


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value) and len(set(value)) == len(value)


# The words that hold no schemas, and what their values may be.
_PLAIN: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "type": (_is_type, "Must be a type of JSON, or a list of them."),
    "required": (_is_names, "Must be a list of names, each once."),
    "enum": (lambda value: isinstance(value, list) and bool(value), "Must be a list that is not empty."),
    "const": (lambda _: True, ""),
    "default": (lambda _: True, ""),
    "minimum": (_is_number, "Must be a number."),
    "maximum": (_is_number, "Must be a number."),
    "minLength": (_is_count, "Must be a whole number from 0 on."),
    "maxLength": (_is_count, "Must be a whole number from 0 on."),
    "minItems": (_is_count, "Must be a whole number from 0 on."),
    "maxItems": (_is_count, "Must be a whole number from 0 on."),
    "description": (lambda value: isinstance(value, str), "Must be a text."),
    "format": (lambda value: isinstance(value, str), "Must be a text."),
}


def schema_refusals(schema: Any, *, depth: int = 1) -> Refusals:
    """The refusals of a tool's `parameters`, by dotted path below it; "" is the schema itself."""
    if not isinstance(schema, dict):
        return {"": "Must be a schema: an object."}
    if depth > MAX_DEPTH:
        return {"": f"Schemas are nested at most {MAX_DEPTH} deep."}
    refusals: Refusals = {}
    for word, value in schema.items():
        if word in _PLAIN:
            is_good, text = _PLAIN[word]
            if not is_good(value):
                refusals[word] = text
        else:
            refusals |= _of_nested(word, value, depth)
    return refusals


def _of_nested(word: str, value: Any, depth: int) -> Refusals:
    """The refusals of a word that holds schemas, or of one that may not be used."""
    if word == "properties":
        if not isinstance(value, dict):
            return {word: "Must be an object of schemas."}
        within = {f"{word}.{name}": inner for name, inner in value.items()}
    elif word == "anyOf":
        if not isinstance(value, list) or not value:
            return {word: "Must be a list of schemas that is not empty."}
        within = {f"{word}.{place}": inner for place, inner in enumerate(value)}
    elif word == "items":
        within = {word: value}
    elif word == "additionalProperties":
        within = {} if isinstance(value, bool) else {word: value}
    else:
        return {word: "This word of JSON Schema is not supported."}
    refusals: Refusals = {}
    for path, inner in within.items():
        for below, text in schema_refusals(inner, depth=depth + 1).items():
            refusals[f"{path}.{below}" if below else path] = text
    return refusals


def arguments_refusal(arguments: Any, schema: Mapping[str, Any]) -> str | None:
    """Why a call's arguments are not true to their tool's schema; None if they are."""
    if not isinstance(arguments, dict):
        return "The arguments are no JSON object."
    if _values(schema) * _values(arguments) > MAX_STEPS:
        return "The arguments are too large."
    error = next(iter(Draft202012Validator(schema).iter_errors(arguments)), None)
    if error is None:
        return None
    place = ".".join(str(each) for each in error.absolute_path)
    return f"{place}: {error.message[:300]}" if place else error.message[:300]


def _values(document: Any) -> int:
    """How many values a document has; it is not nested deeper than what was parsed may be."""
    count, left = 0, [document]
    while left:
        one = left.pop()
        count += 1
        left += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
    return count
