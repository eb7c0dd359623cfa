"""How a member of an automation is refused: by its path in the body. Pure."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

# The path of a member, and why it is refused.
Refusal = tuple[str, str]

LARGEST_ID = 2**63 - 1
MAX_SHOWN = 40  # characters of a stranger's word in a refusal


class KnownIds(NamedTuple):
    """The numbers of a widget that automations and macros may name; agents are people."""

    agents: frozenset[int] = frozenset()
    departments: frozenset[int] = frozenset()
    replies: frozenset[int] = frozenset()


class Anything(frozenset[Any]):
    """A set that has everything in it: the rows that are there are not known yet. One that is missing then is 0."""

    def __contains__(self, value: object) -> bool:
        return True


def shown(word: object) -> str:
    """A word of the body as a refusal repeats it."""
    text = str(word)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def member_refusals(found: Mapping[str, Any], allowed: Collection[str], path: str) -> list[Refusal]:
    """The first member that the object should not have."""
    unknown = next((name for name in found if name not in allowed), None)
    if unknown is None:
        return []
    return [(f"{path}.{shown(unknown)}", f"There is no such member. Known are {', '.join(allowed) or 'none'}.")]


def one_of(value: object, choices: Iterable[str], path: str) -> list[Refusal]:
    """Why a value is none of the choices."""
    names = [str(choice) for choice in choices]
    return [] if isinstance(value, str) and value in names else [(path, f"Must be one of {', '.join(names)}.")]


def is_whole(value: object, lowest: int, highest: int) -> bool:
    """Whether a value is a whole number in a range; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


def text_refusal(value: object, longest: int) -> str | None:
    """Why a value is no text of 1 to so many characters; spaces alone are none."""
    if isinstance(value, str) and len(value) <= longest and value.strip():
        return None
    return f"A text of 1 to {longest} characters is expected."


def id_refusals(value: object, known: frozenset[int], row: str, path: str) -> list[Refusal]:
    """Why a value is no number of the widget's rows; another widget's number is as one that never was."""
    if not is_whole(value, 0 if isinstance(known, Anything) else 1, LARGEST_ID):
        return [(path, f"The number of {row} is expected.")]
    return [] if value in known else [(path, f"There is no such {row.split(' ', 1)[-1]}.")]
