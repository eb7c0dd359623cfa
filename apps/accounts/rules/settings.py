"""The declaration of a widget's setting: its name, kind, default, limits and words. Pure.

An app lists its settings in its `settings.py`. The stored value, the body of a PATCH, the answer, the cabinet's form,
the command, the export and the audit trail follow from the rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["string", "integer", "boolean", "array", "object"]
MAX_ID = 2**63 - 1
MOST_ENTRIES = 200

Choices = Sequence[tuple[Any, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting. `label` and `help_text` are the cabinet's words, `about` the API's.

    `fits` accepts a value, else `refusal` is told; `refuses` gives refusals of its own. `is_good_entry` accepts an
    entry of a list of texts. `choices` are the values with their names; `choices_of` gives those that depend on the
    widget's row. `as_text` writes a value as the form's text, and reads it from there; `is_long`: the form's text has
    lines. `clean` gives the kept form of a text, or of each in a list. `sets_to_work`: an import takes it only where
    that is asked for. `exported`: whether an export has it.
    """

    name: str
    kind: Kind
    label: Any = ""
    help_text: Any = ""
    about: str = ""
    default: Any = None
    nullable: bool = False
    fits: Callable[[Any], bool] = lambda value: True
    refusal: str = ""
    refuses: Callable[[Any], str | None] | None = None
    is_good_entry: Callable[[str], bool] | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    choices_of: Callable[[Any], Choices] | None = None
    most: int = MOST_ENTRIES
    is_long: bool = False
    clean: Callable[[str], str] | None = None
    as_text: tuple[Callable[[Any], str], Callable[[str], Any]] | None = None
    sets_to_work: bool = False
    exported: bool = True

    def refusal_of(self, value: Any) -> str | None:
        """Why the setting may not have that value; None if it may."""
        if self.nullable and (value is None or (value == "" and self.kind == "string")):
            return None
        value = self.cleaned(value)
        if self.refuses is not None:
            return self.refuses(value)
        return None if self.fits(value) else self.refusal

    def stored(self, value: Any) -> Any:
        """The value as it is kept: a text that is cleared is blank."""
        return "" if value is None and self.kind == "string" else self.cleaned(value)

    def cleaned(self, value: Any) -> Any:
        """The value as `clean` makes it; in a list, entries that become the same are one."""
        if self.clean is None:
            return value
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return list(dict.fromkeys(map(self.clean, value)))
        return self.clean(value) if isinstance(value, str) else value

    def shown(self, value: Any) -> Any:
        """The kept value as it is shown: a blank text of a setting that may be null is null."""
        return value or None if self.nullable and self.kind == "string" else value

    def bad_entries(self, value: Any) -> list[str]:
        """The entries of a list that the setting can't hold, each once: bad ones, and those that stand twice."""
        if self.is_good_entry is None or not isinstance(value, list):
            return []
        good, value = self.is_good_entry, self.cleaned(value)
        return list(dict.fromkeys(one for at, one in enumerate(value) if not good(one) or one in value[:at]))


def is_whole(value: Any, low: int, high: int) -> bool:
    """Whether it is a whole number within the limits; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def switch(name: str, label: Any, *, refusal: str = "Must be true or false.", **more: Any) -> Setting:
    """True or false."""
    return Setting(
        name=name, kind="boolean", label=label, fits=lambda value: isinstance(value, bool), refusal=refusal, **more
    )


def number(name: str, label: Any, low: int, high: int, *, refusal: str, zero: bool = False, **more: Any) -> Setting:
    """A whole number within the limits, or 0 besides, where `zero` says so."""
    fits = lambda value: is_whole(value, low, high) or (zero and is_whole(value, 0, 0))  # noqa: E731
    return Setting(name=name, kind="integer", label=label, fits=fits, refusal=refusal, **more)


def choice(name: str, label: Any, choices: Mapping[str, Any], *, refusal: str, **more: Any) -> Setting:
    """One of a few values, which are named."""
    fits = lambda value: isinstance(value, str) and value in choices  # noqa: E731
    return Setting(name=name, kind="string", label=label, choices=choices, fits=fits, refusal=refusal, **more)


def text(name: str, label: Any, is_good: Callable[[str], bool], *, refusal: str, **more: Any) -> Setting:
    """A text; empty for none."""
    fits = lambda value: isinstance(value, str) and (not value or is_good(value))  # noqa: E731
    return Setting(name=name, kind="string", label=label, fits=fits, refusal=refusal, **more)


def reference(name: str, label: Any, *, refusal: str, **more: Any) -> Setting:
    """The id of a row, or null."""
    fits = lambda value: is_whole(value, 1, MAX_ID)  # noqa: E731
    return Setting(name=name, kind="integer", label=label, nullable=True, fits=fits, refusal=refusal, **more)


def references(name: str, label: Any, *, refusal: str, **more: Any) -> Setting:
    """Ids of rows, each once."""
    fits = lambda value: _each_once(value, lambda one: is_whole(one, 1, MAX_ID))  # noqa: E731
    return Setting(name=name, kind="array", label=label, fits=fits, refusal=refusal, **more)


def texts(
    name: str, label: Any, is_good: Callable[[str], bool], *, refusal: str, most: int = MOST_ENTRIES, **more: Any
) -> Setting:
    """A list of texts, each once."""
    fits = lambda value: _each_once(value, lambda one: isinstance(one, str) and is_good(one), most)  # noqa: E731
    about = {"fits": fits, "refusal": refusal, "is_good_entry": is_good, "most": most, **more}
    return Setting(name=name, kind="array", label=label, **about)


def _each_once(value: Any, is_good: Callable[[Any], bool], most: int = MOST_ENTRIES) -> bool:
    if not isinstance(value, list) or len(value) > most or not all(map(is_good, value)):
        return False
    return len(set(value)) == len(value)


def refusals(rows: Mapping[str, Setting], changes: Mapping[str, Any]) -> dict[str, str]:
    """The refusals of new values, by name; checks that need the database are not made here."""
    found = {}
    for name, value in changes.items():
        refusal = rows[name].refusal_of(value) if name in rows else "There is no such setting."
        if refusal:
            found[name] = refusal
    return found
