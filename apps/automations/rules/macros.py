"""Macros: their questions, and how they are refused. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from apps.automations.rules.acts import ActContext, then_refusals
from apps.automations.rules.refusals import KnownIds, Refusal, is_whole, member_refusals, text_refusal

MAX_INPUTS, MAX_INPUT_LABEL = 5, 60
LOWEST_KEY, HIGHEST_KEY = 1, 9  # of Alt and the key

_INPUT_KEY = re.compile(r"[a-z0-9_]{1,32}")
_MEMBERS = ("key", "label", "is_required")


def key_refusals(key: Any) -> list[Refusal]:
    """Why this is no key of a macro; None is none."""
    is_key = key is None or is_whole(key, LOWEST_KEY, HIGHEST_KEY)
    return [] if is_key else [("key", f"Must be from {LOWEST_KEY} to {HIGHEST_KEY}, or null.")]


def inputs_refusals(inputs: Any) -> list[Refusal]:
    """Why these are no questions of a macro, by path."""
    if not isinstance(inputs, list) or len(inputs) > MAX_INPUTS:
        return [("inputs", f"A list of at most {MAX_INPUTS} questions is expected.")]
    found: list[Refusal] = []
    seen: set[str] = set()
    for place, each in enumerate(inputs):
        found += _input_refusals(each, seen, f"inputs.{place}")
    return found


def _input_refusals(found: Any, seen: set[str], path: str) -> list[Refusal]:
    if not isinstance(found, Mapping):
        return [(path, "An object of key, label and is_required is expected.")]
    if refusal := member_refusals(found, _MEMBERS, path):
        return refusal
    refusals: list[Refusal] = []
    key = found.get("key")
    if not isinstance(key, str) or len(key) > 32 or not _INPUT_KEY.fullmatch(key):
        refusals.append((f"{path}.key", "1 to 32 small letters, digits and _ are expected."))
    elif key in seen:
        refusals.append((f"{path}.key", "Each question has a key of its own."))
    else:
        seen.add(key)
    if refusal_of_label := text_refusal(found.get("label"), MAX_INPUT_LABEL):
        refusals.append((f"{path}.label", refusal_of_label))
    if not isinstance(found.get("is_required", False), bool):
        refusals.append((f"{path}.is_required", "True or false is expected."))
    return refusals


def read_inputs(inputs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Questions without refusals, with all their members."""
    return [{"is_required": False, **each} for each in inputs]


def macro_refusals(then: Any, inputs: Any, known: KnownIds) -> list[Refusal]:
    """Why these are no acts and questions of a macro, by path. Only questions that are asked are in its texts."""
    if refusals := inputs_refusals(inputs):
        return refusals
    keys = tuple(each["key"] for each in inputs)
    return then_refusals(then, ActContext(known, is_macro=True, inputs=keys))
