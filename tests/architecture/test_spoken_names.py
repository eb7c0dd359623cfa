"""Variables and sentences of the house: an argument is named after its class, and a docstring names what exists.

The counts below are ceilings. They may only shrink: a count that is reached is written down.
"""

import ast
import builtins
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from config.environment import PROJECT_ROOT
from tests.architecture.source import name_of, source_files, tree_of

SOURCE = source_files("apps", "config", "launcher")
SCRIPTS = [
    path
    for path in sorted((PROJECT_ROOT / "apps").glob("*/static/**/*.js"))
    if "vendor" not in path.parts and "node_modules" not in path.parts
]

# Words that Django, events and queues give an argument of any class.
OF_ANY_CLASS = {"obj", "row", "event", "instance"}
# Arguments whose name says nothing of their class.
NAMED_OTHERWISE_AT_MOST = 272

# Sentences of docstrings and comments, and comments of scripts, that stand on a "what".
PUZZLES_AT_MOST = {
    "accounts": 65,
    "agents": 31,
    "ai": 214,
    "assists": 55,
    "billing": 24,
    "cabinet": 58,
    "cards": 19,
    "chats": 181,
    "compat": 31,
    "config": 47,
    "console": 243,
    "core": 150,
    "demo": 34,
    "documentation": 7,
    "egress": 25,
    "extraction": 51,
    "kb": 57,
    "launcher": 17,
    "learning": 44,
    "leases": 13,
    "letters": 102,
    "mcp": 11,
    "messengers": 166,
    "automations": 0,
    "reports": 0,
    "reviews": 0,
    "routing": 0,
    "support": 66,
    "webhooks": 57,
    "widget": 126,
}
# Docstrings that tell a person's errand instead of the deed: "Has a chat summed up".
HAS_DONE_AT_MOST = 41

PUZZLE = re.compile(r"\b(what|whatever|whoever)\b", re.IGNORECASE)
HAS_DONE = re.compile(
    r"^Has (a|an|the|each|all|its|their|one|every|what|who)\b.*\b\w+(ed|en|nt|wn|ut|lt|ade|old|ead)\b"
)
RAISES = re.compile(r"\bRaises? ([A-Z]\w+)")
SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|\n\s*\n")


def words_of(name: str) -> set[str]:
    """The words of a class's name, each as it is and without a plural's s."""
    words = {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)}
    return words | {word.rstrip("s") for word in words} | {f"{word}s" for word in words}


def class_of(annotation: ast.expr | None) -> str | None:
    """The class that an annotation names; of `X | None`, X."""
    match annotation:
        case ast.Constant(value=str() as text):
            return class_of(ast.parse(text, mode="eval").body)
        case ast.BinOp(left=left, right=ast.Constant(value=None)):
            return class_of(left)
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(value=ast.Name(id=name)):
            return name
    return None


def classes_of_ours() -> set[str]:
    return {node.name for path in SOURCE for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef)}


def named_otherwise(tree: ast.Module, ours: set[str]) -> Iterator[str]:
    """The arguments of a module's functions whose last word is none of their class's, as `name: Class`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                name = class_of(each.annotation)
                if name in ours and each.arg not in OF_ANY_CLASS and name is not None:
                    last = each.arg.rstrip("_").split("_")[-1]
                    if last not in words_of(name) and last.rstrip("s") not in words_of(name):
                        yield f"{each.arg}: {name}"


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def comments(path: Path) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def room_of(path: Path) -> str:
    """The app of a file, else its top folder."""
    parts = path.relative_to(PROJECT_ROOT).parts
    return parts[1] if parts[0] == "apps" and len(parts) > 2 else parts[0]


def puzzles() -> Counter[str]:
    """How many sentences of each room stand on a "what", in docstrings and comments of Python and scripts."""
    found: Counter[str] = Counter()
    for path in SOURCE:
        texts = [*docstrings(tree_of(path)), *comments(path)]
        found[room_of(path)] += sum(bool(PUZZLE.search(one)) for text in texts for one in SENTENCE_ENDS.split(text))
    for path in SCRIPTS:
        spoken = re.findall(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", path.read_text(), re.DOTALL)
        found[room_of(path)] += sum(bool(PUZZLE.search(one)) for text in spoken for one in SENTENCE_ENDS.split(text))
    return found


def test_an_argument_is_named_after_its_class() -> None:
    ours = classes_of_ours()
    found = [f"{name_of(path)}: {one}" for path in SOURCE for one in named_otherwise(tree_of(path), ours)]
    assert len(found) <= NAMED_OTHERWISE_AT_MOST, "\n".join(found)


def test_an_argument_that_says_nothing_of_its_class_is_found() -> None:
    tree = ast.parse(
        "def f(wire: Client, client: Client, vendor_client: Client | None, row: Client, line: 'Client'): ..."
    )
    assert list(named_otherwise(tree, {"Client"})) == ["wire: Client", "line: Client"]


def test_a_name_behind_raises_exists() -> None:
    """A reader looks an exception up by the name that the docstring gives."""
    known = {*classes_of_ours(), *dir(builtins)}
    for path in SOURCE:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Name):
                known.add(node.id)
            elif isinstance(node, ast.Attribute):
                known.add(node.attr)
            elif isinstance(node, ast.alias):
                known.add((node.asname or node.name).split(".")[-1])
    unknown = {
        f"{name_of(path)}: {name}"
        for path in SOURCE
        for text in docstrings(tree_of(path))
        for name in RAISES.findall(text)
        if name not in known
    }
    assert unknown == set()


def test_sentences_on_a_what_only_become_fewer() -> None:
    found = puzzles()
    assert {room: count for room, count in found.items() if count > PUZZLES_AT_MOST.get(room, 0)} == {}


def test_docstrings_say_the_deed() -> None:
    found = [
        f"{name_of(path)}: {one}"
        for path in SOURCE
        for text in docstrings(tree_of(path))
        for one in SENTENCE_ENDS.split(text)
        if HAS_DONE.match(one)
    ]
    assert len(found) <= HAS_DONE_AT_MOST, "\n".join(found)
