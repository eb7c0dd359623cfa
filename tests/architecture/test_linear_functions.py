"""Every function that takes a foreign text alone is found by itself, and its work grows as the text does.

`test_linear_algorithms.py` names those that take more than a text.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any, get_type_hints

import pytest

from tests.architecture.growth import grows, without_collector  # noqa: F401
from tests.architecture.source import APPS
from tests.architecture.test_linear_algorithms import HOSTILE

# The rooms in which each function is tried: of letters, and of what visitors, messengers, models and documents write.
ROOMS = (
    "letters/rules/**/*.py",
    "chats/rules/**/*.py",
    "core/parsing/**/*.py",
    "support/rules/**/*.py",
    "cards/rules/**/*.py",
    "widget/rules/**/*.py",
    "messengers/rules/**/*.py",
    "ai/rules/**/*.py",
    "kb/rules/**/*.py",
    "automations/rules/**/*.py",
)
# Those that take long for each of the shapes, in a straight line.
SLOW = {
    *(f"chats.rules.markup.{name}" for name in ("read_markdown", "has_marks", "plain_text")),
    *(f"ai.rules.{name}" for name in ("facts.facts_of", "handover_rules.floor_of", "handover_rules.is_social")),
}
# Functions whose text was bounded before, each with the reason.
BOUNDED: dict[str, str] = {}


def takes_a_text(function: Any) -> bool:
    """Whether its only required parameter is a text."""
    needed = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    if len(needed) != 1 or needed[0].kind not in (needed[0].POSITIONAL_ONLY, needed[0].POSITIONAL_OR_KEYWORD):
        return False
    with suppress(NameError, TypeError):
        return get_type_hints(function).get(needed[0].name) is str
    return False


def functions() -> Iterator[tuple[str, Callable[[str], Any]]]:
    for room in ROOMS:
        for path in sorted(APPS.glob(room)):
            module = import_module(".".join(("apps", *path.relative_to(APPS).with_suffix("").parts)))
            for name, found in vars(module).items():
                is_own = inspect.isfunction(found) and found.__module__ == module.__name__
                if is_own and not name.startswith("_") and takes_a_text(found):
                    yield f"{module.__name__.removeprefix('apps.')}.{name}", found


FOUND = dict(functions())


def test_the_rule_finds_the_readers_of_texts() -> None:
    known = {
        "chats.rules.folding.folded",
        "letters.rules.reading.headers.addresses",
        "chats.rules.markup.plain_text",
        "core.parsing.personal.find_personal",
        "support.rules.guard.views.folded",
        "ai.rules.facts.facts_of",
        "kb.rules.fusion.other_layouts",
    }
    assert known <= FOUND.keys()
    assert FOUND.keys() >= BOUNDED.keys(), "a reason whose function is gone"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in FOUND if name not in BOUNDED],
)
def test_every_function_of_a_text_takes_as_much_longer_as_its_text_is(name: str) -> None:
    def work(text: str) -> None:
        with suppress(Exception):
            found = FOUND[name](text)
            if inspect.isgenerator(found):
                for _ in found:
                    pass

    work("warm")
    assert [unit for unit in HOSTILE if grows(work, unit, shortest=1_000, longest=16_000)] == []
