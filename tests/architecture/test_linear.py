"""Work on foreign text is linear: no pattern, and no algorithm, takes longer and longer for each further character.

Visitors, tenants, models and websites write texts that a shared process looks at; a pattern whose time grows by the
square of the text stops everybody's process (THREAT_MODEL.md, "Availability"). Every pattern of the product is found by
itself and runs on texts that are made of its own characters; what is no pattern stands in `test_linear_algorithms.py`.
"""

import ast
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.architecture.growth import grows, without_collector  # noqa: F401

ROOT = Path(__file__).parents[2]
# Patterns that no foreign text meets.
OURS = {"apps.core.endpoints.routing._ARGUMENT", "apps.core.endpoints.openapi"}  # our own routes
# Calls of `re` whose first argument is a pattern.
CALLS = {"sub", "subn", "search", "match", "fullmatch", "findall", "finditer", "split"}


def product_modules() -> Iterator[ModuleType]:
    """Those of shared processes: a sandbox has limits of its own, and is ended alone."""
    for path in sorted((ROOT / "apps").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not {"migrations", "management", "sandbox", "demo"} & set(name.split(".")) and "sandbox_process" not in name:
            yield import_module(name)


def patterns() -> dict[str, tuple[re.Pattern[str], Callable[[str], Any]]]:
    """The product's patterns of text, and how each is used, by module and name; each once."""
    found: dict[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {}
    seen: set[int] = set()
    for module in product_modules():
        for name, value in vars(module).items():
            whole = f"{module.__name__}.{name}"
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str) and id(value) not in seen:
                seen.add(id(value))
                if whole not in OURS:
                    found[whole] = value, use(value, is_anchored=is_anchored(module, name))
    return found


def patterns_in_calls() -> dict[str, tuple[re.Pattern[str], Callable[[str], Any]]]:
    """The patterns that stand in the calls that use them, by module and line."""
    found: dict[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {}
    for module in product_modules():
        if module.__name__ in OURS:
            continue
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name("re"), attr=call), args=[ast.Constant(value=str(text)), *_]
                ) if call in CALLS:
                    pattern = re.compile(text)
                    found[f"{module.__name__}:{node.lineno}"] = (
                        pattern,
                        use(pattern, is_anchored=call in ("match", "fullmatch")),
                    )
    return found


def units(pattern: re.Pattern[str]) -> list[str]:
    """Short texts whose repetition a pattern may be slow on: its own characters, and what many patterns look for."""
    literals = sorted(set(re.findall(r"[^\\()\[\]{}|?*+^$.\s]", pattern.pattern)))[:12]
    signs = [one for one in "[](){}<>!-/\"'.,:;@&#=_" if one in pattern.pattern]
    single = ["a", "1", " ", "\n", ".", "-", "a.", "a@", "a ", "1 ", " \n", "é", "a1", "1.", *literals, *signs]
    pairs = [first + second for first in signs for second in (*signs[:8], "a", "1", " ")]
    known = [
        "[](x",
        "![a](",
        "<!--",
        "<a ",
        "[KEY_",
        "http://",
        "www.",
        "a://",
        "a@a.",
        "mailto:",
        "||",
        "(()",
        "1-",
        "+1 ",
    ]
    return list(dict.fromkeys([*single, *pairs, *known]))


def is_anchored(module: ModuleType, name: str) -> bool:
    """Whether the pattern is only ever tried at one place of a text: it begins nowhere else."""
    if not name.startswith("_"):
        return False  # other modules may use it otherwise
    source = Path(str(module.__file__)).read_text()
    uses = re.findall(rf"(?<![\w.]){name}\b(?:\.(\w+)\()?", source)[1:]
    return bool(uses) and set(uses) <= {"match", "fullmatch"}


def use(pattern: re.Pattern[str], *, is_anchored: bool = False) -> Callable[[str], Any]:
    def work(text: str) -> None:
        pattern.match(text)
        pattern.fullmatch(text)
        if not is_anchored:
            for _ in pattern.finditer(text):
                pass

    return work


def test_every_pattern_takes_as_much_longer_as_its_text_is() -> None:
    found = patterns() | patterns_in_calls()
    slow = {name: unit for name, (pattern, work) in found.items() for unit in units(pattern) if grows(work, unit)}
    assert slow == {}


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        (r"\[(?P<label>[^\]\[]*)\]\(\s*(?P<url>[^)\s]*)[^)]*\)", "[](x"),
        (r"<!--.*?-->", "<!--"),
        (r" *\n *", " "),
        (r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+", "a"),
        (r"(?:a+)+b", "a"),
    ],
)
def test_a_pattern_that_is_slow_is_found(pattern: str, unit: str) -> None:
    compiled = re.compile(pattern)
    assert unit in units(compiled)
    assert grows(use(compiled), unit)


def possessive_groups(pattern: re.Pattern[Any]) -> list[str]:
    """The parts `(…)*+` of a pattern: a group that does not give back what it repeats.

    Until Python 3.11.5 such a group goes on in the middle of a repetition that fails
    (https://github.com/python/cpython/issues/106052), and Debian 12 has 3.11.2. `(?>(…)*)` says the same.
    """
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    classless = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", text, flags=re.DOTALL)
    return re.findall(r"\)(?:[*+?]|\{[\d,]+\})\+", classless)


def test_no_group_is_repeated_without_giving_back() -> None:
    texts = {name: pattern for name, (pattern, _) in (patterns() | patterns_in_calls()).items()}
    of_bytes = {
        f"{module.__name__}.{name}": value
        for module in product_modules()
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern) and isinstance(value.pattern, bytes)
    }
    found = {name: possessive_groups(pattern) for name, pattern in (texts | of_bytes).items()}
    assert [name for name, groups in found.items() if groups] == []


def test_a_group_that_is_repeated_without_giving_back_is_found() -> None:
    found = [
        possessive_groups(re.compile(one)) for one in (r"(?:a|bc)*+", r"(?:a|b){4,40}+", r"(?>(?:a|b)*)", r"[)]*+")
    ]
    assert found == [[")*+"], ["){4,40}+"], [], []]
