"""The one JSON parser for requests.

What cannot be parsed is 400 `invalid_json`; what parses but can't be meant (two members of one name, a number out of
range, NUL or a lone surrogate in a string, a document that is no object) is 422 and names the place.
"""

import json
import math
from typing import Any

from apps.core.errors import DUPLICATE_MEMBER, INVALID_INPUT, INVALID_JSON

MAX_DEPTH = 64
LARGEST_INTEGER = 2**63 - 1

_OPENERS, _CLOSERS, _QUOTE, _BACKSLASH = b"[{", b"]}", 0x22, 0x5C


class _Duplicated(dict[str, Any]):
    """An object in which `names` occur more than once."""

    names: list[str]


class _OutOfRange:
    """Stands where the document has a number that no field could hold."""


_OUT_OF_RANGE = _OutOfRange()


def parse_object(body: bytes) -> dict[str, Any]:
    """The JSON object in `body`.

    Raises INVALID_JSON (400) for bytes that are no JSON document; DUPLICATE_MEMBER or INVALID_INPUT (422), with the
    dotted path of the member, for a document that can't be meant.
    """
    document = _parse(body)
    refusals: dict[str, list[str]] = {}
    duplicates: dict[str, list[str]] = {}
    _inspect(document, "", refusals, duplicates)
    if duplicates:
        raise DUPLICATE_MEMBER(errors=duplicates)
    if not isinstance(document, dict):
        raise INVALID_INPUT("The body must be a JSON object.", errors={"": ["The body must be a JSON object."]})
    if refusals:
        raise INVALID_INPUT(errors=refusals)
    return document


def _parse(body: bytes) -> Any:
    if _is_too_deep(body):
        raise INVALID_JSON(f"The document is nested deeper than {MAX_DEPTH} levels.")
    try:
        return _decoder.decode(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise INVALID_JSON("The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise INVALID_JSON(f"{error.msg} at line {error.lineno}, column {error.colno}.") from None


def _is_too_deep(body: bytes) -> bool:
    """Whether arrays and objects nest past MAX_DEPTH, found without recursion."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return False
    depth, in_string, escaped = 0, False, False
    for byte in body:
        if in_string:
            if escaped:
                escaped = False
            elif byte == _BACKSLASH:
                escaped = True
            elif byte == _QUOTE:
                in_string = False
        elif byte == _QUOTE:
            in_string = True
        elif byte in _OPENERS:
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif byte in _CLOSERS:
            depth -= 1
    return False


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(members)
    if len(made) == len(members):
        return made
    duplicated = _Duplicated(made)
    seen: set[str] = set()
    duplicated.names = [name for name, _ in members if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
    return duplicated


def _integer(text: str) -> int | _OutOfRange:
    if len(text) > 20 or abs(value := int(text)) > LARGEST_INTEGER:
        return _OUT_OF_RANGE
    return value


def _float(text: str) -> float | _OutOfRange:
    value = float(text)
    return value if math.isfinite(value) else _OUT_OF_RANGE


def _constant(name: str) -> Any:
    raise json.JSONDecodeError(f"{name} is not JSON", name, 0)


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant)


def _inspect(value: Any, path: str, refusals: dict[str, list[str]], duplicates: dict[str, list[str]]) -> None:
    if isinstance(value, str):
        if refusal := text_refusal(value):
            refusals[path] = [refusal]
    elif isinstance(value, dict):
        prefix = path + "." if path else ""
        if isinstance(value, _Duplicated):
            for name in value.names:
                duplicates[prefix + _printable(name)] = ["This member occurs more than once."]
        for name, member in value.items():
            if refusal := text_refusal(name):
                refusals[prefix + _printable(name)] = [refusal]
            _inspect(member, prefix + _printable(name), refusals, duplicates)
    elif isinstance(value, list):
        prefix = path + "." if path else ""
        for index, item in enumerate(value):
            _inspect(item, f"{prefix}{index}", refusals, duplicates)
    elif isinstance(value, _OutOfRange):
        refusals[path] = ["The number is out of range."]


def text_refusal(text: str) -> str | None:
    """Why a string can't be stored (a NUL character or half of a surrogate pair), or None when it can."""
    if "\0" in text:
        return "NUL characters are not allowed."
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "The text has half of a surrogate pair."
    return None


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
