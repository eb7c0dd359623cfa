"""The one JSON parser for requests.

A text that cannot be parsed is 400 `invalid_json`; a document that parses but can't be meant (two members of one name,
a number out of range, NUL or a lone surrogate in a string, a document that is no object) is 422 and names the place.

A body can't be made to be slow: what a document holds is counted before it is parsed, and of what is wrong with it the
first MAX_NAMED places are named, each by names of at most MAX_NAME characters.
"""

import json
import math
import re
from typing import Any

from apps.core.errors import DUPLICATE_MEMBER, INVALID_INPUT, INVALID_JSON

MAX_DEPTH = 64
MAX_VALUES = 10_000  # in a document: far more than any call has use for
MAX_NAMED = 100  # places that a refusal names
MAX_NAME = 100  # characters of a name that a refusal repeats
LARGEST_INTEGER = 2**63 - 1

# A text, or what is left of one that does not end: so each byte is looked at once.
_TEXT = re.compile(rb'"(?>(?:[^"\\]++|\\.)*)"?', re.DOTALL)
_OPENERS, _CLOSERS = b"[{", b"]}"
_NO_BRACKETS = bytes(set(range(256)) - set(_OPENERS + _CLOSERS))


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
    found = _Inspection()
    found.inspect(document)
    if found.duplicates:
        raise DUPLICATE_MEMBER(errors=found.duplicates)
    if not isinstance(document, dict):
        raise INVALID_INPUT("The body must be a JSON object.", errors={"": ["The body must be a JSON object."]})
    if found.refusals:
        raise INVALID_INPUT(errors=found.refusals)
    return document


def _parse(body: bytes) -> Any:
    openers = body.count(b"[") + body.count(b"{")
    if openers > MAX_DEPTH or openers + body.count(b",") > MAX_VALUES:
        _require_countable(body)
    try:
        return _decoder.decode(body.decode("utf-8"))
    except UnicodeDecodeError:
        raise INVALID_JSON("The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise INVALID_JSON(f"{error.msg} at line {error.lineno}, column {error.colno}.") from None


def _require_countable(body: bytes) -> None:
    """Raises INVALID_JSON for more than MAX_VALUES, or for nesting past MAX_DEPTH, found without parsing."""
    structure = _TEXT.sub(b"", body)
    # Each value but the first of all begins an array or object, or stands behind a comma.
    if sum(structure.count(each) for each in (b"[", b"{", b",")) > MAX_VALUES:
        raise INVALID_JSON(f"The document has more than {MAX_VALUES} values.")
    depth = 0
    for bracket in structure.translate(None, delete=_NO_BRACKETS):
        depth += 1 if bracket in _OPENERS else -1
        if depth > MAX_DEPTH:
            raise INVALID_JSON(f"The document is nested deeper than {MAX_DEPTH} levels.")


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


class _Inspection:
    """The faults of a document, by dotted path. Paths are put together only for faults that are named."""

    def __init__(self) -> None:
        self.refusals: dict[str, list[str]] = {}
        self.duplicates: dict[str, list[str]] = {}
        self._path: list[str | int] = []

    def inspect(self, value: Any) -> None:
        """Looks at a value, and at all that is in it."""
        if isinstance(value, str):
            if refusal := text_refusal(value):
                self._name(self.refusals, refusal)
        elif isinstance(value, dict):
            self._inspect_members(value)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self._path.append(index)
                self.inspect(item)
                self._path.pop()
        elif isinstance(value, _OutOfRange):
            self._name(self.refusals, "The number is out of range.")

    def _inspect_members(self, members: dict[str, Any]) -> None:
        for name in members.names if isinstance(members, _Duplicated) else ():
            self._path.append(name)
            self._name(self.duplicates, "This member occurs more than once.")
            self._path.pop()
        for name, member in members.items():
            self._path.append(name)
            if refusal := text_refusal(name):
                self._name(self.refusals, refusal)
            self.inspect(member)
            self._path.pop()

    def _name(self, found: dict[str, list[str]], refusal: str) -> None:
        if len(found) < MAX_NAMED:
            found[".".join(str(each) if isinstance(each, int) else _printable(each) for each in self._path)] = [refusal]


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


def shortened(name: str) -> str:
    """A name as a refusal repeats it: cut off, with an ellipsis, after MAX_NAME characters."""
    return name if len(name) <= MAX_NAME else name[:MAX_NAME] + "…"


def _printable(name: str) -> str:
    return shortened(name).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
