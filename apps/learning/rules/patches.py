"""Patches of an assistant's text: what they are, and what a text becomes by them (docs/guides/learning.md)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

FIELDS = ("persona", "system_prompt")
Field = Literal["persona", "system_prompt"]


class Texts(NamedTuple):
    """The text of an assistant."""

    persona: str
    system_prompt: str

    def with_field(self, field: str, text: str) -> "Texts":
        return self._replace(**{field: text})


class Change(NamedTuple):
    """One step of a patch. `find` is None for `append`, `text` for `remove`."""

    op: Literal["append", "replace", "remove"]
    field: Field
    find: str | None
    text: str | None


class FindNotUnique(Exception):
    """The text that a step is to replace or remove is not in the text, or more than once."""


def applied(texts: Texts, changes: Iterable[Change]) -> Texts:
    """The text after the steps, each on the result of the one before. Raises FindNotUnique."""
    for change in changes:
        texts = _applied(texts, change)
    return texts


def _applied(texts: Texts, change: Change) -> Texts:
    before: str = getattr(texts, change.field)
    if change.op == "append":
        added = change.text or ""
        return texts.with_field(change.field, f"{before}\n{added}" if before else added)
    if not change.find or before.count(change.find) != 1:
        raise FindNotUnique
    return texts.with_field(change.field, before.replace(change.find, change.text or ""))


def inverse(before: Texts, changes: Iterable[Change]) -> list[Change]:
    """The steps that undo these, wherever what they wrote stands once.

    The place of a step that wrote nothing is found by the words around it, so it is undone only while these stand.
    Raises FindNotUnique.
    """
    undone: list[Change] = []
    texts = before
    for change in changes:
        after = _applied(texts, change)
        undone.append(_inverse(change, getattr(texts, change.field), getattr(after, change.field)))
        texts = after
    return undone[::-1]


def _inverse(change: Change, before: str, after: str) -> Change:
    if change.op == "append":
        text = change.text or ""
        return Change("remove", change.field, f"\n{text}" if before else text, None)
    assert change.find is not None  # noqa: S101 - `_applied` has found it
    if change.text:
        return Change("replace", change.field, change.text, change.find)
    place = before.index(change.find)
    around = after[max(0, place - 40) : place + 40]
    kept = before[max(0, place - 40) : place + len(change.find) + 40]
    return Change("replace", change.field, around, kept)


def literal(wish: str) -> list[Change]:
    """The patch that a wish is by itself: a line at the end of the persona."""
    return [Change("append", "persona", None, f"- {' '.join(wish.split())}")]


def fingerprint(base_version: int, changes: Sequence[Change]) -> str:
    """The name of a patch of a version: 32 hex characters."""
    told = json.dumps([base_version, *changes], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def dump(changes: Iterable[Change]) -> dict[str, Any]:
    """A patch as JSON has it."""
    return {"operations": [change._asdict() for change in changes]}


def load(patch: Mapping[str, Any]) -> list[Change]:
    """A patch of JSON that this app has written."""
    return [Change(**operation) for operation in patch["operations"]]


class InvalidProposal(Exception):
    """The model's answer is no patch."""


def proposed(text: str) -> tuple[str, list[Change]]:
    """The summary and the steps of a model's answer: the first JSON object in it. Raises InvalidProposal."""
    document = first_object(text)
    operations = document.get("operations") if document else None
    if not isinstance(operations, list):
        raise InvalidProposal
    summary = document.get("summary") if document else ""
    return (summary if isinstance(summary, str) else "")[:500], [_step(one) for one in operations]


def _step(given: Any) -> Change:
    if not isinstance(given, dict) or given.get("field") not in FIELDS:
        raise InvalidProposal
    op, find, text = given.get("op"), given.get("find"), given.get("text")
    if op == "append" and isinstance(text, str) and text:
        return Change("append", given["field"], None, text)
    if op == "replace" and isinstance(find, str) and isinstance(text, str) and text:
        return Change("replace", given["field"], find, text)
    if op == "remove" and isinstance(find, str):
        return Change("remove", given["field"], find, None)
    raise InvalidProposal


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, None where there is none that is whole."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            found, _ = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        return found if isinstance(found, dict) else None
    return None
