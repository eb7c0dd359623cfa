"""The words of the house: a sentence begins with its subject, and a class name means one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import yaml

from config.environment import PROJECT_ROOT
from tests.architecture.source import name_of, source_files, tree_of

# Words that open a riddle. ("Where" and "Which" open one when they are relative: they have no verb of their own.)
RIDDLE = re.compile(r"\W*(What|Who|Whoever|Whose|Whom|Of|Those|That|Where|Which|Nobody|Somebody|Anybody)(?='s|\W)")
SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*(])|\n\s*\n|\n\s*(?=[-*] |\|)")
TEXTS = {"summary", "description", "title"}  # of an OpenAPI document
HELPS = {"help_text", "summary", "description"}  # of a call in the source

DOCS = PROJECT_ROOT / "docs"
SOURCE = source_files("apps", "config", "launcher", "bench")

# How many riddles a room may still have at most.
RIDDLES = {
    "apps/chats/models": 2,  # help texts of columns: another one is a migration
}
# Class names that exist more than once, with the modules that have them.
NAMED_TWICE: dict[str, list[str]] = {
    "StatusViewSet": ["apps.console.api.status", "apps.kb.api.status"],
}


def riddles(text: str) -> list[str]:
    """The sentences of a text that begin with none of their own words."""
    return [" ".join(each.split()) for each in SENTENCE_ENDS.split(text) if each and RIDDLE.match(each)]


def described(node: object) -> Iterator[str]:
    """Every title, summary and description of an OpenAPI document."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name in TEXTS and isinstance(value, str):
                yield value
            else:
                yield from described(value)
    elif isinstance(node, list):
        for each in node:
            yield from described(each)


def read_by_people(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module, and the texts that it hands to the OpenAPI document."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        elif isinstance(node, ast.keyword) and node.arg in HELPS and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_sentences_of_the_source_begin_with_their_subject() -> None:
    found = [(name_of(path), one) for path in SOURCE for text in read_by_people(tree_of(path)) for one in riddles(text)]
    excused = {room: [one for path, one in found if path.startswith(room)] for room in RIDDLES}
    assert [line for line in found if not line[0].startswith(tuple(RIDDLES))] == []
    assert [room for room, most in RIDDLES.items() if not 0 < len(excused[room]) <= most] == [], (
        "exceptions only shrink"
    )


def test_sentences_of_the_documents_begin_with_their_subject() -> None:
    documents = [yaml.load(path.read_text(), yaml.CSafeLoader) for path in sorted(DOCS.glob("openapi*.yaml"))]
    cells = [each for row in (DOCS / "errors.md").read_text().splitlines() for each in row.split(" | ")]
    assert {one for text in (*described(documents), *cells) for one in riddles(text)} == set()


def test_a_riddle_is_found() -> None:
    text = (
        "Answers a chat. Of an unknown one nothing is told.\n\n`What` is left out stays. Whatever comes is a word more."
    )
    assert riddles(text) == ["Of an unknown one nothing is told.", "`What` is left out stays."]


def test_a_class_name_exists_once() -> None:
    """Classes within classes (a model's Meta) and the commands, whose name is Django's, are none of these."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in source_files("apps"):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and node.name != "Command":
                found[node.name].append(name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == NAMED_TWICE
