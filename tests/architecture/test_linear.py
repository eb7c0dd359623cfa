"""Work on foreign text is linear: no pattern, and no algorithm, takes longer and longer for each further character.

Visitors, tenants, models and websites write texts that a shared process looks at; a pattern whose time grows by the
square of the text stops everybody's process (THREAT_MODEL.md, "Availability"). Every pattern of the product is found by
itself and runs on texts that are made of its own characters; what is no pattern stands in ALGORITHMS.
"""

import ast
import gc
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from statistics import median
from time import thread_time
from types import ModuleType
from typing import Any

import pytest

from apps.accounts.rules import is_phone
from apps.ai.rules import floors, prompts
from apps.ai.rules.answers import LinkSources, read_answer
from apps.ai.rules.links import tokens
from apps.ai.rules.phrases import stripped
from apps.core.parsing.personal import find_personal
from apps.learning.rules.differences import differences
from apps.learning.rules.guard_rails import judged
from apps.learning.rules.patches import Change, Texts
from apps.letters.rules.reading.files import invitation
from apps.letters.rules.reading.headers import addresses, decoded
from apps.letters.rules.reading.lines import plain_lines, unflowed
from apps.letters.rules.reading.proofs import without_comments
from apps.letters.rules.reading.texts import own_text
from apps.support.rules.guard import Catalogue, GuardFailed, LinksRefused, TextRefused, checked

ROOT = Path(__file__).parents[2]
# Patterns that no foreign text meets.
OURS = {"apps.core.endpoints.routing._ARGUMENT", "apps.core.endpoints.openapi"}  # our own routes
LONGEST = 8_000
# Twice the text may take three times as long before it counts as growth: the machine is shared.
MOST_GROWTH = 3.0
# Below it a clock tells nothing, and nobody waits.
NOTICED_S = 0.004


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


def seconds(work: Callable[[str], Any], text: str) -> float:
    begun = thread_time()
    work(text)
    return thread_time() - begun


@pytest.fixture(autouse=True)
def _without_collector() -> Iterator[None]:
    """A collection of the whole test process's objects is no work on the text."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def ratio(work: Callable[[str], Any], text: str, double: str) -> float:
    return seconds(work, double) / max(seconds(work, text), 1e-6)


def grows(work: Callable[[str], Any], unit: str, *, shortest: int = 16, longest: int = LONGEST) -> float | None:
    """How much longer twice the text takes, where that is more than MOST_GROWTH; else None.

    Each of five rounds runs both texts one behind the other, and the middle one of their ratios counts: what slows the
    machine for a moment meets few rounds, growth meets all.
    """
    length = shortest
    while length <= longest:
        taken = seconds(work, unit * (length // len(unit)))
        if taken > NOTICED_S:
            step = 4 if length < 64 else length  # so that a text whose time doubles with each character ends
            text, double = (unit * (size // len(unit)) for size in (length, length + step))
            if ratio(work, text, double) > MOST_GROWTH:
                ratios = [ratio(work, text, double) for _ in range(5)]
                if median(ratios) > MOST_GROWTH:
                    return median(ratios)
            if taken > 100 * NOTICED_S:
                return None
        length += max(4, length // 4) if length < 64 else length
    return None


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


# --- What is no pattern -----------------------------------------------------------------------------------------------


def support_guard(text: str) -> None:
    with suppress(TextRefused, LinksRefused, GuardFailed):
        checked(text, Catalogue())


def wish(text: str) -> None:
    judged(Texts("", text), [Change("append", "system_prompt", None, text[:600])])


ALGORITHMS: dict[str, Callable[[str], Any]] = {
    "an answer of a model": lambda text: read_answer(text, canary="c-1", links=LinkSources(given=[text])),
    "links of a text": tokens,
    "personal data": lambda text: list(find_personal(text)),
    "the desk's guard": support_guard,
    "a floor of a burst": floors.floor_of,
    "courtesies": floors.is_social,
    "a phrase without tags": stripped,
    "a text without markers": prompts.disarmed,
    "a wish's patch": wish,
    "two versions beside each other": lambda text: differences(text, text[::-1]),
    "two versions by lines": lambda text: differences("\n".join(text), "\n".join(reversed(text))),
    "a phone": is_phone,
    "a letter's own words": lambda text: own_text(plain_lines(text)),
    "a letter's addresses": addresses,
    "a letter's header": decoded,
    "a letter's flowed text": lambda text: unflowed(text, deletes_space=True),
    "a letter's proof": without_comments,
    "an invitation": invitation,
}
# Between which lengths growth is looked for, where it isn't 1,000 and 16,000.
RANGES = {
    "two versions by lines": (2_000, 16_000),  # beyond the lines that are compared one by one
    "a floor of a burst": (500, 4_000),  # a message has no more
    "courtesies": (500, 4_000),
    "a wish's patch": (1_000, 8_000),
}
HOSTILE = [
    *(
        "a",
        "a ",
        "ab\n",
        "\n",
        " ",
        "1",
        "1 ",
        "+1 ",
        "a.",
        "a@",
        "a@a.",
        "[](x",
        "![a](",
        "<!--",
        "<a",
        "[KEY_",
        "//a",
    ),
    *(
        "http://a",
        "www.a.",
        "é",
        "e\u0301",
        "\u200b",
        "%25",
        "a://<",
        "(",
        "[a",
        "* ",
        "живой человек ",
        "спасибо ",
        "人工",
    ),
]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_takes_as_much_longer_as_its_text_is(name: str) -> None:
    work = ALGORITHMS[name]
    work("warm")
    shortest, longest = RANGES.get(name, (1_000, 16_000))
    assert [unit for unit in HOSTILE if grows(work, unit, shortest=shortest, longest=longest)] == []
