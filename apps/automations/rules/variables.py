"""Texts with variables, such as `{visitor.name|there}`: of canned replies, macros and automations. Pure."""

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

MAX_REPLY = 4_000  # characters

# A name has Latin letters, digits, `_` and `.`; braces around anything else are text.
_VARIABLE = re.compile(r"\{([A-Za-z0-9_.]{1,80})(?:\|([^{}|]{0,200}))?\}")
VARIABLES = (
    "visitor.name",
    "visitor.first_name",
    "visitor.email",
    "visitor.phone",
    "visitor.language",
    "operator.name",
    "operator.first_name",
    "widget.name",
    "chat.id",
    "page.url",
    "today",
    "weekday",
)
ATTRIBUTE, INPUT = "attr.", "input."


class FilledText(NamedTuple):
    """A text for a chat, and the names that nothing is known for: they stay in it."""

    text: str
    missing: list[str]


def variable_refusal(body: str, inputs: Collection[str] = ()) -> str | None:
    """Why a text's variables can't be filled in; None if they can. `inputs` are the keys of a macro's questions."""
    for name, _ in _VARIABLE.findall(body):
        if not _is_known(name, inputs):
            named = ", ".join((*VARIABLES, *(f"{INPUT}{key}" for key in inputs)))
            return f"There is no variable {{{name}}}. Known are {named} and attr.<name>."
    return None


def _is_known(name: str, inputs: Collection[str]) -> bool:
    if name.startswith(INPUT):
        return name.removeprefix(INPUT) in inputs
    return name in VARIABLES or (name.startswith(ATTRIBUTE) and name != ATTRIBUTE)


def fallback_refusal(body: str) -> str | None:
    """Why a text needs a person to fill it in; None if each variable has a fallback."""
    if all(found[2] is not None for found in _VARIABLE.finditer(body)):
        return None
    return "Each variable needs a fallback for where it is not known, such as {visitor.name|there}."


def filled(body: str, values: Mapping[str, str]) -> FilledText:
    """A text with the values by name, and fallbacks where there are none. Values are not read again."""
    missing: list[str] = []

    def value_of(found: re.Match[str]) -> str:
        name, fallback = found[1], found[2]
        known = values.get(name) or fallback
        if known is None:
            missing.append(name)
            return f"{{{name}}}"
        return known

    text = _VARIABLE.sub(value_of, body)
    return FilledText(text, list(dict.fromkeys(missing)))


def variables_in(body: str) -> set[str]:
    """The names of a text's variables."""
    return {name for name, _ in _VARIABLE.findall(body)}


def without_variables(body: str) -> str:
    """A text's own words."""
    return _VARIABLE.sub(" ", body)
